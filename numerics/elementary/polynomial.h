/* SPDX-License-Identifier: GPL-3.0-or-later
 * polynomial.h - values of a polynomial with real coefficients at a fixed-point number in [0, 1), and how wrong. */
#ifndef POLYNOMIAL_H
#define POLYNOMIAL_H
#include "numerics/elementary/lanes.h"

typedef struct polynomial {
    int limbs;                          /* W, of 64 or 52 bits */
    int with[LANES_MOST + 1];           /* with[n]: how many pairs c_2k, c_2k+1 have n limbs each */
    long error;                         /* |value that is computed - f(u)| <= error ulps; see polynomial.c */
    mp_limb_t c[];                      /* the highest pair first, in it the odd one first; two's complement, in ulps */
} polynomial;

/* sum_{k < terms} c[k] u^k, to be freed by the caller, or NULL where the balls c are wider than half an ulp,
 * 2^(-limb_bits limbs)/2, or where the sum of all |c[k]| is too close to 1/2. */
polynomial *polynomial_new(int limb_bits, int limbs, int terms, arb_srcptr c);
/* For limbs of 64 bits: y[W] = f(u) in two's complement; u[W] >= 0 is a fraction. */
void polynomial_value(mp_limb_t *y, const polynomial *f, const mp_limb_t *u);
#endif
