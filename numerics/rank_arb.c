/* SPDX-License-Identifier: GPL-3.0-or-later
 * rank_arb.c - a certified lower bound of the rank of a matrix of balls.
 *
 * For a regular block A_KK of r rows and columns, with the others called I,
 *   rank A = r + rank S,     S = A_II - A_IK A_KK^-1 A_KI   (Schur complement; Guttman 1946).
 * Doubles choose K by elimination with complete pivoting, which proves nothing; the certified inverse proves that A_KK
 * is regular, and costs products only.  What is left, S, is eliminated ball by ball: there a column without an entry
 * that is certainly not 0 is passed over, which can only lower the count.  Where A is small, or that inverse is not
 * found, all of A is eliminated ball by ball. */
#include "numerics/rank_arb.h"
#include <math.h>
#include <stdlib.h>
#include "numerics/inverse_arb.h"
#include "numerics/plain.h"
#include "numerics/product/product_arb.h"

/* Row in which column j has its largest midpoint among the entries that are certainly not 0; -1: none. */
static slong pivot_row(const arb_mat_t A, slong from, slong j)
{
    slong best = -1;
    for (slong i = from; i < arb_mat_nrows(A); i++)
        if (!arb_contains_zero(arb_mat_entry(A, i, j))
            && (best < 0 || arf_cmpabs(arb_midref(arb_mat_entry(A, i, j)), arb_midref(arb_mat_entry(A, best, j))) > 0))
            best = i;
    return best;
}

/* Gauss elimination of A in place. */
static slong eliminate(arb_mat_t A, slong prec)
{
    slong rank = 0;
    arb_t factor;
    arb_init(factor);
    for (slong j = 0; j < arb_mat_ncols(A) && rank < arb_mat_nrows(A); j++) {
        const slong p = pivot_row(A, rank, j);
        if (p < 0) continue;
        if (p != rank) arb_mat_swap_rows(A, NULL, p, rank);
        for (slong i = rank + 1; i < arb_mat_nrows(A); i++) {
            if (arb_is_zero(arb_mat_entry(A, i, j))) continue;
            arb_div(factor, arb_mat_entry(A, i, j), arb_mat_entry(A, rank, j), prec);
            for (slong k = j + 1; k < arb_mat_ncols(A); k++)
                arb_submul(arb_mat_entry(A, i, k), factor, arb_mat_entry(A, rank, k), prec);
        }
        rank++;
    }
    arb_clear(factor);
    return rank;
}

/* The rows and the columns of A in an order of which the first r are K. */
typedef struct { slong *row, *col, r; } chosen;

static void exchange(slong *order, slong i, slong k)
{
    const slong t = order[i];
    order[i] = order[k];
    order[k] = t;
}

/* x: midpoints of A, m x n, which are eliminated in place, until no entry is above LITTLE times the first pivot. */
static chosen choose(double *x, slong m, slong n)
{
    const double LITTLE = 0x1p-30;
    chosen K = { .row = must_calloc((size_t)m, sizeof(slong)), .col = must_calloc((size_t)n, sizeof(slong)) };
    double first = 0;
    for (slong i = 0; i < m; i++) K.row[i] = i;
    for (slong j = 0; j < n; j++) K.col[j] = j;
    for (; K.r < m && K.r < n; K.r++) {
        slong p = K.r, q = K.r;
        for (slong i = K.r; i < m; i++)
            for (slong j = K.r; j < n; j++)
                if (fabs(x[K.row[i] * n + K.col[j]]) > fabs(x[K.row[p] * n + K.col[q]])) p = i, q = j;
        const double pivot = x[K.row[p] * n + K.col[q]];
        if (!isfinite(pivot) || pivot == 0 || fabs(pivot) < LITTLE * first) break;
        if (K.r == 0) first = fabs(pivot);
        exchange(K.row, K.r, p);
        exchange(K.col, K.r, q);
        for (slong i = K.r + 1; i < m; i++) {
            double *y = x + K.row[i] * n;
            const double factor = y[K.col[K.r]] / pivot, *of = x + K.row[K.r] * n;
            for (slong j = 0; j < n; j++) y[j] -= factor * of[j];
        }
    }
    return K;
}

static chosen choose_of(const arb_mat_t A)
{
    const slong m = arb_mat_nrows(A), n = arb_mat_ncols(A);
    double *x = must_calloc((size_t)(m * n), sizeof *x);
    for (slong i = 0; i < m; i++)
        for (slong j = 0; j < n; j++) x[i * n + j] = arf_get_d(arb_midref(arb_mat_entry(A, i, j)), ARF_RND_NEAR);
    const chosen K = choose(x, m, n);
    free(x);
    return K;
}

/* B: the rows and columns of A at the places from i and j on of the order. */
static void part(arb_mat_t B, const arb_mat_t A, const chosen *K, slong i, slong j)
{
    for (slong r = 0; r < arb_mat_nrows(B); r++)
        for (slong c = 0; c < arb_mat_ncols(B); c++)
            arb_set(arb_mat_entry(B, r, c), arb_mat_entry(A, K->row[i + r], K->col[j + c]));
}

/* S of A; false: A_KK is not proved regular. */
static bool schur(arb_mat_t S, const arb_mat_t A, const chosen *K, slong prec)
{
    const slong r = K->r, m = arb_mat_nrows(A), n = arb_mat_ncols(A);
    arb_mat_t KK, IK, KI, T;
    arb_mat_init(KK, r, r);
    arb_mat_init(IK, m - r, r);
    arb_mat_init(KI, r, n - r);
    arb_mat_init(T, m - r, r);
    part(KK, A, K, 0, 0);
    const bool regular = inverse_arb(KK, KK, prec);
    if (regular) {
        part(S, A, K, r, r);
        part(IK, A, K, r, 0);
        part(KI, A, K, 0, r);
        product_arb(T, IK, KK, prec);
        arb_mat_t U;
        arb_mat_init(U, m - r, n - r);
        product_arb(U, T, KI, prec);
        arb_mat_sub(S, S, U, prec);
        arb_mat_clear(U);
    }
    arb_mat_clear(T);
    arb_mat_clear(KI);
    arb_mat_clear(IK);
    arb_mat_clear(KK);
    return regular;
}

slong rank_arb(const arb_mat_t A, slong prec)
{
    const slong m = arb_mat_nrows(A), n = arb_mat_ncols(A);
    const bool small = m < INVERSE_ARB_PRODUCTS || n < INVERSE_ARB_PRODUCTS;
    chosen K = { 0 };
    if (!small && !plain_only()) K = choose_of(A);
    arb_mat_t S;
    arb_mat_init(S, m - K.r, n - K.r);
    slong rank = K.r;
    if (K.r == 0 || !schur(S, A, &K, prec)) {
        arb_mat_clear(S);
        arb_mat_init(S, m, n);
        arb_mat_set(S, A);
        rank = 0;
    }
    rank += eliminate(S, prec);
    arb_mat_clear(S);
    free(K.col);
    free(K.row);
    return rank;
}
