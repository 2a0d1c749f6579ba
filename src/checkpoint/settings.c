/* SPDX-License-Identifier: GPL-3.0-or-later
 * settings.c - see settings.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/checkpoint/python_json.h"
#include "src/checkpoint/settings.h"
#include "src/data/checksum.h"

/* Which architectures' code reads a key that is the same in all of them; what one alone reads is in its file.
 * Hugging Face's classes ignore a key that their own code does not read, so that a key of another architecture is
 * without effect. null: `null` means the same as no key. */
enum { HUB = 1, HUB_ROTARY = 2, GGUF = 4, GGUF_ROTARY = 8, GGUF_IGNORED = 16, ANY = HUB | GGUF };
typedef struct { const char *key; int where; bool null; } common_key;
static const common_key table[] = {
    { "rope_theta", HUB_ROTARY, false }, { "partial_rotary_factor", HUB_ROTARY, true },
    { "rope_scaling", HUB_ROTARY, true }, { "rope_parameters", HUB_ROTARY, true },
    { "original_max_position_embeddings", HUB_ROTARY, true }, { "rope_type", HUB_ROTARY, true },
    { "type", HUB_ROTARY, true }, { "layer_types", HUB, true },
    { "is_causal", HUB, true }, { "pruned_heads", HUB, true }, { "provably", HUB, true },
    { "model_type", ANY, true }, { "architectures", HUB, true }, { "auto_map", HUB, true },
    { "quantization_config", ANY, true }, { "is_encoder_decoder", ANY, true },
    /* what would be another model in any program that reads it */
    { "attn_logit_softcapping", ANY, true }, { "final_logit_softcapping", ANY, true },
    { "per_layer_config", ANY, true }, { "clip_qkv", ANY, true }, { "logit_scale", ANY, true },
    { "embedding_multiplier", ANY, true }, { "residual_multiplier", ANY, true },
    { "attention_multiplier", ANY, true }, { "logits_scaling", ANY, true },
    { "num_local_experts", ANY, true }, { "num_experts", ANY, true },
    /* GGUF, behind the name of the architecture */
    { "attention.value_length", GGUF, false },
    { "rope.scaling.type", GGUF_ROTARY, false }, { "rope.scaling.factor", GGUF_ROTARY, false },
    { "rope.scale_linear", GGUF_ROTARY, false }, { "rope.scaling.attn_factor", GGUF_ROTARY, false },
    { "attention.scale", GGUF, false }, { "attn_logit_softcap", GGUF, false },
    { "attention.causal", GGUF, false }, { "attention.clamp_kqv", GGUF, false },
    { "attention.max_alibi_bias", GGUF, false }, { "expert_count", GGUF, false },
    { "rope.scaling.original_context_length", GGUF_ROTARY, false },
    { "rope.scaling.yarn_ext_factor", GGUF_ROTARY, false }, { "rope.scaling.yarn_attn_factor", GGUF_ROTARY, false },
    { "rope.scaling.yarn_beta_fast", GGUF_ROTARY, false }, { "rope.scaling.yarn_beta_slow", GGUF_ROTARY, false },
    { "rope.scaling.yarn_log_multiplier", GGUF_ROTARY, false },
    /* what describes the file, or llama.cpp reads for other architectures, or for none */
    { "rope.scaling.finetuned", GGUF_IGNORED, false }, { "attention.sliding_window", GGUF_IGNORED, false },
    { "residual_scale", GGUF_IGNORED, false }, { "embedding_scale", GGUF_IGNORED, false },
    { "attention.temperature_length", GGUF_IGNORED, false }, { "attention.temperature_scale", GGUF_IGNORED, false },
    { "expert_used_count", GGUF_IGNORED, false }, { "vocab_size", GGUF_IGNORED, false },
    { "tensor_data_layout", GGUF_IGNORED, false }, { "tensor_layout", GGUF_IGNORED, false },
    { "tie_word_embeddings", GGUF_IGNORED, false },
};

/* Keys without effect on the logits of a model that is evaluated: how it is trained, saved, printed, and how text is
 * drawn from it.  First those of which that is so for any architecture; from OF_KNOWN on, those that the families here
 * ignore and others may read: CLIP looks for eos_token_id, RoBERTa counts positions from pad_token_id, T5 has a prefix,
 * and a top_k may be of experts. */
