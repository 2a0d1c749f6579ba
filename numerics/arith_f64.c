/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_f64.c - doubles: products by BLAS, inverses by LAPACK.
 *
 * Without error bounds HOLDS only means that the gap is below the caller's bound: evidence.  With arith_f64_bounded or
 * arith_f64_enclosed each matrix has a bound on its error (f64_error.h): REFUTED means that the reals differ. */
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/f64_error.h"
#include "numerics/random.h"

static f64_matrix *rep(const mat *A)    { return A->rep; }
static double *entries(const mat *A) { return rep(A)->x; }
#define AT(A, i, j) entries(A)[(i) * (A)->cols + (j)]
static long size(const mat *A)    { return A->rows * A->cols; }
static bool bounded(const mat *A) { return A->R->traits & BOUNDED; }

static void init(mat *A)
{
    A->rep = must_calloc(1, sizeof(f64_matrix));
    rep(A)->x = must_calloc((size_t)size(A), sizeof(double));
    if (!A->R->state) return;
    rep(A)->ball = must_calloc(1, sizeof(mat));
    *rep(A)->ball = (mat){ .R = A->R->state, .rows = A->rows, .cols = A->cols };
    rep(A)->ball->R->ring.init(rep(A)->ball);
}

static void clear(mat *A)
{
    free(rep(A)->x);
    free(rep(A)->e);
    if (rep(A)->ball) rep(A)->ball->R->ring.clear(rep(A)->ball);
    free(rep(A)->ball);
    free(A->rep);
}

static void set_dyadic(mat *C, const int64_t *m, long e)
{
    for (long k = 0; k < size(C); k++) entries(C)[k] = ldexp((double)m[k], (int)e);
    if (bounded(C)) f64_error_dyadic(C, m, e);
}

double *arith_f64_entries(mat *A)
{
    REQUIRE(A->R->kind == A_F64 && !bounded(A), "over %s", A->R->name);
    return entries(A);
}

void arith_f64_set(mat *A, const double *x)
{
    double *to = arith_f64_entries(A);
    for (long k = 0; k < size(A); k++) to[k] = x[k] + 0.0;      /* no -0, as in set_dyadic */
}

static bool get_exact(mpq_t x, const mat *A, long i, long j)
{
    if (!isfinite(AT(A, i, j))) return false;
    mpq_set_d(x, AT(A, i, j));
    return true;
}

static double get_d(const mat *A, long i, long j) { return AT(A, i, j); }

static void copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    for (long i = 0; i < r; i++)
        memcpy(&AT(C, ci + i, cj), &AT(A, ai + i, aj), (size_t)c * sizeof(double));
    if (bounded(C)) f64_error_copy(C, ci, cj, A, ai, aj, r, c);
}

static void add(mat *C, const mat *A, const mat *B)
{
    for (long k = 0; k < size(C); k++) entries(C)[k] = entries(A)[k] + entries(B)[k];
    if (bounded(C)) f64_error_sum(C, A, B, 1);
}

static void sub(mat *C, const mat *A, const mat *B)
{
    for (long k = 0; k < size(C); k++) entries(C)[k] = entries(A)[k] - entries(B)[k];
    if (bounded(C)) f64_error_sum(C, A, B, -1);
}

static void hadamard(mat *C, const mat *A, const mat *B)
{
    for (long k = 0; k < size(C); k++) entries(C)[k] = entries(A)[k] * entries(B)[k];
    if (bounded(C)) f64_error_hadamard(C, A, B);
}

static void scale_rows(mat *C, const mat *g, const mat *A)
{
    for (long k = 0; k < size(C); k++) entries(C)[k] = entries(g)[k / C->cols] * entries(A)[k];
    if (bounded(C)) f64_error_scale_rows(C, g, A);
}

static void mul(mat *C, const mat *A, const mat *B)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)A->rows, (int)B->cols, (int)A->cols,
                1.0, entries(A), (int)A->cols, entries(B), (int)B->cols, 0.0, entries(C), (int)C->cols);
    if (bounded(C)) f64_error_mul(C, A, B);
}

