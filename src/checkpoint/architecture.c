/* SPDX-License-Identifier: GPL-3.0-or-later
 * architecture.c - see architecture.h: one file of data, field by field; what it may not say is an error. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/names.h"

/* ---- words ------------------------------------------------------------------------------------------------------- */

typedef enum { IS_NUMBER, IS_WHOLE, IS_TRUTH, IS_TEXT } value_kind;
static const struct { const char *word; value_kind kind; } setting_word[SETTINGS] = {
    [SETTING_WIDTH] = { "width", IS_WHOLE }, [SETTING_LAYERS] = { "layers", IS_WHOLE },
    [SETTING_HEADS] = { "heads", IS_WHOLE }, [SETTING_KEY_HEADS] = { "key heads", IS_WHOLE },
    [SETTING_HEAD_WIDTH] = { "head width", IS_WHOLE }, [SETTING_MLP_WIDTH] = { "MLP width", IS_WHOLE },
    [SETTING_POSITIONS] = { "positions", IS_WHOLE }, [SETTING_VOCABULARY] = { "vocabulary", IS_WHOLE },
    [SETTING_SKIPPED] = { "positions skipped", IS_WHOLE }, [SETTING_EMBED_WIDTH] = { "embedding width", IS_WHOLE },
    [SETTING_EPS] = { "eps", IS_NUMBER }, [SETTING_ACTIVATION] = { "activation", IS_TEXT },
    [SETTING_THETA] = { "theta", IS_NUMBER }, [SETTING_LOCAL_THETA] = { "theta in windows", IS_NUMBER },
    [SETTING_ROTARY_PART] = { "rotary part", IS_NUMBER }, [SETTING_ROTARY_WIDTH] = { "rotary width", IS_WHOLE },
    [SETTING_ORIGINAL_POSITIONS] = { "original positions", IS_WHOLE },
    [SETTING_PARALLEL] = { "parallel", IS_TRUTH }, [SETTING_TIED] = { "tied", IS_TRUTH },
    [SETTING_QKV_BIAS] = { "query, key, value bias", IS_TRUTH }, [SETTING_O_BIAS] = { "output bias", IS_TRUTH },
    [SETTING_MLP_BIAS] = { "MLP bias", IS_TRUTH }, [SETTING_NORM_BIAS] = { "norm bias", IS_TRUTH },
    [SETTING_HEAD_BIAS] = { "head bias", IS_TRUTH }, [SETTING_QK_GAINS] = { "query and key gains", IS_TRUTH },
    [SETTING_WINDOW] = { "window", IS_WHOLE }, [SETTING_WINDOW_SWITCH] = { "window switch", IS_TRUTH },
    [SETTING_FULL_EVERY] = { "full layer every", IS_WHOLE }, [SETTING_FULL_FIRST] = { "full layers first", IS_WHOLE },
    [SETTING_KINDS] = { "kinds of layers", IS_TEXT }, [SETTING_TURNS] = { "layers that turn", IS_TEXT },
    [SETTING_STILL_EVERY] = { "still layer every", IS_WHOLE },
    [SETTING_DIVIDED_SCORES] = { "scores divided by root", IS_TRUTH },
    [SETTING_SCORE_FACTOR] = { "scores times", IS_NUMBER }, [SETTING_SCORE_ROOT] = { "scores over root of", IS_NUMBER },
    [SETTING_SCORE_CAP] = { "scores capped at", IS_NUMBER }, [SETTING_LOGIT_CAP] = { "logits capped at", IS_NUMBER },
    [SETTING_EXPERTS] = { "experts", IS_WHOLE }, [SETTING_CHOSEN] = { "experts chosen", IS_WHOLE },
    [SETTING_EXPERT_WIDTH] = { "expert width", IS_WHOLE }, [SETTING_SHARED_WIDTH] = { "shared width", IS_WHOLE },
    [SETTING_EXPERTS_EVERY] = { "experts every", IS_WHOLE }, [SETTING_DENSE_LAYERS] = { "dense layers", IS_TEXT },
    [SETTING_CHOSEN_SUM] = { "chosen sum to 1", IS_TRUTH },
    [SETTING_TOKEN_TYPES] = { "types of tokens", IS_WHOLE }, [SETTING_PAD] = { "token without a position", IS_WHOLE },
    [SETTING_HEAD_ACTIVATION] = { "activation of head", IS_TEXT },
    [SETTING_EMBED_FACTOR] = { "embedding times", IS_NUMBER }, [SETTING_ADDED_FACTOR] = { "added times", IS_NUMBER },
    [SETTING_LOGIT_FACTOR] = { "logits times", IS_NUMBER }, [SETTING_LOGIT_DIVISOR] = { "logits over", IS_NUMBER } };

