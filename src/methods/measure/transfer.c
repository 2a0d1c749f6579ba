/* SPDX-License-Identifier: GPL-3.0-or-later
 * transfer.c - see transfer.h.  Rows are inputs, so that W1 x is X W1'. */
#include "src/methods/measure/transfer.h"
#include <math.h>
#include <stdlib.h>
#include "src/methods/measure/integral.h"

static double *row_norms(scope *s, const mat *A)         /* |row|^2 */
{
    double *x = scope_alloc(s, (size_t)A->rows * sizeof *x);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) x[i] += mat_get_d(A, i, j) * mat_get_d(A, i, j);
    return x;
}

/* ---- weights ----------------------------------------------------------------------------------------- */

typedef struct { double size; long i; } ranked;
static int descending(const void *a, const void *b)
{
    const double x = ((const ranked *)a)->size, y = ((const ranked *)b)->size;
    return x < y ? 1 : x > y ? -1 : 0;
}

static const mat *in_order(scope *s, const mat *A, const ranked *order)
{
    int64_t *m = scope_alloc(s, (size_t)(A->rows * A->cols) * sizeof *m);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) m[i * A->cols + j] = llrint(ldexp(mat_get_d(A, order[i].i, j), 40));
    return mat_dyadic(s, A->rows, A->cols, m, -40);
}

transfer transfer_draw(scope *s, gsl_rng *r, long h)
{
    REQUIRE(h > 0, "h = %ld", h);
    const long m = 4 * h;
    const double sd = 1 / sqrt((double)m);
    const mat *W1 = measure_gauss(s, r, m, h, sd), *W2 = measure_gauss(s, r, m, h, sd);
    const double *variance = row_norms(s, W1), *out = row_norms(s, W2);
    ranked *order = scope_alloc(s, (size_t)m * sizeof *order);
    for (long i = 0; i < m; i++)
        order[i] = (ranked){ out[i] * gaussian_even(variance[i], variance[i], variance[i]), i };
    qsort(order, (size_t)m, sizeof *order, descending);
    return (transfer){ h, in_order(s, W1, order), in_order(s, W2, order),
                       measure_gauss(s, r, h, h, 1 / sqrt((double)h)) };
}

/* c A, c rounded to a multiple of 2^-40 */
static const mat *scaled(scope *s, double c, const mat *A)
{
    return mat_scale_entries(s, llrint(ldexp(c, 40)), -40, A);
}

static const mat *skip(scope *s, const transfer *T, bool less_x)
{
    return less_x ? mat_sub(s, T->Z, mat_identity(s, T->h)) : T->Z;
}

/* slope W1' W2 + Z over the neurons from `first` on */
static const mat *linear_part(scope *s, const transfer *T, bool less_x, double slope, long first)
{
    const long n = T->W1->rows - first;
    const mat *U = mat_t(s, mat_rows(s, T->W1, first, n));
    return mat_add(s, scaled(s, slope, mat_mul(s, U, mat_rows(s, T->W2, first, n))), skip(s, T, less_x));
}

/* ---- closed forms ------------------------------------------------------------------------------------ */

/* From E |missing|^2, E missing.T and E |T|^2; the model is T less what is missing. */
static distance distance_of(double missing, double across, double target)
{
    return (distance){ sqrt(missing / target), across / target,
                       1 - (target - across) / sqrt(target * (target - 2 * across + missing)) };
}