static void transpose(mat *C, const mat *A)
{
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) AT(C, j, i) = AT(A, i, j);
    if (bounded(C)) f64_error_transpose(C, A);
}

static truth inv(mat *C, const mat *A)
{
    int n = (int)A->rows;
    lapack_int *pivot = must_calloc((size_t)n, sizeof *pivot);
    memcpy(entries(C), entries(A), (size_t)size(A) * sizeof(double));
    bool ok = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, entries(C), n, pivot) == 0
           && LAPACKE_dgetri(LAPACK_ROW_MAJOR, n, entries(C), n, pivot) == 0;
    free(pivot);
    if (ok && bounded(C)) return f64_error_inv(C, A);
    return ok ? HOLDS : UNDECIDED;
}

static double norm1(const mat *A)                       /* largest column sum of |A_ij| */
{
    double top = 0;
    for (long j = 0; j < A->cols; j++) {
        double sum = 0;
        for (long i = 0; i < A->rows; i++) sum += fabs(AT(A, i, j));
        top = fmax(top, sum);
    }
    return top;
}

static double cond(const mat *A, const mat *inverse) { return norm1(A) * norm1(inverse); }

/* ---- functions -------------------------------------------------------------------------- */

static double activate(double x, activation kind)
{
    switch (kind) {
    case ACT_RELU:     return x <= 0 ? 0 : x;           /* NaN stays NaN */
    case ACT_SILU:     return x / (1 + exp(-x));
    case ACT_TANH:     return tanh(x);
    case ACT_IDENTITY: return x;
    case ACT_GELU: case ACT_OPAQUE: case ACT_HALF_ODD: break;      /* GELU(x) - GELU(-x) = x */
    }
    return 0.5 * x * erfc(-x * M_SQRT1_2);
}

static truth phi(mat *C, const mat *A, activation kind, place at)
{
    (void)at;
    for (long k = 0; k < size(A); k++) entries(C)[k] = activate(entries(A)[k], kind);
    if (bounded(C)) f64_error_phi(C, A, kind);
    return HOLDS;
}

static truth row_map(mat *C, const mat *A, const rowmap *how, place at)
{
    (void)at;
    const double scale = sqrt((double)how->scale_num / (double)how->scale_den);
    for (long i = 0; i < A->rows; i++) {
        double top = -INFINITY, sum = 0;
        for (long j = 0; j < A->cols; j++) {
            if (!rowmap_sees(how, i * A->cols + j)) continue;
            AT(C, i, j) = scale * AT(A, i, j);
            top = fmax(top, AT(C, i, j));
        }
        if (how->kind == ROWMAP_LINEAR) continue;
        for (long j = 0; j < A->cols; j++)               /* softmax of the visible entries */
            if (rowmap_sees(how, i * A->cols + j)) sum += AT(C, i, j) = exp(AT(C, i, j) - top);
        for (long j = 0; j < A->cols; j++)
            if (rowmap_sees(how, i * A->cols + j)) AT(C, i, j) /= sum;
    }
    if (bounded(C)) f64_error_rowmap(C, A, how, scale);
    return HOLDS;
}

/* LayerNorm: (x - mean) / sqrt(var + eps); RMSNorm (which stands for the opaque kinds, too):
 * x / sqrt(mean square + eps). */
static truth norm(mat *C, const mat *A, norm_kind kind, long log2eps, place at)
{
    (void)at;
    const double n = (double)A->cols, eps = ldexp(1, (int)log2eps);
    for (long i = 0; i < A->rows; i++) {
        double mean = 0, square = 0;
        if (kind == NORM_LAYER)
            for (long j = 0; j < A->cols; j++) mean += AT(A, i, j) / n;
        for (long j = 0; j < A->cols; j++) square += (AT(A, i, j) - mean) * (AT(A, i, j) - mean) / n;
        if (!(square + eps > 0)) return UNDECIDED;
        for (long j = 0; j < A->cols; j++) AT(C, i, j) = (AT(A, i, j) - mean) / sqrt(square + eps);
    }
    return bounded(C) ? f64_error_norm(C, A, kind, log2eps) : HOLDS;
}