enum { WORDS = 6 };
typedef enum { FIELD_TRUTH, FIELD_WORD, FIELD_TEXT, FIELD_TEXTS, FIELD_OBJECT, FIELD_READ } field_kind;
typedef struct { const char *name; field_kind kind; unsigned at; bool inherited; const char *word[WORDS]; } field;
#define FIELD(x) offsetof(architecture, x)
/* FIELD_READ: a function below reads it.  A file that is `like` another inherits what describes the decoder; words
 * stand in the order of their enum. */
static const field fields[] = {
    { "title", FIELD_TEXT, FIELD(title), false, { NULL } }, { "model_type", FIELD_READ, 0, false, { NULL } },
    { "gguf", FIELD_READ, 0, false, { NULL } }, { "like", FIELD_READ, 0, false, { NULL } },
    { "shown as", FIELD_TEXT, FIELD(family), false, { NULL } },
    { "without model_type", FIELD_TEXTS, FIELD(said_by), false, { NULL } },
    { "class", FIELD_TEXT, FIELD(class_name), false, { NULL } },
    { "class without head", FIELD_TEXT, FIELD(headless_name), false, { NULL } },
    { "run", FIELD_TRUTH, FIELD(run), false, { NULL } },
    { "written as safetensors", FIELD_TEXT, FIELD(as_safetensors), false, { NULL } },
    { "written as gguf", FIELD_TEXT, FIELD(as_gguf), false, { NULL } },
    { "form", FIELD_OBJECT, FIELD(form), false, { NULL } }, { "whole", FIELD_TEXTS, FIELD(whole), false, { NULL } },
    { "switches", FIELD_OBJECT, FIELD(switches), false, { NULL } }, { "variants", FIELD_READ, 0, false, { NULL } },
    { "norm", FIELD_WORD, FIELD(norm), true, { "none", "LayerNorm", "RMSNorm" } },
    { "norms", FIELD_WORD, FIELD(norms), true, { "before", "shared", "behind", "around", "of sums" } },
    { "encoder", FIELD_TRUTH, FIELD(encoder), true, { NULL } },
    { "buckets of distances", FIELD_TRUTH, FIELD(buckets), true, { NULL } },
    { "one logit", FIELD_TRUTH, FIELD(one_logit), true, { NULL } },
    { "gains 1 + w", FIELD_TRUTH, FIELD(offset_gain), true, { NULL } },
    { "query and key norms", FIELD_WORD, FIELD(qk), true, { "none", "each head", "all heads" } },
    { "gains of heads", FIELD_TRUTH, FIELD(gains_of_heads), true, { NULL } },
    { "positions", FIELD_WORD, FIELD(positions), true, { "none", "learned", "rotary", "ALiBi" } },
    { "pairs", FIELD_WORD, FIELD(pairs), true, { "none", "halves", "adjacent" } },
    { "fused", FIELD_WORD, FIELD(fused), true, { "no", "blocks", "heads", "rows" } },
    { "embedding norm", FIELD_TRUTH, FIELD(embed_norm), true, { NULL } },
    { "gate over up", FIELD_TRUTH, FIELD(gate_over_up), true, { NULL } },
    { "gated", FIELD_TRUTH, FIELD(gated), true, { NULL } },
    { "in x out", FIELD_TRUTH, FIELD(in_out), true, { NULL } },
    { "embedding times root of width", FIELD_TRUTH, FIELD(root_of_width), true, { NULL } },
    { "layer_types", FIELD_TRUTH, FIELD(layer_kinds), true, { NULL } },
    { "layer_types end the window", FIELD_TRUTH, FIELD(kinds_end_window), true, { NULL } },
    { "full layers do not turn", FIELD_TRUTH, FIELD(still_where_full), true, { NULL } },
    { "original positions beside", FIELD_TRUTH, FIELD(original_beside), true, { NULL } },
    { "rope_freqs", FIELD_TRUTH, FIELD(rope_table), true, { NULL } },
    { "rope kinds", FIELD_OBJECT, FIELD(rope_kinds), true, { NULL } },
    { "settings", FIELD_READ, 0, true, { NULL } }, { "beyond", FIELD_READ, 0, true, { NULL } },
    { "null is absent", FIELD_TEXTS, FIELD(null_keys), true, { NULL } },
    { "no effect", FIELD_TEXTS, FIELD(harmless), true, { NULL } },
    { "prefixes", FIELD_TEXTS, FIELD(prefixes), true, { NULL } }, { "tensors", FIELD_READ, 0, true, { NULL } },
    { "whole names", FIELD_READ, 0, true, { NULL } }, { "buffers", FIELD_READ, 0, true, { NULL } } };

