/* SPDX-License-Identifier: GPL-3.0-or-later
 * constrained.c - compares the slots of a model with those of a drawn one: see constrained.h. */
#include "src/model/constrained.h"
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "src/model/shape_keys.h"

typedef struct { const char *name; size_t at; } slot;
static const slot of_layer[] = {
    { "W_Q", offsetof(layer, Q) }, { "W_K", offsetof(layer, K) }, { "W_V", offsetof(layer, V) },
    { "W_O", offsetof(layer, O) }, { "b_Q", offsetof(layer, bQ) }, { "b_K", offsetof(layer, bK) },
    { "b_V", offsetof(layer, bV) }, { "b_O", offsetof(layer, bO) }, { "gain1", offsetof(layer, gain1) },
    { "gain2", offsetof(layer, gain2) }, { "bias1", offsetof(layer, bias1) }, { "bias2", offsetof(layer, bias2) },
    { "gain_q", offsetof(layer, gain_q) }, { "gain_k", offsetof(layer, gain_k) },
    { "W_router", offsetof(layer, router) },
};
static const slot of_mlp[] = {
    { "W_up", offsetof(mlp, up) }, { "W_gate", offsetof(mlp, gate) }, { "W_down", offsetof(mlp, down) },
    { "b_up", offsetof(mlp, b_up) }, { "b_gate", offsetof(mlp, b_gate) }, { "b_down", offsetof(mlp, b_down) },
};
static const slot of_ends[] = {
    { "T", offsetof(model, tokens) }, { "E", offsetof(model, E) }, { "P", offsetof(model, P) },
    { "W_LM", offsetof(model, head) }, { "gain_f", offsetof(model, gain_f) }, { "bias_f", offsetof(model, bias_f) },
};

static bool begins_a_slot(const char *name, const slot *slots, size_t n)
{
    bool is = false;
    for (size_t k = 0; k < n && !is; k++) {
        const size_t length = strlen(slots[k].name);
        is = strncmp(name, slots[k].name, length) == 0 && name[length] == '.';
    }
    return is;
}

bool constrained_is_slot(const char *name)
{
    return begins_a_slot(name, of_layer, COUNT(of_layer)) || begins_a_slot(name, of_mlp, COUNT(of_mlp));
}

static const mat *in(const void *owner, const slot *at)
{
    const void *from = (const char *)owner + at->at;
    return *(const mat *const *)from;
}

static bool same(const mat *A, const mat *B)
{
    if (A == B) return true;
    return A && B && A->rows == B->rows && A->cols == B->cols && mat_compare_quietly(A, B, -INFINITY).is == HOLDS;
}

static void add_word(char list[CONSTRAINED_SIZE], const char *word)
{
    char known[CONSTRAINED_SIZE + 4], wanted[96];
    const size_t used = strlen(list);
    snprintf(known, sizeof known, "; %s;", list);
    snprintf(wanted, sizeof wanted, "; %s;", word);
    if (strstr(known, wanted)) return;
    const int n = snprintf(list + used, CONSTRAINED_SIZE - used, "%s%s", used ? "; " : "", word);
    REQUIRE(n > 0 && (size_t)n < CONSTRAINED_SIZE - used, "too many constrained weights: %s; %s", list, word);
}

/* Slot k of `owner`, which is not as drawn: what it is, where that is nothing, I, 0 or a slot before it. */
static void describe(scope *s, const void *owner, const slot *slots, long k, char list[CONSTRAINED_SIZE])
{
    const mat *A = in(owner, &slots[k]);
    const char *what = A ? NULL : "none";
    if (A && A->rows == A->cols && same(A, mat_identity(s, A->rows))) what = "I";
    if (A && !what && same(A, mat_zero(s, A->rows, A->cols))) what = "0";
    for (long i = 0; i < k && !what; i++) if (same(in(owner, &slots[i]), A)) what = slots[i].name;
    char word[64];
    snprintf(word, sizeof word, CONSTRAINED "%s%s%s", slots[k].name, what ? " = " : "", what ? what : "");
    add_word(list, word);
}

static void compare(scope *s, const void *owner, const void *drawn, const slot *slots, long n,
                    char list[CONSTRAINED_SIZE])
{
    for (long k = 0; k < n; k++)
        if (!same(in(owner, &slots[k]), in(drawn, &slots[k]))) describe(s, owner, slots, k, list);
}

