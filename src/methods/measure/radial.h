/* SPDX-License-Identifier: GPL-3.0-or-later
 * radial.h - how far LayerNorm's conjugate of a random matrix is from linear, by Monte Carlo.
 *
 * On H = {x : sum of x = 0}, in an orthonormal basis (n = d - 1 coordinates), LayerNorm and its inverse are
 *     L(x) = x / sqrt(|x|^2/d + eps)         L^-1(z) = sqrt(d eps/(d - |z|^2)) z,   |z|^2 < d
 * and f_M(y) = L^-1(M L(y)) is a multiple of M y, f_M(y) = alpha M y.  M is n x n with entries N(0, 1/n).  Only
 * |y|^2/eps matters.  f_M(y) is not defined where |M L(y)|^2 >= d.                                          */
#ifndef RADIAL_H
#define RADIAL_H
#include "numerics/measure.h"
#include "src/claim/check.h"

typedef enum {
    AS_DRAWN,                            /* M itself, y independent of it                                   */
    CLAMPED,                             /* singular values above 1 replaced by 1                           */
    ALIGNED,                             /* M itself, y close to its largest right singular vector          */
} family;

/* f_M(y) = alpha M y from |y|^2/eps and the ratio |M y|^2/|y|^2; NaN where f_M(y) is not defined. */
double radial_alpha(double d, double y2, double stretch);

typedef struct { gsl_rng r; long top; double *room; } radial;       /* a stream, and room for matrices up to top */
radial radial_open(scope *s, const char *stream, long top);         /* owned by s                           */

/* `draws` values of |M y|^2/|y|^2 at d <= top.  AS_DRAWN they are independent, for orthogonal y_1 .. y_n keep
 * M y_1 .. M y_n independent: one M serves n of them. */
void   radial_stretches(radial *w, family F, long d, long draws, double *stretch);

/* Singular values of an n x n matrix of N(0, 1/n), in descending order; false where LAPACK finds none.  Reflections
 * from the left and from the right leave a bidiagonal matrix with independent chi_n .. chi_1 on the diagonal and
 * chi_(n-1) .. chi_1 above it, so that is what is drawn. */
bool   radial_spectrum(radial *w, long n, double *sigma);

/* What E |1 - alpha| should be at |y|^2/eps = y2.  As drawn, to first order in y2/d, for y independent of M:
 * |M y|^2/|y|^2 is chi^2_n/n, whose mean absolute deviation is 4 k^k e^-k / (n Gamma(k)), k = n/2.  Clamped, in the
 * limit: the defect |y|^2 - |M y|^2 is 3 sqrt3/(4 pi) |y|^2. */
double radial_mean_as_drawn(double d, double y2);
double radial_mean_clamped (double d, double y2);

/* The mean of |1 - alpha| over `draws` pairs. */
double radial_mean_away(radial *w, family F, double d, double y2, long draws);

/* The exponent b in E |1 - alpha| ~ d^b over d = top/8 .. top in seven steps, |y|^2 = eps, fitted once per
 * batch.  Each d's mean is shown, beside `predicted` where that is not NULL; as drawn it is claimed (clamped, the
 * prediction is the limit of large d). */
enum { RADIAL_SIZES = 7 };
void     radial_sizes(long top, double d[RADIAL_SIZES]);
estimate radial_exponent(trial *t, family F, long top, const char *mean, double (*predicted)(double d, double y2));
#endif
