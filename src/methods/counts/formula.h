/* formula.h - arithmetic over Q on names, so that a formula in a table is what is computed.
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

/* A number as printed: "84.95M" is the number 84,950,000 in units of its last place, 10,000.  `~` before it:
 * zeros at its end are not significant.  A relation before it (< > <= >=) says that it is a bound.
 * Units: k M B %; thousands may be separated by commas. */
typedef struct { mpq_t value, step; char relation[3]; } printed_number;
const char *printed_parse(printed_number *out, const char *text) MUST_USE;     /* out is initialised by it */
void printed_clear(printed_number *p);
/* Does x round to it, or keep the bound? */
bool printed_agrees(const printed_number *p, const mpq_t x);
/* x in the printed number's own units, rounded to the nearest; a tie is the printed number's. */
void printed_round(mpz_t out, const printed_number *p, const mpq_t x);
#endif
