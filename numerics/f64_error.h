/* f64_error.h - doubles with a bound on their error, entry by entry.
 *
 * Beside each computed matrix stands a companion E >= |computed - exact|: a running error analysis (Wilkinson;
 * Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 3.3).  u = 2^-53 is half an ulp of 1.
 * Such a bound knows no signs: each layer of width 64 multiplies it by about 2^21, the error itself by 2.  Where that
 * is too much, balls of higher precision go beside the doubles (arith_f64_enclosed), and E is how far the ball reaches
 * from the double: their radii grow as fast, but from 2^-256, and nothing is assumed of doubles.
 * Assumed by the running analysis: IEEE doubles rounded to nearest; each dgemm is k products and their sum in some
 * order, fused or not, so that its error is at most gamma_k |A||B|, gamma_k = k u / (1 - k u) (no Strassen); exp, tanh,
 * erfc, pow, sin, cos, atanh of libm err by at most 8 ulp (glibc's manual lists at most 5).
 * E is itself computed in doubles: from nonnegative terms by fewer than 2^21 operations, so UP rounds it upwards, and
 * TINY covers all underflow.  NaN or infinity in E means that nothing is known. */
#ifndef F64_ERROR_H
#define F64_ERROR_H
#include "numerics/arith.h"

typedef struct {
    double *x;                           /* row-major                                            */
    double *e;                           /* the companion E; NULL: exact (or not asked for)      */
    double  scale;                       /* the largest |x|, before cancellation by the last sum */
    mat    *ball;                        /* the same matrix over Arb; NULL: e is used            */
} doubles;

/* Each fills the companion, or the balls, and the scale of C, whose entries are computed; shapes as in the slots of
 * arith.h. */
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
#endif
