/* SPDX-License-Identifier: GPL-3.0-or-later
 * normal.c - the normal distribution function Phi(x) = erfc(-x / sqrt 2) / 2 by Taylor's polynomial about the left end
 * of each interval [x0, x0 + delta), delta = 2^-7, for -32 <= x < 32.  With phi = Phi', He_k Hermite's polynomials and
 * x = x0 + delta v,
 *   Phi(x) = Phi(x0) + sum_{k >= 1} c_k v^k,   c_k = phi(x0) g_{k-1} delta^k / k,   g_k = (-1)^k He_k(x0) / k!,
 *   (k + 1) g_{k+1} = -x0 g_k - g_{k-1},   g_0 = 1, g_{-1} = 0.
 * A row holds these c_k times 2^-e, where 2^e is a few times Phi(x0): so the result is accurate relative to Phi also
 * where that is tiny.  Rows are made when their interval is first met.
 *
 * What is left out: on |z - x0| = rho, |phi(z)| <= M(rho) = exp(-x0^2/2 + |x0| rho + rho^2/2) / sqrt(2 pi), as
 * Re z^2 >= x0^2 - 2 |x0| rho - rho^2.  So phi's Taylor coefficients are at most M rho^-k (Cauchy), and
 *   sum_{k >= N} |c_k| <= sum_{k >= N} M delta^k / (k rho^(k-1)) <= M delta (delta/rho)^(N-1) / (N (1 - delta/rho)):
 * N is such that this is at most half an ulp of the row for one of rho = 1, 2, 4, 8.
 *
 * Error: f->error + 1 ulps of the row, and the radius of x and what it was cut off by, together less than delta, times
 * the largest phi that is met: row->slope bounds phi on [x0 - delta, x0 + 2 delta]. */
#include <math.h>
#include <stdlib.h>
#include "numerics/elementary/elementary.h"
#include "numerics/elementary/lanes.h"
#include "numerics/elementary/polynomial.h"
#include "numerics/elementary/ways.h"
#include "src/base/memory.h"

enum {
    LOG2_DELTA = -7, PER_UNIT = 1 << -LOG2_DELTA, LOG2_LARGEST = 5, LARGEST = 1 << LOG2_LARGEST,
    ROWS = 2 * LARGEST * PER_UNIT, MOST_TERMS = 120
};

typedef struct {
    polynomial *f;                                      /* Phi(x0 + delta v) 2^-scale */
    lanes_coefficients *beside;                         /* the same, for limbs of 52 bits */
    long scale;
    mag_t slope;
} normal_row;
static normal_row **tables[FIXED_MOST + 1];             /* by W, then by (x0 + LARGEST) / delta; limbs of 64 bits */
static normal_row **lanes_tables[LANES_MOST + 1];       /* the same for limbs of 52 */

/* How many terms leave out at most 2^log2most.  These doubles are below 2^12 and wrong by less than 2^-30; the half of
 * a bit that is asked for beyond is more. */
static int terms_for(double x0, double log2most)
{
    int least = MOST_TERMS + 1;
    for (int log2rho = 0; log2rho <= 3; log2rho++) {
        const double rho = ldexp(1, log2rho), ratio = LOG2_DELTA - log2rho;
        const double logM = (-x0 * x0 / 2 + fabs(x0) * rho + rho * rho / 2) * M_LOG2E - log2(2 * M_PI) / 2;
        int N = 1;
        const double first = logM + LOG2_DELTA - log2(1 - exp2(ratio));
        while (N < least && !(first + (N - 1) * ratio - log2(N) <= log2most - 0.5)) N++;
        if (N < least) least = N;
    }
    REQUIRE(least <= MOST_TERMS, "the normal distribution at %g needs more than %d terms", x0, MOST_TERMS);
    return least;
}

/* phi(x) */
static void density(arb_t y, const arb_t x, long precision)
{
    arb_t t;
    arb_init(t);
    arb_sqr(y, x, precision);
    arb_mul_2exp_si(y, y, -1);
    arb_neg(y, y);
    arb_exp(y, y, precision);
    arb_const_pi(t, precision);
    arb_mul_2exp_si(t, t, 1);
    arb_rsqrt(t, t, precision);
    arb_mul(y, y, t, precision);
    arb_clear(t);
}

