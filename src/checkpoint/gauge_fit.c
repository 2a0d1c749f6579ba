/* SPDX-License-Identifier: GPL-3.0-or-later
 * gauge_fit.c - see gauge_fit.h. */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/gauge_fit.h"
#include "src/checkpoint/gauge_form.h"

double block_largest(const block *b)
{
    double most = 0;
    for (long k = 0; k < b->rows * b->cols; k++) most = fmax(most, fabs(b->x[k]));
    return most;
}

double product_units(const rounding *r, double condition, long terms)
{
    const double sums = sqrt((double)terms) * fmin(1, 0x1p-24 / r->unit);
    return fmin(PRODUCT_UNITS, 2 * ROUNDING_UNITS * condition * (1 + sums));
}

double rounding_units_of_all(const rounding *r, long n, const double *off, const double *size)
{
    double of_off = 0, of_size = 0;
    for (long k = 0; k < n; k++) of_off += off[k] * off[k], of_size += size[k] * size[k];
    return rounding_units(r, sqrt(of_off / (double)n), sqrt(of_size / (double)n));
}

double search_tolerance(const rounding *r) { return fmin(PRODUCT_UNITS * r->unit, ROUNDING_MOST); }

double gauge_condition(const double *G, long k)
{
    double *back = gauge_inverse_transposed(G, k), of_g = 0, of_back = 0;
    for (long i = 0; back && i < k * k; i++) of_g += G[i] * G[i], of_back += back[i] * back[i];
    const double condition = back ? sqrt(of_g * of_back) / (double)k : INFINITY;
    free(back);
    return isfinite(condition) ? fmax(condition, 1) : INFINITY;
}

/* G's (i, c), and that of X G or (G X)'. */
typedef struct { long k, lines, of_i, of_c, x_line, x_i; } product_form;
static product_form form_of(const block *X, bool left)
{
    const long k = left ? X->rows : X->cols, lines = left ? X->cols : X->rows;
    return left ? (product_form){ k, lines, 1, k, 1, lines } : (product_form){ k, lines, k, 1, k, 1 };
}

double *gauge_allowed(const block *X, const double *G, bool left, double factor, const rounding *r)
{
    const product_form f = form_of(X, left);
    const double own = fmax(X->units, ROUNDING_UNITS), fit = PRODUCT_UNITS * 0x1p-53 / r->unit;
    /* doubles: computed in the type itself */
    const double factors = factor + (factor > 0 ? 4 : 2) * 0x1p-53 / r->unit;
    double *allowed = must_calloc((size_t)f.k, sizeof *allowed), condition = 0;
    for (long c = 0; c < f.k; c++) {
        long terms = 0;
        bool power = true;
        for (long i = 0; i < f.k; i++) {
            const double g = G[i * f.of_i + c * f.of_c];
            int e;
            terms += g != 0;
            power = power && (g == 0 || fabs(frexp(g, &e)) == 0.5);
        }
        if (terms > 1 && condition == 0) condition = gauge_condition(G, f.k);
        const double products = product_units(r, fmax(X->condition, 1) * condition, X->terms + terms) + fit;
        allowed[c] = terms > 1 ? fmax(own, fmin(PRODUCT_UNITS, products))
                   : power ? own : own + factors;
    }
    return allowed;
}

double *gauge_sizes(const block *X, const double *G, bool left)
{
    const product_form f = form_of(X, left);
    const double *x = X->size ? X->size : X->x;
    double *to = must_calloc((size_t)(f.lines * f.k), sizeof *to);
    long *at = must_calloc((size_t)f.k, sizeof *at);
    for (long c = 0; c < f.k; c++) {
        const double *column = G + c * f.of_c;
        double of_g = 0;
        long n = 0;
        for (long i = 0; i < f.k; i++) if (column[i * f.of_i] != 0) at[n++] = i;
        for (long k = 0; k < n; k++) of_g += column[at[k] * f.of_i] * column[at[k] * f.of_i];
        for (long r = 0; r < f.lines; r++) {
            const double *line = x + r * f.x_line;
            double of_x = 0;
            for (long k = 0; k < n; k++) of_x += line[at[k] * f.x_i] * line[at[k] * f.x_i];
            to[r * f.x_line + c * f.x_i] = n == 1 ? fabs(line[at[0] * f.x_i] * column[at[0] * f.of_i])
                                         : sqrt(of_x) * sqrt(of_g);
        }
    }
    free(at);
    return to;
}

