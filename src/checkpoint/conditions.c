/* SPDX-License-Identifier: GPL-3.0-or-later
 * conditions.c - see conditions.h. */
#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/conditions.h"
#include "src/checkpoint/relation.h"
#include "src/checkpoint/rewrite.h"
#include "src/train/spectra.h"

static double condition(long rows, long cols, const double *A)
{
    for (long k = 0; k < rows * cols; k++) if (!isfinite(A[k])) return NAN;
    double *s = singular_values(rows, cols, A);
    const long n = rows < cols ? rows : cols;
    const double least = s[0] * DBL_EPSILON * (double)(rows > cols ? rows : cols);
    const double r = s[n - 1] > least ? s[0] / s[n - 1] : INFINITY;
    free(s);
    return r;
}

void pivoted_rows(long d, long dk, const double *A, long *row)
{
    double *copy = must_calloc((size_t)(d * dk), sizeof *copy), *tau = must_calloc((size_t)dk, sizeof *tau);
    lapack_int *pivot = must_calloc((size_t)d, sizeof *pivot);
    memcpy(copy, A, (size_t)(d * dk) * sizeof *copy);                  /* row by row: LAPACK's A', dk x d */
    const lapack_int bad = LAPACKE_dgeqp3(LAPACK_COL_MAJOR, (int)dk, (int)d, copy, (int)dk, pivot, tau);
    REQUIRE(!bad, "dgeqp3: %d", (int)bad);
    for (long r = 0; r < dk; r++) row[r] = (pivot[r] - 1);
    free(copy);
    free(tau);
    free(pivot);
}

/* Of those rows. */
static double block_condition(long d, long dk, const double *A)
{
    for (long k = 0; k < d * dk; k++) if (!isfinite(A[k])) return NAN;
    double *block = must_calloc((size_t)(dk * dk), sizeof *block);
    long *row = must_calloc((size_t)dk, sizeof *row);
    pivoted_rows(d, dk, A, row);
    for (long r = 0; r < dk; r++) memcpy(block + r * dk, A + row[r] * dk, (size_t)dk * sizeof *block);
    const double c = condition(dk, dk, block);
    free(block);
    free(row);
    return c;
}

/* x: d x n dk, of n heads.  A pair of zeros cannot be turned into (1, 0). */
static long zero_pairs(const transformer *D, long n, const double *x)
{
    long zero = 0;
    for (long a = 0; a < n; a++)
        for (long k = 0; k < D->rotary / 2; k++) {
            long p, q;
            rotary_pair(D, k, &p, &q);
            bool none = true;
            for (long r = 0; r < D->d && none; r++) {
                const double *row = x + (r * n + a) * D->dk;
                none = row[p] == 0 && row[q] == 0;
            }
            zero += none;
        }
    return zero;
}

static matrix_condition conditions_of(const transformer *D, projection p, long layer)
{
    matrix_condition c = { .whole = NAN };
    if (D->identity[p]) return c;
    const long d = D->d, dk = D->dk;
    c.heads = projection_heads(D, p);
    c.head = must_calloc((size_t)c.heads, sizeof *c.head);
    c.block = must_calloc((size_t)c.heads, sizeof *c.block);
    double *x = must_calloc((size_t)(d * c.heads * dk), sizeof *x), *one = must_calloc((size_t)(d * dk), sizeof *one);
    projection_columns(D, p, layer, 0, c.heads, x);
    c.whole = condition(d, c.heads * dk, x);
    c.zero_pairs = zero_pairs(D, c.heads, x);
    for (long a = 0; a < c.heads; a++) {
        for (long r = 0; r < d; r++) memcpy(one + r * dk, x + (r * c.heads + a) * dk, (size_t)dk * sizeof *one);
        c.head[a] = condition(d, dk, one);
        c.block[a] = dk <= d ? block_condition(d, dk, one) : NAN;
    }
    free(x);
    free(one);
    return c;
}

layer_condition layer_conditions(const transformer *D, long layer)
{
    REQUIRE(!D->unknown && !D->unreadable && layer >= 0 && layer < D->L, "layer %ld", layer);
    layer_condition c;
    const int threads = openblas_get_num_threads();
    openblas_set_num_threads(1);         /* products of matrix and vector, in which threads wait for each other */
    for (int p = 0; p < 3; p++) c.of[p] = conditions_of(D, (projection)p, layer);
    openblas_set_num_threads(threads);
    return c;
}

bool block_is_regular(const transformer *D, const layer_condition *c, projection p, long layer, long head)
{
    static const tensor_role role[] = { ROLE_Q, ROLE_K, ROLE_V };
    const weight_tensor *t = tensor_of(D, D->fused ? ROLE_QKV : role[p], layer);
    return c[layer].of[p].block[head] * unit_roundoff(t->numbers) < 1;
}

block_conditions block_conditions_of(const transformer *D, const layer_condition *c, projection p)
{
    block_conditions b = { .bits = 0 };
    double worst = 1;
    for (long i = 0; i < D->L; i++)
        for (long a = 0; a < c[i].of[p].heads; a++) {
            b.all++;
            if (!block_is_regular(D, c, p, i, a)) continue;
            b.regular++;
            worst = fmax(worst, c[i].of[p].block[a]);
        }
    b.bits = log2(worst);
    return b;
}

long zero_pairs_of(const transformer *D, const layer_condition *c)
{
    long n = 0;
    for (long i = 0; i < D->L; i++) n += c[i].of[PROJECT_K].zero_pairs;
    return n;
}

void layer_conditions_free(layer_condition *c)
{
    for (int p = 0; p < 3; p++) {
        free(c->of[p].head);
        free(c->of[p].block);
    }
}
