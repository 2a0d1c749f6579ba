/* polynomial.h - values of a polynomial with real coefficients at a fixed-point number in [0, 1), with a bound on the error. */
#ifndef POLYNOMIAL_H
#define POLYNOMIAL_H
#include "numerics/elementary/fixed.h"

typedef struct {
    int limbs;                          /* W */
    int with[FIXED_MOST + 1];           /* with[n]: how many pairs c_2k, c_2k+1 have n limbs each */
    long error;                         /* |polynomial_value - value| <= error ulps; see polynomial.c */
    mp_limb_t c[];                      /* the highest pair first, in it the odd one first; two's complement, in ulps */
} polynomial;

/* sum_{k < terms} c[k] u^k, to be freed by the caller, or NULL where the balls c are wider than half an ulp, or where the sum of
 * all |c[k]| is too close to 1/2. */
polynomial *polynomial_new(int limbs, int terms, arb_srcptr c);
/* y[W] = f(u) in two's complement; u[W] >= 0 is a fraction. */
void polynomial_value(mp_limb_t *y, const polynomial *f, const mp_limb_t *u);
#endif
