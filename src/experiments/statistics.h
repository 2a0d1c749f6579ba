/* SPDX-License-Identifier: GPL-3.0-or-later
 * statistics.h - statistics of a few seeds: means with intervals, paired comparisons, correction for multiple tests.
 *
 * For each seed all variants are trained on the same data in the same order, so that they are compared by the
 * differences of their losses, seed by seed.  n and the comparisons (presets.c) are fixed before any run. */
#ifndef STATISTICS_H
#define STATISTICS_H
#include "src/base/base.h"

double stats_mean  (const double *x, long n);                      /* n > 0                                    */
double stats_sd    (const double *x, long n);                      /* n - 1 in the denominator; NaN: n < 2     */
double stats_median(const double *x, long n);                      /* n > 0; NaN: one of them is               */

/* Student's interval of the mean at `level`, e.g. 0.95.  n < 2: low = -inf, high = inf. */
typedef struct { double mean, low, high; } stats_interval;
stats_interval stats_mean_interval(const double *x, long n, double level);
/* How far its ends move at most when none of the numbers moves by more than `by`; n < 2: 0. */
double stats_interval_shift(long n, double level, double by);

/* An estimate: its standard error, and Student's degrees of freedom (INFINITY: normal).  NaN: not known. */
typedef struct { double mean, error, freedom; } stats_estimate;
/* The mean of n > 0 numbers which all have the same further error, of standard deviation `shared`: the variances are
 * added, with the degrees of freedom of Welch (1947) and Satterthwaite (1946).  shared = 0: Student's. */
stats_estimate stats_estimate_mean(const double *x, long n, double shared);
stats_interval stats_estimate_interval(stats_estimate of, double level);
double stats_estimate_p_below(stats_estimate of, double is);             /* as the two below              */
double stats_estimate_p_equivalent(stats_estimate of, double margin);

/* P of a mean as small as this one or smaller when the true one is `is`; NaN: n < 2. */
double stats_p_below(const double *x, long n, double is);
/* Two one-sided tests (Schuirmann 1987): P that supports -margin < true mean < margin; NaN: n < 2. */
double stats_p_equivalent(const double *x, long n, double margin);
/* Holm (1979): replaces each of n p-values by its adjusted one.  A NaN stays and counts as a test. */
void   stats_holm(double *p, long n);
/* Standard error of a share p of n independent trials. */
double stats_binomial_error(double p, double n);
/* The same with one success and one failure more (Agresti and Caffo 2000): never 0. */
double stats_share_error(double p, double n);
#endif
