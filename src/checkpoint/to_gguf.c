/* SPDX-License-Identifier: GPL-3.0-or-later
 * to_gguf.c - see formats.h; the format is described in gguf.c, the keys are llama.cpp's. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/config.h"
#include "src/checkpoint/formats.h"
#include "src/checkpoint/rope.h"

enum { KEY_U32 = 4, KEY_F32 = 6, KEY_TEXT = 8 };         /* types of values                             */

/* The word for general.architecture; NULL: none that this model is. */
static const char *word_of(const transformer *D)
{
    return D->arch->as_gguf ? architecture_called(D->arch->as_gguf)->family : NULL;
}

/* What each architecture's programs compute. */
const char *gguf_refuses(const transformer *D)
{
    if (!D->arch->as_gguf) return "GGUF is written for GPT-2, Llama, Mistral and Qwen";
    const architecture *A = architecture_called(D->arch->as_gguf);
    const char *act = json_string_value(A->setting[SETTING_ACTIVATION].unsaid);
    if (D->beyond || rope_scales(D) || has_own_settings(D) || D->window || D->factor != 1)
        return "the settings of its angles, scores or window would be lost in GGUF";
    if (D->norm == NORM_OF_NONE) return "GGUF cannot say that a model has no norms";
    if (json_is_true(A->setting[SETTING_QKV_BIAS].unsaid) && (!D->norm_bias || !D->biases))
        return "its architecture in GGUF has biases, and this one has none";
    if (!activation_same(act, D->activation))
        return "programs for its architecture in GGUF compute another activation (GPT-2: gelu by tanh; Llama and Qwen: "
               "silu)";
    if (D->theta != (double)(float)D->theta) return "its rotary base is not a float32, as GGUF holds it";
    return D->T ? NULL : "it does not say how many positions it has (max_position_embeddings)";
}

/* ---- keys ------------------------------------------------------------------------------------------------------- */

static void put_u32(text_buffer *t, uint32_t x) { text_bytes(t, (const char *)&x, sizeof x); }
static void put_u64(text_buffer *t, uint64_t x) { text_bytes(t, (const char *)&x, sizeof x); }
static void put_text(text_buffer *t, const char *x)
{
    put_u64(t, strlen(x));
    text_bytes(t, x, strlen(x));
}

static void put_key(text_buffer *t, const char *name, uint32_t type)
{
    put_text(t, name);
    put_u32(t, type);
}
static void put_said(text_buffer *t, const char *name, const char *value)
{
    put_key(t, name, KEY_TEXT);
    put_text(t, value);
}
static void put_number(text_buffer *t, const char *arch, const char *name, uint32_t type, const void *value)
{
    char *full = must_format("%s.%s", arch, name);
    put_key(t, full, type);
    text_bytes(t, value, 4);
    free(full);
}

text_buffer gguf_keys(const transformer *D, uint64_t *n)
{
    const char *arch = word_of(D);
    REQUIRE(arch, "%s", D->family);
    text_buffer t = { 0 };
    const bool rotary = D->positions == POSITIONS_ROTARY, rms = D->norm == NORM_OF_RMS;
    const struct { const char *name; long value; } whole[] = {
        { "context_length", D->T }, { "embedding_length", D->d }, { "block_count", D->L },
        { "feed_forward_length", D->m }, { "attention.head_count", D->h }, { "attention.head_count_kv", D->h_kv },
        { "attention.key_length", D->dk }, { "attention.value_length", D->dk }, { "vocab_size", D->V },
        { "rope.dimension_count", D->rotary } };
    const float eps = (float)D->eps, theta = (float)D->theta;
    put_said(&t, "general.architecture", arch);
    put_said(&t, "tokenizer.ggml.model", "no_vocab");
    *n = 2;
    for (size_t k = 0; k < COUNT(whole); k++) {
        const uint32_t value = (uint32_t)whole[k].value;
        if (!value) continue;                                          /* nothing turns */
        put_number(&t, arch, whole[k].name, KEY_U32, &value);
        ++*n;
    }
    put_number(&t, arch, rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon", KEY_F32, &eps);
    if (rotary) put_number(&t, arch, "rope.freq_base", KEY_F32, &theta);
    *n += 1 + rotary;
    return t;
}

/* ---- the header ------------------------------------------------------------------------------------------------- */

size_t gguf_gap(const file_layout *l, size_t bytes) { return (l->alignment - bytes % l->alignment) % l->alignment; }

void gguf_put_header(FILE *f, const file_layout *l, const char *reduced, const char *source)
{
    text_buffer t = { 0 };
    text_bytes(&t, "GGUF", 4);
    put_u32(&t, (uint32_t)l->version);
    put_u64(&t, (uint64_t)l->tensors);
    put_u64(&t, l->key_count + 2);
    text_bytes(&t, l->keys.at, l->keys.length);
    put_said(&t, "provably.reduced", reduced);
    put_said(&t, "provably.source", source);
    uint64_t at = 0;
    for (long k = 0; k < l->tensors; k++) {
        const new_tensor *e = &l->tensor[k];
        const long type = weights_gguf_type(e->type);
        if (type < 0) die("tensor %s: GGUF has no type %s; choose one with --type", e->name, e->type);
        put_text(&t, e->name);
        put_u32(&t, (uint32_t)e->rank);
        for (int i = e->rank - 1; i >= 0; i--) put_u64(&t, (uint64_t)e->shape[i]);
        put_u32(&t, (uint32_t)type);
        put_u64(&t, at);
        at += new_tensor_bytes(e) + gguf_gap(l, new_tensor_bytes(e));
    }
    for (size_t k = gguf_gap(l, t.length); k > 0; k--) text_bytes(&t, "", 1);
    fwrite(t.at, 1, t.length, f);
    text_clear(&t);
}