static const char *const harmless[] = {
    "_attn_implementation", "_attn_implementation_autoset", "_commit_hash", "_flash_attn_2_enabled",
    "_name_or_path", "attention_dropout", "attention_probs_dropout_prob", "attn_implementation", "attn_pdrop",
    "bad_words_ids", "begin_suppress_tokens", "chunk_size_feed_forward", "classifier_dropout", "diversity_penalty",
    "do_sample", "dropout", "dtype", "early_stopping", "embd_pdrop", "embedding_dropout",
    "encoder_no_repeat_ngram_size",
    "exponential_decay_length_penalty", "finetuning_task", "forced_bos_token_id", "forced_eos_token_id",
    "general.alignment", "general.author", "general.basename", "general.description", "general.doi",
    "general.file_type", "general.finetune", "general.license", "general.license.link", "general.license.name",
    "general.name", "general.organization", "general.quantization_version", "general.quantized_by",
    "general.repo_url", "general.size_label", "general.source.repo_url", "general.source.url", "general.tags",
    "general.url", "general.uuid",
    "general.version", "generation_config", "gradient_checkpointing", "hidden_dropout", "hidden_dropout_prob",
    "initializer_range", "length_penalty", "max_length", "min_length", "name_or_path", "no_repeat_ngram_size",
    "num_beam_groups", "num_beams", "num_return_sequences", "output_attentions", "output_hidden_states",
    "output_scores", "quantize.imatrix.chunks_count", "quantize.imatrix.dataset",
    "quantize.imatrix.entries_count", "quantize.imatrix.file", "remove_invalid_values", "repetition_penalty",
    "resid_pdrop", "residual_dropout", "return_dict", "return_dict_in_generate", "suppress_tokens",
    "task_specific_params", "tf_legacy_loss", "tokenizer_class",
    "top_p", "torch_dtype", "torchscript", "transformers.js_config", "transformers_version", "typical_p",
    "unsloth_fixed", "unsloth_version", "use_cache", "use_flash_attn", "xla_device",
    "_num_labels", "_sliding_window_pattern", "add_cross_attention", "bos_token_id", "cache_implementation",
    "cls_token_id", "cross_attention_hidden_size", "decoder_start_token_id", "eos_token_id", "id2label", "is_decoder",
    "is_llama_config", "label2id",
    "mask_token_id", "max_sequence_length", "model_max_length", "n_ctx", "num_labels", "output_past",
    "pad_token_id", "prefix", "pretraining_tp", "problem_type", "reorder_and_upcast_attn", "sep_token_id",
    "summary_activation", "summary_first_dropout", "summary_proj_to_labels", "summary_type", "summary_use_proj",
    "temperature", "tie_encoder_decoder", "top_k", "unk_token_id", "use_bfloat16",
};
#define OF_KNOWN "_num_labels"

static const common_key *find(const char *key, int where)
{
    for (size_t k = 0; k < COUNT(table); k++)
        if ((table[k].where & where) && strcmp(table[k].key, key) == 0) return &table[k];
    return NULL;
}

/* Of the table, what that architecture reads. */
static int where_of(const architecture *A)
{
    const bool rotary = A->positions == POSITIONS_ROTARY;
    return A->gguf ? GGUF | (rotary ? GGUF_ROTARY : 0) : HUB | (rotary ? HUB_ROTARY : 0);
}

settings settings_of(const weights *w, const char *before, const architecture *of)
{
    return (settings){ w->config, w->twice, before, w->config_path, of };
}