bool gauge_maps(const block *X, const double *G, const block *Y, const rounding *by, const double *allowed)
{
    const long k = X->cols, n = X->rows * k;
    double *size = gauge_sizes(X, G, false), *off = must_calloc((size_t)n, sizeof *off);
    bool good = true;
    for (long r = 0; r < X->rows && good; r++) {
        double *row = off + r * k;
        for (long i = 0; i < k; i++) for (long c = 0; c < k; c++) row[c] += X->x[r * k + i] * G[i * k + c];
        for (long c = 0; c < k && good; c++) {
            row[c] = fabs(row[c] - Y->x[r * k + c]);
            good = rounding_units(by, row[c], size[r * k + c]) <= allowed[c];
            row[c] /= allowed[c];
        }
    }
    good = good && (X->rows == 1 || rounding_units_of_all(by, n, off, Y->x) <= 1);
    free(size);
    free(off);
    return good;
}

bool gauge_fit_columns(const block *X, const block *Y, long n, const long *from, const long *to, double *G)
{
    const long k = X->cols;
    if (n == 0) return true;
    if (X->rows < n) return false;
    double *a = must_calloc((size_t)(X->rows * n), sizeof *a), *b = must_calloc((size_t)(X->rows * n), sizeof *b);
    for (long r = 0; r < X->rows; r++)
        for (long c = 0; c < n; c++) {
            a[r * n + c] = X->x[r * k + from[c]];
            b[r * n + c] = Y->x[r * k + to[c]];
        }
    const lapack_int bad = LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (lapack_int)X->rows, (lapack_int)n, (lapack_int)n, a,
                                         (lapack_int)n, b, (lapack_int)n);
    for (long r = 0; r < n; r++) for (long c = 0; c < n; c++) G[from[r] * k + to[c]] = b[r * n + c];
    free(a);
    free(b);
    return bad == 0;
}

/* Sum of squares of the terms of X[:, 0 .. k) G, rounded once each. */
static double squares_of_terms(const block *X, const double *G)
{
    const long k = X->cols;
    double of_x, of_g, sum = 0;
    for (long i = 0; i < k; i++) {
        of_x = of_g = 0;
        for (long r = 0; r < X->rows; r++) of_x += X->x[r * k + i] * X->x[r * k + i];
        for (long c = 0; c < k; c++) of_g += G[i * k + c] * G[i * k + c];
        sum += of_x * of_g;
    }
    return sum;
}

/* The least G of least squares, whether or not columns of X are dependent (dgelsy); -1: undecided, else the rank. */
static long fit_least(const block *X, const block *Y, double *G)
{
    const long k = X->cols, n = X->rows * k;
    double *a = must_calloc((size_t)n, sizeof *a), *b = must_calloc((size_t)n, sizeof *b);
    lapack_int rank = 0, *pivot = must_calloc((size_t)k, sizeof *pivot);
    memcpy(a, X->x, (size_t)n * sizeof *a);
    memcpy(b, Y->x, (size_t)n * sizeof *b);
    const lapack_int bad = LAPACKE_dgelsy(LAPACK_ROW_MAJOR, (lapack_int)X->rows, (lapack_int)k, (lapack_int)k, a,
                                          (lapack_int)k, b, (lapack_int)k, pivot, 0x1p-40, &rank);
    memcpy(G, b, (size_t)(k * k) * sizeof *G);
    free(a);
    free(b);
    free(pivot);
    return bad ? -1 : rank;
}

double gauge_noise(const block *X, const block *Y, const rounding *r)
{
    const long k = X->cols, n = X->rows * k;
    double *G = must_calloc((size_t)(k * k), sizeof *G), off = 0, size = 0;
    const long rank = fit_least(X, Y, G);
    const bool fitted = rank >= 0;
    for (long row = 0; row < X->rows && fitted; row++)
        for (long c = 0; c < k; c++) {
            double is = -Y->x[row * k + c];
            for (long i = 0; i < k; i++) is += X->x[row * k + i] * G[i * k + c];
            off += is * is;
            size += Y->x[row * k + c] * Y->x[row * k + c];
        }
    if (fitted) size += squares_of_terms(X, G);
    free(G);
    const double mean = size / (double)n, freedom = (double)(X->rows - rank) / (double)X->rows;
    return fitted ? rounding_units(r, sqrt(off / (double)n / freedom), sqrt(mean)) : 0;
}

