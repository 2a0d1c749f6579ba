/* compare.c - see compare.h. */
#include <math.h>
#include <stdlib.h>
#include "numerics/random.h"
#include "src/checkpoint/compare.h"
#include "src/checkpoint/relation.h"

/* ---- weights that are rounded a little differently --------------------------------------------------------------- */

typedef struct { const transformer *D; double extra; bool types; uint64_t seed; double *unit; } nudged;

static const mat *nudged_part(void *of, scope *s, tensor_role role, long layer, long first, long count)
{
    const nudged *w = of;
    long rows, cols;
    double *x = doubles_of_part(w->D, role, layer, first, count, &rows, &cols);
    if (!x) return NULL;
    const double u = w->extra + (w->types ? unit_roundoff(tensor_of_part(w->D, role, layer)->numbers) : 0);
    const uint64_t key[2] = { w->seed, ((uint64_t)role << 40) + ((uint64_t)(layer + 1) << 24) };
    for (long k = 0; k < rows * cols; k += 64) {         /* 64 signs at a time */
        const uint64_t counter = ((uint64_t)first << 32) + (uint64_t)k, signs = random_siphash_words(key, 1, &counter);
        for (long i = k; i < k + 64 && i < rows * cols; i++) x[i] *= signs >> (i - k) & 1 ? 1 + u : 1 - u;
    }
    *w->unit = fmax(*w->unit, u);
    const mat *A = mat_of_doubles(s, rows, cols, x);
    free(x);
    return A;
}

/* ---- how far the work is ---------------------------------------------------------------------------------------- */

compare_work compare_work_of(const transformer *A, const transformer *B, double runs, long n, const token_list *lists,
                             compare_watch watch)
{
    compare_work w = { watch, 0, 0 };
    for (long k = 0; k < n; k++) w.all += runs * (double)lists[k].n * (forward_whole_cost(A) + forward_whole_cost(B));
    return w;
}

void compare_work_done(compare_work *w, const transformer *D, const token_list *t, forward_stage stage, long columns)
{
    w->done += (double)t->n * forward_cost(D, stage, columns);
    if (w->watch.tell) w->watch.tell(w->watch.with, fmin(w->done / w->all, 1));
}

/* ---- what a run leaves ------------------------------------------------------------------------------------------- */

typedef struct {
    long n, rows, d, V, stages, at;
    double **stream, *logits;
    const transformer *D;
    const token_list *t;
    compare_work *work;
} trace;

static void keep(void *with, forward_stage stage, long layer, long first, const mat *X)
{
    (void)layer;
    trace *t = with;
    double *to = stage == STAGE_LOGITS ? t->logits + first
               : (t->stream[t->at++] = must_calloc((size_t)(X->rows * X->cols), sizeof(double)));
    const long pitch = stage == STAGE_LOGITS ? t->V : X->cols;
    for (long r = 0; r < X->rows; r++)
        for (long c = 0; c < X->cols; c++) to[r * pitch + c] = mat_get_d(X, r, c);
    compare_work_done(t->work, t->D, t->t, stage, X->cols);
}

static trace trace_of(const weight_source *W, const token_list *t, compare_work *work)
{
    const transformer *D = W->D;
    trace r = { .n = t->n, .rows = t->n - t->logits_from, .d = D->d, .V = D->V, .stages = 2 * D->L + 2, .D = D,
                .t = t, .work = work };
    r.stream = must_calloc((size_t)r.stages, sizeof *r.stream);
    r.logits = must_calloc((size_t)(r.rows * r.V), sizeof *r.logits);
    const arith R = arith_f64();
    scope s = scope_open(&R, 0, 0);
    s.frugal = true;
    forward_run(&s, W, t, keep, &r);
    scope_close(&s);
    return r;
}

static void trace_free(trace *r)
{
    for (long k = 0; k < r->stages; k++) free(r->stream[k]);
    free(r->stream);
    free(r->logits);
}

