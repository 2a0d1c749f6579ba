/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_criterion_build.c - the network of a choice that the criterion accepts: see relu_criterion.c. */
#include <stdlib.h>
#include "src/methods/relu/relu_criterion.h"
#include "src/methods/relu/relu_neurons.h"

/* Row `row` of B becomes row i of A, unless it depends on the rows above. */
static bool extend(fmpq_mat_t B, long row, const fmpq_mat_t A, long i)
{
    relu_copy_row(B, row, A, i);
    return relu_rank_of_rows(B, row + 1) == row + 1;
}

static void put(absorption *a, long *at, relu_neuron n) { relu_put_neuron(a->V1, NULL, a->V2, (*at)++, &n); }

/* M = sum_{k in K} l_k u_k' + E G: neurons 2 c_k ReLU(s_k u_k.x); (c_k + l_k) ReLU(u_k.x) + (c_k - l_k) ReLU(-u_k.x);
 * e ReLU(g.x) - e ReLU(-g.x). */
void relu_criterion_build(absorption *a, const relu_choice *c)
{
    const fmpq_mat_struct *U = c->F->U, *C = c->F->C;
    const long in = fmpq_mat_ncols(U), out = fmpq_mat_nrows(C);
    fmpq_mat_t M, all, B, X;
    long *from = must_calloc((size_t)in, sizeof *from), n = 0, at = 0;   /* kink of row i of B, or -1 */
    fmpq_mat_init(M, out, in);
    fmpq_mat_init(all, in, in);
    fmpq_mat_set(M, c->F->L);
    for (long k = 0; k < c->n; k++) relu_add_kink(M, 0, c->F, c->rest[k], c->minus[k] ? 1 : -1);
    for (long k = 0; k < c->nK && n < in; k++) if (extend(all, n, U, c->K[k])) from[n++] = c->K[k];
    for (long i = 0; i < out && n < in; i++)   if (extend(all, n, M, i)) from[n++] = -1;
    fmpq_mat_init(B, n, in);
    fmpq_mat_init(X, n, out);
    for (long i = 0; i < n; i++) relu_copy_row(B, i, all, i);
    relu_solve_rows(X, B, M);
    absorption_begin(a, c->f);
    for (long k = 0; k < c->n; k++)
        put(a, &at, (relu_neuron){ U, c->rest[k], c->minus[k] ? -1 : 1, C, c->rest[k], 2, NULL, 0, 0 });
    for (long k = 0; k < c->nK; k++) {
        long j = 0;
        while (j < n && from[j] != c->K[k]) j++;
        const fmpq_mat_struct *own = j < n ? X : NULL;          /* a u_k that depends on others carries nothing */
        for (int sign = 1; sign >= -1; sign -= 2)
            put(a, &at, (relu_neuron){ U, c->K[k], sign, C, c->K[k], 1, own, j, sign });
    }
    for (long j = 0; j < n; j++)
        for (int sign = 1; from[j] < 0 && sign >= -1; sign -= 2)
            put(a, &at, (relu_neuron){ B, j, sign, NULL, 0, 0, X, j, sign });
    absorption_verify(a, c->f);
    free(from);
    fmpq_mat_clear(M);
    fmpq_mat_clear(all);
    fmpq_mat_clear(B);
    fmpq_mat_clear(X);
}
