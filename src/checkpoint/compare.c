/* SPDX-License-Identifier: GPL-3.0-or-later
 * compare.c - see compare.h. */
#include <math.h>
#include <stdlib.h>
#include "numerics/random.h"
#include "src/checkpoint/compare.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/relation.h"

/* ---- weights that are rounded a little differently --------------------------------------------------------------- */

/* parts: those that move by the unit of their type; NULL: all. */
typedef struct { const transformer *D; double extra; const structure *parts; uint64_t seed; double *unit; } nudged;

/* A tied head is the embedding. */
static bool moves(const nudged *w, tensor_role role, long layer)
{
    if (!w->parts || structure_at(w->parts, role, layer)) return true;
    return role == ROLE_HEAD && w->D->tied && structure_at(w->parts, ROLE_EMBED, -1);
}


static const mat *nudged_part(void *of, scope *s, tensor_role role, long layer, long first, long count)
{
    const nudged *w = of;
    long rows, cols;
    double *x = doubles_of_part(w->D, role, layer, first, count, &rows, &cols);
    if (!x) return NULL;
    const bool types = moves(w, role, layer);
    const double u = w->extra + (types ? unit_roundoff(tensor_of_part(w->D, role, layer)->numbers) : 0);
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

void compare_work_done(compare_work *w, const transformer *D, long tokens, forward_stage stage, long columns)
{
    w->done += (double)tokens * forward_cost(D, stage, columns);
    if (w->watch.tell) w->watch.tell(w->watch.with, fmin(w->done / w->all, 1));
}

/* ---- runs side by side ------------------------------------------------------------------------------------------- */

enum { RUNS = 1 + COMPARE_DRAWS };       /* of a model: as stored, then nudged                          */

typedef struct {
    const transformer *D;
    weight_source W;
    nudged nudge;
    scope s;
    forward *f;
    const mat *X;                        /* the stream behind its last stage                            */
    double *x;                           /* the same, n x d                                             */
} one_run;

static void run_open(one_run *r, const arith *R, const token_list *t)
{
    r->s = scope_open(R, 0, 0);
    r->s.frugal = true;
    r->f = forward_open(&r->s, &r->W, t);
    r->x = must_calloc((size_t)(t->n * r->D->d), sizeof *r->x);
}

static void run_close(one_run *r)
{
    forward_close(r->f, NULL);
    scope_close(&r->s);
    free(r->x);
}

static void put(const mat *X, double *to, long pitch)
{
    for (long i = 0; i < X->rows; i++) for (long c = 0; c < X->cols; c++) to[i * pitch + c] = mat_get_d(X, i, c);
}

/* Its next stage; where there is none, its stream is that behind the final norm. */
static bool run_next(one_run *r, const token_list *t, compare_work *work)
{
    forward_stage stage;
    long layer;
    const mat *X = forward_next(r->f, &stage, &layer);
    if (!X) return false;
    r->X = X;
    put(X, r->x, X->cols);
    compare_work_done(work, r->D, t->n, stage, 0);
    return true;
}

/* The logits of `count` tokens of the list from token `from` on, count x V. */
static void run_logits(one_run *r, const token_list *t, long from, long count, double *to, compare_work *work)
{
    const long V = r->D->outputs;
    const long tokens = count + (from == t->logits_from ? from : 0);   /* those before cost as much          */
    const mat *before = r->s.first, *X = mat_rows(&r->s, r->X, from, count);
    for (long first = 0; first < V; ) {
        const mat *since = r->s.first, *Y = forward_logits(&r->s, &r->W, X, first);
        put(Y, to + first, V);
        compare_work_done(work, r->D, tokens, STAGE_LOGITS, Y->cols);
        first += Y->cols;
        scope_sweep(&r->s, since, 0, NULL);
    }
    scope_sweep(&r->s, before, 0, NULL);
}

/* ---- distances --------------------------------------------------------------------------------------------------- */

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

static void move_stream(movement *m, long stage, const double *x, const double *y, long n)
{
    const double size = fmax(size_of(x, n), size_of(y, n)), off = distance(x, y, n);
    m->stream[stage] = fmax(m->stream[stage], off > 0 ? off / size : 0);
}

static void move_logits(movement *m, const double *x, const double *y, long rows, long V)
{
    m->logits = fmax(m->logits, distance(x, y, rows * V));
    for (long r = 0; r < rows; r++) m->shift = fmax(m->shift, shift_of(x + r * V, y + r * V, V));
}

/* Of one token, to be judged when the tolerance is known.  ahead: by how much its largest logit in A is ahead of that
 * of the token whose logit is largest in B; negative: they are one token. */
typedef struct { long list, token, position; double off, ahead; } token_gap;

typedef struct {
    const transformer *D[2];
    bool streams;
    token_gaps g;
    movement gap, by[2];                 /* between A and B; of each by rounding                        */
    token_gap *token;                    /* g.tokens                                                    */
    compare_work work;
} compared;

static void compare_streams(compared *c, one_run run[2][RUNS], const token_list *t)
{
    bool more = true;
    for (long stage = 0; more; stage++) {
        more = false;
        for (int m = 0; m < 2; m++) {
            bool any = false;
            for (int k = 0; k < RUNS; k++) any = run_next(&run[m][k], t, &c->work);
            more = more || any;
            for (int k = 1; k < RUNS && any && c->streams; k++)
                move_stream(&c->by[m], stage, run[m][0].x, run[m][k].x, t->n * c->D[m]->d);
        }
        if (more && c->streams) move_stream(&c->gap, stage, run[0][0].x, run[1][0].x, t->n * c->D[0]->d);
    }
}

static void compare_rows(compared *c, const double *x, const double *y, long list, const token_list *t, long from,
                         long count)
{
    token_gaps *g = &c->g;
    const long V = c->D[0]->outputs;
    c->token = must_realloc(c->token, (size_t)(g->tokens + count), sizeof *c->token);
    for (long r = 0; r < count; r++) {
        const double *a = x + r * V, *b = y + r * V;
        const long i = largest(a, V), j = largest(b, V), token = from + r;
        const double kl = divergence(a, b, V);
        g->divergence = fmax(g->divergence, isnan(kl) ? INFINITY : kl);
        g->mean_divergence += kl;
        g->top += share_of_top(a, b, V);
        g->same_first += i == j;
        c->token[g->tokens++] = (token_gap){ list, token, t->position ? t->position[token] : token, distance(a, b, V),
                                             i == j ? -1 : a[i] - a[j] };
    }
}

enum { LOGITS = 1 << 24 };

/* Logits of some tokens at a time: those of A, of B, and of a nudged run. */
static void compare_logits(compared *c, one_run run[2][RUNS], long list, const token_list *t)
{
    const long V = c->D[0]->outputs, most = lines_at_a_time(c->work.watch.logits ? c->work.watch.logits : LOGITS, V);
    const long rows = t->n - t->logits_from;
    double *logits[3];
    for (int k = 0; k < 3; k++) logits[k] = must_calloc((size_t)((rows < most ? rows : most) * V), sizeof(double));
    for (long from = t->logits_from; from < t->n; from += most) {
        const long count = t->n - from < most ? t->n - from : most;
        for (int m = 0; m < 2; m++) {
            run_logits(&run[m][0], t, from, count, logits[m], &c->work);
            c->g.most = fmax(c->g.most, size_of(logits[m], count * V));
            for (int k = 1; k < RUNS; k++) {
                run_logits(&run[m][k], t, from, count, logits[2], &c->work);
                move_logits(&c->by[m], logits[m], logits[2], count, V);
            }
        }
        move_logits(&c->gap, logits[0], logits[1], count, V);
        compare_rows(c, logits[0], logits[1], list, t, from, count);
    }
    for (int k = 0; k < 3; k++) free(logits[k]);
}

static void compare_list(compared *c, const structure *parts, long list, const token_list *t, uint64_t seed)
{
    one_run run[2][RUNS];
    const arith R = arith_f64();
    for (int m = 0; m < 2; m++) {
        const transformer *D = c->D[m];
        const double terms = (double)(D->d > place_widest(D) ? D->d : place_widest(D));
        for (int k = 0; k < RUNS; k++) {
            one_run *r = &run[m][k];
            *r = (one_run){ .D = D, .W = weights_of_file(D) };
            r->nudge = (nudged){ D, terms * 0x1p-53, parts, seed + (uint64_t)k - 1, &c->g.unit[m] };
            if (k > 0) r->W = (weight_source){ .D = D, .part = nudged_part, .of = &r->nudge };
            run_open(r, &R, t);
        }
    }
    compare_streams(c, run, t);
    compare_logits(c, run, list, t);
    for (int m = 0; m < 2; m++) for (int k = 0; k < RUNS; k++) run_close(&run[m][k]);
}

static void judge_tokens(token_gaps *g, const token_gap *token)
{
    for (long k = 0; k < g->tokens; k++) {
        g->near_ties += token[k].ahead >= 0 && token[k].off <= g->logits_tolerance;
        g->computed_ties += token[k].ahead >= 0 && token[k].off <= g->computing;
        if (g->list >= 0 || token[k].off <= g->logits_tolerance) continue;
        g->list = token[k].list;
        g->token = token[k].token;
        g->position = token[k].position;
    }
    g->mean_divergence /= (double)g->tokens;
    g->top /= (double)g->tokens;
}

token_gaps compare_on_tokens(const transformer *A, const transformer *B, const structure *parts, long n,
                             const token_list *lists, uint64_t seed, compare_watch watch)
{
    const long stages = 2 * A->L + 2;
    compared c = { .D = { A, B }, .streams = A->L == B->L && A->d == B->d, .g.list = -1,
                     .work = compare_work_of(A, B, RUNS, n, lists, watch) };
    if (c.streams) c.gap.stream = must_calloc((size_t)stages, sizeof(double));
    for (int m = 0; m < 2 && c.streams; m++) c.by[m].stream = must_calloc((size_t)stages, sizeof(double));
    for (long k = 0; k < n; k++) compare_list(&c, parts, k, &lists[k], seed + 1000 * (uint64_t)k);
    token_gaps g = c.g;
    g.logits = c.gap.logits;
    g.shift = c.gap.shift;
    for (int m = 0; m < 2; m++) g.moved[m] = c.by[m].logits;
    const long terms = A->d > place_widest(A) ? A->d : place_widest(A);
    g.computing = COMPARE_FACTOR * 0x1p-53 * (double)(terms * (stages + 1)) * g.most;
    g.logits_tolerance = COMPARE_FACTOR * (c.by[0].logits + c.by[1].logits);
    g.shift_tolerance = COMPARE_FACTOR * (c.by[0].shift + c.by[1].shift);
    if (c.streams) {
        g.stages = stages + 1;
        g.at = must_calloc((size_t)g.stages, sizeof *g.at);
        for (long k = 0; k < stages; k++)
            g.at[k] = (stage_gap){ k == 0 ? STAGE_EMBED : k == stages - 1 ? STAGE_NORM
                                   : k % 2 ? STAGE_ATTENTION : STAGE_MLP, k == 0 || k == stages - 1 ? -1 : (k - 1) / 2,
                                   c.gap.stream[k], COMPARE_FACTOR * (c.by[0].stream[k] + c.by[1].stream[k]) };
        g.at[stages] = (stage_gap){ STAGE_LOGITS, -1, g.most > 0 ? g.logits / g.most : 0,
                                    g.most > 0 ? g.logits_tolerance / g.most : 0 };
    }
    judge_tokens(&g, c.token);
    for (int m = 0; m < 2; m++) free(c.by[m].stream);
    free(c.gap.stream);
    free(c.token);
    return g;
}

void token_gaps_free(token_gaps *g)
{
    free(g->at);
    g->at = NULL;
}