static truth partial(mat *C, const mat *A, partial_function kind)
{
    for (long k = 0; k < size(A); k++) {
        const double x = entries(A)[k];
        if (!(kind == PARTIAL_RSQRT ? x > 0 : fabs(x) < 1)) return UNDECIDED;
        entries(C)[k] = kind == PARTIAL_RSQRT ? 1 / sqrt(x) : atanh(x);
    }
    return bounded(C) ? f64_error_partial(C, A, kind) : HOLDS;
}

static truth rotate(mat *C, const mat *A)
{
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j += 2) {
            double angle = (double)i * pow(10000, -(double)j / (double)A->cols);
            double c = cos(angle), s = sin(angle), x = AT(A, i, j), y = AT(A, i, j + 1);
            AT(C, i, j)     = x * c - y * s;
            AT(C, i, j + 1) = x * s + y * c;
        }
    if (bounded(C)) f64_error_rotate(C, A);
    return HOLDS;
}

static truth angles(mat *C, const long *position, double theta, const double *divide)
{
    if (bounded(C)) return UNDECIDED;                   /* its errors are not bounded here */
    const long k = C->cols / 2;
    for (long t = 0; t < C->rows; t++)
        for (long i = 0; i < k; i++) {
            const double angle = (double)position[t] * pow(theta, -(double)i / (double)k) / (divide ? divide[i] : 1);
            AT(C, t, i) = cos(angle);
            AT(C, t, k + i) = sin(angle);
        }
    return HOLDS;
}

/* ---- answers ---------------------------------------------------------------------------- */

static double largest(const mat *A)
{
    double top = 0;
    for (long k = 0; k < size(A); k++) top = fmax(top, fabs(entries(A)[k]));
    return top;
}

static truth positive(const mat *A)
{
    if (bounded(A)) return f64_error_positive(A);
    truth is = HOLDS;
    for (long k = 0; k < size(A); k++) {
        if (isnan(entries(A)[k])) return UNDECIDED;
        if (entries(A)[k] <= 0) is = REFUTED;
    }
    return is;
}

static double log2max(const mat *A) { return log2(largest(A)); }

static comparison compare(const mat *A, const mat *B, double log2bound)
{
    if (bounded(A)) return f64_error_compare(A, B, log2bound);
    double diff = 0, top = fmax(largest(A), largest(B));
    for (long k = 0; k < size(A); k++) {
        if (!isfinite(entries(A)[k]) || !isfinite(entries(B)[k]))
            return (comparison){ UNDECIDED, INFINITY, log2bound };
        diff = fmax(diff, fabs(entries(A)[k] - entries(B)[k]));
    }
    double log2gap = diff > 0 ? log2(diff) - log2(top) : -INFINITY;
    return (comparison){ log2gap <= log2bound ? HOLDS : REFUTED, log2gap, log2bound };
}

arith arith_f64(void)
{
    return (arith){
        .name = "f64", .kind = A_F64, .traits = ORDERED | HAS_EXP, .bits = 53,
        .default_log2bound = -26.5,
        .ring = { .init = init, .clear = clear, .draw = random_draw, .set_dyadic = set_dyadic,
                  .get_exact = get_exact, .get_d = get_d, .copy = copy, .add = add, .sub = sub,
                  .mul = mul, .hadamard = hadamard, .scale_rows = scale_rows,
                  .transpose = transpose, .inv = inv, .compare = compare, .positive = positive,
                  .log2max = log2max, .cond = cond },
        .functions = { .phi = phi, .rowmap = row_map, .norm = norm, .rotate = rotate, .angles = angles,
                       .partial = partial },
    };
}

arith arith_f64_bounded(void)
{
    arith R = arith_f64();
    R.traits |= BOUNDED;
    R.default_log2bound = log2(1e-3);        /* the widest bound that still decides */
    return R;
}

static void close_balls(arith *R)
{
    arith_close(R->state);
    free(R->state);
}

arith arith_f64_enclosed(long bits)
{
    arith R = arith_f64_bounded(), *balls = must_calloc(1, sizeof *balls);
    *balls = arith_arb(bits);
    R.state = balls;
    R.close = close_balls;
    return R;
}
