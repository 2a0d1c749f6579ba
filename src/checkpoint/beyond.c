/* beyond.c - see beyond.h.  Each row is a key that the libraries which write such files give a meaning; settings.c says
 * which families read it. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/beyond.h"

typedef enum { HARMLESS_NULL, HARMLESS_FALSE, HARMLESS_TRUE, HARMLESS_ZERO, HARMLESS_ONE, HARMLESS_EMPTY } harmless;
typedef struct { const char *key; harmless when; bool theorems; const char *what; unsigned computed; } row;

/* theorems: those that are applied here hold all the same, for any mask, scale of the scores and angles.
 * computed: the families of which it is a part of the description. */
static const row rows[] = {
    { "scale_attn_by_inverse_layer_idx", HARMLESS_FALSE, true, "its scores are divided by the number of the layer", 0 },
    { "attn_logit_softcapping", HARMLESS_NULL, true, "its scores are capped", OF_GEMMA2 },
    { "final_logit_softcapping", HARMLESS_NULL, true, "its logits are capped", OF_GEMMA2 | OF_GEMMA3 },
    { "use_bidirectional_attention", HARMLESS_FALSE, true, "its tokens see those behind them", 0 },
    { "qk_layernorm", HARMLESS_FALSE, true, "queries and keys have a LayerNorm for each head", 0 },
    { "attention.scale", HARMLESS_NULL, true, "its scores have a scale of their own", 0 },
    { "attn_logit_softcap", HARMLESS_ZERO, true, "its scores are capped", 0 },
    { "rope_interleaved", HARMLESS_FALSE, true, "programs differ on which coordinates of a head are pairs", 0 },
    { "is_causal", HARMLESS_TRUE, true, "its tokens see those behind them", 0 },
    { "attention.causal", HARMLESS_TRUE, true, "its tokens see those behind them", 0 },
    { "per_layer_config", HARMLESS_NULL, false, "its layers have settings of their own", 0 },
    { "clip_qkv", HARMLESS_NULL, false, "queries, keys and values are clipped", 0 },
    { "attention.clamp_kqv", HARMLESS_ZERO, false, "queries, keys and values are clipped", 0 },
    { "rope.scaling.attn_factor", HARMLESS_ONE, true, "its rotated queries and keys are scaled", 0 },
    { "attention.max_alibi_bias", HARMLESS_ZERO, false, "its scores have ALiBi's biases", 0 },
    { "logit_scale", HARMLESS_ONE, false, "its logits are scaled", OF_COHERES },
    { "use_qk_norm", HARMLESS_FALSE, true, "queries and keys have norms of their own", 0 },
    { "embedding_multiplier", HARMLESS_ONE, false, "its embeddings are scaled", OF_GRANITE },
    { "residual_multiplier", HARMLESS_ONE, false, "what is added to the stream is scaled", OF_GRANITE },
    { "attention_multiplier", HARMLESS_NULL, false, "its scores have a scale of their own", OF_GRANITE },
    { "logits_scaling", HARMLESS_ONE, false, "its logits are scaled", OF_GRANITE },
    { "num_local_experts", HARMLESS_ZERO, false, "it has experts", 0 },
    { "num_experts", HARMLESS_ZERO, false, "it has experts", 0 },
    { "expert_count", HARMLESS_ZERO, false, "it has experts", 0 },
    { "pruned_heads", HARMLESS_EMPTY, false, "heads are left out", 0 },
    { "is_encoder_decoder", HARMLESS_FALSE, false, "it has an encoder", 0 },
    { "quantization_config", HARMLESS_NULL, false, "its weights are quantised", 0 },
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
        if (k && (s->family & OF_OWN_ANGLES)) rope = json_object_get(rope, "full_attention");
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
    return part && !is_harmless(part, HARMLESS_ONE) && !(s->family & OF_PARTIAL);
}