settings settings_within(const settings *s, const json_t *object)
{
    return (settings){ object, s->twice, "", s->path, s->of };
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static bool is_gguf(const settings *s) { return s->of->gguf; }

/* As it is there; NULL: it is not.  "attn_config.alibi": in an object; of GGUF dots are part of the key. */
static const json_t *raw(const settings *s, const char *name)
{
    const char *dot = is_gguf(s) ? NULL : strchr(name, '.');
    char *full = dot ? must_format("%.*s", (int)(dot - name), name) : must_format("%s%s", s->before, name);
    const json_t *x = json_object_get(s->keys, full);
    free(full);
    return dot ? json_object_get(x, dot + 1) : x;
}

/* The value in a message: at most 60 characters. */
static char *shown(const json_t *x)
{
    const char *unreadable = json_unreadable_text(x);
    char *text = unreadable ? must_strdup(unreadable) : python_json_dumps(x, JSON_ENCODE_ANY | JSON_COMPACT);
    char *shown = shown_short(text, 60);
    free(text);
    return shown;
}

_Noreturn static void wrong(const settings *s, const char *name, const json_t *x, const char *should)
{
    die("%s: %s%s is %s, not %s; correct it", s->path, s->before, name, shown(x), should);
}

/* Whether the file of any architecture that is built in names that key; gguf: of those of GGUF. */
static bool named_by_any(const char *key, bool gguf)
{
    const architecture *A;
    for (long k = 0; (A = architecture_at(k)); k++)
        if (!A->user && A->gguf == gguf && (architecture_reads(A, key) || text_among(A->harmless, key))) return true;
    return false;
}

const json_t *key_value(const settings *s, const char *key)
{
    const common_key *t = find(key, where_of(s->of));
    REQUIRE(t || find(key, ~0) || architecture_reads(s->of, key) || named_by_any(key, false) || named_by_any(key, true),
            "no architecture has a key %s", key);
    if (!t && !architecture_reads(s->of, key)) return NULL;
    const json_t *x = raw(s, key);
    if (!x) return NULL;
    if (json_object_get(s->twice, key))
        die("%s: %s is there twice, with different values; remove one of them", s->path, key);
    if (json_is_null(x)) {
        if (!(t && t->null) && !text_among(s->of->null_keys, key))
            die("%s: %s is null, which is no value for it; give it one, or remove it", s->path, key);
        return NULL;
    }
    return x;
}

/* Of GGUF: {"length": n, "all": x} where its n numbers are x. */
static const json_t *one_of_equal(const settings *s, const char *name, const json_t *x)
{
    const json_t *all = json_object_get(x, "all");
    if (!json_object_get(x, "length")) return x;
    const json_int_t n = json_integer_value(json_object_get(x, "length"));
    if (!all)
        die("%s: %s%s is an array of %lld different numbers; layers of different sizes are not read here", s->path,
            s->before, name, (long long)n);
    if (strcmp(name, "block_count") != 0 && n != key_whole(s, "block_count", 1000))
        die("%s: %s%s is an array of %lld numbers, not one for each of the layers; correct it", s->path, s->before,
            name, (long long)n);
    return all;
}

long key_whole(const settings *s, const char *name, long most)
{
    const json_t *x = key_value(s, name);
    if (!x) return 0;
    if (is_gguf(s)) x = one_of_equal(s, name, x);
    const json_int_t i = json_integer_value(x);
    if (json_is_integer(x) && i >= 1 && i <= most) return (long)i;
    char *should = must_format("a whole number from 1 to %ld", most);
    wrong(s, name, x, should);
}

double key_number(const settings *s, const char *name)
{
    const json_t *x = key_value(s, name);
    if (!x) return 0;
    const char *unreadable = json_unreadable_text(x);    /* an integer of more than 64 bits is a double to Python */
    char *end = NULL;
    const double v = unreadable && !is_gguf(s) ? strtod(unreadable, &end) : json_number_value(x);
    if (isfinite(v) && v > 0 && (json_is_number(x) || (end && end != unreadable && !*end))) return v;
    wrong(s, name, x, "a positive number");
}

bool key_truth(const settings *s, const char *name, bool usual)
{
    const json_t *x = key_value(s, name);
    if (x && !json_is_boolean(x)) wrong(s, name, x, "true or false");
    return x ? json_is_true(x) : usual;
}

const char *key_text(const settings *s, const char *name)
{
    const json_t *x = key_value(s, name);
    if (x && !json_is_string(x)) wrong(s, name, x, "a text");
    return json_string_value(x);
}

/* ---- by what it means -------------------------------------------------------------------------------------------- */

static const setting_rule *rule(const settings *s, setting_name what) { return &s->of->setting[what]; }

bool setting_is_known(const settings *s, setting_name what) { return rule(s, what)->key[0] || rule(s, what)->unsaid; }

const char *setting_key(const settings *s, setting_name what)
{
    const char *const *key = rule(s, what)->key;
    long k = 0;
    for (; key[k]; k++) if (key_value(s, key[k])) return key[k];
    return k ? key[k - 1] : NULL;
}

const json_t *setting_value(const settings *s, setting_name what)
{
    const char *key = setting_key(s, what);
    return key ? key_value(s, key) : NULL;
}

long setting_whole(const settings *s, setting_name what, long most)
{
    const char *key = setting_key(s, what);
    return key ? key_whole(s, key, most) : 0;
}

double setting_number(const settings *s, setting_name what)
{
    const char *key = setting_key(s, what);
    return key ? key_number(s, key) : 0;
}

double setting_usual(const settings *s, setting_name what) { return json_number_value(rule(s, what)->unsaid); }

double setting_number_or_usual(const settings *s, setting_name what)
{
    const double x = setting_number(s, what);
    return x != 0 ? x : setting_usual(s, what);
}

long setting_whole_or_usual(const settings *s, setting_name what, long most)
{
    const long x = setting_whole(s, what, most);
    return x ? x : (long)json_integer_value(rule(s, what)->unsaid);
}

bool setting_truth(const settings *s, setting_name what)
{
    const char *key = setting_key(s, what);
    const bool usual = json_is_true(rule(s, what)->unsaid);
    return key ? key_truth(s, key, usual) : usual;
}

const char *setting_text(const settings *s, setting_name what)
{
    const char *key = setting_key(s, what), *said = key ? key_text(s, key) : NULL;
    return said ? said : json_string_value(rule(s, what)->unsaid);
}

void settings_require(const settings *s)
{
    for (int k = 0; k < SETTINGS && is_gguf(s); k++) {
        const setting_rule *r = rule(s, s->of->in_order[k]);
        if (r->required && !raw(s, r->key[0]))
            die("%s: the key %s%s is missing, which programs for GGUF require; convert the model again, or fetch the "
                "whole file", s->path, s->before, r->key[0]);
    }
}

/* ---- what is not known ------------------------------------------------------------------------------------------- */

static bool is_harmless(const char *key)
{
    for (size_t k = 0; k < COUNT(harmless); k++) if (strcmp(harmless[k], key) == 0) return true;
    return false;
}

bool settings_harmless_anywhere(const char *key)
{
    for (size_t k = 0; strcmp(harmless[k], OF_KNOWN) != 0; k++) if (strcmp(harmless[k], key) == 0) return true;
    return false;
}

bool settings_means_absent(const char *key, const json_t *value)
{
    static const char *const nothing[] = { "architectures", "auto_map", "cross_attention_hidden_size", "pruned_heads",
                                           "quantization_config" };
    static const char *const no[] = { "add_cross_attention", "is_decoder", "tie_encoder_decoder" };
    const bool empty = json_is_null(value) || (json_is_object(value) && json_object_size(value) == 0);
    for (size_t k = 0; k < COUNT(nothing) && empty; k++) if (strcmp(nothing[k], key) == 0) return true;
    for (size_t k = 0; k < COUNT(no) && json_is_false(value); k++) if (strcmp(no[k], key) == 0) return true;
    return false;
}

/* Of a user's architecture its own keys count, not those of others: nobody says that its code ignores them.  GGUF:
 * keys of another architecture, and those that describe the file and its tokenizer, are not asked for. */
static bool is_known(const settings *s, const char *key)
{
    const size_t n = strlen(s->before);
    if (is_gguf(s)) {
        if (strncmp(key, s->before, n) != 0) return true;
        return find(key + n, GGUF | GGUF_ROTARY | GGUF_IGNORED) || architecture_reads(s->of, key + n)
               || text_among(s->of->harmless, key + n) || (!s->of->user && named_by_any(key + n, true));
    }
    return find(key, HUB | HUB_ROTARY) || is_harmless(key) || architecture_reads(s->of, key)
           || text_among(s->of->harmless, key) || (!s->of->user && named_by_any(key, false));
}

/* "key = value": one text is one key with one value, since those that are not shown as they are have a hash.  Where an
 * array of a GGUF file stands in it is no value. */
static char *unknown_text(const char *key, const json_t *value)
{
    char hex[SHA256_HEX];
    json_t *x = json_deep_copy(value);
    if (json_object_get(x, "sha256")) json_object_del(x, "from");
    const char *unreadable = json_unreadable_text(x);
    char *all = unreadable ? must_strdup(unreadable)
                           : python_json_dumps(x, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    char *whole = must_format("%s = %s", key, all), *name = shown_short(key, 100), *text = shown_short(all, 60);
    char *is = must_format("%s = %s", name, text);
    if (strcmp(is, whole) != 0) {
        checksum_sha256_bytes(whole, strlen(whole), hex);
        free(is);
        is = must_format("%s = %s (SHA-256 %.16s)", name, text, hex);
    }
    free(whole);
    free(all);
    free(name);
    free(text);
    json_decref(x);
    return is;
}

static void add_unknown(char ***list, long *n, const char *key, const json_t *value)
{
    *list = must_realloc(*list, (size_t)*n + 1, sizeof **list);
    (*list)[(*n)++] = unknown_text(key, value);
}

/* Does the architecture read keys in that object? */
static bool reads_within(const settings *s, const char *object)
{
    const size_t n = strlen(object);
    for (long k = 0; k < s->of->beyonds && !is_gguf(s); k++)
        if (strncmp(s->of->beyond[k].key, object, n) == 0 && s->of->beyond[k].key[n] == '.') return true;
    return false;
}

/* Of an object whose keys are read: those that are not. */
static void unknown_within(const settings *s, const char *object, const json_t *inner, char ***list, long *n)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)inner, key, value) {
        char *full = must_format("%s.%s", object, key);
        const bool known = find(key, HUB) || is_harmless(key) || architecture_reads(s->of, full)
                           || text_among(s->of->harmless, full);
        if (!json_is_null(value) && !known) add_unknown(list, n, full, value);
        free(full);
    }
}

char **settings_unknown(const settings *s, long *n)
{
    char **list = NULL;
    const char *key;
    json_t *value;
    *n = 0;
    json_object_foreach((json_t *)(uintptr_t)s->keys, key, value) {
        if (json_is_null(value)) continue;
        if (json_is_object(value) && reads_within(s, key)) unknown_within(s, key, value, &list, n);
        else if (!is_known(s, key)) add_unknown(&list, n, key, value);
    }
    return list;
}
