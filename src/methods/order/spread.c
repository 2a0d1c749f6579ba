/* SPDX-License-Identifier: GPL-3.0-or-later
 * spread.c - distances of tokens: see spread.h. */
#include "src/methods/order/spread.h"

static const mat *larger(scope *s, const mat *x, const mat *y)                  /* of two numbers */
{
    return order_sign(s, mat_sub(s, x, y), 0, 0) >= 0 ? x : y;
}

const mat *spread_of(scope *s, const mat *X, long c)
{
    const mat *column = mat_cols(s, X, c, 1), *best = mat_zero(s, 1, 1);
    for (long i = 0; i < X->rows; i++)
        for (long j = 0; j < X->rows; j++)
            best = larger(s, best, mat_sub(s, mat_rows(s, column, i, 1), mat_rows(s, column, j, 1)));
    return best;
}

/* sum_j |d_j| / 2, with |x| = ReLU(x) + ReLU(-x) */
static const mat *half_size(scope *s, const mat *d)
{
    const place anywhere = { 0, PLACE_MLP, 0 };
    const mat *minus = mat_neg(s, d), *half = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, -1);
    const mat *size = mat_add(s, mat_phi(s, d, ACT_RELU, anywhere), mat_phi(s, minus, ACT_RELU, anywhere));
    return mat_mul3(s, size, mat_ones(s, d->cols, 1), half);
}

const mat *spread_dobrushin(scope *s, const mat *A)
{
    const mat *best = mat_zero(s, 1, 1);
    for (long i = 0; i < A->rows; i++)
        for (long k = 0; k < i; k++)
            best = larger(s, best, half_size(s, mat_sub(s, mat_rows(s, A, i, 1), mat_rows(s, A, k, 1))));
    return best;
}