/* |phi| <= bound on [x0 - delta, x0 + 2 delta], which begins at `left` deltas: phi falls with |x|. */
static void steepest(mag_t bound, long left)
{
    const long nearest = left > 0 ? left : left + 3 < 0 ? -(left + 3) : 0;
    arb_t x;
    arb_init(x);
    arb_set_si(x, nearest);
    arb_mul_2exp_si(x, x, LOG2_DELTA);
    density(x, x, 64);
    arb_get_mag(bound, x);
    arb_clear(x);
}

/* c[N] in balls, and the scale, for an ulp of 2^(scale - wanted). */
static int coefficients(arb_ptr c, long *scale, long left, long wanted, long precision)
{
    arb_t x0, factor, g, before, t;
    arb_init(x0); arb_init(factor); arb_init(g); arb_init(before); arb_init(t);
    arb_set_si(x0, left);
    arb_mul_2exp_si(x0, x0, LOG2_DELTA);
    arb_sqrt_ui(t, 2, precision);
    arb_div(t, x0, t, precision);
    arb_neg(t, t);
    arb_hypgeom_erfc(c, t, precision);
    arb_mul_2exp_si(c, c, -1);
    *scale = ARF_EXP(arb_midref(c)) + 2;                /* what leaves 1/4 or less; polynomial_new checks the sum */
    arb_mul_2exp_si(c, c, -*scale);
    density(factor, x0, precision);
    arb_mul_2exp_si(factor, factor, -*scale);
    const int N = terms_for(ldexp((double)left, LOG2_DELTA), (double)(*scale - wanted - 1));
    arb_one(g);
    for (int k = 1; k < N; k++) {                       /* g is g_{k-1} */
        arb_mul_2exp_si(factor, factor, LOG2_DELTA);
        arb_mul(c + k, factor, g, precision);
        arb_div_ui(c + k, c + k, (ulong)k, precision);
        arb_addmul(before, x0, g, precision);
        arb_neg(before, before);
        arb_div_ui(before, before, (ulong)k, precision);
        arb_swap(before, g);
    }
    arb_clear(x0); arb_clear(factor); arb_clear(g); arb_clear(before); arb_clear(t);
    return N;
}

static normal_row *row_new(long left, int limb_bits, int W)
{
    normal_row *row = must_calloc(1, sizeof *row);
    arb_ptr c = _arb_vec_init(MOST_TERMS);
    for (long precision = limb_bits * W + 64; !row->f && precision < 4000; precision *= 2) {     /* too wide: again */
        const int N = coefficients(c, &row->scale, left, limb_bits * W, precision);
        row->f = polynomial_new(limb_bits, W, N, c);
    }
    REQUIRE(row->f, "coefficients of the normal distribution at %ld deltas, %d limbs", left, W);
    _arb_vec_clear(c, MOST_TERMS);
    if (limb_bits == LANES_BITS) row->beside = lanes_coefficients_new(row->f);
    mag_init(row->slope);
    steepest(row->slope, left - 1);
    return row;
}

static void row_free(normal_row *row)
{
    if (!row) return;
    mag_clear(row->slope);
    free(row->f);
    free(row->beside);
    free(row);
}

