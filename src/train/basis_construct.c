/* SPDX-License-Identifier: GPL-3.0-or-later
 * basis_construct.c - the untrained student: the closed form of theorems/k_appd_new.c in numbers.
 *
 * GELU(s) - GELU(-s) = s, so d neurons K split in two carry any linear map beside what they do: with A + B = W2[:,K],
 *     A GELU(W_K x) + B GELU(-W_K x) + x = W2[:,K] GELU(W_K x) + M x      for B = (I - M) W_K^-1.
 * M is the target's L and half the slope of the neurons D that are left out (none for m = 5 d), those with the least
 * |w2|^2 E g(s)^2, g the even part of GELU. */
#include <lapacke.h>
#include <stdlib.h>
#include "src/methods/measure/integral.h"
#include "src/train/basis.h"

typedef struct { double weight; long i; } neuron;
static int descending(const void *a, const void *b)
{
    const double x = ((const neuron *)a)->weight, y = ((const neuron *)b)->weight;
    return x < y ? 1 : x > y ? -1 : 0;
}

static neuron *by_weight(const basis_target *T, long d)
{
    neuron *list = must_calloc((size_t)(4 * d), sizeof *list);
    for (long i = 0; i < 4 * d; i++) {
        double in = 0, out = 0;
        for (long k = 0; k < d; k++) {
            in  += T->W1[i * d + k] * T->W1[i * d + k];
            out += T->W2[k * 4 * d + i] * T->W2[k * 4 * d + i];
        }
        list[i] = (neuron){ out * gaussian_even(in, in, in), i };
    }
    qsort(list, (size_t)(4 * d), sizeof *list, descending);
    return list;
}

/* B (d x d) with B W_K = I - L - W2[:,D] W1[D,:] / 2, D the neurons from `retained` on */
static double *split(const basis_target *T, const neuron *list, long d, long retained)
{
    double *B = must_calloc((size_t)(d * d), sizeof *B), *WK = must_calloc((size_t)(d * d), sizeof *WK);
    lapack_int *pivot = must_calloc((size_t)d, sizeof *pivot);
    for (long i = 0; i < d; i++)
        for (long j = 0; j < d; j++) {
            double carried = T->L[i * d + j];
            for (long n = retained; n < 4 * d; n++)
                carried += T->W2[i * 4 * d + list[n].i] * T->W1[list[n].i * d + j] / 2;
            B[i * d + j] = (i == j) - carried;
            WK[i * d + j] = T->W1[list[i].i * d + j];
        }
    /* by columns these are W_K' and (I - M)', and W_K' B' = (I - M)' */
    const lapack_int bad = LAPACKE_dgesv(LAPACK_COL_MAJOR, (int)d, (int)d, WK, (int)d, pivot, B, (int)d);
    REQUIRE(bad == 0, "W_K of the target is singular: %d", (int)bad);
    free(WK);
    free(pivot);
    return B;
}

void basis_construct(basis_task *M)
{
    const net *student = basis_net(M);
    const param_table *t = &student->table;
    const param *up = params_find(t, "up"), *down = params_find(t, "down");
    const long d = up->cols, m = up->rows, retained = m - d;             /* 3d or all 4d of the target's neurons */
    REQUIRE(m == 4 * d || m == 5 * d, "a closed form has 4 or 5 times %ld neurons, not %ld", d, m);
    const basis_target T = basis_target_of(M);
    neuron *list = by_weight(&T, d);
    double *B = split(&T, list, d, retained);
    double *V1 = must_calloc((size_t)(m * d), sizeof *V1), *V2 = must_calloc((size_t)(m * d), sizeof *V2);
    for (long n = 0; n < m; n++) {                                       /* K, -K, the rest */
        const long from = n < d ? n : n - d, i = list[from].i;
        const bool mirrored = d <= n && n < 2 * d;
        for (long k = 0; k < d; k++) {
            V1[n * d + k] = mirrored ? -T.W1[i * d + k] : T.W1[i * d + k];
            const double b = from < d ? B[k * d + from] : 0;
            V2[k * m + n] = mirrored ? b : T.W2[k * 4 * d + i] - b;
        }
    }
    student->o->put(net_weight(student, up->at), V1, (size_t)(m * d));
    student->o->put(net_weight(student, down->at), V2, (size_t)(m * d));
    net_refresh(basis_net(M));
    free(list);
    free(B);
    free(V1);
    free(V2);
}
