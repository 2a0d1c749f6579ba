/* SPDX-License-Identifier: GPL-3.0-or-later
 * expansion.c - see expansion.h: what does nothing, and what is there twice. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/expansion_plan.h"
#include "src/checkpoint/forward.h"

/* ---- things side by side: neurons, heads ------------------------------------------------------------------------- */

typedef struct {
    const transformer *D;
    long      layer, n, wide;            /* n things, of `wide` columns each                            */
    uint64_t *hash;                      /* of the columns that were seen                               */
    long     *first;                     /* the first thing that is equal; its own number: none         */
    bool     *alive;
} things;

static things things_of(const transformer *D, long layer, long n, long wide)
{
    things t = { .D = D, .layer = layer, .n = n, .wide = wide, .hash = must_calloc((size_t)n, sizeof *t.hash),
                 .first = must_calloc((size_t)n, sizeof *t.first), .alive = must_calloc((size_t)n, sizeof *t.alive) };
    for (long j = 0; j < n; j++) t.first[j] = j, t.alive[j] = true;
    return t;
}

static void things_free(things *t)
{
    free(t->hash);
    free(t->first);
    free(t->alive);
}

static uint64_t mixed(uint64_t hash, double x)
{
    uint64_t bits;
    x += 0.0;                                                            /* -0 is 0                             */
    memcpy(&bits, &x, sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* zero: NULL, or where a thing whose columns are not all 0 is marked as false. */
static void see(things *t, tensor_role role, bool *zero)
{
    long rows, cols;
    double *x = doubles_of_part(t->D, role, t->layer, 0, 0, &rows, &cols);
    for (long r = 0; x && r < rows; r++)
        for (long j = 0; j < t->n; j++)
            for (long k = 0; k < t->wide; k++) {
                const double y = x[r * cols + j * t->wide + k];
                t->hash[j] = mixed(t->hash[j], y);
                if (zero && y != 0) zero[j] = false;
            }
    free(x);
}

/* Candidates for equal things: those of one hash. */
static void pair_up(things *t)
{
    for (long j = 0; j < t->n; j++)
        for (long i = 0; i < j && t->alive[j] && t->first[j] == j; i++)
            if (t->alive[i] && t->first[i] == i && t->hash[i] == t->hash[j]) t->first[j] = i;
}

/* A hash decides nothing: candidates must have equal numbers. */
static void compare_pairs(things *t, tensor_role role)
{
    long rows, cols;
    double *x = doubles_of_part(t->D, role, t->layer, 0, 0, &rows, &cols);
    for (long j = 0; x && j < t->n; j++)
        for (long r = 0; r < rows && t->first[j] != j; r++) {
            const double *a = x + r * cols + j * t->wide, *b = x + r * cols + t->first[j] * t->wide;
            for (long k = 0; k < t->wide; k++) if (a[k] != b[k]) t->first[j] = j;
        }
    free(x);
}

static bool any_pair(const things *t)
{
    for (long j = 0; j < t->n; j++) if (t->first[j] != j) return true;
    return false;
}

static void find_pairs(things *t, long n, const tensor_role *roles)
{
    pair_up(t);
    for (long k = 0; k < n && any_pair(t); k++) compare_pairs(t, roles[k]);
}

/* ---- their rows of down or W_O ----------------------------------------------------------------------------------- */

static bool all_zero(const double *x, long n)
{
    for (long k = 0; k < n; k++) if (x[k] != 0) return false;
    return true;
}

/* a + b where each sum is a double; else nothing. */
static bool add_exactly(double *a, const double *b, long n)
{
    for (long k = 0; k < n; k++) {
        const double s = a[k] + b[k], of_b = s - a[k];
        if ((a[k] - (s - of_b)) + (b[k] - of_b) != 0) return false;      /* NaN, too: beyond all doubles        */
    }
    for (long k = 0; k < n; k++) a[k] += b[k];
    return true;
}

typedef struct { double *x; long each; } writers;        /* rows of a thing, one behind the other       */

static writers writers_of(const things *t, tensor_role role)
{
    long rows, cols;
    double *x = doubles_of_part(t->D, role, t->layer, 0, 0, &rows, &cols);
    REQUIRE(x && rows == t->n * t->wide, "%ld rows for %ld", rows, t->n);
    return (writers){ x, t->wide * cols };
}

static void silence(things *t, const writers *w)
{
    for (long j = 0; j < t->n; j++) if (all_zero(w->x + j * w->each, w->each)) t->alive[j] = false;
}

/* Equal things become one where their rows can be added up.  Returns how many went. */
static long merge(things *t, writers *w)
{
    long gone = 0;
    for (long j = 0; j < t->n; j++) {
        if (t->first[j] == j) continue;
        if (add_exactly(w->x + t->first[j] * w->each, w->x + j * w->each, w->each)) {
            memset(w->x + j * w->each, 0, (size_t)w->each * sizeof *w->x);
            gone++;
        } else t->first[j] = j;
    }
    return gone;
}

static long not_alive(const things *t)
{
    long n = 0;
    for (long j = 0; j < t->n; j++) n += !t->alive[j];
    return n;
}

/* ---- the MLP ----------------------------------------------------------------------------------------------------- */

/* All that are computed here (forward_refuses): each is 0 at 0. */
static bool nothing_at(const transformer *D, double x)
{
    return x == 0 || (strcmp(D->activation, "relu") == 0 && x < 0);
}

static bool *flags(long n)
{
    bool *is = must_calloc((size_t)n, sizeof *is);
    memset(is, true, (size_t)n);
    return is;
}

/* Neurons whose activation is 0, whatever the input. */
static void silence_by_inputs(things *t, const bool *up, const bool *gate)
{
    const transformer *D = t->D;
    long rows, cols;
    double *b_up = doubles_of_part(D, ROLE_UP_BIAS, t->layer, 0, 0, &rows, &cols);
    double *b_gate = doubles_of_part(D, ROLE_GATE_BIAS, t->layer, 0, 0, &rows, &cols);
    for (long j = 0; j < t->n; j++) {
        const double u = b_up ? b_up[j] : 0, g = b_gate ? b_gate[j] : 0;
        const bool nothing = D->gated ? (gate[j] && nothing_at(D, g)) || (up[j] && u == 0) : up[j] && nothing_at(D, u);
        if (nothing) t->alive[j] = false;
    }
    free(b_up);
    free(b_gate);
}

static void survey_mlp(const transformer *D, long i, layer_plan *p)
{
    static const tensor_role in[] = { ROLE_UP, ROLE_GATE, ROLE_UP_BIAS, ROLE_GATE_BIAS };
    things t = things_of(D, i, D->m, 1);
    bool *up = flags(D->m), *gate = flags(D->m);
    for (size_t k = 0; k < COUNT(in); k++) see(&t, in[k], in[k] == ROLE_UP ? up : in[k] == ROLE_GATE ? gate : NULL);
    silence_by_inputs(&t, up, gate);
    writers w = writers_of(&t, ROLE_DOWN);
    silence(&t, &w);
    p->silent_neurons = not_alive(&t);
    find_pairs(&t, COUNT(in), in);
    p->equal_neurons = merge(&t, &w);
    silence(&t, &w);                                                     /* a row and its negative              */
    p->neuron = must_calloc((size_t)D->m, sizeof *p->neuron);
    for (long j = 0; j < D->m; j++)
        p->neuron[j] = t.first[j] != j ? p->neuron[t.first[j]] : t.alive[j] ? p->neurons++ : -1;
    free(w.x);
    free(up);
    free(gate);
    things_free(&t);
}

/* ---- attention --------------------------------------------------------------------------------------------------- */

bool plan_has_heads(const transformer *D)
{
    return D->h > 0 && D->h_kv > 0 && !D->slim && !D->value_rows && !D->identity[PROJECT_Q] && !D->identity[PROJECT_K]
           && !D->identity[PROJECT_V];
}

void plan_open_heads(const transformer *D, layer_plan *p)
{
    p->key = must_calloc((size_t)D->h_kv, sizeof *p->key);
    p->of_key = must_calloc((size_t)D->h, sizeof *p->of_key);
    p->among = must_calloc((size_t)D->h, sizeof *p->among);
}

void plan_heads_as_they_are(const transformer *D, layer_plan *p)
{
    p->fixed = true;
    p->keys = D->h_kv;
    p->group = D->h_kv ? D->h / D->h_kv : 1;
    for (long g = 0; g < D->h_kv; g++) p->key[g] = g;
    for (long a = 0; a < D->h; a++) p->of_key[a] = a / p->group, p->among[a] = a % p->group;
}

/* Places of key heads in the order of the first query head that is left, and of those in their order. */
static void place_heads(const things *q, const things *k, layer_plan *p)
{
    const long group = q->n / k->n;
    long *count = must_calloc((size_t)k->n, sizeof *count);
    for (long g = 0; g < k->n; g++) p->key[g] = -1;
    for (long a = 0; a < q->n; a++) {
        const long first = q->first[a], g = k->first[a / group];
        p->of_key[a] = p->among[a] = -1;
        if (first != a) p->of_key[a] = p->of_key[first], p->among[a] = p->among[first];
        if (first != a || !q->alive[a]) continue;
        if (p->key[g] < 0) p->key[g] = p->keys++;
        p->of_key[a] = p->key[g];
        p->among[a] = count[p->key[g]]++;
        if (count[p->key[g]] > p->group) p->group = count[p->key[g]];
    }
    for (long g = 0; g < k->n; g++)
        if (k->first[g] != g && p->key[k->first[g]] >= 0) p->key[g] = p->key[k->first[g]], p->equal_keys++;
    free(count);
}

static void survey_attention(const transformer *D, long i, layer_plan *p)
{
    static const tensor_role in_key[] = { ROLE_K, ROLE_V, ROLE_K_BIAS, ROLE_V_BIAS };
    static const tensor_role in_query[] = { ROLE_Q, ROLE_Q_BIAS };
    plan_open_heads(D, p);
    if (!plan_has_heads(D)) {
        plan_heads_as_they_are(D, p);
        return;
    }
    things k = things_of(D, i, D->h_kv, D->dk), q = things_of(D, i, D->h, D->dk);
    bool *values = flags(D->h_kv);
    for (size_t r = 0; r < COUNT(in_key); r++)
        see(&k, in_key[r], in_key[r] == ROLE_V || in_key[r] == ROLE_V_BIAS ? values : NULL);
    find_pairs(&k, COUNT(in_key), in_key);
    writers w = writers_of(&q, ROLE_O);
    silence(&q, &w);
    for (long a = 0; a < D->h; a++) if (values[a / (D->h / D->h_kv)]) q.alive[a] = false;
    p->silent_heads = not_alive(&q);
    for (size_t r = 0; r < COUNT(in_query); r++) see(&q, in_query[r], NULL);
    for (long a = 0; a < D->h; a++) {
        const long of_key = k.first[a / (D->h / D->h_kv)];
        q.hash[a] = mixed(q.hash[a], (double)of_key);
    }
    pair_up(&q);
    for (long a = 0; a < D->h; a++)                                      /* of one key head                     */
        if (k.first[a / (D->h / D->h_kv)] != k.first[q.first[a] / (D->h / D->h_kv)]) q.first[a] = a;
    for (size_t r = 0; r < COUNT(in_query); r++) compare_pairs(&q, in_query[r]);
    p->equal_heads = merge(&q, &w);
    silence(&q, &w);
    place_heads(&q, &k, p);
    free(w.x);
    free(values);
    things_free(&k);
    things_free(&q);
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

static bool bias_is_zero(const transformer *D, tensor_role role, long layer)
{
    long rows, cols;
    double *b = doubles_of_part(D, role, layer, 0, 0, &rows, &cols);
    const bool zero = !b || all_zero(b, cols);
    free(b);
    return zero;
}

/* Next to its skips; parallel or not: x + 0 + 0. */
static bool is_identity(const transformer *D, long i, const layer_plan *p)
{
    return D->attn_skip && D->mlp_skip && !p->fixed && !p->keys && !p->neurons
           && bias_is_zero(D, ROLE_O_BIAS, i) && bias_is_zero(D, ROLE_DOWN_BIAS, i);
}

static layer_plan *survey(const transformer *D, long *left)
{
    layer_plan *p = must_calloc((size_t)D->L, sizeof *p);
    *left = 0;
    for (long i = 0; i < D->L; i++) {
        survey_attention(D, i, &p[i]);
        survey_mlp(D, i, &p[i]);
        *left += !(p[i].silent = is_identity(D, i, &p[i]));
    }
    return p;
}

void plans_free(const transformer *D, layer_plan *p)
{
    for (long i = 0; i < D->L; i++) {
        free(p[i].neuron);
        free(p[i].key);
        free(p[i].of_key);
        free(p[i].among);
    }
    free(p);
}

static void widen(const transformer *D, const layer_plan *p, plan_sizes *to)
{
    for (long i = 0; i < D->L; i++) {
        if (p[i].silent) continue;
        if (p[i].neurons > to->m) to->m = p[i].neurons;
        if (p[i].keys > to->keys) to->keys = p[i].keys;
        if (p[i].group > to->group) to->group = p[i].group;
    }
}

bool expansions_undo(const transformer *A, const transformer *B, contracted to[2])
{
    const transformer *D[2] = { A, B };
    layer_plan *plan[2];
    long left[2];
    for (int k = 0; k < 2; k++) plan[k] = survey(D[k], &left[k]);
    plan_sizes sizes = { 1, 1, 1 };
    for (int k = 0; k < 2; k++) widen(D[k], plan[k], &sizes);
    bool any = false;
    if (left[0] == left[1] && left[0] > 0) {
        for (int k = 0; k < 2; k++) to[k] = contracted_model(D[k], plan[k], sizes);
        any = to[0].n || to[1].n;
    }
    if (left[0] == left[1] && left[0] > 0 && !any) for (int k = 0; k < 2; k++) contracted_free(&to[k]);
    for (int k = 0; k < 2; k++) plans_free(D[k], plan[k]);
    return any;
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

const char *const undone_name[UNDONE_KINDS] = {
    [UNDONE_LAYERS] = "layers that add nothing", [UNDONE_SILENT_HEADS] = "heads that do nothing",
    [UNDONE_EQUAL_HEADS] = "heads that repeat others", [UNDONE_EQUAL_KEYS] = "key heads that repeat others",
    [UNDONE_SILENT_NEURONS] = "neurons that do nothing", [UNDONE_EQUAL_NEURONS] = "neurons that repeat others",
    [UNDONE_MOVED_HEADS] = "heads in another order", [UNDONE_MOVED_NEURONS] = "neurons in another order",
    [UNDONE_MOVED_EXPERTS] = "experts in another order",
    [UNDONE_TOKENS] = "tokens of its own", [UNDONE_POSITIONS] = "positions of its own" };

char *undone_words(const undone *u)
{
    static const char *const say[UNDONE_KINDS] = {
        [UNDONE_SILENT_HEADS] = "heads do nothing", [UNDONE_EQUAL_HEADS] = "heads repeat others",
        [UNDONE_EQUAL_KEYS] = "key heads repeat others", [UNDONE_SILENT_NEURONS] = "neurons do nothing",
        [UNDONE_EQUAL_NEURONS] = "neurons repeat others", [UNDONE_MOVED_HEADS] = "heads are in another place in B",
        [UNDONE_MOVED_NEURONS] = "neurons are in another place in B",
        [UNDONE_MOVED_EXPERTS] = "experts are in another place in B" };
    if (u->kind == UNDONE_TOKENS) return must_format("%ld of %ld tokens are not in the other", u->n, u->of);
    if (u->kind == UNDONE_POSITIONS) return must_format("%ld of %ld positions are not in the other", u->n, u->of);
    if (u->kind == UNDONE_LAYERS)
        return u->first == u->last ? must_format("layer %ld adds nothing to the stream", u->first)
                                   : must_format("layers %ld to %ld add nothing to the stream", u->first, u->last);
    if (u->first == u->last) return must_format("layer %ld: %ld of %ld %s", u->first, u->n, u->of, say[u->kind]);
    return must_format("layers %ld to %ld, in each: %ld of %ld %s", u->first, u->last, u->n, u->of, say[u->kind]);
}
