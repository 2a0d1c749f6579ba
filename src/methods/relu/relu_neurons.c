/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_neurons.c - see relu_neurons.h. */
#include "src/methods/relu/relu_neurons.h"

static void add_multiple(fmpq_t to, const fmpq_t a, long times)
{
    fmpq_t t;
    fmpq_init(t);
    fmpq_set_si(t, times, 1);
    fmpq_addmul(to, t, a);
    fmpq_clear(t);
}

void relu_put_neuron(fmpq_mat_t W1, fmpq_mat_struct *b1, fmpq_mat_t W2, long at, const relu_neuron *n)
{
    const long in = fmpq_mat_ncols(W1);
    REQUIRE(at < fmpq_mat_nrows(W1), "neuron %ld of %ld", at, (long)fmpq_mat_nrows(W1));
    for (long l = 0; l < fmpq_mat_ncols(n->A); l++)
        add_multiple(l < in ? fmpq_mat_entry(W1, at, l) : fmpq_mat_entry(b1, at, 0), fmpq_mat_entry(n->A, n->i, l),
                     n->sign);
    for (long i = 0; i < fmpq_mat_nrows(W2); i++) {
        if (n->C) add_multiple(fmpq_mat_entry(W2, i, at), fmpq_mat_entry(n->C, i, n->k), n->x);
        if (n->X) add_multiple(fmpq_mat_entry(W2, i, at), fmpq_mat_entry(n->X, n->j, i), n->y);
    }
}

void relu_add_kink(fmpq_mat_t M, long at, const relu_form *F, long k, int sign)
{
    fmpq_t x;
    fmpq_init(x);
    for (long i = 0; i < fmpq_mat_nrows(F->C); i++)
        for (long l = 0; l < fmpq_mat_ncols(M); l++) {
            fmpq *to = fmpq_mat_entry(M, at + i, l);
            fmpq_mul(x, fmpq_mat_entry(F->C, i, k), fmpq_mat_entry(F->U, k, l));
            if (sign < 0) fmpq_sub(to, to, x);
            else          fmpq_add(to, to, x);
        }
    fmpq_clear(x);
}

void relu_copy_row(fmpq_mat_t to, long row, const fmpq_mat_t from, long i)
{
    for (long l = 0; l < fmpq_mat_ncols(to); l++) fmpq_set(fmpq_mat_entry(to, row, l), fmpq_mat_entry(from, i, l));
}

long relu_rank_of_rows(const fmpq_mat_t B, long rows)
{
    if (rows == 0) return 0;
    fmpq_mat_t R;
    fmpq_mat_init(R, rows, fmpq_mat_ncols(B));
    for (long i = 0; i < rows; i++) relu_copy_row(R, i, B, i);
    const long rank = fmpq_mat_rref(R, R);
    fmpq_mat_clear(R);
    return rank;
}

void relu_solve_rows(fmpq_mat_t X, const fmpq_mat_t B, const fmpq_mat_t M)
{
    fmpq_mat_t Bt, Mt;
    fmpq_mat_init(Bt, fmpq_mat_ncols(B), fmpq_mat_nrows(B));
    fmpq_mat_init(Mt, fmpq_mat_ncols(M), fmpq_mat_nrows(M));
    fmpq_mat_transpose(Bt, B);
    fmpq_mat_transpose(Mt, M);
    const bool solvable = fmpq_mat_nrows(B) == 0 || fmpq_mat_can_solve(X, Bt, Mt) != 0;
    REQUIRE(solvable, "%ld rows", (long)fmpq_mat_nrows(B));
    fmpq_mat_clear(Bt);
    fmpq_mat_clear(Mt);
}
