/* SPDX-License-Identifier: GPL-3.0-or-later
 * radial.c - see radial.h. */
#include "src/claim/check_figures.h"
#include "src/methods/measure/radial.h"
#include <cblas.h>
#include <gsl/gsl_sf_gamma.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many fits make an interval, and how many draws the mean at the largest d has in each; at smaller d they are
 * more, as sqrt(top/d), for they cost less. */
static const struct { long batches; double draws; } plan[] = { [AS_DRAWN] = { 32, 700 }, [CLAMPED] = { 16, 192 },
                                                               [ALIGNED] = { 16, 2 } };
enum { MAX_BATCHES = 32, POWER_STEPS = 30 };

double radial_alpha(double d, double y2, double stretch)
{
    const double scale2 = 1 / (y2 / d + 1), z2 = scale2 * y2 * stretch;     /* |L(y)|^2 = scale2 |y|^2; eps = 1 */
    return z2 < d ? sqrt(d / (d - z2) * scale2) : NAN;
}

radial radial_open(scope *s, const char *stream, long top)
{
    const size_t n = (size_t)top;
    return (radial){ measure_stream(s, stream), top, scope_alloc(s, (n * n + 2 * n) * sizeof(double)) };
}

static double dot(long n, const double *x, const double *y) { return cblas_ddot((int)n, x, 1, y, 1); }

static void draw(radial *w, long n, double **M, double **v)
{
    *M = w->room;
    *v = w->room + n * n;
    measure_normals(&w->r, n * n, 1 / sqrt((double)n), *M);
    measure_normals(&w->r, n, 1, *v);
}

/* |M y_j|^2 for the columns y_j of the reflection I - 2 v v'/|v|^2: column j of M - 2 (M v) v'/|v|^2. */
static long as_drawn(radial *w, long n, long draws, double *stretch)
{
    const long count = draws < n ? draws : n;
    double *M, *v, *Mv = w->room + n * n + n;
    draw(w, n, &M, &v);
    cblas_dgemv(CblasRowMajor, CblasNoTrans, (int)n, (int)n, 1, M, (int)n, v, 1, 0, Mv, 1);
    cblas_dger(CblasRowMajor, (int)n, (int)n, -2 / dot(n, v, v), Mv, 1, v, 1, M, (int)n);
    for (long j = 0; j < count; j++) stretch[j] = 0;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < count; j++) stretch[j] += M[i * n + j] * M[i * n + j];
    return count;
}

bool radial_spectrum(radial *w, long n, double *sigma)
{
    double *above = w->room, none[1] = { 0 };
    for (long k = 0; k < n; k++) {
        sigma[k] = measure_chi(&w->r, (double)(n - k)) / sqrt((double)n);
        if (k < n - 1) above[k] = measure_chi(&w->r, (double)(n - 1 - k)) / sqrt((double)n);
    }
    return LAPACKE_dbdsqr(LAPACK_COL_MAJOR, 'U', (int)n, 0, 0, 0, sigma, above, none, 1, none, 1, none, 1) == 0;
}

/* The rotated input V'y of an independent y is uniform on its sphere, so singular values are all it takes. */
enum { INPUTS_PER_SPECTRUM = 64 };
static long clamped(radial *w, long n, long draws, double *stretch)
{
    const long count = draws < INPUTS_PER_SPECTRUM ? draws : INPUTS_PER_SPECTRUM;
    double *sigma = w->room + n, *u = w->room + 2 * n;
    if (!radial_spectrum(w, n, sigma)) sigma[0] = NAN;
    for (long j = 0; j < count; j++) {
        double sum = 0;
        measure_normals(&w->r, n, 1, u);
        for (long i = 0; i < n; i++) sum += (sigma[i] >= 1 ? 1 : sigma[i] * sigma[i]) * u[i] * u[i];
        stretch[j] = sum / dot(n, u, u);
    }
    return count;
}

/* y by the power method for M'M: an input that depends on M. */
static long aligned(radial *w, long n, double *stretch)
{
    double *M, *y, *My = w->room + n * n + n;
    draw(w, n, &M, &y);
    for (int k = 0; k < POWER_STEPS; k++) {
        cblas_dgemv(CblasRowMajor, CblasNoTrans, (int)n, (int)n, 1, M, (int)n, y, 1, 0, My, 1);
        *stretch = dot(n, My, My) / dot(n, y, y);
        cblas_dgemv(CblasRowMajor, CblasTrans, (int)n, (int)n, 1 / sqrt(dot(n, My, My)), M, (int)n, My, 1, 0, y, 1);
    }
    return 1;
}

void radial_stretches(radial *w, family F, long d, long draws, double *stretch)
{
    REQUIRE(2 <= d && d <= w->top && draws > 0, "%ld draws at d = %ld of %ld", draws, d, w->top);
    const long n = d - 1;
    for (long done = 0; done < draws;)
        done += F == AS_DRAWN ? as_drawn(w, n, draws - done, stretch + done)
              : F == CLAMPED  ? clamped(w, n, draws - done, stretch + done) : aligned(w, n, stretch + done);
}

double radial_mean_as_drawn(double d, double y2)
{
    const double n = d - 1, k = n / 2;
    return y2 / (2 * d) * 4 * exp(k * log(k) - k - gsl_sf_lngamma(k)) / n;
}

double radial_mean_clamped(double d, double y2)
{
    return 1 - radial_alpha(d, y2, 1 - 3 * sqrt(3) / (4 * M_PI));
}

void radial_sizes(long top, double d[RADIAL_SIZES])
{
    for (int k = 0; k < RADIAL_SIZES; k++) d[k] = round((double)top / 8 * exp2(k / 2.0));
}

double radial_mean_away(radial *w, family F, double d, double y2, long draws)
{
    double *stretch = must_calloc((size_t)draws, sizeof *stretch), sum = 0;
    radial_stretches(w, F, (long)d, draws, stretch);
    for (long k = 0; k < draws; k++) sum += fabs(1 - radial_alpha(d, y2, stretch[k]));
    free(stretch);
    return sum / (double)draws;
}

estimate radial_exponent(trial *t, family F, long top, const char *mean, double (*predicted)(double d, double y2))
{
    radial w = radial_open(&t->s, mean, top);
    const long batches = plan[F].batches;
    double d[RADIAL_SIZES], away[RADIAL_SIZES][MAX_BATCHES], exponent[MAX_BATCHES];
    radial_sizes(top, d);
    for (long b = 0; b < batches; b++) {
        double y[RADIAL_SIZES];
        for (int k = 0; k < RADIAL_SIZES; k++) {
            const double draws = plan[F].draws * sqrt((double)top / d[k]);
            y[k] = away[k][b] = radial_mean_away(&w, F, d[k], 1, (long)draws);
        }
        exponent[b] = measure_exponent(RADIAL_SIZES, d, y);
    }
    for (int k = 0; k < RADIAL_SIZES; k++) {
        const estimate is = measure_mean(batches, away[k]);
        const double theory = predicted ? predicted(d[k], 1) : NAN;
        if (F == AS_DRAWN && predicted) claim_measured(t, mean, d[k], is, theory);
        else claim_shown(t, mean, d[k], is, theory);
    }
    return measure_mean(batches, exponent);
}
