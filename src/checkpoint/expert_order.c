/* SPDX-License-Identifier: GPL-3.0-or-later
 * expert_order.c - see expert_order.h. */
#include <math.h>
#include <stdlib.h>
#include "src/checkpoint/expert_order.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/forward.h"

/* Rows of the router times the gain in front of it, less their mean, E x d, to be freed. */
static double *rows_of(const transformer *D, long layer)
{
    const long E = D->experts, d = D->d;
    long rows, cols, n, wide;
    double *R = doubles_of_part(D, ROLE_ROUTER, layer, 0, 0, &rows, &cols);       /* d x E */
    double *g = doubles_of_part(D, ROLE_GAIN2, layer, 0, 0, &n, &wide), *x = must_calloc((size_t)(E * d), sizeof *x);
    for (long i = 0; i < d; i++) {
        double mean = 0;
        for (long e = 0; e < E; e++) mean += R[i * E + e] / (double)E;
        for (long e = 0; e < E; e++) x[e * d + i] = (R[i * E + e] - mean) * (g ? g[i] : 1);
    }
    free(R);
    free(g);
    return x;
}

static double apart(const double *x, const double *y, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

/* The row of x that is nearest to y; -1: two are. */
static long nearest(const double *x, long rows, const double *y, long d)
{
    double least = INFINITY;
    long best = -1;
    for (long e = 0; e < rows; e++) {
        const double off = apart(x + e * d, y, d);
        if (off == least) best = -1;
        if (off < least) least = off, best = e;
    }
    return best;
}

/* from[e]: which of A's is the one at e in B; false: there is no such order. */
static bool order_of(const transformer *A, const transformer *B, long layer, long *from)
{
    const long E = A->experts;
    double *x = rows_of(A, layer), *y = rows_of(B, layer);
    bool *taken = must_calloc((size_t)E, sizeof *taken), good = true;
    for (long e = 0; e < E && good; e++) {
        from[e] = nearest(x, E, y + e * A->d, A->d);
        good = from[e] >= 0 && !taken[from[e]];
        if (good) taken[from[e]] = true;
    }
    free(x);
    free(y);
    free(taken);
    return good;
}

bool expert_order(const transformer *A, const transformer *B, contracted *to)
{
    const long E = A->experts;
    bool good = E > 0 && E == B->experts && A->expert_m == B->expert_m, moved = false;
    long *from = must_calloc((size_t)(A->L * E + 1), sizeof *from);
    for (long i = 0; i < A->L && good; i++) {
        good = experts_in_layer(A, i) == experts_in_layer(B, i);
        if (good && experts_in_layer(A, i)) good = order_of(A, B, i, from + i * E);
        for (long e = 0; e < E && good && experts_in_layer(A, i); e++) moved = moved || from[i * E + e] != e;
    }
    good = good && moved;
    if (good) *to = contracted_experts(A, from);
    free(from);
    return good;
}
