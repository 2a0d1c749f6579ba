/* SPDX-License-Identifier: GPL-3.0-or-later
 * structure.c - see structure.h. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/experts.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/numbers_apart.h"
#include "src/checkpoint/rope.h"
#include "src/checkpoint/structure.h"

/* ---- lists of texts ---------------------------------------------------------------------------------------------- */

static void add_text(char ***list, long *n, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void add_text(char ***list, long *n, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    *list = must_realloc(*list, (size_t)*n + 1, sizeof **list);
    (*list)[(*n)++] = must_strdup(text);
}

static finding *add(structure *s, tensor_role role, long layer, const weight_tensor *t, relation_kind kind)
{
    s->at = must_realloc(s->at, (size_t)s->n + 1, sizeof *s->at);
    finding *f = &s->at[s->n++];
    *f = (finding){ .role = role, .layer = layer, .tensor = t ? t->name : role_name[role], .kind = kind, .gap = NAN,
                    .units = NAN };
    return f;
}

/* ---- the settings ------------------------------------------------------------------------------------------------ */

static const char *yes(bool x) { return x ? "yes" : "no"; }

#define SETTING(...) add_text(&s->setting, &s->settings, __VA_ARGS__)
#define FORM(...) do { s->forms++; SETTING(__VA_ARGS__); } while (0)

/* What no rule here reads: code of its own, keys of the configuration. */
static void unread_settings(structure *s, const transformer *A, const transformer *B)
{
    const char *a = A->own_code ? A->own_code : "none", *b = B->own_code ? B->own_code : "none";
    if (strcmp(a, b) != 0) FORM("code of its own (auto_map): %s in A, %s in B", a, b);
    for (int m = 0; m < 2; m++) {
        const transformer *D = m ? B : A, *other = m ? A : B;
        for (long k = 0; k < D->unknown_keys; k++) {
            bool both = false;
            for (long i = 0; i < other->unknown_keys; i++)
                both = both || strcmp(D->unknown_key[k], other->unknown_key[i]) == 0;
            if (!both) FORM("%s is a key of the configuration of %s alone", D->unknown_key[k], m ? "B" : "A");
        }
    }
}

static void compare_angles(structure *s, const transformer *A, const transformer *B)
{
    double units;
    const rope_relation is = rope_compare(A, B, &units);
    if (is == ROPE_ROUNDED) s->angles_rounded = units;
    if (is != ROPE_DIFFERENT) return;
    char *a = rope_words(A), *b = rope_words(B);
    SETTING("rotary frequencies are %s in A and %s in B", a, b);
    free(a);
    free(b);
}

static void compare_caps(structure *s, const transformer *A, const transformer *B)
{
    const struct { const char *what; double a, b; } of[] = {
        { "theta of layers within a window (0: that of all) is", A->local_theta, B->local_theta },
        { "scores are capped (0: not) at", A->score_cap, B->score_cap },
        { "logits are capped (0: not) at", A->logit_cap, B->logit_cap } };
    for (size_t k = 0; k < COUNT(of); k++)
        if (of[k].a != of[k].b) SETTING("%s %.9g in A and %.9g in B", of[k].what, of[k].a, of[k].b);
}

/* What another file may have in its weights. */
static void compare_factors(structure *s, const transformer *A, const transformer *B)
{
    const struct { const char *what; double a, b; } of[] = {
        { "the embedding is multiplied by", A->embed_factor, B->embed_factor },
        { "what attention and MLP add is multiplied by", A->added_factor, B->added_factor },
        { "logits are multiplied by", A->logit_factor, B->logit_factor },
        { "logits are divided by", A->logit_divisor, B->logit_divisor },
        { "scores are scaled (0: by 1 / sqrt(dk)) by", A->scale, B->scale } };
    for (size_t k = 0; k < COUNT(of); k++)
        if (of[k].a != of[k].b) FORM("%s %.9g in A and %.9g in B", of[k].what, of[k].a, of[k].b);
    if (A->offset_gain != B->offset_gain)
        FORM("gains multiply by 1 + w: %s in A, %s in B", yes(A->offset_gain), yes(B->offset_gain));
}

/* Layers that see all and those that do not turn; the first that differs. */
static void compare_layers(structure *s, const transformer *A, const transformer *B)
{
    static const struct { int bit; const char *what; } of[] = { { LAYER_SEES_ALL, "sees all positions" },
        { LAYER_DOES_NOT_TURN, "does not turn" }, { LAYER_HAS_EXPERTS, "has experts" } };
    for (size_t k = 0; k < COUNT(of); k++)
        for (long i = 0; i < A->L && i < B->L; i++) {
            const bool a = A->layer && (A->layer[i] & of[k].bit), b = B->layer && (B->layer[i] & of[k].bit);
            if (a == b || (of[k].bit == LAYER_SEES_ALL && !A->window && !B->window && A->local_theta == 0))
                continue;
            SETTING("layer %ld %s: %s in A, %s in B", i, of[k].what, yes(a), yes(b));
            break;
        }
}

static void compare_experts(structure *s, const transformer *A, const transformer *B)
{
    if (A->experts != B->experts)
        SETTING("a layer has %ld experts in A and %ld in B (0: an MLP)", A->experts, B->experts);
    else if (A->chosen != B->chosen) SETTING("a token meets %ld experts in A and %ld in B", A->chosen, B->chosen);
    else if (A->chosen_sum != B->chosen_sum)
        SETTING("the weights of the experts that a token meets sum to 1: %s in A, %s in B", yes(A->chosen_sum),
                yes(B->chosen_sum));
    if (A->experts == B->experts && !A->shared_m != !B->shared_m)
        SETTING("an expert that all tokens meet: %s in A, %s in B", yes(A->shared_m), yes(B->shared_m));
}

/* What encoders have and decoders have not. */
static void compare_encoders(structure *s, const transformer *A, const transformer *B)
{
    if (A->encoder != B->encoder)
        SETTING("tokens see those behind them: %s in A, %s in B", yes(A->encoder), yes(B->encoder));
    if (A->buckets != B->buckets)
        SETTING("scores have biases by distance: %s in A, %s in B", yes(A->buckets), yes(B->buckets));
    if (A->pad != B->pad)
        SETTING("the token that has no position is %ld in A and %ld in B (-1: none)", A->pad, B->pad);
    const bool dense = tensor_of(A, ROLE_DENSE, -1) && tensor_of(B, ROLE_DENSE, -1);
    if (dense && strcmp(A->head_activation, B->head_activation) != 0)
        SETTING("the activation of the head is %s in A and %s in B", A->head_activation, B->head_activation);
}

/* Forms last: a function may be written with other ones. */
static void settings_between(structure *s, const transformer *A, const transformer *B)
{
    static const char *const norm[] = { "none", "LayerNorm", "RMSNorm" };
    static const char *const positions[] = { "none", "learned", "rotary", "ALiBi" };
    static const char *const places[] = { "in front of attention and MLP", "one in front of both", "behind them",
                                          "in front of them and behind", "behind the sums with the stream" };
    if (A->norm && A->norm == B->norm && forward_eps(A) != forward_eps(B))
        SETTING("eps of the norms is %.9g in A and %.9g in B", forward_eps(A), forward_eps(B));
    if (A->positions != B->positions)
        SETTING("positions are %s in A and %s in B", positions[A->positions], positions[B->positions]);
    else if (A->positions == POSITIONS_ROTARY) {
        if (A->theta != B->theta)
            SETTING("theta of the rotary angles is %.9g in A and %.9g in B", A->theta, B->theta);
        if (A->rotary != B->rotary)
            SETTING("%ld coordinates of a head turn in A, %ld in B", A->rotary, B->rotary);
        else compare_angles(s, A, B);
    }
    if (strcmp(A->activation, B->activation) != 0)
        SETTING("the activation is %s in A and %s in B", A->activation, B->activation);
    if (A->window != B->window) SETTING("a token sees %ld positions in A and %ld in B (0: all)", A->window, B->window);
    compare_caps(s, A, B);
    compare_encoders(s, A, B);
    compare_layers(s, A, B);
    compare_experts(s, A, B);
    if (A->factor != B->factor) SETTING("scores are multiplied by %.9g in A and by %.9g in B", A->factor, B->factor);
    if (A->parallel != B->parallel)
        SETTING("attention and MLP are parallel: %s in A, %s in B", yes(A->parallel), yes(B->parallel));
    if (A->norms != B->norms) SETTING("norms are %s in A and %s in B", places[A->norms], places[B->norms]);
    if (A->qk_norm && B->qk_norm && A->qk != B->qk)
        SETTING("queries and keys are normalised %s in A and %s in B", A->qk == QK_WHOLE ? "as a whole" : "by head",
                B->qk == QK_WHOLE ? "as a whole" : "by head");
    if (A->norm != B->norm) FORM("the norms are %s in A and %s in B", norm[A->norm], norm[B->norm]);
    if (A->attn_skip != B->attn_skip)
        FORM("a skip around attention: %s in A, %s in B", yes(A->attn_skip), yes(B->attn_skip));
    if (A->mlp_skip != B->mlp_skip)
        FORM("a skip around the MLP: %s in A, %s in B", yes(A->mlp_skip), yes(B->mlp_skip));
    if (A->h != B->h || A->h_kv != B->h_kv || A->dk != B->dk)
        FORM("%ld heads of %ld and %ld key heads in A, %ld of %ld and %ld in B", A->h, A->dk, A->h_kv, B->h, B->dk,
                B->h_kv);
    if (A->slim != B->slim) FORM("values are computed from keys: %s in A, %s in B", yes(A->slim), yes(B->slim));
    if (A->gated != B->gated) FORM("a gated MLP: %s in A, %s in B", yes(A->gated), yes(B->gated));
    compare_factors(s, A, B);
    if (s->angles_rounded > 0)
        FORM("rotary frequencies agree to %.3g roundings to float32, no further", s->angles_rounded);
    unread_settings(s, A, B);
}

/* ---- one part ---------------------------------------------------------------------------------------------------- */

typedef struct { const transformer *A, *B; } both;

static weight_matrix matrix_of(const both *m, const transformer *D, tensor_role role, long layer)
{
    return weight_matrix_of(D, role, layer, m->A->pairs != m->B->pairs, 0);
}

static bool is_gain(tensor_role role)
{
    return role == ROLE_EMBED_GAIN || role == ROLE_GAIN1 || role == ROLE_GAIN2 || role == ROLE_FINAL_GAIN
           || role == ROLE_Q_GAIN || role == ROLE_K_GAIN || role == ROLE_POST_GAIN1 || role == ROLE_POST_GAIN2
           || role == ROLE_DENSE_GAIN;
}

static relation_hints hints_of(const both *m, tensor_role role)
{
    relation_hints h = { .gain = is_gain(role),
                         .positions = role == ROLE_POSITION, .constants = role == ROLE_HEAD || role == ROLE_HEAD_BIAS,
                         .heads_are_rows = role == ROLE_O, .query_heads = m->A->h };
    const bool capped = m->A->logit_cap > 0 || m->B->logit_cap > 0;
    if (capped || !has_token_logits(m->A)) h.constants = false;         /* logits do not move together         */
    h.each = h.gain && !m->A->offset_gain && !m->B->offset_gain;
    if (m->A->h != m->B->h || m->A->h_kv != m->B->h_kv || m->A->dk != m->B->dk) return h;
    if ((role >= ROLE_Q && role <= ROLE_V) || role == ROLE_O || (role >= ROLE_Q_BIAS && role <= ROLE_V_BIAS))
        h.head = m->A->dk;
    if (h.head && role_turns(role)) h.rotary = m->A->rotary;
    return h;
}

static bool all_are(weight_matrix *x, bool identity)
{
    for (long r = 0; r < x->rows; r++)
        for (long c = 0; c < x->cols; c++) if (weight_matrix_at(x, r, c) != (identity && r == c)) return false;
    return !identity || x->rows == x->cols;
}

/* Only one of the two has it. */
static void only_one(structure *s, const both *m, tensor_role role, long layer)
{
    const bool in_a = tensor_of_part(m->A, role, layer);
    const transformer *D = in_a ? m->A : m->B;
    const weight_tensor *t = tensor_of_part(D, role, layer);
    finding *f = add(s, role, layer, t, RELATION_NONE);
    weight_matrix x = matrix_of(m, D, role, layer);
    const bool matrix = role >= ROLE_Q && role <= ROLE_V;
    const bool gain = is_gain(role);
    f->harmless = (matrix && all_are(&x, true)) || (!matrix && !gain && all_are(&x, false));
    const char *why = matrix ? ": it is the identity" : ": all its numbers are zero";
    f->text = must_format("%s in B%s", in_a ? "missing" : "extra", f->harmless ? why : "");
    weight_matrix_free(&x);
}

/* Vectors of A that rows or columns of weights may be multiplied by when norms are folded. */
static long vectors_of(const both *m, long layer, named_vector v[3])
{
    static const struct { tensor_role role; const char *name; } of[] = {
        { ROLE_GAIN1, "gain 1" }, { ROLE_GAIN2, "gain 2" }, { ROLE_FINAL_GAIN, "the final gain" } };
    long n = 0;
    for (size_t k = 0; k < COUNT(of); k++) {
        long rows, cols;
        double *x = of[k].role != ROLE_FINAL_GAIN && layer < 0 ? NULL
                  : doubles_of_part(m->A, of[k].role, of[k].role == ROLE_FINAL_GAIN ? -1 : layer, 0, 0, &rows, &cols);
        if (x) v[n++] = (named_vector){ of[k].name, cols, x };
    }
    return n;
}

/* A number that is not finite has its own message, which names the tensor. */
static void require_finite(const tensor_lines *of)
{
    double *x = must_calloc((size_t)of->wide, sizeof *x);
    for (long k = 0; k < of->lines; k++) finite_numbers(of->t, tensor_line(of, k), (size_t)of->wide, x);
    free(x);
}

/* Both are stored as the same lines. */
static bool same_lines(const both *m, tensor_role role, long layer, tensor_lines *a, tensor_lines *b)
{
    const bool halves = m->A->pairs != m->B->pairs;
    return lines_of_part(m->A, role, layer, halves, a) && lines_of_part(m->B, role, layer, halves, b)
           && a->turned == b->turned && a->lines == b->lines && a->wide == b->wide;
}

/* Numbers of A in the order of B's lines, where the file has others. */
typedef struct { weight_matrix *decoded; bool turned; long wide; } lines_of_a;

static void line_of_a(void *of, long k, double *x)
{
    const lines_of_a *a = of;
    for (long i = 0; i < a->wide; i++) x[i] = weight_matrix_at(a->decoded, a->turned ? i : k, a->turned ? k : i);
}

/* a: A's lines, or NULL where they are not B's.  Else as relation_of. */
static related relation_to_blocks(tensor_lines *a, const tensor_lines *b, weight_matrix *x, weight_matrix *y,
                                  relation_hints *h)
{
    lines_of_a of = { x, b->turned, b->wide };
    const quantised_gap g = a ? quantised_apart_of(b, quantised_line_of_file, a, false)
                              : quantised_apart_of(b, line_of_a, &of, true);
    h->blocks = b;
    related r = { .kind = RELATION_QUANTISED, .gap = NAN, .units = NAN };
    if (g.is == QUANTISED_OTHER) r = relation_of(x, y, h);
    if (r.kind == RELATION_NONE || g.is != QUANTISED_OTHER) {
        free(r.text);
        r.text = quantised_words(&g, b->t);
    }
    if (g.is == QUANTISED_OPEN) r.kind = RELATION_NONE, r.open = true;
    r.quantised = g;
    return r;
}

/* B's numbers lie in blocks, in lines that are known, and A's do not. */
static bool in_blocks(const both *m, tensor_role role, long layer, tensor_lines *b)
{
    const weight_tensor *a = tensor_of_part(m->A, role, layer);
    return a->numbers != NUMBERS_QUANTISED && lines_of_part(m->B, role, layer, m->A->pairs != m->B->pairs, b)
           && b->t->numbers == NUMBERS_QUANTISED;
}

/* As they lie in the files, where these are the same lines; else decoded. */
static related relation_of_part(const both *m, tensor_role role, long layer)
{
    const bool halves = m->A->pairs != m->B->pairs;
    tensor_lines a, b;
    const long in_a = tensor_of_part(m->A, role, layer)->added, in_b = tensor_of_part(m->B, role, layer)->added;
    const long added = in_a > in_b ? in_a : in_b;
    const bool alike = added < 2 && same_lines(m, role, layer, &a, &b);
    numbers_apart apart = { .equal = false };
    if (alike) {
        apart = numbers_apart_of(&a, &b);
        if (!apart.finite) require_finite(&a), require_finite(&b);
        if (apart.equal) return (related){ .kind = RELATION_EQUAL };
    }
    weight_matrix x = alike ? weight_matrix_by_lines(m->A, role, layer, halves, 0) : matrix_of(m, m->A, role, layer);
    weight_matrix y = alike ? weight_matrix_by_lines(m->B, role, layer, halves, 0) : matrix_of(m, m->B, role, layer);
    related r = { .kind = RELATION_NONE, .gap = NAN, .units = NAN };
    if (x.rows != y.rows || x.cols != y.cols) {
        r.text = must_format("%ld x %ld, but %ld x %ld in A", y.rows, y.cols, x.rows, x.cols);
    } else {
        named_vector v[3];
        relation_hints h = hints_of(m, role);
        h.vectors = vectors_of(m, place_layer(m->A, layer), v);
        h.vector = v;
        h.added = added;
        const bool lost = alike && apart.below && apart.units <= ROUNDING_UNITS && numbers_apart_lost(&a, &b, h.each);
        const weight_tensor *of_a = tensor_of_part(m->A, role, layer), *of_b = tensor_of_part(m->B, role, layer);
        h.sizes[0] = of_a->sizes, h.sizes[1] = of_b->sizes;
        if (of_a->sizes) x.type = of_a->parts;
        if (of_b->sizes) y.type = of_b->parts;
        if (in_blocks(m, role, layer, &b)) r = relation_to_blocks(alike ? &a : NULL, &b, &x, &y, &h);
        else r = alike ? relation_apart(&x, &y, &h, &(known_apart){ apart.most, apart.off, apart.units, lost })
                  : relation_of(&x, &y, &h);
        for (long k = 0; k < h.vectors; k++) free((void *)(uintptr_t)v[k].x);
    }
    weight_matrix_free(&x);
    weight_matrix_free(&y);
    return r;
}

/* Of a router (d x E): has each row of B a constant more than A's, up to B's rounding?  The softmax does not see it. */
static bool may_have_constants(const both *m, long layer)
{
    weight_matrix a = matrix_of(m, m->A, ROLE_ROUTER, layer), b = matrix_of(m, m->B, ROLE_ROUTER, layer);
    const rounding by = rounding_of(a.type, b.type);
    bool may = a.rows == b.rows && a.cols == b.cols;
    for (long r = 0; r < a.rows && may; r++) {
        double low = -INFINITY, high = INFINITY;
        for (long c = 0; c < a.cols; c++) {
            const double x = weight_matrix_at(&b, r, c), y = weight_matrix_at(&a, r, c);
            const double off = ROUNDING_UNITS * (by.unit * (fabs(x) + fabs(y)) + by.least);
            low = fmax(low, x - y - off);
            high = fmin(high, x - y + off);
        }
        may = low <= high;
    }
    weight_matrix_free(&a);
    weight_matrix_free(&b);
    return may;
}

static void compare_part(structure *s, const both *m, const transformer *base, tensor_role role, long layer)
{
    const weight_tensor *a = tensor_of_part(m->A, role, layer), *b = tensor_of_part(m->B, role, layer);
    if (!a && !b) return;
    if (!a || !b) {
        only_one(s, m, role, layer);
        return;
    }
    s->compared++;
    if (unit_roundoff(a->numbers) > unit_roundoff(s->coarsest[0])) s->coarsest[0] = a->numbers;
    if (unit_roundoff(b->numbers) > unit_roundoff(s->coarsest[1])) s->coarsest[1] = b->numbers;
    related r = relation_of_part(m, role, layer);
    s->equal += r.kind == RELATION_EQUAL;
    s->rounded += r.kind == RELATION_ROUNDED;
    s->quantised += r.kind == RELATION_QUANTISED;
    if (r.kind == RELATION_EQUAL) {
        free(r.text);
        return;
    }
    finding *f = add(s, role, layer, b, r.kind);
    f->gap = r.gap;
    f->units = r.units;
    f->text = r.text;
    f->open = r.open;
    tensor_lines lines;
    f->blocks = in_blocks(m, role, layer, &lines) ? b : NULL;
    f->quantised = r.quantised;
    f->constants = role == ROLE_ROUTER && may_have_constants(m, layer);
    const weight_tensor *c = base && !isnan(r.gap) ? tensor_of_part(base, role, layer) : NULL;
    if (c && c->bytes == b->bytes && memcmp(c->at, b->at, b->bytes) == 0) {
        f->text = must_format("%s: those of the base, unchanged", r.text);
        free(r.text);
    }
}

/* ---- what it means together -------------------------------------------------------------------------------------- */

static const finding *found(const structure *s, tensor_role role)
{
    for (long k = 0; k < s->n; k++) if (s->at[k].role == role) return &s->at[k];
    return NULL;
}

static bool changed(const finding *f)
{
    return f && f->kind != RELATION_ROUNDED && f->kind != RELATION_QUANTISED && !f->harmless;
}

static void remarks_of(structure *s, const both *m, const transformer *base)
{
#define REMARK(...) add_text(&s->remark, &s->remarks, __VA_ARGS__)
    const finding *embed = found(s, ROLE_EMBED), *head = found(s, ROLE_HEAD);
    const weight_tensor *own = tensor_of(m->B, ROLE_HEAD, -1);
    if (m->A->tied && !m->B->tied && !changed(head) && own)
        REMARK("B stores a head of its own, %s, %zu numbers more, where A uses the embedding; its numbers are the "
               "same", own->name, own->n);
    if (m->A->tied && m->B->tied && own && !tensor_of(m->A, ROLE_HEAD, -1))
        REMARK("B has an extra tensor %s, %zu numbers that repeat the embedding", own->name, own->n);
    if (m->A->tied && !m->B->tied && changed(embed) != changed(head) && (changed(embed) || changed(head)))
        REMARK("the tied pair is broken: A uses one matrix as embedding and head, in B %s is A's and %s is not",
               changed(embed) ? "the head" : "the embedding", changed(embed) ? "the embedding" : "the head");
    if (m->A->tied && m->B->tied && changed(embed))
        REMARK("embedding and head are one matrix in both: what was done to it for the head is done to the tokens as "
               "well");
    long of_base = 0;
    for (long k = 0; k < s->n; k++) of_base += strstr(s->at[k].text, "those of the base") != NULL;
    if (base && of_base && of_base == s->n)
        REMARK("every tensor of B that differs from A is the base's, unchanged: B was saved without its changes");
    if (s->compared == s->equal && !s->n)
        REMARK("all %ld parts hold the same numbers: if B should be a changed A, its changes are not in this file",
               s->compared);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Parts that a symmetry may change alone: what writes to a stream whose mean LayerNorms remove, what reads behind
 * these, in one direction (N18), and, without rotations, b_K, which moves all scores of a query together. */
static uint64_t free_alone(const transformer *A)
{
    static const tensor_role alone[] = { ROLE_EMBED, ROLE_POSITION, ROLE_TOKEN_TYPE, ROLE_PAD_POSITION,
        ROLE_O, ROLE_O_BIAS, ROLE_DOWN, ROLE_DOWN_BIAS, ROLE_Q, ROLE_K, ROLE_V, ROLE_UP, ROLE_GATE, ROLE_ROUTER,
        ROLE_SHARED_GATE, ROLE_HEAD };
    uint64_t roles = A->positions == POSITIONS_ROTARY || A->score_cap > 0 ? 0 : UINT64_C(1) << ROLE_K_BIAS;
    for (size_t k = 0; k < COUNT(alone) && A->norm == NORM_OF_LAYER; k++) roles |= UINT64_C(1) << alone[k];
    return roles;
}

/* In the order in which a token meets them. */
static const tensor_role before[] = { ROLE_EMBED, ROLE_TOKEN_TYPE, ROLE_POSITION, ROLE_PAD_POSITION,
    ROLE_EMBED_GAIN, ROLE_EMBED_BIAS, ROLE_BUCKETS };
static const tensor_role after[] = { ROLE_FINAL_GAIN, ROLE_FINAL_BIAS, ROLE_DENSE, ROLE_DENSE_BIAS, ROLE_DENSE_GAIN,
    ROLE_DENSE_SHIFT, ROLE_HEAD, ROLE_HEAD_BIAS, ROLE_POOL, ROLE_POOL_BIAS, ROLE_NEXT, ROLE_NEXT_BIAS };
static const tensor_role within[] = { ROLE_GAIN1, ROLE_BIAS1, ROLE_Q, ROLE_Q_BIAS, ROLE_K, ROLE_K_BIAS, ROLE_V,
    ROLE_V_BIAS, ROLE_Q_GAIN, ROLE_K_GAIN, ROLE_O, ROLE_O_BIAS, ROLE_POST_GAIN1, ROLE_POST_BIAS1,
    ROLE_GAIN2, ROLE_BIAS2, ROLE_ROUTER, ROLE_GATE, ROLE_GATE_BIAS, ROLE_UP, ROLE_UP_BIAS, ROLE_DOWN, ROLE_DOWN_BIAS,
    ROLE_SHARED_GATE, ROLE_POST_GAIN2, ROLE_POST_BIAS2 };
static const tensor_role of_expert[] = { ROLE_GATE, ROLE_UP, ROLE_DOWN };

/* Where both have as many: the shared one last. */
static void compare_all_experts(structure *s, const both *m, const transformer *base, long layer)
{
    if (m->A->experts != m->B->experts || !experts_in_layer(m->A, layer) || !experts_in_layer(m->B, layer)) return;
    for (long e = 0; e <= m->A->experts; e++)
        for (size_t k = 0; k < COUNT(of_expert); k++)
            compare_part(s, m, base, of_expert[k], experts_place(m->A, layer, e));
}

structure structure_of(const transformer *A, const transformer *B, const transformer *base)
{
    REQUIRE(!A->unknown && !B->unknown && A->L == B->L && A->d == B->d, "%ld layers of %ld, %ld of %ld", A->L, A->d,
            B->L, B->d);
    const both m = { A, B };
    structure s = { .coarsest = { NUMBERS_F64, NUMBERS_F64 }, .L = A->L, .experts = A->experts,
                    .rms = A->norm == NORM_OF_RMS && A->attn_skip && A->mlp_skip };
    s.free_alone = free_alone(A);
    settings_between(&s, A, B);
    for (size_t k = 0; k < COUNT(before); k++) compare_part(&s, &m, base, before[k], -1);
    for (long i = 0; i < A->L; i++) {
        for (size_t k = 0; k < COUNT(within); k++) compare_part(&s, &m, base, within[k], i);
        compare_all_experts(&s, &m, base, i);
    }
    for (size_t k = 0; k < COUNT(after); k++)
        if (!(after[k] == ROLE_HEAD && A->tied && B->tied)) compare_part(&s, &m, base, after[k], -1);
    remarks_of(&s, &m, base);
    return s;
}

void structure_free(structure *s)
{
    for (long k = 0; k < s->n; k++) free(s->at[k].text);
    for (long k = 0; k < s->settings; k++) free(s->setting[k]);
    for (long k = 0; k < s->remarks; k++) free(s->remark[k]);
    free(s->at);
    free(s->setting);
    free(s->remark);
    *s = (structure){ .n = 0 };
}

bool structure_settings_agree(const transformer *A, const transformer *B)
{
    structure s = { .n = 0 };
    settings_between(&s, A, B);
    const bool agree = s.settings == 0;
    structure_free(&s);
    return agree;
}

bool structure_same(const structure *s)
{
    bool same = s->settings == 0;
    for (long k = 0; k < s->n; k++) same = same && s->at[k].harmless;
    return same;
}

bool structure_rounded(const structure *s, double *units)
{
    bool rounded = s->settings == (s->angles_rounded > 0);
    *units = 0;
    for (long k = 0; k < s->n; k++) {
        const finding *f = &s->at[k];
        if (f->harmless) continue;
        rounded = rounded && f->kind == RELATION_ROUNDED;
        *units = fmax(*units, f->units);
    }
    return rounded;
}

bool structure_quantised(const structure *s, bool *may)
{
    bool is = s->settings == (s->angles_rounded > 0), open = is;
    for (long k = 0; k < s->n; k++) {
        const finding *f = &s->at[k];
        if (f->harmless || f->kind == RELATION_ROUNDED || f->kind == RELATION_QUANTISED) continue;
        is = false;
        open = open && f->open && f->blocks;
    }
    *may = open && !is;
    return is && s->quantised > 0;
}

bool structure_not_quantised(const structure *s)
{
    bool blocks = false, other = false;
    for (long k = 0; k < s->n; k++) {
        const finding *f = &s->at[k];
        blocks = blocks || f->blocks;
        other = other || !(f->harmless || f->open || f->kind == RELATION_ROUNDED || f->kind == RELATION_QUANTISED);
    }
    return blocks && other;
}

const finding *structure_at(const structure *s, tensor_role role, long layer)
{
    for (long k = 0; k < s->n; k++) if (s->at[k].role == role && s->at[k].layer == layer) return &s->at[k];
    return NULL;
}

structure structure_of_copies(const transformer *A)
{
    structure s = { .coarsest = { NUMBERS_F64, NUMBERS_F64 } };
    for (size_t k = 0; k < COUNT(before); k++) s.compared += tensor_of_part(A, before[k], -1) != NULL;
    for (long i = 0; i < A->L; i++)
        for (size_t k = 0; k < COUNT(within); k++) s.compared += tensor_of_part(A, within[k], i) != NULL;
    for (long p = A->L; p < transformer_places(A); p++)
        for (size_t k = 0; k < COUNT(of_expert); k++) s.compared += tensor_of_part(A, of_expert[k], p) != NULL;
    for (size_t k = 0; k < COUNT(after); k++)
        if (!(after[k] == ROLE_HEAD && A->tied)) s.compared += tensor_of_part(A, after[k], -1) != NULL;
    s.equal = s.compared;
    remarks_of(&s, &(both){ A, A }, NULL);
    return s;
}

/* ---- parts that no symmetry explains ----------------------------------------------------------------------------- */

/* Behind RMSNorms, with skips: what a symmetry that changes a part changes with it, in the same layer or expert.  Heads
 * in another order, gauges, gains folded; another basis of the stream changes the embedding, too. */
static const struct { tensor_role role, with[5]; } partners[] = {
    { ROLE_GAIN1, { ROLE_Q, ROLE_K, ROLE_V } }, { ROLE_GAIN2, { ROLE_UP, ROLE_GATE, ROLE_ROUTER } },
    { ROLE_Q, { ROLE_K, ROLE_O, ROLE_GAIN1, ROLE_Q_GAIN } }, { ROLE_K, { ROLE_Q, ROLE_V, ROLE_GAIN1, ROLE_K_GAIN } },
    { ROLE_V, { ROLE_O, ROLE_K, ROLE_GAIN1 } }, { ROLE_O, { ROLE_V, ROLE_Q } },
    { ROLE_UP, { ROLE_GATE, ROLE_DOWN, ROLE_GAIN2 } }, { ROLE_GATE, { ROLE_UP, ROLE_DOWN, ROLE_GAIN2 } },
    { ROLE_DOWN, { ROLE_UP, ROLE_GATE } }, { ROLE_ROUTER, { ROLE_GAIN2 } }, { ROLE_SHARED_GATE, { ROLE_GAIN2 } } };

static long layer_at(const structure *s, long at)
{
    return at < s->L ? at : (at - s->L) / (s->experts + 1);
}

/* Experts in another order take the rows of the router with them. */
static bool experts_changed(const structure *s, long layer)
{
    for (long k = 0; k < s->n; k++) if (s->at[k].layer >= s->L && layer_at(s, s->at[k].layer) == layer) return true;
    return false;
}

/* Is there another part of B that is not A's, which a symmetry that changes f would change with it? */
static bool has_partner(const structure *s, const finding *f)
{
    const long layer = layer_at(s, f->layer);
    if (f->role == ROLE_ROUTER && experts_changed(s, layer)) return true;
    for (size_t k = 0; k < COUNT(partners); k++) {
        if (partners[k].role != f->role) continue;
        for (size_t i = 0; i < COUNT(partners[k].with); i++) {
            const tensor_role with = partners[k].with[i];
            if (with && (structure_at(s, with, f->layer) || structure_at(s, with, layer))) return true;
        }
        return structure_at(s, ROLE_EMBED, -1) != NULL;
    }
    return true;
}

/* The softmax of a router does not see what moves all of its entries either. */
static bool moves_alone(const structure *s, const finding *f)
{
    return f->constants || (s->free_alone & UINT64_C(1) << f->role) != 0;
}

const finding *structure_alone(const structure *s)
{
    if (s->settings) return NULL;
    for (long k = 0; k < s->n; k++) {
        const finding *f = &s->at[k];
        if (f->harmless || f->open || f->kind == RELATION_ROUNDED || f->kind == RELATION_QUANTISED) continue;
        if (moves_alone(s, f)) continue;
        if (s->n == 1 || (s->rms && !has_partner(s, f))) return f;
    }
    return NULL;
}
