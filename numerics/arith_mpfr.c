/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_mpfr.c - p-bit floats of GNU MPFR, every operation rounded to nearest.
 *
 * What the answers mean.  One precision decides nothing: HOLDS says the gap is below the bound
 * that was asked for, REFUTED that it is above, both for one instance and both evidence only.
 * The evidence is strong when p varies: where two formulas agree as real functions the gap is
 * about kappa 2^-p and falls by one per bit, where they differ it stays.  For that law every
 * function below must be accurate to a few units of 2^-p, so each one works with GUARD more bits
 * than its result and avoids cancellation.  NaN and infinity are never HOLDS.
 *
 * A matrix is one block of memory: an array of MPFR headers, row-major, then all significands.
 * Headers may be swapped inside a matrix, never between two, and are never mpfr_clear'ed.
 * Below 28 bits a near-singular draw may be rounded. */
#define MPFR_USE_INTMAX_T
#include "numerics/arith.h"
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include "numerics/product/product_mpfr.h"
#include "numerics/random.h"

#define RN MPFR_RNDN
enum { GUARD = 64 };                     /* extra bits of temporaries */

static mpfr_ptr entry(const mat *A, long i, long j) { return (mpfr_ptr)A->rep + i * A->cols + j; }
static long size_of(const mat *A)                   { return A->rows * A->cols; }

static void init_wide(const mat *A, mpfr_ptr x)     { mpfr_init2(x, A->R->bits + GUARD); }

static void init(mat *A)
{
    const size_t n = (size_t)size_of(A), significand = mpfr_custom_get_size(A->R->bits);
    A->rep = must_calloc(n, sizeof(__mpfr_struct) + significand);
    mpfr_ptr header = A->rep;
    char *limbs = (char *)(header + n);
    for (size_t k = 0; k < n; k++)
        mpfr_custom_init_set(header + k, MPFR_ZERO_KIND, 0, A->R->bits, limbs + k * significand);
}

static void clear(mat *A) { free(A->rep); }

static void set_dyadic(mat *C, const int64_t *m, long e)
{
    for (long k = 0; k < size_of(C); k++) mpfr_set_sj_2exp(entry(C, 0, k), m[k], e, RN);
}

static bool get_exact(mpq_t x, const mat *A, long i, long j)
{
    if (!mpfr_number_p(entry(A, i, j))) return false;
    mpfr_get_q(x, entry(A, i, j));
    return true;
}

static double get_d(const mat *A, long i, long j) { return mpfr_get_d(entry(A, i, j), RN); }

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    for (long i = 0; i < r; i++)
        for (long j = 0; j < c; j++) mpfr_set(entry(C, ci + i, cj + j), entry(A, ai + i, aj + j), RN);
}

static void add(mat *C, const mat *A, const mat *B)
{
    for (long k = 0; k < size_of(C); k++) mpfr_add(entry(C, 0, k), entry(A, 0, k), entry(B, 0, k), RN);
}

static void sub(mat *C, const mat *A, const mat *B)
{
    for (long k = 0; k < size_of(C); k++) mpfr_sub(entry(C, 0, k), entry(A, 0, k), entry(B, 0, k), RN);
}

/* C_i += A_ik B_k, rows of B in order.  A loop of mpfr_fma beats mpfr_dot, which allocates for
 * every entry: 45 against 57 ns a term at 64 bits, 47 against 66 at 256, 205 against 232 at 1024.
 * No term is skipped for A_ik = 0: 0 times NaN is NaN. */
static void mul(mat *C, const mat *A, const mat *B)
{
    if (product_mpfr(C->rep, A->rep, B->rep, C->rows, A->cols, C->cols, C->R->bits)) return;
    for (long i = 0; i < C->rows; i++)
        for (long k = 0; k < A->cols; k++)
            for (long j = 0; j < C->cols; j++)
                mpfr_fma(entry(C, i, j), entry(A, i, k), entry(B, k, j), entry(C, i, j), RN);
}

static void hadamard(mat *C, const mat *A, const mat *B)
{
    for (long k = 0; k < size_of(C); k++) mpfr_mul(entry(C, 0, k), entry(A, 0, k), entry(B, 0, k), RN);
}