/* A tensor `name.weight` and its `name.bias`; unknown: there is none. */
static const struct { const char *word; tensor_role weight, bias; } parts[] = {
    { "embedding", ROLE_EMBED, ROLE_UNKNOWN }, { "positions", ROLE_POSITION, ROLE_UNKNOWN },
    { "embedding norm", ROLE_EMBED_GAIN, ROLE_EMBED_BIAS },
    { "head", ROLE_HEAD, ROLE_HEAD_BIAS }, { "final norm", ROLE_FINAL_GAIN, ROLE_FINAL_BIAS },
    { "norm 1", ROLE_GAIN1, ROLE_BIAS1 }, { "norm 2", ROLE_GAIN2, ROLE_BIAS2 },
    { "norm behind attention", ROLE_POST_GAIN1, ROLE_POST_BIAS1 },
    { "norm behind MLP", ROLE_POST_GAIN2, ROLE_POST_BIAS2 }, { "types of tokens", ROLE_TOKEN_TYPE, ROLE_UNKNOWN },
    { "dense of head", ROLE_DENSE, ROLE_DENSE_BIAS }, { "norm of head", ROLE_DENSE_GAIN, ROLE_DENSE_SHIFT },
    { "buckets", ROLE_BUCKETS, ROLE_UNKNOWN },
    { "pooler", ROLE_POOL, ROLE_POOL_BIAS }, { "next sentence", ROLE_NEXT, ROLE_NEXT_BIAS },
    { "query", ROLE_Q, ROLE_Q_BIAS }, { "key", ROLE_K, ROLE_K_BIAS }, { "value", ROLE_V, ROLE_V_BIAS },
    { "query, key, value", ROLE_QKV, ROLE_QKV_BIAS }, { "output", ROLE_O, ROLE_O_BIAS },
    { "query norm", ROLE_Q_GAIN, ROLE_UNKNOWN }, { "key norm", ROLE_K_GAIN, ROLE_UNKNOWN },
    { "gate", ROLE_GATE, ROLE_GATE_BIAS }, { "up", ROLE_UP, ROLE_UP_BIAS }, { "down", ROLE_DOWN, ROLE_DOWN_BIAS },
    { "gate, up", ROLE_GATE_UP, ROLE_UNKNOWN } };

/* Of mixtures of experts, without biases; as_said: all experts in one tensor, or no weight, whose name ends as it is
 * said. */
static const struct { const char *word; tensor_role role; named_part of; bool as_said; } other_parts[] = {
    { "router", ROLE_ROUTER, NAMES_LAYER, false }, { "expert gate", ROLE_GATE, NAMES_EXPERT, false },
    { "expert up", ROLE_UP, NAMES_EXPERT, false }, { "expert down", ROLE_DOWN, NAMES_EXPERT, false },
    { "shared gate", ROLE_GATE, NAMES_SHARED, false }, { "shared up", ROLE_UP, NAMES_SHARED, false },
    { "shared down", ROLE_DOWN, NAMES_SHARED, false }, { "weight of shared", ROLE_SHARED_GATE, NAMES_LAYER, false },
    { "experts gate, up", ROLE_EXPERTS_GATE_UP, NAMES_LAYER, true },
    { "experts down", ROLE_EXPERTS_DOWN, NAMES_LAYER, true },
    { "bias of head", ROLE_HEAD_BIAS, NAMES_LAYER, true } };

/* ---- values ------------------------------------------------------------------------------------------------------ */

_Noreturn static void wrong(const architecture *A, const char *name, const char *should)
{
    char *shown = shown_short(name, 60);
    die("%s: \"%s\" %s; src/checkpoint/architectures/README.md has the fields", A->path, shown, should);
}

