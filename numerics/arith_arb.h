/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_arb.h - what only balls can answer.  All matrices are over arb. */
#ifndef ARITH_ARB_H
#define ARITH_ARB_H
#include "numerics/flint_compat.h"
#include "numerics/mat.h"

/* The balls of A.  Not while another thread uses A: they are made when they are asked for. */
arb_mat_struct *arith_arb_balls(const mat *A);
/* Where A was set to integers times 2^e, and no ball was asked for since: these, row by row, and e; else NULL. */
const int64_t *arith_arb_whole(const mat *A, long *e);

/* Does the ball A_ij contain x? */
bool arith_arb_contains(const mat *A, long i, long j, const mpq_t x);
/* At least |x - y| for every y in the ball A_ij; infinite: unknown. */
double arith_arb_farthest(const mat *A, long i, long j, double x);

/* rows x cols doubles, row by row, as exact numbers.  Contract: they are finite. */
const mat *arith_arb_of_doubles(scope *s, long rows, long cols, const double *x);

/* The midpoints of row i, x[j]; returns the largest radius of the row, rounded up, or INFINITY where one is not finite.
 * nearest: to the nearest double; else to odd, towards 0 with the last bit set where something was cut off: rounding
 * that to nearest, to at most 51 bits, is rounding the midpoint once. */
double arith_arb_row(const mat *A, long i, bool nearest, double *x);

/* The midpoints of A, as exact numbers; A with balls wider by the size of c (1 x 1). */
const mat *arith_arb_midpoints(scope *s, const mat *A);
const mat *arith_arb_widened(scope *s, const mat *A, const mat *c);

/* The n eigenvalues of a square A, each enclosed, in the order of their real parts; false: they could not be told
 * apart.  `real`: it certainly is; `not_real`: it certainly is not. */
typedef struct { double low, high; bool real, not_real; } eigenvalue;    /* of the real part */
bool arith_arb_eigenvalues(const mat *A, eigenvalue to[]) MUST_USE;
#endif
