/* SPDX-License-Identifier: GPL-3.0-or-later
 * exp.c - exp x = 2^n (1 + a_1) (1 + a_2) (1 + a_3) exp t,  x = n log 2 + i_1 2^-8 + i_2 2^-16 + i_3 2^-24 + t,
 * with 8 bits of x in each i_j, a_j = exp(i_j 2^(-8j)) - 1 from tables, and 0 <= t < 2^-24 put into Taylor's
 * polynomial.
 *
 * Error of the computed E = 2^-n exp x in ulps:
 *   x is cut off (< 1) and log 2 is rounded down (< 1, |n| times): the exact value is exp(r + d), |d| < |n| + 1 ulps,
 *     for the r in [0, log 2) that is used; |exp(r + d) - exp r| < 2.1 (|n| + 1), as exp r < 2 and |n| + 1 ulps are
 *     below 2^-80
 *   a + s + a s from an a that is wrong by e and an s that is wrong by f: e (1 + s) + f (1 + a) + W (fixed_muladd)
 *   entries of the tables are wrong by at most 1; a_2, a_3 < 2^-7:  (1 + a_2)(1 + a_3) by at most W + 2.1
 *   times 1 + a_1 <= 2: (1 + a_2) (1 + a_3) + 2 (W + 2.1) + W < 3 W + 5.3
 *   exp t - 1 < 2^-23 by at most P = taylor->error + 1, with the remainder (see taylor)
 *   the product of both, below 2: 1.1 (3 W + 5.3) + 2.1 P + W < 2.1 P + 4.3 W + 6.
 * The sum is below 3 (P + 3 (W + 2) + |n| + 1), which goes into the radius.
 *
 * A radius rho <= 2^-10 of x adds exp(mid) (exp rho - 1) <= exp(mid) rho (1 + 2^-10). */
#include "numerics/elementary/elementary.h"
#include "numerics/elementary/lanes.h"
#include "numerics/elementary/polynomial.h"
#include "numerics/elementary/ways.h"
#include "src/base/memory.h"
#include <stdlib.h>
#include <string.h>

enum { STEP = LANES_EXP_STEP, ENTRIES = LANES_EXP_ENTRIES, STAGES = 3, LOG2_WIDEST = -10, LOG2_LARGEST = 13 };

typedef struct {
    polynomial *taylor;                                 /* exp(2^-24 v) - 1 for v in [0, 1) */
    mp_limb_t log2[FIXED_MOST];                         /* limbs of 64 bits */
    mp_limb_t a[];                                      /* STAGES x ENTRIES x W */
} exp_table;
static exp_table *tables[FIXED_MOST + 1];               /* by W; limbs of 64 bits */
static exp_table *lanes_tables[LANES_MOST + 1];         /* the same for limbs of 52 */

/* Coefficient k is 2^(-24k)/k!; those from N on are left out: together less than twice the first, half an ulp. */
static polynomial *taylor(int limb_bits, int W, long precision)
{
    enum { MOST = 40 };
    arb_ptr c = _arb_vec_init(MOST);
    arb_one(c);
    int N = 0;
    while (arf_cmp_2exp_si(arb_midref(c + N), -limb_bits * W - 3) > 0) {
        N++;
        REQUIRE(N < MOST, "%d coefficients at %d limbs", N, W);
        arb_div_ui(c + N, c + N - 1, (ulong)N, precision);
        arb_mul_2exp_si(c + N, c + N, -STEP * STAGES);
    }
    arb_zero(c);                                        /* exp - 1 */
    polynomial *f = polynomial_new(limb_bits, W, N, c);
    REQUIRE(f, "coefficients of exp at %d limbs", W);
    _arb_vec_clear(c, MOST);
    return f;
}

/* limbs[W] = x rounded, or rounded down; x in [0, 1) is a ball much thinner than an ulp. */
static void to_fixed(mp_limb_t *limbs, const arb_t x, int limb_bits, int W, arf_rnd_t how)
{
    arb_t scaled;
    fmpz_t integer;
    arb_init(scaled);
    fmpz_init(integer);
    arb_mul_2exp_si(scaled, x, limb_bits * W);
    arf_get_fmpz(integer, arb_midref(scaled), how);
    REQUIRE(mag_cmp_2exp_si(arb_radref(scaled), -2) <= 0 && fmpz_bits(integer) <= (ulong)(limb_bits * W),
            "a ball of %d limbs", W);
    fixed_from_fmpz(limbs, integer, limb_bits, W);
    arb_clear(scaled);
    fmpz_clear(integer);
}

