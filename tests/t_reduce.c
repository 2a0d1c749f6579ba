/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_reduce.c - a model rewritten by each construction is the same function in balls before anything is rounded, has the
 * zeros and ones that it should have, and comes back from the file that is written. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "numerics/arith_arb.h"
#include "numerics/random.h"
#include "src/base/file.h"
#include "src/checkpoint/gauge_found.h"
#include "src/checkpoint/plan.h"
#include "src/checkpoint/sheet.h"
#include "src/checkpoint/side_files.h"
#include "src/checkpoint/writer.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* ---- models -------------------------------------------------------------------------------------------------- */

typedef enum { GPT2, NANO, LLAMA, QWEN, NEOX, OWN, LLAMA2C, LLMC, GGUF_LLAMA, GGUF_QWEN, GGUF_GPT2 } kind;
typedef struct {
    kind kind;
    long L, d, h, kv, m, V, T;
    bool tied, unit_gains, no_norm, shared;
    double eps;
    const char *skips;                   /* of OWN */
    bool own_norms;                      /* of OWN */
    int version;                         /* of LLAMA2C */
    uint32_t alignment;                  /* of GGUF, version 2 then; 0: the usual one and version 3 */
    int gains;                           /* 1: of both signs, 2: and one is 0 */
    bool biases;                         /* of GGUF_LLAMA */
    long rotary;                         /* of GGUF; 0: not said */
} spec;

static spec spec_of(kind k)
{
    const bool grouped = k == LLAMA || k == QWEN || k == LLAMA2C || k == GGUF_LLAMA || k == GGUF_QWEN;
    return (spec){ .kind = k, .L = 2, .d = grouped || k == NEOX ? 16 : 8, .h = grouped ? 4 : 2, .kv = 2, .m = k == LLMC ? 32 : 12, .V = 11, .T = 7, .eps = 1e-5,
                   .tied = k == GPT2 || k == NANO || k == LLMC || k == GGUF_GPT2, .skips = "11" };
}

static const char *dead;                  /* this weight is multiplied by dead_factor in its first dead_columns columns */
static long dead_columns;
static double dead_factor;

/* Entry (r, c) of the weight called `name`, in x out, with 24 bits. */
static float entry(const char *name, long r, long c, long in)
{
    const double factor = dead && strcmp(name, dead) == 0 && c < dead_columns ? dead_factor : 1;
    uint64_t hash = 1469598103934665603u;
    for (const char *p = name; *p; p++) hash = (hash ^ (unsigned char)*p) * 1099511628211u;
    const uint64_t key[2] = { 5, hash };
    return (float)(factor * ((double)random_below(key, (uint64_t)(r * 4096 + c), 1 << 20) / (1 << 19) - 1) / sqrt((double)in));
}

typedef struct { safetensors s; const spec *of; } builder;

static void put(builder *b, const char *name, int rank, long rows, long cols, const float *x)
{
    safetensors_tensor(&b->s, name, rank, rank == 1 ? &cols : (long[]){ rows, cols }, x);
}

/* A matrix that acts on rows of `in` numbers, stored in x out where turned. */
static void matrix(builder *b, const char *name, const char *seed, long in, long out, bool turned)
{
    float *x = must_calloc((size_t)(in * out), sizeof *x);
    for (long r = 0; r < in; r++)
        for (long c = 0; c < out; c++) x[turned ? r * out + c : c * in + r] = entry(seed ? seed : name, r, c, in);
    put(b, name, 2, turned ? in : out, turned ? out : in, x);
    free(x);
}

static void vector(builder *b, const char *name, const char *seed, long n, float around)
{
    float *x = must_calloc((size_t)n, sizeof *x);
    const float unit = around == 1 && b->of->eps > 1 ? sqrtf((float)b->of->eps) : 1;   /* the gains of a removed norm undo its eps */
    for (long c = 0; c < n; c++) x[c] = around == 1 && b->of->unit_gains ? 1 : unit * (around + entry(seed ? seed : name, 0, c, 16));
    for (long c = 0; c < n && around == 1 && b->of->gains; c += 3) x[c] = b->of->gains == 2 && c == 3 ? 0 : -x[c];
    put(b, name, 1, 1, n, x);
    free(x);
}

static char *at_layer(const char *pattern, long i)
{
    const char *at = strchr(pattern, '#');
    return temp_format("%.*s%ld%s", (int)(at - pattern), pattern, i, at + 1);
}

static void gpt2_parts(builder *b)
{
    const spec *s = b->of;
    const bool turned = s->kind == GPT2;
    matrix(b, "transformer.wte.weight", NULL, s->d, s->V, false);
    matrix(b, "transformer.wpe.weight", NULL, s->d, s->T, false);
    for (long i = 0; i < s->L; i++) {
        if (!s->no_norm) vector(b, at_layer("transformer.h.#.ln_1.weight", i), NULL, s->d, 1);
        matrix(b, at_layer("transformer.h.#.attn.c_attn.weight", i), NULL, s->d, 3 * s->d, turned);
        matrix(b, at_layer("transformer.h.#.attn.c_proj.weight", i), NULL, s->d, s->d, turned);
        if (!s->no_norm) vector(b, at_layer("transformer.h.#.ln_2.weight", i), NULL, s->d, 1);
        matrix(b, at_layer("transformer.h.#.mlp.c_fc.weight", i), NULL, s->d, s->m, turned);
        matrix(b, at_layer("transformer.h.#.mlp.c_proj.weight", i), NULL, s->m, s->d, turned);
        if (s->kind == NANO) continue;
        if (!s->no_norm) vector(b, at_layer("transformer.h.#.ln_1.bias", i), NULL, s->d, 0);
        if (!s->no_norm) vector(b, at_layer("transformer.h.#.ln_2.bias", i), NULL, s->d, 0);
        vector(b, at_layer("transformer.h.#.attn.c_attn.bias", i), NULL, 3 * s->d, 0);
        vector(b, at_layer("transformer.h.#.attn.c_proj.bias", i), NULL, s->d, 0);
        vector(b, at_layer("transformer.h.#.mlp.c_fc.bias", i), NULL, s->m, 0);
        vector(b, at_layer("transformer.h.#.mlp.c_proj.bias", i), NULL, s->d, 0);
    }
    if (!s->no_norm) vector(b, "transformer.ln_f.weight", NULL, s->d, 1);
    if (s->kind == GPT2 && !s->no_norm) vector(b, "transformer.ln_f.bias", NULL, s->d, 0);
    if (!s->tied) matrix(b, "lm_head.weight", NULL, s->d, s->V, false);
}

static void llama_parts(builder *b)
{
    const spec *s = b->of;
    const long kv = s->kv * (s->d / s->h);
    matrix(b, "model.embed_tokens.weight", NULL, s->d, s->V, false);
    for (long i = 0; i < s->L; i++) {
        if (!s->no_norm) vector(b, at_layer("model.layers.#.input_layernorm.weight", i), NULL, s->d, 1);
        if (!s->no_norm) vector(b, at_layer("model.layers.#.post_attention_layernorm.weight", i), NULL, s->d, 1);
        matrix(b, at_layer("model.layers.#.self_attn.q_proj.weight", i), NULL, s->d, s->d, false);
        matrix(b, at_layer("model.layers.#.self_attn.k_proj.weight", i), NULL, s->d, kv, false);
        matrix(b, at_layer("model.layers.#.self_attn.v_proj.weight", i), NULL, s->d, kv, false);
        matrix(b, at_layer("model.layers.#.self_attn.o_proj.weight", i), NULL, s->d, s->d, false);
        matrix(b, at_layer("model.layers.#.mlp.gate_proj.weight", i), NULL, s->d, s->m, false);
        matrix(b, at_layer("model.layers.#.mlp.up_proj.weight", i), NULL, s->d, s->m, false);
        matrix(b, at_layer("model.layers.#.mlp.down_proj.weight", i), NULL, s->m, s->d, false);
        if (s->kind != QWEN) continue;
        vector(b, at_layer("model.layers.#.self_attn.q_proj.bias", i), NULL, s->d, 0);
        vector(b, at_layer("model.layers.#.self_attn.k_proj.bias", i), NULL, kv, 0);
        vector(b, at_layer("model.layers.#.self_attn.v_proj.bias", i), NULL, kv, 0);
    }
    if (!s->no_norm) vector(b, "model.norm.weight", NULL, s->d, 1);
    if (!s->tied) matrix(b, "lm_head.weight", NULL, s->d, s->V, false);
}

static void neox_parts(builder *b)
{
    const spec *s = b->of;
    matrix(b, "gpt_neox.embed_in.weight", NULL, s->d, s->V, false);
    for (long i = 0; i < s->L; i++) {
        static const char *const norms[] = { "gpt_neox.layers.#.input_layernorm.", "gpt_neox.layers.#.post_attention_layernorm." };
        for (int k = 0; k < 2; k++) vector(b, temp_format("%sweight", at_layer(norms[k], i)), NULL, s->d, 1);
        for (int k = 0; k < 2; k++) vector(b, temp_format("%sbias", at_layer(norms[k], i)), NULL, s->d, 0);
        static const struct { const char *name; bool up, down, fused; } of[] = {
            { "gpt_neox.layers.#.attention.query_key_value.", false, false, true }, { "gpt_neox.layers.#.attention.dense.", false, false, false },
            { "gpt_neox.layers.#.mlp.dense_h_to_4h.", true, false, false }, { "gpt_neox.layers.#.mlp.dense_4h_to_h.", false, true, false } };
        for (size_t k = 0; k < COUNT(of); k++) {
            const long out = of[k].fused ? 3 * s->d : of[k].up ? s->m : s->d;
            matrix(b, temp_format("%sweight", at_layer(of[k].name, i)), NULL, of[k].down ? s->m : s->d, out, false);
            vector(b, temp_format("%sbias", at_layer(of[k].name, i)), NULL, out, 0);
        }
    }
    vector(b, "gpt_neox.final_layer_norm.weight", NULL, s->d, 1);
    vector(b, "gpt_neox.final_layer_norm.bias", NULL, s->d, 0);
    matrix(b, "embed_out.weight", NULL, s->d, s->V, false);
}

static void own_parts(builder *b)
{
    const spec *s = b->of;
    safetensors_text(&b->s, "model", temp_format("L=%ld d=%ld h=%ld m=%ld T=%ld V=%ld query=1 factor=0.75 tied=%d norm=%d skips=%s std=0.02",
                                                 s->L, s->d, s->h, s->m, s->T, s->V, s->tied, s->own_norms, s->skips));
    matrix(b, "wte", NULL, s->d, s->V, false);
    matrix(b, "wpe", NULL, s->d, s->T, false);
    for (long i = 0; i < s->L; i++) {
        static const struct { const char *name; bool up, down; } of[] = { { "h.#.attn.q", false, false }, { "h.#.attn.k", false, false },
            { "h.#.attn.v", false, false }, { "h.#.attn.o", false, false }, { "h.#.mlp.fc", true, false }, { "h.#.mlp.proj", false, true } };
        for (size_t k = 0; k < COUNT(of); k++)
            matrix(b, at_layer(of[k].name, i), s->shared ? of[k].name : NULL, of[k].down ? s->m : s->d, of[k].up ? s->m : s->d, false);
        if (s->own_norms) vector(b, at_layer("h.#.norm1", i), NULL, s->d, 1);
        if (s->own_norms) vector(b, at_layer("h.#.norm2", i), NULL, s->d, 1);
    }
    if (s->own_norms) vector(b, "normf", NULL, s->d, 1);
    if (!s->tied) matrix(b, "head", NULL, s->d, s->V, false);
}

static char *config_of(const spec *s)
{
    switch (s->kind) {
    case GPT2: case NANO:
        return temp_format("{\"model_type\":\"gpt2\",\"n_embd\":%ld,\"n_layer\":%ld,\"n_head\":%ld,\"n_inner\":%ld,\"n_positions\":%ld,\"vocab_size\":%ld,"
                           "\"layer_norm_epsilon\":%g,\"activation_function\":\"gelu_new\",\"tie_word_embeddings\":%s%s}", s->d, s->L, s->h, s->m, s->T, s->V,
                           s->eps, s->tied ? "true" : "false", s->no_norm ? ",\"provably\":{\"norm\":\"none\"}" : "");
    case NEOX:
        return temp_format("{\"model_type\":\"gpt_neox\",\"hidden_size\":%ld,\"num_hidden_layers\":%ld,\"num_attention_heads\":%ld,\"intermediate_size\":%ld,"
                           "\"max_position_embeddings\":%ld,\"vocab_size\":%ld,\"layer_norm_eps\":1e-05,\"rotary_pct\":0.5,\"hidden_act\":\"gelu\","
                           "\"tie_word_embeddings\":false}", s->d, s->L, s->h, s->m, s->T, s->V);
    default:
        return temp_format("{\"model_type\":\"%s\",\"hidden_size\":%ld,\"num_hidden_layers\":%ld,\"num_attention_heads\":%ld,\"num_key_value_heads\":%ld,"
                           "\"intermediate_size\":%ld,\"max_position_embeddings\":%ld,\"vocab_size\":%ld,\"rms_norm_eps\":1e-05,\"rope_theta\":10000.0,"
                           "\"hidden_act\":\"silu\",\"tie_word_embeddings\":%s%s}", s->kind == QWEN ? "qwen2" : "llama", s->d, s->L, s->h, s->kv, s->m, s->T, s->V,
                           s->tied ? "true" : "false", s->no_norm ? ",\"provably\":{\"norm\":\"none\"}" : "");
    }
}

/* llama2.c's formats: one order of the same pieces each. */
static char *write_llama2c(const spec *s)
{
    const long dk = s->d / s->h, kv = s->kv * dk;
    const int32_t head[] = { (int32_t)s->d, (int32_t)s->m, (int32_t)s->L, (int32_t)s->h, (int32_t)s->kv, (int32_t)(s->tied || s->version ? s->V : -s->V), (int32_t)s->T };
    const struct { const char *name; long out, in; } of[] = { { "norm1", 1, s->d }, { "q", s->d, s->d }, { "k", kv, s->d }, { "v", kv, s->d }, { "o", s->d, s->d },
        { "norm2", 1, s->d }, { "w1", s->m, s->d }, { "w2", s->d, s->m }, { "w3", s->m, s->d } };
    static const char order[2][10] = { "012345678", "051234678" };
    text_buffer t = { 0 };
    if (s->version) text_bytes(&t, "24ka\1\0\0", 8);
    text_bytes(&t, (const char *)head, sizeof head);
    if (s->version) text_bytes(&t, s->tied ? "\1" : "", 1);
    while (s->version && t.length < 256) text_bytes(&t, "", 1);
#define FLOATS(name, out, in, plus) \
    for (long c_ = 0; c_ < (out); c_++) for (long r_ = 0; r_ < (in); r_++) { const float x_ = (plus) + entry(name, r_, c_, in); text_bytes(&t, (const char *)&x_, 4); }
    if (!s->version) FLOATS("embed", s->V, s->d, 0)
    for (const char *k = order[s->version]; *k; k++) {
        if (s->version && k - order[1] == 2) { FLOATS("final", 1, s->d, 1) FLOATS("embed", s->V, s->d, 0) }
        for (long i = 0; i < s->L; i++) FLOATS(temp_format("%s.%ld", of[*k - '0'].name, i), of[*k - '0'].out, of[*k - '0'].in, of[*k - '0'].out == 1 ? 1 : 0)
    }
    if (!s->version) { FLOATS("final", 1, s->d, 1) FLOATS("tables", s->T, dk, 0) }
    if (!s->tied) FLOATS("head", s->V, s->d, 0)
    char *path = temp_write(temp_folder(), "model.bin", t.at, t.length);
    text_clear(&t);
    return path;
}