bool text_among(const json_t *texts, const char *text)
{
    size_t k;
    json_t *x;
    json_array_foreach(texts, k, x) if (strcmp(json_string_value(x), text) == 0) return true;
    return false;
}

static const json_t *texts_of(const architecture *A, const char *name, const json_t *x)
{
    size_t k;
    json_t *one;
    if (!json_is_array(x)) wrong(A, name, "is not a list of texts");
    json_array_foreach(x, k, one) if (!json_is_string(one)) wrong(A, name, "is not a list of texts");
    return x;
}

static bool truth_of(const architecture *A, const char *name, const json_t *x)
{
    if (!json_is_boolean(x)) wrong(A, name, "is neither true nor false");
    return json_is_true(x);
}

static void take_field(architecture *A, const field *f, const json_t *x)
{
    char *to = (char *)A + f->at;
    switch (f->kind) {
    case FIELD_TRUTH: *(bool *)to = truth_of(A, f->name, x); return;
    case FIELD_TEXT:
        if (!json_is_string(x)) wrong(A, f->name, "is not a text");
        *(const char **)to = json_string_value(x);
        return;
    case FIELD_TEXTS: *(const json_t **)to = texts_of(A, f->name, x); return;
    case FIELD_OBJECT:
        if (!json_is_object(x)) wrong(A, f->name, "is not an object");
        *(const json_t **)to = x;
        return;
    case FIELD_WORD:
        for (int k = 0; k < WORDS && f->word[k] && json_is_string(x); k++)
            if (strcmp(f->word[k], json_string_value(x)) == 0) {
                memcpy(to, &k, sizeof k);                              /* all of them are enums                */
                return;
            }
        wrong(A, f->name, "is none of its words");
    case FIELD_READ: return;
    }
}

