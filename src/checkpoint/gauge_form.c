/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_form.c - see gauge_form.h. */
#include <cblas.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/gauge_form.h"

/* ---- one factor -------------------------------------------------------------------------------------------------- */

/* sign x[:, from] becomes y[:, to]. */
typedef struct { long from, to; double sign; } copied;

static double x_of(const block *X, const copied *c, long row) { return c->sign * X->x[row * X->cols + c->from]; }

static bool all_are(const block *X, const block *Y, const rounding *r, int n, const copied *c, double factor)
{
    for (int k = 0; k < n; k++)
        for (long row = 0; row < X->rows; row++) {
            const double y = Y->x[row * X->cols + c[k].to];
            if (!(rounding_units(r, fabs(factor * x_of(X, &c[k], row) - y), fabs(y)) <= ROUNDING_UNITS)) return false;
        }
    return true;
}

/* The factors f for which each f x is y up to one rounding; low > high: there are none. */
typedef struct { long double low, high; } interval;
static interval all_rows(const block *X, const block *Y, const rounding *r, int n, const copied *c)
{
    interval f = { -INFINITY, INFINITY };
    for (int k = 0; k < n; k++)
        for (long row = 0; row < X->rows; row++) {
            const long double x = x_of(X, &c[k], row), y = Y->x[row * X->cols + c[k].to];
            if (x == 0) continue;
            const long double off = ROUNDING_UNITS * (r->unit * fabsl(y) + r->least), one = (y - off) / x,
                other = (y + off) / x;
            f.low = fmaxl(f.low, fminl(one, other));
            f.high = fminl(f.high, fmaxl(one, other));
        }
    return f;
}

/* The median of y / x where x is not small, which a few numbers that are off do not move; 1 for columns of zeros. */
static double median(const block *X, const block *Y, int n, const copied *c)
{
    double *ratio = must_calloc((size_t)(n * X->rows), sizeof *ratio), square = 0;
    long ratios = 0;
    for (int k = 0; k < n; k++)
        for (long row = 0; row < X->rows; row++) square += x_of(X, &c[k], row) * x_of(X, &c[k], row);
    const double least = 0.5 * sqrt(square / (double)(n * X->rows));
    for (int k = 0; k < n; k++)
        for (long row = 0; row < X->rows; row++) {
            const double x = x_of(X, &c[k], row);
            if (fabs(x) >= least && x != 0) ratio[ratios++] = Y->x[row * X->cols + c[k].to] / x;
        }
    gsl_sort(ratio, 1, (size_t)ratios);
    const double middle = ratios ? ratio[ratios / 2] : 1;
    free(ratio);
    return middle;
}

/* A power of 2 near the median, if that is one for all rows, or no factor is; else a factor of all rows; else the
 * median. */
static double factor_of(const block *X, const block *Y, const rounding *r, int n, const copied *c)
{
    int e;
    const double middle = median(X, Y, n, c), m = frexp(fabs(middle), &e);
    const double power = copysign(ldexp(1, m > 0.75 ? e : e - 1), middle);
    const bool near = fabs(middle - power) <= 4 * r->unit * fabs(middle);
    if (near && all_are(X, Y, r, n, c, power)) return power;
    const interval f = all_rows(X, Y, r, n, c);
    const double between = (double)((f.low + f.high) / 2);
    return f.low <= f.high && isfinite(between) ? between : near ? power : middle;
}

/* ---- pairs that turn --------------------------------------------------------------------------------------------- */

/* (re, im; -im, re): the smaller one is 0 where it is at most `off` times the other. */
static void settle_pairs(const block *X, const block *Y, long turning, const rounding *r, const double *F, double off,
                         double *G)
{
    const long k = X->cols;
    for (long i = 0, j = turning / 2; i < turning / 2; i++, j++) {
        const double re = F[i * k + i], im = F[i * k + j];
        G[i * k + i] = G[j * k + j] = re;
        G[i * k + j] = im;
        G[j * k + i] = -im;
        if (fabs(im) <= off * fabs(re) && fabs(im) <= fabs(re)) {
            G[i * k + i] = G[j * k + j] = factor_of(X, Y, r, 2, (copied[]){ { i, i, 1 }, { j, j, 1 } });
            G[i * k + j] = G[j * k + i] = 0;
        } else if (fabs(re) <= off * fabs(im)) {
            G[i * k + j] = factor_of(X, Y, r, 2, (copied[]){ { i, j, 1 }, { j, i, -1 } });
            G[j * k + i] = -G[i * k + j];
            G[i * k + i] = G[j * k + j] = 0;
        }
    }
}

