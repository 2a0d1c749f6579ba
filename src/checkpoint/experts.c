/* SPDX-License-Identifier: GPL-3.0-or-later
 * experts.c - see experts.h. */
#include "src/checkpoint/experts.h"

bool experts_in_layer(const transformer *D, long layer)
{
    return D->experts && D->layer && layer >= 0 && layer < D->L && (D->layer[layer] & LAYER_HAS_EXPERTS);
}

long experts_place(const transformer *D, long layer, long e) { return D->L + layer * (D->experts + 1) + e; }

long transformer_places(const transformer *D) { return D->experts ? experts_place(D, D->L, 0) : D->L; }

long place_layer(const transformer *D, long place)
{
    return place < D->L ? place : (place - D->L) / (D->experts + 1);
}

long place_expert(const transformer *D, long place) { return place < D->L ? -1 : (place - D->L) % (D->experts + 1); }

long place_width(const transformer *D, long place)
{
    return place < D->L ? D->m : place_expert(D, place) < D->experts ? D->expert_m : D->shared_m;
}

long place_widest(const transformer *D)
{
    long m = D->m;
    if (D->expert_m > m) m = D->expert_m;
    return D->shared_m > m ? D->shared_m : m;
}

char *place_words(const transformer *D, long place)
{
    const long e = place_expert(D, place);
    if (place < 0) return must_strdup("");
    if (e < 0) return must_format("layer %ld", place);
    if (e < D->experts) return must_format("layer %ld, expert %ld", place_layer(D, place), e);
    return must_format("layer %ld, shared expert", place_layer(D, place));
}

static bool is_mlp(const transformer *D, long place)
{
    const long e = place_expert(D, place);
    if (e < 0) return !experts_in_layer(D, place);
    return experts_in_layer(D, place_layer(D, place)) && (e < D->experts || D->shared_m);
}

long place_next_mlp(const transformer *D, long place)
{
    const long n = transformer_places(D);
    do place++; while (place < n && !is_mlp(D, place));
    return place < n ? place : -1;
}

/* ---- the configuration ------------------------------------------------------------------------------------------- */

/* Layers that have none: those of a list. */
static bool is_listed(const settings *s, const json_t *list, long layer)
{
    size_t k;
    json_t *x;
    json_array_foreach(list, k, x) {
        if (!json_is_integer(x))
            die("%s: %s is not a list of layers; correct it", s->path, setting_key(s, SETTING_DENSE_LAYERS));
        if (json_integer_value(x) == layer) return true;
    }
    return false;
}

/* Versions of a class differ on which of two keys says how many there are. */
static void require_one_number(const settings *s)
{
    const char *const *key = s->of->setting[SETTING_EXPERTS].key;
    const json_t *a = key[0] ? key_value(s, key[0]) : NULL, *b = key[0] && key[1] ? key_value(s, key[1]) : NULL;
    if (a && b && !json_equal(a, b))
        die("%s: %s and %s are not the same; correct one of the two", s->path, key[0], key[1]);
}

void experts_read(transformer *D, const settings *s, unsigned char *layer)
{
    enum { MOST_EXPERTS = 1024 };
    if (!setting_is_known(s, SETTING_EXPERTS)) return;
    require_one_number(s);
    const json_t *dense = setting_value(s, SETTING_DENSE_LAYERS);
    if (dense && !json_is_array(dense))
        die("%s: %s is not a list of layers; correct it", s->path, setting_key(s, SETTING_DENSE_LAYERS));
    const long every = setting_whole_or_usual(s, SETTING_EXPERTS_EVERY, 1 << 20);
    long n = 0;
    for (long i = 0; i < D->L; i++) {
        if ((i + 1) % (every ? every : 1) || is_listed(s, dense, i)) continue;
        layer[i] |= LAYER_HAS_EXPERTS;
        n++;
    }
    D->experts = setting_whole_or_usual(s, SETTING_EXPERTS, MOST_EXPERTS);
    D->chosen = setting_whole_or_usual(s, SETTING_CHOSEN, MOST_EXPERTS);
    D->expert_m = setting_whole_or_usual(s, SETTING_EXPERT_WIDTH, 1 << 22);
    D->shared_m = setting_whole_or_usual(s, SETTING_SHARED_WIDTH, 1 << 22);
    D->chosen_sum = setting_truth(s, SETTING_CHOSEN_SUM);
    if (!D->expert_m) D->expert_m = D->m;
    if (!D->experts || !D->chosen)
        die("%s does not say how many experts a layer has, and how many a token meets; put it there", s->path);
    if (D->chosen > D->experts)
        die("%s: each token meets %ld experts (%s) of %ld (%s); correct one of the two", s->path, D->chosen,
            setting_key(s, SETTING_CHOSEN), D->experts, setting_key(s, SETTING_EXPERTS));
    if (D->chosen == D->experts) D->chosen_sum = true;                   /* those chosen are all              */
    if (n == D->L) D->m = D->expert_m;                                   /* no layer has the other MLP        */
    if (n > 0) return;
    D->experts = D->chosen = D->expert_m = D->shared_m = 0;              /* as if it were none of the kind    */
    D->chosen_sum = false;
}
