/* settings.c - see settings.h: one table of all keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/base/shown.h"
#include "src/checkpoint/python_json.h"
#include "src/checkpoint/settings.h"
#include "src/data/checksum.h"

/* read: the families whose code reads it.  Hugging Face's classes ignore a key that their own code does not read, so
 * such a key of another family is without effect.  ignored: of GGUF's architectures, those for which llama.cpp ignores
 * it, or for which it describes the file only.  null: `null` means the same as no key. */
typedef struct { const char *key; unsigned read, ignored; bool null; } setting;

enum { ANY = OF_HUB | OF_GGUF, NO = 0 };
static const setting table[] = {
    /* sizes */
    { "hidden_size", OF_GPT | OF_LLAMAS | OF_NEOX, NO, false }, { "n_embd", OF_GPT, NO, false },
    { "num_hidden_layers", OF_GPT | OF_LLAMAS | OF_NEOX, NO, false }, { "n_layer", OF_GPT, NO, false },
    { "num_attention_heads", OF_GPT | OF_LLAMAS | OF_NEOX, NO, false }, { "n_head", OF_GPT, NO, false },
    { "num_key_value_heads", OF_LLAMAS, NO, true }, { "head_dim", OF_LLAMAS, NO, true },
    { "intermediate_size", OF_LLAMAS | OF_NEOX, NO, false }, { "n_inner", OF_GPT, NO, true },
    { "max_position_embeddings", OF_GPT | OF_LLAMAS | OF_NEOX, NO, true }, { "n_positions", OF_GPT, NO, false },
    { "block_size", OF_NANOGPT, NO, false }, { "vocab_size", OF_HUB, NO, false },
    /* the function */
    { "rms_norm_eps", OF_LLAMAS & ~OF_CENTRED, NO, false }, { "norm_epsilon", OF_STARCODER2, NO, false },
    { "layer_norm_eps", OF_NEOX | (OF_CENTRED & ~OF_STARCODER2), NO, false },
    { "layer_norm_epsilon", OF_GPT, NO, false },
    { "hidden_act", (OF_LLAMAS & ~(OF_GEMMA2 | OF_GEMMA3)) | OF_NEOX, NO, false },
    { "hidden_activation", OF_GEMMAS, NO, true },
    { "activation_function", OF_GPT, NO, false },
    { "rope_theta", OF_LLAMAS | OF_NEOX, NO, false }, { "rotary_emb_base", OF_NEOX, NO, false },
    { "rotary_pct", OF_NEOX, NO, false }, { "partial_rotary_factor", OF_LLAMAS | OF_NEOX, NO, true },
    { "rope_scaling", OF_LLAMAS | OF_NEOX, NO, true }, { "rope_parameters", OF_LLAMAS | OF_NEOX, NO, true },
    { "original_max_position_embeddings", OF_LLAMAS | OF_NEOX, NO, true },
    { "rope_type", OF_LLAMAS | OF_NEOX, NO, true }, { "type", OF_LLAMAS | OF_NEOX, NO, true },
    { "use_parallel_residual", OF_NEOX | OF_STABLELM | OF_GGUF_NEOX, OF_GGUF & ~OF_GGUF_NEOX, false },
    { "tie_word_embeddings", OF_HUB, OF_GGUF, false },
    { "attention_bias", OF_LLAMA | OF_QWEN3 | OF_NEOX | OF_GEMMAS | OF_SMOLLM3 | OF_GRANITE | OF_OLMOS
      | OF_COHERES, NO, false },
    { "use_bias", OF_STARCODER2, NO, false }, { "use_qk_norm", OF_COHERE, NO, true },
    { "mlp_bias", OF_LLAMA | OF_SMOLLM3 | OF_GRANITE, NO, false }, { "use_qkv_bias", OF_STABLELM, NO, false },
    { "sliding_window", OF_MISTRAL | OF_QWEN | OF_GEMMA2 | OF_GEMMA3 | OF_PHI3 | OF_SMOLLM3 | OF_STARCODER2 | OF_OLMO3
      | OF_COHERE2, NO, true },
    { "sliding_window_pattern", OF_GEMMA3 | OF_COHERE2, NO, true }, { "rope_local_base_freq", OF_GEMMA3, NO, false },
    { "use_sliding_window", OF_QWEN | OF_SMOLLM3, NO, true },
    { "qk_layernorm", OF_STABLELM | OF_PHI, NO, false },
    { "query_pre_attn_scalar", OF_GEMMA2 | OF_GEMMA3, NO, false },
    { "no_rope_layers", OF_SMOLLM3, NO, true }, { "no_rope_layer_interval", OF_SMOLLM3, NO, false },
    { "use_bidirectional_attention", OF_GEMMAS, NO, true },
    { "max_window_layers", OF_QWEN, NO, false }, { "layer_types", OF_HUB, NO, true },
    { "scale_attn_weights", OF_GPT, NO, false }, { "scale_attn_by_inverse_layer_idx", OF_GPT, NO, false },
    { "rope_interleaved", OF_LLAMAS, NO, true }, { "bias", OF_NANOGPT, NO, false },
    { "is_causal", OF_HUB, NO, true }, { "pruned_heads", OF_HUB, NO, true }, { "provably", OF_HUB, NO, true },
    { "model_type", ANY, NO, true }, { "architectures", OF_HUB, NO, true }, { "auto_map", OF_HUB, NO, true },
    { "quantization_config", ANY, NO, true }, { "is_encoder_decoder", ANY, NO, true },
    /* what would be another model in any program that reads it */
    { "attn_logit_softcapping", ANY, NO, true }, { "final_logit_softcapping", ANY, NO, true },
    { "per_layer_config", ANY, NO, true }, { "clip_qkv", ANY, NO, true }, { "logit_scale", ANY, NO, true },
    { "embedding_multiplier", ANY, NO, true }, { "residual_multiplier", ANY, NO, true },
    { "attention_multiplier", ANY, NO, true }, { "logits_scaling", ANY, NO, true },
    { "num_local_experts", ANY, NO, true }, { "num_experts", ANY, NO, true },
    /* GGUF, behind the name of the architecture */
    { "context_length", OF_GGUF, NO, false }, { "embedding_length", OF_GGUF, NO, false },
    { "block_count", OF_GGUF, NO, false }, { "feed_forward_length", OF_GGUF, NO, false },
    { "attention.head_count", OF_GGUF, NO, false }, { "attention.head_count_kv", OF_GGUF, NO, false },
    { "attention.key_length", OF_GGUF, NO, false }, { "attention.value_length", OF_GGUF, NO, false },
    { "attention.layer_norm_epsilon", OF_GGUF_GPT2 | OF_GGUF_NEOX, OF_GGUF, false },
    { "attention.layer_norm_rms_epsilon", OF_GGUF_LLAMA | OF_GGUF_QWEN2 | OF_GGUF_QWEN3, OF_GGUF, false },
    { "rope.dimension_count", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.freq_base", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scaling.type", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scaling.factor", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scale_linear", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scaling.attn_factor", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "attention.scale", OF_GGUF, NO, false }, { "attn_logit_softcap", OF_GGUF, NO, false },
    { "attention.causal", OF_GGUF, NO, false }, { "attention.clamp_kqv", OF_GGUF, NO, false },
    { "attention.max_alibi_bias", OF_GGUF, NO, false }, { "expert_count", OF_GGUF, NO, false },
    { "rope.scaling.original_context_length", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scaling.yarn_ext_factor", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scaling.yarn_attn_factor", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scaling.yarn_beta_fast", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scaling.yarn_beta_slow", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scaling.yarn_log_multiplier", OF_GGUF & ~OF_GGUF_GPT2, OF_GGUF, false },
    { "rope.scaling.finetuned", NO, OF_GGUF, false },
    /* read for other architectures, or by none */
    { "attention.sliding_window", NO, OF_GGUF, false }, { "residual_scale", NO, OF_GGUF, false },
    { "embedding_scale", NO, OF_GGUF, false }, { "attention.temperature_length", NO, OF_GGUF, false },
    { "attention.temperature_scale", NO, OF_GGUF, false }, { "expert_used_count", NO, OF_GGUF, false },
    { "vocab_size", NO, OF_GGUF, false }, { "tensor_data_layout", NO, OF_GGUF, false },
    { "tensor_layout", NO, OF_GGUF, false },
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
    "general.name", "general.organization", "general.quantized_by", "general.repo_url", "general.size_label",
    "general.source.repo_url", "general.source.url", "general.tags", "general.url", "general.uuid",
    "general.version", "generation_config", "gradient_checkpointing", "hidden_dropout", "hidden_dropout_prob",
    "initializer_range", "length_penalty", "max_length", "min_length", "name_or_path", "no_repeat_ngram_size",
    "num_beam_groups", "num_beams", "num_return_sequences", "output_attentions", "output_hidden_states",
    "output_scores", "remove_invalid_values", "repetition_penalty", "resid_pdrop", "residual_dropout", "return_dict",
    "return_dict_in_generate", "suppress_tokens", "task_specific_params", "tf_legacy_loss", "tokenizer_class",
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

static const setting *find(const char *key, bool gguf)
{
    for (size_t k = 0; k < COUNT(table); k++) {
        const unsigned of = gguf ? OF_GGUF : OF_HUB;
        if (((table[k].read | table[k].ignored) & of) && strcmp(table[k].key, key) == 0) return &table[k];
    }
    return NULL;
}

settings settings_of(const weights *w, const char *before, unsigned family)
{
    return (settings){ w->config, w->twice, before, w->config_path, family };
}

settings settings_within(const settings *s, const json_t *object)
{
    return (settings){ object, s->twice, "", s->path, s->family };
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static bool is_gguf(const settings *s) { return s->family & OF_GGUF; }

/* As it is there; NULL: it is not. */
static const json_t *raw(const settings *s, const char *name)
{
    char *full = must_format("%s%s", s->before, name);
    const json_t *x = json_object_get(s->keys, full);
    free(full);
    return x;
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

const json_t *setting_value(const settings *s, const char *name)
{
    const setting *t = find(name, is_gguf(s));
    REQUIRE(t || find(name, !is_gguf(s)), "the table has no key %s", name);
    if (!t || !(t->read & s->family)) return NULL;
    const json_t *x = raw(s, name);
    if (!x) return NULL;
    if (json_object_get(s->twice, name))
        die("%s: %s is there twice, with different values; remove one of them", s->path, name);
    if (json_is_null(x)) {
        if (!t->null) die("%s: %s is null, which is no value for it; give it one, or remove it", s->path, name);
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
    if (strcmp(name, "block_count") != 0 && n != setting_whole(s, "block_count", 1000))
        die("%s: %s%s is an array of %lld numbers, not one for each of the layers; correct it", s->path, s->before,
            name, (long long)n);
    return all;
}

long setting_whole(const settings *s, const char *name, long most)
{
    const json_t *x = setting_value(s, name);
    if (!x) return 0;
    if (is_gguf(s)) x = one_of_equal(s, name, x);
    const json_int_t i = json_integer_value(x);
    if (json_is_integer(x) && i >= 1 && i <= most) return (long)i;
    char *should = must_format("a whole number from 1 to %ld", most);
    wrong(s, name, x, should);
}

double setting_number(const settings *s, const char *name)
{
    const json_t *x = setting_value(s, name);
    if (!x) return 0;
    const char *unreadable = json_unreadable_text(x);    /* an integer of more than 64 bits is a double to Python */
    char *end = NULL;
    const double v = unreadable && !is_gguf(s) ? strtod(unreadable, &end) : json_number_value(x);
    if (isfinite(v) && v > 0 && (json_is_number(x) || (end && end != unreadable && !*end))) return v;
    wrong(s, name, x, "a positive number");
}

bool setting_truth(const settings *s, const char *name, bool usual)
{
    const json_t *x = setting_value(s, name);
    if (x && !json_is_boolean(x)) wrong(s, name, x, "true or false");
    return x ? json_is_true(x) : usual;
}

const char *setting_text(const settings *s, const char *name)
{
    const json_t *x = setting_value(s, name);
    if (x && !json_is_string(x)) wrong(s, name, x, "a text");
    return json_string_value(x);
}

void settings_require(const settings *s)
{
    static const struct { const char *key; unsigned family; } required[] = {
        { "context_length", OF_GGUF }, { "embedding_length", OF_GGUF }, { "block_count", OF_GGUF },
        { "feed_forward_length", OF_GGUF }, { "attention.head_count", OF_GGUF },
        { "attention.layer_norm_rms_epsilon", OF_GGUF_LLAMA | OF_GGUF_QWEN2 | OF_GGUF_QWEN3 },
        { "attention.layer_norm_epsilon", OF_GGUF_GPT2 | OF_GGUF_NEOX }, { "use_parallel_residual", OF_GGUF_NEOX },
    };
    for (size_t k = 0; k < COUNT(required); k++)
        if ((required[k].family & s->family) && !raw(s, required[k].key))
            die("%s: the key %s%s is missing, which programs for GGUF require; convert the model again, or fetch the "
                "whole file", s->path, s->before, required[k].key);
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

/* GGUF: keys of another architecture, and those that describe the file and its tokenizer, are not asked for. */
static bool is_known(const settings *s, const char *key)
{
    const size_t n = strlen(s->before);
    if (is_gguf(s)) {
        const setting *t = strncmp(key, s->before, n) == 0 ? find(key + n, true) : NULL;
        return t ? (t->read | t->ignored) & s->family : strncmp(key, s->before, n) != 0;
    }
    return find(key, false) || is_harmless(key);
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

char **settings_unknown(const settings *s, long *n)
{
    char **list = NULL;
    const char *key;
    json_t *value;
    *n = 0;
    json_object_foreach((json_t *)(uintptr_t)s->keys, key, value) {
        if (json_is_null(value) || is_known(s, key)) continue;
        list = must_realloc(list, (size_t)*n + 1, sizeof *list);
        list[(*n)++] = unknown_text(key, value);
    }
    return list;
}
