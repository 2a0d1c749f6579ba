/* SPDX-License-Identifier: GPL-3.0-or-later
 * product_arb.c - see product_arb.h.
 *
 * With A = m_A + e_A, |e_A| <= r_A entry by entry, and B likewise,
 *   A B = m_A m_B + E,   |E| <= (|m_A| + r_A) r_B + r_A |m_B|.
 * m_A m_B is a product of integers: row i of m_A is made whole by one power of 2, column j of m_B by another, so that
 * no bit is lost.  The bound is two products of doubles.  Where the exponents of a row or column are so far apart that
 * the integers would be too wide, where something is not finite, and where the matrices are small, Arb's own product
 * is used. */
#include "numerics/product/product_arb.h"
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/plain.h"
#include "numerics/product/dyadic.h"
#include "numerics/product/workspace.h"
#include "src/base/base.h"

static const long FAR = 1l << 40;                        /* exponents beyond are left to Arb */
enum { AHEAD = 2 };                                      /* rows: fetched before they are asked for */

static inline bool get_ball(dyadic *x, arb_srcptr ball)
{
    arf_srcptr m = arb_midref(ball);
    mag_srcptr r = arb_radref(ball);
    *x = (dyadic){ 0 };
    if (!mag_is_zero(r)) {
        if (mag_is_inf(r) || COEFF_IS_MPZ(MAG_EXP(r)) || labs(MAG_EXP(r)) > FAR) return false;
        x->radius = (uint32_t)MAG_MAN(r);
        x->radius_exponent = MAG_EXP(r) - MAG_BITS;
    }
    if (arf_is_zero(m)) return true;
    if (!arf_is_finite(m) || COEFF_IS_MPZ(ARF_EXP(m)) || labs(ARF_EXP(m)) > FAR) return false;
    mp_srcptr limb;
    mp_size_t n;
    ARF_GET_MPN_READONLY(limb, n, m);
    x->m = limb;
    x->n = n;
    x->exponent = ARF_EXP(m);
    x->negative = ARF_SGNBIT(m);
    return true;
}

static bool get_balls(dyadic *x, const void *of, long i, long j, long n)
{
    const arb_mat_struct *A = of;
    arb_srcptr ball = arb_mat_entry(A, i, j), later = i + AHEAD < A->r ? arb_mat_entry(A, i + AHEAD, j) : ball;
    bool good = true;
    for (long k = 0; k < n; k++) {
        __builtin_prefetch(later + k, 0, 2);
        good &= get_ball(x + k, ball + k);
    }
    return good;
}

/* Integers: each is one limb, moved up to its highest bit. */
static bool get_whole(dyadic *x, const void *of, long i, long j, long n)
{
    const ball_factor *A = of;
    const int64_t *m = A->whole + i * A->pitch + j;
    for (long k = 0; k < n; k++) {
        x[k] = (dyadic){ 0 };
        if (m[k] == 0) continue;
        const uint64_t size = m[k] < 0 ? -(uint64_t)m[k] : (uint64_t)m[k];
        const int zeros = __builtin_clzl(size);
        x[k].own = size << zeros;
        x[k].m = &x[k].own;
        x[k].n = 1;
        x[k].exponent = A->exponent + 64 - zeros;
        x[k].negative = m[k] < 0;
    }
    return true;
}

typedef struct { arb_mat_struct *C; slong prec; } rounded;

static void write_ball(void *of, long i, long j, const mp_limb_t *x, long n, bool negative, long unit)
{
    const rounded *to = of;
    arb_ptr c = arb_mat_entry(to->C, i, j);
    slong up = 0;
    if (n == 0) {
        arb_zero(c);
        return;
    }
    const bool inexact = _arf_set_round_mpn(arb_midref(c), &up, x, n, negative, to->prec, ARF_RND_DOWN);
    fmpz_set_si(ARF_EXPREF(arb_midref(c)), 64 * n + up + unit);
    if (inexact) arf_mag_set_ulp(arb_radref(c), arb_midref(c), to->prec);
    else         mag_zero(arb_radref(c));
}