/* The MLPs of a layer, and which activation each has. */
static void compare_mlps(scope *s, const layer *W, const layer *drawn, char list[CONSTRAINED_SIZE])
{
    for (long e = 0; e < MAX_EXPERTS; e++) {
        const mlp *is = &W->expert[e], *was = &drawn->expert[e];
        compare(s, is, was, of_mlp, COUNT(of_mlp), list);
        if (is->up && was->up && is->function != was->function) add_word(list, CONSTRAINED "phi");
    }
}

void constrained_layer(scope *s, const layer *W, const layer *drawn, char list[CONSTRAINED_SIZE])
{
    compare(s, W, drawn, of_layer, COUNT(of_layer), list);
    compare_mlps(s, W, drawn, list);
}

/* ---- settings ---- */

static bool masks_differ(const model *M, const unsigned char *visible)
{
    const size_t entries = (size_t)(M->s.n * M->s.n);
    return M->visible && visible ? memcmp(M->visible, visible, entries) != 0 : M->visible != visible;
}

/* Of numbers those that are switches: experts, layers that share weights, fewer key heads than heads. */
static bool is_setting(long k)
{
    const char *name = shape_key_name(k);
    return !shape_key_is_size(k) || strcmp(name, "experts") == 0 || strcmp(name, "shared") == 0;
}

/* Scores are scaled as the plan has it, or by 1/sqrt(d_k) where that is what the plan has. */
static bool usual_scale(const shape *sh) { return sh->scale_num == 1 && sh->scale_den == sh->dk; }
static void compare_scales(const shape *is, const shape *plan, char list[CONSTRAINED_SIZE])
{
    const bool usual = usual_scale(is);
    char word[64];
    if (is->scale_num * plan->scale_den == plan->scale_num * is->scale_den || (usual && usual_scale(plan))) return;
    if (is->scale_num == is->scale_den) snprintf(word, sizeof word, "scale = 1");
    else if (usual)                     snprintf(word, sizeof word, "scale = 1/sqrt(d_k)");
    else                                snprintf(word, sizeof word, "another scale");
    add_word(list, word);
}

/* Sizes that are not those of the plan.  Over symbols a number says nothing but of heads and layers, which have one in
 * all of a derivation. */
static void compare_sizes(const shape *is, const shape *plan, char list[CONSTRAINED_SIZE])
{
    const struct { const char *word; bool differs; } sizes[] = {
        { "another n", is->n != plan->n }, { "another d", is->d != plan->d },
        { is->m == is->d ? "m = d" : "another m", is->m != plan->m },
        { "another V", is->V != plan->V },
        { "another h_kv", is->h == plan->h && is->h_kv != plan->h_kv && is->h_kv < is->h && plan->h_kv < plan->h },
    };
    const struct { const char *name; long is, plan; } counts[] = { { "h", is->h, plan->h }, { "L", is->L, plan->L } };
    for (size_t k = 0; k < COUNT(counts); k++) {
        char word[32];
        snprintf(word, sizeof word, "%s = %ld", counts[k].name, counts[k].is);
        if (counts[k].is != counts[k].plan) add_word(list, word);
    }
    if (is->dk != plan->dk) add_word(list, is->h == 1 && is->dk == is->d ? "d_k = d" : "another d_k");
    for (size_t k = 0; k < COUNT(sizes); k++) if (sizes[k].differs) add_word(list, sizes[k].word);
}

void constrained_settings(const shape *is, const shape *plan, char list[CONSTRAINED_SIZE])
{
    compare_sizes(is, plan, list);
    compare_scales(is, plan, list);
    for (long k = 0; k < shape_keys(); k++) {
        if (!is_setting(k) || shape_key_get(is, k) == shape_key_get(plan, k)) continue;
        char *text = shape_key_text(is, k);
        char *word = must_format("%s = %s", shape_key_name(k), text + strlen(shape_key_name(k)) + 1);
        add_word(list, word);
        free(word);
        free(text);
    }
    if ((is->h_kv < is->h) != (plan->h_kv < plan->h)) add_word(list, is->h_kv < is->h ? "h_kv < h" : "h_kv = h");
}

/* The same of M, and a mask that is not the one that its settings draw. */
static void compare_settings(scope *s, const model *M, char list[CONSTRAINED_SIZE])
{
    if (s->plan) constrained_settings(&M->s, s->plan, list);
    if (masks_differ(M, model_bare(s, M->s).visible)) add_word(list, CONSTRAINED "mask");
}

/* ---- layers that a body evaluates ---- */

/* `number`: of the halves of layer i 2 i and 2 i + 1; of what is none: ends, and the settings of a model.  `origin` is
 * that of what was computed from it (mat.h).  `reduced`: it was computed from what was named so.  Of one number, list,
 * weights and these there is one. */