/* ---- another order ----------------------------------------------------------------------------------------------- */

/* Of the columns from `first` on, to be freed. */
static double *norms_of(const block *X, long first)
{
    double *norm = must_calloc((size_t)(X->cols - first) + 1, sizeof *norm);
    for (long c = first; c < X->cols; c++) norm[c - first] = cblas_dnrm2((blasint)X->rows, X->x + c, (blasint)X->cols);
    return norm;
}

void gauge_match(const block *X, const block *Y, long turning, const rounding *r, const double *F, double *G)
{
    const long k = X->cols, n = k - turning;
    memset(G, 0, (size_t)(k * k) * sizeof *G);
    settle_pairs(X, Y, turning, r, F, INFINITY, G);
    if (n == 0) return;
    double *size = norms_of(X, turning), *size_of_y = norms_of(Y, turning);
    double *angle = must_calloc((size_t)(n * n), sizeof *angle);         /* X'Y of the rest */
    bool *taken = must_calloc((size_t)n, sizeof *taken);
    cblas_dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (blasint)n, (blasint)n, (blasint)X->rows, 1, X->x + turning,
                (blasint)k, Y->x + turning, (blasint)k, 0, angle, (blasint)n);
    for (long c = 0; c < n; c++) {
        double most = -1;
        long at = -1;
        for (long i = 0; i < n; i++) {
            if (taken[i]) continue;
            const double is = size_of_y[c] == 0 ? size[i] == 0 : size[i] > 0 ? fabs(angle[i * n + c]) / size[i] : 0;
            if (is > most) most = is, at = i;
        }
        if (at < 0) break;                               /* numbers that are not finite */
        taken[at] = true;
        G[(turning + at) * k + turning + c] = factor_of(X, Y, r, 1, &(copied){ turning + at, turning + c, 1 });
    }
    free(size);
    free(size_of_y);
    free(angle);
    free(taken);
}

bool gauge_adds_nothing(const double *G, long k)
{
    for (long i = 0; i < k; i++) {
        long row = 0, col = 0;
        for (long j = 0; j < k; j++) row += G[i * k + j] != 0, col += G[j * k + i] != 0;
        if (row != 1 || col != 1) return false;
    }
    return true;
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

/* What X F has of a column of X is noise of the fit below this share of the largest: some roundings of X and Y. */
static double noise_of(const rounding *r) { return fmax(4 * r->unit, 0x1p-40); }

static void join(long *block_of, long n, long a, long b)
{
    for (long k = 0; k < n && a != b; k++) if (block_of[k] == b) block_of[k] = a;
}

/* Rows and columns that a number of F which is not small connects have one block: of row i at i, of column c at n +
 * c. */
static void connect(const block *X, long turning, const rounding *r, const double *F, long n, long *block_of)
{
    double *size = norms_of(X, turning), *share = must_calloc((size_t)n + 1, sizeof *share);
    for (long i = 0; i < 2 * n; i++) block_of[i] = i;
    for (long c = 0; c < n; c++) {
        double most = 0;
        for (long i = 0; i < n; i++) {
            share[i] = size[i] * fabs(F[(turning + i) * X->cols + turning + c]);
            most = fmax(most, share[i]);
        }
        for (long i = 0; i < n; i++)
            if (share[i] > noise_of(r) * most) join(block_of, 2 * n, block_of[i], block_of[n + c]);
    }
    free(size);
    free(share);
}

bool gauge_blocks(const block *X, const block *Y, long turning, const rounding *r, const double *F, double *G)
{
    const long k = X->cols, n = k - turning;
    memset(G, 0, (size_t)(k * k) * sizeof *G);
    settle_pairs(X, Y, turning, r, F, noise_of(r), G);
    long *block_of = must_calloc((size_t)(2 * n) + 1, sizeof *block_of);
    long *from = must_calloc((size_t)k, sizeof *from), *to = must_calloc((size_t)k, sizeof *to);
    connect(X, turning, r, F, n, block_of);
    bool good = true;
    for (long b = 0; b < 2 * n && good; b++) {
        long rows = 0, cols = 0;
        for (long i = 0; i < n; i++) if (block_of[i] == b) from[rows++] = turning + i;
        for (long c = 0; c < n; c++) if (block_of[n + c] == b) to[cols++] = turning + c;
        good = rows == cols;
        if (good && rows == 1) G[from[0] * k + to[0]] = factor_of(X, Y, r, 1, &(copied){ from[0], to[0], 1 });
        else if (good) good = gauge_fit_columns(X, Y, rows, from, to, G);
    }
    free(block_of);
    free(from);
    free(to);
    return good;
}
