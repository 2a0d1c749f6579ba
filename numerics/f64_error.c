/* SPDX-License-Identifier: GPL-3.0-or-later
 * f64_error.c - how errors pass through each operation: see f64_error.h.
 *
 * Write a for the computed and a' = a + da for the exact value, |da| <= E_A.  Every bound below has two parts: the
 * propagated errors of the operands, and the rounding of the operation itself. */
#include "numerics/f64_error.h"
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"

static const double U = 0x1p-53, UP = 1 + 0x1p-30, TINY = 0x1p-1000;
static const double LIBM = 16 * 0x1p-53;                /* relative error of 8 ulp */
static const double SMALL = 0x1p-900;                   /* below it a product may have lost digits */

static f64_matrix *rep(const mat *A) { return A->rep; }
static long size(const mat *A)    { return A->rows * A->cols; }
static mat *ball(const mat *A)    { return rep(A)->ball; }
static const arith *balls(const mat *A) { return ball(A)->R; }

static double error(const mat *A, long k)
{
    if (ball(A)) return arith_arb_farthest(ball(A), k / A->cols, k % A->cols, rep(A)->x[k]);
    return rep(A)->e ? rep(A)->e[k] : 0;
}

double f64_error(const mat *A, long i, long j)
{
    REQUIRE(A->R->traits & BOUNDED, "errors are bounded over arith_f64_bounded, not over %s", A->R->name);
    return error(A, i * A->cols + j);
}

static double *companion(mat *C)
{
    if (!rep(C)->e) rep(C)->e = must_calloc((size_t)size(C), sizeof(double));
    return rep(C)->e;
}

/* A matrix without errors needs no companion. */
static void drop_zeros(mat *C)
{
    for (long k = 0; k < size(C); k++) if (!(rep(C)->e[k] == 0)) return;
    free(rep(C)->e);
    rep(C)->e = NULL;
}

static void scale_by_size(mat *C)
{
    for (long k = 0; k < size(C); k++) rep(C)->scale = fmax(rep(C)->scale, fabs(rep(C)->x[k]));
}

void f64_error_dyadic(mat *C, const int64_t *m, long log2unit)
{
    scale_by_size(C);
    if (ball(C)) {
        balls(C)->ring.set_dyadic(ball(C), m, log2unit);
        return;
    }
    double *e = companion(C);
    for (long k = 0; k < size(C); k++) {
        const double x = rep(C)->x[k];
        const bool whole = m[k] >= -((int64_t)1 << 53) && m[k] <= (int64_t)1 << 53;
        if (!isfinite(x))                            e[k] = INFINITY;
        else if (m[k] != 0 && (!whole || fabs(x) < SMALL)) e[k] = U * fabs(x) * UP + TINY;
    }
    drop_zeros(C);
}

void f64_error_copy(mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c)
{
    rep(C)->scale = fmax(rep(C)->scale, rep(A)->scale);
    if (ball(C)) balls(C)->ring.copy(ball(C), ci, cj, ball(A), ai, aj, r, c);
    if (!rep(A)->e) return;                              /* the block of C is zero so far */
    double *e = companion(C);
    for (long i = 0; i < r; i++)
        memcpy(e + (ci + i) * C->cols + cj, rep(A)->e + (ai + i) * A->cols + aj, (size_t)c * sizeof *e);
}

void f64_error_transpose(mat *C, const mat *A)
{
    rep(C)->scale = rep(A)->scale;
    if (ball(C)) balls(C)->ring.transpose(ball(C), ball(A));
    if (!rep(A)->e) return;
    double *e = companion(C);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) e[j * C->cols + i] = rep(A)->e[i * A->cols + j];
}

/* The rounding error of c = a + b, exactly (Knuth's TwoSum). */
static double rounded_off(double a, double b, double c)
{
    const double b_part = c - a;
    return (a - (c - b_part)) + (b - b_part);
}

void f64_error_sum(mat *C, const mat *A, const mat *B, double sign)
{
    rep(C)->scale = fmax(rep(A)->scale, rep(B)->scale);
    scale_by_size(C);
    if (ball(C)) {
        (sign > 0 ? balls(C)->ring.add : balls(C)->ring.sub)(ball(C), ball(A), ball(B));
        return;
    }
    double *e = companion(C);
    for (long k = 0; k < size(C); k++)
        e[k] = (error(A, k) + error(B, k) + fabs(rounded_off(rep(A)->x[k], sign * rep(B)->x[k], rep(C)->x[k]))) * UP;
    drop_zeros(C);
}

