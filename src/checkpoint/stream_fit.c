/* SPDX-License-Identifier: GPL-3.0-or-later
 * stream_fit.c - see stream_fit.h. */
#include <cblas.h>
#include <gsl/gsl_sort.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/forward.h"
#include "src/checkpoint/relation.h"
#include "src/checkpoint/stream_fit.h"

enum { SAMPLE = 2, AT_ONCE = 1024 };     /* rows that a fit takes, times d, of embedding, positions, and all of W_down;
                                            that are read at a time */

/* by: one rounding to the coarser of both types. */
static void add_equation(equations *e, const double *x, const double *y, double weight, int shifted, const rounding *by)
{
    bool same = true;
    const long d = e->d, wide = d + 2;
    if (e->rows == e->room) {
        e->room = 2 * e->room + 64;
        e->x = must_realloc(e->x, (size_t)(e->room * wide), sizeof *e->x);
        e->y = must_realloc(e->y, (size_t)(e->room * d), sizeof *e->y);
    }
    double *row = e->x + e->rows * wide;
    for (long k = 0; k < d; k++) {
        row[k] = weight * x[k];
        e->y[e->rows * d + k] = weight * y[k];
        same = same && rounding_units(by, fabs(x[k] - y[k]), fabs(y[k])) <= ROUNDING_UNITS;
        e->most = fmax(e->most, fabs(y[k]));
    }
    row[d] = shifted == 0 ? weight : 0;
    row[d + 1] = shifted == 1 ? weight : 0;
    e->rows++;
    e->same += same;
}

bool equations_same(const equations *e) { return 2 * e->same >= e->rows; }

void equations_add(equations *e, const transformer *A, const transformer *B, tensor_role role, long layer, long n,
                   long matrices, int shifted)
{
    const bool ranges = role == ROLE_EMBED || role == ROLE_POSITION;
    const long most = SAMPLE * e->d / matrices + 1, step = n > most ? n / most : 1;
    const long each = ranges && n > AT_ONCE ? AT_ONCE : n;
    for (long first = 0; first < n; first += each) {
        const long count = n - first < each ? n - first : each;
        long rows, cols;
        double *x = doubles_of_part(A, role, layer, ranges ? first : 0, ranges ? count : 0, &rows, &cols);
        double *y = doubles_of_part(B, role, layer, ranges ? first : 0, ranges ? count : 0, &rows, &cols);
        const weight_tensor *a = tensor_of_part(A, role, layer), *b = tensor_of_part(B, role, layer);
        const rounding by = rounding_of(a ? a->numbers : NUMBERS_F64, b ? b->numbers : NUMBERS_F64);
        double size = 0;
        for (long k = 0; x && y && k < count * e->d; k++) size = fmax(size, fabs(x[k]));
        for (long r = 0; x && y && size > 0 && r < count; r++)
            if ((first + r) % step == 0) add_equation(e, x + r * e->d, y + r * e->d, 1 / size, shifted, &by);
        free(x);
        free(y);
    }
}

/* Theta (d x d, row by row) and the shifts of tokens and positions (2 x d); NULL: too few rows. */
static double *solution(const equations *e, double *shift)
{
    const long d = e->d;
    bool of[2] = { false, false };
    for (long r = 0; r < e->rows; r++)
        for (int k = 0; k < 2; k++) of[k] = of[k] || e->x[r * (d + 2) + d + k] != 0;
    const long n = d + of[0] + of[1];
    if (e->rows < n) return NULL;
    double *x = must_calloc((size_t)(e->rows * n), sizeof *x), *y = must_calloc((size_t)(e->rows * d), sizeof *y);
    for (long r = 0; r < e->rows; r++) {
        memcpy(x + r * n, e->x + r * (d + 2), (size_t)d * sizeof *x);
        for (int k = 0, at = 0; k < 2; k++) if (of[k]) x[r * n + d + at++] = e->x[r * (d + 2) + d + k];
    }
    memcpy(y, e->y, (size_t)(e->rows * d) * sizeof *y);
    const lapack_int bad = LAPACKE_dgels(LAPACK_ROW_MAJOR, 'N', (lapack_int)e->rows, (lapack_int)n, (lapack_int)d, x,
                                         (lapack_int)n, y, (lapack_int)d);
    double *Theta = must_calloc((size_t)(d * d), sizeof *Theta);
    memcpy(Theta, y, (size_t)(d * d) * sizeof *Theta);
    for (int k = 0, at = 0; k < 2; k++)
        if (of[k]) memcpy(shift + k * d, y + (d + at++) * d, (size_t)d * sizeof *shift);
    free(x);
    free(y);
    bool finite = bad == 0;
    for (long k = 0; k < d * d; k++) finite = finite && isfinite(Theta[k]);
    if (finite) return Theta;
    free(Theta);
    return NULL;
}

