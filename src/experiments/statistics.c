/* SPDX-License-Identifier: GPL-3.0-or-later
 * statistics.c - see statistics.h. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/statistics.h"

double stats_mean(const double *x, long n)
{
    REQUIRE(n > 0, "mean of %ld numbers", n);
    double sum = 0;
    for (long k = 0; k < n; k++) sum += x[k];
    return sum / (double)n;                                   /* infinite if one is, where GSL's mean is NaN */
}

double stats_sd(const double *x, long n)
{
    return n < 2 ? NAN : gsl_stats_sd(x, 1, (size_t)n);
}

double stats_median(const double *x, long n)
{
    REQUIRE(n > 0, "median of %ld numbers", n);
    for (long k = 0; k < n; k++) if (isnan(x[k])) return NAN;              /* has no place in the order */
    double *sorted = must_calloc((size_t)n, sizeof *sorted);
    memcpy(sorted, x, (size_t)n * sizeof *sorted);
    gsl_sort(sorted, 1, (size_t)n);
    const double median = gsl_stats_median_from_sorted_data(sorted, 1, (size_t)n);
    free(sorted);
    return median;
}

enum { NORMAL_FROM = 100000 };           /* degrees of freedom: the normal quantile differs by less than 1e-5 */

/* s^2 / n + e^2 has (s^2 / n + e^2)^2 (n - 1) / (s^2 / n)^2 degrees of freedom, e being known. */
stats_estimate stats_estimate_mean(const double *x, long n, double shared)
{
    const double known = shared * shared, sd = n < 2 ? 0 : stats_sd(x, n), own = sd * sd / (double)n;
    stats_estimate e = { stats_mean(x, n), sqrt(own + known), INFINITY };
    if (n < 2 && !(known > 0)) e.error = NAN;
    if (n >= 2 && (own > 0 || !(known > 0))) e.freedom = (double)(n - 1);
    if (n >= 2 && own > 0 && known > 0) e.freedom *= (own + known) * (own + known) / (own * own);
    if (e.freedom > NORMAL_FROM) e.freedom = INFINITY;
    return e;
}

stats_interval stats_estimate_interval(stats_estimate of, double level)
{
    REQUIRE(0 < level && level < 1, "an interval at level %g", level);
    if (isnan(of.error)) return (stats_interval){ of.mean, -INFINITY, INFINITY };
    const double outside = (1 - level) / 2;
    const double t = isinf(of.freedom) ? gsl_cdf_ugaussian_Qinv(outside) : gsl_cdf_tdist_Qinv(outside, of.freedom);
    return (stats_interval){ of.mean, of.mean - t * of.error, of.mean + t * of.error };
}

stats_interval stats_mean_interval(const double *x, long n, double level)
{
    return stats_estimate_interval(stats_estimate_mean(x, n, 0), level);
}

/* The mean moves by at most `by`, the standard deviation by at most sqrt(n / (n - 1)) by. */
double stats_interval_shift(long n, double level, double by)
{
    if (n < 2) return 0;
    const double freedom = (double)(n - 1);
    return by * (1 + gsl_cdf_tdist_Qinv((1 - level) / 2, freedom) / sqrt(freedom));
}

/* t = (mean - is) / error; all numbers equal: t is infinite, or 0 where their mean is `is`. */
static double t_of(stats_estimate of, double is)
{
    const double gap = of.mean - is;
    return gap == 0 ? 0 : gap / of.error;
}

static double share_below(double t, double freedom)
{
    if (isinf(t)) return t > 0;
    return isinf(freedom) ? gsl_cdf_ugaussian_P(t) : gsl_cdf_tdist_P(t, freedom);
}

double stats_estimate_p_below(stats_estimate of, double is)
{
    return isnan(of.error) ? NAN : share_below(t_of(of, is), of.freedom);
}

double stats_estimate_p_equivalent(stats_estimate of, double margin)
{
    REQUIRE(margin > 0, "equivalence within %g", margin);
    if (isnan(of.error)) return NAN;
    return fmax(stats_estimate_p_below(of, margin), share_below(-t_of(of, -margin), of.freedom));
}

double stats_p_below(const double *x, long n, double is)
{
    return stats_estimate_p_below(stats_estimate_mean(x, n, 0), is);
}

double stats_p_equivalent(const double *x, long n, double margin)
{
    return stats_estimate_p_equivalent(stats_estimate_mean(x, n, 0), margin);
}

/* p_(k) becomes max over i <= k of min(1, (n - i) p_(i)), i from 0 in ascending order. */
void stats_holm(double *p, long n)
{
    bool *done = must_calloc((size_t)n + 1, sizeof *done);
    double least = 0;
    for (long i = 0; i < n; i++) {
        long at = -1;
        for (long k = 0; k < n; k++) if (!done[k] && !isnan(p[k]) && (at < 0 || p[k] < p[at])) at = k;
        if (at < 0) break;
        done[at] = true;
        least = fmax(least, fmin(1, (double)(n - i) * p[at]));
        p[at] = least;
    }
    free(done);
}

double stats_binomial_error(double p, double n)
{
    REQUIRE(0 <= p && p <= 1 && n > 0, "a share of %g of %g", p, n);
    return sqrt(p * (1 - p) / n);
}

double stats_share_error(double p, double n)
{
    return stats_binomial_error((n * p + 1) / (n + 2), n + 2);
}
