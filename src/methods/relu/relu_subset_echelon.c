/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_subset_echelon.c - A x = b in reduced echelon form modulo a prime; a proof over Q that it has no solution. */
#include <stdlib.h>
#include "src/methods/relu/relu_subset.h"

static bool residue(ulong *to, const fmpq_t x, nmod_t mod)      /* false: the prime divides the denominator */
{
    const ulong den = fmpz_fdiv_ui(fmpq_denref(x), mod.n);
    if (den == 0) return false;
    *to = nmod_div(fmpz_fdiv_ui(fmpq_numref(x), mod.n), den, mod);
    return true;
}

/* (A | b) modulo the prime; false: it divides a denominator. */
static bool reduce(nmod_mat_t E, const fmpq_mat_t A, const fmpq_mat_t b, nmod_t mod)
{
    const long m = fmpq_mat_ncols(A);
    for (long i = 0; i < fmpq_mat_nrows(A); i++)
        for (long j = 0; j <= m; j++)
            if (!residue(&nmod_mat_entry(E, i, j), j < m ? fmpq_mat_entry(A, i, j) : fmpq_mat_entry(b, i, 0), mod))
                return false;
    return true;
}

/* A column that is zero over Q is no choice: it stays out. */
static void read_pivots(subset_echelon *e, const fmpq_mat_t A)
{
    e->pivot = must_calloc((size_t)e->m + 1, sizeof *e->pivot);
    e->free  = must_calloc((size_t)e->m + 1, sizeof *e->free);
    long row = 0;
    for (long j = 0; j <= e->m; j++)
        if (row < e->rank && nmod_mat_entry(e->E, row, j) == 1) e->pivot[row++] = j;
        else if (j < e->m && !subset_zero_column(A, j)) e->free[e->k++] = j;
    e->consistent = e->rank == 0 || e->pivot[e->rank - 1] < e->m;
}

bool subset_echelon_of(subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, uint64_t prime)
{
    *e = (subset_echelon){ .m = fmpq_mat_ncols(A) };
    nmod_init(&e->mod, (ulong)prime);
    nmod_mat_init(e->E, fmpq_mat_nrows(A), e->m + 1, (ulong)prime);
    if (!reduce(e->E, A, b, e->mod)) {
        nmod_mat_clear(e->E);
        return false;
    }
    e->rank = nmod_mat_rref(e->E);
    read_pivots(e, A);
    return true;
}

void subset_echelon_clear(subset_echelon *e)
{
    nmod_mat_clear(e->E);
    free(e->pivot);
    free(e->free);
}

/* ---- no solution at all: a vector y over Q ------------------------------------------------------------- */

/* Rows of (A | b) that are independent modulo the prime: the pivots of the transpose. */
void subset_independent_rows(long *rows, const subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b)
{
    nmod_mat_t E, T;
    nmod_mat_init(E, fmpq_mat_nrows(A), e->m + 1, e->mod.n);
    nmod_mat_init(T, e->m + 1, fmpq_mat_nrows(A), e->mod.n);
    const bool reduced = reduce(E, A, b, e->mod);
    REQUIRE(reduced, "modulo %lu", (unsigned long)e->mod.n);
    nmod_mat_transpose(T, E);
    nmod_mat_rref(T);
    for (long i = 0, j = 0; i < e->rank; j++) if (nmod_mat_entry(T, i, j) == 1) rows[i++] = j;
    nmod_mat_clear(E);
    nmod_mat_clear(T);
}

/* y on those rows, with y A_i = 0 on the pivots and y b = 1. */
static bool solve_y(fmpq_mat_t y, const subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, const long *rows)
{
    fmpq_mat_t M, right, x;
    fmpq_mat_init(M, e->rank, e->rank);
    fmpq_mat_init(right, e->rank, 1);
    fmpq_mat_init(x, e->rank, 1);
    for (long i = 0; i < e->rank; i++)
        for (long j = 0; j < e->rank; j++)
            fmpq_set(fmpq_mat_entry(M, i, j), e->pivot[i] < e->m ? fmpq_mat_entry(A, rows[j], e->pivot[i])
                                                                 : fmpq_mat_entry(b, rows[j], 0));
    fmpq_one(fmpq_mat_entry(right, e->rank - 1, 0));
    const bool solved = fmpq_mat_solve(x, M, right) != 0;
    for (long j = 0; solved && j < e->rank; j++) fmpq_set(fmpq_mat_entry(y, 0, rows[j]), fmpq_mat_entry(x, j, 0));
    fmpq_mat_clear(M);
    fmpq_mat_clear(right);
    fmpq_mat_clear(x);
    return solved;
}

/* y A = 0 over Q, for all columns: the rank modulo the prime may have been too small. */
static bool kills(const fmpq_mat_t y, const fmpq_mat_t A)
{
    fmpq_mat_t yA;
    fmpq_mat_init(yA, 1, fmpq_mat_ncols(A));
    fmpq_mat_mul(yA, y, A);
    const bool zero = fmpq_mat_is_zero(yA);
    fmpq_mat_clear(yA);
    return zero;
}

bool subset_certify(subset *S, const subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, const long *rows)
{
    fmpq_mat_init(S->y, 1, fmpq_mat_nrows(A));
    S->has_y = solve_y(S->y, e, A, b, rows) && kills(S->y, A);
    if (!S->has_y) fmpq_mat_clear(S->y);
    return S->has_y;
}