enum { SEEN_EMBEDDING = -1, SEEN_HEAD = -2, SEEN_SETTINGS = -3, SEEN_APPLIED = -4 };
typedef struct layer_seen {
    struct layer_seen *next;
    long number, origin;
    bool compared, reduced;                              /* compared: some equation has one of this number      */
    layer weights;                                       /* of a half: those of the other are none              */
    char list[CONSTRAINED_SIZE];
} layer_seen;

/* Of one number: two layers in one place, or one behind itself, have the same functions, as layers of a model need
 * not. */
static const char one_place[] = "given layers in one place";

/* The body's own draw A; NULL: it is none. */
static drawn_name *drawn_as(const scope *s, const mat *A)
{
    for (drawn_name *at = s->drawn; at; at = at->next)
        if (at->A == A && at->by == DRAWN_BY_BODY)
            return strncmp(at->name, ORTHOGONAL_NAME, strlen(ORTHOGONAL_NAME)) ? at : NULL;
    return NULL;
}

static long times_in(const mat *A, const void *owner, const slot *slots, long n)
{
    long times = 0;
    for (long k = 0; k < n; k++) times += in(owner, &slots[k]) == A;
    return times;
}

/* A draw of the body's is any weight in one place, the first in which it is seen: in two, of one model or of several,
 * it would tie them. */
static bool may_be_any(const scope *s, const mat *A, const mat *D, const slot *of, long number, long expert)
{
    drawn_name *is = A && D && A->rows == D->rows && A->cols == D->cols ? drawn_as(s, A) : NULL;
    if (!is) return false;
    if (!is->slot) {
        is->slot = of;
        is->layer = number;
        is->expert = expert;
    }
    return is->slot == of && is->layer == number && is->expert == expert;
}

/* How many slots of M's layers have A?  Layers that share their weights are one. */
static long times_of(const mat *A, const model *M)
{
    long times = 0;
    for (long i = 0; i < M->s.L; i++) {
        if (i != shape_block(&M->s, i)) continue;
        times += times_in(A, &M->at[i], of_layer, COUNT(of_layer));
        for (long e = 0; e < MAX_EXPERTS; e++) times += times_in(A, &M->at[i].expert[e], of_mlp, COUNT(of_mlp));
    }
    return times;
}

/* The slots of `owner`, which are some of those of M's layer `number`, with the drawn one's matrix wherever the body
 * drew another that stands in this place alone. */
static void put_drawn(const scope *s, void *owner, const model *M, const void *drawn, const slot *slots, long n,
                      long number, long expert)
{
    for (long k = 0; k < n; k++) {
        const mat *A = in(owner, &slots[k]), *D = in(drawn, &slots[k]);
        if (may_be_any(s, A, D, &slots[k], number, expert) && times_of(A, M) == 1)
            *(const mat **)((char *)owner + slots[k].at) = D;
    }
}

static long words_of(const char *list)
{
    long n = *list != '\0';
    for (const char *at = list; *at; at++) n += *at == ';';
    return n;
}

static bool has_number(const scope *s, const mat *A, long number)
{
    bool has = false;
    for (const layer_seen *at = s->seen; at && !has; at = at->next)
        has = at->number == number && mat_is_of(A, at->origin);
    return has;
}

static bool same_layer(const layer *A, const layer *B)
{
    bool same = true;
    for (size_t k = 0; k < COUNT(of_layer); k++) same = same && in(A, &of_layer[k]) == in(B, &of_layer[k]);
    for (long e = 0; e < MAX_EXPERTS; e++)
        for (size_t k = 0; k < COUNT(of_mlp); k++)
            same = same && in(&A->expert[e], &of_mlp[k]) == in(&B->expert[e], &of_mlp[k]);
    return same;
}

static const mat *note_seen(scope *s, long number, const layer *weights, const char list[CONSTRAINED_SIZE],
                            const mat *is)
{
    static const layer none;
    if (!weights) weights = &none;
    const bool reduced = s->reduced || mat_is_of(is, MARK_REDUCED);
    layer_seen *seen = s->seen;
    while (seen && !(seen->number == number && seen->reduced == reduced && strcmp(seen->list, list) == 0
                     && same_layer(&seen->weights, weights)))
        seen = seen->next;
    if (!seen) {
        seen = scope_alloc(s, sizeof *seen);
        *seen = (layer_seen){ .next = s->seen, .number = number, .origin = s->seen ? s->seen->origin + 1 : 0,
                              .weights = *weights, .reduced = reduced };
        memcpy(seen->list, list, sizeof seen->list);
        s->seen = seen;
    }
    if (seen->origin < ORIGINS) return mat_mark(is, seen->origin);
    scope_undecided(s, REASON_INVALID, "evaluates more layers, in more ways, than are compared with what was drawn");
    return is;
}

