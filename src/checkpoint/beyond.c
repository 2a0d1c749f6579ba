/* SPDX-License-Identifier: GPL-3.0-or-later
 * beyond.c - see beyond.h.  Each row is a key that the libraries which write such files give a meaning; what one
 * architecture alone gives it is in its file. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/beyond.h"
#include "src/checkpoint/settings_apart.h"

typedef enum { HARMLESS_NULL, HARMLESS_FALSE, HARMLESS_TRUE, HARMLESS_ZERO, HARMLESS_ONE, HARMLESS_EMPTY } harmless;
typedef struct { const char *key; harmless when; bool theorems; const char *what; } row;

/* Keys that would make another model of any architecture, and of all those of GGUF; where the architecture has a
 * setting with that key it is a part of the description. theorems: those that are applied here hold all the same,
 * for any mask, scale of the scores and angles. */
static const row rows[] = {
    { "attn_logit_softcapping", HARMLESS_NULL, true, "its scores are capped" },
    { "final_logit_softcapping", HARMLESS_NULL, true, "its logits are capped" },
    { "attention.scale", HARMLESS_NULL, true, "its scores have a scale of their own" },
    { "attn_logit_softcap", HARMLESS_ZERO, true, "its scores are capped" },
    { "is_causal", HARMLESS_TRUE, true, "its tokens see those behind them" },
    { "attention.causal", HARMLESS_TRUE, true, "its tokens see those behind them" },
    { "per_layer_config", HARMLESS_NULL, false, "its layers have settings of their own" },
    { "clip_qkv", HARMLESS_NULL, false, "queries, keys and values are clipped" },
    { "attention.clamp_kqv", HARMLESS_ZERO, false, "queries, keys and values are clipped" },
    { "rope.scaling.attn_factor", HARMLESS_ONE, true, "its rotated queries and keys are scaled" },
    { "attention.max_alibi_bias", HARMLESS_ZERO, false, "its scores have ALiBi's biases" },
    { "logit_scale", HARMLESS_ONE, false, "its logits are scaled" },
    { "embedding_multiplier", HARMLESS_ONE, false, "its embeddings are scaled" },
    { "residual_multiplier", HARMLESS_ONE, false, "what is added to the stream is scaled" },
    { "attention_multiplier", HARMLESS_NULL, false, "its scores have a scale of their own" },
    { "logits_scaling", HARMLESS_ONE, false, "its logits are scaled" },
    { "num_local_experts", HARMLESS_ZERO, false, "it has experts" },
    { "num_experts", HARMLESS_ZERO, false, "it has experts" },
    { "expert_count", HARMLESS_ZERO, false, "it has experts" },
    { "pruned_heads", HARMLESS_EMPTY, false, "heads are left out" },
    { "is_encoder_decoder", HARMLESS_FALSE, false, "it has an encoder" },
    { "quantization_config", HARMLESS_NULL, false, "its weights are quantised" },
};

static bool is_harmless(const json_t *x, harmless when)
{
    switch (when) {
    case HARMLESS_FALSE: return json_is_false(x);
    case HARMLESS_TRUE:  return json_is_true(x);
    case HARMLESS_ZERO:  return json_is_number(x) && json_number_value(x) == 0;
    case HARMLESS_ONE:   return json_is_number(x) && json_number_value(x) == 1;
    case HARMLESS_EMPTY: return json_is_object(x) && json_object_size(x) == 0;
    default:             return false;
    }
}

/* Layers within a window have angles of their own. */
static bool own_angles(const settings *s) { return setting_is_known(s, SETTING_LOCAL_THETA); }

const json_t *beyond_rope(const settings *s)
{
    static const char *const name[] = { "rope_scaling", "rope_parameters" };       /* in the order of transformers */
    for (size_t k = 0; k < COUNT(name) && !s->of->gguf; k++) {
        const json_t *rope = key_value(s, name[k]);
        if (k && own_angles(s)) rope = json_object_get(rope, "full_attention");
        if (json_object_size(rope) > 0) return rope;
    }
    return NULL;
}

static const char part_key[] = "partial_rotary_factor";

/* Where a class turns a part of each head by a key of its own, another program may read this key beside it.  The
 * others' code in transformers turns all of it, other programs a part. */
