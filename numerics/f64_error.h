/* SPDX-License-Identifier: GPL-3.0-or-later
 * f64_error.h - doubles with a bound on their error, entry by entry.
 *
 * Each computed matrix has a companion E >= |computed - exact|: a running error analysis (Wilkinson; Higham, Accuracy
 * and Stability of Numerical Algorithms, 2nd ed., 3.3).  u = 2^-53 is half an ulp of 1.
 *
 * Such a bound ignores signs: each layer of width 64 multiplies it by about 2^21, the error itself by 2.  Where that is
 * too much, each matrix also has balls of higher precision (arith_f64_enclosed), and E is the largest distance from the
 * double to a point of its ball.  The radii grow as fast, but from 2^-256, and nothing is assumed about doubles.
 *
 * The running analysis assumes: IEEE doubles rounded to nearest; each dgemm is k products and their sum in some
 * order, fused or not, so that its error is at most gamma_k |A||B|, gamma_k = k u / (1 - k u) (no Strassen); exp, tanh,
 * erfc, pow, sin, cos, atanh of libm err by at most 8 ulp (glibc's manual lists at most 5).
 *
 * E is itself computed in doubles, from nonnegative terms by fewer than 2^21 operations, so that the factor UP makes it
 * an upper bound; TINY covers all underflow.  NaN or infinity in E means that nothing is known. */
#ifndef F64_ERROR_H
#define F64_ERROR_H
#include "numerics/arith.h"

typedef struct {
    double *x;                           /* row-major                                            */
    double *e;                           /* the companion E; NULL: exact, or no bound is kept    */
    double  scale;                       /* the largest |x|, before cancellation by the last sum */
    mat    *ball;                        /* the same matrix over Arb; NULL: e is used            */
} f64_matrix;

double f64_error(const mat *A, long i, long j);      /* >= |A_ij - exact|; NaN or infinite: unknown */

/* Each fills the companion, or the balls, and the scale of C, whose entries are computed; shapes as in the slots of
 * ring.h and functions.h. */
void f64_error_dyadic    (mat *C, const int64_t *m, long e);
void f64_error_copy      (mat *C, long ci, long cj, const mat *A, long ai, long aj, long r, long c);
void f64_error_sum       (mat *C, const mat *A, const mat *B, double sign);              /* C = A + sign B   */
void f64_error_hadamard  (mat *C, const mat *A, const mat *B);
void f64_error_scale_rows(mat *C, const mat *g, const mat *A);
void f64_error_mul       (mat *C, const mat *A, const mat *B);
void f64_error_transpose (mat *C, const mat *A);
truth f64_error_inv      (mat *C, const mat *A);         /* UNDECIDED: some matrix within E of A may be singular */
void f64_error_phi       (mat *C, const mat *A, activation kind);
void f64_error_rowmap    (mat *C, const mat *A, const rowmap *how, double scale);
truth f64_error_norm     (mat *C, const mat *A, norm_kind kind, long log2eps);           /* UNDECIDED: E reaches 0 */
void f64_error_rotate    (mat *C, const mat *A);
truth f64_error_partial  (mat *C, const mat *A, partial_function kind);      /* UNDECIDED: E leaves the domain */
truth f64_error_positive (const mat *A);
/* REFUTED: |A_ij - B_ij| > E_A + E_B somewhere, so the real matrices differ.  HOLDS: nowhere, and the bound is at most
 * 2^widest of the scale.  The gap and the bound are relative to the scale. */
comparison f64_error_compare(const mat *A, const mat *B, double widest);

/* The entries of A, a mat_blank over doubles without bounds, row by row. */
double *arith_f64_entries(mat *A);
/* Fills it with x, which may be these entries: then they lose the sign of 0. */
void    arith_f64_set(mat *A, const double *x);
#endif
