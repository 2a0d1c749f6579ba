/* SPDX-License-Identifier: GPL-3.0-or-later
 * inverse_arb_parts.h - what certified inverses (inverse_arb.c) and solutions (solve_arb.c) share. */
#ifndef INVERSE_ARB_PARTS_H
#define INVERSE_ARB_PARTS_H
#include "numerics/flint_compat.h"
#include "src/base/base.h"

/* A_ij = 2^(row_i + col_j) B_ij, exactly, the largest centres of rows and columns of B about 1; false: a row or column
 * of centres is zero, a centre is not finite, or an exponent is beyond 2^30. */
bool inverse_equilibrate(arb_mat_t B, slong *row, slong *col, const arb_mat_t A) MUST_USE;
/* R with |I - R M|_inf about 2^-bits, M exact; nothing is proved of it.  false: not found. */
bool inverse_approximate(arb_mat_t R, const arb_mat_t M, slong bits) MUST_USE;
/* E = I - R A */
void inverse_residual(arb_mat_t E, const arb_mat_t R, const arb_mat_t A, slong prec);
#endif
