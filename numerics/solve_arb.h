/* SPDX-License-Identifier: GPL-3.0-or-later
 * solve_arb.h - certified solutions of systems of balls. */
#ifndef SOLVE_ARB_H
#define SOLVE_ARB_H
#include "numerics/flint_compat.h"
#include "src/base/base.h"

/* X: balls that hold, for every real matrix A' in A (n x n) and B' in B (n x k), the solution of A' X = B'; each such
 * A' is invertible.  X is n x k and may be B, not A.  false: no such proof was found, as where A holds a singular
 * matrix or an entry is not finite; X is then undefined. */
bool solve_arb(arb_mat_t X, const arb_mat_t A, const arb_mat_t B, slong prec) MUST_USE;

/* The same by products alone, whatever the size; false where Arb's own may still succeed. */
bool solve_arb_by_products(arb_mat_t X, const arb_mat_t A, const arb_mat_t B, slong prec) MUST_USE;
#endif
