/* SPDX-License-Identifier: GPL-3.0-or-later
 * ladders.c - see ladders.h. */
#include <gsl/gsl_fit.h>
#include <math.h>
#include <string.h>
#include "src/report/collect/ladders.h"

enum { MAX_RUNGS = 64 };

double ladder_slope(const rung *at, long n)
{
    double x[MAX_RUNGS], y[MAX_RUNGS], c0, c1, cov00, cov01, cov11, sumsq;
    size_t finite = 0;
    for (long k = 0; k < n && finite < MAX_RUNGS; k++) {
        if (!isfinite(at[k].log2gap)) continue;
        x[finite] = (double)at[k].bits;
        y[finite++] = at[k].log2gap;
    }
    if (finite < 2) return NAN;
    gsl_fit_linear(x, 1, y, 1, finite, &c0, &c1, &cov00, &cov01, &cov11, &sumsq);
    return c1;
}

static bool same_ladder(const rung *a, const rung *b)
{
    return a->seed == b->seed && a->trial == b->trial && strcmp(a->part, b->part) == 0
        && strcmp(a->which, b->which) == 0 && a->shape == b->shape && a->bits < b->bits;
}

long ladder_length(const rung_list *all, long from)
{
    long n = 1;
    while (from + n < all->n && same_ladder(&all->at[from + n - 1], &all->at[from + n])) n++;
    return n;
}

/* Of a check that two sides differ: the gap stays, as expected.  (Where it must vanish, mpfr has refuted.) */
bool ladder_shows_difference(const claim_record *c, const rung *at, long n)
{
    if (at->subject != ROW_OF_CLAIM || !(ladder_slope(at, n) > -0.5)) return false;
    for (long p = 0; p < c->v.parts; p++)
        if (strcmp(c->v.part[p].name, at->part) == 0) return c->v.part[p].by_arith[A_MPFR].refuted == 0;
    return false;
}