static const field *field_called(const char *name)       /* NULL: there is none                         */
{
    for (size_t k = 0; k < COUNT(fields); k++) if (strcmp(fields[k].name, name) == 0) return &fields[k];
    return NULL;
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

enum { MOST_WHOLE = 1 << 28 };           /* tokens: the largest of what is counted                      */

static bool fits(value_kind kind, const json_t *x)
{
    switch (kind) {
    case IS_WHOLE:  return json_is_integer(x) && json_integer_value(x) > 0 && json_integer_value(x) <= MOST_WHOLE;
    case IS_NUMBER: return json_is_number(x) && json_number_value(x) > 0;
    case IS_TRUTH:  return json_is_boolean(x);
    default:        return json_is_string(x);
    }
}

static void take_keys(architecture *A, setting_rule *r, const char *name, const json_t *x)
{
    const size_t n = json_is_array(x) ? json_array_size(x) : 1;
    if (n == 0 || n > SETTING_KEYS) wrong(A, name, "is no key, nor a list of up to three");
    for (size_t k = 0; k < n; k++) {
        r->key[k] = json_string_value(json_is_array(x) ? json_array_get(x, k) : x);
        if (!r->key[k]) wrong(A, name, "is no key, nor a list of up to three");
    }
}

/* "KEY", ["KEY", ...] or {"key": one of these, "unsaid": VALUE, "required": true}. */
static void take_setting(architecture *A, setting_name what, const json_t *x)
{
    const char *name = setting_word[what].word, *inner;
    setting_rule *r = &A->setting[what];
    json_t *value;
    if (!json_is_object(x)) {
        take_keys(A, r, name, x);
        return;
    }
    json_object_foreach((json_t *)(uintptr_t)x, inner, value) {
        if (strcmp(inner, "key") == 0) take_keys(A, r, name, value);
        else if (strcmp(inner, "required") == 0) r->required = truth_of(A, name, value);
        else if (strcmp(inner, "unsaid") != 0) wrong(A, name, "has a field that is none of key, unsaid, required");
        else if (!fits(setting_word[what].kind, value)) wrong(A, name, "has an `unsaid` that is no such value");
        else r->unsaid = value;
    }
    if (r->required && !r->key[0]) wrong(A, name, "is required, and no key says it");
}

static void take_settings(architecture *A, const json_t *x)
{
    const char *name;
    json_t *value;
    long n = 0;
    A->in_order = must_calloc(SETTINGS, sizeof *A->in_order);
    if (A->described && !A->run && !json_is_object(x)) wrong(A, "settings", "is not an object");
    json_object_foreach((json_t *)(uintptr_t)x, name, value) {
        int k = 0;
        while (k < SETTINGS && strcmp(setting_word[k].word, name) != 0) k++;
        if (k == SETTINGS) wrong(A, name, "is no setting that is known here");
        take_setting(A, (setting_name)k, value);
        A->in_order[n++] = (setting_name)k;
    }
    for (int k = 0; k < SETTINGS; k++)
        if (!json_object_get(x, setting_word[k].word)) A->in_order[n++] = (setting_name)k;
}

/* {"KEY": {"usual": VALUE, "what": TEXT, "theorems": true or false}}; usual may be left out: the key must not be
 * there. */
static void take_beyond(architecture *A, const json_t *x)
{
    const char *key, *inner;
    json_t *value, *of;
    if (!json_is_object(x)) wrong(A, "beyond", "is not an object");
    A->beyond = must_calloc(json_object_size(x) + 1, sizeof *A->beyond);
    json_object_foreach((json_t *)(uintptr_t)x, key, value) {
        beyond_rule *r = &A->beyond[A->beyonds++];
        *r = (beyond_rule){ .key = key, .what = json_string_value(json_object_get(value, "what")),
                            .usual = json_object_get(value, "usual") };
        r->width_over_heads = json_is_string(r->usual) && strcmp(json_string_value(r->usual), "width / heads") == 0;
        json_object_foreach(value, inner, of) {
            if (strcmp(inner, "theorems") == 0) r->theorems = truth_of(A, key, of);
            else if (strcmp(inner, "what") != 0 && strcmp(inner, "usual") != 0)
                wrong(A, key, "has a field that is none of what, usual, theorems");
        }
        if (!r->what) wrong(A, key, "does not say `what` it would be");
    }
}

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

static void add_name(architecture *A, char *name, tensor_role role, named_part of)
{
    for (long k = 0; k < A->tensors; k++)
        if (strcmp(A->tensor[k].name, name) == 0) wrong(A, name, "is the name of two tensors");
    A->tensor = must_realloc(A->tensor, (size_t)A->tensors + 1, sizeof *A->tensor);
    A->tensor[A->tensors++] = (tensor_name){ name, role, of, name };
}

/* How often # is in it. */
static long numbers_in(const char *name)
{
    long n = 0;
    for (; *name; name++) n += *name == '#';
    return n;
}

/* The names of one part, and of the bias beside each. */
static void take_names(architecture *A, const char *word, const json_t *value, const char *end, tensor_role weight,
                       tensor_role bias, named_part of)
{
    const size_t n = json_is_array(value) ? json_array_size(value) : 1;
    if (n == 0) wrong(A, word, "is no name of a tensor, nor a list of names");
    for (size_t i = 0; i < n; i++) {
        const char *name = json_string_value(json_is_array(value) ? json_array_get(value, i) : value);
        if (!name || !*name) wrong(A, word, "is no name of a tensor, nor a list of names");
        if (of != NAMES_EXPERT && numbers_in(name) > 1) wrong(A, word, "has a name with more than one #");
        if (of == NAMES_EXPERT && numbers_in(name) != 2) wrong(A, word, "has a name without the # of layer and expert");
        add_name(A, must_format("%s%s", name, end), weight, of);
        if (bias) add_name(A, must_format("%s.bias", name), bias, of);
    }
}

static void take_tensors(architecture *A, const json_t *all, bool whole)
{
    const char *word;
    json_t *value;
    if (!json_is_object(all)) wrong(A, "tensors", "is not an object");
    json_object_foreach((json_t *)(uintptr_t)all, word, value) {
        size_t k = 0, e = 0;
        while (k < COUNT(parts) && strcmp(parts[k].word, word) != 0) k++;
        while (e < COUNT(other_parts) && strcmp(other_parts[e].word, word) != 0) e++;
        if (k < COUNT(parts))
            take_names(A, word, value, whole ? "" : ".weight", parts[k].weight, whole ? ROLE_UNKNOWN : parts[k].bias,
                       NAMES_LAYER);
        else if (e < COUNT(other_parts))
            take_names(A, word, value, other_parts[e].as_said || whole ? "" : ".weight", other_parts[e].role,
                       ROLE_UNKNOWN, other_parts[e].of);
        else wrong(A, word, "is no part of a model that is known here");
    }
}

static void take_buffers(architecture *A, const json_t *x)
{
    size_t k;
    json_t *name;
    json_array_foreach(texts_of(A, "buffers", x), k, name)
        add_name(A, must_strdup(json_string_value(name)), ROLE_BUFFER, NAMES_LAYER);
}

/* ---- variants ---------------------------------------------------------------------------------------------------- */

/* What `to` says over what `from` says: objects key by key, where null takes one away; lists one behind the other. */
static void lay_over(json_t *to, const json_t *from)
{
    const char *name, *inner;
    json_t *value, *of;
    json_object_foreach((json_t *)(uintptr_t)from, name, value) {
        json_t *is = json_object_get(to, name);
        if (json_is_object(is) && json_is_object(value)) {
            json_object_foreach(value, inner, of) {
                if (json_is_null(of)) json_object_del(is, inner);
                else json_object_set(is, inner, of);
            }
        } else if (json_is_array(is) && json_is_array(value)) json_array_extend(is, value);
        else json_object_set_new(to, name, json_deep_copy(value));
    }
}

/* A copy of the file with one variant of it more, to be freed. */
static json_t *with_variant(const json_t *file, const json_t *variant)
{
    json_t *all = json_deep_copy(file), *over = json_deep_copy(variant);
    json_object_del(over, "when");
    lay_over(all, over);
    json_decref(over);
    return all;
}

static bool same_kind(const json_t *a, const json_t *b)
{
    return (json_is_boolean(a) && json_is_boolean(b)) || (json_is_integer(a) && json_is_integer(b));
}

static void check_variants(const architecture *A, const json_t *list)
{
    size_t k;
    json_t *variant, *is;
    const char *key;
    if (!json_is_array(list)) wrong(A, "variants", "is not a list");
    json_object_foreach((json_t *)(uintptr_t)A->switches, key, is)
        if (!json_is_boolean(is) && !fits(IS_WHOLE, is)) wrong(A, key, "is a switch that is no truth nor a number");
    json_array_foreach(list, k, variant) {
        const json_t *when = json_object_get(variant, "when");
        if (json_object_size(when) == 0) wrong(A, "variants", "has one that does not say `when`");
        json_object_foreach(variant, key, is) {
            const field *f = field_called(key);
            if (strcmp(key, "when") != 0 && !(f && f->inherited)) wrong(A, key, "is no field of a variant");
        }
        json_object_foreach((json_t *)(uintptr_t)when, key, is)
            if (!same_kind(is, json_object_get(A->switches, key)))
                wrong(A, key, "is no switch of this file");
        json_t *all = with_variant(A->file, variant);
        json_object_del(all, "variants");
        architecture_read(A->path, all, A->user);
    }
}

static bool switch_is(const architecture *A, const json_t *config, const char *key, const json_t *is)
{
    const json_t *x = json_object_get(config, key);
    return json_equal(x && !json_is_null(x) ? x : json_object_get(A->switches, key), is);
}

const architecture *architecture_variant(const architecture *A, const json_t *config)
{
    json_t *all = NULL, *variant, *is;
    const char *key;
    size_t k;
    json_array_foreach(json_object_get(A->file, "variants"), k, variant) {
        bool that = true;
        json_object_foreach(json_object_get(variant, "when"), key, is)
            that = that && switch_is(A, config, key, is);
        if (!that) continue;
        json_t *more = with_variant(all ? all : A->file, variant);
        json_decref(all);
        all = more;
    }
    if (all) json_object_del(all, "variants");
    return all ? architecture_read(A->path, all, A->user) : A;
}

/* ---- a file ------------------------------------------------------------------------------------------------------ */

static void take_name(architecture *A, const json_t *file)
{
    const json_t *type = json_object_get(file, "model_type"), *gguf = json_object_get(file, "gguf");
    const char *name = json_string_value(gguf ? gguf : type);
    if (!type == !gguf || !name || !*name || strlen(name) > 30)
        wrong(A, "model_type", "or \"gguf\" must name the architecture, in at most 30 letters");
    A->gguf = gguf != NULL;
    A->name = gguf ? must_format("gguf:%s", name) : name;
    A->family = name;
}

/* What settings_form.c reads. */
static void check_form(const architecture *A)
{
    static const struct { const char *name; json_type type; } known[] = {
        { "defaults", JSON_OBJECT }, { "defaults of null", JSON_OBJECT }, { "rope kinds", JSON_OBJECT },
        { "in training", JSON_ARRAY }, { "theta", JSON_STRING }, { "rotary part", JSON_STRING },
        { "key heads of null", JSON_TRUE }, { "key heads of heads", JSON_TRUE }, { "head width of heads", JSON_TRUE },
        { "window switch", JSON_TRUE } };
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)A->form, name, value) {
        size_t k = 0;
        while (k < COUNT(known) && strcmp(known[k].name, name) != 0) k++;
        if (k == COUNT(known) || json_typeof(value) != known[k].type) wrong(A, name, "is no field of a form");
        if (known[k].type == JSON_ARRAY) texts_of(A, name, value);
    }
}

