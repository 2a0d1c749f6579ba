/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_inspect.c - one small model written in every format and layout: the same numbers, sizes and condition numbers come
 * back, the theorems apply where their hypotheses hold, and no file can hurt the readers. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include "numerics/random.h"
#include "src/checkpoint/beyond.h"
#include "src/checkpoint/rope.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/reductions.h"
#include "src/checkpoint/settings_apart.h"
#include "src/checkpoint/structure.h"
#include "src/checkpoint/surroundings.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/fuzz.h"
#include "tests/support/suite.h"

/* ---- a model ------------------------------------------------------------------------------------------------- */

enum { L = 2, WIDTH = 8, HEADS = 2, DK = 4, M = 12, V = 10, T = 6, MOST_PARTS = 64 };

/* W[r][c], in x out, a multiple of 1/16 that all four types hold.  W_Q is diagonal with powers of 2: its condition
 * numbers are known; columns 0 and 1 of W_V of layer 1 are the same. */
static double value(tensor_role role, long layer, long r, long c)
{
    if (role == ROLE_Q && layer >= 0) return r == c ? ldexp(1, (int)(r % 5)) : 0;
    if (role == ROLE_GAIN1 || role == ROLE_GAIN2 || role == ROLE_FINAL_GAIN) return 1 + 0.25 * (double)(c % 2);
    if (role == ROLE_V && layer == 1 && c == 0) c = 1;
    const uint64_t key[2] = { 17, (uint64_t)role * 100 + (uint64_t)(layer + 1) };
    return ((double)random_below(key, (uint64_t)(r * 1000 + c), 255) - 127) / 16;
}

typedef struct { char name[120]; int rank; long shape[2]; size_t n; double *x; } part;
typedef struct { part at[MOST_PARTS]; long n; } model_parts;

static part *new_part(model_parts *m, const char *name, long layer, int rank, long rows, long cols)
{
    ck_assert_int_lt(m->n, MOST_PARTS);
    part *p = &m->at[m->n++];
    char pattern[80];
    snprintf(pattern, sizeof pattern, "%s", name);
    char *at = strchr(pattern, '#');
    if (at) *at = '\0';
    if (at) snprintf(p->name, sizeof p->name, "%.40s%ld%.60s", pattern, layer, at + 1);
    else snprintf(p->name, sizeof p->name, "%s", name);
    p->rank = rank;
    p->shape[0] = rank == 1 ? cols : rows;
    p->shape[1] = cols;
    p->n = (size_t)(rows * cols);
    p->x = must_calloc(p->n, sizeof *p->x);
    return p;
}

/* in x out if turned, else out x in. */
static void matrix(model_parts *m, const char *name, tensor_role role, long layer, long in, long out, bool turned)
{
    part *p = new_part(m, name, layer, 2, turned ? in : out, turned ? out : in);
    for (long r = 0; r < in; r++)
        for (long c = 0; c < out; c++) p->x[turned ? r * out + c : c * in + r] = value(role, layer, r, c);
}

static void vector(model_parts *m, const char *name, tensor_role role, long layer, long n)
{
    part *p = new_part(m, name, layer, 1, 1, n);
    for (long c = 0; c < n; c++) p->x[c] = value(role, layer, 0, c);
}

typedef enum { CONV1D, LINEAR, BY_HEADS } fusion;
static void fused(model_parts *m, const char *name, long layer, fusion how)
{
    part *p = new_part(m, name, layer, 2, how == CONV1D ? WIDTH : 3 * WIDTH, how == CONV1D ? 3 * WIDTH : WIDTH);
    for (int k = 0; k < 3; k++)
        for (long r = 0; r < WIDTH; r++)
            for (long c = 0; c < WIDTH; c++) {
                const long row = how == BY_HEADS ? (3 * (c / DK) + k) * DK + c % DK : k * WIDTH + c;
                p->x[how == CONV1D ? r * 3 * WIDTH + row : row * WIDTH + r] = value((tensor_role)(ROLE_Q + k), layer, r, c);
            }
}

static void parts_free(model_parts *m)
{
    for (long k = 0; k < m->n; k++) free(m->at[k].x);
    m->n = 0;
}

static model_parts gpt2(bool nano, const char *before)
{
    model_parts m = { .n = 0 };
    const bool turned = !nano;
    char name[80];
#define NAMED(text) (snprintf(name, sizeof name, "%s%s", before, text), name)
    matrix(&m, NAMED("wte.weight"), ROLE_EMBED, -1, WIDTH, V, false);
    matrix(&m, NAMED("wpe.weight"), ROLE_POSITION, -1, WIDTH, T, false);
    for (long i = 0; i < L; i++) {
        vector(&m, NAMED("h.#.ln_1.weight"), ROLE_GAIN1, i, WIDTH);
        fused(&m, NAMED("h.#.attn.c_attn.weight"), i, nano ? LINEAR : CONV1D);
        matrix(&m, NAMED("h.#.attn.c_proj.weight"), ROLE_O, i, WIDTH, WIDTH, turned);
        vector(&m, NAMED("h.#.ln_2.weight"), ROLE_GAIN2, i, WIDTH);
        matrix(&m, NAMED("h.#.mlp.c_fc.weight"), ROLE_UP, i, WIDTH, M, turned);
        matrix(&m, NAMED("h.#.mlp.c_proj.weight"), ROLE_DOWN, i, M, WIDTH, turned);
        if (nano) continue;
        vector(&m, NAMED("h.#.ln_1.bias"), ROLE_BIAS1, i, WIDTH);
        vector(&m, NAMED("h.#.ln_2.bias"), ROLE_BIAS2, i, WIDTH);
        vector(&m, NAMED("h.#.attn.c_attn.bias"), ROLE_QKV_BIAS, i, 3 * WIDTH);
        vector(&m, NAMED("h.#.attn.c_proj.bias"), ROLE_O_BIAS, i, WIDTH);
        vector(&m, NAMED("h.#.mlp.c_fc.bias"), ROLE_UP_BIAS, i, M);
        vector(&m, NAMED("h.#.mlp.c_proj.bias"), ROLE_DOWN_BIAS, i, WIDTH);
    }
    vector(&m, NAMED("ln_f.weight"), ROLE_FINAL_GAIN, -1, WIDTH);
    if (!nano) vector(&m, NAMED("ln_f.bias"), ROLE_FINAL_BIAS, -1, WIDTH);
    return m;
}

typedef struct { const char *embed, *norm1, *q, *k, *v, *o, *norm2, *gate, *up, *down, *norm, *head; } dialect;
static const dialect hf = { "model.embed_tokens.weight", "model.layers.#.input_layernorm.weight", "model.layers.#.self_attn.q_proj.weight",
    "model.layers.#.self_attn.k_proj.weight", "model.layers.#.self_attn.v_proj.weight", "model.layers.#.self_attn.o_proj.weight",
    "model.layers.#.post_attention_layernorm.weight", "model.layers.#.mlp.gate_proj.weight", "model.layers.#.mlp.up_proj.weight",
    "model.layers.#.mlp.down_proj.weight", "model.norm.weight", "lm_head.weight" };
static const dialect ggml = { "token_embd.weight", "blk.#.attn_norm.weight", "blk.#.attn_q.weight", "blk.#.attn_k.weight",
    "blk.#.attn_v.weight", "blk.#.attn_output.weight", "blk.#.ffn_norm.weight", "blk.#.ffn_gate.weight", "blk.#.ffn_up.weight",
    "blk.#.ffn_down.weight", "output_norm.weight", "output.weight" };

static model_parts llama(const dialect *n, long kv)
{
    model_parts m = { .n = 0 };
    matrix(&m, n->embed, ROLE_EMBED, -1, WIDTH, V, false);
    for (long i = 0; i < L; i++) {
        vector(&m, n->norm1, ROLE_GAIN1, i, WIDTH);
        matrix(&m, n->q, ROLE_Q, i, WIDTH, WIDTH, false);
        matrix(&m, n->k, ROLE_K, i, WIDTH, kv * DK, false);
        matrix(&m, n->v, ROLE_V, i, WIDTH, kv * DK, false);
        matrix(&m, n->o, ROLE_O, i, WIDTH, WIDTH, false);
        vector(&m, n->norm2, ROLE_GAIN2, i, WIDTH);
        matrix(&m, n->gate, ROLE_GATE, i, WIDTH, M, false);
        matrix(&m, n->up, ROLE_UP, i, WIDTH, M, false);
        matrix(&m, n->down, ROLE_DOWN, i, M, WIDTH, false);
    }
    vector(&m, n->norm, ROLE_FINAL_GAIN, -1, WIDTH);
    matrix(&m, n->head, ROLE_HEAD, -1, WIDTH, V, false);
    return m;
}

/* The tensors of GPT-NeoX as llama.cpp's converter names them, W_Q, W_K and W_V below each other. */
static model_parts neox_in_gguf(void)
{
    model_parts m = { .n = 0 };
    matrix(&m, "token_embd.weight", ROLE_EMBED, -1, WIDTH, V, false);
    for (long i = 0; i < L; i++) {
        vector(&m, "blk.#.attn_norm.weight", ROLE_GAIN1, i, WIDTH);
        vector(&m, "blk.#.ffn_norm.weight", ROLE_GAIN2, i, WIDTH);
        fused(&m, "blk.#.attn_qkv.weight", i, LINEAR);
        matrix(&m, "blk.#.attn_output.weight", ROLE_O, i, WIDTH, WIDTH, false);
        matrix(&m, "blk.#.ffn_up.weight", ROLE_UP, i, WIDTH, M, false);
        matrix(&m, "blk.#.ffn_down.weight", ROLE_DOWN, i, M, WIDTH, false);
    }
    vector(&m, "output_norm.weight", ROLE_FINAL_GAIN, -1, WIDTH);
    matrix(&m, "output.weight", ROLE_HEAD, -1, WIDTH, V, false);
    return m;
}