/* Their memory was not touched since it was set to 0. */
static void write_soon(void *of, long i, long j, long n)
{
    const rounded *to = of;
    const char *first = (const char *)arb_mat_entry(to->C, i, j), *end = first + n * (long)sizeof(arb_struct);
    for (const char *line = first; line < end; line += 64) __builtin_prefetch(line, 1, 3);
    __builtin_prefetch(end - 1, 1, 3);
}

/* ---- radii ------------------------------------------------------------------------------------------------- */

/* r 2^e, rounded up, r > 0 a normal number. */
static void set_mag(mag_t x, double r, long e)
{
    uint64_t bits;
    memcpy(&bits, &r, sizeof bits);
    const uint64_t half = (uint64_t)1 << (MAG_BITS - 1);
    uint64_t man = ((bits >> (53 - MAG_BITS) & (half - 1)) | half) + 1;
    e += (long)(bits >> 52) - 1022;
    if (man == 2 * half) man = half, e++;
    MAG_MAN(x) = man;
    fmpz_set_si(MAG_EXPREF(x), e);
}

/* r(C_ij) += (X Y)_ij 2^(e_i + f_j) for bounds X and Y.  All numbers are at most 4; what was taken for 0, and what
 * underflows, adds less than K 2^-960 to a sum; a sum of K < 2^20 rounded terms is at least 1 - 2^-30 of the true
 * one. */
static void add_radii(arb_mat_t C, const double *X, const long *e, const double *Y, const long *f, long K)
{
    const long m = arb_mat_nrows(C), n = arb_mat_ncols(C);
    double *Z = workspace_take((size_t)(m * n));
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)K, 1, X, (int)K, Y, (int)n, 0, Z,
                (int)n);
    #pragma omp parallel for schedule(static) if (m * n > 100000)
    for (long i = 0; i < m; i++) {
        mag_t r;
        mag_init(r);
        for (long j = 0; j < n; j++) {
            mag_ptr c = arb_radref(arb_mat_entry(C, i, j));
            set_mag(r, Z[i * n + j] * (1 + 0x1p-29) + (double)K * 0x1p-960, e[i] + f[j]);
            mag_add(c, c, r);
        }
        mag_clear(r);
    }
    workspace_give(Z);
}

/* ---- choice ------------------------------------------------------------------------------------------------ */

/* Nanoseconds that Arb's own product takes, measured with those of dyadic.c. */
static double cost_of_arb(const dyadic_lines *A, const dyadic_lines *B)
{
    const double m = (double)A->A->rows, K = (double)A->A->cols, n = (double)B->A->cols;
    const double bits = 0.5 * (double)(A->bits + B->bits);
    return 0.046 * bits * m * K * n + (66 + 1.5 * bits) * (m * K + K * n + m * n);
}

static double *room_for(const dyadic_matrix *A, bool wanted)
{
    return wanted ? workspace_take((size_t)(A->rows * A->cols)) : NULL;
}

/* (|m_A| + r_A) r_B + r_A |m_B| is added by the bounds that the product leaves behind. */
static bool multiply(arb_mat_t C, dyadic_lines *A, dyadic_lines *B, slong prec)
{
    A->with_radius = true;
    A->size = room_for(A->A, !B->exact);
    B->radius = room_for(B->A, !B->exact);
    A->radius = room_for(A->A, !A->exact);
    B->size = room_for(B->A, !A->exact);
    const dyadic_result to = { &(rounded){ C, prec }, write_ball, write_soon };
    const bool done = dyadic_product(&to, A, B, cost_of_arb(A, B));
    if (done && !B->exact) add_radii(C, A->size, A->size_top, B->radius, B->radius_top, A->A->cols);
    if (done && !A->exact) add_radii(C, A->radius, A->radius_top, B->size, B->size_top, A->A->cols);
    workspace_give(A->size);
    workspace_give(B->radius);
    workspace_give(A->radius);
    workspace_give(B->size);
    return done;
}