/* a' b' - ab = a db + da b + da db; fma gives the rounding error of ab, exactly. */
static double product_error(double a, double ea, double b, double eb, double c)
{
    const bool small = ea > 0 || eb > 0 || (fabs(c) < SMALL && a != 0 && b != 0);
    return (fabs(a) * eb + ea * (fabs(b) + eb) + fabs(fma(a, b, -c))) * UP + (small ? TINY : 0);
}

void f64_error_hadamard(mat *C, const mat *A, const mat *B)
{
    scale_by_size(C);
    if (ball(C)) {
        balls(C)->ring.hadamard(ball(C), ball(A), ball(B));
        return;
    }
    double *e = companion(C);
    for (long k = 0; k < size(C); k++)
        e[k] = product_error(rep(A)->x[k], error(A, k), rep(B)->x[k], error(B, k), rep(C)->x[k]);
    drop_zeros(C);
}

void f64_error_scale_rows(mat *C, const mat *g, const mat *A)
{
    scale_by_size(C);
    if (ball(C)) {
        balls(C)->ring.scale_rows(ball(C), ball(g), ball(A));
        return;
    }
    double *e = companion(C);
    for (long k = 0; k < size(C); k++)
        e[k] = product_error(rep(g)->x[k / C->cols], error(g, k / C->cols), rep(A)->x[k], error(A, k), rep(C)->x[k]);
    drop_zeros(C);
}

/* ---- products and inverses ------------------------------------------------------------------ */

static double gamma_of(long k) { return (double)k * U / (1 - (double)k * U) * UP; }

/* C += A B, (r x k)(k x c). */
static void add_product(double *C, const double *A, const double *B, long r, long k, long c)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)r, (int)c, (int)k, 1.0, A, (int)k, B, (int)c, 1.0, C,
                (int)c);
}

/* c |A| + E_A times d, entry by entry; to be freed. */
static double *size_and_error(const mat *A, double c, double d)
{
    double *S = must_calloc((size_t)size(A), sizeof *S);
    for (long k = 0; k < size(A); k++) S[k] = c * fabs(rep(A)->x[k]) + d * error(A, k);
    return S;
}

static double largest_sum(const mat *A, const mat *B)    /* max over i of sum_k |A_ik| max_j |B_kj| */
{
    double top = 0, *beta = must_calloc((size_t)B->rows, sizeof *beta);
    for (long k = 0; k < size(B); k++) beta[k / B->cols] = fmax(beta[k / B->cols], fabs(rep(B)->x[k]));
    for (long i = 0; i < A->rows; i++) {
        double sum = 0;
        for (long k = 0; k < A->cols; k++) sum += fabs(rep(A)->x[i * A->cols + k]) * beta[k];
        top = fmax(top, sum);
    }
    free(beta);
    return top;
}

/* |A| E_B + E_A |B| + E_A E_B + gamma_k |A||B| = |A| (E_B + gamma_k |B|) + E_A (|B| + E_B). */
void f64_error_mul(mat *C, const mat *A, const mat *B)
{
    const long k = A->cols;
    rep(C)->scale = largest_sum(A, B);
    if (ball(C)) {
        balls(C)->ring.mul(ball(C), ball(A), ball(B));
        return;
    }
    REQUIRE(k < 1 << 20, "the error of a sum of %ld products", k);
    double *e = companion(C);
    double *absA = size_and_error(A, 1, 0), *late = size_and_error(B, gamma_of(k), 1);
    add_product(e, absA, late, A->rows, k, B->cols);
    free(absA);
    free(late);
    if (rep(A)->e) {
        double *reach = size_and_error(B, 1, 1);
        add_product(e, rep(A)->e, reach, A->rows, k, B->cols);
        free(reach);
    }
    for (long i = 0; i < size(C); i++) e[i] = e[i] * UP + TINY;
}

/* Delta >= |I - R A'| for every A' within E of A: the computed I - R A, the rounding of that
 * product, and |R| E_A. */
static double *residual(const mat *R, const mat *A)
{
    const long n = A->rows;
    double *product = must_calloc((size_t)size(A), sizeof *product);
    double *Delta = must_calloc((size_t)size(A), sizeof *Delta);
    double *absR = size_and_error(R, 1, 0), *late = size_and_error(A, gamma_of(n), 1);
    add_product(product, rep(R)->x, rep(A)->x, n, n, n);
    add_product(Delta, absR, late, n, n, n);
    for (long k = 0; k < n * n; k++) Delta[k] = (Delta[k] + fabs(product[k] - (k % (n + 1) == 0))) * UP + TINY;
    free(product);
    free(absR);
    free(late);
    return Delta;
}

