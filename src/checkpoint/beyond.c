/* beyond.c - see beyond.h.  Each row is a key that the libraries which write such files give a meaning; settings.c says
 * which families read it. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/beyond.h"

typedef enum { HARMLESS_NULL, HARMLESS_FALSE, HARMLESS_TRUE, HARMLESS_ZERO, HARMLESS_ONE, HARMLESS_EMPTY } harmless;
typedef struct { const char *key; harmless when; bool theorems; const char *what; } row;

/* theorems: those that are applied here hold all the same, for any mask, scale of the scores and angles. */
static const row rows[] = {
    { "scale_attn_by_inverse_layer_idx", HARMLESS_FALSE, true, "its scores are divided by the number of the layer" },
    { "attn_logit_softcapping", HARMLESS_NULL, true, "its scores are capped" },
    { "final_logit_softcapping", HARMLESS_NULL, true, "its logits are capped" },
    { "attention.scale", HARMLESS_NULL, true, "its scores have a scale of their own" },
    { "attn_logit_softcap", HARMLESS_ZERO, true, "its scores are capped" },
    { "rope_interleaved", HARMLESS_FALSE, true, "programs differ on which coordinates of a head are pairs" },
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

const json_t *beyond_rope(const settings *s)
{
    static const char *const name[] = { "rope_scaling", "rope_parameters" };       /* in the order of transformers */
    for (size_t k = 0; k < COUNT(name); k++) {
        const json_t *rope = setting_value(s, name[k]);
        if (json_object_size(rope) > 0) return rope;
    }
    return NULL;
}

/* GPT-NeoX alone turns a part of each head: rotary_pct of it, or what its rope_parameters say; beside these another
 * program may read this key.  The others' code in transformers turns all of it, other programs a part. */
static bool turns_in_part(const settings *s)
{
    static const char name[] = "partial_rotary_factor";
    if (s->family & OF_GGUF) return false;
    const settings inner = settings_within(s, beyond_rope(s));
    const json_t *part = setting_value(&inner, name);
    if (s->family & OF_NEOX) {
        const double own = setting_number(&inner, name), usual = setting_number(s, "rotary_pct"),
            top = setting_number(s, name);
        return top != 0 && top != (own != 0 ? own : usual != 0 ? usual : 0.25);
    }
    if (!part) part = setting_value(s, name);
    return part && !is_harmless(part, HARMLESS_ONE);
}

/* Inside and beside, with different values: transformers 4 reads the one, transformers 5 the other. */
static bool said_twice(const settings *s, const char *inside, const char *beside)
{
    const settings inner = settings_within(s, beyond_rope(s));
    const double in = setting_number(&inner, inside), out = setting_number(s, beside);
    return in != 0 && out != 0 && in != out;
}

static char *angles_said_twice(const settings *s)        /* NULL: none are                              */
{
    const bool neox = s->family & OF_NEOX;
    if (s->family & OF_GGUF) return NULL;
    if (said_twice(s, "rope_theta", neox ? "rotary_emb_base" : "rope_theta"))
        return must_strdup("programs differ on theta, which is said twice with different values (rope_theta)");
    if (neox && said_twice(s, "partial_rotary_factor", "rotary_pct"))
        return must_strdup("programs differ on which part of each head turns, which is said twice with different "
                           "values (rotary_pct)");
    return NULL;
}

static const json_t *layer_types(const settings *s)      /* an array, or NULL                            */
{
    const json_t *types = setting_value(s, "layer_types");
    if (types && !json_is_array(types)) die("%s: layer_types is not a list; correct it", s->path);
    return types;
}

/* The first layer of `layer_types` whose attention is another than all earlier tokens'; NULL: there is none. */
static const char *other_layer(const settings *s)
{
    size_t k;
    json_t *kind;
    json_array_foreach(layer_types(s), k, kind) {
        const char *name = json_string_value(kind);
        if (!name || strcmp(name, "full_attention") != 0) return name ? name : "?";
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
    if (other) return must_format("not all of its layers have full attention (layer_types)");
    for (int pass = 0; pass < 2; pass++)                               /* what theorems do not cover comes first */
        for (size_t k = 0; k < COUNT(rows); k++) {
            const json_t *x = setting_value(s, rows[k].key);
            if (!x || is_harmless(x, rows[k].when) || rows[k].theorems != (pass == 1)) continue;
            *theorems = rows[k].theorems;
            return must_format("%s (%s%s)", rows[k].what, s->before, rows[k].key);
        }
    return angles_said_twice(s);
}

/* What configurations of Mistral and Qwen mean that do not say it. */
enum { USUAL_WINDOW = 4096, USUAL_FIRST_LAYER = 28, MOST_WINDOW = 1 << 28 };

/* A number of tokens or layers; most where it is larger. */
static long counted(const settings *s, const char *name, long least)
{
    const json_t *x = setting_value(s, name);
    const json_int_t i = json_integer_value(x);
    if (!json_is_integer(x) || i < least)
        die("%s: %s is not a whole number from %ld on; correct it", s->path, name, least);
    return i < MOST_WINDOW ? (long)i : MOST_WINDOW;
}

long beyond_window(const settings *s, long L)
{
    const bool qwen = s->family & OF_QWEN;
    if (!(s->family & (OF_MISTRAL | OF_QWEN))) return 0;               /* the others' code reads no window */
    if (json_array_size(layer_types(s)) > 0) return 0;                 /* none of them is another          */
    if (qwen && !setting_truth(s, "use_sliding_window", false)) return 0;
    const json_t *said = json_object_get(s->keys, "sliding_window");
    if (json_is_null(said)) return 0;
    const long w = said ? counted(s, "sliding_window", 1) : USUAL_WINDOW;
    if (w == MOST_WINDOW) return 0;
    const long first = !qwen ? 0 : json_object_get(s->keys, "max_window_layers") ? counted(s, "max_window_layers", 0)
                                                                                 : USUAL_FIRST_LAYER;
    return first >= L ? 0 : first > 0 ? -1 : w;
}
