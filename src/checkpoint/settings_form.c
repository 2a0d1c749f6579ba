/* SPDX-License-Identifier: GPL-3.0-or-later
 * settings_form.c - see settings_form.h.  A default stands here only where it is the same in all versions of the class,
 * and a key is left out only where no version's logits depend on it. */
#include <math.h>
#include <string.h>
#include "src/checkpoint/settings_apart.h"
#include "src/checkpoint/settings_form.h"

/* NULL: another class, or code of its own.  They read rope_scaling, or else rope_parameters. */
static const json_t *form_of(const json_t *config)
{
    const char *type = json_string_value(json_object_get(config, "model_type"));
    const json_t *code = json_object_get(config, "auto_map");
    if (code && !settings_means_absent("auto_map", code)) return NULL;
    const architecture *A = type ? architecture_called(type) : NULL;
    return A ? A->form : NULL;
}

/* A truth of the form; absent: false. */
static bool has(const json_t *form, const char *name) { return json_is_true(json_object_get(form, name)); }

/* ---- defaults ---------------------------------------------------------------------------------------------------- */

/* Read by `if x`: null and 0 are false, another number is true.  A text is left as it is: "false" is true to Python. */
static const char *const truths[] = { "tie_word_embeddings", "attention_bias", "mlp_bias", "use_bias", "qkv_bias",
    "use_parallel_residual", "use_qk_norm", "norm_topk_prob", "use_sliding_window" };

static void say_truths(json_t *to)
{
    for (size_t k = 0; k < COUNT(truths); k++) {
        const json_t *x = json_object_get(to, truths[k]);
        if (json_is_null(x)) json_object_set_new(to, truths[k], json_false());
        else if (json_is_number(x)) json_object_set_new(to, truths[k], json_boolean(json_number_value(x) != 0));
    }
}

/* What the class takes where the key is absent, and for some of them where it is null. */
static void say_defaults(json_t *to, const json_t *form)
{
    static const char *const of[] = { "defaults", "defaults of null" };
    const char *key;
    json_t *value;
    for (int null = 0; null < 2; null++)
        json_object_foreach(json_object_get(form, of[null]), key, value) {
            const json_t *x = json_object_get(to, key);
            if (x && !(null && json_is_null(x))) continue;
            json_object_set_new(to, key, json_deep_copy(value));
        }
}

/* As many key heads as heads, of width / heads each, where the file does not say; null says that of all classes,
 * absence where their default is null. */
static void say_heads(json_t *to, const json_t *form)
{
    json_t *heads = json_object_get(to, "num_attention_heads"), *width = json_object_get(to, "hidden_size");
    const json_t *keys = json_object_get(to, "num_key_value_heads"), *head = json_object_get(to, "head_dim");
    const json_int_t h = json_integer_value(heads), d = json_integer_value(width);
    if (heads && (keys ? json_is_null(keys) && has(form, "key heads of null") : has(form, "key heads of heads")))
        json_object_set(to, "num_key_value_heads", heads);
    if (h > 0 && d > 0 && has(form, "head width of heads") && (!head || json_is_null(head)))
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

/* What is read in training alone.  Without use_sliding_window some classes read neither the window nor where it begins,
 * and all layers are full. */
static void drop_unread(json_t *to, const json_t *form)
{
    size_t k;
    json_t *key;
    json_array_foreach(json_object_get(form, "in training"), k, key) json_object_del(to, json_string_value(key));
    if (!has(form, "window switch") || !json_is_false(json_object_get(to, "use_sliding_window"))) return;
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
static void say_rope(json_t *to, const json_t *form)
{
    const json_t *scaling = json_object_get(to, "rope_scaling"), *parameters = json_object_get(to, "rope_parameters");
    const json_t *said = json_object_size(scaling) > 0 ? scaling : parameters;
    const bool readable = (!scaling || json_is_null(scaling) || json_is_object(scaling))
                          && (!parameters || json_is_null(parameters) || json_is_object(parameters));
    if (!readable || has_objects(said)) return;
    json_t *rope = json_object_size(said) > 0 ? json_copy((json_t *)(uintptr_t)said) : json_object();
    json_t *type = json_object_get(rope, "type");
    const char *theta = json_string_value(json_object_get(form, "theta"));
    const char *part = json_string_value(json_object_get(form, "rotary part"));
    move(to, rope, "rope_theta", theta ? theta : "rope_theta");
    if (part) move(to, rope, "partial_rotary_factor", part);
    if (type && !json_object_get(rope, "rope_type")) json_object_set(rope, "rope_type", type);
    if (json_equal(json_object_get(rope, "rope_type"), type)) json_object_del(rope, "type");
    const char *kind = json_string_value(json_object_get(rope, "rope_type"));
    const json_t *older = kind ? json_object_get(json_object_get(form, "rope kinds"), kind) : NULL;
    if (older) json_object_set(rope, "rope_type", (json_t *)(uintptr_t)older);        /* its older names */
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
    const json_t *form = to ? form_of(config) : NULL;
    if (!form) return to;
    say_rope(to, form);
    say_truths(to);
    say_defaults(to, form);
    say_heads(to, form);
    drop_unread(to, form);
    return to;
}
