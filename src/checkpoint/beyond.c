/* beyond.c - see beyond.h.  Each row is a key that the libraries which write such files give a meaning. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/beyond.h"

typedef enum { HARMLESS_NULL, HARMLESS_FALSE, HARMLESS_TRUE, HARMLESS_ZERO, HARMLESS_ONE } harmless;
typedef struct { const char *key; harmless when; bool theorems; const char *what; } row;

/* theorems: those that are applied here hold all the same, for any mask, scale of the scores and angles. */
static const row rows[] = {
    { "scale_attn_weights", HARMLESS_TRUE, true, "its scores are not divided by sqrt(dk)" },
    { "scale_attn_by_inverse_layer_idx", HARMLESS_FALSE, true, "its scores are divided by the number of the layer" },
    { "attn_logit_softcapping", HARMLESS_NULL, true, "its scores are capped" },
    { "final_logit_softcapping", HARMLESS_NULL, true, "its logits are capped" },
    { "attention.scale", HARMLESS_NULL, true, "its scores have a scale of their own" },
    { "attn_logit_softcap", HARMLESS_ZERO, true, "its scores are capped" },
    { "is_causal", HARMLESS_TRUE, true, "its tokens see those behind them" },
    { "attention.causal", HARMLESS_TRUE, true, "its tokens see those behind them" },
    { "per_layer_config", HARMLESS_NULL, false, "its layers have settings of their own" },
    { "clip_qkv", HARMLESS_NULL, false, "queries, keys and values are clipped" },
    { "attention.clamp_kqv", HARMLESS_ZERO, false, "queries, keys and values are clipped" },
    { "attention.max_alibi_bias", HARMLESS_ZERO, false, "its scores have ALiBi's biases" },
    { "logit_scale", HARMLESS_ONE, false, "its logits are scaled" },
    { "embedding_multiplier", HARMLESS_ONE, false, "its embeddings are scaled" },
    { "residual_multiplier", HARMLESS_ONE, false, "what is added to the stream is scaled" },
    { "attention_multiplier", HARMLESS_NULL, false, "its scores have a scale of their own" },
    { "logits_scaling", HARMLESS_ONE, false, "its logits are scaled" },
    { "num_local_experts", HARMLESS_ZERO, false, "it has experts" },
    { "num_experts", HARMLESS_ZERO, false, "it has experts" },
    { "expert_count", HARMLESS_ZERO, false, "it has experts" },
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
    default:             return false;
    }
}

static bool plain_angles(json_t *rope)                   /* rope_scaling, or rope_parameters             */
{
    const char *key;
    json_t *value;
    json_object_foreach(rope, key, value) if (json_is_object(value)) return false;         /* by kind of layer */
    const json_t *type = json_object_get(rope, "rope_type");
    if (!type) type = json_object_get(rope, "type");
    const char *name = json_string_value(type);
    return !rope || json_is_null(rope) || (json_is_object(rope) && (!type || (name && strcmp(name, "default") == 0)));
}

json_t *beyond_rope(const json_t *config)
{
    static const char *const name[] = { "rope_scaling", "rope_parameters" };       /* in the order of transformers */
    for (size_t k = 0; k < COUNT(name); k++) {
        json_t *rope = json_object_get(config, name[k]);
        if (json_object_size(rope) > 0) return rope;
    }
    return NULL;
}

/* GPT-NeoX alone turns a part of each head.  The others' code in transformers turns all of it, other programs a part.
 */
static bool turns_in_part(const json_t *config, const char *before, const char *family)
{
    static const char name[] = "partial_rotary_factor";
    if (*before || strcmp(family, "gpt_neox") == 0) return false;
    const json_t *part = json_object_get(beyond_rope(config), name);
    if (!part) part = json_object_get(config, name);
    return part && !json_is_null(part) && !is_harmless(part, HARMLESS_ONE);
}