/* ---- GGUF ------------------------------------------------------------------------------------------------------- */

typedef struct { text_buffer head, numbers; long n; const spec *of; } gguf;

static void put_u32(text_buffer *t, uint32_t x) { text_bytes(t, (const char *)&x, 4); }
static void put_u64(text_buffer *t, uint64_t x) { text_bytes(t, (const char *)&x, 8); }
static void put_text(text_buffer *t, const char *x) { put_u64(t, strlen(x)); text_bytes(t, x, strlen(x)); }

static size_t alignment_of(const spec *s) { return s->alignment ? s->alignment : 32; }

static void gguf_tensor(gguf *g, const char *name, long in, long out)    /* in 0: a vector, around 1 where it is a gain */
{
    const bool gain = strstr(name, "norm.weight") != NULL;
    put_text(&g->head, name);
    put_u32(&g->head, in ? 2 : 1);
    if (in) put_u64(&g->head, (uint64_t)in);
    put_u64(&g->head, (uint64_t)out);
    put_u32(&g->head, 0);
    put_u64(&g->head, g->numbers.length);
    g->n++;
    for (long c = 0; c < out; c++)
        for (long r = 0; r < (in ? in : 1); r++) {
            const float x = (gain ? 1 : 0) + entry(name, r, c, in ? in : 16);
            text_bytes(&g->numbers, (const char *)&x, 4);
        }
    while (g->numbers.length % alignment_of(g->of)) text_bytes(&g->numbers, "", 1);
}

static char *write_gguf(const spec *s)
{
    const bool gpt2 = s->kind == GGUF_GPT2, qwen = s->kind == GGUF_QWEN;
    const char *name = gpt2 ? "gpt2" : qwen ? "qwen2" : "llama";
    const long kv = gpt2 ? s->d : s->kv * (s->d / s->h);
    const struct { const char *key; long value; } whole[] = { { "embedding_length", s->d }, { "block_count", s->L }, { "attention.head_count", s->h },
        { "attention.head_count_kv", gpt2 ? s->h : s->kv }, { "feed_forward_length", s->m }, { "context_length", s->T } };
    gguf g = { .of = s };
    gguf_tensor(&g, "token_embd.weight", s->d, s->V);
    if (gpt2) gguf_tensor(&g, "position_embd.weight", s->d, s->T);
    for (long i = 0; i < s->L; i++) {
#define LAYER(what, in, out) gguf_tensor(&g, temp_format("blk.%ld.%s", i, what), in, out)
        LAYER("attn_norm.weight", 0, s->d);
        LAYER("ffn_norm.weight", 0, s->d);
        if (gpt2) { LAYER("attn_qkv.weight", s->d, 3 * s->d); LAYER("attn_qkv.bias", 0, 3 * s->d); }
        else { LAYER("attn_q.weight", s->d, s->d); LAYER("attn_k.weight", s->d, kv); LAYER("attn_v.weight", s->d, kv); }
        if (qwen || s->biases) { LAYER("attn_q.bias", 0, s->d); LAYER("attn_k.bias", 0, kv); LAYER("attn_v.bias", 0, kv); }
        LAYER("attn_output.weight", s->d, s->d);
        if (!gpt2) LAYER("ffn_gate.weight", s->d, s->m);
        LAYER("ffn_up.weight", s->d, s->m);
        LAYER("ffn_down.weight", s->m, s->d);
        if (!gpt2) continue;
        LAYER("attn_norm.bias", 0, s->d); LAYER("ffn_norm.bias", 0, s->d); LAYER("attn_output.bias", 0, s->d);
        LAYER("ffn_up.bias", 0, s->m); LAYER("ffn_down.bias", 0, s->d);
    }
    gguf_tensor(&g, "output_norm.weight", 0, s->d);
    if (gpt2) gguf_tensor(&g, "output_norm.bias", 0, s->d);
    if (!s->tied) gguf_tensor(&g, "output.weight", s->d, s->V);
    text_buffer t = { 0 };
    text_bytes(&t, "GGUF", 4);
    put_u32(&t, s->alignment ? 2 : 3);
    put_u64(&t, (uint64_t)g.n);
    put_u64(&t, COUNT(whole) + 3 + (s->alignment > 0) + (s->rotary > 0));
    if (s->rotary) { put_text(&t, temp_format("%s.rope.dimension_count", name)); put_u32(&t, 4); put_u32(&t, (uint32_t)s->rotary); }
    if (s->alignment) { put_text(&t, "general.alignment"); put_u32(&t, 4); put_u32(&t, s->alignment); }
    put_text(&t, "tokenizer.ggml.tokens"); put_u32(&t, 9); put_u32(&t, 8); put_u64(&t, 2); put_text(&t, "<s>"); put_text(&t, "\xe2\x96\x81");
    put_text(&t, "general.architecture"); put_u32(&t, 8); put_text(&t, name);
    for (size_t k = 0; k < COUNT(whole); k++) { put_text(&t, temp_format("%s.%s", name, whole[k].key)); put_u32(&t, 4); put_u32(&t, (uint32_t)whole[k].value); }
    const float eps = 1e-5f;
    put_text(&t, temp_format("%s.attention.layer_norm_%sepsilon", name, gpt2 ? "" : "rms_")); put_u32(&t, 6); text_bytes(&t, (const char *)&eps, 4);
    text_bytes(&t, g.head.at, g.head.length);
    while (t.length % alignment_of(s)) text_bytes(&t, "", 1);
    text_bytes(&t, g.numbers.at, g.numbers.length);
    char *path = temp_write(temp_folder(), "model.gguf", t.at, t.length);
    text_clear(&t);
    text_clear(&g.head);
    text_clear(&g.numbers);
    return path;
}

/* llm.c's, float32, three rows of the embedding beyond the vocabulary. */
static char *write_llmc(const spec *s)
{
    const int32_t head[256] = { 20240326, 3, (int32_t)s->T, (int32_t)s->V, (int32_t)s->L, (int32_t)s->h, (int32_t)s->d, (int32_t)s->V + 3 };
    const long d = s->d, m = s->m;
    const struct { const char *name; long out, in; double plus; } of[] = { { "norm1", 1, d, 1 }, { "bias1", 1, d, 0 }, { "qkv", 3 * d, d, 0 },
        { "bqkv", 1, 3 * d, 0 }, { "o", d, d, 0 }, { "bo", 1, d, 0 }, { "norm2", 1, d, 1 }, { "bias2", 1, d, 0 }, { "up", m, d, 0 },
        { "bup", 1, m, 0 }, { "down", d, m, 0 }, { "bdown", 1, d, 0 } };
    text_buffer t = { 0 };
    text_bytes(&t, (const char *)head, sizeof head);
    FLOATS("embed", s->V, d, 0)
    FLOATS("beyond", 3, d, 0)
    FLOATS("positions", s->T, d, 0)
    for (size_t k = 0; k < COUNT(of); k++)
        for (long i = 0; i < s->L; i++) FLOATS(temp_format("%s.%ld", of[k].name, i), of[k].out, of[k].in, (float)of[k].plus)
    FLOATS("final", 1, d, 1)
    FLOATS("final bias", 1, d, 0)
    char *path = temp_write(temp_folder(), "model.bin", t.at, t.length);
    text_clear(&t);
    return path;
}

static char *write_model(const spec *s)
{
    if (s->kind >= GGUF_LLAMA) return write_gguf(s);
    if (s->kind == LLAMA2C) return write_llama2c(s);
    if (s->kind == LLMC) return write_llmc(s);
    builder b = { .of = s };
    char *folder = temp_folder(), *path = temp_path(folder, "model.safetensors");
    if (s->kind == GPT2 || s->kind == NANO) gpt2_parts(&b);
    else if (s->kind == NEOX) neox_parts(&b);
    else if (s->kind == OWN) own_parts(&b);
    else llama_parts(&b);
    if (s->kind != OWN) temp_text(folder, "config.json", config_of(s));
    safetensors_write(&b.s, path);
    safetensors_free(&b.s);
    return path;
}

/* ---- the function of a source ---------------------------------------------------------------------------------- */

static void keep_logits(void *with, forward_stage stage, long layer, long first, const mat *X)
{
    (void)layer; (void)first;
    scope *to = with;
    if (stage == STAGE_LOGITS) mat_cols(to, X, 0, X->cols);            /* its newest */
}

/* All logits of one sequence of T tokens; V is less than a block, so that they come at once. */
static const mat *logits(scope *to, const weight_source *W)
{
    long token[64];
    for (long k = 0; k < W->D->T && k < 6; k++) token[k] = (5 * k + 3) % W->D->V;
    const token_list t = { .n = W->D->T < 6 ? W->D->T : 6, .token = token };
    scope s = scope_open(to->R, 0, 0);
    s.frugal = true;
    forward_run(&s, W, &t, keep_logits, to);
    ck_assert_msg(s.status == HOLDS, "%s", s.why);
    scope_close(&s);
    return to->first;
}

/* log2 of an upper bound of the relative gap. */
static double gap(const weight_source *A, const weight_source *B, const arith *R)
{
    scope s = scope_open(R, 0, 0);
    const mat *x = logits(&s, A), *y = logits(&s, B);
    ck_assert(x->rows == y->rows && x->cols == y->cols);
    const double g = mat_compare(x, y, 0).log2gap;
    scope_close(&s);
    return g;
}

typedef struct { weights w; transformer D; layer_condition *c; } model;

static model open_model(const char *path)
{
    model m = { .w = weights_open(path) };
    m.D = transformer_of(&m.w);
    ck_assert_msg(!m.D.unknown, "%s", m.D.unknown);
    m.c = must_calloc((size_t)m.D.L, sizeof *m.c);
    for (long i = 0; i < m.D.L; i++) m.c[i] = layer_conditions(&m.D, i);
    char *refused = forward_refuses(&m.D);
    ck_assert_msg(!refused, "%s", refused);
    return m;
}

static void close_model(model *m)
{
    for (long i = 0; i < m->D.L; i++) layer_conditions_free(&m->c[i]);
    free(m->c);
    transformer_free(&m->D);
    weights_close(&m->w);
}

/* ---- what should be 0 and 1 ------------------------------------------------------------------------------------ */

static double at(const mat *A, long i, long j) { return mat_get_d(A, i, j); }

/* Whether dk rows of the columns of each head are the identity's, in this order. */
static bool has_blocks(const mat *W, long heads, long dk)
{
    for (long a = 0; a < heads; a++) {
        long found = 0;
        for (long i = 0; i < W->rows && found < dk; i++) {
            bool unit = true;
            for (long j = 0; j < dk; j++) unit = unit && at(W, i, a * dk + j) == (j == found);
            found += unit;
        }
        if (found < dk) return false;
    }
    return true;
}

static bool is_unit(const mat *W, long first)            /* columns of the identity from `first` on */
{
    for (long i = 0; i < W->rows; i++) for (long j = 0; j < W->cols; j++) if (at(W, i, j) != (i == first + j)) return false;
    return true;
}

/* N20: in the order of pairs, 0 below the diagonal; the first head of each group: diag(1, c) at each pair. */
static bool is_triangle(const transformer *D, const mat *Q)
{
    const long dk = D->dk, half = D->rotary / 2;
    for (long j = 0; j < D->d; j++) {
        const long a = j / dk, i = j % dk, to = D->pairs != PAIRS_HALVES ? j : a * dk + (i < half ? 2 * i : 2 * (i - half) + 1);
        for (long k = 0; k < D->d; k++) {
            const double x = at(Q, k, j);
            const bool leads = a % (D->h / D->h_kv) == 0, same = k / 2 == to / 2;
            if (k > to && x != 0) return false;
            if (leads && same && k != to && x != 0) return false;
            if (leads && k == to && to % 2 == 0 && x != 1) return false;
        }
    }
    return true;
}

static long pairs_of_one(const transformer *D, const mat *K)           /* rows (1, 0) in the columns of a pair */
{
    long found = 0;
    for (long g = 0; g < D->h_kv; g++)
        for (long k = 0; k < D->rotary / 2; k++) {
            long p, q;
            rotary_pair(D, k, &p, &q);
            for (long i = 0; i < D->d; i++)
                if (at(K, i, g * D->dk + p) == 1 && at(K, i, g * D->dk + q) == 0) { found++; break; }
        }
    return found;
}

static long zero_rows(const mat *W)
{
    long n = 0;
    for (long i = 0; i < W->rows; i++) {
        bool zero = true;
        for (long j = 0; j < W->cols; j++) zero = zero && at(W, i, j) == 0;
        n += zero;
    }
    return n;
}

static void check_form(const rewrite *r, const weight_source *W)
{
    const transformer *D = r->D;
    scope s = scope_open(r->R, 0, 0);
    for (long i = 0; i < D->L; i++) {
        const mat *Q = W->part(W->of, &s, ROLE_Q, i, 0, 0), *K = W->part(W->of, &s, ROLE_K, i, 0, 0);
        const mat *V = W->part(W->of, &s, ROLE_V, i, 0, 0), *b = W->part(W->of, &s, ROLE_Q_BIAS, i, 0, 0);
        const bool one = rewrite_query_is_one(r, i), ones = rewrite_keys_are_ones(r, i), turned = r->triangle && i == r->plan.layer;
        if (one) ck_assert(is_unit(Q, 0));
        for (long j = 0; one && b && r->in[i].shift && j < b->cols; j++) ck_assert(at(b, 0, j) == 0);
        if (ones) ck_assert(is_unit(K, 0) && is_unit(V, K->cols));
        if (turned && D->positions == POSITIONS_ROTARY) ck_assert(is_triangle(D, Q));
        const mat *O = W->part(W->of, &s, ROLE_O, i, 0, 0);
        if (r->plan.row) ck_assert_int_eq(zero_rows(Q), 1);
        if (r->plan.collapse) ck_assert(is_unit(O, 0) && (one || is_unit(K, 0)));
        if (r->plan.values && !ones) ck_assert(has_blocks(V, D->h_kv, D->dk));
        if (r->plan.queries && !one && !turned && !ones) ck_assert(has_blocks(D->h_kv < D->h ? K : Q, D->h_kv, D->dk));
        if (r->plan.pairs && !one && !turned && !ones) ck_assert_int_eq(pairs_of_one(D, K), D->h_kv * D->rotary / 2);
    }
    scope_close(&s);
}

