/* SPDX-License-Identifier: GPL-3.0-or-later
 * plan.c - see plan.h. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/nearest.h"
#include "src/checkpoint/plan.h"

typedef struct {
    const char *word, *first;            /* how the claims of its row of reductions_of begin              */
    stream_change stream;                /* STREAM_KEPT: a gauge of heads                                 */
    const char *what;
} method;
static const method methods[] = {
    { "collapse",     "K-P4.1",        STREAM_KEPT,
      "one head: W_Q W_K' and W_V W_O each as one matrix, all layers" },
    { "zero-row",     "N18",           STREAM_KEPT,         "behind LayerNorm: one row of each W_Q becomes 0" },
    { "slim",         "N11",           STREAM_KEPT,
      "values computed from keys, all layers (with --compact; on request only)" },
    { "values",       "N1 N1b",        STREAM_KEPT,         "identity blocks in W_V of each head, all layers" },
    { "queries",      "K-P3.2 N1b",    STREAM_KEPT,         "identity blocks in W_Q or W_K of each head, all layers" },
    { "pairs",        "K-P3.2 K-X-rope", STREAM_KEPT,
      "with RoPE: (1, 0) for one row of each rotary pair of W_K, all layers" },
    { "every-query",  "K-T4.4",        STREAM_EVERY_QUERY,  "W_Q = I in every layer" },
    { "shared-query", "K-T4.3",        STREAM_SHARED_QUERY, "W_Q = I in the block that all layers share" },
    { "no-layernorm", "K-R2",          STREAM_NO_LAYERNORM,
      "LayerNorms without division leave; W_Q = I, b_Q = 0 in one layer" },
    { "one-query",    "K-T4.2",        STREAM_ONE_QUERY,    "W_Q = I in one layer" },
    { "triangle",     "N7",            STREAM_TRIANGLE,     "with RMSNorm: W_Q of one layer triangular" },
    { "stacked",      "N4",            STREAM_STACKED,      "W_K and W_V of one layer stacked identities" } };

void plan_print_words(FILE *f)
{
    for (size_t k = 0; k < COUNT(methods); k++) fprintf(f, "  %-13s %s\n", methods[k].word, methods[k].what);
}

