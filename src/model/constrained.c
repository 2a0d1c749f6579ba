/* constrained.c - compares the slots of a model with those of a drawn one: see constrained.h. */
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

void constrained_layer(scope *s, const layer *W, const layer *drawn, char list[CONSTRAINED_SIZE])
{
    compare(s, W, drawn, of_layer, COUNT(of_layer), list);
    for (long e = 0; e < MAX_EXPERTS; e++)
        compare(s, &W->expert[e], &drawn->expert[e], of_mlp, COUNT(of_mlp), list);
}

/* ---- settings ---- */

static bool masks_differ(const model *M, const unsigned char *visible)
{
    const size_t entries = (size_t)(M->s.n * M->s.n);
    return M->visible && visible ? memcmp(M->visible, visible, entries) != 0 : M->visible != visible;
}

/* Of numbers only those that are switches: experts, layers that share weights, fewer key heads than heads. */
static bool is_setting(long k)
{
    const char *name = shape_key_name(k);
    return !shape_key_is_size(k) || strcmp(name, "experts") == 0 || strcmp(name, "shared") == 0;
}

void constrained_settings(const shape *is, const shape *plan, char list[CONSTRAINED_SIZE])
{
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
 * that of what was computed from it (mat.h).  Of one number and list there is one. */
enum { SEEN_EMBEDDING = -1, SEEN_HEAD = -2, SEEN_SETTINGS = -3 };
typedef struct layer_seen {
    struct layer_seen *next;
    long number, origin;
    bool compared;                                       /* some equation has one of this number                */
    char list[CONSTRAINED_SIZE];
} layer_seen;

static bool is_drawn(const scope *s, const mat *A)
{
    bool is = false;
    for (const drawn_name *at = s->drawn; at && !is; at = at->next)
        is = at->A == A && at->by == DRAWN_BY_BODY && strncmp(at->name, ORTHOGONAL_NAME, strlen(ORTHOGONAL_NAME)) != 0;
    return is;
}

static long times_in(const mat *A, const void *owner, const slot *slots, long n)
{
    long times = 0;
    for (long k = 0; k < n; k++) times += in(owner, &slots[k]) == A;
    return times;
}

static bool may_be_any(const scope *s, const mat *A, const mat *D)
{
    return A && D && A->rows == D->rows && A->cols == D->cols && is_drawn(s, A);
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

/* The slots of `owner`, which are some of M's, with the drawn one's matrix wherever the body drew another that stands
 * in this place alone. */
static void put_drawn(const scope *s, void *owner, const model *M, const void *drawn, const slot *slots, long n)
{
    for (long k = 0; k < n; k++) {
        const mat *A = in(owner, &slots[k]), *D = in(drawn, &slots[k]);
        if (may_be_any(s, A, D) && times_of(A, M) == 1) *(const mat **)((char *)owner + slots[k].at) = D;
    }
}

static long words_of(const char *list)
{
    long n = *list != '\0';
    for (const char *at = list; *at; at++) n += *at == ';';
    return n;
}

static const mat *note_seen(scope *s, long number, const char list[CONSTRAINED_SIZE], const mat *is)
{
    layer_seen *seen = s->seen;
    while (seen && !(seen->number == number && strcmp(seen->list, list) == 0)) seen = seen->next;
    if (!seen) {
        seen = scope_alloc(s, sizeof *seen);
        *seen = (layer_seen){ .next = s->seen, .number = number, .origin = s->seen ? s->seen->origin + 1 : 0 };
        memcpy(seen->list, list, sizeof seen->list);
        s->seen = seen;
    }
    if (seen->origin < ORIGINS) return mat_mark(is, seen->origin);
    scope_undecided(s, REASON_INVALID, "evaluates more layers, in more ways, than are compared with what was drawn");
    return is;
}

const mat *constrained_see_settings(scope *s, const model *M, const mat *is)
{
    char list[CONSTRAINED_SIZE] = "";
    compare_settings(s, M, list);
    return note_seen(s, SEEN_SETTINGS, list, is);
}

const mat *constrained_see_layer(scope *s, const model *M, long i, layer_half half, const mat *is)
{
    enum { OF_ATTENTION = COUNT(of_layer) - 1 };                  /* the last slot is the router's                   */
    char list[CONSTRAINED_SIZE] = "";
    const drawn_by whose = scope_draws(s, DRAWN_BY_SUITE);
    const layer drawn = model_layer(s, &M->s, shape_block(&M->s, i));
    layer W = M->at[i];
    put_drawn(s, &W, M, &drawn, of_layer, COUNT(of_layer));
    for (long e = 0; e < MAX_EXPERTS; e++)
        put_drawn(s, &W.expert[e], M, &drawn.expert[e], of_mlp, COUNT(of_mlp));
    if (half == HALF_ATTENTION) compare(s, &W, &drawn, of_layer, OF_ATTENTION, list);
    else {
        compare(s, &W, &drawn, of_layer + OF_ATTENTION, 1, list);
        for (long e = 0; e < MAX_EXPERTS; e++)
            compare(s, &W.expert[e], &drawn.expert[e], of_mlp, COUNT(of_mlp), list);
    }
    s->draws = whose;
    return note_seen(s, 2 * i + (half == HALF_MLP), list, is);
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
        if (may_be_any(s, A, D) && times_in(A, M, of_ends, COUNT(of_ends)) == 1)
            *(const mat **)((char *)&is + of_ends[k].at) = D;
    }
    if (head) compare(s, &is, &drawn, of_ends + OF_EMBEDDING, COUNT(of_ends) - OF_EMBEDDING, list);
    if (!head || !drawn.head) compare(s, &is, &drawn, of_ends, OF_EMBEDDING, list);
    s->draws = whose;
    return note_seen(s, head ? SEEN_HEAD : SEEN_EMBEDDING, list, X);
}

static void add_words(char list[CONSTRAINED_SIZE], const char *words)
{
    char copy[CONSTRAINED_SIZE], *save = NULL;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok_r(copy, ";", &save); word; word = strtok_r(NULL, ";", &save))
        add_word(list, word + strspn(word, " "));
}

/* How many words all that A was computed from has; they are added to the list. */
static long words_of_side(const scope *s, const mat *A, char list[CONSTRAINED_SIZE])
{
    for (const layer_seen *at = s->seen; at; at = at->next) if (mat_is_of(A, at->origin)) add_words(list, at->list);
    return words_of(list);
}

static bool has_number(const scope *s, const mat *A, long number)
{
    bool has = false;
    for (const layer_seen *at = s->seen; at && !has; at = at->next)
        has = at->number == number && mat_is_of(A, at->origin);
    return has;
}

void constrained_add_equation(scope *s, const mat *A, const mat *B, char list[CONSTRAINED_SIZE])
{
    char of_A[CONSTRAINED_SIZE] = "", of_B[CONSTRAINED_SIZE] = "";
    const long words_A = words_of_side(s, A, of_A), words_B = words_of_side(s, B, of_B);
    const bool A_is = words_A <= words_B;
    const mat *original = A_is ? A : B, *other = A_is ? B : A;
    add_words(list, A_is ? of_A : of_B);
    for (layer_seen *at = s->seen; at; at = at->next) {
        const bool of_original = has_number(s, original, at->number);
        if (mat_is_of(other, at->origin) && !of_original) add_words(list, at->list);
        at->compared |= of_original || has_number(s, other, at->number);
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