/* The rewritten model before rounding, in balls of 256 bits: its form, and the bound of the gap. */
static double unrounded(const char *path, const plan_request *ask, const char *words)
{
    model m = open_model(path);
    reduction_plan p = plan_of(&m.w, &m.D, m.c, ask);
    char *is = plan_words(&p);
    ck_assert_msg(strcmp(is, words) == 0, "%s, wanted %s: %s", is, words, p.nothing ? p.nothing : "");
    arith R = arith_arb(256);
    rewrite *r = rewrite_open(&m.D, p.plan, &R);
    const weight_source A = weights_of_file(&m.D), B = rewrite_source(r);
    const double g = gap(&A, &B, &R);
    ck_assert_msg(!rewrite_undecided(r), "%s", rewrite_undecided(r));
    if (!ask->force) check_form(r, &B);
    free(is);
    plan_free(&p);
    rewrite_close(r);
    arith_close(&R);
    close_model(&m);
    return g;
}

/* The same with the first key head of W_K or W_V dead in layer 1: it keeps its columns, the others have their blocks. */
static void same_but_one(kind of, const char *weight, const plan_request *ask, tensor_role role, const char *claims)
{
    spec s = spec_of(of);
    const long dk = s.d / s.h;
    dead = weight;
    dead_columns = dk;
    model m = open_model(write_model(&s));
    dead = NULL;
    reduction_plan p = plan_of(&m.w, &m.D, m.c, ask);
    arith R = arith_arb(256);
    rewrite *r = rewrite_open(&m.D, p.plan, &R);
    const weight_source A = weights_of_file(&m.D), B = rewrite_source(r);
    const double g = gap(&A, &B, &R);
    ck_assert_msg(!rewrite_undecided(r), "%s: %s", weight, rewrite_undecided(r));
    ck_assert_msg(g < -150, "%s: a gap of 2^%.1f", weight, g);
    scope t = scope_open(&R, 0, 0);
    for (long i = 0; i < s.L; i++) {
        const mat *W = B.part(B.of, &t, role, i, 0, 0);
        const long heads = W->cols / dk, found = role == ROLE_K && p.plan.pairs ? pairs_of_one(&m.D, W) / (dk / 2)
                         : has_blocks(mat_cols(&t, W, 0, dk), 1, dk) + has_blocks(mat_cols(&t, W, dk, W->cols - dk), heads - 1, dk) * (heads - 1);
        ck_assert_msg(found == heads - (i == 1), "%s: %ld blocks in layer %ld", weight, found, i);
        if (i == 1) for (long k = 0; k < W->rows; k++) for (long c = 0; c < dk; c++) ck_assert(at(W, k, c) == 0);
    }
    scope_close(&t);
    for (long k = 0; k < p.n; k++)
        if (strncmp(p.at[k].claims, claims, strlen(claims)) == 0) {
            const double each = p.plan.pairs && role == ROLE_K ? (double)dk : (double)(dk * dk);
            ck_assert_msg(p.at[k].parameters == (double)(s.L * m.D.h_kv - 1) * each && !isinf(p.at[k].bits), "%s: %g numbers, %g bits",
                          weight, p.at[k].parameters, p.at[k].bits);
            ck_assert_int_eq(p.at[k].kept, !p.plan.pairs || role != ROLE_K);
        }
    plan_free(&p);
    rewrite_close(r);
    arith_close(&R);
    close_model(&m);
}

START_TEST(dead_heads_are_kept)
{
    same_but_one(LLAMA, "model.layers.1.self_attn.v_proj.weight", &(plan_request){ "values", false, false }, ROLE_V, "N1");
    same_but_one(LLAMA, "model.layers.1.self_attn.k_proj.weight", &(plan_request){ "pairs", false, false }, ROLE_K, "K-P3.2");
    same_but_one(LLAMA, "model.layers.1.self_attn.k_proj.weight", &(plan_request){ "values,pairs", false, false }, ROLE_K, "K-P3.2");
    same_but_one(GPT2, "transformer.h.1.attn.c_attn.weight", &(plan_request){ "queries", false, false }, ROLE_Q, "K-P3.2");
}
END_TEST

static void same(const spec *s, const plan_request *ask, const char *words)
{
    const double g = unrounded(write_model(s), ask, words);
    ck_assert_msg(g < (s->eps > 1 ? -120 : -150), "%s: a gap of 2^%.1f", words, g);
}

START_TEST(gauges_of_heads)
{
    const plan_request own = { NULL, false, false };
    const kind kinds[] = { GPT2, NANO, LLAMA, QWEN, NEOX, LLAMA2C };
    for (size_t k = 0; k < COUNT(kinds); k++) {
        spec s = spec_of(kinds[k]);
        const bool rotary = k > 1;
        s.tied = kinds[k] != NEOX;
        const char *row = s.kind == GPT2 || s.kind == NANO || s.kind == NEOX ? "zero-row," : "";
        same(&s, &own, temp_format("%s%s", row, rotary ? "values,pairs" : "values,queries"));
        if (*row) same(&s, &(plan_request){ "zero-row", false, false }, "zero-row");
        same(&s, &(plan_request){ "values", false, false }, "values");
        same(&s, &(plan_request){ rotary ? "pairs" : "queries", false, false }, rotary ? "pairs" : "queries");
    }
    spec s = spec_of(LLAMA);
    s.kv = 4;
    s.tied = true;
    same(&s, &own, "values,pairs");
}
END_TEST

/* N18: gains of both signs and a gain of 0; K-P4.1: one head as wide as the stream. */
START_TEST(forms_without_an_inverse)
{
    const kind kinds[] = { GPT2, NANO, NEOX };
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (int g = 1; g < 3; g++) {
            spec s = spec_of(kinds[k]);
            s.gains = g;
            same(&s, &(plan_request){ "zero-row", false, false }, "zero-row");
            same(&s, &(plan_request){ "zero-row,values", false, false }, "zero-row,values");
        }
    spec s = spec_of(OWN);
    model m = open_model(write_model(&s));
    m.D.h = m.D.h_kv = 1;                                                 /* of 4 coordinates, in a stream of 8 */
    reduction_list l = reductions_of(&m.D, NULL);
    for (long k = 0; k < l.n; k++) ck_assert(strcmp(l.at[k].claims, "K-P4.1") != 0 || (!l.at[k].applies && strstr(l.at[k].why, "coordinates")));
    reductions_free(&l);
    close_model(&m);
    s.h = 1;
    same(&s, &(plan_request){ "collapse", false, false }, "collapse");
    same(&s, &(plan_request){ NULL, false, false }, "collapse,one-query");
    s.skips = "10";
    same(&s, &(plan_request){ NULL, false, false }, "collapse,every-query");
    s = spec_of(NANO);
    s.h = 1;
    same(&s, &(plan_request){ NULL, false, false }, "collapse,zero-row");
    same(&s, &(plan_request){ "values,queries", false, false }, "values,queries");
    s = spec_of(GPT2);
    s.h = 1;
    same(&s, &(plan_request){ NULL, false, false }, "values,queries");
}
END_TEST

/* N11: with RoPE, with biases, and with the gauges that change the keys. */
START_TEST(values_from_keys)
{
    for (int k = 0; k < 2; k++) {
        spec s = spec_of(k ? QWEN : LLAMA);
        s.kv = 4;
        same(&s, &(plan_request){ "slim", false, false }, "slim");
        same(&s, &(plan_request){ "slim,pairs", false, false }, "slim,pairs");
        s.tied = true;
        same(&s, &(plan_request){ "slim,triangle", true, false }, "slim,triangle");
    }
}
END_TEST

START_TEST(rotations_of_the_stream)
{
    const kind kinds[] = { LLAMA, QWEN, LLAMA2C };
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (int tied = 0; tied < 2; tied++)
            for (long kv = 1; kv <= 4; kv *= 2) {
                spec s = spec_of(kinds[k]);
                s.tied = tied;
                s.kv = kv;
                same(&s, &(plan_request){ NULL, true, false }, "values,pairs,triangle");
                same(&s, &(plan_request){ "triangle", true, false }, "triangle");
            }
    spec s = spec_of(LLAMA);
    s.tied = s.unit_gains = true;                                      /* stays tied */
    same(&s, &(plan_request){ "triangle", false, false }, "triangle");
}
END_TEST

START_TEST(bases_of_the_stream)
{
    spec s = spec_of(OWN);
    same(&s, &(plan_request){ "one-query", false, false }, "one-query");
    same(&s, &(plan_request){ NULL, false, false }, "values,queries,one-query");
    s.tied = true;
    same(&s, &(plan_request){ NULL, true, false }, "values,queries,one-query");
    s.shared = true;
    same(&s, &(plan_request){ "shared-query,values", true, false }, "values,shared-query");
    s.shared = false;
    s.skips = "10";
    same(&s, &(plan_request){ NULL, false, false }, "values,queries,every-query");
    s.tied = false;
    same(&s, &(plan_request){ "every-query", false, false }, "every-query");
    s = spec_of(LLAMA);
    s.no_norm = true;
    same(&s, &(plan_request){ "one-query,values,pairs", false, false }, "values,pairs,one-query");
    s.kv = 1;
    same(&s, &(plan_request){ "stacked,values,pairs", false, false }, "values,pairs,stacked");
}
END_TEST

START_TEST(layernorms_that_only_centre)
{
    spec s = spec_of(GPT2);
    s.eps = 1e38;                        /* var / (2 eps) is below 2^-120 */
    same(&s, &(plan_request){ NULL, true, false }, "zero-row,values,queries");     /* a bias of the head has no place there */
    same(&s, &(plan_request){ "values,queries,no-layernorm", true, false }, "values,queries,no-layernorm");
    same(&s, &(plan_request){ "no-layernorm", true, false }, "no-layernorm");
    s.tied = false;
    same(&s, &(plan_request){ "no-layernorm", false, false }, "no-layernorm");
    s.m = 600;                           /* the bias is made of several pieces */
    same(&s, &(plan_request){ "no-layernorm", false, false }, "no-layernorm");
    s.m = 12;
    s.kind = NANO;
    same(&s, &(plan_request){ "no-layernorm", false, false }, "no-layernorm");
    s.eps = 1e12;
    const double g = unrounded(write_model(&s), &(plan_request){ "no-layernorm", false, false }, "no-layernorm");
    ck_assert_msg(g < -35 && g > -60, "2^%.1f", g);                    /* the division that is left out */
}
END_TEST

START_TEST(forced_is_another_function)
{
    static const struct { kind kind; const char *apply; } of[] = { { LLAMA, "one-query" }, { GPT2, "one-query" }, { GPT2, "no-layernorm" },
                                                                   { LLAMA, "queries" }, { LLAMA, "triangle" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        spec s = spec_of(of[k].kind);
        s.tied = true;
        const double g = unrounded(write_model(&s), &(plan_request){ of[k].apply, false, true }, of[k].apply);
        ck_assert_msg(g > -8, "%s: 2^%.1f", of[k].apply, g);
    }
}
END_TEST

/* ---- files ------------------------------------------------------------------------------------------------------ */

static int reduce(char *output, size_t size, const char *path, const char *out, const char *options)
{
    return run_command(output, size, "%s/provably reduce '%s' -o '%s' %s", build_folder(), path, out, options);
}

static double gap_of_files(const char *a, const char *b)
{
    model A = open_model(a), B = open_model(b);
    arith R = arith_arb(128);
    const weight_source x = weights_of_file(&A.D), y = weights_of_file(&B.D);
    const double g = gap(&x, &y, &R);
    arith_close(&R);
    close_model(&A);
    close_model(&B);
    return g;
}

/* GPT-2's programs read no bias of the head: one is written where it was asked for alone. */
START_TEST(no_head_bias_unasked)
{
    static const struct { const char *options; int biases; } of[] = { { "--untie", 0 }, { "--untie --apply=no-layernorm", 1 } };
    char output[8192];
    for (size_t k = 0; k < COUNT(of); k++) {
        spec s = spec_of(GPT2);
        s.eps = 1e38;
        char *path = write_model(&s), *out = temp_path(temp_folder(), "x");
        ck_assert_msg(reduce(output, sizeof output, path, out, of[k].options) == 0, "%s", output);
        ck_assert_msg((strstr(output, "--apply=no-layernorm asks for it") != NULL) != of[k].biases, "%s", output);
        weights w = weights_open(out);
        ck_assert_int_eq(weights_find(&w, "lm_head.bias") != NULL, of[k].biases);
        weights_close(&w);
    }
}
END_TEST

START_TEST(files_come_back)
{
    char output[4096];
    static const struct { const char *type; double most; } types[] = { { "", -12 }, { "--type=F64", -40 }, { "--type=BF16", 3 }, { "--type=F16", -1 } };
    const kind kinds[] = { GPT2, NANO, LLAMA, QWEN, NEOX, OWN, LLAMA2C, LLMC, GGUF_LLAMA, GGUF_QWEN, GGUF_GPT2 };
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t t = 0; t < COUNT(types); t++) {
            spec s = spec_of(kinds[k]);
            s.tied = kinds[k] != NEOX;
            char *path = write_model(&s), *out = temp_path(temp_folder(), "to/here");
            ck_assert_msg(reduce(output, sizeof output, path, out, temp_format("--untie --format=safetensors %s", types[t].type)) == 0, "%s", output);
            ck_assert_msg(strstr(output, "verify") && !strchr(output, '\r'), "%s", output);
            const double g = gap_of_files(path, out);
            ck_assert_msg(g < types[t].most, "kind %d %s: 2^%.1f", (int)kinds[k], types[t].type, g);
            if (types[t].most < 0) ck_assert_msg(g > -70, "2^%.1f: nothing was rounded", g);
            if (kinds[k] == LLMC || kinds[k] == GGUF_GPT2) {             /* Hugging Face's names, in x out */
                weights w = weights_open(out);
                const weight_tensor *c_attn = weights_find(&w, "transformer.h.0.attn.c_attn.weight");
                ck_assert(c_attn && c_attn->shape[0] == s.d && c_attn->shape[1] == 3 * s.d && !weights_find(&w, "wte.padding"));
                weights_close(&w);
            }
            char *again = temp_path(temp_folder(), "again");
            ck_assert_int_eq(reduce(output, sizeof output, out, again, ""), 0);
            ck_assert_msg(strstr(output, "nothing is left to do") && !temp_exists(again, "model.safetensors"), "%s", output);
        }
    spec s = spec_of(GPT2);
    s.eps = 1e12;
    char *path = write_model(&s), *out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, path, out, "--untie --apply=values,queries,no-layernorm --type=F64") == 0, "%s", output);
    ck_assert_msg(strstr(output, "no norms") && gap_of_files(path, out) < -35, "%s", output);
}
END_TEST

static bool says_same(const char *a, const char *b)
{
    char output[8192];
    const int status = run_command(output, sizeof output, "%s/provably verify '%s' '%s' --length=6", build_folder(), a, b);
    return status == 0 && strstr(output, "the same function for all inputs: all parts hold the same numbers");
}

static char *bytes_of(const char *folder, const char *name, size_t *n) { return file_read(temp_path(folder, name), 1 << 22, n); }