static bool turns_in_part(const settings *s)
{
    if (s->of->gguf) return false;
    const settings inner = settings_within(s, beyond_rope(s));
    const json_t *part = key_value(&inner, part_key);
    if (setting_is_known(s, SETTING_ROTARY_PART)) {
        const double own = key_number(&inner, part_key), usual = setting_number_or_usual(s, SETTING_ROTARY_PART),
            top = key_number(s, part_key);
        return !architecture_reads(s->of, part_key) && top != 0 && top != (own != 0 ? own : usual);
    }
    if (!part) part = key_value(s, part_key);
    return part && !is_harmless(part, HARMLESS_ONE);
}

/* Inside and beside, with different values: transformers 4 reads the one, transformers 5 the other. */
static bool said_twice(const settings *s, const char *inside, setting_name beside)
{
    const settings inner = settings_within(s, beyond_rope(s));
    const double in = key_number(&inner, inside), out = setting_number(s, beside);
    return in != 0 && out != 0 && in != out;
}

static double local_theta_inside(const settings *s)
{
    const json_t *all = key_value(s, "rope_parameters");
    const settings local = settings_within(s, json_object_get(all, "sliding_attention"));
    return key_number(&local, "rope_theta");
}

/* A class without a key for it: its first versions take rope_theta for all layers, later ones their own for those
 * within a window. */
static bool local_theta_unsaid(const settings *s)
{
    const double theta = setting_number(s, SETTING_THETA);
    return local_theta_inside(s) == 0 && theta != 0 && theta != setting_usual(s, SETTING_LOCAL_THETA);
}

static char *angles_said_twice(const settings *s)        /* NULL: none are                              */
{
    if (s->of->gguf || s->of->positions != POSITIONS_ROTARY) return NULL;
    if (said_twice(s, "rope_theta", SETTING_THETA))
        return must_strdup("programs differ on theta, which is said twice with different values (rope_theta)");
    const char *local = setting_key(s, SETTING_LOCAL_THETA);
    if (own_angles(s) && !local && local_theta_unsaid(s))
        return must_strdup("programs differ on theta of layers with a window (rope_theta)");
    if (local) {
        const double in = local_theta_inside(s), out = setting_number(s, SETTING_LOCAL_THETA);
        if (in != 0 && out != 0 && in != out)
            return must_format("programs differ on theta of layers with a window, which is said twice with different "
                               "values (%s)", local);
    }
    if (setting_is_known(s, SETTING_ROTARY_PART) && said_twice(s, part_key, SETTING_ROTARY_PART))
        return must_format("programs differ on which part of each head turns, which is said twice with different "
                           "values (%s)", setting_key(s, SETTING_ROTARY_PART));
    return NULL;
}

enum { MOST_WINDOW = 1 << 28, MOST_LAYERS = 1001 };

static const json_t *layer_types(const settings *s)      /* an array, or NULL                            */
{
    const json_t *types = key_value(s, "layer_types");
    if (types && !json_is_array(types)) die("%s: layer_types is not a list; correct it", s->path);
    return types;
}

/* Of ["global", "local", ...], or in turn of [[["global", "local"], 12]]; NULL: the layer's is not said. */
static const char *kind_said(const json_t *types, long i)
{
    size_t k;
    json_t *part;
    json_array_foreach(types, k, part) {
        const json_t *names = json_is_array(part) ? json_array_get(part, 0) : NULL, *times = json_array_get(part, 1);
        const long n = names ? (long)json_array_size(names) : 1;
        const json_int_t all = !names ? 1 : json_is_integer(times) && json_integer_value(times) <= MOST_WINDOW
                               ? n * json_integer_value(times) : 0;
        if (all <= 0) return NULL;
        if (i < all) return json_string_value(names ? json_array_get(names, (size_t)(i % n)) : part);
        i -= (long)all;
    }
    return NULL;
}

/* "full_attention", "sliding_attention" or another; NULL: the layer's is not said. */
static const char *kind_of_layer(const settings *s, long i)
{
    if (!setting_is_known(s, SETTING_KINDS)) return json_string_value(json_array_get(layer_types(s), (size_t)i));
    const char *name = kind_said(setting_value(s, SETTING_KINDS), i);
    return !name ? NULL : strcmp(name, "global") == 0 ? "full_attention"
           : strcmp(name, "local") == 0 ? "sliding_attention" : name;
}