enum { FAR = 8, ROUNDS = 6 };            /* medians of the misses; times that rows are left out             */

/* Leaves out the rows that the solution misses by more than FAR times the median: a tensor that is broken somewhere
 * must not spoil the basis of all others.  Returns whether there were any. */
static bool leave_out(equations *e, const double *Theta, const double *shift)
{
    const long d = e->d, wide = d + 2;
    double *miss = must_calloc((size_t)e->rows, sizeof *miss), *sorted = must_calloc((size_t)e->rows, sizeof *sorted);
    double *all = must_calloc((size_t)(wide * d), sizeof *all);         /* Theta above the two shifts */
    memcpy(all, Theta, (size_t)(d * d) * sizeof *all);
    memcpy(all + d * d, shift, (size_t)(2 * d) * sizeof *all);
    double *off = must_calloc((size_t)(e->rows * d), sizeof *off);      /* X (Theta; shifts) - Y */
    memcpy(off, e->y, (size_t)(e->rows * d) * sizeof *off);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint)e->rows, (blasint)d, (blasint)wide, 1, e->x,
                (blasint)wide, all, (blasint)d, -1, off, (blasint)d);
    for (long r = 0; r < e->rows; r++) for (long c = 0; c < d; c++) miss[r] = fmax(miss[r], fabs(off[r * d + c]));
    memcpy(sorted, miss, (size_t)e->rows * sizeof *sorted);
    gsl_sort(sorted, 1, (size_t)e->rows);
    const double most = FAR * sorted[e->rows / 2];
    long kept = 0;
    for (long r = 0; r < e->rows; r++) {
        if (!(miss[r] <= most)) continue;
        memmove(e->x + kept * wide, e->x + r * wide, (size_t)wide * sizeof *e->x);
        memmove(e->y + kept * d, e->y + r * d, (size_t)d * sizeof *e->y);
        kept++;
    }
    const bool some = kept < e->rows;
    e->rows = kept;
    free(miss);
    free(sorted);
    free(all);
    free(off);
    return some;
}

double *equations_solution(equations *e, double *shift)
{
    double *Theta = solution(e, shift);
    for (int k = 0; k < ROUNDS && Theta && leave_out(e, Theta, shift); k++) {
        free(Theta);
        Theta = solution(e, shift);
    }
    return Theta;
}

void equations_free(equations *e)
{
    free(e->x);
    free(e->y);
}

void snap_to_order(double *G, long k, double off, bool orthogonal)
{
    double *to = must_calloc((size_t)(k * k), sizeof *to);
    bool *taken = must_calloc((size_t)k, sizeof *taken), good = true;
    for (long r = 0; r < k && good; r++) {
        long at = 0;
        for (long c = 1; c < k; c++) if (fabs(G[r * k + c]) > fabs(G[r * k + at])) at = c;
        const double g = G[r * k + at];
        int e;
        const double m = frexp(fabs(g), &e), nearest = copysign(ldexp(1, m > 0.75 ? e : e - 1), g);
        good = g != 0 && !taken[at];
        for (long c = 0; c < k; c++) good = good && (c == at || fabs(G[r * k + c]) <= off * fabs(g));
        taken[at] = true;
        to[r * k + at] = orthogonal ? copysign(1, g) : fabs(g - nearest) <= off * fabs(g) ? nearest : g;
    }
    if (good) memcpy(G, to, (size_t)(k * k) * sizeof *G);
    free(to);
    free(taken);
}
