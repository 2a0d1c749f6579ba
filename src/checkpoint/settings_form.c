/* settings_form.c - see settings_form.h.  A default stands here only where it is the same in all versions of the class,
 * and a key is left out only where no version's logits depend on it. */
#include <math.h>
#include <string.h>
#include "src/checkpoint/settings_apart.h"
#include "src/checkpoint/settings_form.h"

/* Classes, by model_type; they read rope_scaling, or else rope_parameters. */
enum { LLAMA = 1, MISTRAL = 2, MIXTRAL = 4, QWEN2 = 8, QWEN2_MOE = 16, QWEN3 = 32, QWEN3_MOE = 64, NEOX = 128,
       PHI3 = 256, OLMO = 512, OLMO2 = 1024, GRANITE = 2048, STARCODER2 = 4096, COHERE = 8192,
       QWENS = QWEN2 | QWEN2_MOE | QWEN3 | QWEN3_MOE, MOES = QWEN2_MOE | QWEN3_MOE };

/* 0: another one, or code of its own. */
static unsigned class_of(const json_t *config)
{
    static const struct { const char *type; unsigned is; } types[] = {
        { "llama", LLAMA }, { "mistral", MISTRAL }, { "mixtral", MIXTRAL }, { "qwen2", QWEN2 },
        { "qwen2_moe", QWEN2_MOE }, { "qwen3", QWEN3 }, { "qwen3_moe", QWEN3_MOE }, { "gpt_neox", NEOX },
        { "phi3", PHI3 }, { "olmo", OLMO }, { "olmo2", OLMO2 }, { "granite", GRANITE }, { "starcoder2", STARCODER2 },
        { "cohere", COHERE } };
    const char *type = json_string_value(json_object_get(config, "model_type"));
    const json_t *code = json_object_get(config, "auto_map");
    if (code && !settings_means_absent("auto_map", code)) return 0;
    for (size_t k = 0; type && k < COUNT(types); k++) if (strcmp(types[k].type, type) == 0) return types[k].is;
    return 0;
}

/* ---- defaults ---------------------------------------------------------------------------------------------------- */

/* What the class takes where the key is absent; null: also where it says null. */
typedef struct { const char *key, *value; unsigned classes; bool null; } unsaid;
static const unsaid defaults[] = {
    { "tie_word_embeddings", "false", LLAMA | MISTRAL | MIXTRAL | QWENS | NEOX | PHI3 | OLMO | OLMO2 | GRANITE, false },
    { "tie_word_embeddings", "true", STARCODER2 | COHERE, false },
    { "attention_bias", "false", LLAMA | QWEN3 | QWEN3_MOE | OLMO | OLMO2 | GRANITE | COHERE, false },
    { "attention_bias", "true", NEOX, false }, { "mlp_bias", "false", LLAMA | GRANITE, false },
    { "use_bias", "true", STARCODER2, false }, { "qkv_bias", "true", QWEN2_MOE, false },
    { "use_parallel_residual", "true", NEOX, false }, { "use_qk_norm", "false", COHERE, false },
    { "norm_topk_prob", "false", MOES, false }, { "use_sliding_window", "false", QWENS, false },
    { "rms_norm_eps", "1e-06", LLAMA | MISTRAL | QWENS | GRANITE, false },
    { "rms_norm_eps", "1e-05", MIXTRAL | PHI3 | OLMO2, false }, { "layer_norm_eps", "1e-05", NEOX | COHERE, false },
    { "norm_epsilon", "1e-05", STARCODER2, false },
    { "rope_theta", "10000", LLAMA | MISTRAL | QWENS | PHI3 | OLMO | OLMO2 | GRANITE | STARCODER2, false },
    { "rope_theta", "1000000", MIXTRAL, false },
    { "rotary_emb_base", "10000", NEOX, false }, { "rotary_pct", "0.25", NEOX, false },
    { "hidden_act", "\"silu\"", LLAMA | MISTRAL | MIXTRAL | QWENS | PHI3 | OLMO | OLMO2 | GRANITE | COHERE, false },
    { "hidden_act", "\"gelu\"", NEOX, false }, { "hidden_act", "\"gelu_pytorch_tanh\"", STARCODER2, false },
    { "embedding_multiplier", "1.0", GRANITE, false }, { "logits_scaling", "1.0", GRANITE, false },
    { "residual_multiplier", "1.0", GRANITE, false }, { "attention_multiplier", "1.0", GRANITE, false },
    { "logit_scale", "0.0625", COHERE, false }, { "decoder_sparse_step", "1", MOES, false },
    { "num_experts_per_tok", "2", MIXTRAL, false }, { "num_experts_per_tok", "4", QWEN2_MOE, false },
    { "num_experts_per_tok", "8", QWEN3_MOE, false }, { "pretraining_tp", "1", LLAMA, false },
    { "sliding_window", "null", MIXTRAL | PHI3 | STARCODER2, true }, { "clip_qkv", "null", OLMO, true },
    { "mlp_only_layers", "[]", MOES, true },
};