static const char *kinds_key(const settings *s)
{
    return setting_is_known(s, SETTING_KINDS) ? setting_key(s, SETTING_KINDS) : "layer_types";
}

static bool reads_kinds(const settings *s) { return s->of->layer_kinds || setting_is_known(s, SETTING_KINDS); }

static long kinds_of_layers(const settings *s)           /* of how many layers it is said               */
{
    long n = 0;
    if (!setting_is_known(s, SETTING_KINDS)) return (long)json_array_size(layer_types(s));
    while (n < MOST_LAYERS && kind_said(setting_value(s, SETTING_KINDS), n)) n++;
    return n;
}

/* The first layer whose attention is another than all earlier tokens', or where the class reads it
 * those within a window; NULL: there is none. */
static const char *other_layer(const settings *s)
{
    for (long i = 0, n = kinds_of_layers(s); i < n; i++) {
        const char *name = kind_of_layer(s, i);
        if (reads_kinds(s) && name && strcmp(name, "sliding_attention") == 0) continue;
        if (!name || strcmp(name, "full_attention") != 0) return name ? name : "?";
    }
    return NULL;
}

bool beyond_slides(const settings *s)
{
    for (long i = 0, n = kinds_of_layers(s); i < n; i++) {
        const char *name = kind_of_layer(s, i);
        if (name && strcmp(name, "sliding_attention") == 0) return true;
    }
    return false;
}

/* Where two keys say it, each for itself: do they differ? */
static bool kinds_said_twice(const settings *s)
{
    const char *const *key = s->of->setting[SETTING_KINDS].key;
    const json_t *a = key[0] ? key_value(s, key[0]) : NULL, *b = key[0] && key[1] ? key_value(s, key[1]) : NULL;
    for (long i = 0; a && b && i < MOST_LAYERS; i++) {
        const char *x = kind_said(a, i), *y = kind_said(b, i);
        if (!x != !y || (x && strcmp(x, y) != 0)) return true;
    }
    return false;
}

/* What the architecture's own file leaves open. */
static bool is_usual(const settings *s, const beyond_rule *r, const json_t *x)
{
    size_t k;
    json_t *one;
    if (r->width_over_heads) {
        const long d = setting_whole_or_usual(s, SETTING_WIDTH, 1 << 20);
        const long h = setting_whole_or_usual(s, SETTING_HEADS, 1 << 16);
        return h && d % h == 0 && json_is_integer(x) && json_integer_value(x) == d / h;
    }
    if (!json_is_array(r->usual)) return r->usual && settings_same_value(r->usual, x);
    json_array_foreach(r->usual, k, one) if (settings_same_value(one, x)) return true;
    return false;
}

/* The first key that says what is not described; theorems: of those under which they hold, or of the others. */
static char *first_beyond(const settings *s, bool theorems)
{
    for (size_t k = 0; k < COUNT(rows); k++) {
        const json_t *x = key_value(s, rows[k].key);
        if (!x || is_harmless(x, rows[k].when) || rows[k].theorems != theorems) continue;
        if (architecture_reads(s->of, rows[k].key)) continue;
        return must_format("%s (%s%s)", rows[k].what, s->before, rows[k].key);
    }
    for (long k = 0; k < s->of->beyonds; k++) {
        const beyond_rule *r = &s->of->beyond[k];
        const json_t *x = key_value(s, r->key);
        if (!x || is_usual(s, r, x) || r->theorems != theorems) continue;
        return must_format("%s (%s%s)", r->what, s->before, r->key);
    }
    return NULL;
}

char *beyond_description(const settings *s, bool *theorems)
{
    const char *other = other_layer(s);
    *theorems = false;
    if (turns_in_part(s))
        return must_strdup("programs differ on whether a part of each head turns or all of it (partial_rotary_factor)");
    *theorems = !other || strcmp(other, "sliding_attention") == 0;
    if (other) return must_format("not all of its layers have full attention (%s)", kinds_key(s));
    if (kinds_said_twice(s))
        return must_format("programs differ on which of its layers have a window (%s)", kinds_key(s));
    char *first = first_beyond(s, false);                /* what theorems do not cover comes first      */
    *theorems = !first;
    if (!first) first = first_beyond(s, true);
    return first ? first : angles_said_twice(s);
}