void transfer_closed(scope *s, const transfer *T, distance of[2][TRANSFER_MODELS])
{
    const long m = 4 * T->h, kept = 3 * T->h;
    const mat *S = mat_mul(s, T->W1, mat_t(s, T->W1)), *out = mat_mul(s, T->W2, mat_t(s, T->W2));
    double all = 0, left = 0, across = 0;                   /* sums over all pairs, pairs left out, left out with all */
    for (long i = 0; i < m; i++)
        for (long j = 0; j <= i; j++) {
            const double even = gaussian_even(mat_get_d(S, i, i), mat_get_d(S, j, j), mat_get_d(S, i, j));
            const double term = mat_get_d(out, i, j) * even * (i == j ? 1 : 2);
            all += term;
            if (i >= kept && j >= kept) left += term;
            if (i >= kept) across += j >= kept ? term : term / 2;
        }
    for (int less_x = 0; less_x < 2; less_x++) {
        const double *rows = row_norms(s, linear_part(s, T, less_x, 0.5, 0));
        double linear = 0;
        for (long i = 0; i < T->h; i++) linear += rows[i];
        of[less_x][LINEAR_MAP] = distance_of(all, all, all + linear);
        of[less_x][UNTRAINED]  = distance_of(left, across, all + linear);
    }
}

double transfer_limit(transfer_model which, bool less_x)
{
    const double G = gaussian_even(0.25, 0.25, 0.25), error = sqrt(G / (G + 1.0 / 16 + (less_x ? 2 : 1)));
    return which == UNTRAINED ? error / 2 : error;
}

/* ---- the models run ---------------------------------------------------------------------------------- */

static const mat *gelu(scope *s, const mat *X, const mat *W1, const mat *W2)
{
    return mat_mul(s, mat_phi(s, mat_mul(s, X, mat_t(s, W1)), ACT_GELU, (place){ 0, PLACE_MLP, 0 }), W2);
}

/* V2 GELU(V1 x) + x with V1 = (W_K; -W_K; W_R), V2 = (A, B, W2_R), K the first h neurons, the last h left out. */
static const mat *untrained(scope *s, const transfer *T, bool less_x, double slope, const mat *X)
{
    const long h = T->h;
    const mat *WK = mat_rows(s, T->W1, 0, h), *L = linear_part(s, T, less_x, slope, 3 * h);
    const mat *B = mat_mul(s, mat_inv(s, mat_t(s, WK)), mat_sub(s, mat_identity(s, h), L));
    const mat *A = mat_sub(s, mat_rows(s, T->W2, 0, h), B), *minus = mat_neg(s, WK);
    const mat *V1 = mat_vcat(s, 3, (const mat *const[]){ WK, minus, mat_rows(s, T->W1, h, 2 * h) });
    const mat *V2 = mat_vcat(s, 3, (const mat *const[]){ A, B, mat_rows(s, T->W2, h, 2 * h) });
    return mat_add(s, gelu(s, X, V1, V2), X);
}

/* sum A_ij B_ij over the rows of batch b */
static double inner(const mat *A, const mat *B, long b)
{
    const long n = A->rows / TRANSFER_BATCHES;
    double sum = 0;
    for (long i = b * n; i < (b + 1) * n; i++)
        for (long j = 0; j < A->cols; j++) sum += mat_get_d(A, i, j) * mat_get_d(B, i, j);
    return sum;
}

transfer_sample transfer_run(scope *s, gsl_rng *r, const transfer *T, bool less_x, transfer_model which, double slope,
                             long inputs)
{
    REQUIRE(inputs >= TRANSFER_BATCHES, "%ld inputs in %d batches", inputs, TRANSFER_BATCHES);
    transfer_sample is;
    const mat *X = measure_gauss(s, r, inputs, T->h, 1);
    const mat *Y = mat_add(s, gelu(s, X, T->W1, T->W2), mat_mul(s, X, skip(s, T, less_x)));
    const mat *M = which == UNTRAINED ? untrained(s, T, less_x, slope, X)
                                      : mat_mul(s, X, linear_part(s, T, less_x, slope, 0));
    const mat *missing = mat_sub(s, Y, M), *along = mat_mul3(s, X, mat_t(s, T->W1), scaled(s, 0.5, T->W2));
    for (long b = 0; b < TRANSFER_BATCHES; b++) {
        const double target2 = inner(Y, Y, b);
        is.error[b]  = sqrt(inner(missing, missing, b) / target2);
        is.cosine[b] = 1 - inner(Y, M, b) / sqrt(target2 * inner(M, M, b));
        is.along[b]  = inner(missing, along, b) / inner(along, along, b);
    }
    return is;
}
