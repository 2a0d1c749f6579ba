/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_neurons.h - a network put together neuron by neuron, from the rows and columns of its canonical form. */
#ifndef RELU_NEURONS_H
#define RELU_NEURONS_H
#include "src/methods/relu/relu.h"

/* A neuron: input sign * row i of A (columns beyond A's are 0), output x C[:,k] + y X[j,:]'.  C or X NULL: no such
 * term. */
typedef struct {
    const fmpq_mat_struct *A; long i; int sign;
    const fmpq_mat_struct *C; long k; long x;
    const fmpq_mat_struct *X; long j; long y;
} relu_neuron;
/* Adds it to row `at` of W1, to column `at` of W2 and, where A has one column more than W1, to entry `at` of b1. */
void relu_put_neuron(fmpq_mat_t W1, fmpq_mat_struct *b1, fmpq_mat_t W2, long at, const relu_neuron *n);

/* M[at + i, l] += sign (c_k u_k')[i, l], for the columns that M has */
void relu_add_kink(fmpq_mat_t M, long at, const relu_form *F, long k, int sign);
void relu_copy_row(fmpq_mat_t to, long row, const fmpq_mat_t from, long i);    /* for the columns that `to` has  */
long relu_rank_of_rows(const fmpq_mat_t B, long rows);                         /* of the first rows              */
/* X (rows x out) with X' B = M.  Contract: the rows of B span those of M. */
void relu_solve_rows(fmpq_mat_t X, const fmpq_mat_t B, const fmpq_mat_t M);
#endif