/* Read by `if x`: null and 0 are false, another number is true.  A text is left as it is: "false" is true to Python. */
static const char *const truths[] = { "tie_word_embeddings", "attention_bias", "mlp_bias", "use_bias", "qkv_bias",
    "use_parallel_residual", "use_qk_norm", "norm_topk_prob", "use_sliding_window" };

/* Read in training alone. */
static const struct { const char *key; unsigned classes; } in_training[] = {
    { "output_router_logits", MIXTRAL | MOES }, { "router_aux_loss_coef", MIXTRAL | MOES },
    { "router_jitter_noise", MIXTRAL }, { "residual_dropout", STARCODER2 }, { "embedding_dropout", STARCODER2 } };

static void say_truths(json_t *to)
{
    for (size_t k = 0; k < COUNT(truths); k++) {
        const json_t *x = json_object_get(to, truths[k]);
        if (json_is_null(x)) json_object_set_new(to, truths[k], json_false());
        else if (json_is_number(x)) json_object_set_new(to, truths[k], json_boolean(json_number_value(x) != 0));
    }
}

static void say_defaults(json_t *to, unsigned class)
{
    for (size_t k = 0; k < COUNT(defaults); k++) {
        const unsaid *d = &defaults[k];
        const json_t *x = json_object_get(to, d->key);
        if (!(d->classes & class) || (x && !(d->null && json_is_null(x)))) continue;
        json_object_set_new(to, d->key, json_loads(d->value, JSON_DECODE_ANY, NULL));
    }
}

/* As many key heads as heads, of width / heads each, where the file does not say; null says that of all classes,
 * absence where their default is null. */
static void say_heads(json_t *to, unsigned class)
{
    const unsigned null_heads = LLAMA | MISTRAL | MIXTRAL | QWENS | PHI3 | OLMO | OLMO2 | GRANITE | COHERE;
    const unsigned no_heads = LLAMA | PHI3 | OLMO | OLMO2 | GRANITE | COHERE, own_width = LLAMA | MISTRAL | MIXTRAL;
    json_t *heads = json_object_get(to, "num_attention_heads"), *width = json_object_get(to, "hidden_size");
    const json_t *keys = json_object_get(to, "num_key_value_heads"), *head = json_object_get(to, "head_dim");
    const json_int_t h = json_integer_value(heads), d = json_integer_value(width);
    if (heads && (keys ? json_is_null(keys) && (class & null_heads) : (class & no_heads) != 0))
        json_object_set(to, "num_key_value_heads", heads);
    if (h > 0 && d > 0 && (class & own_width) && (!head || json_is_null(head)))
        json_object_set_new(to, "head_dim", json_integer(d / h));
}

static bool all_full(const json_t *types, const json_t *layers)
{
    size_t k;
    json_t *x;
    json_array_foreach(types, k, x)
        if (!json_is_string(x) || strcmp(json_string_value(x), "full_attention") != 0) return false;
    return json_is_array(types) && json_is_integer(layers)
           && (json_int_t)json_array_size(types) == json_integer_value(layers);
}

/* Without use_sliding_window Qwen's classes read neither the window nor where it begins, and all layers are full. */
static void drop_unread(json_t *to, unsigned class)
{
    for (size_t k = 0; k < COUNT(in_training); k++)
        if (in_training[k].classes & class) json_object_del(to, in_training[k].key);
    if (!(class & QWENS) || !json_is_false(json_object_get(to, "use_sliding_window"))) return;
    const json_t *types = json_object_get(to, "layer_types");
    json_object_del(to, "sliding_window");
    json_object_del(to, "max_window_layers");
    if (json_is_null(types) || all_full(types, json_object_get(to, "num_hidden_layers")))
        json_object_del(to, "layer_types");
}