/* One model in each format that can hold it: the numbers are the same, whatever was read. */
START_TEST(each_format)
{
    char output[4096];
    const struct { kind kind; int version; bool llama2c; } of[] = { { LLAMA, 0, true }, { LLAMA2C, 0, true }, { LLAMA2C, 1, true },
        { GGUF_LLAMA, 0, true }, { QWEN, 0, false }, { GGUF_QWEN, 0, false }, { GPT2, 0, false }, { GGUF_GPT2, 0, false } };
    for (size_t k = 0; k < COUNT(of); k++)
        for (int tied = 0; tied < 2; tied++) {
            spec s = spec_of(of[k].kind);
            s.version = of[k].version;
            s.tied = tied;
            char *path = write_model(&s), *out[FORMATS], *usual = temp_path(temp_folder(), "x");
            const char *wanted[] = { "safetensors", "GGUF", "llama2.c" };
            for (int f = 0; f < FORMATS; f++) {
                out[f] = temp_path(temp_folder(), "x");
                const int status = reduce(output, sizeof output, path, out[f], temp_format("--untie --format=%s", format_word[f]));
                if (f == FORMAT_LLAMA2C && !of[k].llama2c) {
                    ck_assert_msg(status == 2 && strstr(output, "llama2.c's format") && !temp_exists(out[f], ""), "%s", output);
                    continue;
                }
                ck_assert_msg(status == 0 && strstr(output, format_file[f]), "%d %s: %s", (int)of[k].kind, format_word[f], output);
                model m = open_model(out[f]);
                ck_assert_str_eq(m.w.format, wanted[f]);
                close_model(&m);
                if (f) ck_assert_msg(says_same(out[0], out[f]), "%d: %s", (int)of[k].kind, format_word[f]);
                ck_assert(gap_of_files(path, out[f]) < -12);
                ck_assert(reduce(output, sizeof output, out[f], temp_path(temp_folder(), "x"), "") == 0 && strstr(output, "nothing is left to do"));
            }
            ck_assert_msg(reduce(output, sizeof output, path, usual, "--untie") == 0, "%s", output);
            model a = open_model(path), b = open_model(usual);
            ck_assert_str_eq(a.w.format, b.w.format);
            for (long t = 0; t < a.w.tensors; t++) {                     /* the names stay, and the types */
                const weight_tensor *to = weights_find(&b.w, a.w.tensor[t].name);
                ck_assert_msg(to && strcmp(to->type, a.w.tensor[t].type) == 0 && to->n == a.w.tensor[t].n, "%s", a.w.tensor[t].name);
            }
            close_model(&a);
            close_model(&b);
            if (of[k].llama2c) ck_assert(says_same(out[FORMAT_GGUF], out[FORMAT_LLAMA2C]));
        }
}
END_TEST

/* What reduce has written is left as it is only where nothing more is asked for. */
START_TEST(reduced_once)
{
    char output[4096];
    static const char *const asked[] = { "--apply=every-query", "--format=gguf", "--format=safetensors", "--type=BF16", "--untie", "--stock",
                                         "--compact", "--apply=values --force" };
    spec s = spec_of(LLAMA);
    char *out = temp_path(temp_folder(), "x"), *again = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, write_model(&s), out, "--apply=values") == 0, "%s", output);
    for (size_t k = 0; k < COUNT(asked); k++) {
        ck_assert_int_eq(reduce(output, sizeof output, out, again, asked[k]), 2);
        ck_assert_msg(strstr(output, "reduce the original with these options instead") && !temp_exists(again, ""), "%s: %s", asked[k], output);
    }
    ck_assert_msg(reduce(output, sizeof output, out, again, "") == 0 && strstr(output, "nothing is left to do"), "%s", output);
    char *file = temp_path(out, "model.safetensors");                    /* trained further, and saved by a program that */
    safetensors read = safetensors_read(file), trained = { .tensor = NULL };     /* keeps config.json but no notes       */
    for (long k = 0; k < read.tensors; k++) {
        safetensor *t = &read.tensor[k];
        for (size_t i = 0; i < t->n; i++) t->x[i] += 0.01f * (float)(i * 7919 % 13);
        safetensors_tensor(&trained, t->name, t->rank, t->shape, t->x);
    }
    safetensors_text(&trained, "format", "pt");
    safetensors_write(&trained, file);
    safetensors_free(&read);
    safetensors_free(&trained);
    ck_assert_msg(reduce(output, sizeof output, out, again, "--apply=values") == 0 && temp_exists(again, "model.safetensors"), "%s", output);
    ck_assert(gap_of_files(out, again) < -12);
}
END_TEST

START_TEST(gguf_keeps_its_keys)
{
    char output[4096];
    spec s = spec_of(GGUF_LLAMA);
    size_t n, m;
    char *path = write_model(&s), *out = temp_path(temp_folder(), "x"), *half = temp_path(temp_folder(), "x"), *wide = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, path, out, "") == 0 && !strstr(output, "tokenizer"), "%s", output);
    weights a = weights_open(path), b = weights_open(out);
    char *x = file_read(path, 1 << 22, &n), *y = bytes_of(out, "model.gguf", &m);
    ck_assert_int_eq(b.keys.n, a.keys.n + 2);
    ck_assert(memcmp(x + a.keys.at, y + b.keys.at, a.keys.bytes) == 0 && strstr(json_string_value(json_object_get(b.config, "provably.source")), "sha256"));
    ck_assert_int_eq(m % 32, 0);
    weights_close(&a);
    weights_close(&b);
    free(x);
    free(y);
    s.alignment = 256;
    char *older = write_model(&s), *aligned = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, older, aligned, "") == 0, "%s", output);
    weights o = weights_open(aligned);
    ck_assert(o.keys.version == 2 && o.keys.alignment == 256);
    for (long k = 0; k < o.tensors; k++) ck_assert_int_eq((o.tensor[k].at - o.file[0].at) % 256, 0);
    weights_close(&o);
    ck_assert(gap_of_files(older, aligned) < -12);
    ck_assert_msg(reduce(output, sizeof output, path, half, "--type=BF16") == 0, "%s", output);
    weights h = weights_open(half);
    for (long k = 0; k < h.tensors; k++) ck_assert_str_eq(h.tensor[k].type, h.tensor[k].rank == 1 ? "F32" : "BF16");
    weights_close(&h);
    ck_assert_msg(reduce(output, sizeof output, path, wide, "--type=F64") == 0 && strstr(output, "Written as safetensors, because programs for GGUF read no F64"), "%s", output);
    spec l = spec_of(LLAMA);
    char *made = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, write_model(&l), made, "--format=gguf") == 0 && strstr(output, "no_vocab"), "%s", output);
    weights g = weights_open(made);
    static const struct { const char *key; long value; } of[] = { { "llama.context_length", 7 }, { "llama.embedding_length", 16 }, { "llama.block_count", 2 },
        { "llama.feed_forward_length", 12 }, { "llama.attention.head_count", 4 }, { "llama.attention.head_count_kv", 2 }, { "llama.vocab_size", 11 },
        { "llama.rope.dimension_count", 4 } };
    for (size_t k = 0; k < COUNT(of); k++) ck_assert_int_eq(json_integer_value(json_object_get(g.config, of[k].key)), of[k].value);
    weights_close(&g);
}
END_TEST

START_TEST(llama2c_as_its_programs_read_it)
{
    char output[4096];
    for (int version = 0; version < 2; version++)
        for (int tied = 0; tied < 2; tied++) {
            spec s = spec_of(LLAMA2C);
            s.version = version;
            s.tied = tied;
            size_t n, m;
            char *path = write_model(&s), *out = temp_path(temp_folder(), "x"), *x = file_read(path, 1 << 22, &n);
            ck_assert_msg(reduce(output, sizeof output, path, out, "") == 0, "%s", output);
            char *y = bytes_of(out, "model.bin", &m);
            ck_assert_int_eq(n, m);
            ck_assert(memcmp(x, y, version ? 256 : 28) == 0);           /* sizes, and whether the head is tied */
            y[m - 1] ^= 1;
            char *other = temp_write(out, "model.bin", y, m);             /* the note is about another file's bytes */
            ck_assert_msg(reduce(output, sizeof output, other, temp_path(temp_folder(), "x"), "") == 0 && strstr(output, "rounded once"), "%s", output);
            free(x);
            free(y);
        }
    spec s = spec_of(LLAMA);
    size_t m;
    char *out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, write_model(&s), out, "--format=llama2c") == 0, "%s", output);
    weights w = weights_open(out);
    double c, i;
    const weight_tensor *cosine = weights_find(&w, "freqs_cos"), *sine = weights_find(&w, "freqs_sin");
    weight_numbers(cosine, 3, 1, &c);                                    /* token 1, pair 1 of heads of 4: 1 / 100 */
    weight_numbers(sine, 3, 1, &i);
    ck_assert(c == (double)(float)cos(0.01) && i == (double)(float)sin(0.01) && cosine->shape[0] == s.T && cosine->shape[1] == 2);
    weights_close(&w);
    free(bytes_of(out, "model.bin", &m));
    model l = open_model(write_model(&s));
    ck_assert(!layout_refuses(&l.w, &l.D, FORMAT_LLAMA2C));
#define REFUSED(change, text) do { \
        model k_ = open_model(write_model(&s)); \
        change; \
        const char *why_ = layout_refuses(&k_.w, &k_.D, FORMAT_LLAMA2C); \
        ck_assert_msg(why_ && strstr(why_, text), "%s: %s", text, why_ ? why_ : "not refused"); \
        close_model(&k_); \
    } while (0)
    REFUSED(k_.D.eps = 1e-6, "its eps is another");
    REFUSED(k_.D.theta = 500000, "its base is another");
    REFUSED(strcpy(k_.D.activation, "gelu"), "another activation");
    REFUSED(k_.D.rotary = 2, "turn in all coordinates");
    REFUSED(k_.D.dk = 2, "share the width");
    REFUSED(k_.D.window = 4, "window");
    REFUSED(k_.D.biases = true, "biases");
    REFUSED(k_.D.T = 0, "positions");
    close_model(&l);
}
END_TEST

/* Files of other programs: the blocks in W_V. */
START_TEST(blocks_left_out)
{
    char output[8192];
    const kind kinds[] = { LLAMA, QWEN, LLAMA2C, GGUF_LLAMA };
    for (size_t k = 0; k < COUNT(kinds); k++) {
        spec s = spec_of(kinds[k]);
        s.tied = true;
        char *path = write_model(&s), *stock = temp_path(temp_folder(), "x"), *compact = temp_path(temp_folder(), "x");
        ck_assert_msg(reduce(output, sizeof output, path, stock, "--untie --format=safetensors") == 0, "%s", output);
        ck_assert_msg(reduce(output, sizeof output, path, compact, "--untie --compact") == 0, "%s", output);
        ck_assert(!strstr(output, "Written as safetensors") == (kinds[k] == LLAMA || kinds[k] == QWEN));
        model a = open_model(stock), b = open_model(compact);
        ck_assert(b.D.value_rows && !a.D.value_rows && strncmp(json_string_value(json_object_get(b.w.config, "model_type")), "provably-", 9) == 0);
        ck_assert_int_eq(a.D.parameters - b.D.parameters, s.L * s.kv * (s.d / s.h) * (s.d / s.h));
        reduction_list none = reductions_of(&b.D, b.c);
        ck_assert(none.nothing && strstr(none.nothing, "left out"));
        reductions_free(&none);
        close_model(&a);
        close_model(&b);
        ck_assert(says_same(stock, compact) && gap_of_files(path, compact) < -12);
        ck_assert(reduce(output, sizeof output, compact, temp_path(temp_folder(), "x"), "") == 0 && strstr(output, "nothing is left to do"));
        ck_assert(run_command(output, sizeof output, "%s/provably inspect '%s'", build_folder(), compact) == 0 && strstr(output, "is not stored"));
    }
    spec g = spec_of(GPT2), l = spec_of(LLAMA), o = spec_of(OWN);
    l.kv = 4;
    char *out = temp_path(temp_folder(), "x"), *path = write_model(&l);
    ck_assert(reduce(output, sizeof output, write_model(&g), out, "--compact") == 2 && strstr(output, "are one tensor"));
    ck_assert(reduce(output, sizeof output, path, out, "--compact --apply=pairs") == 2 && strstr(output, "apply `values`"));
    ck_assert(reduce(output, sizeof output, path, out, "--compact --format=gguf") == 2 && strstr(output, "safetensors only"));
    o.h = 1;
    char *run = write_model(&o), *stock = temp_path(temp_folder(), "x"), *compact = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, run, stock, "--apply=collapse") == 0, "%s", output);
    ck_assert_msg(reduce(output, sizeof output, run, compact, "--apply=collapse --compact") == 0, "%s", output);
    model a = open_model(stock), b = open_model(compact);
    ck_assert(b.D.identity[PROJECT_K] && !b.D.identity[PROJECT_Q]);
    ck_assert_int_eq(a.D.parameters - b.D.parameters, o.L * o.d * o.d);
    close_model(&a);
    close_model(&b);
    ck_assert(gap_of_files(stock, compact) < -90 && gap_of_files(run, compact) < -12);
}
END_TEST

START_TEST(identities_left_out)
{
    char output[4096];
    spec s = spec_of(OWN);
    s.skips = "10";
    char *path = write_model(&s), *stock = temp_path(temp_folder(), "x"), *compact = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, path, stock, "--stock") == 0, "%s", output);
    ck_assert_msg(reduce(output, sizeof output, path, compact, "--compact") == 0, "%s", output);
    model a = open_model(stock), b = open_model(compact);
    ck_assert(b.D.identity[PROJECT_Q] && !a.D.identity[PROJECT_Q]);
    ck_assert_int_eq(a.D.parameters - b.D.parameters, s.L * s.d * s.d);
    close_model(&a);
    close_model(&b);
    ck_assert(gap_of_files(stock, compact) < -90 && gap_of_files(path, compact) < -12);          /* the same numbers */
    ck_assert(reduce(output, sizeof output, path, temp_path(temp_folder(), "x"), "--compact --apply=values") == 2);
    ck_assert_msg(strstr(output, "leaves out nothing"), "%s", output);
}
END_TEST

/* ---- the same in this process ------------------------------------------------------------------------------------ */

/* The folder, new. */
static char *written(const char *path, plan_request ask, layout_choice c)
{
    model m = open_model(path);
    reduction_plan p = plan_of(&m.w, &m.D, m.c, &ask);
    ck_assert_msg(!p.nothing, "%s", p.nothing);
    arith R = arith_arb(256);
    rewrite *r = rewrite_open(&m.D, p.plan, &R);
    const char *why = layout_refuses(&m.w, &m.D, c.format);
    if (!why) why = layout_refuses_result(&m.w, r, &c);
    if (!why && c.compact) why = layout_refuses_compact(r);
    ck_assert_msg(!why, "%s", why);
    file_layout l = layout_of(&m.w, r, &c);
    char *out = temp_path(temp_folder(), "to/x");
    char *sums = gauge_file_sums(&m.w);
    ck_assert(writer_write(r, &l, &(writer_task){ .folder = out, .reduced = "it", .source = "here", .block = 20, .original = sums }));
    free(sums);
    layout_free(&l);
    rewrite_close(r);
    arith_close(&R);
    plan_free(&p);
    close_model(&m);
    return out;
}

