/* SPDX-License-Identifier: GPL-3.0-or-later
 * measure.c - intervals and fits, by GSL: see measure.h. */
#include "numerics/measure.h"
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include "numerics/random.h"

/* Probability left out on each side: of what is shown, and of what decides. */
static const double SHOWN = 0.025, DECIDES = 0.5e-6;

estimate measure_mean(long n, const double *x)
{
    REQUIRE(n >= 3, "the mean of %ld values", n);
    const double mean = gsl_stats_mean(x, 1, (size_t)n);
    const double error = gsl_stats_sd_m(x, 1, (size_t)n, mean) / sqrt((double)n), freedom = (double)(n - 1);
    const double shown = error * gsl_cdf_tdist_Qinv(SHOWN, freedom);
    const double decides = error * gsl_cdf_tdist_Qinv(DECIDES, freedom);
    return (estimate){ mean, mean - shown, mean + shown, mean - decides, mean + decides };
}

/* The x in [0, 1] with I_x(a, b) = p, by halving: GSL's own inverse does not always converge. */
static double beta_inverse(double p, double a, double b)
{
    double low = 0, high = 1;
    for (double x = 0.5; x > low && x < high; x = (low + high) / 2) *(gsl_cdf_beta_P(x, a, b) < p ? &low : &high) = x;
    return high;
}

/* The least share with P(at least k of n) >= tail, and the largest with P(at most k) >= tail. */
static double least_share(double k, double n, double tail)
{
    return k > 0 ? beta_inverse(tail, k, n - k + 1) : 0;
}
static double most_share(double k, double n, double tail)
{
    return k < n ? 1 - beta_inverse(tail, n - k, k + 1) : 1;
}

estimate measure_share(long hits, long n)
{
    REQUIRE(0 <= hits && hits <= n && n > 0, "%ld hits of %ld", hits, n);
    const double k = (double)hits, all = (double)n;
    return (estimate){ k / all, least_share(k, all, SHOWN), most_share(k, all, SHOWN), least_share(k, all, DECIDES),
                       most_share(k, all, DECIDES) };
}

estimate measure_known(double value) { return (estimate){ value, value, value, value, value }; }

/* ---- fits ------------------------------------------------------------------------------------------ */

/* Coefficient 1 of the least squares fit of y on the first p columns of (1, u, v). */
static double fit(long n, long p, const double *u, const double *v, const double *y)
{
    gsl_matrix *X = gsl_matrix_alloc((size_t)n, (size_t)p), *covariance = gsl_matrix_alloc((size_t)p, (size_t)p);
    gsl_vector *c = gsl_vector_alloc((size_t)p);
    gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc((size_t)n, (size_t)p);
    const gsl_vector_const_view right = gsl_vector_const_view_array(y, (size_t)n);
    double sum;
    for (long k = 0; k < n; k++) {
        gsl_matrix_set(X, (size_t)k, 0, 1);
        gsl_matrix_set(X, (size_t)k, 1, u[k]);
        if (p > 2) gsl_matrix_set(X, (size_t)k, 2, v[k]);
    }
    gsl_multifit_linear(X, &right.vector, c, covariance, &sum, work);
    const double slope = gsl_vector_get(c, 1);
    gsl_multifit_linear_free(work);
    gsl_vector_free(c);
    gsl_matrix_free(covariance);
    gsl_matrix_free(X);
    return slope;
}

static double power(long n, long p, const double *x, const double *y)
{
    double *logs = must_calloc(3 * (size_t)n, sizeof *logs), *one_over = logs + n, *log_y = logs + 2 * n;
    for (long k = 0; k < n; k++) {
        logs[k] = log(x[k]);
        one_over[k] = 1 / x[k];
        log_y[k] = log(y[k]);
    }
    const double b = fit(n, p, logs, one_over, log_y);
    free(logs);
    return b;
}

double measure_power(long n, const double *x, const double *y)
{
    REQUIRE(n >= 3, "a power law through %ld points", n);
    return power(n, 2, x, y);
}

double measure_exponent(long n, const double *x, const double *y)
{
    REQUIRE(n >= 4, "a power law with its correction through %ld points", n);
    return power(n, 3, x, y);
}

double measure_limit(long n, const double *x, const double *y)
{
    REQUIRE(n >= 3, "a limit from %ld points", n);
    double *one_over = must_calloc((size_t)n, sizeof *one_over), a, c, cov00, cov01, cov11, sum;
    for (long k = 0; k < n; k++) one_over[k] = 1 / x[k];
    gsl_fit_linear(one_over, 1, y, 1, (size_t)n, &a, &c, &cov00, &cov01, &cov11, &sum);
    free(one_over);
    return a;
}

/* ---- draws ----------------------------------------------------------------------------------------- */

gsl_rng measure_stream(scope *s, const char *name)
{
    uint64_t key[2];
    gsl_rng r = { .type = gsl_rng_taus2, .state = scope_alloc(s, gsl_rng_taus2->size) };
    mat_note_numbers(s);
    random_key_derive(key, s->key, name);
    gsl_rng_set(&r, (unsigned long)key[0]);
    return r;
}

void measure_normals(gsl_rng *r, long n, double sd, double *x)
{
    for (long k = 0; k < n; k++) x[k] = gsl_ran_gaussian_ziggurat(r, sd);
}

double measure_chi(gsl_rng *r, double freedom) { return sqrt(gsl_ran_chisq(r, freedom)); }

const mat *measure_gauss(scope *s, gsl_rng *r, long rows, long cols, double sd)
{
    int64_t *m = must_calloc((size_t)(rows * cols), sizeof *m);
    for (long k = 0; k < rows * cols; k++) m[k] = llrint(ldexp(gsl_ran_gaussian_ziggurat(r, sd), 40));
    const mat *A = mat_dyadic(s, rows, cols, m, -40);
    free(m);
    return A;
}
