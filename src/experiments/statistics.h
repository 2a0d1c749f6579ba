/* statistics.h - what a few seeds say: means with intervals, paired comparisons, corrections for asking often.
 *
 * Variants see the same text in the same order for each seed, so that they are compared by the differences of
 * their losses, seed by seed.  n is fixed before looking; which comparisons are made is in presets.c. */
#ifndef STATISTICS_H
#define STATISTICS_H
#include "src/base/base.h"

double stats_mean  (const double *x, long n);                      /* n > 0                                    */
double stats_sd    (const double *x, long n);                      /* n - 1 in the denominator; NaN: n < 2     */
double stats_median(const double *x, long n);                      /* n > 0                                    */

/* Student's interval of the mean at `level`, e.g. 0.95.  n < 2: low = -inf, high = inf. */
typedef struct { double mean, low, high; } stats_interval;
stats_interval stats_mean_interval(const double *x, long n, double level);
/* How far its ends move at most when none of the numbers moves by more than `by`; n < 2: 0. */
double stats_interval_shift(long n, double level, double by);

/* P of a mean as small as this one or smaller when the true one is `is`; NaN: n < 2. */
double stats_p_below(const double *x, long n, double is);
/* Two one-sided tests (Schuirmann 1987): P that supports -margin < true mean < margin; NaN: n < 2. */
double stats_p_equivalent(const double *x, long n, double margin);
/* Holm (1979): replaces each of n p-values by its adjusted one.  A NaN stays and counts as a question asked. */
void   stats_holm(double *p, long n);
/* Standard error of a share p of n independent trials. */
double stats_binomial_error(double p, double n);
#endif
