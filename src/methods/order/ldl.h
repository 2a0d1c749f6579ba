/* SPDX-License-Identifier: GPL-3.0-or-later
 * ldl.h - is a symmetric matrix positive semidefinite?  Decided by M = L D L', with a certificate either way.
 *
 * L is lower triangular with ones on its diagonal, D diagonal.  All of D >= 0: M is positive semidefinite, and
 * T = L D^(1/2) is the T of T T' = M.  Otherwise a row x has x M x' < 0.  Exact over q; over arb where the balls of
 * the pivots do not contain 0.  Elsewhere UNDECIDED, for there are no signs.                                */
#ifndef LDL_H
#define LDL_H
#include "src/methods/order/order.h"

typedef struct {
    truth is;                            /* HOLDS: L, D; REFUTED: x; UNDECIDED: neither                   */
    const mat *L, *D;                    /* n x n                                                         */
    const mat *x;                        /* 1 x n                                                         */
} ldl;
enum { LDL_MOST = 64 };
ldl ldl_of(scope *s, const mat *M);      /* M (n x n) symmetric, n <= 64; only its lower triangle is read */

/* M is positive semidefinite: M = L D L' and D >= 0, or refuted by x M x' < 0. */
void claim_semidefinite    (trial *t, const mat *M);
void claim_not_semidefinite(trial *t, const mat *M);
#endif