static double number_of(const json_t *config, const char *before, const char *name)
{
    char *key = must_format("%s%s", before, name);
    const json_t *x = json_object_get(config, key);
    free(key);
    return json_number_value(x);
}

/* A rope_scaling without a type scales, too. */
static bool scaled_angles(const json_t *config, const char *before)
{
    json_t *scaling = json_object_get(config, "rope_scaling");
    if (scaling && !json_is_null(scaling)
        && (!plain_angles(scaling) || !(json_object_get(scaling, "rope_type") || json_object_get(scaling, "type"))))
        return true;
    if (!plain_angles(json_object_get(config, "rope_parameters"))) return true;
    char *key = must_format("%srope.scaling.type", before);
    const char *type = json_string_value(json_object_get(config, key));
    free(key);
    if (type || !*before) return type && strcmp(type, "none") != 0;
    double factor = number_of(config, before, "rope.scaling.factor");      /* llama.cpp: linear where no type is said */
    if (factor == 0) factor = number_of(config, before, "rope.scale_linear");
    return factor != 0 && factor != 1;
}

/* The first layer of `layer_types` whose attention is another than all earlier tokens'; NULL: there is none. */
static const char *other_layer(const json_t *config)
{
    size_t k;
    json_t *kind;
    json_array_foreach(json_object_get(config, "layer_types"), k, kind) {
        const char *name = json_string_value(kind);
        if (!name || strcmp(name, "full_attention") != 0) return name ? name : "?";
    }
    return NULL;
}

char *beyond_description(const json_t *config, const char *before, const char *family, bool *theorems)
{
    const char *other = other_layer(config);
    *theorems = false;
    if (turns_in_part(config, before, family))
        return must_strdup("programs differ on whether a part of each head turns or all of it (partial_rotary_factor)");
    *theorems = !other || strcmp(other, "sliding_attention") == 0;
    if (other) return must_format("not all of its layers have full attention (layer_types)");
    for (int pass = 0; pass < 2; pass++)                               /* what theorems do not cover comes first */
        for (size_t k = 0; k < COUNT(rows); k++) {
            char *key = must_format("%s%s", before, rows[k].key);
            const json_t *x = json_object_get(config, key);
            const bool changes = x && !json_is_null(x) && !is_harmless(x, rows[k].when)
                                 && rows[k].theorems == (pass == 1);
            char *text = changes ? must_format("%s (%s)", rows[k].what, key) : NULL;
            free(key);
            if (!text) continue;
            *theorems = rows[k].theorems;
            return text;
        }
    return scaled_angles(config, before) ? must_strdup("its rotary angles are scaled (rope_scaling)") : NULL;
}

/* What configurations of Mistral and Qwen mean that do not say it. */
enum { USUAL_WINDOW = 4096, USUAL_FIRST_LAYER = 28 };

long beyond_window(const json_t *config, const char *before, const char *family, long L)
{
    const bool hub = !*before, mistral = hub && strcmp(family, "mistral") == 0;
    const bool qwen = hub && strncmp(family, "qwen", 4) == 0;
    char *key = must_format("%s%s", before, hub ? "sliding_window" : "attention.sliding_window");
    const json_t *said = json_object_get(config, key), *used = json_object_get(config, "use_sliding_window");
    free(key);
    if (json_array_size(json_object_get(config, "layer_types")) > 0) return 0;     /* none of them is another */
    if (hub && !mistral && !(qwen && json_is_true(used))) return 0;               /* the others' code reads neither */
    const json_int_t w = !said && (qwen || mistral) ? USUAL_WINDOW : json_integer_value(said);
    if (w <= 0 || w > 1 << 28) return 0;
    const json_t *from = json_object_get(config, "max_window_layers");
    const json_int_t first = !qwen ? 0 : from ? json_integer_value(from) : USUAL_FIRST_LAYER;
    return first >= L ? 0 : first > 0 ? -1 : (long)w;
}