const mat *constrained_see_settings(scope *s, const model *M, long tokens, const mat *is)
{
    char list[CONSTRAINED_SIZE] = "";
    model of = *M;
    compare_settings(s, M, list);
    of.s.n = tokens;
    if (s->plan) compare_sizes(&of.s, s->plan, list);
    return note_seen(s, SEEN_SETTINGS, NULL, list, is);
}

const mat *constrained_see_layer(scope *s, const model *M, long i, layer_half half, const mat *is)
{
    enum { OF_ATTENTION = COUNT(of_layer) - 1 };                  /* the last slot is the router's                   */
    char list[CONSTRAINED_SIZE] = "";
    const drawn_by whose = scope_draws(s, DRAWN_BY_SUITE);
    const long number = M->first + i;
    const layer drawn = model_layer(s, &M->s, M->first + shape_block(&M->s, i));
    layer W = M->at[i];
    put_drawn(s, &W, M, &drawn, of_layer, COUNT(of_layer), M->first + shape_block(&M->s, i), -1);
    for (long e = 0; e < MAX_EXPERTS; e++)
        put_drawn(s, &W.expert[e], M, &drawn.expert[e], of_mlp, COUNT(of_mlp), M->first + shape_block(&M->s, i), e);
    if (half == HALF_ATTENTION) compare(s, &W, &drawn, of_layer, OF_ATTENTION, list);
    else {
        compare(s, &W, &drawn, of_layer + OF_ATTENTION, 1, list);
        compare_mlps(s, &W, &drawn, list);
    }
    s->draws = whose;
    const long seen_as = 2 * number + (half == HALF_MLP);
    if (!M->s.shared && has_number(s, is, seen_as)) add_word(list, one_place);
    layer own = M->at[i];
    if (half == HALF_ATTENTION) {
        own.router = NULL;
        memset(own.expert, 0, sizeof own.expert);
    } else own = (layer){ .router = own.router };
    if (half == HALF_MLP) memcpy(own.expert, M->at[i].expert, sizeof own.expert);
    return note_seen(s, seen_as, &own, list, is);
}

const mat *constrained_see_end(scope *s, const model *M, bool head, const mat *X)
{
    enum { OF_EMBEDDING = 3 };                                    /* of_ends begins with T, E, P                     */
    char list[CONSTRAINED_SIZE] = "";
    const drawn_by whose = scope_draws(s, DRAWN_BY_SUITE);
    const model drawn = model_random(s, M->s);
    model is = *M;
    for (size_t k = 0; k < COUNT(of_ends); k++) {
        const mat *A = in(M, &of_ends[k]), *D = in(&drawn, &of_ends[k]);
        if (may_be_any(s, A, D, &of_ends[k], 0, -1) && times_in(A, M, of_ends, COUNT(of_ends)) == 1)
            *(const mat **)((char *)&is + of_ends[k].at) = D;
    }
    if (head) compare(s, &is, &drawn, of_ends + OF_EMBEDDING, COUNT(of_ends) - OF_EMBEDDING, list);
    if (!head || !drawn.head) compare(s, &is, &drawn, of_ends, OF_EMBEDDING, list);
    s->draws = whose;
    return note_seen(s, head ? SEEN_HEAD : SEEN_EMBEDDING, NULL, list, X);
}

static const char given_attention[CONSTRAINED_SIZE] = "given attention";
void constrained_see_given(scope *s, const mat *is) { note_seen(s, SEEN_APPLIED, NULL, given_attention, is); }

void constrained_see_applied(scope *s, const mat *is, function_applied what, int kind)
{
    static const char *const words[] = { [APPLIED_ROWMAP] = given_attention, [APPLIED_PHI] = "given MLP",
                                         [APPLIED_NORM] = "given norm", [APPLIED_ROTATION] = "given rotation" };
    if (!s->plan || !mat_is_of(is, MARK_MODEL)) return;
    char list[CONSTRAINED_SIZE] = "";
    shape sh = *(const shape *)s->plan;
    if (what == APPLIED_ROWMAP) sh.attention = (rowmap_kind)kind;
    if (what == APPLIED_PHI)    sh.act = (activation)kind;
    if (what == APPLIED_NORM)   sh.norm = (norm_kind)kind;
    add_word(list, words[what]);
    constrained_settings(&sh, s->plan, list);
    if (what == APPLIED_ROWMAP || what == APPLIED_PHI)
        mat_lengthen(is, what == APPLIED_ROWMAP ? CHAIN_ATTENTION : CHAIN_MLP);
    if (mat_chain(is) > 1) model_note_depth(s, mat_chain(is));
    note_seen(s, SEEN_APPLIED, NULL, list, is);
}