static void refuse(reduction_plan *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void refuse(reduction_plan *p, const char *fmt, ...)
{
    va_list ap;
    if (p->refused) return;
    va_start(ap, fmt);
    if (vasprintf(&p->refused, fmt, ap) < 0) die("out of memory: close other programs");
    va_end(ap);
}

/* NULL: there is none of that name, and the plan is refused. */
static const method *method_of(reduction_plan *to, const char *word, size_t n)
{
    const char *words[COUNT(methods)];
    for (size_t k = 0; k < COUNT(methods); k++) {
        if (text_is(word, n, methods[k].word)) return &methods[k];
        words[k] = methods[k].word;
    }
    char *copy = must_format("%.*s", (int)n, word), *hint = nearest_hint(copy, words, COUNT(words));
    refuse(to, "--apply: `%s` is no construction%s; see `provably reduce --help`", copy, hint);
    free(copy);
    free(hint);
    return NULL;
}

static const reduction_row *row_of(const reduction_list *r, const method *m)
{
    for (long k = 0; k < r->n; k++) {
        const char *claims = r->at[k].claims;
        const bool triangle = m->stream == STREAM_TRIANGLE && strcmp(claims, "N20") == 0;
        const bool keys = strcmp(m->word, "queries") == 0 && strcmp(claims, "K-P3.2 K-X-qknorm") == 0;
        if (triangle || keys || strncmp(claims, m->first, strlen(m->first)) == 0) return &r->at[k];
    }
    return NULL;
}

/* What no theorem's condition says: NULL, or why the file cannot hold what comes out. */
static const char *unwritable(const transformer *D, const method *m)
{
    if (strcmp(m->word, "slim") == 0)
        return tensor_of(D, ROLE_K_BIAS, 0) && !tensor_of(D, ROLE_V_BIAS, 0) ? "W_K has a bias and W_V none" : NULL;
    if (m->stream == STREAM_KEPT) return NULL;
    if (D->experts) return "experts and their routers read the stream, whose basis is not changed here";
    if (D->offset_gain || D->embed_norm || D->norms != NORMS_BEFORE)
        return "its norms are not those that a change of basis folds here";
    if (D->identity[0] || D->identity[1] || D->identity[2])
        return "W_Q, W_K or W_V is the identity and not stored, and would have to be";
    if (!D->attn_skip) return "it takes skips around attention";
    const bool query_bias = tensor_of(D, ROLE_QKV_BIAS, 0) || tensor_of(D, ROLE_Q_BIAS, 0);
    if (D->norm_bias && !(query_bias && tensor_of(D, ROLE_UP_BIAS, 0)))
        return "its norms have biases and the matrices behind them have none that could take them up";
    return NULL;
}

/* Whether it takes a head of its own that the model does not have. */
static bool needs_untied(const transformer *D, const method *m)
{
    return D->tied && m->stream != STREAM_KEPT && m->stream != STREAM_EVERY_QUERY && m->stream != STREAM_TRIANGLE;
}

static const method *method_of_row(const reduction_row *row)
{
    reduction_row copy = *row;
    const reduction_list one = { &copy, 1, NULL };
    for (size_t k = 0; k < COUNT(methods); k++) if (row_of(&one, &methods[k])) return &methods[k];
    return NULL;
}

const char *plan_word(const reduction_row *row)
{
    const method *m = method_of_row(row);
    return m ? m->word : NULL;
}

bool plan_needs_untied(const transformer *D, const reduction_row *row)
{
    const method *m = method_of_row(row);
    return m && needs_untied(D, m);
}

static double log2_condition(const layer_condition *c, long layer, projection p) { return log2(c[layer].of[p].whole); }

static double badness(const layer_condition *c, long i, bool stacked)
{
    if (!stacked) return log2_condition(c, i, PROJECT_Q);
    return fmax(log2_condition(c, i, PROJECT_K), log2_condition(c, i, PROJECT_V));
}

static double badness_of_keys(const transformer *D, const layer_condition *c)
{
    double worst = 0;
    for (long i = 0; i < D->L; i++) worst = fmax(worst, log2_condition(c, i, PROJECT_K));
    return worst;
}

/* The layer with the best condition, or for W_Q of all layers the worst. */
static long layer_for(const transformer *D, const layer_condition *c, stream_change change, double *bits)
{
    const bool all = change == STREAM_EVERY_QUERY, stacked = change == STREAM_STACKED;
    long at = 0;
    for (long i = 1; i < D->L && change != STREAM_SHARED_QUERY; i++) {
        const double x = badness(c, i, stacked), y = badness(c, at, stacked);
        if (all ? x > y : x < y) at = i;
    }
    *bits = badness(c, at, stacked);
    return at;
}

typedef struct {
    const weights *w;
    const transformer *D;
    const layer_condition *c;
    const plan_request *ask;
    reduction_list rows;
} planner;

/* What the constructions that were taken before leave nothing of, or what another one needs; NULL: nothing. */
static const char *superseded(const planner *p, const rewrite_plan *by, const char *word)
{
    const bool values = strcmp(word, "values") == 0, queries = strcmp(word, "queries") == 0;
    if (by->collapse && (values || queries)) return "the collapse makes W_K and W_O the identity";
    if (by->slim && values) return "W_V acts on keys by then (slim) and has no such blocks";
    if (by->row && queries && p->D->dk == p->D->d)
        return "a row of W_Q is 0 by then, and the head is as wide as the stream";
    if (by->row && strcmp(word, "no-layernorm") == 0) return "the row of W_Q is 0 because of LayerNorm (zero-row)";
    return NULL;
}

/* The heads whose block is singular, [L * h_kv], to be freed; NULL: none.  bits: of the others; kept: how many. */
static bool *keep_singular(const planner *p, projection of, double *bits, long *kept)
{
    const transformer *D = p->D;
    const block_conditions b = block_conditions_of(D, p->c, of);
    *bits = b.bits;
    *kept = b.all - b.regular;
    if (b.regular == b.all) return NULL;
    bool *keep = must_calloc((size_t)b.all, sizeof *keep);
    for (long k = 0; k < b.all; k++) keep[k] = !block_is_regular(D, p->c, of, k / D->h_kv, k % D->h_kv);
    return keep;
}

static void take(const planner *p, reduction_plan *to, const method *m, const reduction_row *row, bool forced)
{
    double bits = NAN;
    long kept = 0;
    if (m->stream != STREAM_KEPT) {
        to->plan.stream = m->stream;
        to->plan.layer = layer_for(p->D, p->c, m->stream, &bits);
        if (!isfinite(bits)) refuse(to, "%s: %s cannot be forced: W_Q is singular", p->w->path, m->word);
        const bool triangle = m->stream == STREAM_TRIANGLE;
        to->plan.untie = p->ask->untie && (needs_untied(p->D, m) || (triangle && p->D->tied));
    } else if (strcmp(m->word, "values") == 0) {
        to->plan.values = true;
        to->plan.keep_values = keep_singular(p, PROJECT_V, &bits, &kept);
    } else if (strcmp(m->word, "queries") == 0) {
        to->plan.queries = true;
        to->plan.keep_queries = keep_singular(p, p->D->h_kv < p->D->h ? PROJECT_K : PROJECT_Q, &bits, &kept);
    } else if (strcmp(m->word, "pairs") == 0) to->plan.pairs = true;
    else if (strcmp(m->word, "zero-row") == 0) to->plan.row = true;
    else if (strcmp(m->word, "collapse") == 0) to->plan.collapse = true;
    else {
        to->plan.slim = true;
        bits = badness_of_keys(p->D, p->c);
    }
    if (isfinite(bits)) to->bits = fmax(to->bits, bits);
    to->at = must_realloc(to->at, (size_t)to->n + 1, sizeof *to->at);
    to->at[to->n++] = (planned){ .word = m->word, .claims = row ? row->claims : m->first, .what = m->what,
                                 .why = must_strdup(row ? row->why : "forced"), .forced = forced,
                                 .parameters = row && !forced ? row->parameters : 0, .bits = bits,
                                 .kept = kept, .heads = p->D->L * p->D->h_kv };
}

/* NULL: it applies; else why not, to be freed. */
static char *objection(const planner *p, const method *m, const reduction_row *row)
{
    const char *cannot = unwritable(p->D, m);
    if (row && row->applies && !cannot) {
        if (!needs_untied(p->D, m) || p->ask->untie) return NULL;
        return must_strdup("the head is tied to the embedding: with --untie it becomes a matrix of its own");
    }
    if (row && row->applies) return must_strdup(cannot);
    const bool tied = row && p->D->tied && !p->ask->untie && strstr(row->why, "tied");
    return must_format("%s%s", row ? row->why : "it is not for models of this kind", tied ? "; --untie does that" : "");
}

/* What cannot be done at all, whatever comes out. */
static const char *impossible(const transformer *D, const method *m)
{
    const char *cannot = unwritable(D, m);
    if (cannot) return cannot;
    const bool rotary = D->positions == POSITIONS_ROTARY, keys = D->identity[0] || D->identity[1];
    if (strcmp(m->word, "values") == 0 && (D->identity[PROJECT_V] || D->dk > D->d)) return "W_V has no such blocks";
    if (strcmp(m->word, "queries") == 0 && (keys || D->dk > D->d)) return "W_Q and W_K have no such blocks";
    if (strcmp(m->word, "slim") == 0 && (D->identity[PROJECT_K] || D->identity[PROJECT_V] || D->h_kv * D->dk != D->d))
        return "W_K is not a square matrix that is stored";
    if (strcmp(m->word, "zero-row") == 0 && D->norm != NORM_OF_LAYER) return "there are no LayerNorms";
    if (strcmp(m->word, "zero-row") == 0 && (D->offset_gain || !norms_in_front(D)))
        return "its norms are not those that a change of W_Q folds here";
    if (strcmp(m->word, "zero-row") == 0 && (D->identity[PROJECT_Q] || (D->norm_bias && !tensor_of(D, ROLE_QKV_BIAS, 0)
                                                                      && !tensor_of(D, ROLE_Q_BIAS, 0))))
        return "there is no W_Q, or no bias of W_Q that takes up LayerNorm's";
    if (strcmp(m->word, "collapse") == 0 && (D->h != 1 || D->dk != D->d || D->biases || keys || D->identity[PROJECT_V]))
        return "it takes one head as wide as the stream, four stored matrices, and no biases";
    if (strcmp(m->word, "pairs") == 0 && (!rotary || keys)) return "there are no rotary pairs";
    if (m->stream == STREAM_NO_LAYERNORM && D->norm != NORM_OF_LAYER) return "there are no LayerNorms";
    if (m->stream == STREAM_STACKED && 2 * D->h_kv * D->dk > D->d) return "W_K and W_V are too wide";
    if (m->stream != STREAM_KEPT && m->stream != STREAM_STACKED && D->h * D->dk != D->d) return "W_Q is not square";
    if (m->stream == STREAM_TRIANGLE && rotary && D->rotary < D->dk) return "a part of each head is not rotated";
    return NULL;
}

/* The words of --apply; false: the plan is refused. */
static bool words_of(const planner *p, reduction_plan *to, bool *taken)
{
    if (!*p->ask->apply) refuse(to, "--apply names no construction; see `provably reduce --help`");
    for (const char *at = p->ask->apply; *at && !to->refused;) {
        const size_t n = strcspn(at, ",");
        const method *m = method_of(to, at, n);
        if (m) taken[m - methods] = true;
        at += n;
        if (*at == ',' && !*++at) refuse(to, "--apply ends with a comma");
    }
    const char *before = NULL;
    for (size_t k = 0; k < COUNT(methods); k++) {
        if (!taken[k] || methods[k].stream == STREAM_KEPT) continue;
        if (before)
            refuse(to, "--apply: %s and %s each choose the basis of the stream; name one of them", before,
                   methods[k].word);
        before = methods[k].word;
    }
    return !to->refused;
}

static void asked(const planner *p, reduction_plan *to)
{
    bool taken[COUNT(methods)] = { false };
    if (!words_of(p, to, taken)) return;
    for (size_t k = 0; k < COUNT(methods) && !to->refused; k++) {
        const method *m = &methods[k];
        if (!taken[k]) continue;
        const reduction_row *row = row_of(&p->rows, m);
        char *why = objection(p, m, row);
        const char *over = superseded(p, &to->plan, m->word), *never = over ? over : why ? impossible(p->D, m) : NULL;
        if (never)
            refuse(to, "%s: %s (%s) is not possible: %s", p->w->path, m->word, row ? row->claims : m->first, never);
        else if (why && !p->ask->force)
            refuse(to, "%s: %s (%s) does not apply: %s. With --force it is done all the same, and the result is a "
                   "different function", p->w->path, m->word, row ? row->claims : m->first, why);
        else take(p, to, m, row, why != NULL);
        free(why);
    }
}

/* Is a tensor written that programs for the file's kind have no place for?  The norm's bias, times the head, is a bias
 * of the head. */
static bool needs_head_bias(const planner *p, const method *m)
{
    const bool own_head = !p->D->tied || p->ask->untie;
    return m->stream != STREAM_KEPT && own_head && tensor_of(p->D, ROLE_FINAL_BIAS, -1)
           && !tensor_of(p->D, ROLE_HEAD_BIAS, -1);
}

static const method *best_basis(const planner *p, reduction_plan *to)
{
    const method *best = NULL;
    for (size_t k = 0; k < COUNT(methods); k++) {
        const method *m = &methods[k];
        const reduction_row *row = row_of(&p->rows, m);
        char *why = m->stream == STREAM_KEPT ? NULL : objection(p, m, row);
        const bool applies = m->stream != STREAM_KEPT && !why, fits = applies && !needs_head_bias(p, m);
        if (applies && !fits && !to->left)
            to->left = must_format("%s applies, too, but would write a bias of the head, which programs for this kind "
                                   "of file do not read: --apply=%s asks for it", m->word, m->word);
        if (fits && (!best || row->parameters > row_of(&p->rows, best)->parameters)) best = m;
        free(why);
    }
    return best;
}

static void chosen(const planner *p, reduction_plan *to)
{
    text_buffer reasons = { 0 };
    const method *best = best_basis(p, to);
    for (size_t k = 0; k < COUNT(methods); k++) {
        const method *m = &methods[k];
        const reduction_row *row = row_of(&p->rows, m);
        const bool whole = p->D->dk == p->D->d;          /* then a gauge of the head does more than a row */
        const bool lesser = strcmp(m->word, "zero-row") == 0 && ((best && best->stream == STREAM_NO_LAYERNORM)
                                                                 || (whole && !to->plan.collapse));
        const bool wanted = m->stream == STREAM_KEPT && !lesser && strcmp(m->word, "slim") != 0;
        char *why = objection(p, m, row);
        if (why) text_add(&reasons, "\n  %s: %s", m->word, why);
        else if (wanted && !superseded(p, &to->plan, m->word)) take(p, to, m, row, false);
        free(why);
    }
    if (best) take(p, to, best, row_of(&p->rows, best), false);
    if (to->n) text_clear(&reasons);
    else to->nothing = text_take(&reasons);
}

/* A layer that the basis was chosen for keeps the gauge of its heads: what a gauge removes there is counted once. */
static void count_once(const transformer *D, reduction_plan *to)
{
    const stream_change c = to->plan.stream;
    const double all = c == STREAM_EVERY_QUERY || c == STREAM_SHARED_QUERY ? (double)D->L : c == STREAM_KEPT ? 0 : 1;
    for (long k = 0; k < to->n; k++) {
        planned *t = &to->at[k];
        const bool values = strcmp(t->word, "values") == 0;
        const bool heads = strcmp(t->word, "queries") == 0 || strcmp(t->word, "pairs") == 0;
        if (heads || (values && c == STREAM_STACKED)) t->parameters *= 1 - all / (double)D->L;
        if (strcmp(t->word, "collapse") == 0) t->parameters *= 1 - all / (double)D->L / 2;
    }
}

reduction_plan plan_of(const weights *w, const transformer *D, const layer_condition *c, const plan_request *ask)
{
    transformer as_if = *D;                              /* the head that it will have */
    as_if.tied = D->tied && !ask->untie;
    const planner p = { w, D, c, ask, reductions_of(&as_if, c) };
    reduction_plan to = { .at = NULL };
    if (p.rows.nothing) refuse(&to, "%s: nothing applies because %s", w->path, p.rows.nothing);
    else if (ask->apply) asked(&p, &to);
    else chosen(&p, &to);
    if (!to.refused) count_once(D, &to);
    reduction_list rows = p.rows;
    reductions_free(&rows);
    return to;
}

void plan_free(reduction_plan *p)
{
    for (long k = 0; k < p->n; k++) free(p->at[k].why);
    free(p->at);
    free(p->nothing);
    free(p->left);
    free(p->refused);
    free((void *)(uintptr_t)p->plan.keep_values);
    free((void *)(uintptr_t)p->plan.keep_queries);
    *p = (reduction_plan){ .at = NULL };
}

char *plan_words(const reduction_plan *p)
{
    text_buffer t = { 0 };
    for (long k = 0; k < p->n; k++) text_add(&t, "%s%s", k ? "," : "", p->at[k].word);
    return text_take(&t);
}

enum { LEAST_BITS = 96 };

/* What the conditions cost, twice for a triangle, which comes from W'W. */
long plan_bits(const reduction_plan *p, bool wide)
{
    return LEAST_BITS + 32 * (long)ceil((p->plan.stream == STREAM_TRIANGLE ? 2 : 1) * p->bits / 32 + wide);
}
