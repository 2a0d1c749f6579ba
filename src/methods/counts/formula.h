/* SPDX-License-Identifier: GPL-3.0-or-later
 * formula.h - arithmetic over Q on names, so that a formula in a table is what is computed.
 *
 *   sum = product {(+|-) product}     product = power {(*|/) power}     power = [-] atom [^ digits]
 *   atom = decimal | name | name(sum, ...) | (sum)
 * Decimals are exact.  Functions: sqrt(x), acosd(x) (in degrees), both rounded to 256 bits; min, max of any
 * number of sums; z(a, b), the statistic of two accuracies in per cent over 10,000 images each. */
#ifndef FORMULA_H
#define FORMULA_H
#include <gmp.h>
#include "src/base/base.h"

typedef bool name_lookup(mpq_t out, const char *name);     /* false: no such name                        */
/* NULL, or what is wrong (static text) and *at, where. */
const char *formula_value(mpq_t out, const char *text, name_lookup *names, size_t *at) MUST_USE;
#endif