/* Rump: let Delta >= |I - R A'|, alpha its norm (largest row sum) < 1.  Then A' is invertible and
 * |A'^-1 - R| <= sum_{k >= 1} Delta^k |R|.  The first term M = Delta |R| is computed; Delta M <= r m', r the row sums
 * of Delta and m the largest entries of the columns of M, and Delta r <= alpha r bound the
 * others: r m' / (1 - alpha). */
truth f64_error_inv(mat *C, const mat *A)
{
    scale_by_size(C);
    if (ball(C)) return balls(C)->ring.inv(ball(C), ball(A));
    const long n = A->rows;
    double *Delta = residual(C, A), *r = must_calloc((size_t)n, sizeof *r), *m = must_calloc((size_t)n, sizeof *m);
    double alpha = 0;
    bool known = true;
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) r[i] += Delta[i * n + j] * UP;
        known &= r[i] <= 0.99;
        alpha = fmax(alpha, r[i]);
    }
    if (known) {
        double *e = companion(C), *absR = size_and_error(C, 1, 0);
        add_product(e, Delta, absR, n, n, n);
        free(absR);
        for (long k = 0; k < n * n; k++) m[k % n] = fmax(m[k % n], e[k]);
        for (long k = 0; k < n * n; k++) e[k] = (e[k] + r[k / n] * m[k % n] / (1 - alpha)) * UP + TINY;
    }
    free(Delta);
    free(r);
    free(m);
    return known ? HOLDS : UNDECIDED;
}

/* ---- functions of one entry ----------------------------------------------------------------- */

/* |f'| on [x - e, x + e] is at most |f'(x)| + e max |f''|, and at most its maximum over all reals. */
typedef struct { double slope, steepest, bend; } lipschitz;

static lipschitz lipschitz_of(double x, activation kind)
{
    const double root = M_2_SQRTPI * M_SQRT1_2 / 2;      /* 1 / sqrt(2 pi) */
    switch (kind) {
    case ACT_TANH: { const double t = tanh(x); return (lipschitz){ 1 - t * t, 1, 0.7699 }; }
    case ACT_SILU: {
        const double s = 1 / (1 + exp(-x)), away = 1 / (1 + exp(x));
        return (lipschitz){ s * (1 + x * away), 1.1, 0.5 };
    }
    default:                                             /* Phi(x) + x phi(x), phi(x) (2 - x^2) */
        return (lipschitz){ 0.5 * erfc(-x * M_SQRT1_2) + (fabs(x) < 40 ? x * exp(-x * x / 2) * root : 0), 1.13, 0.798 };
    }
}

/* The error of the computed f(x) = c.  The argument of erfc in GELU has a relative error of 2u, which moves the value
 * by less than u x^2 exp(-x^2 / 2). */
static double own_error(double x, double c, activation kind)
{
    if (kind == ACT_RELU || kind == ACT_IDENTITY) return 0;
    if (kind == ACT_TANH || kind == ACT_SILU) return (LIBM + 4 * U) * fabs(c) + TINY;
    return (LIBM + 4 * U) * fabs(c) + (fabs(x) < 40 ? U * x * x * exp(-x * x / 2) : 0) + TINY;
}

static double activation_error(double x, double e, double c, activation kind)
{
    if (kind == ACT_IDENTITY) return e;
    if (kind == ACT_RELU)     return x + e <= 0 ? 0 : e;
    const lipschitz L = lipschitz_of(x, kind);
    const double here = fabs(L.slope) + L.bend * e + 0x1p-40;             /* 2^-40: the slope is rounded */
    return ((here < L.steepest ? here : L.steepest) * e + own_error(x, c, kind)) * UP;
}

static const place NOWHERE = { 0, 0, 0 };                /* over the reals functions do not depend on it */

void f64_error_phi(mat *C, const mat *A, activation kind)
{
    scale_by_size(C);
    if (ball(C)) {
        (void)balls(C)->functions.phi(ball(C), ball(A), kind, NOWHERE);
        return;
    }
    double *e = companion(C);
    for (long k = 0; k < size(C); k++) e[k] = activation_error(rep(A)->x[k], error(A, k), rep(C)->x[k], kind);
    drop_zeros(C);
}

/* 1/sqrt decreases, so it moves most towards x - e, by at most e / (2 (x - e)^(3/2)); the slope of artanh is largest at
 * |x| + e. */
