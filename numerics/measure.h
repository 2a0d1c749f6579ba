/* SPDX-License-Identifier: GPL-3.0-or-later
 * measure.h - measured figures: estimates with their intervals, fits, random streams.
 *
 * An estimate is shown with its 95 % interval [low, high].  What decides is the interval [least, most] of the
 * same kind at 1 - 10^-6: of a hundred true figures five miss their 95 % interval for any seed, and a suite
 * that fails for every seed says nothing.  A prediction outside the wider one is wrong, whatever the seed.  */
#ifndef MEASURE_H
#define MEASURE_H
#include <gsl/gsl_rng.h>
#include "numerics/mat.h"

typedef struct { double value, low, high, least, most; } estimate;

estimate measure_mean (long n, const double *x);         /* Student: n >= 3 independent values             */
estimate measure_share(long hits, long n);               /* Clopper and Pearson: exact for every n >= 1     */
estimate measure_known(double value);                    /* computed, not drawn: an interval of no width    */

/* Least squares through n points; x, y > 0 where a logarithm is taken.  The terms in 1/x take up what is
 * left of an asymptotic law at finite x. */
double measure_power   (long n, const double *x, const double *y);   /* b of y = A x^b,            n >= 3   */
double measure_exponent(long n, const double *x, const double *y);   /* b of y = A x^b e^(c/x),    n >= 4   */
double measure_limit   (long n, const double *x, const double *y);   /* a of y = a + c/x,          n >= 3   */

/* The stream `name` of s's (seed, trial), owned by s: the same numbers whenever the trial is run again. */
gsl_rng measure_stream(scope *s, const char *name);
void    measure_normals(gsl_rng *r, long n, double sd, double *x);   /* independent N(0, sd^2)              */
double  measure_chi    (gsl_rng *r, double freedom);                /* the norm of `freedom` N(0, 1)       */
/* A matrix of independent N(0, sd^2), rounded to multiples of 2^-40. */
const mat *measure_gauss(scope *s, gsl_rng *r, long rows, long cols, double sd);
#endif