static void scale_rows(mat *C, const mat *g, const mat *A)
{
    for (long i = 0; i < C->rows; i++)
        for (long j = 0; j < C->cols; j++) mpfr_mul(entry(C, i, j), entry(g, i, 0), entry(A, i, j), RN);
}

static void transpose(mat *C, const mat *A)
{
    for (long i = 0; i < C->rows; i++)
        for (long j = 0; j < C->cols; j++) mpfr_set(entry(C, i, j), entry(A, j, i), RN);
}

/* ---- sizes ------------------------------------------------------------------------------ */

/* log2 |x|, also where |x| is no double; -INFINITY for 0, NaN for NaN and infinities. */
static double log2abs(mpfr_srcptr x)
{
    if (!mpfr_number_p(x)) return NAN;
    if (mpfr_zero_p(x)) return -INFINITY;
    long e;
    double m = mpfr_get_d_2exp(&e, x, RN);
    return log2(fabs(m)) + (double)e;
}

/* The larger of two sizes; NaN if either is (fmax would forget it). */
static double larger(double a, double b) { return isnan(a) || a > b ? a : b; }

static double log2max(const mat *A)
{
    double top = -INFINITY;
    for (long k = 0; k < size_of(A); k++) top = larger(top, log2abs(entry(A, 0, k)));
    return top;
}

static comparison compare(const mat *A, const mat *B, double log2bound)
{
    double diff = -INFINITY;
    mpfr_t x;
    init_wide(A, x);
    for (long k = 0; k < size_of(A); k++) {
        mpfr_sub(x, entry(A, 0, k), entry(B, 0, k), RN);
        diff = larger(diff, log2abs(x));
    }
    mpfr_clear(x);
    if (isnan(diff)) return (comparison){ UNDECIDED, INFINITY, log2bound };
    double gap = diff == -INFINITY ? -INFINITY : diff - larger(log2max(A), log2max(B));
    return (comparison){ gap <= log2bound ? HOLDS : REFUTED, gap, log2bound };
}

/* ---- inverse ---------------------------------------------------------------------------- */

static void swap_rows(mat *C, long i, long k)
{
    for (long j = 0; i != k && j < C->cols; j++) mpfr_swap(entry(C, i, j), entry(C, k, j));
}

static void swap_cols(mat *C, long j, long k)
{
    for (long i = 0; j != k && i < C->rows; i++) mpfr_swap(entry(C, i, j), entry(C, i, k));
}

static long pivot_row(const mat *C, long k)
{
    long p = k;
    for (long i = k + 1; i < C->rows; i++)
        if (mpfr_cmpabs(entry(C, i, k), entry(C, p, k)) > 0) p = i;
    return p;
}

/* y = C x solved for x_k in place: x_k and y_k change places in every row.  With l = C_ik / C_kk,
 *   C_ij -= l C_kj,  C_ik = l            for i != k, j != k
 *   C_kj = -C_kj / C_kk,  C_kk = 1 / C_kk.
 * Equal rows give l = 1 and a row of exact zeros. */
static void exchange(mat *C, long k, mpfr_ptr l)
{
    const long n = C->rows;
    for (long i = 0; i < n; i++) {
        if (i == k) continue;
        mpfr_div(l, entry(C, i, k), entry(C, k, k), RN);
        mpfr_set(entry(C, i, k), l, RN);
        mpfr_neg(l, l, RN);
        for (long j = 0; j < n; j++)
            if (j != k) mpfr_fma(entry(C, i, j), l, entry(C, k, j), entry(C, i, j), RN);
    }
    mpfr_ui_div(l, 1, entry(C, k, k), RN);
    mpfr_set(entry(C, k, k), l, RN);
    mpfr_neg(l, l, RN);
    for (long j = 0; j < n; j++)
        if (j != k) mpfr_mul(entry(C, k, j), entry(C, k, j), l, RN);
}

/* How large rounding can make a zero pivot in column k: 4 n 2^-bits max_i |A_ik|, as log2. */
static double noise_floor(const mat *A, long k)
{
    double top = -INFINITY;
    for (long i = 0; i < A->rows; i++) top = larger(top, log2abs(entry(A, i, k)));
    return top + log2((double)A->rows) + 2 - (double)A->R->bits;
}

