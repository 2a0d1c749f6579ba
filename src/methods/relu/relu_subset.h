/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_subset.h - inside subset_sum: what its halves, modulo a prime and over the integers, share. */
#ifndef RELU_SUBSET_H
#define RELU_SUBSET_H
#include "src/methods/relu/relu.h"

/* A (N x m) times the 0/1 vector `chosen` (m) is b (N x 1), over Q */
bool subset_sums_to(const fmpq_mat_t A, const fmpq_mat_t b, const unsigned char *chosen) MUST_USE;
bool subset_zero_column(const fmpq_mat_t A, long j) MUST_USE;    /* over Q */

/* The 0/1 solutions of A x = b, looked for over the integers among those of the equations rows[0..n), any of them.
 * HOLDS: `chosen` (m flags) is one.  REFUTED: there is none, proved without any prime.  UNDECIDED: more than *work
 * allows.  Writes to *free_columns how many columns those equations leave free. */
truth subset_over_integers(unsigned char *chosen, long *free_columns, const fmpq_mat_t A, const fmpq_mat_t b,
                           const long *rows, long n, int64_t *work) MUST_USE;

/* ---- modulo a prime (relu_subset_echelon.c) ---- */

typedef struct {
    nmod_mat_t E;                        /* N x (m + 1): the echelon form of (A | b)                      */
    nmod_t     mod;
    long       rank, m, k, *pivot, *free;
    bool       consistent;
} subset_echelon;
/* False: the prime divides a denominator. */
bool subset_echelon_of   (subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, uint64_t prime) MUST_USE;
void subset_echelon_clear(subset_echelon *e);
/* Rows of (A | b) that are independent modulo the prime: e->rank of them. */
void subset_independent_rows(long *rows, const subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b);
/* Looks for y with y A = 0 and y b = 1 over Q on those rows, for S->y; false: the next prime may give one. */
bool subset_certify(subset *S, const subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b,
                    const long *rows) MUST_USE;

/* ---- choices of the free columns (relu_subset_meet.c) ---- */

/* NONE: modulo the prime; SPURIOUS: there are solutions modulo the prime that are none over Q. */
typedef enum { MEET_FOUND, MEET_NONE, MEET_TOO_MANY, MEET_SPURIOUS } meet_outcome;
meet_outcome subset_meet(const subset_echelon *e, const fmpq_mat_t A, const fmpq_mat_t b, unsigned char *chosen,
                         int64_t *work) MUST_USE;
#endif
