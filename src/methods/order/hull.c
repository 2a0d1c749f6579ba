/* SPDX-License-Identifier: GPL-3.0-or-later
 * hull.c - convex hulls by exact linear programming: see hull.h.
 *
 * Phase 1 of the simplex method: minimise the sum of artificial y >= 0 in A lambda + y = b, where A = (X | 1)', b =
 * (z | 1)', each equation multiplied by +-1 so that b >= 0.  The minimum is 0 if and only if z lies in the hull.
 * Otherwise the dual solution pi has pi A <= 0 and pi b > 0: its first d coordinates are w.               */
#include "src/methods/order/hull.h"
#include <stdlib.h>

/* Equations 0 .. m-1, below them the reduced costs; columns lambda, y, right side. */
typedef struct { fmpq_mat_t at; long m, n, *basis; int *sign; } tableau;

static fmpq *cell(const tableau *T, long i, long j) { return fmpq_mat_entry(T->at, i, j); }

static tableau tableau_of(const fmpq_mat_t X, const fmpq_mat_t z)
{
    const long n = fmpq_mat_nrows(X), d = fmpq_mat_ncols(X), m = d + 1;
    tableau T = { .m = m, .n = n, .basis = must_calloc((size_t)m, sizeof *T.basis),
                  .sign = must_calloc((size_t)m, sizeof *T.sign) };
    fmpq_mat_init(T.at, m + 1, n + m + 1);
    for (long i = 0; i < m; i++) {
        T.sign[i] = i < d && fmpq_sgn(fmpq_mat_entry(z, 0, i)) < 0 ? -1 : 1;
        T.basis[i] = n + i;
        for (long j = 0; j < n; j++) {
            if (i < d) fmpq_set(cell(&T, i, j), fmpq_mat_entry(X, j, i));
            else fmpq_one(cell(&T, i, j));
        }
        if (i < d) fmpq_set(cell(&T, i, n + m), fmpq_mat_entry(z, 0, i));
        else fmpq_one(cell(&T, i, n + m));
        for (long j = 0; j <= n + m; j++) if (T.sign[i] < 0) fmpq_neg(cell(&T, i, j), cell(&T, i, j));
        fmpq_one(cell(&T, i, n + i));
        for (long j = 0; j <= n + m; j++)                       /* costs: 1 on each y, less the equations */
            if (j < n || j == n + m) fmpq_sub(cell(&T, m, j), cell(&T, m, j), cell(&T, i, j));
    }
    return T;
}

static void pivot(tableau *T, long row, long col)
{
    const long width = T->n + T->m + 1;
    fmpq_t f, g;
    fmpq_init(f);
    fmpq_init(g);
    fmpq_inv(f, cell(T, row, col));
    for (long j = 0; j < width; j++) fmpq_mul(cell(T, row, j), cell(T, row, j), f);
    for (long i = 0; i <= T->m; i++) {
        if (i == row || fmpq_is_zero(cell(T, i, col))) continue;
        fmpq_set(f, cell(T, i, col));
        for (long j = 0; j < width; j++) {
            fmpq_mul(g, f, cell(T, row, j));
            fmpq_sub(cell(T, i, j), cell(T, i, j), g);
        }
    }
    T->basis[row] = col;
    fmpq_clear(f);
    fmpq_clear(g);
}

/* Bland: the first column of negative cost enters, of the tied rows the one of the first variable leaves. */
static bool step(tableau *T)
{
    const long last = T->n + T->m;
    long col = 0, row = -1;
    while (col < T->n && fmpq_sgn(cell(T, T->m, col)) >= 0) col++;
    if (col == T->n) return false;
    fmpq_t best, ratio;
    fmpq_init(best);
    fmpq_init(ratio);
    for (long i = 0; i < T->m; i++) {
        if (fmpq_sgn(cell(T, i, col)) <= 0) continue;
        fmpq_div(ratio, cell(T, i, last), cell(T, i, col));
        const int less = row < 0 ? -1 : fmpq_cmp(ratio, best);
        if (less > 0 || (less == 0 && T->basis[i] > T->basis[row])) continue;
        row = i;
        fmpq_set(best, ratio);
    }
    fmpq_clear(best);
    fmpq_clear(ratio);
    if (row >= 0) pivot(T, row, col);
    return row >= 0;                     /* the costs are bounded below by 0: there always is a row */
}