/* Gauss-Jordan in place with partial pivoting: n exchanges turn y = (P A) x into x = (P A)^-1 y,
 * and A^-1 = (P A)^-1 P swaps the columns back.  A pivot that rounding alone could have made
 * (zero and NaN included) means that A may be singular: UNDECIDED. */
static truth inv(mat *C, const mat *A)
{
    const long n = A->rows;
    long *row = must_calloc((size_t)n, sizeof *row);
    truth found = HOLDS;
    mpfr_t l;
    mpfr_init2(l, A->R->bits);                           /* mpfr_fma is fastest on equal precisions */
    copy(C, 0, 0, A, 0, 0, n, n);
    for (long k = 0; k < n && found == HOLDS; k++) {
        row[k] = pivot_row(C, k);
        swap_rows(C, k, row[k]);
        if (log2abs(entry(C, k, k)) > noise_floor(A, k)) exchange(C, k, l);
        else found = UNDECIDED;
    }
    for (long k = n - 1; k >= 0 && found == HOLDS; k--) swap_cols(C, k, row[k]);
    mpfr_clear(l);
    free(row);
    return found;
}

/* ---- activations ------------------------------------------------------------------------ */

/* x/2 (1 + erf(x / sqrt 2)) = x/2 erfc(-x / sqrt 2): no cancellation for x < 0.
 * root_half is sqrt(1/2). */
static void gelu(mpfr_ptr y, mpfr_srcptr x, mpfr_srcptr root_half, mpfr_ptr t)
{
    mpfr_mul(t, x, root_half, RN);
    mpfr_neg(t, t, RN);
    mpfr_erfc(t, t, RN);
    mpfr_mul(y, x, t, RN);
    mpfr_div_2ui(y, y, 1, RN);
}

static void relu(mpfr_ptr y, mpfr_srcptr x)              /* NaN stays NaN */
{
    if (mpfr_nan_p(x) || !mpfr_signbit(x)) mpfr_set(y, x, RN);
}

static void silu(mpfr_ptr y, mpfr_srcptr x, mpfr_ptr t)  /* x / (1 + e^-x) */
{
    mpfr_set(t, x, RN);
    mpfr_neg(t, t, RN);
    mpfr_exp(t, t, RN);
    mpfr_add_ui(t, t, 1, RN);
    mpfr_div(y, x, t, RN);
}

/* GELU realises ACT_OPAQUE, which is any function, and ACT_HALF_ODD: gelu(y) - gelu(-y) = y. */
static truth phi(mat *C, const mat *A, activation kind, place at)
{
    (void)at;
    mpfr_t root_half, t;
    init_wide(A, root_half);
    init_wide(A, t);
    mpfr_set_ui_2exp(root_half, 1, -1, RN);
    mpfr_sqrt(root_half, root_half, RN);
    for (long k = 0; k < size_of(A); k++) {
        mpfr_ptr y = entry(C, 0, k);
        mpfr_srcptr x = entry(A, 0, k);
        switch (kind) {
        case ACT_GELU: case ACT_OPAQUE: case ACT_HALF_ODD: gelu(y, x, root_half, t); break;
        case ACT_RELU:     relu(y, x); break;
        case ACT_SILU:     silu(y, x, t); break;
        case ACT_TANH:     mpfr_tanh(y, x, RN); break;
        case ACT_IDENTITY: mpfr_set(y, x, RN); break;
        }
    }
    mpfr_clear(root_half);
    mpfr_clear(t);
    return HOLDS;
}

/* ---- row maps --------------------------------------------------------------------------- */

/* C_ij = scale A_ij where visible. */
static void scores(mat *C, const mat *A, long i, const rowmap *how, mpfr_srcptr scale)
{
    for (long j = 0; j < A->cols; j++)
        if (rowmap_sees(how, i * A->cols + j)) mpfr_mul(entry(C, i, j), entry(A, i, j), scale, RN);
}