START_TEST(written_here)
{
    const plan_request own = { NULL, true, false };
    const kind kinds[] = { LLAMA, QWEN, LLAMA2C, GGUF_LLAMA, GGUF_QWEN, GPT2, NANO, NEOX, LLMC, GGUF_GPT2, OWN };
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (int f = 0; f < FORMATS; f++) {
            spec s = spec_of(kinds[k]);
            char *path = write_model(&s);
            model m = open_model(path);
            const char *why = layout_refuses(&m.w, &m.D, (file_format)f);
            close_model(&m);
            ck_assert(f > 0 || !why);
            if (why) continue;
            char *out = written(path, own, (layout_choice){ .format = (file_format)f });
            if (kinds[k] == LLMC && f == FORMAT_SAFETENSORS) {                                      /* Hugging Face's names, without the padding */
                weights w = weights_open(out);
                ck_assert(weights_find(&w, "transformer.wte.weight") && !weights_find(&w, "wte.padding"));
                weights_close(&w);
            }
            const double g = gap_of_files(path, out);
            ck_assert_msg(g < -12, "%d as %s: 2^%.1f", (int)kinds[k], format_word[f], g);
        }
    spec s = spec_of(LLAMA), one = spec_of(OWN), two = one;
    weights h = weights_open(written(write_model(&s), own, (layout_choice){ FORMAT_GGUF, "BF16", false }));
    for (long k = 0; k < h.tensors; k++) ck_assert_str_eq(h.tensor[k].type, h.tensor[k].rank == 1 ? "F32" : "BF16");
    weights_close(&h);
    h = weights_open(written(write_model(&s), own, (layout_choice){ .format = FORMAT_LLAMA2C }));
    double c, i;
    weight_numbers(weights_find(&h, "freqs_cos"), 3, 1, &c);
    weight_numbers(weights_find(&h, "freqs_sin"), 3, 1, &i);
    ck_assert(c == (double)(float)cos(0.01) && i == (double)(float)sin(0.01));
    weights_close(&h);
    spec v1 = spec_of(LLAMA2C);
    v1.version = 1;
    size_t n;
    int32_t V;
    char *x = bytes_of(written(write_model(&v1), own, (layout_choice){ .format = FORMAT_LLAMA2C }), "model.bin", &n);
    memcpy(&V, x + 8 + 5 * 4, 4);
    ck_assert(V == v1.V && !x[36]);                                      /* its head is a matrix of its own */
    free(x);
    s.kv = 4;
    const layout_choice compact = { FORMAT_SAFETENSORS, NULL, true };
    char *path = write_model(&s), *blocks = written(path, (plan_request){ "values", false, false }, compact);
    ck_assert(gap_of_files(path, blocks) < -12 && gap_of_files(path, written(path, (plan_request){ "slim", false, false }, compact)) < -12);
    model b = open_model(blocks);
    ck_assert(b.D.value_rows);
    close_model(&b);
    one.h = 1;
    path = write_model(&one);
    b = open_model(written(path, (plan_request){ "collapse", false, false }, compact));
    ck_assert(b.D.identity[PROJECT_K] && !b.D.identity[PROJECT_Q]);
    close_model(&b);
    two.skips = "10";
    path = write_model(&two);
    b = open_model(written(path, (plan_request){ "every-query", false, false }, compact));
    ck_assert(!b.D.identity[PROJECT_K] && b.D.identity[PROJECT_Q]);
    close_model(&b);
}
END_TEST

/* Bases and a layer's attention alone stay in memory, nothing of what they were made from. */
START_TEST(little_is_held)
{
    static const struct { kind kind; const char *apply; long bases; } of[] = {
        { GPT2, "no-layernorm", 2 }, { OWN, "one-query,values", 2 }, { LLAMA, "triangle", 3 }, { LLAMA, "stacked", 2 }, { OWN, "values,queries", 0 }, { OWN, "every-query", 2 } };
    arith R = arith_arb(192);
    for (size_t k = 0; k < COUNT(of); k++) {
        spec s = spec_of(of[k].kind);
        if (s.kind == GPT2) s.eps = 1e12;
        if (strcmp(of[k].apply, "stacked") == 0) s.no_norm = true, s.kv = 1;
        if (strcmp(of[k].apply, "every-query") == 0) s.skips = "10", s.L = 4;
        s.m = 2048;
        model m = open_model(write_model(&s));
        reduction_plan p = plan_of(&m.w, &m.D, m.c, &(plan_request){ of[k].apply, true, false });
        rewrite *r = rewrite_open(&m.D, p.plan, &R);
        const long d2 = s.d * s.d, small = 4 * s.d + 4 * (s.d / s.h) * s.d;     /* shifts; gauges of heads */
        ck_assert_msg(r->keep.held <= of[k].bases * d2 + small, "%s: %ld numbers of bases, d^2 = %ld", of[k].apply, r->keep.held, d2);
        const weight_source from = rewrite_source(r);
        for (long i = 0; i < s.L; i++) {
            scope own = scope_open(&R, 0, 0);
            own.frugal = true;
            from.part(from.of, &own, ROLE_O, i, 0, 0);
            ck_assert_msg(r->layer.held <= 4 * d2 + small, "%s: %ld numbers of attention, d^2 = %ld", of[k].apply, r->layer.held, d2);
            from.part(from.of, &own, ROLE_UP_BIAS, i, 0, 0);
            ck_assert_msg(own.most_held < s.m * s.d, "%s: %ld numbers for a bias", of[k].apply, own.most_held);
            from.part(from.of, &own, ROLE_DOWN, i, 0, 1);
            scope_close(&own);
            ck_assert_msg(r->keep.held <= of[k].bases * d2 + small, "%s: %ld numbers of bases, layer %ld", of[k].apply, r->keep.held, i);
        }
        rewrite_close(r);
        plan_free(&p);
        close_model(&m);
    }
    arith_close(&R);
}
END_TEST

/* What is kept from one part to the next is of the right layer. */
START_TEST(parts_in_any_order)
{
    static const struct { kind kind; const char *apply; } of[] = { { GPT2, "no-layernorm" }, { LLAMA, "triangle" }, { OWN, "every-query" } };
    static const tensor_role roles[] = { ROLE_UP, ROLE_K, ROLE_DOWN };
    arith R = arith_arb(128);
    for (size_t k = 0; k < COUNT(of); k++) {
        spec s = spec_of(of[k].kind);
        if (s.kind == GPT2) s.eps = 1e12;
        s.skips = "10";
        model m = open_model(write_model(&s));
        reduction_plan p = plan_of(&m.w, &m.D, m.c, &(plan_request){ of[k].apply, true, false });
        for (size_t i = 0; i < COUNT(roles); i++) {
            rewrite *r = rewrite_open(&m.D, p.plan, &R), *alone = rewrite_open(&m.D, p.plan, &R);
            const weight_source from = rewrite_source(r), only = rewrite_source(alone);
            scope a = scope_open(&R, 0, 0);
            from.part(from.of, &a, roles[i], 1, 0, roles[i] == ROLE_K ? 0 : 3);
            const mat *x = from.part(from.of, &a, roles[i], 0, 0, roles[i] == ROLE_K ? 0 : 3);
            const mat *y = only.part(only.of, &a, roles[i], 0, 0, roles[i] == ROLE_K ? 0 : 3);
            for (long j = 0; j < x->rows; j++)
                for (long c = 0; c < x->cols; c++) ck_assert_msg(at(x, j, c) == at(y, j, c), "%s: %s", of[k].apply, role_name[roles[i]]);
            scope_close(&a);
            rewrite_close(r);
            rewrite_close(alone);
        }
        plan_free(&p);
        close_model(&m);
    }
    arith_close(&R);
}
END_TEST

START_TEST(results_that_no_format_holds)
{
    const struct { kind kind; const char *apply; layout_choice c; const char *says; } of[] = {
        { LLAMA, "values", { FORMAT_LLAMA2C, "F16", false }, "float32 only" }, { LLAMA, "values", { FORMAT_GGUF, "F64", false }, "read no F64" },
        { LLAMA, "values", { FORMAT_GGUF, NULL, true }, "safetensors only" }, { LLAMA, "slim", { FORMAT_SAFETENSORS, NULL, false }, "--compact" },
        { GPT2, "no-layernorm", { FORMAT_GGUF, NULL, false }, "no norms" } };
    arith R = arith_arb(128);
    for (size_t k = 0; k < COUNT(of); k++) {
        spec s = spec_of(of[k].kind);
        s.kv = 4;
        if (of[k].kind == GPT2) s.eps = 1e12;
        model m = open_model(write_model(&s));
        reduction_plan p = plan_of(&m.w, &m.D, m.c, &(plan_request){ of[k].apply, true, false });
        rewrite *r = rewrite_open(&m.D, p.plan, &R);
        const char *why = layout_refuses_result(&m.w, r, &of[k].c);
        ck_assert_msg(why && strstr(why, of[k].says), "%s: %s", of[k].says, why ? why : "not refused");
        rewrite_close(r);
        plan_free(&p);
        close_model(&m);
    }
    arith_close(&R);
}
END_TEST

typedef struct { const char *path, *apply, *out; } attempt;
static void open_it(void *of)
{
    const attempt *a = of;
    weights w = weights_open(a->path);
    transformer D = transformer_of(&w);
    _exit(D.unknown ? 1 : 0);
}
static void plan_it(void *of)
{
    const attempt *a = of;
    model m = open_model(a->path);
    reduction_plan p = plan_of(&m.w, &m.D, m.c, &(plan_request){ a->apply, true, false });
    if (p.refused) die("%s", p.refused);
    _exit(0);
}
static void write_in_half(void *of)                        /* gains of a million are beyond the type */
{
    const attempt *a = of;
    model m = open_model(a->path);
    arith R = arith_arb(128);
    rewrite *r = rewrite_open(&m.D, (rewrite_plan){ .values = true }, &R);
    file_layout l = layout_of(&m.w, r, &(layout_choice){ FORMAT_SAFETENSORS, "F16", false });
    _exit(writer_write(r, &l, &(writer_task){ .folder = a->out, .reduced = "x", .source = "x" }));
}

static void dies(void (*f)(void *), attempt a, const char *says)
{
    char output[4096];
    const int status = run_child(f, &a, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, says), "%s: %d %s", says, status, output);
}

/* Its configuration says so, and so must that of what is written. */
START_TEST(a_model_without_norms_stays_one)
{
    spec s = spec_of(LLAMA);
    s.no_norm = true;
    char *path = write_model(&s), *out = written(path, (plan_request){ "values", false, false }, (layout_choice){ .format = FORMAT_SAFETENSORS });
    ck_assert(gap_of_files(path, out) < -12);
}
END_TEST

/* llama2.c's format is float32, whatever the numbers were. */
START_TEST(halves_become_float32)
{
    spec s = spec_of(LLAMA);
    char *half = written(write_model(&s), (plan_request){ "values", false, false }, (layout_choice){ .format = FORMAT_SAFETENSORS, .type = "F16" });
    char *out = written(half, (plan_request){ "pairs", false, false }, (layout_choice){ .format = FORMAT_LLAMA2C });
    ck_assert(gap_of_files(half, out) < -12);
}
END_TEST

/* A run says itself whether it has norms: without them it is read as a run that has none. */
START_TEST(a_run_whose_norms_were_forced_out)
{
    spec s = spec_of(OWN);
    s.own_norms = true;
    char *path = write_model(&s), *out = written(path, (plan_request){ "no-layernorm", false, true }, (layout_choice){ .format = FORMAT_SAFETENSORS });
    model a = open_model(path), b = open_model(out);
    ck_assert(a.D.norm == NORM_OF_LAYER && b.D.norm == NORM_OF_NONE && !tensor_of(&b.D, ROLE_FINAL_GAIN, -1));
    close_model(&a);
    close_model(&b);
    ck_assert(gap_of_files(path, out) > -8);                            /* and it is another function */
}
END_TEST

START_TEST(dies_here)
{
    spec n = spec_of(NANO), s = spec_of(LLAMA), g = spec_of(GPT2);
    n.h = 1;
    s.kv = 4;
    g.eps = 1e12;
    char *one = write_model(&n), *llama = write_model(&s), *top = temp_folder();
    dies(plan_it, (attempt){ .path = one, .apply = "collapse,values" }, "the collapse makes");
    dies(plan_it, (attempt){ .path = one, .apply = "zero-row,queries" }, "a row of W_Q is 0 by then");
    dies(plan_it, (attempt){ .path = llama, .apply = "slim,values" }, "acts on keys by then");
    dies(write_in_half, (attempt){ .path = write_model(&g), .out = temp_path(top, "to/here") }, "beyond the range");
    ck_assert(!temp_exists(top, "to"));
}
END_TEST

/* What config.json says about the rows that are not there. */
START_TEST(rows_that_lie)
{
    char output[8192];
    spec s = spec_of(LLAMA);
    char *compact = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, write_model(&s), compact, "--compact") == 0, "%s", output);
    char *config = temp_read(compact, "config.json", NULL);
    json_t *whole = json_loads(config, 0, NULL), *rows = json_object_get(json_object_get(whole, "provably"), "value_rows");
    ck_assert_int_eq(json_array_size(rows), s.L);
    for (int k = 0; k < 6; k++) {
        json_t *c = json_deep_copy(whole), *own = json_object_get(c, "provably"), *all = json_object_get(own, "value_rows");
        json_t *layer = json_array_get(all, 1), *head = json_array_get(layer, 1);
        if (k == 0) json_array_set_new(head, 0, json_integer(s.d));
        if (k == 1) json_array_set_new(head, 0, json_incref(json_array_get(head, 1)));
        if (k == 2) json_array_remove(head, 0);
        if (k == 3) json_array_remove(layer, 0);
        if (k == 4) json_array_set_new(all, 1, json_string("x"));
        if (k == 5) json_object_del(own, "value_rows");                   /* then W_V has too few columns */
        char *text = json_dumps(c, 0);
        temp_text(compact, "config.json", text);
        dies(open_it, (attempt){ .path = compact }, k < 5 ? "value_rows are not" : "v_proj.weight is [");
        free(text);
        json_decref(c);
    }
    json_decref(whole);
}
END_TEST

/* The file with the names and the flag of values computed from keys, whatever its numbers are. */
static char *called_slim(const char *path, bool flag)
{
    safetensors from = safetensors_read(path), to = { 0 };
    for (long k = 0; k < from.tensors; k++) {
        const safetensor *t = &from.tensor[k];
        const char *at = strstr(t->name, "v_proj.");
        safetensors_tensor(&to, at ? temp_format("%.*sv_from_k_%s", (int)(at - t->name), t->name, at + 2) : t->name, t->rank, t->shape, t->x);
    }
    char *folder = temp_folder(), *file = temp_path(folder, "model.safetensors");
    spec s = spec_of(LLAMA);
    s.kv = 4;
    char *config = config_of(&s);
    temp_text(folder, "config.json", temp_format("%.*s,\"provably\":{%s}}", (int)strlen(config) - 1, config, flag ? "\"values\":\"from keys\"" : ""));
    safetensors_write(&to, file);
    safetensors_free(&from);
    safetensors_free(&to);
    return file;
}