/* Inside and beside, with different values: transformers 4 reads the one, transformers 5 the other. */
static bool said_twice(const settings *s, const char *inside, const char *beside)
{
    const settings inner = settings_within(s, beyond_rope(s));
    const double in = setting_number(&inner, inside), out = setting_number(s, beside);
    return in != 0 && out != 0 && in != out;
}

/* OLMo 3's first versions take rope_theta for all layers, later ones their own for those within a window. */
static bool local_theta_unsaid(const settings *s)
{
    const json_t *all = setting_value(s, "rope_parameters");
    const settings local = settings_within(s, json_object_get(all, "sliding_attention"));
    const double theta = setting_number(s, "rope_theta");
    return setting_number(&local, "rope_theta") == 0 && theta != 0 && theta != OLMO3_THETA;
}

static char *angles_said_twice(const settings *s)        /* NULL: none are                              */
{
    const bool neox = s->family & OF_NEOX;
    if (s->family & OF_GGUF) return NULL;
    if (said_twice(s, "rope_theta", neox ? "rotary_emb_base" : "rope_theta"))
        return must_strdup("programs differ on theta, which is said twice with different values (rope_theta)");
    if (s->family == OF_OLMO3 && local_theta_unsaid(s))
        return must_strdup("programs differ on theta of layers with a window (rope_theta)");
    if (s->family == OF_GEMMA3) {
        const json_t *all = setting_value(s, "rope_parameters");
        const settings local = settings_within(s, json_object_get(all, "sliding_attention"));
        const double in = setting_number(&local, "rope_theta"), out = setting_number(s, "rope_local_base_freq");
        if (in != 0 && out != 0 && in != out)
            return must_strdup("programs differ on theta of layers with a window, which is said twice with different "
                               "values (rope_local_base_freq)");
    }
    const char *part = neox ? "rotary_pct" : "partial_rotary_factor";
    if ((s->family & OF_PARTIAL) && said_twice(s, "partial_rotary_factor", part))
        return must_format("programs differ on which part of each head turns, which is said twice with different "
                           "values (%s)", part);
    return NULL;
}

/* What configurations mean that do not say it. */
enum { USUAL_WINDOW = 4096, USUAL_FIRST_LAYER = 28, USUAL_INTERVAL = 4, USUAL_PATTERN = 6, OTHER_PATTERN = 4,
       MOST_WINDOW = 1 << 28,
       OF_LAYERS = OF_QWEN | OF_GEMMA2 | OF_GEMMA3 | OF_SMOLLM3 | OF_OLMO3 | OF_COHERE2 };      /* layers may differ */

static const json_t *layer_types(const settings *s)      /* an array, or NULL                            */
{
    const json_t *types = setting_value(s, "layer_types");
    if (types && !json_is_array(types)) die("%s: layer_types is not a list; correct it", s->path);
    return types;
}

/* The first layer of `layer_types` whose attention is another than all earlier tokens', or of those families that read
 * it those within a window; NULL: there is none. */
static const char *other_layer(const settings *s)
{
    size_t k;
    json_t *kind;
    json_array_foreach(layer_types(s), k, kind) {
        const char *name = json_string_value(kind);
        if ((s->family & OF_LAYERS) && name && strcmp(name, "sliding_attention") == 0) continue;
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
            if (rows[k].computed & s->family) continue;
            *theorems = rows[k].theorems;
            return must_format("%s (%s%s)", rows[k].what, s->before, rows[k].key);
        }
    return angles_said_twice(s);
}


/* A number of tokens or layers; most where it is larger. */
static long counted(const settings *s, const char *name, long least)
{
    const json_t *x = setting_value(s, name);
    const json_int_t i = json_integer_value(x);
    if (!json_is_integer(x) || i < least)
        die("%s: %s is not a whole number from %ld on; correct it", s->path, name, least);
    return i < MOST_WINDOW ? (long)i : MOST_WINDOW;
}

