/* SPDX-License-Identifier: GPL-3.0-or-later
 * product_arb.h - products of matrices of balls. */
#ifndef PRODUCT_ARB_H
#define PRODUCT_ARB_H
#include <stdint.h>
#include "numerics/flint_compat.h"

/* C = A B in balls of `prec` bits; C is another matrix than A and B.  Midpoints are multiplied exactly and rounded
 * once; every entry of C encloses all products of points of A and B. */
void product_arb(arb_mat_t C, const arb_mat_t A, const arb_mat_t B, slong prec);

/* A factor: balls, or where they are NULL integers times 2^exponent, row by row, rows `pitch` entries apart. */
typedef struct {
    long rows, cols;
    const arb_mat_struct *balls;
    const int64_t *whole;
    long exponent, pitch;
} ball_factor;

static inline ball_factor product_arb_balls(const arb_mat_struct *A)
{
    return (ball_factor){ .rows = arb_mat_nrows(A), .cols = arb_mat_ncols(A), .balls = A };
}

/* The same product, to the same bits. */
void product_arb_of(arb_mat_t C, const ball_factor *A, const ball_factor *B, slong prec);
#endif