/* C_ij = e^(s (A_ij - top)) / sum over the visible j, top the largest visible score: every power
 * is at most 1 and one of them is 1.  A row without visible entries stays zero.  Where a visible score
 * is NaN or +infinity the whole row becomes NaN. */
static void softmax(mat *C, const mat *A, long i, const rowmap *how, mpfr_srcptr scale,
                    mpfr_ptr sum, mpfr_ptr t)
{
    mpfr_srcptr top = NULL;
    for (long j = 0; j < A->cols; j++)
        if (rowmap_sees(how, i * A->cols + j) && (!top || mpfr_greater_p(entry(A, i, j), top))) top = entry(A, i, j);
    mpfr_set_zero(sum, 1);
    for (long j = 0; j < A->cols; j++) {
        if (!rowmap_sees(how, i * A->cols + j)) continue;
        mpfr_sub(t, entry(A, i, j), top, RN);
        mpfr_mul(t, t, scale, RN);
        mpfr_exp(entry(C, i, j), t, RN);
        mpfr_add(sum, sum, entry(C, i, j), RN);
    }
    for (long j = 0; j < A->cols; j++)
        if (rowmap_sees(how, i * A->cols + j)) mpfr_div(entry(C, i, j), entry(C, i, j), sum, RN);
}

/* Softmax realises every kind but the linear one: it is shift-invariant and stochastic. */
static truth map_rows(mat *C, const mat *A, const rowmap *how, place at)
{
    (void)at;
    mpfr_t scale, sum, t;
    init_wide(A, scale);
    init_wide(A, sum);
    init_wide(A, t);
    mpfr_set_si(scale, how->scale_num, RN);
    mpfr_div_si(scale, scale, how->scale_den, RN);
    mpfr_sqrt(scale, scale, RN);
    for (long i = 0; i < A->rows; i++)
        if (how->kind == ROWMAP_LINEAR) scores(C, A, i, how, scale);
        else softmax(C, A, i, how, scale, sum, t);
    mpfr_clear(scale);
    mpfr_clear(sum);
    mpfr_clear(t);
    return HOLDS;
}

/* ---- norms ------------------------------------------------------------------------------ */

static void mean_of_row(mpfr_ptr mean, const mat *A, long i)
{
    mpfr_set_zero(mean, 1);
    for (long j = 0; j < A->cols; j++) mpfr_add(mean, mean, entry(A, i, j), RN);
    mpfr_div_si(mean, mean, A->cols, RN);
}

/* root = sqrt(mean_j C_ij^2 + eps) */
static void root_mean_square(mpfr_ptr root, const mat *C, long i, long log2eps, mpfr_ptr t)
{
    mpfr_set_zero(root, 1);
    for (long j = 0; j < C->cols; j++) mpfr_fma(root, entry(C, i, j), entry(C, i, j), root, RN);
    mpfr_div_si(root, root, C->cols, RN);
    mpfr_set_ui_2exp(t, 1, log2eps, RN);                 /* 0 where 2^log2eps underflows */
    mpfr_add(root, root, t, RN);
    mpfr_sqrt(root, root, RN);
}

/* LAYER divides x - mean(x) by its root mean square, RMS divides x; NORM_OPAQUE and NORM_RADIAL
 * (rho(|x|^2) x) are realised by RMS.  A root that is zero or no number: UNDECIDED. */
static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    (void)at;
    truth found = HOLDS;
    mpfr_t mean, root, t;
    init_wide(A, mean);
    init_wide(A, root);
    init_wide(A, t);
    mpfr_set_zero(mean, 1);
    for (long i = 0; i < A->rows && found == HOLDS; i++) {
        if (kind == NORM_LAYER) mean_of_row(mean, A, i);
        for (long j = 0; j < A->cols; j++) mpfr_sub(entry(C, i, j), entry(A, i, j), mean, RN);
        root_mean_square(root, C, i, log2eps, t);
        if (!mpfr_regular_p(root)) found = UNDECIDED;
        for (long j = 0; j < A->cols; j++) mpfr_div(entry(C, i, j), entry(C, i, j), root, RN);
    }
    mpfr_clear(mean);
    mpfr_clear(root);
    mpfr_clear(t);
    return found;
}

