/* statistics.c - see statistics.h. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/statistics.h"

double stats_mean(const double *x, long n)
{
    REQUIRE(n > 0, "mean of %ld numbers", n);
    double sum = 0;
    for (long k = 0; k < n; k++) sum += x[k];
    return sum / (double)n;
}

double stats_sd(const double *x, long n)
{
    if (n < 2) return NAN;
    const double mean = stats_mean(x, n);
    double sum = 0;
    for (long k = 0; k < n; k++) sum += (x[k] - mean) * (x[k] - mean);
    return sqrt(sum / (double)(n - 1));
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double stats_median(const double *x, long n)
{
    REQUIRE(n > 0, "median of %ld numbers", n);
    double *sorted = must_calloc((size_t)n, sizeof *sorted);
    memcpy(sorted, x, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
    free(sorted);
    return median;
}

stats_interval stats_mean_interval(const double *x, long n, double level)
{
    REQUIRE(0 < level && level < 1, "an interval at level %g", level);
    const double mean = stats_mean(x, n);
    if (n < 2) return (stats_interval){ mean, -INFINITY, INFINITY };
    const double half = gsl_cdf_tdist_Qinv((1 - level) / 2, (double)(n - 1)) * stats_sd(x, n) / sqrt((double)n);
    return (stats_interval){ mean, mean - half, mean + half };
}

/* The mean moves by at most `by`, the standard deviation by at most sqrt(n / (n - 1)) by. */
double stats_interval_shift(long n, double level, double by)
{
    if (n < 2) return 0;
    const double freedom = (double)(n - 1);
    return by * (1 + gsl_cdf_tdist_Qinv((1 - level) / 2, freedom) / sqrt(freedom));
}

/* t = (mean - is) sqrt(n) / sd; all numbers equal: t is infinite, or 0 where their mean is `is`. */
static double t_of(const double *x, long n, double is)
{
    const double gap = stats_mean(x, n) - is, sd = stats_sd(x, n);
    return gap == 0 ? 0 : gap * sqrt((double)n) / sd;
}

static double share_below(double t, double freedom)
{
    return isinf(t) ? t > 0 : gsl_cdf_tdist_P(t, freedom);
}

double stats_p_below(const double *x, long n, double is)
{
    return n < 2 ? NAN : share_below(t_of(x, n, is), (double)(n - 1));
}

double stats_p_equivalent(const double *x, long n, double margin)
{
    REQUIRE(margin > 0, "equivalence within %g", margin);
    if (n < 2) return NAN;
    return fmax(stats_p_below(x, n, margin), share_below(-t_of(x, n, -margin), (double)(n - 1)));
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