/* The positions, norms and tensors go together. */
static void check_whole(const architecture *A)
{
    if (!A->described) return;
    if (A->run) return;
    if (A->norm == NORM_OF_NONE) wrong(A, "norm", "is not there");
    if ((A->positions == POSITIONS_ROTARY) != (A->pairs != PAIRS_NONE)) wrong(A, "pairs", "go with rotary positions");
    if (A->in_out && A->fused != FUSED_BLOCKS) wrong(A, "in x out", "goes with \"fused\": \"blocks\" alone");
    if (A->fused == FUSED_BLOCKS && (A->setting[SETTING_EXPERTS].key[0] || A->setting[SETTING_EXPERTS].unsaid))
        wrong(A, "experts", "do not go with \"fused\": \"blocks\"");
    static const setting_name needed[] = { SETTING_WIDTH, SETTING_LAYERS, SETTING_HEADS, SETTING_ACTIVATION };
    for (size_t k = 0; k < COUNT(needed); k++)
        if (!A->setting[needed[k]].key[0] && !A->setting[needed[k]].unsaid)
            wrong(A, setting_word[needed[k]].word, "is not among the settings");
}

static const architecture *newest;        /* all that were read, so that none is lost                    */

const architecture *architecture_read(const char *path, json_t *file, bool user)
{
    architecture *A = must_calloc(1, sizeof *A);
    *A = (architecture){ .path = path, .user = user, .file = file, .original_beside = true, .before = newest };
    newest = A;
    const char *name;
    json_t *value;
    take_name(A, file);
    json_object_foreach(file, name, value) {
        const field *f = field_called(name);
        if (!f) wrong(A, name, "is no field that is known here");
        take_field(A, f, value);
    }
    if (!A->title) wrong(A, "title", "is not there");
    const json_t *tensors = json_object_get(file, "tensors");
    A->described = tensors;
    take_settings(A, json_object_get(file, "settings"));
    if ((value = json_object_get(file, "beyond"))) take_beyond(A, value);
    const bool whole = (value = json_object_get(file, "whole names")) && truth_of(A, "whole names", value);
    if (A->described) take_tensors(A, tensors, whole);
    for (long k = 0; k < A->tensors; k++) A->tensor[k].bare = name_without_prefixes(A, A->tensor[k].name);
    if ((value = json_object_get(file, "buffers"))) take_buffers(A, value);
    check_form(A);
    check_whole(A);
    if ((value = json_object_get(file, "variants"))) check_variants(A, value);
    return A;
}

bool architecture_has(const architecture *A, tensor_role role)
{
    for (long k = 0; k < A->tensors; k++) if (A->tensor[k].role == role) return true;
    return false;
}

bool architecture_reads(const architecture *A, const char *key)
{
    for (int k = 0; k < SETTINGS; k++)
        for (int i = 0; A->setting[k].key[i]; i++) if (strcmp(A->setting[k].key[i], key) == 0) return true;
    for (long k = 0; k < A->beyonds; k++) if (strcmp(A->beyond[k].key, key) == 0) return true;
    return json_object_get(A->switches, key);
}

json_t *architecture_like(const json_t *parent, const json_t *file)
{
    json_t *all = json_object();
    for (size_t k = 0; k < COUNT(fields); k++) {
        json_t *x = fields[k].inherited ? json_object_get(parent, fields[k].name) : NULL;
        if (x) json_object_set_new(all, fields[k].name, json_deep_copy(x));
    }
    lay_over(all, file);
    json_object_del(all, "like");
    return all;
}
