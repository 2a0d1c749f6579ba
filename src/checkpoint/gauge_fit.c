/* gauge_fit.c - see gauge_fit.h. */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/gauge_fit.h"
#include "src/checkpoint/stream_fit.h"

double block_largest(const block *b)
{
    double most = 0;
    for (long k = 0; k < b->rows * b->cols; k++) most = fmax(most, fabs(b->x[k]));
    return most;
}

/* max |X G - Y| <= within max |Y|, in doubles. */
bool gauge_maps(const block *X, const double *G, const block *Y, double within)
{
    const long k = X->cols;
    double off = 0;
    for (long r = 0; r < X->rows; r++)
        for (long c = 0; c < k; c++) {
            double sum = 0;
            for (long i = 0; i < k; i++) sum += X->x[r * k + i] * G[i * k + c];
            off = fmax(off, fabs(sum - Y->x[r * k + c]));
        }
    return off <= within * block_largest(Y);
}

/* G of least squares, X[:, at] G = Y[:, at]; false: dependent columns. */
static bool fit_columns(const block *X, const block *Y, long n, const long *at, double *G, long k)
{
    if (n == 0) return true;
    if (X->rows < n) return false;
    double *a = must_calloc((size_t)(X->rows * n), sizeof *a), *b = must_calloc((size_t)(X->rows * n), sizeof *b);
    for (long r = 0; r < X->rows; r++)
        for (long c = 0; c < n; c++) {
            a[r * n + c] = X->x[r * k + at[c]];
            b[r * n + c] = Y->x[r * k + at[c]];
        }
    const lapack_int bad = LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (lapack_int)X->rows, (lapack_int)n, (lapack_int)n, a,
                                         (lapack_int)n, b, (lapack_int)n);
    for (long r = 0; r < n; r++) for (long c = 0; c < n; c++) G[at[r] * k + at[c]] = b[r * n + c];
    free(a);
    free(b);
    return bad == 0;
}

/* (re, im; -im, re) on the columns i and j, by least squares. */
static bool fit_pair(const block *X, const block *Y, long i, long j, double *G, long k)
{
    double re = 0, im = 0, size = 0;
    for (long r = 0; r < X->rows; r++) {
        const double a = X->x[r * k + i], b = X->x[r * k + j], c = Y->x[r * k + i], d = Y->x[r * k + j];
        re += a * c + b * d;
        im += a * d - b * c;
        size += a * a + b * b;
    }
    if (!(size > 0)) return false;
    G[i * k + i] = G[j * k + j] = re / size;
    G[i * k + j] = im / size;
    G[j * k + i] = -im / size;
    return true;
}

/* X G = Y for one head; turning: coordinates of rotary pairs.  fixed: G = I. */
double *gauge_fit(const block *X, const block *Y, long turning, bool fixed, double within)
{
    const long k = X->cols;
    double *G = must_calloc((size_t)(k * k), sizeof *G);
    long *rest = must_calloc((size_t)k, sizeof *rest), n = 0;
    bool good = true;
    for (long i = 0; i < k; i++) G[i * k + i] = 1;
    if (!gauge_maps(X, G, Y, within) && !fixed) {
        memset(G, 0, (size_t)(k * k) * sizeof *G);
        for (long i = 0; i < turning / 2; i++) good = good && fit_pair(X, Y, i, i + turning / 2, G, k);
        for (long i = turning; i < k; i++) rest[n++] = i;
        good = good && fit_columns(X, Y, n, rest, G, k);
        if (good) snap_to_powers(G, k);
    }
    free(rest);
    if (good && gauge_maps(X, G, Y, within)) return G;
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
