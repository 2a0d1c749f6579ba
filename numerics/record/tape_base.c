/* SPDX-License-Identifier: GPL-3.0-or-later
 * tape_base.c - operations over the base of a tape whose results are returned: see tape_steps.h. */
#include <stdlib.h>
#include "numerics/record/tape_steps.h"

mat tape_base_mat(const arith *base, long rows, long cols)
{
    mat A = { .R = base, .rows = rows, .cols = cols };
    base->ring.init(&A);
    return A;
}

void tape_drop(mat *A) { A->R->ring.clear(A); }

void tape_drop_all(long n, mat *const A[])
{
    for (long k = 0; k < n; k++) tape_drop(A[k]);
}

mat tape_product(const arith *base, const mat *A, const mat *B)
{
    mat C = tape_base_mat(base, A->rows, B->cols);
    base->ring.mul(&C, A, B);
    return C;
}

mat tape_transposed(const arith *base, const mat *A)
{
    mat C = tape_base_mat(base, A->cols, A->rows);
    base->ring.transpose(&C, A);
    return C;
}

mat tape_entrywise(const arith *base, const mat *A, const mat *B)
{
    mat C = tape_base_mat(base, A->rows, A->cols);
    base->ring.hadamard(&C, A, B);
    return C;
}

mat tape_scaled(const arith *base, const mat *g, const mat *A)
{
    mat C = tape_base_mat(base, A->rows, A->cols);
    base->ring.scale_rows(&C, g, A);
    return C;
}

mat tape_same(const arith *base, const mat *A)
{
    mat C = tape_base_mat(base, A->rows, A->cols);
    base->ring.copy(&C, 0, 0, A, 0, 0, A->rows, A->cols);
    return C;
}

mat tape_minus(const arith *base, const mat *A, const mat *B)
{
    mat C = tape_base_mat(base, A->rows, A->cols);
    base->ring.sub(&C, A, B);
    return C;
}

mat tape_plus(const arith *base, const mat *A, const mat *B)
{
    mat C = tape_base_mat(base, A->rows, A->cols);
    base->ring.add(&C, A, B);
    return C;
}

static mat ones(const arith *base, long rows, long cols)
{
    mat A = tape_base_mat(base, rows, cols);
    int64_t *m = must_calloc((size_t)(rows * cols), sizeof *m);
    for (long k = 0; k < rows * cols; k++) m[k] = 1;
    base->ring.set_dyadic(&A, m, 0);
    free(m);
    return A;
}

/* A - A J, J = ones/cols */
mat tape_centred(const arith *base, const mat *A)
{
    mat mean = tape_base_mat(base, A->rows, A->cols), C = tape_base_mat(base, A->rows, A->cols);
    mat sum = tape_base_mat(base, A->rows, 1), column = ones(base, A->cols, 1), row = ones(base, 1, A->cols);
    mat width = tape_base_mat(base, 1, 1), inverse = tape_base_mat(base, 1, 1);
    mat scaled = tape_base_mat(base, 1, A->cols);
    base->ring.set_dyadic(&width, (const int64_t[]){ A->cols }, 0);
    (void)base->ring.inv(&inverse, &width);
    base->ring.mul(&scaled, &inverse, &row);
    base->ring.mul(&sum, A, &column);
    base->ring.mul(&mean, &sum, &scaled);
    base->ring.sub(&C, A, &mean);
    tape_drop_all(7, (mat *[]){ &mean, &sum, &column, &row, &width, &inverse, &scaled });
    return C;
}

mat tape_row_products(const arith *base, const mat *A, const mat *B)
{
    mat AB = tape_base_mat(base, A->rows, A->cols), s = tape_base_mat(base, A->rows, 1);
    mat column = ones(base, A->cols, 1);
    base->ring.hadamard(&AB, A, B);
    base->ring.mul(&s, &AB, &column);
    tape_drop(&AB);
    tape_drop(&column);
    return s;
}