/* A number of tokens or layers; most where it is larger. */
static long counted(const settings *s, setting_name what, long least)
{
    const json_t *x = setting_value(s, what);
    const json_int_t i = json_integer_value(x);
    if (!json_is_integer(x) || i < least)
        die("%s: %s is not a whole number from %ld on; correct it", s->path, setting_key(s, what), least);
    return i < MOST_WINDOW ? (long)i : MOST_WINDOW;
}

static bool is_full(const settings *s, long i)
{
    const char *name = kind_of_layer(s, i);
    return !name || strcmp(name, "full_attention") == 0;
}

/* Marks the layers that the window leaves out; how many. */
static long layers_that_see_all(const settings *s, long L, unsigned char *layer)
{
    const bool said = kinds_of_layers(s) > 0;
    const long every = setting_whole_or_usual(s, SETTING_FULL_EVERY, 1 << 20);
    const long first = setting_value(s, SETTING_FULL_FIRST) ? counted(s, SETTING_FULL_FIRST, 0)
                       : (long)setting_usual(s, SETTING_FULL_FIRST);
    long n = 0;
    for (long i = 0; i < L; i++) {
        const bool turns = !(layer[i] & LAYER_DOES_NOT_TURN);
        const bool all = said ? is_full(s, i) : every ? (i + 1) % every == 0
                       : setting_is_known(s, SETTING_TURNS) ? turns : i < first;
        if (all) layer[i] |= s->of->still_where_full ? LAYER_SEES_ALL | LAYER_DOES_NOT_TURN : LAYER_SEES_ALL;
        n += all;
    }
    return n;
}

long beyond_window(const settings *s, long L, unsigned char *layer)
{
    const long kinds = kinds_of_layers(s);
    if ((kinds > 0 || setting_value(s, SETTING_KINDS)) && reads_kinds(s) && kinds != L)
        die("%s: %s has %ld entries for %ld layers; correct it", s->path, kinds_key(s), kinds, L);
    if (!setting_is_known(s, SETTING_WINDOW)) return 0;  /* it reads no window                          */
    if (setting_is_known(s, SETTING_WINDOW_SWITCH) && !setting_truth(s, SETTING_WINDOW_SWITCH)) return 0;
    const char *key = setting_key(s, SETTING_WINDOW);
    const json_t *said = key ? json_object_get(s->keys, key) : NULL;
    const long usual = (long)setting_usual(s, SETTING_WINDOW);
    const bool none = json_is_null(said) || (!said && !usual);
    const bool by_layer = s->of->still_where_full || own_angles(s);    /* angles go by layers, too             */
    const bool marked = none ? by_layer : reads_kinds(s);
    const bool all = marked && layers_that_see_all(s, L, layer) == L;
    if (none) return 0;
    if (s->of->kinds_end_window && kinds > 0) return 0;  /* none of them is another                     */
    const long w = said ? counted(s, SETTING_WINDOW, 1) : usual;
    return all || w == MOST_WINDOW ? 0 : w;
}

void beyond_turns(const settings *s, long L, unsigned char *layer)
{
    if (!setting_is_known(s, SETTING_TURNS) && !setting_is_known(s, SETTING_STILL_EVERY)) return;
    const char *key = setting_key(s, SETTING_TURNS);
    const json_t *turn = setting_value(s, SETTING_TURNS);
    const long every = setting_whole_or_usual(s, SETTING_STILL_EVERY, 1 << 20);
    if (turn && (!json_is_array(turn) || json_array_size(turn) != (size_t)L))
        die("%s: %s is not a list of %ld numbers, one for each layer; correct it", s->path, key, L);
    for (long i = 0; i < L; i++) {
        const json_t *x = json_array_get(turn, (size_t)i);
        const json_int_t is = json_integer_value(x);
        if (turn && (!json_is_integer(x) || is < 0 || is > 1))
            die("%s: %s holds something else than 0 and 1; correct it", s->path, key);
        if (turn ? is == 0 : every && (i + 1) % every == 0) layer[i] |= LAYER_DOES_NOT_TURN;
    }
}
