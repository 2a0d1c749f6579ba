/* SPDX-License-Identifier: GPL-3.0-or-later
 * elementary.h - exp and the normal distribution function in balls of up to 512 bits, by fixed-point arithmetic.
 *
 * Each result is a ball that holds the value at every point of x; the bounds are derived in exp.c and normal.c.  Wide
 * or extreme arguments, 0, infinities, NaN, more than ELEMENTARY_MOST_BITS and PROVABLY_REFERENCE go to Arb's
 * functions.  Tables are made at first use, by Arb; threads may call all of these at the same time, but the last
 * two. */
#ifndef ELEMENTARY_H
#define ELEMENTARY_H
#include "numerics/flint_compat.h"

enum { ELEMENTARY_MOST_BITS = 512 };

/* y[k] = f(x[k]) for k < n; y may be x. */
void elementary_exp   (arb_ptr y, arb_srcptr x, long n, long bits);
void elementary_normal(arb_ptr y, arb_srcptr x, long n, long bits);     /* erfc(-x / sqrt 2) / 2 */

void elementary_exp_clear(void), elementary_normal_clear(void);         /* free the tables */
#endif
