/* statistics.h - what a few seeds say: means with intervals, paired comparisons, corrections for asking often.
 *
 * Variants see the same text in the same order for each seed, so that they are compared by the differences of
 * their losses, seed by seed.  n is fixed before looking; which comparisons are made is in presets.c. */
#ifndef STATISTICS_H
#define STATISTICS_H
#include "src/base/base.h"

double mean_of  (const double *x, long n);                         /* n > 0                                    */
double sd_of    (const double *x, long n);                         /* n - 1 in the denominator; NaN: n < 2     */
double median_of(const double *x, long n);                         /* n > 0                                    */

/* Student's interval of the mean at `level`, e.g. 0.95.  n < 2: low = -inf, high = inf. */
typedef struct { double mean, low, high; } mean_interval;
mean_interval interval_of(const double *x, long n, double level);
/* How far its ends move at most when none of the numbers moves by more than `by`; n < 2: 0. */
double interval_shift(long n, double level, double by);

/* P of a mean as small as this one or smaller when the true one is `is`; NaN: n < 2. */
double p_below(const double *x, long n, double is);
/* Two one-sided tests (Schuirmann 1987): P that supports -margin < true mean < margin; NaN: n < 2. */
double p_equivalent(const double *x, long n, double margin);
/* Holm (1979): replaces each of n p-values by its adjusted one.  A NaN stays and counts as a question asked. */
void   holm(double *p, long n);
/* Standard error of a share p of n independent trials. */
double binomial_error(double p, double n);
#endif
