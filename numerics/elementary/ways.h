/* SPDX-License-Identifier: GPL-3.0-or-later
 * ways.h - a function of many balls: which are computed here, one by one or eight side by side, and which by Arb. */
#ifndef WAYS_H
#define WAYS_H
#include "numerics/flint_compat.h"

typedef struct {
    long log2largest, log2widest;       /* computed here: |middle| < 2^log2largest, radius <= 2^log2widest */
    void (*by_arb)(arb_t y, const arb_t x, slong bits);
    void (*one)(arb_t y, const arb_t x, long bits);
    void (*eight)(arb_ptr y, arb_srcptr x, const long *at, int count, long bits);   /* y[at[i]], i < count <= 8 */
} elementary_ways;

/* y[k] = f(x[k]) for k < n; y may be x. */
void elementary_each(const elementary_ways *f, arb_ptr y, arb_srcptr x, long n, long bits);
#endif