/* Layer i of `layer_types` is full. */
static bool is_full(const settings *s, long i)
{
    const char *name = json_string_value(json_array_get(layer_types(s), (size_t)i));
    return !name || strcmp(name, "full_attention") == 0;
}

/* Marks the layers that the window leaves out; how many. */
static long layers_that_see_all(const settings *s, long L, unsigned char *layer)
{
    const bool said = json_array_size(layer_types(s)) > 0;
    const bool pattern = s->family & (OF_GEMMA3 | OF_OLMO3 | OF_COHERE2);
    const long every = setting_value(s, "sliding_window_pattern") ? setting_whole(s, "sliding_window_pattern", 1 << 20)
                       : s->family == OF_GEMMA3 ? USUAL_PATTERN : OTHER_PATTERN;
    const long first = !(s->family & OF_QWEN) ? 0 : json_object_get(s->keys, "max_window_layers")
                       ? counted(s, "max_window_layers", 0) : USUAL_FIRST_LAYER;
    long n = 0;
    for (long i = 0; i < L; i++) {
        const bool turns = !(layer[i] & LAYER_DOES_NOT_TURN);
        const bool all = said ? is_full(s, i) : s->family == OF_GEMMA2 ? i % 2 : s->family == OF_SMOLLM3 ? turns
                       : pattern ? (i + 1) % every == 0 : i < first;
        if (all) layer[i] |= s->family == OF_COHERE2 ? LAYER_SEES_ALL | LAYER_DOES_NOT_TURN : LAYER_SEES_ALL;
        n += all;
    }
    return n;
}

long beyond_window(const settings *s, long L, unsigned char *layer)
{
    const json_t *said = json_object_get(s->keys, "sliding_window");
    if (!(s->family & (OF_MISTRAL | OF_PHI3 | OF_STARCODER2 | OF_LAYERS))) return 0;     /* reads no window        */
    if ((s->family & (OF_QWEN | OF_SMOLLM3)) && !setting_truth(s, "use_sliding_window", false)) return 0;
    if (json_array_size(layer_types(s)) > 0 && (s->family & OF_LAYERS)
        && json_array_size(layer_types(s)) != (size_t)L)
        die("%s: layer_types has %zu entries for %ld layers; correct it", s->path, json_array_size(layer_types(s)), L);
    const bool none = json_is_null(said) || (!said && !(s->family & (OF_MISTRAL | (OF_LAYERS & ~OF_SMOLLM3))));
    const unsigned marked = none ? OF_COHERE2 | OF_OWN_ANGLES : OF_LAYERS;     /* of these, angles go by layers, too */
    const bool all = (s->family & marked) && layers_that_see_all(s, L, layer) == L;
    if (none) return 0;
    if (s->family == OF_MISTRAL && json_array_size(layer_types(s)) > 0) return 0;     /* none of them is another */
    const long w = said ? counted(s, "sliding_window", 1) : USUAL_WINDOW;
    return all || w == MOST_WINDOW ? 0 : w;
}

void beyond_turns(const settings *s, long L, unsigned char *layer)
{
    if (s->family != OF_SMOLLM3) return;
    const json_t *turn = setting_value(s, "no_rope_layers");
    const long every = setting_value(s, "no_rope_layer_interval") ? setting_whole(s, "no_rope_layer_interval", 1 << 20)
                                                                   : USUAL_INTERVAL;
    if (turn && (!json_is_array(turn) || json_array_size(turn) != (size_t)L))
        die("%s: no_rope_layers is not a list of %ld numbers, one for each layer; correct it", s->path, L);
    for (long i = 0; i < L; i++) {
        const json_t *x = json_array_get(turn, (size_t)i);
        const json_int_t is = json_integer_value(x);
        if (turn && (!json_is_integer(x) || is < 0 || is > 1))
            die("%s: no_rope_layers holds something else than 0 and 1; correct it", s->path);
        if (turn ? is == 0 : (i + 1) % every == 0) layer[i] |= LAYER_DOES_NOT_TURN;
    }
}
