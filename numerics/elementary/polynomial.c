/* SPDX-License-Identifier: GPL-3.0-or-later
 * polynomial.c - the even and the odd half by Horner's rule side by side, f(u) = even(u^2) + u odd(u^2), with numbers
 * that grow: where c_k + c_{k+2} w + ... is small, few limbs hold it.
 *
 * Let w be u^2 as computed, 0 <= u^2 - w < W ulps (fixed_muladd), and a_k what is computed, in ulps, for
 *   A_k = c_k + u^2 A_{k+2}.
 * It has n limbs, the same for the two k of a pair, where 2^(64 n - 1) > S_k = sum_{j >= k} |rounded c_j| + error: this
 * is how polynomial_new chooses n, for the lower k of the pair.  One step is
 *   a_k = rounded c_k + (a_{k+2} w_n cut off) - (1 at most),
 * with w_n the upper n limbs of w:
 *   |c_k - rounded c_k| <= 1                                        polynomial_new: 1/2 for the ball, 1/2 to round it
 *   |a_{k+2}| (w - w_n) < 2^(64 n - 1) 2^(-64 n) = 1/2,   |a_{k+2}| (u^2 - w) < W/2
 *   0 <= a_{k+2} w_n - computed < n + 1 <= W + 1                          fixed_muladd, step
 * so, as 0 <= u < 1, |a_k - A_k| <= |a_{k+2} - A_{k+2}| + 3 W/2 + 5/2.  The last step, a_0 + u a_1, is one more of its
 * kind with no W/2.  As there is a step for each coefficient, a 0 where `terms` is odd, and this one,
 *   |result - f(u)| <= (terms + 2) (2 W + 3) = error.
 * The same holds for limbs of 52 bits (lanes.c), with 2^52 for 2^64; there nothing is an ulp less.
 * By the same induction |a_k| <= S_k < 2^(64 n - 1), also for the result: nothing overflows. */
#include "numerics/elementary/polynomial.h"
#include <stdlib.h>
#include <string.h>
#include "src/base/memory.h"

/* Limbs that hold numbers of so many bits and a sign. */
static int limbs_for(const fmpz_t most, int limb_bits) { return (int)fmpz_bits(most) / limb_bits + 1; }

polynomial *polynomial_new(int limb_bits, int limbs, int terms, arb_srcptr c)
{
    const int pairs = (terms + 1) / 2;                  /* c[2k], c[2k + 1]; the last one may be 0 */
    const long error = (long)(terms + 2) * (2 * limbs + 3);
    polynomial *f = must_calloc(1, sizeof *f + (size_t)(2 * pairs * limbs) * sizeof *f->c);
    mp_limb_t *to = f->c;
    *f = (polynomial){ .limbs = limbs, .error = error };
    fmpz_t rounded[2], sum;
    arb_t scaled;
    fmpz_init(rounded[0]);
    fmpz_init(rounded[1]);
    fmpz_init(sum);
    arb_init(scaled);
    fmpz_set_si(sum, error);
    bool fits = true;
    for (int k = 2 * pairs - 1; k >= 0 && fits; k--) {
        if (k < terms) arb_mul_2exp_si(scaled, c + k, limb_bits * limbs);
        fits = arb_is_finite(scaled) && mag_cmp_2exp_si(arb_radref(scaled), -1) <= 0;
        if (!fits) break;
        fmpz *const integer = rounded[k % 2];
        arf_get_fmpz(integer, arb_midref(scaled), ARF_RND_NEAR);
        if (fmpz_sgn(integer) < 0) fmpz_sub(sum, sum, integer);
        else                       fmpz_add(sum, sum, integer);
        const int n = limbs_for(sum, limb_bits);
        fits = n <= limbs;
        for (int half = 1; k % 2 == 0 && fits && half >= 0; half--, to += n)         /* the odd one first */
            fixed_from_fmpz(to, rounded[half], limb_bits, n);
        f->with[n] += k % 2 == 0 && fits;
    }
    fmpz_clear(rounded[0]);
    fmpz_clear(rounded[1]);
    fmpz_clear(sum);
    arb_clear(scaled);
    if (fits) return f;
    free(f);
    return NULL;
}

/* a = c + a w, numbers with signs: as a w = (a mod 2^(64 n)) w - [a < 0] 2^(64 n) w.  The complement is -w - 1, so it
 * is an ulp less. */
static inline __attribute__((always_inline)) void
step(mp_limb_t *a, const mp_limb_t *c, const mp_limb_t *w, const int n)
{
    const mp_limb_t negative = -(a[n - 1] >> 63);
    mp_limb_t z[FIXED_MOST], d[FIXED_MOST];
#pragma GCC unroll 9
    for (int k = 0; k < n; k++) d[k] = ~(w[k] & negative);
    fixed_muladd(z, a, w, c, d, n);
#pragma GCC unroll 9
    for (int k = 0; k < n; k++) a[k] = z[k];
}

/* The next coefficients of both halves, so that one is computed while the other waits for its carries. */
static inline __attribute__((always_inline)) void
pairs(mp_limb_t *even, mp_limb_t *odd, const mp_limb_t *c, int steps, const mp_limb_t *w, const int n)
{
    for (; steps; steps--, c += 2 * n) {
        step(odd, c, w, n);
        step(even, c + n, w, n);
    }
}

static inline __attribute__((always_inline)) void square(mp_limb_t *w, const mp_limb_t *u, const int W)
{
    static const mp_limb_t zero[FIXED_MOST];
    fixed_muladd(w, u, u, zero, NULL, W);
}

void polynomial_value(mp_limb_t *y, const polynomial *f, const mp_limb_t *u)
{
    const int W = f->limbs;
    const mp_limb_t *c = f->c;
    mp_limb_t w[FIXED_MOST], even[FIXED_MOST] = { 0 };
    FIXED_CALL(W, square, w, u)
    memset(y, 0, (size_t)W * sizeof *y);
    for (int n = 1; n <= W; n++) {
        if (n > 1) {                                    /* the sign */
            y[n - 1] = -(y[n - 2] >> 63);
            even[n - 1] = -(even[n - 2] >> 63);
        }
        FIXED_CALL(n, pairs, even, y, c, f->with[n], w + W - n)
        c += 2 * n * f->with[n];
    }
    FIXED_CALL(W, step, y, even, u)
}