static double distance(const double *x, const double *y, long n)       /* NaN and infinity: infinitely far */
{
    double most = 0;
    for (long k = 0; k < n; k++) {
        const double off = fabs(x[k] - y[k]);
        most = isfinite(off) ? fmax(most, off) : INFINITY;
    }
    return most;
}

static double size_of(const double *x, long n)
{
    double most = 0;
    for (long k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
    return most;
}

/* Half of the spread of x - y: how far they are apart up to a constant. */
static double shift_of(const double *x, const double *y, long n)
{
    double least = INFINITY, most = -INFINITY;
    for (long k = 0; k < n; k++) {
        if (!isfinite(x[k] - y[k])) return INFINITY;
        least = fmin(least, x[k] - y[k]);
        most = fmax(most, x[k] - y[k]);
    }
    return (most - least) / 2;
}

static double worst_shift(const trace *x, const trace *y)
{
    double most = 0;
    for (long r = 0; r < x->rows; r++) most = fmax(most, shift_of(x->logits + r * x->V, y->logits + r * x->V, x->V));
    return most;
}

/* ---- logits as probabilities ------------------------------------------------------------------------------------- */

static long largest(const double *x, long n)
{
    long best = 0;
    for (long k = 1; k < n; k++) if (x[k] > x[best]) best = k;
    return best;
}

static double log_sum(const double *x, long n)           /* log of the sum of e^x */
{
    const long top = largest(x, n);
    double sum = 1;
    for (long k = 0; k < n; k++) if (k != top) sum += exp(x[k] - x[top]);
    return x[top] + log(sum);
}

static double divergence(const double *x, const double *y, long n)      /* sum p log(p / q) >= 0        */
{
    const double of_x = log_sum(x, n), of_y = log_sum(y, n);
    double sum = 0;
    for (long k = 0; k < n; k++) {
        const double p = exp(x[k] - of_x);
        if (p > 0) sum += p * (x[k] - of_x - (y[k] - of_y));
    }
    return fmax(sum, 0);
}

static void top_of(const double *x, long n, long count, long *to)
{
    for (long i = 0; i < count; i++) {
        long best = -1;
        for (long k = 0; k < n; k++) {
            bool taken = false;
            for (long j = 0; j < i; j++) taken = taken || to[j] == k;
            if (!taken && (best < 0 || x[k] > x[best])) best = k;
        }
        to[i] = best;
    }
}

static double share_of_top(const double *x, const double *y, long n)
{
    const long count = n < COMPARE_TOP ? n : COMPARE_TOP;
    long a[COMPARE_TOP], b[COMPARE_TOP], both = 0;
    top_of(x, n, count, a);
    top_of(y, n, count, b);
    for (long i = 0; i < count; i++) for (long j = 0; j < count; j++) both += a[i] == b[j];
    return (double)both / (double)count;
}

/* ---- the comparison ---------------------------------------------------------------------------------------------- */

typedef struct { double *stream, logits, shift; } movement;              /* largest so far; stream: relative */

static void move(movement *m, const trace *x, const trace *y)
{
    for (long k = 0; m->stream && k < x->stages; k++) {
        const double size = fmax(size_of(x->stream[k], x->n * x->d), size_of(y->stream[k], x->n * x->d));
        const double off = distance(x->stream[k], y->stream[k], x->n * x->d);
        m->stream[k] = fmax(m->stream[k], off > 0 ? off / size : 0);
    }
    m->logits = fmax(m->logits, distance(x->logits, y->logits, x->rows * x->V));
    m->shift = fmax(m->shift, worst_shift(x, y));
}

/* How far rounding moves the run r of D. */
static void movement_by_rounding(movement *to, const transformer *D, const trace *r, const token_list *t, bool alike,
                                 uint64_t seed, double *unit, compare_work *work)
{
    const double terms = (double)(D->d > D->m ? D->d : D->m);
    for (int k = 0; k < COMPARE_DRAWS; k++) {
        nudged w = { D, terms * 0x1p-53, !alike, seed + (uint64_t)k, unit };
        trace other = trace_of(&(weight_source){ .D = D, .part = nudged_part, .of = &w }, t, work);
        move(to, r, &other);
        trace_free(&other);
    }
}

static void judge_rows(token_gaps *g, const trace *x, const trace *y, long list, const token_list *t)
{
    for (long r = 0; r < x->rows; r++) {
        const double *a = x->logits + r * x->V, *b = y->logits + r * x->V;
        const long i = largest(a, x->V), j = largest(b, x->V);
        const double kl = divergence(a, b, x->V);
        g->divergence = fmax(g->divergence, isnan(kl) ? INFINITY : kl);
        g->mean_divergence += kl;
        g->top += share_of_top(a, b, x->V);
        g->tokens++;
        g->same_first += i == j;
        g->near_ties += i != j && a[i] - a[j] <= 2 * g->logits_tolerance;
        if (g->list >= 0 || distance(a, b, x->V) <= g->logits_tolerance) continue;
        g->list = list;
        g->token = t->logits_from + r;
        g->position = t->position ? t->position[g->token] : g->token;
    }
}

token_gaps compare_on_tokens(const transformer *A, const transformer *B, bool alike, long n, const token_list *lists,
                             uint64_t seed, compare_watch watch)
{
    const transformer *D[2] = { A, B };
    const bool streams = A->L == B->L && A->d == B->d;
    const long stages = 2 * A->L + 2;
    token_gaps g = { .list = -1 };
    compare_work work = compare_work_of(A, B, 1 + COMPARE_DRAWS, n, lists, watch);
    movement gap = { .stream = NULL }, by[2] = { { .stream = NULL }, { .stream = NULL } };
    if (streams) gap.stream = must_calloc((size_t)stages, sizeof(double));
    for (int m = 0; m < 2 && streams; m++) by[m].stream = must_calloc((size_t)stages, sizeof(double));
    trace *run[2] = { must_calloc((size_t)n, sizeof(trace)), must_calloc((size_t)n, sizeof(trace)) };
    for (long k = 0; k < n; k++) {
        for (int m = 0; m < 2; m++) {
            const weight_source W = weights_of_file(D[m]);
            run[m][k] = trace_of(&W, &lists[k], &work);
            movement_by_rounding(&by[m], D[m], &run[m][k], &lists[k], alike, seed + 1000 * (uint64_t)k, &g.unit[m],
                                 &work);
            g.most = fmax(g.most, size_of(run[m][k].logits, run[m][k].rows * run[m][k].V));
        }
        move(&gap, &run[0][k], &run[1][k]);
    }
    g.logits = gap.logits;
    g.shift = gap.shift;
    g.logits_tolerance = COMPARE_FACTOR * (by[0].logits + by[1].logits);
    g.shift_tolerance = COMPARE_FACTOR * (by[0].shift + by[1].shift);
    if (streams) {
        g.stages = stages + 1;
        g.at = must_calloc((size_t)g.stages, sizeof *g.at);
        for (long k = 0; k < stages; k++)
            g.at[k] = (stage_gap){ k == 0 ? STAGE_EMBED : k == stages - 1 ? STAGE_NORM
                                   : k % 2 ? STAGE_ATTENTION : STAGE_MLP, k == 0 || k == stages - 1 ? -1 : (k - 1) / 2,
                                   gap.stream[k], COMPARE_FACTOR * (by[0].stream[k] + by[1].stream[k]) };
        g.at[stages] = (stage_gap){ STAGE_LOGITS, -1, g.most > 0 ? g.logits / g.most : 0,
                                    g.most > 0 ? g.logits_tolerance / g.most : 0 };
    }
    for (long k = 0; k < n; k++) {
        judge_rows(&g, &run[0][k], &run[1][k], k, &lists[k]);
        for (int m = 0; m < 2; m++) trace_free(&run[m][k]);
    }
    g.mean_divergence /= (double)g.tokens;
    g.top /= (double)g.tokens;
    for (int m = 0; m < 2; m++) {
        free(run[m]);
        free(by[m].stream);
    }
    free(gap.stream);
    return g;
}

void token_gaps_free(token_gaps *g)
{
    free(g->at);
    g->at = NULL;
}
