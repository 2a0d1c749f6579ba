/* SPDX-License-Identifier: GPL-3.0-or-later
 * order.h - signs and order, decided: exactly over q, by balls over arb.
 *
 * Over the other arithmetics there is no order, or no rigorous one: the trial becomes UNDECIDED. */
#ifndef ORDER_H
#define ORDER_H
#include "numerics/flint_compat.h"
#include "src/claim/check.h"

/* -1, 0 or 1; 0 with s UNDECIDED where the sign of A_ij is not known. */
int order_sign(scope *s, const mat *A, long i, long j);

typedef enum { BELOW_ZERO = -1, AT_LEAST_ZERO = 0, ABOVE_ZERO = 1 } range;
/* Every entry of A is in that range. */
void claim_order(trial *t, const char *what, const mat *A, range where);

/* A's entries as rational numbers: exact over q, else the nearest doubles.  `to` has the shape of A. */
void order_rationals(fmpq_mat_t to, const mat *A);
#endif