START_TEST(a_slim_file)
{
    char output[8192];
    spec s = spec_of(LLAMA), grouped = s;
    s.kv = 4;
    char *path = write_model(&s), *out = temp_path(temp_folder(), "x"), *pairs = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, path, out, "--apply=slim") == 2 && strstr(output, "--compact") && !temp_exists(out, ""), "%s", output);
    ck_assert(reduce(output, sizeof output, path, out, "--apply=slim,values --compact") == 2 && strstr(output, "acts on keys by then"));
    ck_assert(reduce(output, sizeof output, path, out, "--apply=slim --compact --format=gguf") == 2 && strstr(output, "safetensors only"));
    ck_assert(reduce(output, sizeof output, write_model(&grouped), out, "--apply=slim --compact") == 2 && strstr(output, "W_K is not a square matrix"));
    ck_assert_msg(reduce(output, sizeof output, path, out, "--apply=slim --compact") == 0 && strstr(output, "condition number"), "%s", output);
    model m = open_model(out);
    ck_assert(m.D.slim && weights_find(&m.w, "model.layers.1.self_attn.v_from_k_proj.weight") && !weights_find(&m.w, "model.layers.1.self_attn.v_proj.weight"));
    ck_assert_str_eq(json_string_value(json_object_get(m.w.config, "model_type")), "provably-llama");
    ck_assert_str_eq(m.D.family, "llama");
    reduction_list none = reductions_of(&m.D, m.c);
    ck_assert(none.nothing && strstr(none.nothing, "computed from keys"));
    reductions_free(&none);
    close_model(&m);
    ck_assert(gap_of_files(path, out) < -12);
    ck_assert(run_command(output, sizeof output, "%s/provably inspect '%s'", build_folder(), out) == 0 && strstr(output, "V = K W_V"));
    const int slim = run_command(output, sizeof output, "%s/provably verify '%s' '%s'", build_folder(), path, out);
    ck_assert_msg((slim == 0 || slim == 3) && strstr(output, "computed from keys: no in A, yes in B"), "%d: %s", slim, output);    /* never different */
    /* The keys of B are A's under a gauge, and the matrices behind them are the same: values are others. */
    ck_assert_msg(reduce(output, sizeof output, path, pairs, "--apply=pairs --type=F32") == 0, "%s", output);
    char *a = called_slim(path, true), *b = called_slim(temp_path(pairs, "model.safetensors"), true);
    ck_assert(run_command(output, sizeof output, "%s/provably verify '%s' '%s'", build_folder(), path, temp_path(pairs, "model.safetensors")) == 0);
    ck_assert_msg(run_command(output, sizeof output, "%s/provably verify '%s' '%s'", build_folder(), a, b) == 1, "%s", output);
    ck_assert(gap_of_files(a, b) > -5);
    model x = open_model(a), y = open_model(b), z = open_model(path);
    structure both = structure_of(&x.D, &y.D, NULL), with_stock = structure_of(&z.D, &x.D, NULL);
    gauge_found found = gauge_between(&x.D, &y.D, &both, 128);
    ck_assert_msg(!found.found && strstr(found.why, "computed from keys"), "%s", found.why ? found.why : "a gauge was found");
    ck_assert(both.settings == 0 && with_stock.settings == 1 && strstr(with_stock.setting[0], "no in A, yes in B"));
    gauge_found_free(&found);
    structure_free(&both);
    structure_free(&with_stock);
    close_model(&x);
    close_model(&y);
    close_model(&z);
    dies(open_it, (attempt){ .path = called_slim(path, false) }, "contradict each other");
}
END_TEST