/* The slots of `owner`, as computed from a model of this shape. */
static void mark_drawn(scope *s, const shape *sh, const void *owner, const slot *slots, long n)
{
    char list[CONSTRAINED_SIZE] = "";
    if (s->plan) constrained_settings(sh, s->plan, list);
    for (long k = 0; k < n; k++) {
        const mat *A = in(owner, &slots[k]);
        if (!A) continue;
        mat_mark(A, MARK_MODEL);
        if (*list) note_seen(s, SEEN_SETTINGS, NULL, list, A);
    }
}

void constrained_see_drawn(scope *s, const shape *sh, const layer *W)
{
    mark_drawn(s, sh, W, of_layer, COUNT(of_layer));
    for (long e = 0; e < MAX_EXPERTS; e++) mark_drawn(s, sh, &W->expert[e], of_mlp, COUNT(of_mlp));
}

void constrained_see_drawn_ends(scope *s, const model *M) { mark_drawn(s, &M->s, M, of_ends, COUNT(of_ends)); }

static void add_words(char list[CONSTRAINED_SIZE], const char *words)
{
    char copy[CONSTRAINED_SIZE], *save = NULL;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, ";", &save); word; word = strtok_r(NULL, ";", &save))
        add_word(list, word + strspn(word, " "));
}

/* Was A computed from two layers with the number of this one? */
static bool has_another(const scope *s, const mat *A, const layer_seen *one)
{
    bool has = false;
    for (const layer_seen *at = s->seen; at && !has; at = at->next)
        has = at != one && at->number == one->number && mat_is_of(A, at->origin)
           && !same_layer(&at->weights, &one->weights);
    return has;
}

/* The words of all that A was computed from; of a reduced side: of what was not. */
static void add_side(const scope *s, const mat *A, bool reduced, char list[CONSTRAINED_SIZE])
{
    for (const layer_seen *at = s->seen; at; at = at->next) {
        if (!mat_is_of(A, at->origin) || (reduced && at->reduced)) continue;
        add_words(list, at->list);
        if (at->number >= 0 && has_another(s, A, at)) add_word(list, one_place);
    }
}

void constrained_add_equation(scope *s, const mat *A, const mat *B, char list[CONSTRAINED_SIZE])
{
    const bool A_is = mat_is_of(A, MARK_REDUCED), B_is = mat_is_of(B, MARK_REDUCED);
    const bool A_reduced = A_is && !B_is, B_reduced = B_is && !A_is;
    add_side(s, A, A_reduced, list);
    add_side(s, B, B_reduced, list);
    for (layer_seen *at = s->seen; at; at = at->next) {
        const bool on_A = has_number(s, A, at->number), on_B = has_number(s, B, at->number);
        const bool of_original = at->number == SEEN_APPLIED || (on_A && !A_reduced) || (on_B && !B_reduced);
        if ((mat_is_of(A, at->origin) || mat_is_of(B, at->origin)) && !of_original) add_words(list, at->list);
        at->compared |= on_A || on_B;
    }
}

/* Of one number the list with the fewest words. */
static const layer_seen *least_seen(const scope *s, long number)
{
    const layer_seen *least = NULL;
    for (const layer_seen *at = s->seen; at; at = at->next)
        if (at->number == number && (!least || words_of(at->list) < words_of(least->list))) least = at;
    return least;
}

void constrained_add_rest(const scope *s, char list[CONSTRAINED_SIZE])
{
    for (const layer_seen *at = s->seen; at; at = at->next)
        if (!at->compared) add_words(list, least_seen(s, at->number)->list);
}

void constrained_model(scope *s, const model *M, char list[CONSTRAINED_SIZE])
{
    const model drawn = model_random(s, M->s);
    compare(s, M, &drawn, of_ends, COUNT(of_ends), list);
    compare_settings(s, M, list);
    for (long i = 0; i < M->s.L; i++) constrained_layer(s, &M->at[i], &drawn.at[i], list);
}
