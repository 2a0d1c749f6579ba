/* SPDX-License-Identifier: GPL-3.0-or-later
 * certified.c - gaps of logits enclosed in balls: see compare.h. */
#include <math.h>
#include <stdlib.h>
#include "numerics/arith_arb.h"
#include "src/checkpoint/compare.h"

/* The stream behind the final norm, of the tokens whose logits are compared. */
static const mat *stream_of(scope *s, const weight_source *W, const token_list *t, compare_work *work)
{
    const mat *N = NULL;
    forward *f = forward_open(s, W, t);
    forward_stage stage;
    long layer;
    for (const mat *X; (X = forward_next(f, &stage, &layer)); N = X) compare_work_done(work, W->D, t->n, stage, 0);
    mat *to = mat_blank(s, t->n - t->logits_from, W->D->d);
    mat_put(to, 0, 0, N, t->logits_from, 0, to->rows, to->cols);
    forward_close(f, to);
    return to;
}

/* The entry lies in [*low, *high]. */
static void bounds(const mat *A, long i, long j, double *low, double *high)
{
    const double middle = mat_get_d(A, i, j), radius = arith_arb_farthest(A, i, j, middle);
    *low = nextafter(middle - radius, -INFINITY);
    *high = nextafter(middle + radius, INFINITY);
}

/* Of the logits of one token so far. */
typedef struct { double low, high, other; long best, at; } leader;     /* high, at `at`, and the largest other */

static void follow(leader *l, long j, double low, double high)
{
    if (low > l->low) l->low = low, l->best = j;
    if (isnan(high)) high = INFINITY;
    if (high > l->high) l->other = l->high, l->high = high, l->at = j;
    else l->other = fmax(l->other, high);
}

/* Column `best` certainly holds the largest. */
static bool leads(const leader *l) { return (l->at == l->best ? l->other : l->high) < l->low; }

typedef struct { double least_low, least_high, most_low, most_high; leader of[2]; } row_gaps;
#define NOBODY { -INFINITY, -INFINITY, -INFINITY, 0, -1 }
static const row_gaps no_gaps = { INFINITY, INFINITY, -INFINITY, -INFINITY, { NOBODY, NOBODY } };

/* Columns from `first` on. */
static void enclose(certified_gaps *g, row_gaps *row, long first, const mat *const logits[2], const mat *off)
{
    double low, high;
    for (long i = 0; i < off->rows; i++) {
        row_gaps *r = &row[i];
        for (long j = 0; j < off->cols; j++) {
            bounds(off, i, j, &low, &high);
            if (!isfinite(low) || !isfinite(high)) {
                g->why = "the balls became infinitely wide: take more --bits";
                g->wide = true;
            }
            g->high = fmax(g->high, fmax(-low, high));
            g->low = fmax(g->low, fmax(low, -high));
            r->least_low = fmin(r->least_low, low);
            r->least_high = fmin(r->least_high, high);
            r->most_low = fmax(r->most_low, low);
            r->most_high = fmax(r->most_high, high);
            for (int m = 0; m < 2; m++) {
                bounds(logits[m], i, j, &low, &high);
                follow(&r->of[m], first + j, low, high);
            }
        }
    }
}

static void take_row(certified_gaps *g, const row_gaps *r, bool tokens)
{
    g->shift_high = fmax(g->shift_high, nextafter((r->most_high - r->least_low) / 2, INFINITY));
    g->shift_low = fmax(g->shift_low, nextafter((r->most_low - r->least_high) / 2, -INFINITY));
    const bool both = tokens && leads(&r->of[0]) && leads(&r->of[1]);
    g->tokens++;
    g->same_first += both && r->of[0].best == r->of[1].best;
    g->other_first += both && r->of[0].best != r->of[1].best;
}

/* Logits of both models, some columns at a time. */
static void enclose_list(certified_gaps *g, const arith *R, const transformer *const D[2], const token_list *t,
                         compare_work *work)
{
    scope s = scope_open(R, 0, 0);
    s.frugal = true;
    const weight_source W[2] = { weights_of_file(D[0]), weights_of_file(D[1]) };
    const mat *X[2], *logits[2];
    const long rows = t->n - t->logits_from;
    for (int m = 0; m < 2; m++) X[m] = stream_of(&s, &W[m], t, work);
    row_gaps *row = must_calloc((size_t)rows, sizeof *row);
    for (long i = 0; i < rows; i++) row[i] = no_gaps;
    for (long first = 0; first < D[0]->outputs && s.status == HOLDS; ) {
        const mat *before = s.first;
        for (int m = 0; m < 2; m++) logits[m] = forward_logits(&s, &W[m], X[m], first);
        const long count = logits[0]->cols;
        if (s.status == HOLDS) enclose(g, row, first, logits, mat_sub(&s, logits[0], logits[1]));
        for (int m = 0; m < 2; m++) compare_work_done(work, D[m], t->n, STAGE_LOGITS, count);
        scope_sweep(&s, before, 0, NULL);
        first += count;
    }
    if (s.status != HOLDS) g->why = s.why, g->wide = !reason_skips(s.reason);
    else for (long i = 0; i < rows; i++) take_row(g, &row[i], has_token_logits(D[0]));
    free(row);
    scope_close(&s);
}

certified_gaps compare_certified(const transformer *A, const transformer *B, long bits, long n, const token_list *lists,
                                 compare_watch watch)
{
    compare_work work = compare_work_of(A, B, 1, n, lists, watch);
    certified_gaps g = { .why = NULL };
    arith R = arith_arb(bits);
    for (long k = 0; k < n && !g.why; k++)
        enclose_list(&g, &R, (const transformer *[]){ A, B }, &lists[k], &work);
    arith_close(&R);
    return g;
}