/* Where W_Q, W_K, W_V are one tensor, and in runs of ours, the tensor with the values has another name. */
START_TEST(slim_files_of_other_layouts)
{
    char output[8192];
    static const struct { kind kind; long h; const char *apply, *name, *stock, *type; } of[] = {
        { GPT2, 2, "slim", "transformer.h.1.attn.c_attn_v_from_k.weight", "transformer.h.1.attn.c_attn.weight", "provably-gpt2" },
        { GPT2, 2, "zero-row,slim", "transformer.h.1.attn.c_attn_v_from_k.bias", "transformer.h.1.attn.c_attn.bias", "provably-gpt2" },
        { NANO, 2, "slim,queries", "transformer.h.1.attn.c_attn_v_from_k.weight", "transformer.h.1.attn.c_attn.weight", "provably-nanogpt" },
        { NEOX, 2, "slim,pairs", "gpt_neox.layers.0.attention.query_key_value_v_from_k.weight", "gpt_neox.layers.0.attention.query_key_value.weight", "provably-gpt_neox" },
        { GGUF_GPT2, 2, "slim", "transformer.h.0.attn.c_attn_v_from_k.weight", "transformer.h.0.attn.c_attn.weight", "provably-gpt2" },
        { LLMC, 2, "slim", "transformer.h.0.attn.c_attn_v_from_k.weight", "transformer.h.0.attn.c_attn.weight", "provably-gpt2" },
        { OWN, 2, "slim,one-query", "h.1.attn.v_from_k", "h.1.attn.v", "provably" },
        { OWN, 1, "collapse,slim", "h.1.attn.v_from_k", "h.1.attn.v", "provably" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        spec s = spec_of(of[k].kind);
        s.h = of[k].h;
        if (s.kind == NEOX) s.kv = 2;
        same(&s, &(plan_request){ of[k].apply, false, false }, of[k].apply);
        char *path = write_model(&s), *out = temp_path(temp_folder(), "x"), *stock = temp_path(temp_folder(), "x");
        if (s.kind == NANO) {                                           /* as nanoGPT's configuration is */
            char *slash = strrchr(path, '/'), *folder = temp_format("%.*s", (int)(slash - path), path), *config = config_of(&s);
            temp_text(folder, "config.json", temp_format("{%s", strchr(config, ',') + 1));
        }
        ck_assert_msg(reduce(output, sizeof output, path, stock, temp_format("--apply=%s --format=safetensors", of[k].apply)) == 2
                      && strstr(output, "--compact") && !temp_exists(stock, ""), "%s", output);
        ck_assert_msg(reduce(output, sizeof output, path, out, temp_format("--apply=%s --compact --format=safetensors", of[k].apply)) == 0, "%s", output);
        model m = open_model(out), a = open_model(path);
        ck_assert_msg(m.D.slim && weights_find(&m.w, of[k].name) && !weights_find(&m.w, of[k].stock), "%s", of[k].name);
        ck_assert_str_eq(json_string_value(json_object_get(m.w.config, "model_type")), of[k].type);
        ck_assert(s.kind != OWN || s.h > 1 || (m.D.identity[PROJECT_K] && !a.D.identity[PROJECT_K]));
        close_model(&m);
        close_model(&a);
        const double g = gap_of_files(path, out);
        ck_assert_msg(g < -9 && g > -60, "%s of kind %d: 2^%.1f", of[k].apply, (int)s.kind, g);
        ck_assert(run_command(output, sizeof output, "%s/provably inspect '%s'", build_folder(), out) == 0 && strstr(output, "V = K W_V"));
        ck_assert_msg(reduce(output, sizeof output, out, stock, "") == 0 && strstr(output, "nothing is left to do"), "%s", output);
        if (s.kind != GPT2) continue;
        temp_text(out, "config.json", config_of(&s));                    /* of a stock file */
        dies(open_it, (attempt){ .path = out }, "contradict each other");
    }
}
END_TEST

/* What took no gauge of heads is enclosed on token sequences, and the certificate holds. */
START_TEST(certified)
{
    char output[8192];
    spec nano = spec_of(NANO), own = spec_of(OWN), llama = spec_of(LLAMA);
    own.h = 1;
    llama.kv = 4;
    const struct { const spec *s; const char *options; } of[] = { { &nano, "--apply=zero-row" }, { &own, "--apply=collapse" },
        { &llama, "--apply=slim --compact" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        char *path = write_model(of[k].s), *out = temp_path(temp_folder(), "x"), *file = temp_path(temp_folder(), "certificate");
        ck_assert_msg(reduce(output, sizeof output, path, out, of[k].options) == 0, "%s", output);
        const int is = run_command(output, sizeof output, "%s/provably verify '%s' '%s' --length=5 --certified -o '%s'", build_folder(), path, out, file);
        ck_assert_msg(is == 0 || (k > 0 && is == 3), "%d: %s", is, output);        /* recognised, or undecided; never different */
        ck_assert_msg(run_command(output, sizeof output, "%s/provably verify '%s' '%s' --certificate='%s'", build_folder(), path, out, file) == 0
                      && strstr(output, "holds"), "%s", output);
    }
}
END_TEST

static int verify(char *output, size_t size, const char *a, const char *b, const char *options)
{
    return run_command(output, size, "%s/provably verify '%s' '%s' %s", build_folder(), a, b, options);
}

/* In every format, type and construction: the same function up to rounding, for all inputs.  What rounding does not explain
 * is not written. */
START_TEST(verify_recognises_what_is_written)
{
    static const struct { kind kind; const char *options; } of[] = {
        { GPT2, "" }, { NANO, "" }, { LLAMA, "" }, { QWEN, "" }, { NEOX, "" }, { OWN, "--untie" }, { LLAMA2C, "" }, { LLMC, "" },
        { GGUF_LLAMA, "" }, { GGUF_QWEN, "" }, { GGUF_GPT2, "" }, { GPT2, "--apply=zero-row" }, { GPT2, "--apply=queries,values" },
        { LLAMA, "--apply=pairs" }, { LLAMA, "--apply=triangle --untie" }, { OWN, "--apply=one-query --untie" }, { LLAMA, "--compact" },
        { GGUF_LLAMA, "--format=safetensors" }, { LLAMA, "--format=gguf" }, { LLAMA2C, "--format=gguf" } };
    static const char *const type[] = { "", "--type=F64", "--type=F32", "--type=F16", "--type=BF16" };
    char output[8192];
    long written = 0;
    for (size_t k = 0; k < COUNT(of); k++) {
        spec s = spec_of(of[k].kind);
        const char *path = write_model(&s);
        for (size_t t = 0; t < COUNT(type); t++) {
            char *out = temp_path(temp_folder(), "x"), *options = temp_format("%s %s", of[k].options, type[t]);
            const bool no_type = s.kind == LLAMA2C && t != 0 && t != 2 && !strstr(options, "gguf");
            const bool no_doubles = t == 1 && (strstr(options, "gguf") || s.kind >= GGUF_LLAMA);
            if (no_type || no_doubles) continue;
            const int status = reduce(output, sizeof output, path, out, options);
            ck_assert_msg(status == 0 && strstr(output, "measured on"), "%d %s: %s", s.kind, options, output);
            written++;
            const int same = verify(output, sizeof output, path, out, "");
            ck_assert_msg(same == 0 && strstr(output, "for all inputs"), "%d %s: %d %s", s.kind, options, same, output);
            verify(output, sizeof output, path, out, "--width=400");
            ck_assert_msg(temp_exists(out, GAUGE_FILE) == (strstr(output, "checked, not searched for") != NULL), "%d %s: %s", s.kind, options, output);
        }
    }
    printf("reduced files that verify recognises: all %ld\n", written);
}
END_TEST

/* The gauges in that folder make its model of the one at path. */
static bool gauges_hold(const char *path, const char *out)
{
    model a = open_model(path), b = open_model(out);
    const char *others;
    gauge_file g = gauge_file_read(temp_path(out, GAUGE_FILE), &a.w, &a.D, &b.w, &others);
    ck_assert_msg(!others, "%s", others);
    structure s = structure_of(&a.D, &b.D, NULL);
    gauge_found found = gauge_check(&a.D, &b.D, &s, 256, &g);
    const bool hold = found.found && found.given == &g;
    if (!hold) printf("%s\n", found.why);
    gauge_found_free(&found);
    structure_free(&s);
    gauge_file_free(&g);
    close_model(&a);
    close_model(&b);
    return hold;
}

/* Bases of the stream, of each kind, with shifts and without. */
START_TEST(gauges_of_bases_are_checked)
{
    static const struct { kind kind; const char *skips, *apply; bool tied, written; } of[] = {
        { OWN, "10", "every-query", false, true }, { OWN, "10", "every-query,values", true, true }, { OWN, "11", "one-query", false, true },
        { OWN, "11", "shared-query,queries", false, true }, { LLAMA, "11", "stacked,values", false, true }, { GPT2, "without", "one-query,values", true, true },
        { QWEN, "without", "one-query", false, true }, { QWEN, "without", "one-query,values", true, true },      /* b_Q stays: up and gate have none */
        { GPT2, "11", "no-layernorm", false, false }, { NANO, "11", "collapse", false, false },
        { NANO, "11", "no-layernorm", false, false }, { GGUF_LLAMA, "11", "pairs,values", false, true } };
    static const char *const type[] = { "", "--type=F64", "--type=BF16" };
    char output[8192];
    for (size_t k = 0; k < COUNT(of); k++)
        for (size_t t = 0; t < COUNT(type); t++) {
            spec s = spec_of(of[k].kind);
            s.skips = of[k].skips;
            s.tied = of[k].tied;
            if (s.kind == LLAMA) s.no_norm = true, s.kv = 1;
            if (strcmp(of[k].skips, "without") == 0) s.no_norm = true;      /* with biases: the stream is shifted */
            s.shared = strncmp(of[k].apply, "shared", 6) == 0;
            if (strcmp(of[k].apply, "no-layernorm") == 0) s.eps = 1e12;
            if (strcmp(of[k].apply, "collapse") == 0) s.h = 1;
            char *path = write_model(&s), *out = temp_path(temp_folder(), "x");
            const char *name = temp_format("%d %s %s %s", s.kind, s.skips, of[k].apply, type[t]);
            if (s.kind == GGUF_LLAMA && t == 1) continue;
            if (t == 0) {
                char *here = written(path, (plan_request){ of[k].apply, true, false }, (layout_choice){ FORMAT_SAFETENSORS, NULL, false });
                ck_assert_msg(temp_exists(here, GAUGE_FILE) == of[k].written, "%s", name);
                if (of[k].written) ck_assert_msg(gauges_hold(path, here), "%s", name);
            }
            ck_assert_msg(reduce(output, sizeof output, path, out, temp_format("--untie --apply=%s %s", of[k].apply, type[t])) == 0, "%s: %s", name, output);
            ck_assert_msg(temp_exists(out, GAUGE_FILE) == of[k].written, "%s: %s", name, output);
            const int same = verify(output, sizeof output, path, out, "--width=400");
            ck_assert_msg(same == 0 && (strstr(output, "checked, not searched for") != NULL) == of[k].written, "%s: %d %s", name, same, output);
        }
}
END_TEST

/* The note in B only says where to look. */
START_TEST(a_note_proves_nothing)
{
    char output[8192];
    spec s = spec_of(LLAMA);
    s.kv = 4;
    char *path = write_model(&s), *folder = temp_folder(), *out = temp_path(folder, "x");
    ck_assert_msg(reduce(output, sizeof output, path, out, "--apply=slim --compact") == 0, "%s", output);
    ck_assert_msg(verify(output, sizeof output, path, out, "") == 0 && strstr(output, "B is what `provably reduce` makes of A with slim"), "%s", output);
    size_t n;
    char *bytes = temp_read(out, "model.safetensors", &n);
    float last, other;
    for (long back = 1; back <= 40; back += 13) {                        /* one number four units away */
        memcpy(&last, bytes + n - 4 * back, 4);
        other = last * (1 + 0x1p-21f);
        memcpy(bytes + n - 4 * back, &other, 4);
        temp_write(out, "model.safetensors", bytes, n);
        const int status = verify(output, sizeof output, path, out, "");
        ck_assert_msg(status == 1 || status == 3, "%d: %s", status, output);
        ck_assert_msg(strstr(output, "and it is not what that makes of A"), "%s", output);
        memcpy(bytes + n - 4 * back, &last, 4);
    }
    char *note = memmem(bytes, n, "slim", 4);
    memcpy(note, "slam", 4);
    temp_write(out, "model.safetensors", bytes, n);
    const int status = verify(output, sizeof output, path, out, "");
    ck_assert_msg((status == 1 || status == 3) && strstr(output, "is no construction"), "%d: %s", status, output);
    memcpy(note, "slim", 4);
    temp_write(out, "model.safetensors", bytes, n);
    char *config = temp_read(out, "config.json", NULL), *eps = strstr(config, "e-5");
    ck_assert_msg(eps != NULL, "%s", config);
    eps[2] = '4';
    temp_text(out, "config.json", config);
    ck_assert_int_eq(verify(output, sizeof output, path, out, ""), 1);
    ck_assert_msg(strstr(output, "eps of the norms"), "%s", output);
}
END_TEST

/* The shift of the stream is b_Q W_Q^-1: small queries with a bias move it far, whatever the condition of W_Q. */
START_TEST(a_loss_is_refused)
{
    char output[8192];
    static const struct { double factor; int status; } of[] = { { 1, 0 }, { 0x1p-20, 2 } };
    for (size_t k = 0; k < COUNT(of); k++) {
        spec s = spec_of(GPT2);
        s.eps = 1e12;
        dead = "transformer.h.0.attn.c_attn.weight";
        dead_columns = s.d;
        dead_factor = of[k].factor;
        char *path = write_model(&s), *out = temp_path(temp_folder(), "x");
        dead = NULL;
        dead_factor = 0;
        const char *options = "--apply=no-layernorm --untie";
        const int status = reduce(output, sizeof output, path, out, options);
        ck_assert_msg(status == of[k].status, "%g: %d %s", of[k].factor, status, output);
        ck_assert_msg(strstr(output, status ? "nothing was written: say --type=F64" : "measured on") != NULL, "%s", output);
        ck_assert(temp_exists(out, "") == !status);
        if (!status) continue;
        ck_assert_msg(reduce(output, sizeof output, path, out, temp_format("%s --type=F64", options)) == 0, "%s", output);
        ck_assert_msg(verify(output, sizeof output, path, out, "") == 0, "%s", output);
    }
}
END_TEST

/* What is taken back with the model: its gauges. */
START_TEST(gauges_of_a_loss_are_taken_back)
{
    char output[8192];
    spec s = spec_of(GPT2);
    s.no_norm = true;
    s.L = 1;
    dead = "transformer.h.0.attn.c_attn.weight";
    dead_columns = s.d;
    dead_factor = 0x1p-20;
    char *path = write_model(&s), *out = temp_path(temp_folder(), "x");
    dead = NULL;
    dead_factor = 0;
    ck_assert_msg(reduce(output, sizeof output, path, out, "--apply=one-query --untie") == 2, "%s", output);
    ck_assert_msg(strstr(output, GAUGE_FILE ": the changes of basis") && strstr(output, "nothing was written: say --type=F64"), "%s", output);
    ck_assert(!temp_exists(out, ""));
}
END_TEST

START_TEST(numbers_are_rounded_once)
{
    bool fits;
    static const struct { double x, y; const char *type; } of[] = {
        { 1 + 0x1p-24, 1, "F32" }, { 1 + 0x1p-24 + 0x1p-52, 1 + 0x1p-23, "F32" }, { 1 + 0x3p-24, 1 + 0x1p-22, "F32" },
        { 0x1p-149, 0x1p-149, "F32" }, { 0x1p-150, 0, "F32" }, { 0x1.8p-149, 0x1p-148, "F32" }, { 1 + 0x1p-8, 1, "BF16" },
        { 1 + 0x1p-8 + 0x1p-52, 1 + 0x1p-7, "BF16" }, { 1 + 0x1p-11, 1, "F16" }, { 0x1.8p-24, 0x1p-23, "F16" },
        { 65519, 65504, "F16" }, { -1 - 0x1p-52, -1 - 0x1p-52, "F64" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        ck_assert_msg(sheet_nearest(of[k].x, of[k].type, &fits) == of[k].y && fits, "%a to %s: %a", of[k].x, of[k].type,
                      sheet_nearest(of[k].x, of[k].type, &fits));
    }
    sheet_nearest(65520, "F16", &fits);
    ck_assert(!fits);
    sheet_nearest(0x1.ffffffp127, "F32", &fits);
    ck_assert(!fits);
}
END_TEST

/* With few bits Omega is not orthogonal to the last one: its balls say how far, and hold one that is. */
START_TEST(few_bits)
{
    spec s = spec_of(LLAMA);
    model m = open_model(write_model(&s));
    for (long bits = 40; bits <= 80; bits += 20) {
        arith R = arith_arb(bits);
        rewrite *r = rewrite_open(&m.D, (rewrite_plan){ .stream = STREAM_TRIANGLE, .values = true }, &R);
        ck_assert_msg(!rewrite_undecided(r), "%s", rewrite_undecided(r));
        scope k = scope_open(&R, 0, 0);
        const mat *turn = r->in[0].back, *one = mat_mul(&k, turn, mat_t(&k, turn));
        ck_assert_int_ne(mat_compare(one, mat_identity(&k, s.d), -10).is, REFUTED);
        const mat *W = part_of_file(&m.D, &k, ROLE_Q, r->plan.layer, 0, 0), *g = rewrite_folded_gain(r, &k, ROLE_GAIN1, r->plan.layer);
        const mat *all[4] = { r->turn[0], r->turn[0], r->turn[1], r->turn[1] };
        const mat *Q = mat_mul(&k, mat_mul(&k, turn, mat_scale_rows(&k, g, W)), mat_blockdiag(&k, 4, all));
        ck_assert_int_ne(mat_compare(Q, r->triangle, -10).is, REFUTED);
        scope_close(&k);
        if (bits == 40) {                                              /* too few for float32 */
            file_layout l = layout_of(&m.w, r, &(layout_choice){ .format = FORMAT_SAFETENSORS });
            char *out = temp_path(temp_folder(), "x");
            ck_assert(!writer_write(r, &l, &(writer_task){ .folder = out, .reduced = "triangle", .source = "x" }));
            ck_assert(!temp_exists(out, "model.safetensors") && !temp_exists(out, "model.safetensors.part") && !temp_exists(out, "config.json"));
            layout_free(&l);
        }
        rewrite_close(r);
        arith_close(&R);
    }
    close_model(&m);
}
END_TEST

START_TEST(refused)
{
    char output[4096];
    spec g = spec_of(GPT2), l = spec_of(LLAMA), o = spec_of(OWN);
    o.tied = true;
    l.tied = true;
    spec e = g;
    e.eps = 1e12;
    char *no_norm = write_model(&e);
    spec n1 = spec_of(NANO);
    n1.h = 1;
    char *one = write_model(&n1);
    char *gpt2 = write_model(&g), *llama = write_model(&l), *own = write_model(&o);
    const struct { const char *path, *options, *says; } of[] = {
        { gpt2, "--apply=one-query", "K-T4.2) does not apply: LayerNorm does not commute" },
        { gpt2, "--apply=no-layernorm", "divide by the deviation" }, { gpt2, "--apply=pairs", "not possible: there are no rotary pairs" },
        { gpt2, "--apply=triangle", "does not apply: it takes RMSNorm" }, { gpt2, "--apply=trangle", "did you mean `triangle`" },
        { gpt2, "--apply=", "names no construction" }, { gpt2, "--apply=values,", "ends with a comma" },
        { gpt2, "--apply=,values", "is no construction" }, { gpt2, "--apply=collapse", "it takes one head" }, { llama, "--apply=zero-row", "there are no LayerNorms" },
        { one, "--apply=collapse,values", "the collapse makes" }, { one, "--apply=zero-row,queries", "a row of W_Q is 0 by then" },
        { no_norm, "--apply=zero-row,no-layernorm --untie", "because of LayerNorm" },
        { gpt2, "--type=Q4", "--type" }, { gpt2, "--format=onnx", "--format" },
        { gpt2, "--format=llama2c", "Llama's kind only" }, { own, "--format=gguf", "written as safetensors" }, { llama, "--format=llama2c --type=F16", "float32 only" },
        { no_norm, "--format=gguf --untie --apply=no-layernorm", "no norms" }, { gpt2, "--force", "--force takes --apply" },
        { llama, "--apply=triangle", "--untie does that" }, { llama, "--apply=queries", "does not apply" },
        { llama, "--apply=one-query", "does not apply: RMSNorm commutes" }, { own, "--apply=one-query", "--untie" },
        { own, "--apply=one-query,every-query --untie", "each choose the basis" }, { own, "--apply=stacked --untie", "too wide" },
        { no_norm, "--apply=no-layernorm", "with --untie it becomes" }, { "/nowhere", "", "cannot read" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        char *out = temp_path(temp_folder(), "x");
        ck_assert_msg(reduce(output, sizeof output, of[k].path, out, of[k].options) == 2 && strstr(output, of[k].says), "%s: %s", of[k].says, output);
        ck_assert_msg(!temp_exists(out, ""), "%s left %s", of[k].options, out);
    }
    spec c = spec_of(GGUF_LLAMA), n = spec_of(LLAMA);                   /* a window: there is no key for it in Llama's config.json */
    model ggml = open_model(write_model(&c)), hf = open_model(write_model(&n));
    ck_assert(!layout_refuses(&ggml.w, &ggml.D, FORMAT_SAFETENSORS) && !layout_refuses(&hf.w, &hf.D, FORMAT_GGUF));
    ggml.D.window = hf.D.window = 4;
    ck_assert(layout_refuses(&ggml.w, &ggml.D, FORMAT_SAFETENSORS) && !layout_refuses(&ggml.w, &ggml.D, FORMAT_GGUF));
    ck_assert(layout_refuses(&hf.w, &hf.D, FORMAT_GGUF) && !layout_refuses(&hf.w, &hf.D, FORMAT_SAFETENSORS));
    hf.D.window = 0;
    hf.D.theta = 10000.1;
    ck_assert(strstr(layout_refuses(&hf.w, &hf.D, FORMAT_GGUF), "not a float32"));
    close_model(&ggml);
    close_model(&hf);
    char *out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, own, out, "") == 0, "%s", output);
    ck_assert_msg(reduce(output, sizeof output, own, out, "") == 2 && strstr(output, "is there already"), "%s", output);
    ck_assert_msg(reduce(output, sizeof output, own, own, "") == 2 && strstr(output, "is a file"), "%s", output);
    ck_assert_msg(reduce(output, sizeof output, own, "", "") == 2 && strstr(output, "--out=DIR"), "%s", output);
    out = temp_folder();                /* of a run: its name would then stand for the reduced model */
    temp_text(out, "last.ckpt", "PROVABLY 1\n");
    ck_assert_msg(reduce(output, sizeof output, own, out, "") == 2 && strstr(output, "is the folder of a training run"), "%s", output);
    ck_assert_int_eq(access(temp_path(out, "model.safetensors"), F_OK), -1);
}
END_TEST

static void reduce_in_little_room(void *of)
{
    const char *const *paths = of;
    char output[2000];
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 3000, 3000 });
    _exit(reduce(output, sizeof output, paths[0], paths[1], "") + (strstr(output, "cannot") ? 0 : 100));
}

START_TEST(full_disk)
{
    char output[2000];
    spec s = spec_of(GPT2);
    const char *paths[] = { write_model(&s), temp_path(temp_folder(), "x") };
    const int status = run_child(reduce_in_little_room, paths, output, sizeof output);
    ck_assert_msg(status == 2, "%d %s", status, output);
    ck_assert(!temp_exists(paths[1], ""));
}
END_TEST

static bool same_bytes(const char *folder, const char *other, const char *name)
{
    size_t n, m;
    char *x = bytes_of(folder, name, &n), *y = bytes_of(other, name, &m);
    const bool same = n == m && memcmp(x, y, n) == 0;
    free(x);
    free(y);
    return same;
}

/* What is refused in the middle of the work leaves nothing, the folders above it included. */
START_TEST(nothing_half_written)
{
    char output[4096];
    spec s = spec_of(GPT2);
    s.eps = 1e12;                                                        /* gains of a million */
    char *top = temp_folder(), *out = temp_path(top, "to/here");
    ck_assert_msg(reduce(output, sizeof output, write_model(&s), out, "--apply=values --type=F16") == 2 && strstr(output, "beyond the range of F16"), "%s", output);
    ck_assert(!temp_exists(top, "to"));
    temp_text(top, "kept", "x");                                         /* a folder that was there stays */
    ck_assert(reduce(output, sizeof output, write_model(&s), top, "--apply=values --type=F16") == 2);
    ck_assert(temp_exists(top, "kept") && !temp_exists(top, "model.safetensors.part") && !temp_exists(top, "config.json"));
    char *empty = temp_folder();
    ck_assert(reduce(output, sizeof output, write_model(&s), empty, "--apply=values --type=F16") == 2 && temp_exists(empty, ""));
}
END_TEST

/* Programs load what config.json says, in the type that it says. */
START_TEST(the_configuration_follows)
{
    char output[4096];
    spec s = spec_of(GGUF_LLAMA);
    s.biases = true;
    char *path = write_model(&s), *out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, path, out, "--format=safetensors") == 0, "%s", output);
    ck_assert_msg(strstr(temp_read(out, "config.json", NULL), "\"attention_bias\": true"), "%s", temp_read(out, "config.json", NULL));
    ck_assert(gap_of_files(path, out) < -12);
    s.biases = false;
    out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, write_model(&s), out, "--format=safetensors") == 0, "%s", output);
    ck_assert(!strstr(temp_read(out, "config.json", NULL), "attention_bias"));
    s.rotary = 2;
    out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, write_model(&s), out, "--format=safetensors") == 2
                  && strstr(output, "its heads turn in part") && !temp_exists(out, ""), "%s", output);
    s = spec_of(LLAMA);
    path = write_model(&s);
    char *from = temp_format("%.*s", (int)(strrchr(path, '/') - path), path);
    temp_text(from, "config.json", temp_format("{\"dtype\": \"bfloat16\", \"torch_dtype\": \"float32\", %s", config_of(&s) + 1));
    out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, from, out, "--type=F64") == 0, "%s", output);
    const char *config = temp_read(out, "config.json", NULL);
    ck_assert_msg(strstr(config, "\"dtype\": \"float64\"") && strstr(config, "\"torch_dtype\": \"float64\""), "%s", config);
    out = temp_path(temp_folder(), "x");
    ck_assert(reduce(output, sizeof output, from, out, "") == 0 && strstr(temp_read(out, "config.json", NULL), "\"dtype\": \"bfloat16\""));
}
END_TEST