/* ---- functions with a domain ------------------------------------------------------------ */

static truth partial(mat *C, const mat *A, partial_function kind)
{
    for (long k = 0; k < size_of(A); k++) {
        mpfr_srcptr x = entry(A, 0, k);
        const bool inside = mpfr_number_p(x) && (kind == PARTIAL_RSQRT ? mpfr_sgn(x) > 0
                                                 : mpfr_cmp_si(x, -1) > 0 && mpfr_cmp_si(x, 1) < 0);
        if (!inside) return UNDECIDED;
        if (kind == PARTIAL_RSQRT) mpfr_rec_sqrt(entry(C, 0, k), x, RN);
        else                       mpfr_atanh(entry(C, 0, k), x, RN);
    }
    return HOLDS;
}

static truth positive(const mat *A)
{
    truth is = HOLDS;
    for (long k = 0; k < size_of(A); k++) {
        if (mpfr_nan_p(entry(A, 0, k))) return UNDECIDED;
        if (mpfr_sgn(entry(A, 0, k)) <= 0) is = REFUTED;
    }
    return is;
}

/* ---- rotary positions ------------------------------------------------------------------- */

/* theta = 10000^(-2 pair / cols) */
static void frequency(mpfr_ptr theta, long pair, long cols, mpfr_ptr t)
{
    mpfr_set_si(t, -2 * pair, RN);
    mpfr_div_si(t, t, cols, RN);
    mpfr_ui_pow(theta, 10000, t, RN);
}

/* Row r: (x, y) -> (x cos - y sin, x sin + y cos), the angle r theta of the pair. */
static truth rotate(mat *C, const mat *A)
{
    mpfr_t theta, c, s;
    init_wide(A, theta);
    init_wide(A, c);
    init_wide(A, s);
    for (long j = 0; j < A->cols; j += 2) {
        frequency(theta, j / 2, A->cols, c);
        for (long r = 0; r < A->rows; r++) {
            mpfr_srcptr x = entry(A, r, j), y = entry(A, r, j + 1);
            mpfr_mul_si(s, theta, r, RN);
            mpfr_sin_cos(s, c, s, RN);
            mpfr_fmms(entry(C, r, j), x, c, y, s, RN);
            mpfr_fmma(entry(C, r, j + 1), x, s, y, c, RN);
        }
    }
    mpfr_clear(theta);
    mpfr_clear(c);
    mpfr_clear(s);
    return HOLDS;
}

static truth angles(mat *C, const long *position, double theta, const double *divide)
{
    mpfr_t base, angle;
    init_wide(C, base);
    init_wide(C, angle);
    const long k = C->cols / 2;
    for (long i = 0; i < k; i++) {
        mpfr_set_si(angle, -i, RN);
        mpfr_div_si(angle, angle, k, RN);
        mpfr_set_d(base, theta, RN);
        mpfr_pow(base, base, angle, RN);
        if (divide) mpfr_div_d(base, base, divide[i], RN);
        for (long t = 0; t < C->rows; t++) {
            mpfr_mul_si(angle, base, position[t], RN);
            mpfr_sin_cos(entry(C, t, k + i), entry(C, t, i), angle, RN);
        }
    }
    mpfr_clear(base);
    mpfr_clear(angle);
    return HOLDS;
}

arith arith_mpfr(long bits)
{
    REQUIRE(24 <= bits && bits <= 65536 * 16, "%ld bits", bits);
    return (arith){
        .name = "mpfr", .kind = A_MPFR, .traits = ORDERED | HAS_EXP, .bits = bits,
        .default_log2bound = -(double)bits / 2,      /* one rung; the slope over all rungs decides */
        .ring = { .init = init, .clear = clear, .draw = random_draw, .set_dyadic = set_dyadic,
                  .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = sub,
                  .mul = mul, .hadamard = hadamard, .scale_rows = scale_rows,
                  .transpose = transpose, .inv = inv, .compare = compare, .positive = positive,
                  .log2max = log2max },
        .functions = { .phi = phi, .rowmap = map_rows, .norm = norm, .rotate = rotate, .angles = angles,
                       .partial = partial },
    };
}