static const normal_row *row_at(normal_row ***tables_at, long left, int limb_bits, int W)
{
    normal_row **table = __atomic_load_n(tables_at, __ATOMIC_ACQUIRE), **no_table = NULL, *none = NULL;
    if (!table) {
        table = must_calloc(ROWS, sizeof(void *));
        if (!__atomic_compare_exchange_n(tables_at, &no_table, table, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            free(table);                                /* another thread was quicker */
            table = no_table;
        }
    }
    normal_row **at = table + left + LARGEST * PER_UNIT, *row = __atomic_load_n(at, __ATOMIC_ACQUIRE);
    if (row) return row;
    row = row_new(left, limb_bits, W);
    if (__atomic_compare_exchange_n(at, &none, row, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return row;
    row_free(row);
    return none;
}

static void clear_table(normal_row ***table)
{
    for (long i = 0; *table && i < ROWS; i++) row_free((*table)[i]);
    free(*table);
    *table = NULL;
}

void elementary_normal_clear(void)
{
    for (int W = 0; W <= FIXED_MOST; W++) clear_table(&tables[W]);
    for (int V = 0; V <= LANES_MOST; V++) clear_table(&lanes_tables[V]);
}

static void by_arb(arb_t y, const arb_t x, long bits)
{
    arb_t t;
    arb_init(t);
    arb_sqrt_ui(t, 2, bits);
    arb_div(t, x, t, bits);
    arb_neg(t, t);
    arb_hypgeom_erfc(y, t, bits);
    arb_mul_2exp_si(y, y, -1);
    arb_clear(t);
}

/* v[W] = (x - x0) / delta, x cut off after W limbs; returns x0 / delta */
static long locate(mp_limb_t *v, const arf_t x, int W)
{
    mp_limb_t X[FIXED_MOST + 1];
    fixed_from_arf(X, x, W);
    if (arf_sgn(x) < 0) mpn_neg(X, X, W + 1);
    const long left = (long)(X[W] << -LOG2_DELTA | X[W - 1] >> (64 + LOG2_DELTA));       /* floor(x / delta) */
    mpn_lshift(v, X, W, -LOG2_DELTA);
    return left;
}

/* y = the number of so many limbs in ulps of 2^log2ulp that the row gave, for an argument that was cut off by at most
 * 2^log2cut. */
static void finish(arb_t y, const arb_t x, const normal_row *row, const mp_limb_t *value, int limbs, long log2ulp,
                   long log2cut, long bits)
{
    mag_t error, spread;
    mag_init(error);
    mag_init(spread);
    mag_set_ui_2exp_si(spread, 1, log2cut);
    mag_add(spread, spread, arb_radref(x));
    mag_set_ui_2exp_si(error, (ulong)row->f->error + 1, log2ulp);
    mag_addmul(error, spread, row->slope);
    const bool inexact = _arf_set_mpn_fixed(arb_midref(y), value, limbs, 0, 0, bits, ARF_RND_DOWN);
    arf_mul_2exp_si(arb_midref(y), arb_midref(y), log2ulp);
    if (inexact) arf_mag_add_ulp(error, error, arb_midref(y), bits);
    mag_swap(arb_radref(y), error);
    mag_clear(error);
    mag_clear(spread);
}

static void one(arb_t y, const arb_t x, long bits)
{
    const int W = fixed_limbs(bits);
    mp_limb_t v[FIXED_MOST], value[FIXED_MOST];
    const long left = locate(v, arb_midref(x), W);
    const normal_row *row = row_at(&tables[W], left, 64, W);
    polynomial_value(value, row->f, v);
    finish(y, x, row, value, W, row->scale - 64 * W, -64 * W, bits);
}

/* The same for y[at[i]] and x[at[i]], i < count <= 8, side by side.  v is cut off after 52 V bits, which is as if x
 * were wrong by 2^(-52 V - 7) more: together with the first cut, less than 2^(1 - 52 V). */
static void eight(arb_ptr y, arb_srcptr x, const long *at, int count, long bits)
{
    const int V = lanes_limbs(bits), W = lanes_fixed(V);
    lanes v[FIXED_MOST] = { 0 }, value[FIXED_MOST];
    const normal_row *row[LANES];
    const lanes_coefficients *f[LANES];
    REQUIRE(0 < count && count <= LANES, "%d numbers side by side", count);
    for (int i = 0; i < count; i++) {
        mp_limb_t part[FIXED_MOST];
        const long left = locate(part, arb_midref(x + at[i]), W);
        row[i] = row_at(&lanes_tables[V], left, LANES_BITS, V);
        f[i] = row[i]->beside;
        for (int k = 0; k < W; k++) v[k][i] = part[k];
    }
    for (int i = count; i < LANES; i++) f[i] = f[0];
    lanes_values(value, (const lanes *)v, f);
    for (int i = 0; i < count; i++) {
        mp_limb_t integer[FIXED_MOST];
        for (int k = 0; k < W; k++) integer[k] = value[k][i];
        finish(y + at[i], x + at[i], row[i], integer, W, row[i]->scale - LANES_BITS * V, 1 - LANES_BITS * V, bits);
    }
}

static const elementary_ways ways = { LOG2_LARGEST, LOG2_DELTA - 1, by_arb, one, eight };

void elementary_normal(arb_ptr y, arb_srcptr x, long n, long bits) { elementary_each(&ways, y, x, n, bits); }