static model_parts neox(void)
{
    model_parts m = { .n = 0 };
    matrix(&m, "gpt_neox.embed_in.weight", ROLE_EMBED, -1, WIDTH, V, false);
    for (long i = 0; i < L; i++) {
        vector(&m, "gpt_neox.layers.#.input_layernorm.weight", ROLE_GAIN1, i, WIDTH);
        vector(&m, "gpt_neox.layers.#.post_attention_layernorm.weight", ROLE_GAIN2, i, WIDTH);
        fused(&m, "gpt_neox.layers.#.attention.query_key_value.weight", i, BY_HEADS);
        matrix(&m, "gpt_neox.layers.#.attention.dense.weight", ROLE_O, i, WIDTH, WIDTH, false);
        matrix(&m, "gpt_neox.layers.#.mlp.dense_h_to_4h.weight", ROLE_UP, i, WIDTH, M, false);
        matrix(&m, "gpt_neox.layers.#.mlp.dense_4h_to_h.weight", ROLE_DOWN, i, M, WIDTH, false);
    }
    vector(&m, "gpt_neox.final_layer_norm.weight", ROLE_FINAL_GAIN, -1, WIDTH);
    matrix(&m, "embed_out.weight", ROLE_HEAD, -1, WIDTH, V, false);
    return m;
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static void put(text_buffer *t, const void *x, size_t n) { if (n) text_bytes(t, x, n); }
static void put_u32(text_buffer *t, uint32_t x) { put(t, &x, 4); }
static void put_u64(text_buffer *t, uint64_t x) { put(t, &x, 8); }
static void put_name(text_buffer *t, const char *name) { put_u64(t, strlen(name)); put(t, name, strlen(name)); }

static uint16_t half_of(double x)        /* exact for multiples of 1/16 below 64                        */
{
    if (x == 0 || !isfinite(x)) return 0;
    int e;
    const double m = frexp(fabs(x), &e);
    return (uint16_t)((x < 0 ? 0x8000 : 0) | (e + 14) << 10 | ((int)ldexp(m, 11) - 1024));
}

static size_t put_number(text_buffer *t, const char *type, double x)
{
    const float single = (float)x;
    uint32_t bits;
    memcpy(&bits, &single, 4);
    const uint16_t brain = (uint16_t)(bits >> 16), half = half_of(x);
    const size_t before = t->length;
    if (strcmp(type, "F64") == 0) put(t, &x, 8);
    else if (strcmp(type, "F32") == 0) put(t, &single, 4);
    else put(t, strcmp(type, "F16") == 0 ? &half : &brain, 2);
    return t->length - before;
}

static char *write_bytes(const char *folder, const char *name, text_buffer *t)
{
    char *path = temp_write(folder, name, t->at, t->length);
    text_clear(t);
    return path;
}

/* Parts from ... to - 1. */
static char *write_safetensors(const char *folder, const char *name, const model_parts *m, const char *type, long from, long to)
{
    text_buffer head = { 0 }, numbers = { 0 }, file = { 0 };
    for (long k = from; k < to; k++) {
        const part *p = &m->at[k];
        const size_t at = numbers.length;
        for (size_t i = 0; i < p->n; i++) put_number(&numbers, type, p->x[i]);
        text_add(&head, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%ld", k > from ? "," : "{", p->name, type, p->shape[0]);
        if (p->rank == 2) text_add(&head, ",%ld", p->shape[1]);
        text_add(&head, "],\"data_offsets\":[%zu,%zu]}", at, numbers.length);
    }
    text_add(&head, "}");
    put_u64(&file, head.length);
    put(&file, head.at, head.length);
    put(&file, numbers.at, numbers.length);
    text_clear(&head);
    text_clear(&numbers);
    return write_bytes(folder, name, &file);
}

static const char *gguf_omits, *gguf_more;              /* a key that is left out, and one more, with its value */
static uint32_t gguf_more_type;
static const void *gguf_more_value;
static size_t gguf_more_bytes;

static bool omits(const char *name) { return gguf_omits && strcmp(gguf_omits, name) == 0; }

static void whole_key(text_buffer *t, const char *name, uint32_t x) { put_name(t, name); put_u32(t, 4); put_u32(t, x); }

static void whole_key_of(text_buffer *t, const char *kind, const char *name, uint32_t x)
{
    char *full = must_format("%s.%s", kind, name);
    if (!omits(full)) whole_key(t, full, x);
    free(full);
}

static char *write_gguf_of(const char *kind, const char *folder, const char *name, const model_parts *m, const char *type)
{
    const uint32_t id = strcmp(type, "F32") == 0 ? 0 : strcmp(type, "F16") == 0 ? 1 : 30;
    text_buffer t = { 0 }, numbers = { 0 };
    put(&t, "GGUF", 4);
    put_u32(&t, 3);
    put_u64(&t, (uint64_t)m->n);
    const bool is_llama = strcmp(kind, "llama") == 0;
    static const char *const written[] = { "general.architecture", "llama.embedding_length", "llama.block_count", "llama.attention.head_count",
        "llama.attention.head_count_kv", "llama.feed_forward_length", "llama.context_length", "llama.attention.layer_norm_rms_epsilon",
        "tokenizer.ggml.tokens" };
    uint64_t keys = is_llama ? 9 : 10;
    for (size_t k = 0; k < COUNT(written); k++) keys -= omits(written[k]);
    put_u64(&t, keys + (gguf_more != NULL));
    if (!omits("general.architecture")) { put_name(&t, "general.architecture"); put_u32(&t, 8); put_name(&t, kind); }
    whole_key_of(&t, kind, "embedding_length", WIDTH);
    whole_key_of(&t, kind, "block_count", L);
    whole_key_of(&t, kind, "attention.head_count", HEADS);
    if (!is_llama) { put_name(&t, "gptneox.use_parallel_residual"); put_u32(&t, 7); put(&t, "\1", 1); }
    whole_key_of(&t, kind, "attention.head_count_kv", is_llama ? 1 : HEADS);
    whole_key_of(&t, kind, "feed_forward_length", M);
    whole_key_of(&t, kind, "context_length", T);
    const float eps = 1e-5f;
    const char *of_eps = is_llama ? "llama.attention.layer_norm_rms_epsilon" : "gptneox.attention.layer_norm_epsilon";
    if (!omits(of_eps)) { put_name(&t, of_eps); put_u32(&t, 6); put(&t, &eps, 4); }
    if (!omits("tokenizer.ggml.tokens")) {
        put_name(&t, "tokenizer.ggml.tokens"); put_u32(&t, 9); put_u32(&t, 8); put_u64(&t, 2); put_name(&t, "a"); put_name(&t, "bc");
    }
    if (gguf_more) { put_name(&t, gguf_more); put_u32(&t, gguf_more_type); put(&t, gguf_more_value, gguf_more_bytes); }
    for (long k = 0; k < m->n; k++) {
        const part *p = &m->at[k];
        put_name(&t, p->name);
        put_u32(&t, (uint32_t)p->rank);
        for (int i = p->rank; i-- > 0;) put_u64(&t, (uint64_t)p->shape[i]);
        put_u32(&t, id);
        put_u64(&t, numbers.length);
        for (size_t i = 0; i < p->n; i++) put_number(&numbers, type, p->x[i]);
        while (numbers.length % 32) put(&numbers, "", 1);
    }
    while (t.length % 32) put(&t, "", 1);
    put(&t, numbers.at, numbers.length);
    text_clear(&numbers);
    return write_bytes(folder, name, &t);
}

static char *write_gguf(const char *folder, const char *name, const model_parts *m, const char *type)
{
    return write_gguf_of("llama", folder, name, m, type);
}

#define PUT_PART(t, p, type) for (size_t i_ = 0; i_ < (p)->n; i_++) put_number(t, type, (p)->x[i_])

/* version 0 or 1 */
static char *write_llama2c(const char *folder, const char *name, int version)
{
    const int32_t head[] = { WIDTH, M, L, HEADS, 1, version ? V : -V, T };
    /* of a layer: the places in it of norm, Q, K, V, O, norm, gate, down, up; llama() puts gate, up, down */
    static const int order[2][9] = { { 0, 1, 2, 3, 4, 5, 6, 8, 7 }, { 0, 5, 1, 2, 3, 4, 6, 8, 7 } };
    model_parts m = llama(&hf, 1);
    text_buffer t = { 0 };
    if (version) {
        put_u32(&t, 0x616b3432);
        put_u32(&t, (uint32_t)version);
    }
    put(&t, head, sizeof head);
    while (version && t.length < 256) put(&t, "", 1);                  /* the head is a matrix of its own */
    if (!version) PUT_PART(&t, &m.at[0], "F32");
    for (int k = 0; k < 9; k++) {
        for (long i = 0; i < L; i++) PUT_PART(&t, &m.at[1 + i * 9 + order[version > 0][k]], "F32");
        if (!version || k != 1) continue;
        PUT_PART(&t, &m.at[m.n - 2], "F32");
        PUT_PART(&t, &m.at[0], "F32");
    }
    if (!version) PUT_PART(&t, &m.at[m.n - 2], "F32");
    for (int k = 0; !version && k < T * DK; k++) put_number(&t, "F32", 0.5);
    PUT_PART(&t, &m.at[m.n - 1], "F32");
    parts_free(&m);
    return write_bytes(folder, name, &t);
}

/* MLP 4 WIDTH, the embedding padded by `padding` rows. */
static char *write_llmc(const char *folder, const char *name, const char *type, long padding)
{
    const int32_t head[256] = { 20240326, strcmp(type, "F32") == 0 ? 3 : 5, T, V, L, HEADS, WIDTH, (int32_t)(V + padding) };
    static const struct { tensor_role role; long in, out; } of[] = {   /* in 0: a vector */
        { ROLE_GAIN1, 0, WIDTH }, { ROLE_BIAS1, 0, WIDTH }, { ROLE_QKV, WIDTH, WIDTH }, { ROLE_QKV_BIAS, 0, 3 * WIDTH },
        { ROLE_O, WIDTH, WIDTH }, { ROLE_O_BIAS, 0, WIDTH }, { ROLE_GAIN2, 0, WIDTH }, { ROLE_BIAS2, 0, WIDTH },
        { ROLE_UP, WIDTH, 4 * WIDTH }, { ROLE_UP_BIAS, 0, 4 * WIDTH }, { ROLE_DOWN, 4 * WIDTH, WIDTH }, { ROLE_DOWN_BIAS, 0, WIDTH } };
    text_buffer t = { 0 };
    put(&t, head, sizeof head);
    model_parts m = { .n = 0 };
    matrix(&m, "wte", ROLE_EMBED, -1, WIDTH, V, false);
    for (long k = 0; k < V * WIDTH; k++) put_number(&t, type, m.at[0].x[k]);
    for (long k = 0; k < padding * WIDTH; k++) put_number(&t, type, 0);
    matrix(&m, "wpe", ROLE_POSITION, -1, WIDTH, T, false);
    PUT_PART(&t, &m.at[1], type);
    for (size_t k = 0; k < COUNT(of); k++)
        for (long i = 0; i < L; i++) {
            parts_free(&m);
            if (of[k].role == ROLE_QKV) fused(&m, "c_attn", i, LINEAR);
            else if (of[k].in) matrix(&m, "w", of[k].role, i, of[k].in, of[k].out, false);
            else vector(&m, "v", of[k].role, i, of[k].out);
            PUT_PART(&t, &m.at[0], type);
        }
    for (int k = 0; k < 2; k++) {
        parts_free(&m);
        vector(&m, "v", k ? ROLE_FINAL_BIAS : ROLE_FINAL_GAIN, -1, WIDTH);
        PUT_PART(&t, &m.at[0], type);
    }
    parts_free(&m);
    return write_bytes(folder, name, &t);
}

static const char gpt2_config[] = "{\"model_type\":\"gpt2\",\"n_embd\":8,\"n_layer\":2,\"n_head\":2,\"n_inner\":12,\"n_positions\":6,"
    "\"vocab_size\":10,\"layer_norm_epsilon\":1e-05,\"activation_function\":\"gelu_new\"}";
static const char llama_config[] = "{\"model_type\":\"llama\",\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":2,"
    "\"num_key_value_heads\":1,\"intermediate_size\":12,\"max_position_embeddings\":6,\"vocab_size\":10,\"rms_norm_eps\":1e-05,"
    "\"rope_theta\":10000.0,\"hidden_act\":\"silu\",\"tie_word_embeddings\":false}";
static const char neox_config[] = "{\"model_type\":\"gpt_neox\",\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":2,"
    "\"intermediate_size\":12,\"max_position_embeddings\":6,\"vocab_size\":10,\"layer_norm_eps\":1e-05,\"rotary_pct\":0.5,"
    "\"tie_word_embeddings\":false}";

/* ---- what comes back --------------------------------------------------------------------------------------------- */

static void same_model(const char *path, const char *format, long kv)
{
    weights w = weights_open(path);
    transformer D = transformer_of(&w);
    ck_assert_msg(!D.unknown, "%s: %s", path, D.unknown);
    ck_assert_str_eq(w.format, format);
    ck_assert(D.L == L && D.d == WIDTH && D.h == HEADS && D.h_kv == kv && D.dk == DK && D.V == V
              && D.m == (strcmp(format, "llm.c") == 0 ? 4 * WIDTH : M) && D.T == T);
    ck_assert(D.attn_skip && D.mlp_skip && !D.unreadable && !D.unknown_tensors);
    double x[WIDTH * WIDTH], one[WIDTH * DK];
    for (long i = 0; i < L; i++)
        for (int p = 0; p < 3; p++) {
            const long heads = projection_heads(&D, (projection)p), cols = heads * DK;
            ck_assert_int_eq(heads, p == PROJECT_Q ? HEADS : kv);
            projection_columns(&D, (projection)p, i, 0, heads, x);
            projection_columns(&D, (projection)p, i, heads - 1, 1, one);
            for (long r = 0; r < WIDTH; r++)
                for (long c = 0; c < cols; c++) {
                    ck_assert_msg(x[r * cols + c] == value((tensor_role)(ROLE_Q + p), i, r, c), "%s: %d of layer %ld at %ld %ld: %g",
                                  path, p, i, r, c, x[r * cols + c]);
                    if (c >= cols - DK) ck_assert(one[r * DK + c - (cols - DK)] == x[r * cols + c]);
                }
        }
    double row[WIDTH];
    weight_numbers(tensor_of(&D, ROLE_EMBED, -1), 3 * WIDTH, WIDTH, row);      /* a range of rows */
    for (long r = 0; r < WIDTH; r++) ck_assert(row[r] == value(ROLE_EMBED, -1, r, 3));
    const weight_tensor *norm = tensor_of(&D, ROLE_GAIN2, 1), *down = tensor_of(&D, ROLE_DOWN, 1);
    if (norm) weight_numbers(norm, 0, WIDTH, row);
    for (long r = 0; norm && r < WIDTH; r++) ck_assert(row[r] == value(ROLE_GAIN2, 1, 0, r));
    weight_numbers(down, down->n - 1, 1, row);
    ck_assert(row[0] == value(ROLE_DOWN, 1, D.m - 1, WIDTH - 1));
    layer_condition c[L] = { layer_conditions(&D, 0), layer_conditions(&D, 1) };
    for (long i = 0; i < L; i++) {                                             /* exponents 0 1 2 3 | 4 0 1 2 */
        const matrix_condition *q = &c[i].of[PROJECT_Q];
        ck_assert_double_eq_tol(q->whole, 16, 1e-12);
        ck_assert_double_eq_tol(q->head[0], 8, 1e-12);
        ck_assert_double_eq_tol(q->head[1], 16, 1e-12);
        ck_assert_double_eq_tol(q->block[0], 8, 1e-12);
    }
    ck_assert(isinf(c[1].of[PROJECT_V].whole) && isinf(c[1].of[PROJECT_V].head[0]) && !isinf(c[0].of[PROJECT_V].whole));
    for (long i = 0; i < L; i++) layer_conditions_free(&c[i]);
    transformer_free(&D);
    weights_close(&w);
}

START_TEST(every_layout_is_the_same_model)
{
    static const char *const types[] = { "F32", "F64", "F16", "BF16" };
    for (size_t k = 0; k < COUNT(types); k++) {
        char *folder = temp_folder();
        model_parts m = gpt2(false, k % 2 ? "transformer." : "");
        temp_text(folder, "config.json", gpt2_config);
        same_model(write_safetensors(folder, "model.safetensors", &m, types[k], 0, m.n), "safetensors", HEADS);
        same_model(folder, "safetensors", HEADS);
        parts_free(&m);
        m = gpt2(true, k % 2 ? "_orig_mod.transformer." : "transformer.");
        same_model(write_safetensors(folder, "model.safetensors", &m, types[k], 0, m.n), "safetensors", HEADS);
        parts_free(&m);
        m = llama(&hf, 1);
        temp_text(folder, "config.json", llama_config);
        same_model(write_safetensors(folder, "model.safetensors", &m, types[k], 0, m.n), "safetensors", 1);
        parts_free(&m);
        m = neox();
        temp_text(folder, "config.json", neox_config);
        same_model(write_safetensors(folder, "model.safetensors", &m, types[k], 0, m.n), "safetensors", HEADS);
        parts_free(&m);
        m = llama(&ggml, 1);
        if (strcmp(types[k], "F64") != 0) same_model(write_gguf(folder, "any.name", &m, types[k]), "GGUF", 1);
        parts_free(&m);
    }
    same_model(write_llama2c(temp_folder(), "any", 0), "llama2.c", 1);
    same_model(write_llama2c(temp_folder(), "any", 1), "llama2.c", 1);
    same_model(write_llmc(temp_folder(), "any", "F32", 0), "llm.c", HEADS);
    same_model(write_llmc(temp_folder(), "any", "BF16", 6), "llm.c", HEADS);
}
END_TEST

static char *write_sharded(char *folder, const char *index)
{
    model_parts m = llama(&hf, 1);
    temp_text(folder, "config.json", llama_config);
    write_safetensors(folder, "a.safetensors", &m, "F32", 0, 7);
    write_safetensors(folder, "b.safetensors", &m, "BF16", 7, m.n);
    text_buffer t = { 0 };
    text_add(&t, "{\"metadata\":{},\"weight_map\":{");
    for (long k = 0; k < m.n; k++) text_add(&t, "%s\"%s\":\"%s\"", k ? "," : "", m.at[k].name, k < 7 ? "a.safetensors" : "b.safetensors");
    text_add(&t, "}}");
    parts_free(&m);
    char *path = temp_text(folder, "model.safetensors.index.json", index ? index : t.at);
    text_clear(&t);
    return path;
}

START_TEST(several_files)
{
    char *folder = temp_folder();
    same_model(write_sharded(folder, NULL), "safetensors", 1);
    same_model(folder, "safetensors", 1);
}
END_TEST

/* GGUF and llama2.c pair neighbouring coordinates: the same numbers are the same function there, and another one in
 * Hugging Face's layout, which pairs halves. */
START_TEST(formats_that_are_the_same_function)
{
    static char output[8192];
    model_parts m = llama(&ggml, 1), n = llama(&hf, 1);
    char *folder = temp_folder(), *gguf = write_gguf(folder, "x.gguf", &m, "F32"), *half = write_gguf(folder, "y.gguf", &m, "F16");
    char *llama2c = write_llama2c(folder, "x.bin", 0);
    temp_text(folder, "config.json", llama_config);
    char *other = write_safetensors(folder, "x.safetensors", &n, "F32", 0, n.n);
    for (long k = 0; k < n.n; k++) {                                    /* rows 0 1 2 3 of a head: 0 2 1 3 */
        part *p = &n.at[k];
        for (long r = 1; (strstr(p->name, "q_proj") || strstr(p->name, "k_proj")) && r < p->shape[0]; r += DK)
            for (long c = 0; c < WIDTH; c++) {
                const double keep = p->x[r * WIDTH + c];
                p->x[r * WIDTH + c] = p->x[(r + 1) * WIDTH + c];
                p->x[(r + 1) * WIDTH + c] = keep;
            }
    }
    char *converted = write_safetensors(folder, "y.safetensors", &n, "F32", 0, n.n);
    parts_free(&m);
    parts_free(&n);
    const char *verify = "%s/provably verify --width=300 %s %s";
    const char *same = "the same function for all inputs";
    int status = run_command(output, sizeof output, verify, build_folder(), gguf, llama2c);
    ck_assert_msg(status == 0 && strstr(output, same), "%d: %s", status, output);
    status = run_command(output, sizeof output, verify, build_folder(), llama2c, half);
    ck_assert_msg(status == 0 && strstr(output, same), "%d: %s", status, output);
    status = run_command(output, sizeof output, verify, build_folder(), llama2c, other);
    ck_assert_msg(status == 1 && strstr(output, "the rotary pairs in another order") && !strstr(output, same), "%d: %s", status, output);
    status = run_command(output, sizeof output, verify, build_folder(), llama2c, converted);
    ck_assert_msg(status == 0 && strstr(output, same), "%d: %s", status, output);
    weights w[2] = { weights_open(llama2c), weights_open(converted) };
    transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
    structure s = structure_of(&D[0], &D[1], NULL);
    ck_assert_msg(structure_same(&s) && s.n == 0 && s.equal == s.compared && s.compared == 21, "%ld", s.n);
    structure_free(&s);
    for (int k = 0; k < 2; k++) {
        transformer_free(&D[k]);
        weights_close(&w[k]);
    }
}
END_TEST

/* ---- which theorems ------------------------------------------------------------------------------------------------ */

/* The row of a claim. */
static reduction_row row_of(const char *path, const char *id, const char *name)
{
    weights w = weights_open(path);
    transformer D = transformer_of(&w);
    layer_condition *c = must_calloc(L, sizeof *c);
    for (long i = 0; i < L && !D.unknown; i++) c[i] = layer_conditions(&D, i);
    reduction_list r = reductions_of(&D, c);
    reduction_row found = { .name = NULL };
    for (long k = 0; k < r.n; k++) if (strstr(r.at[k].claims, id) && (!name || strstr(r.at[k].name, name))) found = r.at[k];
    ck_assert_msg(found.name, "no row for %s in %s: %s", id, path, r.nothing ? r.nothing : "");
    found.why = temp_format("%s", found.why);
    for (long i = 0; i < L && !D.unknown; i++) layer_conditions_free(&c[i]);
    free(c);
    reductions_free(&r);
    transformer_free(&D);
    weights_close(&w);
    return found;
}

static char *with_config(const model_parts *m, const char *config)
{
    char *folder = temp_folder();
    temp_text(folder, "config.json", config);
    return write_safetensors(folder, "model.safetensors", m, "F32", 0, m->n);
}

static void expect(const char *path, const char *id, bool applies, double parameters, const char *why)
{
    const reduction_row r = row_of(path, id, NULL);
    ck_assert_msg(r.applies == applies, "%s: %s", id, r.why);
    ck_assert_msg(r.parameters == parameters && r.flops == 2 * parameters && r.bytes == 4 * parameters, "%s removes %g", id, r.parameters);
    ck_assert_msg(strstr(r.why, why) != NULL, "%s: %s", id, r.why);
}

START_TEST(hypotheses_of_gpt2)
{
    model_parts m = gpt2(false, "");
    char *path = with_config(&m, gpt2_config);
    expect(path, "N1 N1b", true, (L * HEADS - 1) * DK * DK, "1 of 4 heads keep their columns");    /* a head of layer 1 */
    expect(path, "K-P3.2 N1b", true, L * HEADS * DK * DK, "W_Q and W_K");
    ck_assert_double_eq_tol(row_of(path, "K-P3.2 N1b", NULL).bits, 4, 1e-9);          /* the worst head's 16 */
    expect(path, "N18", true, L * WIDTH, "mean 0");
    expect(path, "K-T4.2", false, 0, "LayerNorm does not commute");
    expect(path, "K-T4.4", false, 0, "LayerNorm does not commute");
    expect(path, "K-T4.3", false, 0, "weights of their own");
    expect(path, "K-R2", false, 0, "eps = 1e-05");
    expect(path, "N7", false, 0, "RMSNorm");
    expect(path, "N4", false, 0, "do not share keys");
    expect(path, "K-P4.1", false, 0, "there are 2");
    expect(path, "N11", true, 0, "W_K is square");
    char *free_of_it = with_config(&m, "{\"model_type\":\"gpt2\",\"n_embd\":8,\"n_layer\":2,\"n_head\":2,\"n_inner\":12,"
                                       "\"layer_norm_epsilon\":1e12}");
    expect(free_of_it, "K-R2 K-R4", true, WIDTH * WIDTH - V * WIDTH, "stored for itself");    /* more than it saves, here */
    parts_free(&m);
}
END_TEST

START_TEST(hypotheses_of_llama)
{
    model_parts m = llama(&hf, 1);
    char *path = with_config(&m, llama_config);
    const double d = WIDTH;
    expect(path, "N20", true, d * d - (d * (d + 1) / 2 - DK), "rotated");
    expect(path, "N19", false, 0, "around the MLPs");
    expect(path, "K-X-rope", true, L * DK, "of GL(dk) what commutes");
    expect(path, "N1 N1b", true, (L - 1) * DK * DK, "1 of 2 heads keep their columns");           /* layer 1's */
    memcpy(m.at[4].x, m.at[13].x, m.at[4].n * sizeof *m.at[4].x);
    expect(with_config(&m, llama_config), "N1 N1b", false, 0, "every head of W_V are dependent");
    parts_free(&m);
    m = llama(&hf, 1);
    memcpy(m.at[13].x, m.at[4].x, m.at[4].n * sizeof *m.at[4].x);                       /* W_V of layer 0 */
    expect(with_config(&m, llama_config), "N1 N1b", true, L * DK * DK, "W_V and W_O");
    expect(path, "K-T4.2", false, 0, "RMSNorm commutes with rotations");
    expect(path, "N4", false, 0, "RMSNorm commutes with rotations");
    expect(path, "N11", false, 0, "8 x 4 and has no inverse");
    parts_free(&m);
    m = neox();
    path = with_config(&m, neox_config);
    expect(path, "K-X-rope", true, L * HEADS * DK / 2, "of GL(dk) what commutes");           /* half of each head turns */
    expect(path, "N18", true, L * WIDTH, "mean 0");
    parts_free(&m);
}
END_TEST

static const char own_model[] = "L=2 d=8 h=2 m=12 T=6 V=10 query=1 factor=1 tied=%d norm=0 skips=%s std=0.02";

static char *own_export(int tied, const char *skips)
{
    safetensors s = { .tensor = NULL };
    safetensors_text(&s, "model", temp_format(own_model, tied, skips));
    static const struct { const char *name; tensor_role role; long in, out; } of[] = {
        { "attn.q", ROLE_Q, WIDTH, WIDTH }, { "attn.k", ROLE_K, WIDTH, WIDTH }, { "attn.v", ROLE_V, WIDTH, WIDTH },
        { "attn.o", ROLE_O, WIDTH, WIDTH }, { "mlp.fc", ROLE_UP, WIDTH, M }, { "mlp.proj", ROLE_DOWN, M, WIDTH } };
    model_parts m = { .n = 0 };
    matrix(&m, "wte", ROLE_EMBED, -1, WIDTH, V, false);
    matrix(&m, "wpe", ROLE_POSITION, -1, WIDTH, T, false);
    for (long i = 0; i < L; i++)
        for (size_t k = 0; k < COUNT(of); k++) matrix(&m, temp_format("h.#.%s", of[k].name), of[k].role, i, of[k].in, of[k].out, false);
    if (!tied) matrix(&m, "head", ROLE_HEAD, -1, WIDTH, V, false);
    for (long k = 0; k < m.n; k++) {
        float x[512];
        for (size_t i = 0; i < m.at[k].n; i++) x[i] = (float)m.at[k].x[i];
        safetensors_tensor(&s, m.at[k].name, 2, m.at[k].shape, x);
    }
    char *path = temp_path(temp_folder(), "x");
    safetensors_write(&s, path);
    safetensors_free(&s);
    parts_free(&m);
    return path;
}

START_TEST(hypotheses_without_norms)
{
    char *all = own_export(0, "11"), *tied = own_export(1, "11"), *attention = own_export(1, "10");
    temp_text(temp_format("%.*s", (int)(strrchr(all, '/') - all), all), "config.json", gpt2_config);   /* another model's */
    same_model(all, "safetensors", HEADS);
    expect(all, "K-T4.2", true, WIDTH * WIDTH, "layer 0");
    ck_assert_double_eq_tol(row_of(all, "K-T4.2", NULL).bits, 4, 1e-9);
    expect(all, "K-T4.4", false, 0, "around the MLPs");
    expect(all, "N18", false, 0, "LayerNorm");
    expect(tied, "K-T4.2", false, 0, "tied: one of its own would cost 80");
    expect(attention, "K-T4.4", true, L * WIDTH * WIDTH, "attention alone");
    expect(attention, "K-T4.2", false, 0, "it takes skips around attention and MLP");
}
END_TEST

/* ---- the command --------------------------------------------------------------------------------------------------- */

static int inspect(char *output, size_t size, const char *options, const char *path)
{
    return run_command(output, size, "%s/provably inspect %s %s", build_folder(), options, path);
}

START_TEST(the_command)
{
    enum { ROOM = 1 << 17 };
    char *output = must_calloc(ROOM, 1);
    model_parts m = gpt2(false, "");
    char *path = with_config(&m, gpt2_config);
    parts_free(&m);
    ck_assert_int_eq(inspect(output, ROOM, "--width=80", path), 0);
    const char *says[] = { "gpt2: 2 layers, width 8, 2 heads of 4", "LayerNorm with biases", "tied to the embedding", "h.#.attn.c_attn.weight",
                           "W_Q W_K W_V", "singular", "Theorems that apply", "K-R7", "Conv1D" };
    for (size_t k = 0; k < COUNT(says); k++) ck_assert_msg(strstr(output, says[k]), "%s: %s", says[k], output);
    for (char *line = strtok(output, "\n"); line; line = strtok(NULL, "\n"))
        ck_assert_msg(strlen(line) <= 80 || strstr(line, path), "%s", line);
    ck_assert_int_eq(inspect(output, ROOM, "--json", path), 0);
    json_t *root = json_loads(output, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(root, "%s", output);
    ck_assert_int_eq(json_array_size(json_object_get(root, "tensors")), 28);
    ck_assert_int_eq(json_array_size(json_object_get(root, "conditions")), 3 * L);
    const json_t *first = json_array_get(json_object_get(root, "conditions"), 0);
    ck_assert_double_eq_tol(json_real_value(json_object_get(first, "whole")), 16, 1e-8);
    ck_assert_int_eq(json_array_size(json_object_get(first, "heads")), HEADS);
    ck_assert(json_is_null(json_object_get(root, "nothing_applies_because")));
    ck_assert(json_is_true(json_object_get(json_object_get(root, "architecture"), "stored_in_out")));
    json_decref(root);
    ck_assert_int_eq(inspect(output, ROOM, "--no-conditions", path), 0);
    ck_assert_ptr_null(strstr(output, "Condition numbers"));
    ck_assert_int_eq(inspect(output, ROOM, "", ""), 2);
    ck_assert_ptr_nonnull(strstr(output, "takes a file"));
    ck_assert_int_eq(inspect(output, ROOM, "--width=3", path), 2);
    free(output);
}
END_TEST

/* ---- what is not covered ------------------------------------------------------------------------------------------- */

static void look(void *path)
{
    weights w = weights_open(path);
    transformer D = transformer_of(&w);
    reduction_list r = reductions_of(&D, NULL);
    layer_condition c = { .of = { { .whole = 0 } } };
    if (!r.nothing) c = layer_conditions(&D, 0);
    layer_conditions_free(&c);
    printf("%ld tensors, %ld rows: %s\n", w.tensors, r.n, r.nothing ? r.nothing : "covered");
    reductions_free(&r);
    transformer_free(&D);
    weights_close(&w);
}

static void expect_child(const char *path, int status, const char *says)
{
    char output[2048];
    const int is = run_child(look, (void *)path, output, sizeof output);
    ck_assert_msg(is == status && strstr(output, says), "wanted %d, `%s`; status %d: %s", status, says, is, output);
    ck_assert_msg(strchr(output, '\n') == output + strlen(output) - 1, "more than one line: %s", output);
    if (status == 2) ck_assert_msg(strstr(output, path) || strstr(output, "config.json"), "no file named: %s", output);
}

START_TEST(not_covered)
{
    model_parts m = llama(&hf, 1);
    expect_child(with_config(&m, llama_config), 0, "covered");
    expect_child(with_config(&m, "{\"model_type\":\"gemma2\"}"), 0, "does not say head_dim: put it there");
    expect_child(with_config(&m, "{\"model_type\":\"mamba\"}"), 0, "mamba is not an architecture");
    expect_child(with_config(&m, "{}"), 0, "what kind of model");
    char *folder = temp_folder();
    expect_child(write_safetensors(folder, "x", &m, "F32", 0, m.n), 0, "no config.json");
    expect_child(write_safetensors(folder, "x", &m, "F32", 0, 0), 2, "none of the formats");
    model_parts more = llama(&hf, 1);
    matrix(&more, "model.layers.#.mtp.weight", ROLE_UP, 1, WIDTH, WIDTH, false);
    expect_child(with_config(&more, llama_config), 0, "model.layers.1.mtp.weight first");
    parts_free(&more);
    char *other = temp_format("%.*s,\"tie_word_embeddings\":true}", (int)(strstr(llama_config, ",\"tie") - llama_config), llama_config);
    expect_child(with_config(&m, other), 0, "lm_head.weight differs");
    memcpy(m.at[m.n - 1].x, m.at[0].x, m.at[0].n * sizeof *m.at[0].x);
    expect_child(with_config(&m, other), 0, "covered");                                 /* tied, and stored twice */
    parts_free(&m);
    more = (model_parts){ .n = 0 };
    matrix(&more, "gau.weight", ROLE_UP, 1, 4, 4, false);
    expect_child(write_safetensors(folder, "y", &more, "F32", 0, 1), 0, "no tensor has a name");
    parts_free(&more);
}
END_TEST

START_TEST(numbers_that_are_not_finite)
{
    model_parts m = llama(&hf, 1);
    m.at[2].x[5] = NAN;                                                                 /* q_proj of layer 0 */
    char *path = with_config(&m, llama_config);
    parts_free(&m);
    weights w = weights_open(path);
    transformer D = transformer_of(&w);
    layer_condition c[L] = { layer_conditions(&D, 0), layer_conditions(&D, 1) };
    ck_assert(isnan(c[0].of[PROJECT_Q].whole) && !isnan(c[1].of[PROJECT_Q].whole));
    reduction_list r = reductions_of(&D, c);
    ck_assert_msg(r.nothing && strstr(r.nothing, "layer 0: W_Q holds a number that is not finite"), "%s", r.nothing);
    reductions_free(&r);
    for (long i = 0; i < L; i++) layer_conditions_free(&c[i]);
    transformer_free(&D);
    weights_close(&w);
}
END_TEST

/* ---- hostile files --------------------------------------------------------------------------------------------------- */

START_TEST(configurations_that_lie)
{
    static const struct { const char *from, *to, *says; } lie[] = {
        { "\"hidden_size\":8", "\"hidden_size\":16", "by the sizes in" },
        { "\"hidden_size\":8", "\"hidden_size\":-8", "hidden_size is -8, not a whole number" },
        { "\"hidden_size\":8", "\"hidden_size\":1e99", ", not a whole number from 1 to 1048576" },
        { "\"hidden_size\":8", "\"hidden_size\":9223372036854775807", "hidden_size is 9223372036854775807, not a whole number" },
        { "\"hidden_size\":8", "\"hidden_size\":9223372036854775808", "hidden_size is 9223372036854775808, not a whole number" },
        { "\"hidden_size\":8,", "", "does not say the width" },
        { "\"num_hidden_layers\":2", "\"num_hidden_layers\":3", "layer 2: gain 1 is missing" },
        { "\"num_hidden_layers\":2", "\"num_hidden_layers\":1", "is of a layer that" },
        { "\"num_attention_heads\":2", "\"num_attention_heads\":3", "3 heads do not divide the width 8" },
        { "\"num_key_value_heads\":1", "\"num_key_value_heads\":2", "k_proj.weight is [4, 8], but [8, 8]" },
        { "\"num_key_value_heads\":1", "\"num_key_value_heads\":0", "num_key_value_heads is 0, not a whole number" },
        { "\"intermediate_size\":12", "\"intermediate_size\":13", "by the sizes in" },
        { "\"vocab_size\":10", "\"vocab_size\":11", "by the sizes in" },
        { "\"rms_norm_eps\":1e-05", "\"rms_norm_eps\":-1", "not a positive number" },
        { "false", "1", "tie_word_embeddings is 1, not true or false" },
        { "\"model_type\":\"llama\"", "\"model_type\":\"gpt2\",\"model_type\":\"llama\"", "model_type is there twice, with different" },
        { "\"rms_norm_eps\":1e-05", "\"rms_norm_eps\":1e-06,\"rms_norm_eps\":1e-05", "rms_norm_eps is there twice, with different" },
        { "}", "", "should be JSON" },
        { "\"rope_theta\":10000.0", "\"head_dim\":3", "3 rotary coordinates" },
    };
    model_parts m = llama(&hf, 1);
    for (size_t k = 0; k < COUNT(lie); k++) {
        const char *at = strstr(llama_config, lie[k].from);
        char *config = temp_format("%.*s%s%s", (int)(at - llama_config), llama_config, lie[k].to, at + strlen(lie[k].from));
        expect_child(with_config(&m, config), 2, lie[k].says);
    }
    m.n--;
    expect_child(with_config(&m, llama_config), 2, "the head is missing");
    model_parts x = neox();
    static const char *const share[] = { "1e19", "1.5", "0.25", "1e-300" };          /* of a head's 4 coordinates */
    for (size_t k = 0; k < COUNT(share); k++) {
        const char *at = strstr(neox_config, "0.5");
        expect_child(with_config(&x, temp_format("%.*s%s%s", (int)(at - neox_config), neox_config, share[k], at + 3)), 2,
                     "times the 4 coordinates of a head would turn; correct rotary_pct");
    }
    parts_free(&x);
    static const char *const null_switch[] = { "multi_query", "parallel_attn" };     /* its class takes null as false */
    for (size_t k = 0; k < COUNT(null_switch); k++)
        expect_child(with_config(&m, temp_format("{\"model_type\":\"falcon\",\"%s\":null}", null_switch[k])), 2,
                     temp_format("%s is null, which is no value for it", null_switch[k]));
    m.n++;
    snprintf(m.at[2].name, sizeof m.at[2].name, "model.layers.0.self_attn.q_proj.bias");
    expect_child(with_config(&m, llama_config), 2, "layer 0: W_Q is missing");
    parts_free(&m);
}
END_TEST

#define LLAMA3(low, high, original) "\"rope_scaling\":{\"rope_type\":\"llama3\",\"factor\":8,\"low_freq_factor\":" low ",\"high_freq_factor\":" high \
                                    ",\"original_max_position_embeddings\":" original "}"
#define LONGROPE(near, far, more) "\"rope_scaling\":{\"rope_type\":\"longrope\",\"short_factor\":" near ",\"long_factor\":" far \
                                  ",\"original_max_position_embeddings\":3," more "}"

/* A key that changes the function is never read as if it were not there. */
START_TEST(configurations_beyond_the_description)
{
    static const struct { const char *extra, *beyond; bool known; long window; double theta; long rotary; } c[] = {
        { "\"torch_dtype\":\"bfloat16\"", NULL, true, 0, 10000, DK },
        { "\"rope_scaling\":null,\"attn_logit_softcapping\":null,\"logits_scaling\":1.0", NULL, true, 0, 10000, DK },
        { "\"rope_scaling\":{\"rope_type\":\"default\"}", NULL, true, 0, 10000, DK },
        { "\"rope_scaling\":{\"rope_type\":\"llama3\",\"factor\":8.0}", "angles are scaled", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"factor\":8.0}", "angles are scaled", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"rope_type\":\"linear\",\"factor\":1.0}", NULL, true, 0, 10000, DK },      /* divided by 1 */
        { "\"rope_scaling\":{\"type\":\"linear\",\"factor\":1.5}", NULL, true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"linear\",\"factor\":-1.5}", "angles are scaled, and factor is no positive number", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"linear\",\"factor\":2,\"mrope_section\":[1]}", "mrope_section is a key of it", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"linear\",\"factor\":2},\"rope_parameters\":{\"type\":\"linear\",\"factor\":3}", "programs differ on by which", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"linear\",\"factor\":2},\"rope_parameters\":{\"type\":\"linear\",\"factor\":2}", NULL, true, 0, 10000, DK },
        { LLAMA3("1", "4", "8192"), NULL, true, 0, 10000, DK }, { LLAMA3("4", "4", "8192"), "high_freq_factor is not above", true, 0, 10000, DK },
        { LLAMA3("1", "4", "8192") ",\"original_max_position_embeddings\":8192", NULL, true, 0, 10000, DK },
        { LLAMA3("1", "4", "8192") ",\"original_max_position_embeddings\":4096", "is said twice with different values", true, 0, 10000, DK },
        { LLAMA3("1", "4", "0.5"), "positions are not whole", true, 0, 10000, DK }, { LLAMA3("1", "null", "8192"), "high_freq_factor is not said", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"yarn\",\"factor\":4}", NULL, true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"yarn\",\"factor\":4,\"beta_fast\":1,\"beta_slow\":2}", "beta_slow is above beta_fast", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"yarn\",\"factor\":4,\"truncate\":1}", "truncate is not true or false", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"dynamic\",\"factor\":2}", NULL, true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"dynamic\",\"factor\":0.5}", "factor is below 1", true, 0, 10000, DK },
        { LONGROPE("[1,2]", "[3,4]", "\"attention_factor\":1.5"), NULL, true, 0, 10000, DK },
        { LONGROPE("[1,2]", "[3,4]", "\"factor\":2"), NULL, true, 0, 10000, DK },                  /* positions over original ones */
        { LONGROPE("[1,2]", "[3,4]", "\"factor\":5"), "programs differ on whether factor counts", true, 0, 10000, DK },
        { LONGROPE("[1,2]", "[3,4]", "\"factor\":5,\"attention_factor\":1.5"), NULL, true, 0, 10000, DK },
        { LONGROPE("[1,2]", "[3]", "\"factor\":2"), "long_factor does not hold 2 positive numbers", true, 0, 10000, DK },
        { LONGROPE("[0,2]", "[3,4]", "\"factor\":2"), "short_factor does not hold 2 positive numbers", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"rope_type\":\"default\",\"type\":\"yarn\",\"factor\":4}", "angles are scaled", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"rope_type\":\"linear\",\"type\":\"linear\",\"factor\":1}", NULL, true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"linear\"}", "angles are scaled", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"linear\",\"factor\":true}", "angles are scaled", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"Linear\",\"factor\":1}", "angles are scaled", true, 0, 10000, DK },
        { "\"rope_scaling\":{\"type\":\"su\",\"factor\":1}", "angles are scaled", true, 0, 10000, DK },
        { "\"rope_parameters\":{\"rope_type\":\"default\",\"rope_theta\":1e4,\"partial_rotary_factor\":1}", NULL, true, 0, 10000, DK },
        { "\"rope_parameters\":{\"rope_type\":\"default\",\"rope_theta\":5e5}", "programs differ on theta", true, 0, 5e5, DK },
        { "\"rope_parameters\":{\"rope_type\":\"default\",\"rope_theta\":5e5,\"partial_rotary_factor\":0.5}", "programs differ on", false, 0,
          5e5, DK },
        { "\"partial_rotary_factor\":0.5", "programs differ on", false, 0, 10000, DK },
        { "\"rope_parameters\":{}", NULL, true, 0, 10000, DK },
        { "\"rope_parameters\":{\"rope_type\":\"default\"}", NULL, true, 0, 10000, DK },
        { "\"rope_scaling\":{\"rope_type\":\"default\",\"rope_theta\":1e4},\"rope_parameters\":{\"rope_theta\":2.0}", NULL, true, 0, 10000, DK },
        { "\"is_causal\":false", "see those behind them (is_causal)", true, 0, 10000, DK },
        { "\"is_causal\":true", NULL, true, 0, 10000, DK },
        { "\"rope_interleaved\":false", NULL, true, 0, 10000, DK },
        { "\"rope_interleaved\":true", "are pairs (rope_interleaved)", true, 0, 10000, DK },
        { "\"per_layer_config\":{\"1\":{\"skip\":[\"mlp\"]}}", "of their own (per_layer_config)", false, 0, 10000, DK },
        { "\"rope_parameters\":{\"rope_type\":\"yarn\"}", "angles are scaled", true, 0, 10000, DK },
        { "\"rope_parameters\":{\"full_attention\":{\"rope_theta\":2.0}}", "angles are scaled", true, 0, 10000, DK },
        { "\"attn_logit_softcapping\":50.0", "scores are capped (attn_logit_softcapping)", true, 0, 10000, DK },
        { "\"layer_types\":[\"full_attention\",\"full_attention\"]", NULL, true, 0, 10000, DK },
        { "\"layer_types\":[\"full_attention\",\"sliding_attention\"]", "not all of its layers", true, 0, 10000, DK },
        { "\"layer_types\":[\"linear_attention\",\"full_attention\"]", "not all of its layers", false, 0, 10000, DK },
        { "\"clip_qkv\":8.0", "are clipped (clip_qkv)", false, 0, 10000, DK },
        { "\"attn_logit_softcapping\":5.0,\"residual_multiplier\":0.2", "is scaled (residual_multiplier)", false, 0, 10000, DK },
        { "\"quantization_config\":{\"bits\":4}", "are quantised", false, 0, 10000, DK },
    };
    model_parts m = llama(&hf, 1);
    for (size_t k = 0; k < COUNT(c); k++) {
        char *config = temp_format("{%s,%s", c[k].extra, llama_config + 1);
        weights w = weights_open(with_config(&m, config));
        transformer D = transformer_of(&w);
        ck_assert_msg(!D.unknown == c[k].known, "%s: %s", c[k].extra, D.unknown ? D.unknown : "known");
        ck_assert_msg(c[k].beyond ? D.beyond && strstr(D.beyond, c[k].beyond) : !D.beyond, "%s: %s", c[k].extra,
                      D.beyond ? D.beyond : "nothing beyond");
        if (!c[k].known) ck_assert(strstr(D.unknown, D.beyond));
        else ck_assert_msg(D.window == c[k].window && D.theta == c[k].theta && D.rotary == c[k].rotary, "%s: %ld %g %ld",
                           c[k].extra, D.window, D.theta, D.rotary);
        transformer_free(&D);
        weights_close(&w);
    }
    parts_free(&m);
}
END_TEST

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    ck_assert_msg(at != NULL, "%s", from);
    return temp_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* What each family's code in transformers makes of the same key. */
START_TEST(a_key_means_what_its_family_makes_of_it)
{
    static const struct { const char *family, *extra; long window; bool beyond; } c[] = {
        { "mistral", "\"max_position_embeddings\":9999", 4096, false }, { "mistral", "\"sliding_window\":null", 0, false },
        { "mistral", "\"sliding_window\":3,\"use_sliding_window\":false", 3, false },
        { "mistral", "\"sliding_window\":6", 6, false }, { "mistral", "\"use_sliding_window\":false", 4096, false },     /* 6 positions are no bound */
        { "mistral", "\"sliding_window\":3,\"layer_types\":[\"full_attention\",\"full_attention\"]", 0, false },
        { "llama", "\"sliding_window\":3", 0, false }, { "qwen2", "\"sliding_window\":3", 0, false }, { "qwen2", "\"sliding_window\":3,\"use_sliding_window\":true", 0, false },
        { "qwen2", "\"sliding_window\":3,\"use_sliding_window\":true,\"max_window_layers\":0", 3, false },
        { "qwen2", "\"sliding_window\":3,\"max_window_layers\":0", 0, false },
        { "qwen2", "\"sliding_window\":3,\"use_sliding_window\":true,\"max_window_layers\":1", 3, false },
        { "qwen2", "\"sliding_window\":3,\"use_sliding_window\":true,\"max_window_layers\":2", 0, false },
        { "qwen2", "\"sliding_window\":3,\"use_sliding_window\":true,\"max_window_layers\":0,\"layer_types\":[\"full_attention\","
          "\"full_attention\"]", 0, false },
        { "qwen2", "\"max_position_embeddings\":9999,\"use_sliding_window\":true,\"max_window_layers\":0", 4096, false },
    };
    model_parts m = llama(&hf, 1);
    for (size_t k = 0; k < COUNT(c); k++) {
        char *config = replaced(replaced(llama_config, "llama", c[k].family), "\"rope_theta\":10000.0", c[k].extra);
        if (strstr(c[k].extra, "9999")) config = replaced(config, "\"max_position_embeddings\":6,", "");
        weights w = weights_open(with_config(&m, config));
        transformer D = transformer_of(&w);
        ck_assert_msg(!D.unknown && D.window == c[k].window && !D.beyond == !c[k].beyond, "%s %s: %s %ld %s", c[k].family, c[k].extra,
                      D.unknown, D.window, D.beyond);
        transformer_free(&D);
        weights_close(&w);
    }
    parts_free(&m);
    m = neox();
    weights w = weights_open(with_config(&m, temp_format("{\"rotary_emb_base\":77,\"rope_theta\":55,\"partial_rotary_factor\":0.5,"
                                                         "\"layer_norm_epsilon\":0.5,%s", neox_config + 1)));
    transformer D = transformer_of(&w);
    ck_assert_msg(!D.unknown && D.theta == 77 && D.rotary == DK / 2 && D.eps == 1e-5, "%s %g %ld %g", D.unknown, D.theta, D.rotary, D.eps);
    transformer_free(&D);
    weights_close(&w);
    w = weights_open(with_config(&m, temp_format("{\"partial_rotary_factor\":1,%s", neox_config + 1)));
    D = transformer_of(&w);                              /* another part than rotary_pct says */
    ck_assert_msg(D.unknown && strstr(D.unknown, "partial_rotary_factor"), "%s", D.unknown);
    transformer_free(&D);
    weights_close(&w);
    static const struct { const char *inside, *beyond; } twice[] = {     /* rotary_pct is 0.5 beside it           */
        { "\"rope_theta\":1e4,\"partial_rotary_factor\":0.5", NULL }, { "\"partial_rotary_factor\":1.0", "programs differ on which part" },
        { "\"rope_theta\":5e5", NULL }, { "\"rope_theta\":5e5},\"rotary_emb_base\":7,\"x\":{\"x\":1", "programs differ on theta" },
        { "\"x\":1},\"head_dim\":4,\"x\":{\"x\":1", NULL }, { "\"x\":1},\"head_dim\":2,\"x\":{\"x\":1", "how many coordinates turn (head_dim)" },
        { "\"x\":1},\"head_dim\":4.0,\"x\":{\"x\":1", "how many coordinates turn (head_dim)" },
        { "\"x\":1},\"head_dim\":null,\"x\":{\"x\":1", NULL } };
    for (size_t k = 0; k < COUNT(twice); k++) {
        w = weights_open(with_config(&m, temp_format("{\"rope_parameters\":{\"rope_type\":\"default\",%s},%s", twice[k].inside, neox_config + 1)));
        D = transformer_of(&w);
        ck_assert_msg(!D.unknown && (twice[k].beyond ? D.beyond && strstr(D.beyond, twice[k].beyond) : !D.beyond), "%s: %s", twice[k].inside, D.beyond);
        transformer_free(&D);
        weights_close(&w);
    }
    parts_free(&m);
}
END_TEST

/* Tensors that the family's programs do not load are no part of what they compute. */
START_TEST(tensors_that_programs_leave_out)
{
    static const struct { const char *family, *name, *extra, *why; } c[] = {
        { "llama", "model.layers.%ld.self_attn.q_proj.bias", "", "does not say that attention_bias is true" },
        { "llama", "model.layers.%ld.self_attn.q_proj.bias", "\"attention_bias\":true,", NULL },
        { "llama", "model.layers.%ld.self_attn.q_proj.bias", "\"attention_bias\":false,", "does not say that attention_bias is true" },
        { "llama", "model.layers.%ld.self_attn.q_norm.weight", "", "programs for llama compute without" },
        { "llama", "model.layers.%ld.input_layernorm.bias", "", "programs for llama compute without" },
        { "mistral", "model.layers.%ld.self_attn.q_proj.bias", "\"attention_bias\":true,", "programs for mistral compute without" },
        { "qwen2", "model.layers.%ld.self_attn.q_proj.bias", "", NULL },
        { "qwen2", "model.layers.%ld.self_attn.o_proj.bias", "", "programs for qwen2 compute without" },
        { "llama", "lm_head.bias", "", "programs for llama compute without" },
    };
    for (size_t k = 0; k < COUNT(c); k++) {
        model_parts m = llama(&hf, 1);
        const bool each = strstr(c[k].name, "%ld");
        for (long i = 0; i < (each ? L : 1); i++) {
            char name[80], number[24];
            snprintf(number, sizeof number, "%ld", i);
            snprintf(name, sizeof name, "%s", each ? replaced(c[k].name, "%ld", number) : c[k].name);
            vector(&m, name, ROLE_Q_BIAS, i, strstr(name, "q_norm") ? DK : each ? WIDTH : V);
        }
        char *config = replaced(llama_config, "\"model_type\":\"llama\",", temp_format("\"model_type\":\"%s\",%s", c[k].family, c[k].extra));
        weights w = weights_open(with_config(&m, config));
        transformer D = transformer_of(&w);
        ck_assert_msg(c[k].why ? D.unknown && strstr(D.unknown, c[k].why) : !D.unknown, "%s %s: %s", c[k].family, c[k].name, D.unknown);
        transformer_free(&D);
        weights_close(&w);
        parts_free(&m);
    }
    model_parts m = llama(&hf, 1);
    expect_child(with_config(&m, replaced(llama_config, "llama", "qwen3")), 2, "layer 0: Q gain is missing");
    parts_free(&m);
}
END_TEST

/* llama.cpp scales by a factor without a type, too, and reads its older name. */
/* The text of the one key that no rule knows, to be freed. */
static char *unknown(const char *keys)
{
    json_t *x = json_loads(keys, 0, NULL);
    const settings s = { x, NULL, "", "config.json", architecture_called("llama") };
    long n;
    char **list = settings_unknown(&s, &n);
    ck_assert_int_eq(n, 1);
    char *text = list[0];
    free(list);
    json_decref(x);
    return text;
}

/* Keys that no rule knows are compared as they are, however long they are and however little of them is shown. */
START_TEST(unknown_keys_are_compared_whole)
{
#define SIXTEEN "1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,"
#define ARRAY(at, hash) "{\"kinds\":{\"length\":2,\"texts\":false,\"from\":" at ",\"bytes\":8,\"sha256\":\"5:" hash "\"}}"
    static const struct { const char *a, *b; bool same; } of[] = {
        { "{\"scale\":2}", "{\"scale\":2}", true }, { "{\"scale\":2}", "{\"scale\":3}", false },
        { "{\"scale\":[" SIXTEEN "1.5]}", "{\"scale\":[" SIXTEEN "1.5]}", true },
        { "{\"scale\":[" SIXTEEN "1.5]}", "{\"scale\":[" SIXTEEN "7.5]}", false },
        { "{\"scale" SIXTEEN SIXTEEN "a\":1}", "{\"scale" SIXTEEN SIXTEEN "b\":1}", false },
        { ARRAY("10", "aa"), ARRAY("20", "aa"), true }, { ARRAY("10", "aa"), ARRAY("10", "bb"), false },
    };
    for (size_t k = 0; k < COUNT(of); k++) {
        char *a = unknown(of[k].a), *b = unknown(of[k].b);
        ck_assert_msg((strcmp(a, b) == 0) == of[k].same, "%s, %s", a, b);
        ck_assert_uint_le(strlen(a), 200);
        json_t *x = json_loads(of[k].a, 0, NULL), *y = json_loads(of[k].b, 0, NULL);
        ck_assert(settings_same_value(x, y) == of[k].same);
        json_decref(x);
        json_decref(y);
        free(a);
        free(b);
    }
}
END_TEST

START_TEST(scaled_angles_in_gguf)
{
    static const struct { const char *keys, *words; } c[] = {       /* the words begin with `scaled`, or they are a reason */
        { "{}", "plain" }, { "{\"llama.rope.scaling.factor\":4.0}", "scaled by linear: factor 4" },
        { "{\"llama.rope.scale_linear\":4.0}", "scaled by linear: factor 4" },
        { "{\"llama.rope.scaling.type\":\"linear\",\"llama.rope.scaling.factor\":2.5}", "scaled by linear: factor 2.5" },
        { "{\"llama.rope.scaling.factor\":1.0}", "plain" }, { "{\"llama.rope.scaling.factor\":0.0}", "plain" },
        { "{\"llama.rope.scaling.type\":\"none\",\"llama.rope.scaling.factor\":4.0}", "plain" },
        { "{\"llama.rope.scaling.type\":\"yarn\",\"llama.rope.scaling.factor\":4.0}", "scaled by yarn: factor 4, fully below 1 and not "
          "above 32 turns in 40 positions; cosines and sines times 1.13862944" },
        { "{\"llama.rope.scaling.type\":\"yarn\",\"llama.rope.scaling.factor\":4.0,\"llama.rope.scaling.original_context_length\":10,"
          "\"llama.rope.scaling.yarn_beta_fast\":32.0,\"llama.rope.scaling.yarn_beta_slow\":1.0}", "scaled by yarn: factor 4, fully below 1 and not "
          "above 32 turns in 10 positions; cosines and sines times 1.13862944" },
        { "{\"llama.rope.scaling.type\":\"yarn\",\"llama.rope.scaling.factor\":4.0,\"llama.rope.scaling.yarn_beta_fast\":8.0}", "another form of yarn, and programs differ on whether that key counts" },
        { "{\"llama.rope.scaling.type\":\"yarn\",\"llama.rope.scaling.factor\":4.0,\"llama.rope.scaling.yarn_beta_slow\":2.0}", "another form of yarn, and programs differ on whether that key counts" },
        { "{\"llama.rope.scaling.type\":\"yarn\",\"llama.rope.scaling.factor\":4.0,\"llama.rope.scaling.yarn_ext_factor\":0.5}", "another form of yarn" },
        { "{\"llama.rope.scaling.type\":\"yarn\",\"llama.rope.scaling.factor\":4.0,\"llama.rope.scaling.yarn_attn_factor\":0.5}", "another form of yarn" },
        { "{\"llama.rope.scaling.type\":\"yarn\",\"llama.rope.scaling.factor\":4.0,\"llama.rope.scaling.yarn_log_multiplier\":0.1}", "another form of yarn" },
        { "{\"llama.rope.scaling.type\":\"yarn\",\"llama.rope.scaling.factor\":0.5}", "by yarn with a factor below 1" },
        { "{\"llama.rope.scaling.type\":\"longrope\",\"llama.rope.scaling.factor\":4.0}", "no rule that is known here" },
        { "{\"llama.attention.causal\":false}", "its tokens see those behind them" },
        { "{\"llama.rope.scaling.attn_factor\":2.0}", "queries and keys are scaled" }, { "{\"llama.rope.scaling.attn_factor\":1.0}", "plain" },
    };
    for (size_t k = 0; k < COUNT(c); k++) {
        json_t *keys = json_loads(c[k].keys, 0, NULL);
        bool theorems;
        const settings s = { keys, NULL, "llama.", "x.gguf", architecture_called("gguf:llama") };
        transformer D = { .positions = POSITIONS_ROTARY, .theta = 10000, .rotary = DK, .T = 40 };
        char *text = beyond_description(&s, &theorems);
        ck_assert_msg(theorems, "%s: %s", c[k].keys, text);
        if (!text) text = rope_read(&D, &s);
        if (!text) text = rope_words(&D);
        ck_assert_msg(strstr(text, c[k].words) && !strstr(text, "yarn") == !strstr(c[k].words, "yarn"), "%s: %s", c[k].keys, text);
        free(text);
        json_decref(keys);
    }
}
END_TEST

static char *with_table(const model_parts *m, double a, double b, long n)       /* rope_freqs.weight in GGUF's Llama */
{
    model_parts all = *m;
    part *p = &all.at[all.n++];
    double x[] = { a, b, 1 };
    *p = (part){ .rank = 1, .shape = { n }, .n = (size_t)n, .x = x };
    snprintf(p->name, sizeof p->name, "rope_freqs.weight");
    return write_gguf(temp_folder(), "x.gguf", &all, "F32");
}

/* llama3 in config.json, and the table that llama.cpp's converter makes of it: the rule's numbers in float32, a few roundings off. */
START_TEST(tables_of_scaled_angles)
{
    static char output[8192];
    static const char llama3[] = "{\"rope_scaling\":{\"rope_type\":\"llama3\",\"factor\":%d,\"low_freq_factor\":1,\"high_freq_factor\":4,"
                                 "\"original_max_position_embeddings\":1500},%s";
    model_parts g = llama(&ggml, 1), m = llama(&hf, 1);
    for (long k = 0; k < m.n; k++) {                                    /* rows 0 1 2 3 of a head: 0 2 1 3 */
        part *p = &m.at[k];
        for (long r = 1; (strstr(p->name, "q_proj") || strstr(p->name, "k_proj")) && r < p->shape[0]; r += DK)
            for (long c = 0; c < WIDTH; c++) {
                const double keep = p->x[r * WIDTH + c];
                p->x[r * WIDTH + c] = p->x[(r + 1) * WIDTH + c];
                p->x[(r + 1) * WIDTH + c] = keep;
            }
    }
    char *hub = with_config(&m, temp_format(llama3, 8, llama_config + 1)), *other = with_config(&m, temp_format(llama3, 16, llama_config + 1));
    const double turns = 1500 * 0.01 / (2 * acos(-1)), e = (turns - 1) / 3, want = 1 / ((1 - e) / 8 + e);
    const float single = (float)want;
    char *exact = with_table(&g, 1, single, 2), *near = with_table(&g, 1, (double)single * (1 + 0x1p-20), 2);
    char *far = with_table(&g, 1, (double)single * (1 + 0x1p-17), 2), *plain = write_gguf(temp_folder(), "x.gguf", &g, "F32");
    static const char *const rules[] = { "\"rope_type\":\"yarn\",\"factor\":4,\"attention_factor\":1.25",
        "\"rope_type\":\"yarn\",\"factor\":4,\"attention_factor\":1.5", "\"rope_type\":\"longrope\",\"factor\":2,\"short_factor\":[1,2],"
        "\"long_factor\":[3,4],\"original_max_position_embeddings\":3", "\"rope_type\":\"longrope\",\"factor\":2,\"short_factor\":[1,2],"
        "\"long_factor\":[3,5],\"original_max_position_embeddings\":3", "\"rope_type\":\"dynamic\",\"factor\":2", "\"rope_type\":\"dynamic\",\"factor\":4",
        "\"rope_type\":\"default\"" };
    char *apart[COUNT(rules)];
    for (size_t k = 0; k < COUNT(rules); k++) apart[k] = with_config(&m, temp_format("{\"rope_scaling\":{%s},%s", rules[k], llama_config + 1));
    const struct { const char *a, *b; int status; const char *says; } of[] = {
        { hub, hub, 0, "the same function for all inputs" }, { exact, exact, 0, "the same function for all inputs" },
        { hub, exact, 0, "the same up to rounding, for all inputs" }, { exact, hub, 0, "agree to " }, { hub, near, 0, "up to rounding" },
        { exact, near, 0, "up to rounding" },
        { hub, far, 1, "different: rotary frequencies are scaled by llama3: factor 8, fully below 1 and not above 4 turns in 1500 positions in A "
                       "and divided by a table of the file in B" },
        { plain, exact, 1, "different: rotary frequencies are plain in A" }, { hub, plain, 1, "different: rotary frequencies are " },
        { hub, other, 1, "different: rotary frequencies are scaled by llama3: factor 8" },
        { apart[0], apart[1], 1, "times 1.25 in A" }, { apart[2], apart[3], 1, "another beyond" }, { apart[4], apart[5], 1, "scaled by dynamic: factor 2 " },
        { apart[4], apart[6], 1, "scaled by dynamic: factor 2 " }, { apart[6], apart[4], 1, "different: rotary frequencies are plain in A" },
        { apart[4], apart[4], 0, "the same function for all inputs" }, { apart[2], apart[2], 0, "the same function for all inputs" }, { other, exact, 1, "different: rotary frequencies are " } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const int status = run_command(output, sizeof output, "%s/provably verify --width=300 %s %s", build_folder(), of[k].a, of[k].b);
        ck_assert_msg(status == of[k].status && strstr(output, of[k].says), "%zu: %d: %s", k, status, output);
        if (of[k].status == 0 && of[k].a != of[k].b)
            ck_assert_msg(strstr(output, "roundings to float32; ") && !strstr(output, "function for all inputs"), "%zu: %s", k, output);
    }
    run_command(output, sizeof output, "%s/provably inspect --json --no-conditions %s", build_folder(), exact);
    ck_assert_msg(strstr(output, "\"rotary_scaling\": \"divided by a table of the file\""), "%s", output);
    run_command(output, sizeof output, "%s/provably inspect --width=200 --no-conditions %s", build_folder(), hub);
    ck_assert_msg(strstr(output, "frequencies scaled by llama3: factor 8"), "%s", output);
    expect_child(with_table(&g, 1, -2, 2), 2, "rope_freqs.weight holds -2");
    expect_child(with_table(&g, 1, INFINITY, 2), 2, "rope_freqs.weight holds inf");
    model_parts elsewhere = m;                           /* Hugging Face's Llama does not read it */
    double ones[] = { 1, 1 };
    elsewhere.at[elsewhere.n] = (part){ .name = "rope_freqs.weight", .rank = 1, .shape = { 2 }, .n = 2, .x = ones };
    elsewhere.n++;
    const struct { char *path; const char *says; } not_read[] = { { with_table(&g, 1, 2, 3), "a table that does not fit" },
        { with_config(&elsewhere, llama_config), "by a table that others ignore (rope_freqs.weight)" } };
    for (size_t k = 0; k < COUNT(not_read); k++) {
        weights w = weights_open(not_read[k].path);
        transformer D = transformer_of(&w);
        ck_assert_msg(D.beyond && strstr(D.beyond, not_read[k].says), "%s", D.beyond);
        transformer_free(&D);
        weights_close(&w);
    }
    parts_free(&m);
    parts_free(&g);
}
END_TEST

/* llama.cpp computes gelu by tanh for GPT-NeoX, transformers gelu by erf. */
START_TEST(neox_in_gguf_is_another_function)
{
    static char output[8192];
    model_parts m = neox(), g = neox_in_gguf();
    char *path = with_config(&m, neox_config), *gguf = write_gguf_of("gptneox", temp_folder(), "x.gguf", &g, "F32");
    char *by_tanh = with_config(&m, replaced(neox_config, "\"rotary_pct\":0.5", "\"rotary_pct\":1.0,\"hidden_act\":\"gelu_new\""));
    parts_free(&m);
    parts_free(&g);
    weights w = weights_open(gguf);
    transformer D = transformer_of(&w);
    ck_assert_msg(!D.unknown && D.fused == FUSED_BLOCKS && D.parallel, "%s", D.unknown);
    ck_assert_str_eq(D.activation, "gelu_new");
    transformer_free(&D);
    weights_close(&w);
    const int status = run_command(output, sizeof output, "%s/provably verify --width=300 %s %s", build_folder(), path, gguf);
    ck_assert_msg(status == 1 && strstr(output, "the activation is gelu in A and gelu_new in B"), "%d: %s", status, output);
    for (int k = 0; k < 2; k++) {                                        /* (Q|K|V) head by head, and Q|K|V             */
        const int same = run_command(output, sizeof output, "%s/provably verify --width=300 %s %s", build_folder(), k ? gguf : by_tanh,
                                     k ? by_tanh : gguf);
        ck_assert_msg(same == 0 && strstr(output, "the same function for all inputs"), "%d: %s", same, output);
    }
}
END_TEST

/* What a configuration leaves out is what the library that wrote it means. */
START_TEST(what_is_not_said)
{
    static const struct { const char *config; double eps; const char *activation; long rotary; } c[] = {
        { "{\"model_type\":\"gpt2\",\"n_embd\":8,\"n_layer\":2,\"n_head\":2,\"n_inner\":12}", 1e-5, "gelu_new", 0 },
        { "{\"n_embd\":8,\"n_layer\":2,\"n_head\":2,\"n_inner\":12}", 1e-5, "gelu", 0 },                    /* nanoGPT */
        { "{\"model_type\":\"llama\",\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":2,"
          "\"num_key_value_heads\":1,\"intermediate_size\":12}", 1e-6, "silu", DK },
    };
    for (size_t k = 0; k < COUNT(c); k++) {
        model_parts m = k < 2 ? gpt2(false, "") : llama(&hf, 1);
        weights w = weights_open(with_config(&m, c[k].config));
        transformer D = transformer_of(&w);
        ck_assert_msg(!D.unknown && D.eps == c[k].eps && D.rotary == c[k].rotary, "%zu: %g %ld", k, D.eps, D.rotary);
        ck_assert_str_eq(D.activation, c[k].activation);
        transformer_free(&D);
        weights_close(&w);
        parts_free(&m);
    }
}
END_TEST

START_TEST(indices_that_lie)
{
    static const struct { const char *index, *says; } bad[] = {
        { "{\"weight\":", "should be JSON" }, { "{\"a\": 1}", "no weight_map" }, { "{\"weight_map\":[]}", "no weight_map" },
        { "{\"weight_map\":{\"x\":\"../a.safetensors\"}}", "not a plain name" }, { "{\"weight_map\":{\"x\":7}}", "not a plain name" },
        { "{\"weight_map\":{\"x\":\"none.safetensors\"}}", "which is not there" },
        { "{\"weight_map\":{\"x\":\"a.safetensors\"}}", "the index does not name it" },
        { "{\"weight_map\":{\"x\":\"a.safetensors\",\"x\":\"b.safetensors\"}}", "tensor x is there twice, in different files" },
    };
    for (size_t k = 0; k < COUNT(bad); k++) expect_child(write_sharded(temp_folder(), bad[k].index), 2, bad[k].says);
    char *folder = temp_folder(), *path = write_sharded(folder, NULL), *index = temp_read(NULL, path, NULL);
    strstr(index, "\"a.safetensors")[1] = 'b';                          /* the first tensor's file */
    temp_text(NULL, path, index);
    expect_child(path, 2, "the index says b.safetensors");
    write_sharded(folder, NULL);
    index = temp_read(NULL, path, NULL);
    char *tail = strstr(index, "}}");
    temp_text(NULL, path, temp_format("%.*s,\"more\":\"a.safetensors\"}}", (int)(tail - index), index));
    expect_child(path, 2, "tensor more is not in a.safetensors");
}
END_TEST

/* ---- what a file says, leaves out, or says so that it cannot be read ------------------------------------------------- */

/* A GGUF file with one key more, or another value for one. */
static char *gguf_with(const char *key, uint32_t type, const void *value, size_t n)
{
    gguf_omits = gguf_more = key;
    gguf_more_type = type, gguf_more_value = value, gguf_more_bytes = n;
    model_parts m = llama(&ggml, 1);
    char *path = write_gguf(temp_folder(), "x.gguf", &m, "F32");
    parts_free(&m);
    gguf_omits = gguf_more = NULL;
    return path;
}

/* An array of two numbers is what they are: the same function is not said of files whose arrays differ. */
START_TEST(arrays_in_gguf_are_compared_by_their_numbers)
{
    static char output[8192];
    struct { uint32_t of; uint64_t n; uint32_t x[2]; } __attribute__((packed)) one = { 4, 2, { 3, 5 } }, other = { 4, 2, { 5, 3 } };
    const uint32_t array = 9;
    char *A = gguf_with("llama.kinds", array, &one, sizeof one), *B = gguf_with("llama.kinds", array, &other, sizeof other);
    const char *verify = "%s/provably verify --width=300 %s %s";
    int status = run_command(output, sizeof output, verify, build_folder(), A, B);
    ck_assert_msg(status == 3 && strstr(output, "llama.kinds"), "%d: %s", status, output);
    status = run_command(output, sizeof output, verify, build_folder(), A, gguf_with("llama.kinds", array, &one, sizeof one));
    ck_assert_msg(status == 0 && !strstr(output, "for all inputs"), "%d: %s", status, output);
}
END_TEST

static char *gguf_without(const char *key)
{
    gguf_omits = key;
    model_parts m = llama(&ggml, 1);
    char *path = write_gguf(temp_folder(), "x.gguf", &m, "F32");
    parts_free(&m);
    gguf_omits = NULL;
    return path;
}

START_TEST(unreadable_is_not_absent)
{
    const float nan_ = NAN, inf = INFINITY, less = -1, good = 3e-5f;
    const double wide = NAN;
    static const char not_utf8[] = "\4\0\0\0\0\0\0\0x\xff\xfey", zero[] = "\3\0\0\0\0\0\0\0a\0b", text[] = "\1\0\0\0\0\0\0\0" "8";
    const uint64_t huge = UINT64_MAX;
    static char megabyte[(1 << 20) + 16];
    memset(megabyte, 'x', sizeof megabyte);
    memcpy(megabyte, &(uint64_t){ sizeof megabyte - 8 }, 8);
    const struct { const char *key; uint32_t type; const void *value; size_t n; const char *says; } c[] = {
        { "llama.attention.layer_norm_rms_epsilon", 6, &nan_, 4, "llama.attention.layer_norm_rms_epsilon is NaN, not a positive number" },
        { "llama.attention.layer_norm_rms_epsilon", 6, &inf, 4, "is Infinity, not a positive number" },
        { "llama.attention.layer_norm_rms_epsilon", 6, &less, 4, "is -1.0, not a positive number" },
        { "llama.attention.layer_norm_rms_epsilon", 12, &wide, 8, "is NaN, not a positive number" },
        { "llama.attention.layer_norm_rms_epsilon", 8, text, sizeof text - 1, "is \"8\", not a positive number" },
        { "llama.rope.freq_base", 6, &nan_, 4, "llama.rope.freq_base is NaN" },
        { "llama.rope.freq_base", 8, not_utf8, sizeof not_utf8 - 1, "llama.rope.freq_base is a text that is not UTF-8" },
        { "llama.rope.scaling.type", 8, not_utf8, sizeof not_utf8 - 1, "llama.rope.scaling.type is a text that is not UTF-8, not a text" },
        { "llama.rope.scaling.type", 8, zero, sizeof zero - 1, "llama.rope.scaling.type is a text with a byte 0" },
        { "llama.rope.scaling.type", 8, megabyte, sizeof megabyte, "llama.rope.scaling.type is a text of more than a megabyte" },
        { "llama.rope.scaling.factor", 6, &inf, 4, "llama.rope.scaling.factor is Infinity" },
        { "llama.context_length", 10, &huge, 8, "llama.context_length is a number beyond 2^63" },
        { "general.architecture", 8, not_utf8, sizeof not_utf8 - 1, "general.architecture is not a text" },
    };
    for (size_t k = 0; k < COUNT(c); k++) expect_child(gguf_with(c[k].key, c[k].type, c[k].value, c[k].n), 2, c[k].says);
    expect_child(gguf_with("llama.rope.scaling.attn_factor", 6, &nan_, 4), 0, "covered");   /* any scale: theorems hold */
    expect_child(gguf_with("llama.residual_scale", 6, &nan_, 4), 0, "covered");               /* nothing reads these   */
    expect_child(gguf_with("general.name", 8, not_utf8, sizeof not_utf8 - 1), 0, "covered");
    weights w = weights_open(gguf_with("llama.attention.layer_norm_rms_epsilon", 6, &good, 4));
    transformer D = transformer_of(&w);
    ck_assert(!D.unknown && D.eps == (double)good);
    transformer_free(&D);
    weights_close(&w);
}
END_TEST

START_TEST(required_keys_of_gguf)
{
    static const char *const key[] = { "general.architecture", "llama.context_length", "llama.embedding_length", "llama.block_count",
        "llama.feed_forward_length", "llama.attention.head_count", "llama.attention.layer_norm_rms_epsilon" };
    for (size_t k = 0; k < COUNT(key); k++)
        expect_child(gguf_without(key[k]), 2, temp_format("the key %s is missing, which programs for GGUF require", key[k]));
    expect_child(gguf_without("tokenizer.ggml.none"), 0, "covered");
}
END_TEST

/* Equal numbers for each layer are one number; others are not described here. */
START_TEST(arrays_of_head_counts)
{
    static const struct { uint32_t at[3]; uint32_t n; const char *says; } c[] = {
        { { 1, 1 }, 2, NULL }, { { 1, 2 }, 2, "is an array of 2 different numbers" }, { { 1, 1, 1 }, 3, "is an array of 3 numbers, not one for each" },
        { { 0 }, 0, "is an array of 0 different numbers" }, { { 2, 2 }, 2, "k_proj" } };
    for (size_t k = 0; k < COUNT(c); k++) {
        text_buffer t = { 0 };
        put_u32(&t, 4);
        put_u64(&t, c[k].n);
        put(&t, c[k].at, 4 * c[k].n);
        char *path = gguf_with("llama.attention.head_count_kv", 9, t.at, t.length);
        if (!c[k].says) same_model(path, "GGUF", 1);
        else expect_child(path, 2, k == 4 ? "blk.0.attn_k.weight is [4, 8], but [8, 8]" : c[k].says);
        text_clear(&t);
    }
}
END_TEST

static void expect_unknown(const char *path, const char *says)         /* NULL: all settings are known */
{
    weights w = weights_open(path);
    transformer D = transformer_of(&w);
    ck_assert_msg(!D.unknown, "%s: %s", path, D.unknown);
    ck_assert_int_eq(D.unknown_keys, says != NULL);
    if (says) ck_assert_str_eq(D.unknown_key[0], says);
    transformer_free(&D);
    weights_close(&w);
}

/* A key that nobody knows may be anything; one of another architecture is nothing. */
START_TEST(settings_that_are_not_known)
{
    static char output[8192];
    const uint32_t seven = 7;
    const float one = 1;
    model_parts m = llama(&hf, 1);
    expect_unknown(gguf_with("llama.novel_scale", 4, &seven, 4), "llama.novel_scale = 7");
    expect_unknown(gguf_with("gpt2.novel_scale", 4, &seven, 4), NULL);
    expect_unknown(gguf_with("general.novel", 4, &seven, 4), NULL);
    expect_unknown(gguf_with("llama.attention.sliding_window", 4, &seven, 4), NULL);
    expect_unknown(gguf_with("llama.rope.scaling.attn_factor", 6, &one, 4), NULL);
    expect_unknown(with_config(&m, temp_format("{\"novel\":{\"a\":[1]},%s", llama_config + 1)), "novel = {\"a\":[1]}");
    expect_unknown(with_config(&m, temp_format("{\"novel\":[-Infinity,{\"a\":NaN}],%s", llama_config + 1)), "novel = [-Infinity,{\"a\":NaN}]");
    expect_unknown(with_config(&m, temp_format("{\"novel\":Infinity,%s", llama_config + 1)), "novel = Infinity");
    expect_unknown(with_config(&m, temp_format("{\"novel\":null,\"use_cache\":true,\"torch_dtype\":\"float32\",%s", llama_config + 1)), NULL);
    static const char *const nothing[] = { "llama.novel_scale", "llama.rope.freq_base_swa" };
    for (size_t k = 0; k < COUNT(nothing); k++) {
        char *path = gguf_with(nothing[k], 4, &seven, 4), *out = temp_path(temp_folder(), "out");
        const int is = run_command(output, sizeof output, "%s/provably reduce %s --out=%s", build_folder(), path, out);
        ck_assert_msg(is == 2 && strstr(output, nothing[k]) && !temp_exists(out, ""), "%d: %s", is, output);
    }
    parts_free(&m);
}
END_TEST

/* Keys of other families are not obeyed, whatever they say. */
START_TEST(settings_of_other_families)
{
    static const struct { int kind; const char *extra; } c[] = {
        { 0, "\"num_key_value_heads\":1" }, { 0, "\"intermediate_size\":99" }, { 0, "\"use_parallel_residual\":true" },
        { 0, "\"rope_theta\":NaN,\"rope_scaling\":{\"rope_type\":\"yarn\"}" }, { 0, "\"rms_norm_eps\":-7,\"hidden_act\":\"relu\"" },
        { 0, "\"sliding_window\":1,\"head_dim\":3" }, { 1, "\"use_parallel_residual\":true" }, { 1, "\"rotary_pct\":0.5" },
        { 1, "\"rotary_emb_base\":7,\"layer_norm_eps\":7,\"layer_norm_epsilon\":7" }, { 1, "\"n_embd\":99,\"n_head\":7,\"n_inner\":-1" },
        { 1, "\"scale_attn_weights\":false,\"scale_attn_by_inverse_layer_idx\":true" }, { 1, "\"activation_function\":\"relu\"" },
        { 2, "\"num_key_value_heads\":1" }, { 2, "\"rms_norm_eps\":7,\"sliding_window\":1" }, { 2, "\"mlp_bias\":7" } };
    for (size_t k = 0; k < COUNT(c); k++) {
        model_parts m = c[k].kind == 0 ? gpt2(false, "") : c[k].kind == 1 ? llama(&hf, 1) : neox();
        const char *config = c[k].kind == 0 ? gpt2_config : c[k].kind == 1 ? llama_config : neox_config;
        weights v = weights_open(with_config(&m, config)), w = weights_open(with_config(&m, temp_format("{%s,%s", c[k].extra, config + 1)));
        transformer A = transformer_of(&v), B = transformer_of(&w);
        ck_assert_msg(!A.unknown && !B.unknown && !B.beyond && !B.unknown_keys, "%s: %s %s", c[k].extra, B.unknown, B.beyond);
        structure s = structure_of(&A, &B, NULL);
        ck_assert_msg(structure_same(&s), "%s: %s", c[k].extra, s.settings ? s.setting[0] : "the parts differ");
        structure_free(&s);
        transformer_free(&A), transformer_free(&B);
        weights_close(&v), weights_close(&w);
        parts_free(&m);
    }
    expect_unknown(gguf_with("llama.use_parallel_residual", 7, "\1", 1), NULL);
}
END_TEST

START_TEST(what_a_file_says_that_it_is)
{
    static const struct { const char *extra, *unknown, *code; } c[] = {
        { "\"architectures\":[\"LlamaForCausalLM\"]", NULL, NULL }, { "\"architectures\":null", NULL, NULL },
        { "\"architectures\":[\"LlamaModel\"]", "LlamaModel, the stream without a head", NULL },
        { "\"architectures\":[\"LlamaForSequenceClassification\"]", "whose head predicts something else", NULL },
        { "\"architectures\":[\"LlamaBidirectionalModel\"]", "LlamaBidirectionalModel (architectures), which is not known here", NULL },
        { "\"architectures\":[\"MistralForCausalLM\"]", "which is not known here: of this kind it is LlamaForCausalLM", NULL },
        { "\"architectures\":[\"LlamaForCausalLM\",\"Other\"]", "Other (architectures)", NULL },
        { "\"auto_map\":{\"AutoModelForCausalLM\":\"a.Custom\"},\"architectures\":[\"Custom\"]", NULL, "a.Custom" },
        { "\"auto_map\":{\"AutoConfig\":\"b.C\"}", NULL, "b.C" }, { "\"auto_map\":7", NULL, "?" },
        { "\"auto_map\":{\"AutoTokenizer\":[\"t.T\",null]}", NULL, NULL }, { "\"auto_map\":null", NULL, NULL },
    };
    model_parts m = llama(&hf, 1);
    for (size_t k = 0; k < COUNT(c); k++) {
        weights w = weights_open(with_config(&m, temp_format("{%s,%s", c[k].extra, llama_config + 1)));
        transformer D = transformer_of(&w);
        ck_assert_msg(c[k].unknown ? D.unknown && strstr(D.unknown, c[k].unknown) : !D.unknown, "%s: %s", c[k].extra, D.unknown);
        ck_assert_msg(c[k].code ? D.own_code && strcmp(D.own_code, c[k].code) == 0 : !D.own_code, "%s: %s", c[k].extra, D.own_code);
        char *why = forward_refuses(&D);
        ck_assert_msg(!why == (!c[k].unknown && !c[k].code), "%s: %s", c[k].extra, why);
        free(why);
        transformer_free(&D);
        weights_close(&w);
    }
    static char output[8192];
    char *out = temp_path(temp_folder(), "out"), *own = with_config(&m, temp_format("{%s,%s", c[7].extra, llama_config + 1));
    const int is = run_command(output, sizeof output, "%s/provably reduce %s --out=%s", build_folder(), own, out);
    ck_assert_msg(is == 2 && strstr(output, "code of its own (auto_map: a.Custom)") && !temp_exists(out, ""), "%d: %s", is, output);
    m.n--;                                                              /* an embedder has no head */
    expect_child(with_config(&m, temp_format("{%s,%s", c[2].extra, llama_config + 1)), 0, "LlamaModel, the stream without a head");
    m.n++;
    parts_free(&m);
}
END_TEST

/* As Python's json module reads it; the numbers are written as they were. */
START_TEST(json_of_python)
{
    static char output[8192];
    static const char extra[] = "\"model_max_length\":1000000000000000019884624838656,\"temperature\":Infinity,\"top_p\":-Infinity,"
        "\"prefix\":\"NaN \\\" Infinity\",\"vocab_size\":10,\"top_k\":NaN,\"use_cache\":true,\"use_cache\":false,\"task_specific_params\":{\"a\":[1e999]},";
    model_parts m = llama(&hf, 1);
    char *path = with_config(&m, temp_format("{%s%s", extra, llama_config + 1)), *out = temp_path(temp_folder(), "out");
    same_model(path, "safetensors", 1);
    expect_unknown(path, NULL);
    const int is = run_command(output, sizeof output, "%s/provably reduce %s --apply=pairs --out=%s", build_folder(), path, out);
    ck_assert_msg(is == 0, "%d: %s", is, output);
    static const char *const kept[] = { "\"model_max_length\": 1000000000000000019884624838656,", "\"temperature\": Infinity,",
        "\"top_p\": -Infinity,", "\"prefix\": \"NaN \\\" Infinity\",", "\"top_k\": NaN,", "\"use_cache\": false,", "1e999" };
    char *config = temp_read(out, "config.json", NULL);
    for (size_t k = 0; k < COUNT(kept); k++) ck_assert_msg(strstr(config, kept[k]) != NULL, "%s in %s", kept[k], config);
    static const struct { const char *to, *says; } bad[] = {
        { "Infinity", "rope_theta is Infinity, not a positive number" }, { "NaN", "rope_theta is NaN" }, { "1e999", "rope_theta is 1e999" },
        { "\"10000\"", "rope_theta is \"10000\"" }, { "null", "rope_theta is null" }, { "10000,\"rope_theta\":1", "rope_theta is there twice" },
        { "10000,\"rope_parameters\":{\"rope_theta\":5,\"rope_theta\":6}", "rope_theta is there twice" }, { "Nan", "should be JSON" } };
    for (size_t k = 0; k < COUNT(bad); k++) expect_child(with_config(&m, replaced(llama_config, "10000.0", bad[k].to)), 2, bad[k].says);
    expect_child(with_config(&m, replaced(llama_config, "\"silu\"", "7")), 2, "hidden_act is 7, not a text");
    weights w = weights_open(with_config(&m, replaced(llama_config, "10000.0", "100000000000000000000")));
    transformer D = transformer_of(&w);
    ck_assert(!D.unknown && D.theta == 1e20);                           /* an integer of more than 64 bits */
    transformer_free(&D);
    weights_close(&w);
    parts_free(&m);
}
END_TEST

START_TEST(norms_that_contradict)
{
    model_parts m = llama(&hf, 1);
    char *none = temp_format("{\"provably\":{\"norm\":\"none\"},%s", llama_config + 1);
    expect_child(with_config(&m, none), 2, "says that the model has no norms, but tensor model.norm.weight is the final gain of one");
    expect_child(with_config(&m, temp_format("{\"provably\":{\"norm\":\"rms\"},%s", llama_config + 1)), 2, "norm in provably is not \"none\"");
    expect_child(with_config(&m, temp_format("{\"provably\":{\"values\":7},%s", llama_config + 1)), 2, "values in provably is not");
    expect_child(with_config(&m, temp_format("{\"provably\":[],%s", llama_config + 1)), 2, "provably is not an object");
    model_parts without = { .n = 0 };
    for (long k = 0; k < m.n; k++) if (m.at[k].rank == 2) without.at[without.n++] = m.at[k];
    expect_child(with_config(&without, none), 0, "covered");
    expect_child(with_config(&without, llama_config), 2, "the final gain is missing");
    without.at[without.n++] = m.at[1];
    expect_child(with_config(&without, none), 2, "tensor model.layers.0.input_layernorm.weight is the gain 1 of one");
    expect_child(with_config(&m, "{\"model_type\":\"provably\"}"), 0, "does not describe a language model");
    m.at[1].rank = 2;
    m.at[1].shape[0] = 1;
    expect_child(with_config(&m, llama_config), 2, "input_layernorm.weight is [1, 8], but [8]");
    model_parts g = llama(&ggml, 1);                                    /* there, a side of 1 is none */
    g.at[1].rank = 2;
    g.at[1].shape[0] = 1;
    same_model(write_gguf(temp_folder(), "x.gguf", &g, "F32"), "GGUF", 1);
    parts_free(&g);
    parts_free(&m);
}
END_TEST

START_TEST(folders_of_several_models)
{
    static const char *const other[] = { "model.safetensors.index.json", "last.ckpt", "model.gguf", "model.bin", "x.gguf", "pytorch_model.bin",
                                         "pytorch_model-00001-of-00002.bin", "pytorch_model.bin.index.json", "weights.npz", "tf_model.h5", "flax_model.msgpack",
                                         "model-00001-of-00002.safetensors", "consolidated.safetensors", "consolidated.00.pth" };
    static const char *const none[] = { "training_args.bin", "optimizer.pt", "._model.safetensors", "model.safetensors.part", "tokenizer.model", "npz" };
    model_parts m = llama(&hf, 1);
    for (size_t k = 0; k < COUNT(other); k++) {
        char *folder = temp_folder();
        temp_text(folder, "config.json", llama_config);
        write_safetensors(folder, "model.safetensors", &m, "F32", 0, m.n);
        expect_child(folder, 0, "covered");
        temp_text(folder, other[k], "another model");
        expect_child(folder, 2, temp_format(k == 0 ? "holds %s and model.safetensors, which may be" : "holds model.safetensors and %s, which may be",
                                            other[k]));
        expect_child(temp_path(folder, "model.safetensors"), 0, "covered");
    }
    for (size_t k = 0; k < COUNT(none); k++) {
        char *folder = temp_folder();
        temp_text(folder, "config.json", llama_config);
        write_safetensors(folder, "model.safetensors", &m, "F32", 0, m.n);
        temp_text(folder, none[k], "no model");
        expect_child(folder, 0, "covered");
    }
    static const char pointer[] = "version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 123\n";
    char *folder = temp_folder();
    ck_assert_int_eq(mkfifo(temp_path(folder, "pipe"), 0600), 0);
    expect_child(temp_path(folder, "pipe"), 2, "is not a regular file");
    expect_child(temp_text(folder, "x.gguf", pointer), 2, "this is a Git LFS pointer, not the file itself: run `git lfs pull`");
    temp_text(folder, "model.safetensors.index.json", "{\"weight_map\":{\"x\":\"a.safetensors\"}}");
    temp_text(folder, "a.safetensors", pointer);
    char said[1024], *index = temp_path(folder, "model.safetensors.index.json");
    ck_assert(run_child(look, index, said, sizeof said) == 2 && strstr(said, "a.safetensors: this is a Git LFS pointer"));
    folder = temp_folder();
    temp_text(folder, "config.json", pointer);
    expect_child(write_safetensors(folder, "model.safetensors", &m, "F32", 0, m.n), 2, "config.json: this is a Git LFS pointer");
    parts_free(&m);
}
END_TEST

/* Biases of the gate have a name in GGUF, and go there and back. */
START_TEST(biases_of_the_gate)
{
    static char output[8192];
    model_parts m = llama(&hf, 1);
    for (long i = 0; i < L; i++) {
        vector(&m, "model.layers.#.mlp.gate_proj.bias", ROLE_GATE_BIAS, i, M);
        vector(&m, "model.layers.#.mlp.up_proj.bias", ROLE_UP_BIAS, i, M);
        vector(&m, "model.layers.#.mlp.down_proj.bias", ROLE_DOWN_BIAS, i, WIDTH);
    }
    char *path = with_config(&m, temp_format("{\"mlp_bias\":true,%s", llama_config + 1)), *a = temp_path(temp_folder(), "a"), *b = temp_path(temp_folder(), "b");
    parts_free(&m);
    const char *p = build_folder();
    const int is = run_command(output, sizeof output, "%s/provably reduce %s --apply=pairs --format=gguf --out=%s && %s/provably verify %s %s",
                               p, path, a, p, path, a);
    ck_assert_msg(is == 0 && strstr(output, "\nnext: "), "%d: %s", is, output);
    char *gguf = temp_path(a, "model.gguf");
    size_t n;
    char *bytes = temp_read(NULL, gguf, &n);
    memcpy((char *)memmem(bytes, n, "provably.reduced", 16), "provably.REDUCED", 16);       /* not one of ours any more */
    temp_write(NULL, gguf, bytes, n);
    const int back = run_command(output, sizeof output, "%s/provably reduce %s --apply=pairs --format=safetensors --out=%s && %s/provably verify %s %s",
                                 p, a, b, p, path, b);
    ck_assert_msg(back == 0, "%d: %s", back, output);
    ck_assert_ptr_nonnull(strstr(temp_read(b, "config.json", NULL), "\"mlp_bias\": true"));
}
END_TEST

static void last_logits_of(const char *path, double y[V])
{
    weights w = weights_open(path);
    transformer D = transformer_of(&w);
    const arith R = arith_f64();
    const weight_source W = weights_of_file(&D);
    const truth t = forward_last_logits(&R, &W, &(token_list){ 2, (long[]){ 1, 2 }, NULL, 1 }, y);
    ck_assert(t != REFUTED);
    transformer_free(&D);
    weights_close(&w);
}

/* Names that differ in a number alone, with one type and shape, are one line; lines stand in the order of their first. */
START_TEST(kinds_of_tensors)
{
    static const char header[] = "{\"b.1.w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
        "\"a.0\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]},\"b.2.w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]},"
        "\"b.3.w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[12,20]},\"a.1\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[20,22]},"
        "\"b.12.w\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[22,26]}}";
    unsigned char file[8 + sizeof header - 1 + 26] = { (sizeof header - 1) & 255, (sizeof header - 1) >> 8 };
    memcpy(file + 8, header, sizeof header - 1);
    char *folder = temp_folder(), *path = temp_write(folder, "x.safetensors", file, sizeof file), output[4096];
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably inspect %s | sed -n '/^Tensors/,/^$/p' | awk 'NR > 2 && NF { print $1, $2, $3, $4, $5 }'",
                                 build_folder(), path), 0);
    ck_assert_str_eq(output, "a.# 1 1 F32 4\na.# 1 1 F16 2\nb.#.w 3 1 F32 4\nb.#.w 1 2 F32 8\n");
}
END_TEST

/* A file of as many kinds as names: sorted in a second, where a search of each among all takes a minute. */
START_TEST(many_kinds)
{
    enum { NAMES = 100000 };
    text_buffer t = { 0 };
    for (unsigned k = 0; k < NAMES; k++) {
        const unsigned mixed = k * 2654435761u;
        text_add(&t, "%s\"%c%c%c%c%c%u%c%c\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[%u,%u]}", k ? "," : "{", 'a' + (int)(mixed >> 4 & 15),
                 'a' + (int)(mixed >> 8 & 15), 'a' + (int)(mixed >> 12 & 15), 'a' + (int)(mixed >> 16 & 15), 'a' + (int)(mixed >> 20 & 15), k,
                 'a' + (int)(mixed >> 24 & 15), 'a' + (int)(mixed >> 28), k, k + 1);
    }
    text_add(&t, "}");
    const uint64_t length = t.length;
    unsigned char *file = must_calloc(8 + t.length + NAMES, 1);
    memcpy(file, &length, 8);
    memcpy(file + 8, t.at, t.length);
    char *path = temp_write(temp_folder(), "x.safetensors", file, 8 + t.length + NAMES), output[1024];
    ck_assert_msg(run_command(output, sizeof output, "ulimit -t 10; %s/provably inspect %s | grep -c ' U8 '", build_folder(), path) == 0
                  && strcmp(output, "100000\n") == 0, "%s", output);
    free(file);
    text_clear(&t);
}
END_TEST

/* transformers has several names for one function; reduce says `next` only where verify will answer. */
START_TEST(names_of_activations)
{
    static const struct { const char *name, *same; } c[] = { { "gelu_fast", "gelu_new" }, { "gelu_accurate", "gelu_new" },
        { "gelu_python_tanh", "gelu_new" }, { "gelu_pytorch_tanh", "gelu_new" }, { "gelu_python", "gelu" }, { "swish", "silu" },
        { "gelu_10", NULL }, { "quick_gelu", NULL } };
    static char output[8192];
    model_parts m = neox();
    for (size_t k = 0; k < COUNT(c); k++) {
        double x[V], y[V];
        char *a = with_config(&m, temp_format("{\"hidden_act\":\"%s\",%s", c[k].name, neox_config + 1));
        if (c[k].same) {
            last_logits_of(a, x);
            last_logits_of(with_config(&m, temp_format("{\"hidden_act\":\"%s\",%s", c[k].same, neox_config + 1)), y);
            ck_assert_msg(memcmp(x, y, sizeof x) == 0, "%s and %s", c[k].name, c[k].same);
            last_logits_of(with_config(&m, temp_format("{\"hidden_act\":\"relu\",%s", neox_config + 1)), y);
            ck_assert_msg(memcmp(x, y, sizeof x) != 0, "%s and relu", c[k].name);
        }
        char *out = temp_path(temp_folder(), "out");
        const int reduced = run_command(output, sizeof output, "%s/provably reduce %s --out=%s", build_folder(), a, out);
        ck_assert_msg(reduced == 0 && !strstr(output, "\nnext: ") == !c[k].same && !strstr(output, "The loss was not measured") == !!c[k].same,
                      "%s: %d: %s", c[k].name, reduced, output);
    }
    parts_free(&m);
}
END_TEST

/* ---- what surrounds the weights --------------------------------------------------------------------------------------- */

static char *surrounded(const char *tokenizer, const char *generation, const char *special)
{
    model_parts m = llama(&hf, 1);
    char *path = with_config(&m, temp_format("{\"eos_token_id\":%s,%s", special, llama_config + 1));
    char *folder = temp_format("%.*s", (int)(strrchr(path, '/') - path), path);
    parts_free(&m);
    if (tokenizer) temp_text(folder, "tokenizer.json", tokenizer);
    if (generation) temp_text(folder, "generation_config.json", generation);
    return folder;
}

static void expect_lines(const char *a, const char *b, long lines, const char *says)
{
    weights A = weights_open(a), B = weights_open(b);
    long n;
    char **line = surroundings_differ(&A, &B, &n);
    ck_assert_msg(n == lines && (!says || strstr(line[0], says)), "%ld lines: %s", n, n ? line[0] : "");
    for (long k = 0; k < n; k++) free(line[k]);
    free(line);
    weights_close(&A);
    weights_close(&B);
}

START_TEST(surroundings)
{
    static const char vocabulary[] = "{\"model\":{\"vocab\":{\"a\":0,\"bc\":1},\"merges\":[\"b c\"]},\"added_tokens\":[]}";
    char *a = surrounded(vocabulary, "{\"temperature\":1,\"transformers_version\":\"4\"}", "2");
    expect_lines(a, surrounded(temp_format(" %s", vocabulary), "{\"temperature\":1,\"transformers_version\":\"5\"}", "2"), 0, NULL);
    expect_lines(a, surrounded(replaced(vocabulary, "\"a\":0,\"bc\":1", "\"a\":1,\"bc\":0"), "{\"temperature\":1}", "2"), 1,
                 "tokenizer.json: model.vocab.a is 0 in A and 1 in B");
    expect_lines(a, surrounded(replaced(vocabulary, "b c", "c b"), "{\"temperature\":1}", "2"), 1, "model.merges[0] is \"b c\" in A and \"c b\" in B");
    expect_lines(a, surrounded(replaced(vocabulary, ",\"bc\":1", ""), "{\"temperature\":1}", "2"), 1, "model.vocab.bc is 1 in A and nothing in B");
    expect_lines(a, surrounded(vocabulary, "{\"temperature\":2}", "2"), 1, "generation_config.json: temperature is 1 in A and 2 in B");
    expect_lines(a, surrounded(vocabulary, "{\"temperature\":1}", "3"), 1, "config.json: eos_token_id is 2 in A and 3 in B");
    expect_lines(a, surrounded(NULL, "{\"temperature\":1}", "2"), 1, "A has a vocabulary beside it, B has none");
    expect_lines(surrounded(NULL, NULL, "2"), surrounded(NULL, NULL, "2"), 0, NULL);
    const uint32_t two = 2, three = 3;
    char *g = gguf_with("tokenizer.ggml.eos_token_id", 4, &two, 4);
    expect_lines(a, g, 0, NULL);                                        /* its tokens are a and bc */
    expect_lines(g, g, 0, NULL);
    expect_lines(a, gguf_with("tokenizer.ggml.eos_token_id", 4, &three, 4), 1, "eos_token_id is 2 in A and 3 in B");
    expect_lines(g, gguf_with("tokenizer.ggml.eos_token_id", 4, &three, 4), 1, "tokenizer.ggml.eos_token_id is 2 in A and 3 in B");
    expect_lines(gguf_with("llama.x", 4, &two, 4), g, 1, "tokenizer.ggml.eos_token_id is in B only");
    size_t n;
    char *bytes = temp_read(NULL, g, &n), *other = gguf_with("tokenizer.ggml.eos_token_id", 4, &two, 4);
    memcpy((char *)memmem(bytes, n, "\2\0\0\0\0\0\0\0bc", 10) + 8, "bd", 2);
    temp_write(NULL, other, bytes, n);
    expect_lines(g, other, 1, "tokenizer.ggml.tokens: entry 1 is `bc` in A and `bd` in B");
    expect_lines(other, a, 1, "1 of the 2 tokens of tokenizer.json beside B are others in tokenizer.ggml.tokens of A: token 1 is `bc`, and `bd`");
    expect_lines(a, gguf_with("tokenizer.ggml.tokens", 4, &two, 4), 1, "A has a vocabulary, B has none");
    char output[8192], *b = surrounded(replaced(vocabulary, "\"a\":0,\"bc\":1", "\"a\":1,\"bc\":0"), "{\"temperature\":1}", "2");
    ck_assert_msg(run_command(output, sizeof output, "%s/provably verify '%s' '%s' --width=200", build_folder(), a, b) == 0
                  && strstr(output, "is a broken model with another vocabulary") && strstr(output, "model.vocab.a is 0 in A and 1 in B"), "%s", output);
    ck_assert_msg(run_command(output, sizeof output, "%s/provably verify '%s' '%s' --json", build_folder(), a, b) == 0
                  && strstr(output, "\"surroundings\": [") && strstr(output, "model.vocab.a is 0 in A"), "%s", output);
    ck_assert_msg(run_command(output, sizeof output, "%s/provably verify '%s' '%s'", build_folder(), a, a) == 0
                  && !strstr(output, "broken model"), "%s", output);
}
END_TEST

static char *good_gguf(const char *folder)
{
    model_parts m = llama(&ggml, 1);
    char *path = write_gguf(folder, "x.gguf", &m, "F32");
    parts_free(&m);
    return path;
}

static size_t find(const char *bytes, size_t n, const char *what)
{
    const char *at = memmem(bytes, n, what, strlen(what));
    ck_assert_ptr_nonnull(at);
    return (size_t)(at - bytes);
}

START_TEST(gguf_that_lies)
{
    char *folder = temp_folder(), *path = good_gguf(folder);
    size_t n;
    char *good = temp_read(NULL, path, &n);
    const size_t embed = find(good, n, "token_embd.weight") + 17, arch = find(good, n, "general.architecture") + 20;
    const size_t array = find(good, n, "tokenizer.ggml.tokens") + 21;
    const struct { size_t at; uint64_t x; size_t bytes; const char *says; } lie[] = {
        { 4, 1, 4, "version 1" }, { 4, 99, 4, "version 99" }, { 8, UINT64_MAX, 8, "more tensors or keys" },
        { 8, 1ULL << 60, 8, "more tensors or keys" }, { 16, UINT64_MAX, 8, "more tensors or keys" }, { 16, 200, 8, "offset" },
        { 24, UINT64_MAX, 8, "a name is" }, { 24, 0, 8, "a name is" }, { arch, 77, 4, "type that GGUF does not have" },
        { arch + 4, UINT64_MAX, 8, "unexpected end" }, { array + 8, UINT64_MAX, 8, "longer than the file" },
        { array + 8, UINT64_MAX / 8 + 2, 8, "longer than the file" }, { array + 4, 9, 4, "an array of arrays" },
        { embed, 5, 4, "more than 4 sides" }, { embed + 4, UINT64_MAX, 8, "larger than any file" },
        { embed + 4, 1ULL << 40, 8, "offset leads out" }, { embed + 4, 9, 8, "overlap" },
        { embed + 24, UINT64_MAX, 8, "offset leads out" }, { embed + 24, 1ULL << 63, 8, "offset leads out" },
        { embed + 24, 32, 8, "overlap" }, { embed + 20, 12, 4, "not whole blocks" },
    };
    for (size_t k = 0; k < COUNT(lie); k++) {
        char *bad = must_calloc(n, 1);
        memcpy(bad, good, n);
        memcpy(bad + lie[k].at, &lie[k].x, lie[k].bytes);
        temp_write(NULL, path, bad, n);
        expect_child(path, 2, lie[k].says);
        free(bad);
    }
    char *listed = must_calloc(n, 1);                                   /* a type that is not known is listed */
    memcpy(listed, good, n);
    memcpy(listed + embed + 20, &(uint32_t){ 99 }, 4);
    temp_write(NULL, path, listed, n);
    expect_child(path, 0, "1 of its tensors are quantised");
    free(listed);
    for (size_t cut = 8; cut < n; cut += cut < 2000 ? 7 : 101) {
        temp_write(NULL, path, good, cut);
        expect_child(path, 2, "");
    }
}
END_TEST

/* Cut, or with a number of its head changed: one message.  The numbers: `fields` of 4 bytes from number `first` on. */
static void lies_in_head(char *path, const char *format, int fields, int first)
{
    size_t n;
    char *good = temp_read(NULL, path, &n);
    const size_t cuts[] = { 4 * (size_t)(first + fields), 4 * (size_t)(first + fields) + 1, n / 2, n - 1 };
    for (size_t k = 0; k < COUNT(cuts); k++) {
        temp_write(NULL, path, good, cuts[k]);
        expect_child(path, 2, cuts[k] < 1024 ? "" : format);
    }
    temp_write(NULL, path, good, n + 1);                                /* temp_read ends it with a zero */
    expect_child(path, 2, format);
    const int32_t lies[] = { -8, 0, INT32_MAX, INT32_MIN };
    for (int field = first; field < first + fields; field++)
        for (size_t k = 0; k < COUNT(lies); k++) {
            char *bad = must_calloc(n, 1);
            memcpy(bad, good, n);
            memcpy(bad + 4 * field, &lies[k], 4);
            temp_write(NULL, path, bad, n);
            expect_child(path, 2, "");
            free(bad);
        }
}

START_TEST(other_bad_files)
{
    char *folder = temp_folder();
    lies_in_head(write_llama2c(folder, "x", 0), "llama2.c", 7, 0);
    lies_in_head(write_llama2c(folder, "x", 1), "llama2.c", 7, 2);
    lies_in_head(write_llmc(folder, "x", "F32", 2), "llm.c", 7, 1);
    expect_child(write_llmc(folder, "x", "F32", -2), 2, "the header of this llm.c checkpoint is damaged");
    expect_child(write_llama2c(folder, "x", 2), 2, "whose weights are quantised");
    expect_child(temp_text(folder, "short", "abc"), 2, "shorter than 8 bytes");
    expect_child(temp_text(folder, "text", "It was a dark and stormy night."), 2, "none of the formats");
    expect_child(temp_write(folder, "zip", "PK\3\4xxxxxxxx", 12), 2, "no directory of a zip file");
    expect_child(temp_text(folder, "run", "PROVABLY 1\nnonsense\n"), 2, "neither text, tensor nor end");
    expect_child(folder, 2, "holds none of");
    temp_text(folder, "last.ckpt", "PROVABLY 1\n");
    temp_text(folder, "model.safetensors", "x");
    expect_child(folder, 2, "holds model.safetensors and last.ckpt, which may be two models");
    expect_child("/no/such/file", 2, "cannot read");
    const uint64_t long_header = 100000001;
    text_buffer t = { 0 };
    put_u64(&t, long_header);
    text_add(&t, "{\"x\":");
    char *huge = write_bytes(folder, "huge", &t);
    ck_assert_int_eq(truncate(huge, 100000100), 0);                     /* a sparse file */
    expect_child(huge, 2, "its header would be");
}
END_TEST

static void cut_while_it_is_read(void *path)
{
    weights w = weights_open(path);
    if (truncate(path, 4096) != 0) exit(3);
    double x;
    const weight_tensor *t = weights_find(&w, "ln_f.bias");
    weight_numbers(t, 0, 1, &x);
    printf("%g\n", x);
    exit(0);
}

START_TEST(a_file_that_is_cut_while_it_is_read)
{
    char output[1024], *path = write_llmc(temp_folder(), "cut", "F32", 1000);
    const int status = run_child(cut_while_it_is_read, path, output, sizeof output);
    ck_assert_msg(status == 2 && strstr(output, "cut: it became shorter while it was read"), "%d: %s", status, output);
}
END_TEST

/* ---- any bytes, with their messages --------------------------------------------------------------------------------------------------------- */

START_TEST(no_file_hurts)
{
    const long rounds = 200;
    const uint64_t key[2] = { 17, 18 };
    uint64_t draw = 0;
    char *folder = temp_folder(), output[2048];
    model_parts m = gpt2(false, "");
    temp_text(folder, "config.json", gpt2_config);
    char *file[] = { good_gguf(folder), write_llama2c(folder, "x.bin", 0), write_llama2c(folder, "y.bin", 1),
                     write_llmc(folder, "z.bin", "BF16", 2), write_safetensors(folder, "x.safetensors", &m, "F32", 0, m.n) };
    parts_free(&m);
    long taken = 0;
    for (size_t k = 0; k < COUNT(file); k++) {
        size_t n;
        char *good = temp_read(NULL, file[k], &n), *bad = must_calloc(n + 64, 1);
        const size_t head = n < 2600 ? n : 2600;                        /* where the structure is */
        for (long i = 0; i < rounds; i++) {
            static const uint64_t spice[] = { 0, 1, 255, INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, 1ULL << 62, 1ULL << 32 };
            memcpy(bad, good, n);
            for (uint64_t edits = 1 + random_below(key, draw++, 3); edits > 0; edits--) {
                const size_t at = random_below(key, draw++, head);
                const uint64_t x = spice[random_below(key, draw++, COUNT(spice))];
                if (random_below(key, draw++, 2)) bad[at] = (char)random_below(key, draw++, 256);
                else memcpy(bad + at, &x, random_below(key, draw++, 2) ? 4 : 8);
            }
            temp_write(NULL, file[k], bad, random_below(key, draw++, 8) ? n : random_below(key, draw++, n));
            const int status = run_child(look, file[k], output, sizeof output);
            ck_assert_msg(status == 0 || status == 2, "round %ld of %s: status %d, %s", i, file[k], status, output);
            ck_assert_msg(strlen(output) > 10 && strchr(output, '\n') == output + strlen(output) - 1, "%s", output);
            taken += status == 0;
        }
        free(bad);
    }
    ck_assert_msg(taken > 0 && taken < (long)COUNT(file) * rounds, "%ld taken", taken);
}
END_TEST

/* ---- any bytes, by the million: in one process, without its messages ---------------------------------------------- */

/* A file that is taken, and is damaged anew each time; what it is opened by, and what else is read, stays as it is. */
typedef struct { char *open, *file, *good; size_t n, head; bool text; } target;

static target target_of(char *open, const char *name)    /* name: NULL, or the file beside it that is damaged */
{
    target t = { .open = open, .file = name ? temp_path(open, name) : open, .text = name };
    char *good = temp_read(NULL, t.file, &t.n);
    t.good = good;
    t.head = t.n < 2600 ? t.n : 2600;                                   /* where the structure is */
    return t;
}

static target configuration(const model_parts *m, const char *config)
{
    char *folder = temp_folder();
    temp_text(folder, "config.json", config);
    write_safetensors(folder, "model.safetensors", m, "F32", 0, m->n);
    return target_of(folder, "config.json");
}

/* W_V without the four rows that are those of the identity. */
static target compact_configuration(void)
{
    model_parts m = llama(&hf, 1);
    for (long k = 0; k < m.n; k++) if (strstr(m.at[k].name, "v_proj")) m.at[k].n = DK * (size_t)(m.at[k].shape[1] = WIDTH - DK);
    char *config = temp_format("{\"provably\":{\"value_rows\":[[[0,1,2,3]],[[1,3,5,7]]]},%s", strstr(llama_config, "\"hidden"));
    config = temp_format("{\"model_type\":\"provably-llama\",%s", config + 1);
    const target t = configuration(&m, config);
    parts_free(&m);
    return t;
}

/* A run of ours of one layer, without the sums that newer ones have: they would refuse every change. */
static target run_without_sums(void)
{
    static const struct { const char *name; long rows, cols; } of[] = {
        { "wte", V, WIDTH }, { "wpe", T, WIDTH }, { "h.0.norm1", 1, WIDTH }, { "h.0.attn.q", WIDTH, WIDTH }, { "h.0.attn.k", WIDTH, WIDTH },
        { "h.0.attn.v", WIDTH, WIDTH }, { "h.0.attn.o", WIDTH, WIDTH }, { "h.0.norm2", 1, WIDTH }, { "h.0.mlp.fc", M, WIDTH },
        { "h.0.mlp.proj", WIDTH, M }, { "normf", 1, WIDTH }, { "m:normf", 1, WIDTH } };
    text_buffer t = { 0 };
    text_add(&t, "PROVABLY 1\ntext model L=1 d=%d h=%d m=%d T=%d V=%d query=1 factor=1 tied=1 norm=1 skips=11 std=0.02\n", WIDTH, HEADS, M, T, V);
    size_t numbers = 0;
    for (size_t k = 0; k < COUNT(of); k++) {
        text_add(&t, "tensor %s %ld %ld\n", of[k].name, of[k].rows, of[k].cols);
        numbers += (size_t)(of[k].rows * of[k].cols);
    }
    text_add(&t, "end\n");
    const size_t head = t.length;
    for (size_t k = 0; k < numbers; k++) put_number(&t, "F32", 0.5);
    put_u32(&t, (uint32_t)crc32_z(0, (const unsigned char *)t.at, t.length));
    target made = target_of(write_bytes(temp_folder(), "last.ckpt", &t), NULL);
    made.head = head;
    return made;
}

enum { TARGETS = 12 };
static void make_targets(target *t)
{
    model_parts g = gpt2(false, ""), l = llama(&hf, 1), x = neox();
    char *folder = temp_folder();
    temp_text(folder, "config.json", gpt2_config);
    const target all[] = {
        target_of(good_gguf(temp_folder()), NULL), target_of(write_llama2c(temp_folder(), "x.bin", 0), NULL),
        target_of(write_llama2c(temp_folder(), "x.bin", 1), NULL), target_of(write_llmc(temp_folder(), "x.bin", "F32", 0), NULL),
        target_of(write_llmc(temp_folder(), "x.bin", "BF16", 2), NULL), run_without_sums(),
        target_of(write_safetensors(folder, "x.safetensors", &g, "F32", 0, g.n), NULL),
        configuration(&g, gpt2_config), configuration(&l, llama_config), configuration(&x, neox_config), compact_configuration(),
        target_of(write_sharded(temp_folder(), NULL), NULL) };
    _Static_assert(COUNT(all) == TARGETS, "each has a number");
    memcpy(t, all, sizeof all);
    t[TARGETS - 1].text = true;                                         /* an index */
    parts_free(&g), parts_free(&l), parts_free(&x);
}

/* One to four damages; one file in eight is cut, too.  The header of safetensors is text, and mostly as long as it says. */
static size_t damaged(const target *t, char *bytes, uint64_t number)
{
    const uint64_t key[2] = { 17, number };
    memcpy(bytes, t->good, t->n);
    size_t n = t->n;
    uint64_t draw = 1;
    const bool headed = strstr(t->file, "x.safetensors") != NULL;
    for (uint64_t edits = 1 + random_below(key, 0, 4); edits > 0; edits--) {
        uint64_t length;
        memcpy(&length, bytes, 8);
        if (t->text) {
            n = n ? fuzz_text(bytes, n, key, draw++) : 0;
        } else if (headed && length > 0 && length < n && random_below(key, 8 * draw + 7, 8)) {
            const size_t rest = n - 8 - length;
            char *header = must_calloc(length + 64, 1);
            memcpy(header, bytes + 8, length);
            const size_t changed = fuzz_text(header, length, key, draw++);
            memmove(bytes + 8 + changed, bytes + 8 + length, rest);
            memcpy(bytes + 8, header, changed);
            memcpy(bytes, &(uint64_t){ changed }, 8);
            n = 8 + changed + rest;
            free(header);
        } else {
            fuzz_bytes(bytes, random_below(key, 8 * draw + 7, 8) ? t->head : t->n, key, draw);
            draw++;
        }
    }
    return random_below(key, 8 * draw, 8) ? n : random_below(key, 8 * draw + 1, n + 1);
}

/* The logits of two tokens; whether they can be computed is not asked. */
static void follow(const transformer *D)
{
    if (D->V < 3 || (D->T && D->T < 2)) return;
    const arith R = arith_f64();
    const weight_source W = weights_of_file(D);
    double *y = must_calloc((size_t)D->V, sizeof *y);
    const truth t = forward_last_logits(&R, &W, &(token_list){ 2, (long[]){ 1, 2 }, NULL, 1 }, y);
    (void)t;
    free(y);
}

/* All that inspect asks of a file: its tensors, their numbers, the model, its theorems; now and then the singular values of a
 * layer and the function. */
static bool take_damaged(void *with, uint64_t number)
{
    const target *t = (const target *)with + number % TARGETS;
    char *bytes = must_calloc(2 * t->n + 4096, 1);
    const size_t n = damaged(t, bytes, number);
    FILE *f = fopen(t->file, "wb");
    REQUIRE(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0, "%s cannot be written", t->file);
    free(bytes);
    weights w = weights_open(t->open);
    double x[64];
    for (long k = 0; k < w.tensors; k++)
        for (size_t i = 0; w.tensor[k].numbers != NUMBERS_OTHER && i < w.tensor[k].n; i += COUNT(x))
            weight_numbers(&w.tensor[k], i, w.tensor[k].n - i < COUNT(x) ? w.tensor[k].n - i : COUNT(x), x);
    transformer D = transformer_of(&w);
    reduction_list r = reductions_of(&D, NULL);
    const bool known = !r.nothing;
    char *why = known ? forward_refuses(&D) : NULL;
    if (known && number / TARGETS % 64 == 0) {
        layer_condition c = layer_conditions(&D, D.L - 1);
        layer_conditions_free(&c);
        if (!why) follow(&D);
    }
    free(why);
    reductions_free(&r);
    transformer_free(&D);
    weights_close(&w);
    return known;
}

START_TEST(no_bytes_hurt)
{
    target t[TARGETS];
    make_targets(t);
    const uint64_t from = fuzz_number("FUZZ_FROM", 0), rounds = fuzz_number("FUZZ_ROUNDS", 3000);
    const uint64_t taken = fuzz_loop(take_damaged, t, from, rounds);
    printf("fuzz: executions %llu to %llu of checkpoints, %llu models taken\n", (unsigned long long)from,
           (unsigned long long)(from + rounds - 1), (unsigned long long)taken);
    ck_assert_msg(rounds < 1000 || (taken > rounds / 50 && taken < rounds), "%llu taken", (unsigned long long)taken);
}
END_TEST

/* The status of a command, and that it is one of those whose digits are allowed; status 2 has one line of words. */
static int run_damaged(uint64_t number, const char *allowed, const char *command)
{
    static char output[1 << 16];
    const int status = run_command(output, sizeof output, "%s/provably %s", build_folder(), command);
    ck_assert_msg(status >= 0 && status < 10 && strchr(allowed, '0' + status), "execution %llu: %s: status %d, %s", (unsigned long long)number,
                  command, status, output);
    if (status == 2) {                                                  /* the last line, and no other, is the message */
        const char *said = strncmp(output, "provably: ", 10) == 0 ? output : strstr(output, "\nprovably: ");
        ck_assert_msg(said && strchr(said + 1, '\n') == output + strlen(output) - 1, "execution %llu: %s: not one message: %s",
                      (unsigned long long)number, command, output);
    }
    return status == 0 && strstr(output, "next: ") ? -1 : status;
}

/* Whole commands on damaged files: an answer or one line.  What reduce recommends to verify is not refused there, unless by a
 * number that is not finite. */
START_TEST(no_bytes_hurt_commands)
{
    target t[TARGETS];
    make_targets(t);
    const uint64_t from = fuzz_number("FUZZ_FROM", 0), rounds = fuzz_number("FUZZ_ROUNDS", 1500) / 25;
    long reduced = 0;
    for (uint64_t number = from; number < from + rounds; number++) {
        const target *of = &t[number % TARGETS];
        char *bytes = must_calloc(2 * of->n + 4096, 1), *out = temp_path(temp_folder(), "out");
        const size_t n = number < TARGETS ? of->n : damaged(of, bytes, number);
        temp_write(NULL, of->file, number < TARGETS ? of->good : bytes, n);
        free(bytes);
        run_damaged(number, "02", temp_format("inspect %s", of->open));
        const int is = run_damaged(number, "02", temp_format("reduce %s --out=%s", of->open, out));
        reduced += is == -1;
        ck_assert_msg(is != 2 || !temp_exists(out, "model.safetensors.part"), "execution %llu: a part stays", (unsigned long long)number);
        if (is == -1) run_damaged(number, "013", temp_format("verify %s %s", of->open, out));
        run_damaged(number, "0123", temp_format("verify %s %s", of->open, of->open));
        if (strstr(of->file, ".ckpt")) run_damaged(number, "02", temp_format("export --from=%s --out=%s.safetensors", of->file, out));
    }
    ck_assert_msg(from || rounds < TARGETS || reduced > 4, "%ld reduced", reduced);
}
END_TEST

START_TEST(length_beyond_positions)
{
    char output[2048];
    model_parts m = llama(&hf, 1);
    char *path = with_config(&m, llama_config);
    parts_free(&m);
    for (int length = T; length <= T + 1; length++) {
        const int is = run_command(output, sizeof output, "%s/provably verify --length=%d %s %s", build_folder(), length, path, path);
        ck_assert_msg(length == T ? is == 0 : is == 2 && strstr(output, "--length is 7, but") && strstr(output, "has 6 positions"), "%d: %s", is, output);
    }
}
END_TEST

/* A number that has more digits than a line has places is written with an exponent. */
START_TEST(large_numbers)
{
    model_parts m = llama(&hf, 1);
    char said[8192], *path = with_config(&m, replaced(llama_config, "10000.0", "1e100"));
    const int is = run_command(said, sizeof said, "%s/provably inspect %s 2>&1", build_folder(), path);
    ck_assert_msg(is == 0 && strstr(said, "theta 1e+100"), "%d: %s", is, said);
    parts_free(&m);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("inspect");
    TCase *all = tcase_create("files");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, every_layout_is_the_same_model);
    tcase_add_test(all, several_files);
    tcase_add_test(all, formats_that_are_the_same_function);
    tcase_add_test(all, hypotheses_of_gpt2);
    tcase_add_test(all, hypotheses_of_llama);
    tcase_add_test(all, hypotheses_without_norms);
    tcase_add_test(all, the_command);
    tcase_add_test(all, large_numbers);
    tcase_add_test(all, not_covered);
    tcase_add_test(all, numbers_that_are_not_finite);
    tcase_add_test(all, configurations_that_lie);
    tcase_add_test(all, configurations_beyond_the_description);
    tcase_add_test(all, a_key_means_what_its_family_makes_of_it);
    tcase_add_test(all, tensors_that_programs_leave_out);
    tcase_add_test(all, unknown_keys_are_compared_whole);
    tcase_add_test(all, arrays_in_gguf_are_compared_by_their_numbers);
    tcase_add_test(all, scaled_angles_in_gguf);
    tcase_add_test(all, tables_of_scaled_angles);
    tcase_add_test(all, neox_in_gguf_is_another_function);
    tcase_add_test(all, what_is_not_said);
    tcase_add_test(all, unreadable_is_not_absent);
    tcase_add_test(all, required_keys_of_gguf);
    tcase_add_test(all, arrays_of_head_counts);
    tcase_add_test(all, settings_that_are_not_known);
    tcase_add_test(all, settings_of_other_families);
    tcase_add_test(all, what_a_file_says_that_it_is);
    tcase_add_test(all, json_of_python);
    tcase_add_test(all, norms_that_contradict);
    tcase_add_test(all, folders_of_several_models);
    tcase_add_test(all, biases_of_the_gate);
    tcase_add_test(all, names_of_activations);
    tcase_add_test(all, kinds_of_tensors);
    tcase_add_test(all, many_kinds);
    tcase_add_test(all, surroundings);
    tcase_add_test(all, length_beyond_positions);
    tcase_add_test(all, indices_that_lie);
    tcase_add_test(all, gguf_that_lies);
    tcase_add_test(all, other_bad_files);
    tcase_add_test(all, a_file_that_is_cut_while_it_is_read);
    TCase *bytes = tcase_create("any bytes");           /* CK_RUN_CASE="any bytes" FUZZ_ROUNDS=... FUZZ_FROM=... runs it alone */
    suite_add_tcase(suite, bytes);
    tcase_set_timeout(bytes, 0);
    tcase_add_test(bytes, no_file_hurts);
    tcase_add_test(bytes, no_bytes_hurt);
    TCase *commands = tcase_create("commands");
    suite_add_tcase(suite, commands);
    tcase_set_timeout(commands, 0);
    tcase_add_test(commands, no_bytes_hurt_commands);
    return run_suite(suite, argc, argv);
}