/* (re, im; -im, re) on the columns i and j, by least squares; I where they are 0. */
static void fit_pair(const block *X, const block *Y, long i, long j, double *G, long k)
{
    double re = 0, im = 0, size = 0;
    for (long r = 0; r < X->rows; r++) {
        const double a = X->x[r * k + i], b = X->x[r * k + j], c = Y->x[r * k + i], d = Y->x[r * k + j];
        re += a * c + b * d;
        im += a * d - b * c;
        size += a * a + b * b;
    }
    if (!(size > 0)) re = size = 1;
    G[i * k + i] = G[j * k + j] = re / size;
    G[i * k + j] = im / size;
    G[j * k + i] = -im / size;
}

static void fit_pairs(const block *X, const block *Y, long turning, double *G)
{
    memset(G, 0, (size_t)(X->cols * X->cols) * sizeof *G);
    for (long i = 0; i < turning / 2; i++) fit_pair(X, Y, i, i + turning / 2, G, X->cols);
}

static bool fit_rest(const block *X, const block *Y, long turning, double *G)
{
    const long k = X->cols;
    long *rest = must_calloc((size_t)k, sizeof *rest), n = 0;
    for (long i = turning; i < k; i++) rest[n++] = i;
    const bool good = gauge_fit_columns(X, Y, n, rest, rest, G);
    free(rest);
    return good;
}

/* NEARLY: half of the rows say that G it is.  Then what else differs is no gauge, but off, and a fit to it must not
 * excuse it. */
typedef enum { IS, NEARLY, IS_NOT } it;

static it tried(const block *X, const double *G, const block *Y, const rounding *r)
{
    double *allowed = gauge_allowed(X, G, false, 0, r);
    it is = gauge_maps(X, G, Y, r, allowed) ? IS : IS_NOT;
    long rows = 0;
    for (long i = 0; i < X->rows && is != IS; i++) {
        const block x = { .x = X->x + i * X->cols, .rows = 1, .cols = X->cols, .size = X->size ? X->size + i * X->cols
                          : NULL };
        const block y = { .x = Y->x + i * X->cols, .rows = 1, .cols = X->cols };
        rows += gauge_maps(&x, G, &y, r, allowed);
    }
    free(allowed);
    return is == IS ? IS : 2 * rows >= X->rows ? NEARLY : IS_NOT;
}

/* I; else another order with factors, where nothing is added; else the fit in blocks, as many as there are; else the
 * fit.
 * Each may be what Y was made by only where the simpler ones before it are not, nearly. */
double *gauge_fit(const block *X, const block *Y, long turning, bool fixed, const rounding *r)
{
    const long k = X->cols;
    double *G = must_calloc((size_t)(k * k), sizeof *G), *fitted = must_calloc((size_t)(k * k), sizeof *fitted);
    for (long i = 0; i < k; i++) G[i * k + i] = 1;
    it is = tried(X, G, Y, r);
    if (is == IS_NOT && !fixed) {
        fit_pairs(X, Y, turning, fitted);
        gauge_match(X, Y, turning, r, fitted, G);
        is = tried(X, G, Y, r);
    }
    if (is == IS_NOT && !fixed && fit_rest(X, Y, turning, fitted)) {
        const bool blocks = gauge_blocks(X, Y, turning, r, fitted, G);
        if (blocks) is = tried(X, G, Y, r);
        if (is == IS_NOT && !(blocks && gauge_adds_nothing(G, k))) {
            memcpy(G, fitted, (size_t)(k * k) * sizeof *G);
            is = tried(X, G, Y, r);
        }
    }
    free(fitted);
    if (is == IS) return G;
    free(G);
    return NULL;
}

bool gauge_is_identity(const double *G, long k)
{
    for (long i = 0; i < k * k; i++) if (G[i] != (i % (k + 1) == 0)) return false;
    return true;
}

double *gauge_inverse_transposed(const double *G, long k)
{
    double *a = must_calloc((size_t)(k * k), sizeof *a), *b = must_calloc((size_t)(k * k), sizeof *b);
    lapack_int *pivot = must_calloc((size_t)k, sizeof *pivot);
    for (long i = 0; i < k; i++) b[i * k + i] = 1;
    for (long r = 0; r < k; r++) for (long c = 0; c < k; c++) a[r * k + c] = G[c * k + r];
    const lapack_int bad = LAPACKE_dgesv(LAPACK_ROW_MAJOR, (lapack_int)k, (lapack_int)k, a, (lapack_int)k, pivot, b,
                                         (lapack_int)k);
    free(a);
    free(pivot);
    if (!bad) return b;
    free(b);
    return NULL;
}
