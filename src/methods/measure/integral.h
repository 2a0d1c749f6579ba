/* SPDX-License-Identifier: GPL-3.0-or-later
 * integral.h - expectations as integrals in balls, against their closed forms.
 *
 * Arb's integration (Petras' method, with error bounds) encloses the integral; what lies outside a finite range is
 * bounded by hand and added to the radius.  Two enclosures of one number meet; those of different numbers do not,
 * once they are thin.                                                                                    */
#ifndef INTEGRAL_H
#define INTEGRAL_H
#include "numerics/mat.h"

/* ---- quarter.c: the quarter-circle law sqrt(4 - s^2)/pi on [0, 2], the limit (Marchenko and Pastur) of the singular
 * values s of a d x d matrix with independent N(0, 1/d) entries.                                         */
typedef enum {
    Q_ABOVE,                             /* P(s > 1)             = 2/3 - sqrt3/(2 pi)      = 0.39100        */
    Q_EXCESS,                            /* E ((s - 1)+)^2       = 4/3 - 9 sqrt3/(4 pi)    = 0.09284        */
    Q_CLAMPED,                           /* E min(s^2, 1)        = 1 - 3 sqrt3/(4 pi)      = 0.58650        */
    Q_DEFECT,                            /* E (1 - min(s^2, 1))  = 3 sqrt3/(4 pi)          = 0.41350        */
    Q_SQUARE,                            /* E s^2                = 1                                        */
    Q_FREE_DEFECT,                       /* E (1 - s^2)          = 0                                        */
} quarter;
/* The integral of one against the closed form of another, which for a true claim is the same. */
comparison quarter_compare(quarter integral, quarter closed, long bits);
/* Is the integral greater than num/den? */
comparison quarter_exceeds(quarter integral, long num, long den, long bits);
double     quarter_value(quarter closed);                /* nearest double                                  */

/* ---- clamping.c: entries of variance c/d instead, whose singular values sqrt(c) s are clamped to 1       */
typedef enum {
    C_LOST,                              /* sqrt(E ((sqrt(c) s - 1)+)^2 / E c s^2): what clamping takes away, relative
                                            to what there was                                              */
    C_DEFECT,                            /* E (1 - min(c s^2, 1))                                           */
} clamping;
/* low/1000 < which < high/1000, for c = num/den >= 1/4?  Contract: num, den > 0. */
comparison clamping_between(clamping which, long num, long den, long low, long high, long bits);
/* Is one of the two greater than num/den for every c > 0?  REFUTED: there is a c for which neither is. */
comparison clamping_never_small(long num, long den);

/* ---- gaussian.c: E f for Gaussian s, t of mean 0 with variances a, b and covariance c, all over one denominator.
 * GELU(y) = y Phi(y) = y/2 + g(y), g even.                                                                */
typedef struct { long a, b, c, den; } covariance;        /* a, b > 0, c^2 < a b                             */
typedef enum {
    G_STEIN,                             /* E s GELU(s) = a E GELU'(s) = a/2                                 */
    G_SQUARE,                            /* E g(s)^2 = gaussian_even(a, a, a)                                */
    G_PAIR,                              /* E g(s) g(t) = gaussian_even(a, b, c)                             */
} gaussian;
comparison gaussian_compare(gaussian integral, gaussian closed, covariance s, long bits);
/* E g(s) g(t) = ((ab + c^2 (1/(1+a) + 1/(1+b) - 1))/sqrt((1+a)(1+b) - c^2) + c asin(c/sqrt((1+a)(1+b))))/(2 pi) */
double     gaussian_even(double a, double b, double c);
double     gaussian_even_mean(double a);                 /* E g(s) = a/sqrt(2 pi (1 + a))                   */
#endif
