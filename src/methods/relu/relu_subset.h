/* relu_subset.h - inside subset_sum: what its two halves, modulo a prime and over the integers, share. */
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
#endif