truth f64_error_partial(mat *C, const mat *A, partial_function kind)
{
    scale_by_size(C);
    if (ball(C)) return balls(C)->functions.partial(ball(C), ball(A), kind);
    double *e = companion(C);
    for (long k = 0; k < size(C); k++) {
        const double x = rep(A)->x[k], c = fabs(rep(C)->x[k]), ea = error(A, k);
        if (kind == PARTIAL_RSQRT) {
            const double low = x - ea * UP;
            if (!(low > 4 * U * x)) return UNDECIDED;
            const double least = low - 2 * U * x;
            e[k] = (ea / (2 * least * sqrt(least)) + 4 * U * c) * UP + TINY;
        } else {
            const double far = (fabs(x) + ea) * UP;
            if (!(far < 1)) return UNDECIDED;
            e[k] = (ea / ((1 - far) * (1 + far)) + LIBM * c) * UP + TINY;
        }
    }
    return HOLDS;
}

/* ---- functions of a row --------------------------------------------------------------------- */

/* Row i of the scores, scaled: a bound h on the error of each, so that exp of the exact score is exp of the computed
 * one times e^delta, |delta| <= h: the scale (4 u), the shift by the largest score, libm. */
static void exponents(double *h, const mat *A, long i, const rowmap *how, double scale)
{
    double top = -INFINITY;
    for (long j = 0; j < A->cols; j++)
        if (rowmap_sees(how, i * A->cols + j)) top = fmax(top, scale * rep(A)->x[i * A->cols + j]);
    for (long j = 0; j < A->cols; j++) {
        const long k = i * A->cols + j;
        const double s = scale * rep(A)->x[k];
        h[j] = !rowmap_sees(how, k) ? 0
             : (scale * error(A, k) + 4 * U * fabs(s) + 2 * U * (top - s) + LIBM + 2 * U) * UP;
    }
}

/* Let p be the softmax of exponents, q that of others within h of them, H = max h.
 *   |q_j - p_j| <= p_j e^2H sum_{k != j} p_k (h_j + h_k):
 * with D = p_j e^{h_j} + sum_{k != j} p_k e^{-h_k} >= e^-H the largest q_j is p_j e^{h_j} / D, and e^{h_j} - D =
 * sum_{k != j} p_k (e^{h_j} - e^{-h_k}) <= e^H sum p_k (h_j + h_k); the same downwards.  Sum and quotient add a
 * relative error of (n + 1) u.  All weights are between 0 and 1, so 1 is a bound, too. */
static void softmax_errors(double *e, const double *p, const double *h, long n)
{
    double top = 0, all = 0;
    for (long j = 0; j < n; j++) {
        top = h[j] > top || isnan(h[j]) ? h[j] : top;
        all += (p[j] + TINY) * h[j];                                       /* p_j may have underflown */
    }
    const double round = (double)(n + 4) * U;
    for (long j = 0; j < n; j++) {
        const double others = fmax(1 - p[j], 0) + 4 * round;               /* the p_k sum to 1 up to rounding */
        const double rest = fmax(all - p[j] * h[j], 0) + 4 * round * all;
        const double off = ((p[j] + TINY) * exp(2 * top) * (others * h[j] + rest) + 2 * round * p[j]) * UP * UP + TINY;
        e[j] = off <= 1 ? off : 1;
    }
}

void f64_error_rowmap(mat *C, const mat *A, const rowmap *how, double scale)
{
    scale_by_size(C);
    if (ball(C)) {
        (void)balls(C)->functions.rowmap(ball(C), ball(A), how, NOWHERE);
        return;
    }
    const long n = A->cols;
    double *e = companion(C), *h = must_calloc((size_t)n, sizeof *h);
    for (long i = 0; i < A->rows; i++) {
        if (how->kind == ROWMAP_LINEAR) {
            for (long k = i * n; k < (i + 1) * n; k++)
                if (rowmap_sees(how, k) && scale == 1) e[k] = error(A, k);
                else if (rowmap_sees(how, k)) e[k] = (scale * error(A, k) + 4 * U * fabs(rep(C)->x[k])) * UP + TINY;
            continue;
        }
        exponents(h, A, i, how, scale);
        softmax_errors(e + i * n, rep(C)->x + i * n, h, n);
        for (long k = i * n; k < (i + 1) * n; k++) if (!rowmap_sees(how, k)) e[k] = 0;
    }
    free(h);
    drop_zeros(C);
}

/* y = c / r with c = x - mean and r = |(c / sqrt n, sqrt eps)|, a norm: its error is at most sqrt(mean(E_c^2)) plus
 * rounding, (n + 6) u r.  Then |y' - y| <= (E_c + |y| E_r) / (r - E_r). */