static dyadic_matrix numbers(const ball_factor *A)
{
    if (A->balls) return (dyadic_matrix){ .rows = A->rows, .cols = A->cols, .of = A->balls, .get = get_balls };
    return (dyadic_matrix){ .rows = A->rows, .cols = A->cols, .of = A, .get = get_whole, .whole = A->whole,
                            .exponent = A->exponent, .pitch = A->pitch };
}

/* Columns j .. j + cols - 1 of A. */
static ball_factor columns(const ball_factor *A, long j, long cols, arb_mat_struct *window)
{
    ball_factor part = *A;
    part.cols = cols;
    if (A->whole) part.whole += j;
    if (!A->balls) return part;
    arb_mat_window_init(window, A->balls, 0, j, A->rows, j + cols);
    part.balls = window;
    return part;
}

/* A as balls: `room`, where it is none. */
static const arb_mat_struct *as_balls(arb_mat_struct *room, const ball_factor *A)
{
    if (A->balls) return A->balls;
    arb_mat_init(room, A->rows, A->cols);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            arb_set_si(arb_mat_entry(room, i, j), A->whole[i * A->pitch + j]);
            arb_mul_2exp_si(arb_mat_entry(room, i, j), arb_mat_entry(room, i, j), A->exponent);
        }
    return room;
}

static void by_arb(arb_mat_t C, const ball_factor *A, const ball_factor *B, slong prec)
{
    arb_mat_t a, b;
    arb_mat_mul(C, as_balls(a, A), as_balls(b, B), prec);
    if (!A->balls) arb_mat_clear(a);
    if (!B->balls) arb_mat_clear(b);
}

static void product(arb_mat_t C, const ball_factor *A, const ball_factor *B, slong prec)
{
    const dyadic_matrix a = numbers(A), b = numbers(B);
    dyadic_lines la = { 0 }, lb = { 0 };
    const bool done = !plain_only() && a.rows * a.cols * b.cols >= 4096 && a.cols < 1 << 20 &&
                      dyadic_lines_open(&la, &a, false) && dyadic_lines_open(&lb, &b, true) &&
                      multiply(C, &la, &lb, prec);
    dyadic_lines_close(&la);
    dyadic_lines_close(&lb);
    if (!done) by_arb(C, A, B, prec);
}

/* Columns at a time where there are few rows: what counts then is how often B comes from memory, and so many of its
 * columns stay in the cache.  0: all at once. */
static long window(long m, long K, long n)
{
    const long cols = (1l << 20) / (K * (long)sizeof(arb_struct)) / 8 * 8;
    return 4 * m <= cols && 2 * cols <= n ? cols : 0;
}

void product_arb_of(arb_mat_t C, const ball_factor *A, const ball_factor *B, slong prec)
{
    const long m = A->rows, K = A->cols, n = B->cols, cols = K ? window(m, K, n) : 0;
    if (cols == 0 || plain_only()) {
        product(C, A, B, prec);
        return;
    }
    #pragma omp parallel for schedule(dynamic) if (K * n > 100000)
    for (long j = 0; j < n; j += cols) {
        const long some = FLINT_MIN(cols, n - j);
        arb_mat_t part, window_of_b;
        arb_mat_window_init(part, C, 0, j, m, j + some);
        const ball_factor of_b = columns(B, j, some, window_of_b);
        product(part, A, &of_b, prec);
        if (of_b.balls) arb_mat_window_clear(window_of_b);
        arb_mat_window_clear(part);
    }
}

void product_arb(arb_mat_t C, const arb_mat_t A, const arb_mat_t B, slong prec)
{
    const ball_factor a = product_arb_balls(A), b = product_arb_balls(B);
    product_arb_of(C, &a, &b, prec);
}