/* ---- rotary angles ----------------------------------------------------------------------------------------------- */

static bool has_objects(const json_t *rope)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)rope, key, value) if (json_is_object(value)) return true;
    return false;
}

/* Of that kind it changes no angle: default, and linear with a factor of 1; another key beside says something. */
static bool changes_nothing(const json_t *rope, const char *kind)
{
    const json_t *factor = json_object_get(rope, "factor");
    if (!kind) return false;
    if (strcmp(kind, "default") == 0) return json_object_size(rope) == 1;
    return strcmp(kind, "linear") == 0 && json_object_size(rope) == 2 && json_is_number(factor)
           && json_number_value(factor) == 1;
}

/* What a kind of scaling takes where the key is absent, or null. */
static void drop_usual(json_t *rope, const char *kind)
{
    static const struct { const char *kind, *key; double is; } usual[] = {
        { "yarn", "beta_fast", 32 }, { "yarn", "beta_slow", 1 }, { "yarn", "attention_factor", NAN },
        { "longrope", "attention_factor", NAN } };
    for (size_t k = 0; k < COUNT(usual); k++) {
        const json_t *x = json_object_get(rope, usual[k].key);
        const bool is = json_is_null(x) || (json_is_number(x) && json_number_value(x) == usual[k].is);
        if (kind && strcmp(usual[k].kind, kind) == 0 && is) json_object_del(rope, usual[k].key);
    }
}

/* Moves what stands inside and is a key of its own beside; two values stay, of which each version takes another. */
static void move(json_t *to, json_t *rope, const char *inside, const char *beside)
{
    json_t *x = json_object_get(rope, inside);
    const json_t *other = json_object_get(to, beside);
    if (!x || (other && !settings_same_value(x, other))) return;
    json_object_set(to, beside, x);
    json_object_del(rope, inside);
}

/* rope_theta is beside rope_scaling, whose kind is called rope_type; none where it changes nothing.
 * The classes take rope_scaling before rope_parameters. */
static void say_rope(json_t *to, unsigned class)
{
    const json_t *scaling = json_object_get(to, "rope_scaling"), *parameters = json_object_get(to, "rope_parameters");
    const json_t *said = json_object_size(scaling) > 0 ? scaling : parameters;
    const bool readable = (!scaling || json_is_null(scaling) || json_is_object(scaling))
                          && (!parameters || json_is_null(parameters) || json_is_object(parameters));
    if (!readable || has_objects(said)) return;
    json_t *rope = json_object_size(said) > 0 ? json_copy((json_t *)(uintptr_t)said) : json_object();
    json_t *type = json_object_get(rope, "type");
    move(to, rope, "rope_theta", class == NEOX ? "rotary_emb_base" : "rope_theta");
    if (class == NEOX) move(to, rope, "partial_rotary_factor", "rotary_pct");
    if (type && !json_object_get(rope, "rope_type")) json_object_set(rope, "rope_type", type);
    if (json_equal(json_object_get(rope, "rope_type"), type)) json_object_del(rope, "type");
    const char *kind = json_string_value(json_object_get(rope, "rope_type"));
    if (class == PHI3 && kind && (strcmp(kind, "su") == 0 || strcmp(kind, "yarn") == 0))      /* its older names */
        json_object_set_new(rope, "rope_type", json_string("longrope"));
    else if (changes_nothing(rope, kind)) json_object_clear(rope);
    drop_usual(rope, kind);
    json_object_del(to, "rope_parameters");
    json_object_del(to, "rope_scaling");
    if (json_object_size(rope) > 0) json_object_set(to, "rope_scaling", rope);
    json_decref(rope);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

json_t *settings_form(const json_t *config)
{
    json_t *to = json_copy((json_t *)(uintptr_t)config);
    const unsigned class = to ? class_of(config) : 0;
    if (!class) return to;
    say_rope(to, class);
    say_truths(to);
    say_defaults(to, class);
    say_heads(to, class);
    drop_unread(to, class);
    return to;
}