static exp_table *table_new(int limb_bits, int W)
{
    const long precision = limb_bits * W + 128;
    exp_table *T = must_calloc(1, sizeof *T + (size_t)(STAGES * ENTRIES * W) * sizeof *T->a);
    arb_t x;
    arb_init(x);
    arb_const_log2(x, precision);
    to_fixed(T->log2, x, 64, (limb_bits * W + 63) / 64, ARF_RND_DOWN);
    for (int j = 0; j < STAGES; j++)
        for (int i = 0; i < (j ? ENTRIES : 178); i++) {         /* log 2 < 178/256 */
            arb_set_si(x, i);
            arb_mul_2exp_si(x, x, -STEP * (j + 1));
            arb_expm1(x, x, precision);
            to_fixed(T->a + (j * ENTRIES + i) * W, x, limb_bits, W, ARF_RND_NEAR);
        }
    arb_clear(x);
    T->taylor = taylor(limb_bits, W, precision);
    return T;
}

static void table_free(exp_table *T)
{
    if (T) free(T->taylor);
    free(T);
}

static const exp_table *table(exp_table **at, int limb_bits, int W)
{
    exp_table *T = __atomic_load_n(at, __ATOMIC_ACQUIRE), *none = NULL;
    if (T) return T;
    T = table_new(limb_bits, W);
    if (__atomic_compare_exchange_n(at, &none, T, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return T;
    table_free(T);                                      /* another thread was quicker */
    return none;
}

void elementary_exp_clear(void)
{
    for (int W = 0; W <= LANES_MOST; W++) {
        table_free(lanes_tables[W]);
        lanes_tables[W] = NULL;
        if (W > FIXED_MOST) continue;
        table_free(tables[W]);
        tables[W] = NULL;
    }
}

/* r[W + 1] = x - n log 2 in [0, log 2), where x = sign X; returns n. */
static long reduce(mp_limb_t *r, const mp_limb_t *X, bool negative, const exp_table *T, int W)
{
    mp_limb_t part[FIXED_MOST + 1];
    const double x = (double)X[W] + 0x1p-64 * (double)X[W - 1];
    long n = (long)(x * 1.4426950408889634) + negative;
    part[W] = mpn_mul_1(part, T->log2, W, (mp_limb_t)n);
    if (negative) mpn_sub_n(r, part, X, W + 1);
    else          mpn_sub_n(r, X, part, W + 1);
    if (negative) n = -n;
    for (; r[W] >> 63; n--) r[W] += mpn_add_n(r, r, T->log2, W);              /* the guess of n is off by at most 1 */
    for (; r[W] || mpn_cmp(r, T->log2, W) >= 0; n++) r[W] -= mpn_sub_n(r, r, T->log2, W);
    return n;
}

/* z = a + s + a s without its carry, which is returned. */
static inline __attribute__((always_inline)) mp_limb_t
combine(mp_limb_t *z, const mp_limb_t *a, const mp_limb_t *s, const int W)
{
    return fixed_muladd(z, a, s, a, s, W);
}

/* E[W + 1] = exp r, r in [0, log 2) */
static inline __attribute__((always_inline)) void
evaluate(mp_limb_t *E, const mp_limb_t *r, const exp_table *T, const int W)
{
    const mp_limb_t *a[STAGES];
    mp_limb_t t[FIXED_MOST], s[FIXED_MOST], two[FIXED_MOST], three[FIXED_MOST];
    for (int j = 0; j < STAGES; j++) {
        const int i = (int)(r[W - 1] >> (64 - STEP * (j + 1)) & (ENTRIES - 1));
        a[j] = T->a + (j * ENTRIES + i) * W;
    }
    for (int k = 0; k < W; k++) t[k] = r[k] << STEP * STAGES | (k ? r[k - 1] >> (64 - STEP * STAGES) : 0);
    combine(two, a[1], a[2], W);                        /* no carry: below 2^-7 */
    combine(three, a[0], two, W);                       /* (1 + a_1) (1 + a_2) (1 + a_3) <= exp r < 2 */
    polynomial_value(s, T->taylor, t);
    if (s[W - 1] >> 63) memset(s, 0, sizeof s);         /* some ulps below exp t - 1 >= 0: 0 is closer */
    E[W] = 1 + combine(E, three, s, W);
}

/* y = 2^n E, a number of so many limbs in ulps of 2^log2ulp that is wrong by at most `ulps` and less than above 2^-29,
 * with what the radius of x adds. */
static void finish(arb_t y, const arb_t x, const mp_limb_t *E, int limbs, long log2ulp, ulong above, long ulps, long n,
                   long bits)
{
    mag_t error, spread;
    mag_init(error);
    mag_init(spread);
    mag_set_ui_2exp_si(error, (ulong)ulps, n + log2ulp);
    if (!mag_is_zero(arb_radref(x))) {
        mag_set_ui_2exp_si(spread, above + (above >> 10) + 1, n - 29);
        mag_addmul(error, spread, arb_radref(x));
    }
    const bool inexact = _arf_set_mpn_fixed(arb_midref(y), E, limbs, 0, 0, bits, ARF_RND_DOWN);
    arf_mul_2exp_si(arb_midref(y), arb_midref(y), n + log2ulp);
    if (inexact) arf_mag_add_ulp(error, error, arb_midref(y), bits);
    mag_swap(arb_radref(y), error);
    mag_clear(error);
    mag_clear(spread);
}

static void one(arb_t y, const arb_t x, long bits)
{
    const int W = fixed_limbs(bits);
    const exp_table *T = table(&tables[W], 64, W);
    mp_limb_t X[FIXED_MOST + 1], r[FIXED_MOST + 1], E[FIXED_MOST + 1];
    fixed_from_arf(X, arb_midref(x), W);
    const long n = reduce(r, X, arf_sgn(arb_midref(x)) < 0, T, W);
    FIXED_CALL(W, evaluate, E, r, T)
    const long ulps = 3 * (T->taylor->error + 1 + 3 * (W + 2) + labs(n) + 1);
    finish(y, x, E, W + 1, -64 * W, (E[W] << 29) + (E[W - 1] >> 35) + 2, ulps, n, bits);
}

/* The same for y[at[i]] and x[at[i]], i < count <= 8, side by side.  r is cut off once more, hence one ulp more for it;
 * exp t - 1 cannot be negative there: its terms are not, and nothing is an ulp less. */
static void eight(arb_ptr y, arb_srcptr x, const long *at, int count, long bits)
{
    const int V = lanes_limbs(bits), W = lanes_fixed(V);
    const exp_table *T = table(&lanes_tables[V], LANES_BITS, V);
    lanes r[FIXED_MOST] = { 0 }, E[FIXED_MOST + 1];
    long n[LANES];
    for (int i = 0; i < count; i++) {
        mp_limb_t X[FIXED_MOST + 1], reduced[FIXED_MOST + 1];
        fixed_from_arf(X, arb_midref(x + at[i]), W);
        n[i] = reduce(reduced, X, arf_sgn(arb_midref(x + at[i])) < 0, T, W);
        for (int k = 0; k < W; k++) r[k][i] = reduced[k];
    }
    lanes_exp(E, (const lanes *)r, T->taylor, T->a);
    const int log2 = LANES_BITS * V % 64;               /* of 1, in limb 52 V / 64 */
    for (int i = 0; i < count; i++) {
        mp_limb_t integer[FIXED_MOST + 1];
        for (int k = 0; k <= W; k++) integer[k] = E[k][i];
        const mp_limb_t *one = integer + LANES_BITS * V / 64;
        const ulong above = log2 >= 29 ? one[0] >> (log2 - 29) : one[0] << (29 - log2) | one[-1] >> (35 + log2);
        const long ulps = 3 * (T->taylor->error + 1 + 3 * (V + 2) + labs(n[i]) + 2);
        finish(y + at[i], x + at[i], integer, W + 1, -LANES_BITS * V, above + 2, ulps, n[i], bits);
    }
}

static const elementary_ways ways = { LOG2_LARGEST, LOG2_WIDEST, arb_exp, one, eight };

void elementary_exp(arb_ptr y, arb_srcptr x, long n, long bits) { elementary_each(&ways, y, x, n, bits); }