/* Links of side files: below the folder and to the blobs of the hub's cache they are followed, elsewhere they are not. */
START_TEST(links_beside_it)
{
    char output[4096];
    spec s = spec_of(LLAMA);
    char *path = write_model(&s), *from = temp_format("%.*s", (int)(strrchr(path, '/') - path), path), *top = temp_folder();
    ck_assert_msg(run_command(output, sizeof output,
        "cd %s && mkdir -p m/snapshots/rev/below m/blobs m/blobs2 && cp %s/* m/snapshots/rev && echo secret >secret && echo blob >m/blobs/1 && cp secret m/blobs2/1 &&"
        " cd m/snapshots/rev && echo below >below/file && ln -s below/file vocab.json && ln -s ../../blobs/1 merges.txt && ln -s %s/secret tokenizer.json &&"
        " ln -s ../../blobs2/1 vocab.txt && ln -s ../../../secret tokenizer.model && ln ../../../secret spiece.model && ln -s ../../blobs tokens &&"
        " ln -s ../../secret ../../blobs/2 && ln -s ../../blobs/2 added_tokens.json && ln -s rev ../main", top, from, top) == 0, "%s", output);
    static const char *const folders[] = { "m/snapshots/rev", "m/snapshots/main", "plain/rev" };
    for (size_t k = 0; k < COUNT(folders); k++) {
        if (k == 2) ck_assert_int_eq(run_command(output, sizeof output, "cd %s && mkdir plain && mv m/snapshots/rev plain/ && mv m/blobs blobs", top), 0);
        char *out = temp_path(temp_folder(), "x");
        ck_assert_msg(reduce(output, sizeof output, temp_path(top, folders[k]), out, "") == 0, "%s", output);
        for (char *c = output; *c; c++) if (*c == '\n') *c = ' ';                          /* lines are wrapped */
        ck_assert_str_eq(temp_read(out, "vocab.json", NULL), "below\n");
        ck_assert_int_eq(temp_exists(out, "merges.txt"), k < 2);
        static const char *const away[] = { "tokenizer.json", "vocab.txt", "tokenizer.model", "added_tokens.json" };
        for (size_t i = 0; i < COUNT(away); i++) {
            ck_assert_msg(!temp_exists(out, away[i]), "%s: %s", folders[k], away[i]);
            if (k < 2) ck_assert_msg(strstr(output, temp_format("%s (a link to a file outside of the folder)", away[i])) != NULL, "%s: %s", away[i], output);
        }
    }
}
END_TEST

START_TEST(files_beside_it)
{
    char output[4096];
    spec s = spec_of(LLAMA);
    char *path = write_model(&s), *from = temp_format("%.*s", (int)(strrchr(path, '/') - path), path);
    temp_text(from, "tokenizer.json", "{\"x\": 1}");
    temp_text(from, "merges.txt", "a b\n");
    temp_text(from, "README.md", "read me");
    temp_text(from, "pytorch_model.bin", "weights once more");              /* the folder is refused, the file is not */
    ck_assert_int_eq(reduce(output, sizeof output, from, temp_path(temp_folder(), "x"), ""), 2);
    char *out = temp_path(temp_folder(), "x"), *other = temp_path(temp_folder(), "x"), *third = temp_folder();
    weights w = weights_open(path);
    side_files side = side_files_of(&w, true);
    ck_assert_int_eq(side.n, 2);
    ck_assert_str_eq(side.left, "README.md");
    side_files_free(&side);
    weights_close(&w);
    ck_assert_msg(reduce(output, sizeof output, path, out, "") == 0 && strstr(output, "copied beside it: tokenizer.json, merges.txt") && strstr(output, "not copied: README.md\n"), "%s", output);
    ck_assert(same_bytes(from, out, "tokenizer.json") && same_bytes(from, out, "merges.txt") && !temp_exists(out, "README.md") && !temp_exists(out, "pytorch_model.bin"));
    ck_assert_msg(reduce(output, sizeof output, path, other, "--format=gguf") == 0 && strstr(output, "not copied: README.md, merges.txt, tokenizer.json\n"), "%s", output);
    ck_assert(!temp_exists(other, "tokenizer.json"));
    temp_text(third, "tokenizer.json", "{\"x\": 2}");
    ck_assert_msg(reduce(output, sizeof output, path, third, "") == 2 && strstr(output, "tokenizer.json is there already and differs"), "%s", output);
    ck_assert(!temp_exists(third, "model.safetensors") && !temp_exists(third, "merges.txt"));
    temp_text(third, "tokenizer.json", "{\"x\": 1}");
    ck_assert_msg(reduce(output, sizeof output, path, third, "") == 0, "%s", output);
}
END_TEST

/* ---- killed ------------------------------------------------------------------------------------------------------ */

static long size_of(const char *folder, const char *name)              /* -1: not there */
{
    struct stat st;
    return stat(temp_path(folder, name), &st) == 0 ? (long)st.st_size : -1;
}

/* The model would fit, and its gauges do not: then there is neither. */
START_TEST(full_disk_for_gauges)
{
    char output[4096];
    spec s = spec_of(GPT2);
    s.h = 1;
    s.d = 64;
    const char *path = write_model(&s), *top = temp_folder();
    for (int k = 0; k < 2; k++) {
        const char *out = temp_format("%s/%d", top, k), *room = k ? "256" : "1024";
        const int status = run_command(output, sizeof output, "sh -c 'trap \"\" XFSZ; ulimit -f %s; exec \"%s/provably\" reduce \"%s\" -o \"%s\" "
                                       "--apply=values,queries --type=BF16' 2>&1", room, build_folder(), path, out);
        ck_assert_msg(status == (k ? 2 : 0) && temp_exists(out, "") == !k, "%d %s", status, output);
        if (k) ck_assert_msg(strstr(output, "/1/" GAUGE_FILE ": File too large"), "%s", output);
        else ck_assert_msg(size_of(out, "model.safetensors") < 256 * 512 && size_of(out, GAUGE_FILE) > 256 * 512, "%s", output);
    }
}
END_TEST

/* Ends reduce as soon as the file has so many bytes; whether it had not ended by itself before. */
static bool kill_when(const char *path, const char *out, const char *format, const char *name, long bytes)
{
    char *program = temp_path(build_folder(), "provably"), *as = temp_format("--format=%s", format);
    const pid_t child = fork();
    if (child < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout)) _exit(1);
        execl(program, program, "reduce", path, "-o", out, as, (char *)NULL);
        _exit(1);
    }
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (size_of(out, name) >= bytes) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        usleep(50);
    }
    ck_assert(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return WIFSIGNALED(status);
}

/* Whatever is there under its name is whole, and a later run in the same folder goes on. */
static void killed_at_all_times(file_format f)
{
    char output[4096], *part = temp_format("%s.part", format_file[f]);
    spec s = spec_of(LLAMA);
    s.d = 64;
    s.m = 256;
    s.V = 400;
    char *path = write_model(&s), *from = temp_format("%.*s", (int)(strrchr(path, '/') - path), path);
    temp_text(from, "tokenizer.json", "{\"x\": 1}");
    const char *names[] = { format_file[f], "config.json", "tokenizer.json", "provably.json", GAUGE_FILE };
    char *whole = temp_path(temp_folder(), "x"), *out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, from, whole, temp_format("--format=%s", format_word[f])) == 0, "%s", output);
    const long bytes = size_of(whole, format_file[f]);
    long killed = 0, in_parts = 0;
    for (long k = 0; k < 9; k += f == FORMAT_SAFETENSORS ? 1 : 3) {
        const char *name = k < 6 ? part : k == 6 ? "config.json.part" : k == 7 ? "config.json" : format_file[f];
        killed += kill_when(from, out, format_word[f], name, k < 6 ? k * bytes / 5 : 0);
        in_parts += size_of(out, part) >= 0 && size_of(out, format_file[f]) < 0;
        for (size_t i = 0; i < COUNT(names); i++)
            if (size_of(out, names[i]) >= 0) ck_assert_msg(same_bytes(whole, out, names[i]), "%ld: %s is not whole", k, names[i]);
        if (size_of(out, format_file[f]) >= 0)
            for (size_t i = 0; i < COUNT(names); i++) unlink(temp_path(out, names[i]));
    }
    ck_assert_msg(killed >= (f == FORMAT_SAFETENSORS ? 4 : 2) && in_parts >= (f == FORMAT_SAFETENSORS ? 4 : 1), "%ld killed, %ld in the middle", killed, in_parts);
    ck_assert_msg(reduce(output, sizeof output, from, out, temp_format("--format=%s", format_word[f])) == 0, "%s", output);
    for (size_t i = 0; i < COUNT(names); i++)
        if (size_of(whole, names[i]) >= 0) ck_assert_msg(same_bytes(whole, out, names[i]) && size_of(out, temp_format("%s.part", names[i])) < 0, "%s", names[i]);
}

START_TEST(killed)
{
    for (int f = 0; f < FORMATS; f++) killed_at_all_times((file_format)f);
    /* The configuration of a run whose numbers never got their name is replaced; another program's is not. */
    char output[4096], *out = temp_folder();
    spec s = spec_of(LLAMA);
    temp_text(out, "config.json", "{\"provably\": {\"reduced\": \"values\"}}");
    ck_assert_msg(reduce(output, sizeof output, write_model(&s), out, "") == 0, "%s", output);
    out = temp_folder();
    temp_text(out, "config.json", "{\"model_type\": \"llama\"}");
    ck_assert_msg(reduce(output, sizeof output, write_model(&s), out, "") == 2 && strstr(output, "is there already"), "%s", output);
}
END_TEST

/* ---- a trained model, where there is one ------------------------------------------------------------------------- */

enum { GREEDY = 200 };

/* The most likely token at each place: of the original one after the other, of the reduced model in one pass over them,
 * for attention is causal. */
static void greedy(const model *A, const model *B, long *token)
{
    arith R = arith_f64();
    const weight_source a = weights_of_file(&A->D), b = weights_of_file(&B->D);
    double *x = must_calloc((size_t)A->D.V, sizeof *x);
    token[0] = 1;
    for (long n = 1; n <= GREEDY; n++) {
        ck_assert_int_eq(forward_last_logits(&R, &a, &(token_list){ .n = n, .token = token, .logits_from = n - 1 }, x), HOLDS);
        for (long v = token[n] = 0; v < A->D.V; v++) if (x[v] > x[token[n]]) token[n] = v;
    }
    scope kept = scope_open(&R, 0, 0), s = scope_open(&R, 0, 0);
    s.frugal = true;
    forward_run(&s, &b, &(token_list){ .n = GREEDY, .token = token }, keep_logits, &kept);
    for (long n = 0; n < GREEDY; n++) {
        long most = 0;
        for (long v = 0; v < B->D.V; v++) if (mat_get_d(kept.first, n, v) > mat_get_d(kept.first, n, most)) most = v;
        ck_assert_msg(most == token[n + 1], "token %ld: %ld and %ld", n + 1, token[n + 1], most);
    }
    scope_close(&s);
    scope_close(&kept);
    arith_close(&R);
    free(x);
}

START_TEST(a_trained_model)
{
    static const char *const places[] = { "../shared/data/weights/stories260K.bin", "../../shared/data/weights/stories260K.bin" };
    const char *path = NULL;
    for (size_t k = 0; k < COUNT(places) && !path; k++) if (temp_exists(NULL, places[k])) path = places[k];
    if (!path) {
        printf("no stories260K.bin in ../shared/data/weights: not tried\n");
        return;
    }
    const double g = unrounded(path, &(plan_request){ NULL, true, false }, "values,pairs,triangle");
    ck_assert_msg(g < -100, "2^%.1f", g);
    char output[4096], *out = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, path, out, "--untie") == 0, "%s", output);
    ck_assert_msg(gap_of_files(path, out) < -20, "2^%.1f", gap_of_files(path, out));
    char *as_tensors = temp_path(temp_folder(), "x"), *as_gguf = temp_path(temp_folder(), "x");
    ck_assert_msg(reduce(output, sizeof output, path, as_tensors, "--untie --format=safetensors") == 0, "%s", output);
    ck_assert_msg(reduce(output, sizeof output, path, as_gguf, "--untie --format=gguf") == 0, "%s", output);
    ck_assert(says_same(out, as_tensors) && says_same(as_tensors, as_gguf) && says_same(as_gguf, out));
    long token[GREEDY + 1];
    model A = open_model(path), B = open_model(out);
    greedy(&A, &B, token);
    long other = 0;
    for (long n = 1; n <= GREEDY; n++) other += token[n] != token[1];
    ck_assert_int_gt(other, 100);                                       /* it says something */
    close_model(&A);
    close_model(&B);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("reduce");
    const struct { const char *name; const TTest *test; } of[] = {
#define CASE(test) { #test, test }
        CASE(gauges_of_heads), CASE(dead_heads_are_kept), CASE(forms_without_an_inverse), CASE(values_from_keys), CASE(rotations_of_the_stream),
        CASE(bases_of_the_stream), CASE(layernorms_that_only_centre), CASE(no_head_bias_unasked), CASE(forced_is_another_function), CASE(files_come_back),
        CASE(each_format), CASE(reduced_once), CASE(gguf_keeps_its_keys), CASE(llama2c_as_its_programs_read_it), CASE(blocks_left_out),
        CASE(rows_that_lie), CASE(identities_left_out), CASE(a_slim_file), CASE(slim_files_of_other_layouts),
        CASE(certified), CASE(verify_recognises_what_is_written), CASE(gauges_of_bases_are_checked), CASE(a_note_proves_nothing), CASE(a_loss_is_refused), CASE(gauges_of_a_loss_are_taken_back),
        CASE(written_here), CASE(little_is_held), CASE(parts_in_any_order), CASE(results_that_no_format_holds), CASE(a_model_without_norms_stays_one),
        CASE(a_run_whose_norms_were_forced_out), CASE(halves_become_float32), CASE(dies_here),
        CASE(numbers_are_rounded_once), CASE(few_bits), CASE(refused), CASE(full_disk), CASE(full_disk_for_gauges),
        CASE(nothing_half_written), CASE(files_beside_it), CASE(links_beside_it), CASE(the_configuration_follows), CASE(a_trained_model), CASE(killed) };
    for (size_t k = 0; k < COUNT(of); k++) {                           /* CK_RUN_CASE=NAME: that one alone */
        TCase *one = tcase_create(of[k].name);
        tcase_set_timeout(one, 120);
        tcase_add_test(one, of[k].test);
        suite_add_tcase(suite, one);
    }
    return run_suite(suite, argc, argv);
}