truth f64_error_norm(mat *C, const mat *A, norm_kind kind, long log2eps)
{
    scale_by_size(C);
    if (ball(C)) return balls(C)->functions.norm(ball(C), ball(A), kind, log2eps, NOWHERE);
    const long n = A->cols;
    const double many = (double)n, eps = ldexp(1, (int)log2eps);
    double *e = companion(C);
    for (long i = 0; i < A->rows; i++) {
        const double *x = rep(A)->x + i * n, *y = rep(C)->x + i * n;
        double mean = 0, sizes = 0, errors = 0, square = 0, off = 0;
        for (long j = 0; kind == NORM_LAYER && j < n; j++) {
            mean += x[j] / many;
            sizes += fabs(x[j]) / many;
            errors += error(A, i * n + j) / many;
        }
        const double e_mean = (errors + (many + 3) * U * sizes) * UP;
        for (long j = 0; j < n; j++) {
            const double c = x[j] - mean, e_c = (error(A, i * n + j) + e_mean + 2 * U * fabs(c)) * UP;
            e[i * n + j] = e_c;
            square += c * c / many;
            off += e_c * e_c / many;
        }
        const double r = sqrt(square + eps), e_r = (sqrt(off) + (many + 6) * U * r) * UP + 0x1p-500;
        if (!(r - e_r > 0x1p-20 * r)) return UNDECIDED;
        for (long j = 0; j < n; j++)
            e[i * n + j] = ((e[i * n + j] + fabs(y[j]) * e_r) / (r - e_r) + 4 * U * fabs(y[j])) * UP * UP + TINY;
    }
    return HOLDS;
}

/* The angle i 10000^(-j/d) has a relative error of at most 48 u (quotient, times log 10000 < 9.3; pow; product). */
void f64_error_rotate(mat *C, const mat *A)
{
    scale_by_size(C);
    if (ball(C)) {
        (void)balls(C)->functions.rotate(ball(C), ball(A));
        return;
    }
    double *e = companion(C);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j += 2) {
            const double angle = (double)i * pow(10000, -(double)j / (double)A->cols);
            const double c = fabs(cos(angle)), s = fabs(sin(angle)), off = 48 * U * angle + LIBM;
            const long k = i * A->cols + j;
            const double x = fabs(rep(A)->x[k]), y = fabs(rep(A)->x[k + 1]), ex = error(A, k), ey = error(A, k + 1);
            const double turned = off * (x + ex + y + ey);
            if (i == 0) {                                /* not turned: exact, as cos 0 = 1 and sin 0 = 0 are */
                e[k] = ex;
                e[k + 1] = ey;
                continue;
            }
            e[k]     = ((c + off) * ex + (s + off) * ey + turned + 3 * U * (x * c + y * s)) * UP + TINY;
            e[k + 1] = ((s + off) * ex + (c + off) * ey + turned + 3 * U * (x * s + y * c)) * UP + TINY;
        }
    drop_zeros(C);
}

/* ---- answers -------------------------------------------------------------------------------- */

truth f64_error_positive(const mat *A)
{
    truth is = HOLDS;
    for (long k = 0; k < size(A); k++) {
        const double x = rep(A)->x[k], e = error(A, k);
        if (-x >= e) return REFUTED;
        if (!(x > e)) is = UNDECIDED;
    }
    return is;
}

static double relative(double x, double scale) { return x > 0 ? log2(x) - log2(fmax(scale, SMALL)) : -INFINITY; }

comparison f64_error_compare(const mat *A, const mat *B, double widest)
{
    const double scale = fmax(rep(A)->scale, rep(B)->scale);
    double gap = 0, bound = 0, beyond = 0, beyond_gap = 0, beyond_bound = 0;
    for (long k = 0; k < size(A); k++) {
        const double a = rep(A)->x[k], b = rep(B)->x[k], e = (error(A, k) + error(B, k)) * UP, off = fabs(a - b);
        if (!isfinite(a) || !isfinite(b) || !isfinite(e)) return (comparison){ UNDECIDED, INFINITY, INFINITY };
        const double least = off * (1 - 2 * U);          /* a - b is rounded */
        if (least > e && least - e > beyond) {
            beyond = least - e;
            beyond_gap = off;
            beyond_bound = e;
        }
        gap = fmax(gap, off);
        bound = fmax(bound, e);
    }
    if (beyond > 0) return (comparison){ REFUTED, relative(beyond_gap, scale), relative(beyond_bound, scale) };
    const comparison is = { HOLDS, relative(gap, scale), relative(bound, scale) };
    return is.log2bound <= widest ? is : (comparison){ UNDECIDED, is.log2gap, is.log2bound };
}