static void read_certificate(hull *h, const tableau *T)
{
    const long n = T->n, m = T->m;
    for (long i = 0; i < m; i++)
        if (T->basis[i] < n) fmpq_set(fmpq_mat_entry(h->lambda, 0, T->basis[i]), cell(T, i, n + m));
    for (long i = 0; i < m - 1; i++) {                          /* pi_i = 1 - reduced cost of y_i */
        fmpq *w = fmpq_mat_entry(h->w, i, 0);
        fmpq_one(w);
        fmpq_sub(w, w, cell(T, m, n + i));
        if (T->sign[i] < 0) fmpq_neg(w, w);
    }
}

/* lambda >= 0, lambda 1 = 1, lambda X = z */
static bool is_combination(const hull *h, const fmpq_mat_t X, const fmpq_mat_t z)
{
    fmpq_mat_t sum;
    fmpq_t total;
    fmpq_mat_init(sum, 1, fmpq_mat_ncols(X));
    fmpq_init(total);
    bool good = true;
    for (long j = 0; j < fmpq_mat_nrows(X); j++) {
        fmpq_add(total, total, fmpq_mat_entry(h->lambda, 0, j));
        good &= fmpq_sgn(fmpq_mat_entry(h->lambda, 0, j)) >= 0;
    }
    fmpq_mat_mul(sum, h->lambda, X);
    good &= fmpq_is_one(total) && fmpq_mat_equal(sum, z);
    fmpq_mat_clear(sum);
    fmpq_clear(total);
    return good;
}

/* (z - x_j) w > 0 for every j */
static bool separates(const hull *h, const fmpq_mat_t X, const fmpq_mat_t z)
{
    fmpq_mat_t of_X, of_z;
    fmpq_mat_init(of_X, fmpq_mat_nrows(X), 1);
    fmpq_mat_init(of_z, 1, 1);
    fmpq_mat_mul(of_X, X, h->w);
    fmpq_mat_mul(of_z, z, h->w);
    bool good = true;
    for (long j = 0; j < fmpq_mat_nrows(X); j++)
        good &= fmpq_cmp(fmpq_mat_entry(of_z, 0, 0), fmpq_mat_entry(of_X, j, 0)) > 0;
    fmpq_mat_clear(of_X);
    fmpq_mat_clear(of_z);
    return good;
}

hull hull_decide(const fmpq_mat_t X, const fmpq_mat_t z)
{
    const long n = fmpq_mat_nrows(X), d = fmpq_mat_ncols(X);
    REQUIRE(fmpq_mat_nrows(z) == 1 && fmpq_mat_ncols(z) == d && n > 0, "a point of %ldx%ld among points of %ldx%ld",
            (long)fmpq_mat_nrows(z), (long)fmpq_mat_ncols(z), n, d);
    hull h = { .is = UNDECIDED };
    fmpq_mat_init(h.lambda, 1, n);
    fmpq_mat_init(h.w, d, 1);
    tableau T = tableau_of(X, z);
    while (step(&T)) {}
    read_certificate(&h, &T);
    if (is_combination(&h, X, z)) h.is = HOLDS;
    else if (separates(&h, X, z)) h.is = REFUTED;
    if (h.is != HOLDS)   fmpq_mat_zero(h.lambda);
    if (h.is != REFUTED) fmpq_mat_zero(h.w);
    fmpq_mat_clear(T.at);
    free(T.basis);
    free(T.sign);
    return h;
}

void hull_clear(hull *h)
{
    fmpq_mat_clear(h->lambda);
    fmpq_mat_clear(h->w);
}
