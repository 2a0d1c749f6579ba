/* certified.c - gaps of logits enclosed in balls: see compare.h. */
#include <math.h>
#include "numerics/arith_arb.h"
#include "src/checkpoint/compare.h"

/* Logits as a matrix of their own scope. */
typedef struct { scope *s; mat *logits; const transformer *D; const token_list *t; compare_work *work; } collected;

static void collect(void *with, forward_stage stage, long layer, long first, const mat *X)
{
    (void)layer;
    const collected *c = with;
    if (stage == STAGE_LOGITS) mat_put(c->logits, 0, first, X, 0, 0, X->rows, X->cols);
    compare_work_done(c->work, c->D, c->t, stage, X->cols);
}

static const mat *logits_of(scope *to, const transformer *D, const token_list *t, compare_work *work)
{
    scope s = scope_open(to->R, 0, 0);
    s.frugal = true;
    const weight_source W = weights_of_file(D);
    collected c = { to, mat_blank(to, t->n - t->logits_from, D->V), D, t, work };
    forward_run(&s, &W, t, collect, &c);
    if (s.status != HOLDS) scope_undecided(to, s.reason, s.why);
    scope_close(&s);
    return c.logits;
}

/* The entry lies in [*low, *high]. */
static void bounds(const mat *A, long i, long j, double *low, double *high)
{
    const double middle = mat_get_d(A, i, j), radius = arith_arb_farthest(A, i, j, middle);
    *low = nextafter(middle - radius, -INFINITY);
    *high = nextafter(middle + radius, INFINITY);
}

/* 1: column *best of row i certainly holds the largest entry. */
static bool first_of(const mat *A, long i, long *best)
{
    double most = -INFINITY, low, high;
    *best = 0;
    for (long j = 0; j < A->cols; j++) {
        bounds(A, i, j, &low, &high);
        if (low > most) most = low, *best = j;
    }
    for (long j = 0; j < A->cols; j++) {
        bounds(A, i, j, &low, &high);
        if (j != *best && !(high < most)) return false;
    }
    return true;
}

static void enclose(certified_gaps *g, const mat *A, const mat *B, const mat *off)
{
    for (long i = 0; i < off->rows; i++) {
        double least_low = INFINITY, least_high = INFINITY, most_low = -INFINITY, most_high = -INFINITY, low, high;
        for (long j = 0; j < off->cols; j++) {
            bounds(off, i, j, &low, &high);
            if (!isfinite(low) || !isfinite(high)) {
                g->why = "the balls became infinitely wide: take more --bits";
                g->wide = true;
            }
            g->high = fmax(g->high, fmax(-low, high));
            g->low = fmax(g->low, fmax(low, -high));
            least_low = fmin(least_low, low);
            least_high = fmin(least_high, high);
            most_low = fmax(most_low, low);
            most_high = fmax(most_high, high);
        }
        g->shift_high = fmax(g->shift_high, nextafter((most_high - least_low) / 2, INFINITY));
        g->shift_low = fmax(g->shift_low, nextafter((most_low - least_high) / 2, -INFINITY));
        long a, b;
        const bool of_a = first_of(A, i, &a), of_b = first_of(B, i, &b);
        g->tokens++;
        g->same_first += of_a && of_b && a == b;
        g->other_first += of_a && of_b && a != b;
    }
}

certified_gaps compare_certified(const transformer *A, const transformer *B, long bits, long n, const token_list *lists,
                                 compare_watch watch)
{
    compare_work work = compare_work_of(A, B, 1, n, lists, watch);
    certified_gaps g = { .why = NULL };
    arith R = arith_arb(bits);
    for (long k = 0; k < n && !g.why; k++) {
        scope s = scope_open(&R, 0, 0);
        const mat *a = logits_of(&s, A, &lists[k], &work), *b = logits_of(&s, B, &lists[k], &work);
        if (s.status != HOLDS) g.why = s.why, g.wide = !reason_skips(s.reason);
        else enclose(&g, a, b, mat_sub(&s, a, b));
        scope_close(&s);
    }
    arith_close(&R);
    return g;
}
