/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_evaluate.c - the function of a checkpoint (src/checkpoint/forward.h) against one written out with plain loops, for
 * each family with all its switches, against the training engine for runs of ours, and against the models that theorems
 * speak of; in doubles, MPFR and balls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/arith_arb.h"
#include "numerics/random.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/rope.h"
#include "src/checkpoint/structure.h"
#include "src/data/safetensors.h"
#include "src/model/model.h"
#include "src/train/checkpoint_net.h"
#include "src/train/gpt.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { L = 2, WIDTH = 24, HEADS = 4, DK = 6, M = 20, V = 18, T = 40, N = 5 };
static const long tokens[N] = { 3, 17, 0, 5, 5 }, positions[N] = { 0, 1, 5, 17, 39 };

/* ---- models ------------------------------------------------------------------------------------------------------ */

static uint64_t draw;

static void add(safetensors *s, const char *name, long rows, long cols, double middle)
{
    const uint64_t key[2] = { 5, 7 };
    float *x = must_calloc((size_t)(rows * cols), sizeof *x);
    for (long k = 0; k < rows * cols; k++) x[k] = (float)(middle + 0.3 * (double)random_gauss24(key, draw++) * 0x1p-35);
    safetensors_tensor(s, name, rows == 1 ? 1 : 2, rows == 1 ? &cols : (long[]){ rows, cols }, x);
    free(x);
}

static char *saved(safetensors *s, const char *config)
{
    char *folder = temp_folder();
    temp_text(folder, "config.json", config);
    safetensors_write(s, temp_path(folder, "model.safetensors"));
    safetensors_free(s);
    return folder;
}
#define IN_LAYER(what) temp_format(what, i)

static char *gpt2(const char *gelu_kind)
{
    safetensors s = { .tensors = 0 };
    add(&s, "wte.weight", V, WIDTH, 0);
    add(&s, "wpe.weight", T, WIDTH, 0);
    for (long i = 0; i < L; i++) {
        add(&s, IN_LAYER("h.%ld.ln_1.weight"), 1, WIDTH, 1);
        add(&s, IN_LAYER("h.%ld.ln_1.bias"), 1, WIDTH, 0);
        add(&s, IN_LAYER("h.%ld.attn.c_attn.weight"), WIDTH, 3 * WIDTH, 0);
        add(&s, IN_LAYER("h.%ld.attn.c_attn.bias"), 1, 3 * WIDTH, 0);
        add(&s, IN_LAYER("h.%ld.attn.c_proj.weight"), WIDTH, WIDTH, 0);
        add(&s, IN_LAYER("h.%ld.attn.c_proj.bias"), 1, WIDTH, 0);
        add(&s, IN_LAYER("h.%ld.ln_2.weight"), 1, WIDTH, 1);
        add(&s, IN_LAYER("h.%ld.ln_2.bias"), 1, WIDTH, 0);
        add(&s, IN_LAYER("h.%ld.mlp.c_fc.weight"), WIDTH, M, 0);
        add(&s, IN_LAYER("h.%ld.mlp.c_fc.bias"), 1, M, 0);
        add(&s, IN_LAYER("h.%ld.mlp.c_proj.weight"), M, WIDTH, 0);
        add(&s, IN_LAYER("h.%ld.mlp.c_proj.bias"), 1, WIDTH, 0);
    }
    add(&s, "ln_f.weight", 1, WIDTH, 1);
    add(&s, "ln_f.bias", 1, WIDTH, 0);
    return saved(&s, temp_format("{\"model_type\":\"gpt2\",\"n_embd\":24,\"n_layer\":2,\"n_head\":4,\"n_inner\":20,\"n_positions\":40,"
                                 "\"vocab_size\":18,\"layer_norm_epsilon\":1e-3,\"activation_function\":\"%s\"}", gelu_kind));
}

/* Key heads shared, normalised queries and keys, biases; more: of the configuration. */
static char *qwen3(const char *more)
{
    safetensors s = { .tensors = 0 };
    add(&s, "model.embed_tokens.weight", V, WIDTH, 0);
    for (long i = 0; i < L; i++) {
        add(&s, IN_LAYER("model.layers.%ld.input_layernorm.weight"), 1, WIDTH, 1);
        add(&s, IN_LAYER("model.layers.%ld.self_attn.q_proj.weight"), HEADS * DK, WIDTH, 0);
        add(&s, IN_LAYER("model.layers.%ld.self_attn.q_proj.bias"), 1, HEADS * DK, 0);
        add(&s, IN_LAYER("model.layers.%ld.self_attn.q_norm.weight"), 1, DK, 1);
        add(&s, IN_LAYER("model.layers.%ld.self_attn.k_norm.weight"), 1, DK, 1);
        add(&s, IN_LAYER("model.layers.%ld.self_attn.k_proj.weight"), 2 * DK, WIDTH, 0);
        add(&s, IN_LAYER("model.layers.%ld.self_attn.k_proj.bias"), 1, 2 * DK, 0);
        add(&s, IN_LAYER("model.layers.%ld.self_attn.v_proj.weight"), 2 * DK, WIDTH, 0);
        add(&s, IN_LAYER("model.layers.%ld.self_attn.v_proj.bias"), 1, 2 * DK, 0);
        add(&s, IN_LAYER("model.layers.%ld.self_attn.o_proj.weight"), WIDTH, HEADS * DK, 0);
        add(&s, IN_LAYER("model.layers.%ld.post_attention_layernorm.weight"), 1, WIDTH, 1);
        add(&s, IN_LAYER("model.layers.%ld.mlp.gate_proj.weight"), M, WIDTH, 0);
        add(&s, IN_LAYER("model.layers.%ld.mlp.up_proj.weight"), M, WIDTH, 0);
        add(&s, IN_LAYER("model.layers.%ld.mlp.down_proj.weight"), WIDTH, M, 0);
    }
    add(&s, "model.norm.weight", 1, WIDTH, 1);
    add(&s, "lm_head.weight", V, WIDTH, 0);
    return saved(&s, temp_format("{%s\"model_type\":\"qwen3\",\"hidden_size\":24,\"num_hidden_layers\":2,\"num_attention_heads\":4,\"head_dim\":6,"
                 "\"num_key_value_heads\":2,\"intermediate_size\":20,\"max_position_embeddings\":40,\"vocab_size\":18,\"rms_norm_eps\":0.25,"
                 "\"rope_theta\":1000.0,\"hidden_act\":\"silu\",\"attention_bias\":true,\"tie_word_embeddings\":false}",
                 more));
}

static char *neox(bool parallel)
{
    safetensors s = { .tensors = 0 };
    add(&s, "gpt_neox.embed_in.weight", V, WIDTH, 0);
    for (long i = 0; i < L; i++) {
        add(&s, IN_LAYER("gpt_neox.layers.%ld.input_layernorm.weight"), 1, WIDTH, 1);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.input_layernorm.bias"), 1, WIDTH, 0);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.post_attention_layernorm.weight"), 1, WIDTH, 1);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.post_attention_layernorm.bias"), 1, WIDTH, 0);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.attention.query_key_value.weight"), 3 * WIDTH, WIDTH, 0);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.attention.query_key_value.bias"), 1, 3 * WIDTH, 0);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.attention.dense.weight"), WIDTH, WIDTH, 0);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.attention.dense.bias"), 1, WIDTH, 0);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.mlp.dense_h_to_4h.weight"), M, WIDTH, 0);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.mlp.dense_h_to_4h.bias"), 1, M, 0);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.mlp.dense_4h_to_h.weight"), WIDTH, M, 0);
        add(&s, IN_LAYER("gpt_neox.layers.%ld.mlp.dense_4h_to_h.bias"), 1, WIDTH, 0);
    }
    add(&s, "gpt_neox.final_layer_norm.weight", 1, WIDTH, 1);
    add(&s, "gpt_neox.final_layer_norm.bias", 1, WIDTH, 0);
    add(&s, "embed_out.weight", V, WIDTH, 0);
    return saved(&s, temp_format("{\"model_type\":\"gpt_neox\",\"hidden_size\":24,\"num_hidden_layers\":2,\"num_attention_heads\":4,"
                 "\"intermediate_size\":20,\"max_position_embeddings\":40,\"vocab_size\":18,\"layer_norm_eps\":1e-05,\"rotary_pct\":0.67,"
                 "\"rotary_emb_base\":500,\"hidden_act\":\"gelu\",\"use_parallel_residual\":%s,\"tie_word_embeddings\":false}",
                 parallel ? "true" : "false"));
}

/* ---- the same with plain loops ------------------------------------------------------------------------------------- */

typedef struct { const safetensors *s; long layer; } file;

static const float *of(const file *f, const char *pattern)       /* NULL: not there                     */
{
    char name[100];
    const char *at = strchr(pattern, '#');
    if (at) snprintf(name, sizeof name, "%.*s%ld%s", (int)(at - pattern), pattern, f->layer, at + 1);
    else snprintf(name, sizeof name, "%s", pattern);
    const safetensor *t = safetensors_find(f->s, name);
    return t ? t->x : NULL;
}

/* y = W x + b; W out x in, or in x out if turned */
static void linear(double *y, const float *W, const float *b, const double *x, long out, long in, bool turned)
{
    for (long o = 0; o < out; o++) {
        y[o] = b ? b[o] : 0;
        for (long i = 0; i < in; i++) y[o] += (turned ? W[i * out + o] : W[o * in + i]) * x[i];
    }
}

static void norm(double *y, const double *x, const float *g, const float *b, long n, double eps, bool centred)
{
    double mean = 0, square = 0;
    for (long i = 0; centred && i < n; i++) mean += x[i] / (double)n;
    for (long i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean) / (double)n;
    for (long i = 0; i < n; i++) y[i] = (x[i] - mean) / sqrt(square + eps) * g[i] + (b ? b[i] : 0);
}

/* Of halves; divide and size as in rope.h. */
static void turn(double *x, long rotary, long position, double theta, const double *divide, double size)
{
    for (long i = 0; i < rotary / 2; i++) {
        const double t = (double)position * pow(theta, -2.0 * (double)i / (double)rotary) / (divide ? divide[i] : 1);
        const double a = x[i] * size, b = x[i + rotary / 2] * size;
        x[i] = a * cos(t) - b * sin(t);
        x[i + rotary / 2] = b * cos(t) + a * sin(t);
    }
}

/* q[t], k[t], v[t] of one head; adds to out[t] */
static void attend(double q[N][DK], double k[N][DK], double v[N][DK], double out[N][WIDTH], long a, const long *at, long window)
{
    for (long t = 0; t < N; t++) {
        double p[N], sum = 0;
        for (long s = 0; s <= t; s++) {
            p[s] = at[t] - at[s] < window ? 0 : -INFINITY;
            for (long i = 0; i < DK; i++) p[s] += q[t][i] * k[s][i] / sqrt(DK);
            sum += p[s] = exp(p[s]);
        }
        for (long s = 0; s <= t; s++) for (long i = 0; i < DK; i++) out[t][a * DK + i] += p[s] / sum * v[s][i];
    }
}

typedef enum { GPT2, QWEN3, NEOX } family;
typedef struct { family kind; bool parallel, tanh; long window; const double *near, *far; double size; } plain;

/* By longrope: near within 10 positions, far in longer sequences. */
static const double near_table[] = { 1, 1.5, 2 }, far_table[] = { 1.25, 3, 12 };
static const char longrope[] = "\"rope_scaling\":{\"type\":\"longrope\",\"short_factor\":[1,1.5,2],\"long_factor\":[1.25,3.0,12],"
                               "\"attention_factor\":1.5,\"original_max_position_embeddings\":10},";

static double gelu(double x, bool by_tanh)
{
    return by_tanh ? 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))) : x * 0.5 * erfc(-x / sqrt(2));
}

static void one_layer(const plain *m, const file *f, const long *at, double X[N][WIDTH])
{
    const bool g = m->kind == GPT2, q3 = m->kind == QWEN3;
    const double eps = (double)(float)(g ? 1e-3 : q3 ? 0.25 : 1e-5);
    const long kv = q3 ? 2 : HEADS, rotary = g ? 0 : q3 ? DK : 4;
    double out[N][WIDTH] = { 0 }, Q[N][HEADS * DK], K[N][HEADS * DK], W[N][HEADS * DK];
    for (long t = 0; t < N; t++) {
        double z[WIDTH], qkv[3 * WIDTH];
        if (g) norm(z, X[t], of(f, "h.#.ln_1.weight"), of(f, "h.#.ln_1.bias"), WIDTH, eps, true);
        else if (q3) norm(z, X[t], of(f, "model.layers.#.input_layernorm.weight"), NULL, WIDTH, eps, false);
        else norm(z, X[t], of(f, "gpt_neox.layers.#.input_layernorm.weight"), of(f, "gpt_neox.layers.#.input_layernorm.bias"), WIDTH, eps, true);
        if (q3) {
            linear(Q[t], of(f, "model.layers.#.self_attn.q_proj.weight"), of(f, "model.layers.#.self_attn.q_proj.bias"), z, HEADS * DK, WIDTH, false);
            linear(K[t], of(f, "model.layers.#.self_attn.k_proj.weight"), of(f, "model.layers.#.self_attn.k_proj.bias"), z, kv * DK, WIDTH, false);
            linear(W[t], of(f, "model.layers.#.self_attn.v_proj.weight"), of(f, "model.layers.#.self_attn.v_proj.bias"), z, kv * DK, WIDTH, false);
        } else if (g) {
            linear(qkv, of(f, "h.#.attn.c_attn.weight"), of(f, "h.#.attn.c_attn.bias"), z, 3 * WIDTH, WIDTH, true);
            for (long i = 0; i < WIDTH; i++) Q[t][i] = qkv[i], K[t][i] = qkv[WIDTH + i], W[t][i] = qkv[2 * WIDTH + i];
        } else {
            linear(qkv, of(f, "gpt_neox.layers.#.attention.query_key_value.weight"), of(f, "gpt_neox.layers.#.attention.query_key_value.bias"), z,
                   3 * WIDTH, WIDTH, false);
            for (long a = 0; a < HEADS; a++)
                for (long i = 0; i < DK; i++) {
                    Q[t][a * DK + i] = qkv[a * 3 * DK + i];
                    K[t][a * DK + i] = qkv[a * 3 * DK + DK + i];
                    W[t][a * DK + i] = qkv[a * 3 * DK + 2 * DK + i];
                }
        }
    }
    for (long a = 0; a < HEADS; a++) {
        double q[N][DK], k[N][DK], v[N][DK];
        const long b = a / (HEADS / kv);
        for (long t = 0; t < N; t++) {
            memcpy(q[t], Q[t] + a * DK, sizeof q[t]);
            memcpy(k[t], K[t] + b * DK, sizeof k[t]);
            memcpy(v[t], W[t] + b * DK, sizeof v[t]);
            if (q3) norm(q[t], q[t], of(f, "model.layers.#.self_attn.q_norm.weight"), NULL, DK, eps, false);
            if (q3) norm(k[t], k[t], of(f, "model.layers.#.self_attn.k_norm.weight"), NULL, DK, eps, false);
            const double *divide = at[N - 1] < 10 ? m->near : m->far, size = m->near ? m->size : 1;
            turn(q[t], rotary, at[t], q3 ? 1000 : 500, divide, size);
            turn(k[t], rotary, at[t], q3 ? 1000 : 500, divide, size);
        }
        attend(q, k, v, out, a, at, m->window ? m->window : T);
    }
    for (long t = 0; t < N; t++) {
        double A[WIDTH], F[WIDTH], y[WIDTH], z[WIDTH], h[M], gate[M];
        if (g) linear(A, of(f, "h.#.attn.c_proj.weight"), of(f, "h.#.attn.c_proj.bias"), out[t], WIDTH, WIDTH, true);
        else if (q3) linear(A, of(f, "model.layers.#.self_attn.o_proj.weight"), NULL, out[t], WIDTH, WIDTH, false);
        else linear(A, of(f, "gpt_neox.layers.#.attention.dense.weight"), of(f, "gpt_neox.layers.#.attention.dense.bias"), out[t], WIDTH, WIDTH, false);
        for (long i = 0; i < WIDTH; i++) y[i] = X[t][i] + A[i];
        const double *from = m->parallel ? X[t] : y;
        if (g) norm(z, from, of(f, "h.#.ln_2.weight"), of(f, "h.#.ln_2.bias"), WIDTH, eps, true);
        else if (q3) norm(z, from, of(f, "model.layers.#.post_attention_layernorm.weight"), NULL, WIDTH, eps, false);
        else norm(z, from, of(f, "gpt_neox.layers.#.post_attention_layernorm.weight"), of(f, "gpt_neox.layers.#.post_attention_layernorm.bias"), WIDTH, eps, true);
        if (q3) {
            linear(gate, of(f, "model.layers.#.mlp.gate_proj.weight"), NULL, z, M, WIDTH, false);
            linear(h, of(f, "model.layers.#.mlp.up_proj.weight"), NULL, z, M, WIDTH, false);
            for (long i = 0; i < M; i++) h[i] *= gate[i] / (1 + exp(-gate[i]));
            linear(F, of(f, "model.layers.#.mlp.down_proj.weight"), NULL, h, WIDTH, M, false);
        } else {
            linear(h, of(f, g ? "h.#.mlp.c_fc.weight" : "gpt_neox.layers.#.mlp.dense_h_to_4h.weight"),
                   of(f, g ? "h.#.mlp.c_fc.bias" : "gpt_neox.layers.#.mlp.dense_h_to_4h.bias"), z, M, WIDTH, g);
            for (long i = 0; i < M; i++) h[i] = gelu(h[i], m->tanh);
            linear(F, of(f, g ? "h.#.mlp.c_proj.weight" : "gpt_neox.layers.#.mlp.dense_4h_to_h.weight"),
                   of(f, g ? "h.#.mlp.c_proj.bias" : "gpt_neox.layers.#.mlp.dense_4h_to_h.bias"), h, WIDTH, M, g);
        }
        for (long i = 0; i < WIDTH; i++) X[t][i] = y[i] + F[i];
    }
}

static void plain_logits(const plain *m, const char *folder, const long *at, double *logits)
{
    safetensors s = safetensors_read(temp_path(folder, "model.safetensors"));
    file f = { &s, 0 };
    double X[N][WIDTH], z[WIDTH];
    const float *E = of(&f, m->kind == GPT2 ? "wte.weight" : m->kind == QWEN3 ? "model.embed_tokens.weight" : "gpt_neox.embed_in.weight");
    for (long t = 0; t < N; t++)
        for (long i = 0; i < WIDTH; i++)
            X[t][i] = (double)E[tokens[t] * WIDTH + i] + (m->kind == GPT2 ? (double)of(&f, "wpe.weight")[at[t] * WIDTH + i] : 0);
    for (f.layer = 0; f.layer < L; f.layer++) one_layer(m, &f, at, X);
    const double eps = (double)(float)(m->kind == GPT2 ? 1e-3 : m->kind == QWEN3 ? 0.25 : 1e-5);
    if (m->kind == GPT2) norm(z, X[N - 1], of(&f, "ln_f.weight"), of(&f, "ln_f.bias"), WIDTH, eps, true);
    else if (m->kind == QWEN3) norm(z, X[N - 1], of(&f, "model.norm.weight"), NULL, WIDTH, eps, false);
    else norm(z, X[N - 1], of(&f, "gpt_neox.final_layer_norm.weight"), of(&f, "gpt_neox.final_layer_norm.bias"), WIDTH, eps, true);
    linear(logits, m->kind == GPT2 ? E : m->kind == QWEN3 ? of(&f, "lm_head.weight") : of(&f, "embed_out.weight"), NULL, z, V, WIDTH, false);
    safetensors_free(&s);
}

/* ---- tests --------------------------------------------------------------------------------------------------------- */

static void same_logits(const char *path, long n, const long *token, const long *at, const double *want, double bound)
{
    weights w = weights_open(path);
    transformer D = transformer_of(&w);
    char *why = forward_refuses(&D);
    ck_assert_msg(!why, "%s", why);
    const weight_source W = weights_of_file(&D);
    double *y = must_calloc((size_t)D.V, sizeof *y);
    arith R[] = { arith_f64(), arith_mpfr(120), arith_arb(160) };
    for (size_t k = 0; k < COUNT(R); k++) {
        ck_assert_int_eq(forward_last_logits(&R[k], &W, &(token_list){ n, token, at, 0 }, y), HOLDS);
        for (long c = 0; c < D.V; c++)
            ck_assert_msg(fabs(y[c] - want[c]) <= bound, "%s: over %s logit %ld is %.17g, not %.17g", path, R[k].name, c, y[c], want[c]);
        arith_close(&R[k]);
    }
    free(y);
    transformer_free(&D);
    weights_close(&w);
}

START_TEST(families)
{
    static const plain each[] = { { GPT2, .tanh = true }, { GPT2, .tanh = false }, { .kind = QWEN3 }, { QWEN3, .window = 3 },
                                  { QWEN3, .near = near_table, .far = far_table, .size = 1.5 },
                                  { NEOX, .parallel = true }, { NEOX, .parallel = false } };
    static const char window[] = "\"sliding_window\":3,\"use_sliding_window\":true,\"max_window_layers\":0,";
    for (size_t k = 0; k < COUNT(each); k++)
        for (int far = 0; far < 2; far++) {
            const plain *m = &each[k];
            char *path = m->kind == GPT2 ? gpt2(m->tanh ? "gelu_new" : "gelu") : m->kind == NEOX ? neox(m->parallel)
                       : qwen3(m->window ? window : m->near ? longrope : "");
            const long near[N] = { 0, 1, 2, 3, 4 };
            double want[V];
            plain_logits(m, path, far ? positions : near, want);
            same_logits(path, N, tokens, far ? positions : NULL, want, 1e-12);
        }
}
END_TEST

/* theta^(-2i/16) / divisor and the size of cosines, as transformers 5.24 computes them with its casts to float32 replaced. */
START_TEST(rules_of_scaled_angles)
{
    static const struct { const char *rope; double theta; long T, length; double attention, frequency[8]; } of[] = {
        { "{\"rope_type\":\"linear\",\"factor\":3.0}", 500000, 64, 1, 1,
          { 0.33333333333333331, 0.064640914916228587, 0.012535343643621312, 0.0024308882457390363, 0.00047140452079103169, 9.1416058558735762e-05, 1.7727652989816629e-05, 3.4377951257374865e-06 } },
        { "{\"rope_type\":\"dynamic\",\"factor\":3.0}", 500000, 64, 40, 1,
          { 1, 0.19392274474868576, 0.037606030930863933, 0.0072926647372171085, 0.001414213562373095, 0.0002742481756762073, 5.318295896944989e-05, 1.031338537721246e-05 } },
        { "{\"rope_type\":\"dynamic\",\"factor\":3.0}", 500000, 64, 100, 1,
          { 1, 0.16838106548376572, 0.0283521832134482, 0.0047739708182713446, 0.00080384629296893382, 0.00013535249529528437, 2.2790797373706366e-05, 3.8375387450092872e-06 } },
        { "{\"rope_type\":\"llama3\",\"factor\":8.0,\"low_freq_factor\":1.0,\"high_freq_factor\":4.0,\"original_max_position_embeddings\":8192}", 500000, 131072, 1, 1,
          { 1, 0.19392274474868576, 0.037606030930863933, 0.0072926647372171085, 0.00052484616099295468, 3.4281021959525912e-05, 6.6478698711812362e-06, 1.2891731721515574e-06 } },
        { "{\"rope_type\":\"llama3\",\"factor\":32.0,\"low_freq_factor\":1.5,\"high_freq_factor\":3.0,\"original_max_position_embeddings\":100}", 1000, 131072, 1, 1,
          { 1, 0.42169650342858228, 0.15832913348366304, 0.0023434194041639243, 0.00098821176880261848, 0.00041672544755103877, 0.00017573166412198409, 7.4105428301926717e-05 } },
        { "{\"rope_type\":\"yarn\",\"factor\":4.0,\"original_max_position_embeddings\":512}", 1000, 2048, 1, 1.1386294361119891,
          { 1, 0.42169650342858228, 0.15115374985330843, 0.052492594653271905, 0.017392527130926087, 0.0053340857286532962, 0.0014058533129758727, 0.00059284342641541374 } },
        { "{\"rope_type\":\"yarn\",\"factor\":4.0,\"beta_fast\":8.0,\"beta_slow\":2.0,\"truncate\":false,\"mscale\":0.7,\"mscale_all_dim\":0.4,\"original_max_position_embeddings\":512}", 1000, 2048, 1, 1.0394038191422568,
          { 1, 0.42169650342858228, 0.17782794100389226, 0.064059753057845836, 0.012241315901815129, 0.0033338035804083102, 0.0014058533129758727, 0.00059284342641541374 } },
        { "{\"rope_type\":\"yarn\",\"factor\":4.0,\"beta_fast\":1.01,\"beta_slow\":1.0,\"truncate\":false,\"attention_factor\":1.25,\"original_max_position_embeddings\":2}", 1000, 2048, 1, 1.25,
          { 1, 0.42169650342858228, 0.17782794100389226, 0.074989420933245579, 0.031622776601683791, 0.013335214321633241, 0.005623413251903491, 0.0023713737056616549 } },
        { "{\"rope_type\":\"longrope\",\"short_factor\":[1.0,1.0,1.25,1.5,1.75,2.0,3.0,4.0],\"long_factor\":[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0],\"original_max_position_embeddings\":32}", 1000, 64, 32, 1.0954451150103321,
          { 1, 0.42169650342858228, 0.14226235280311381, 0.049992947288830386, 0.018070158058105027, 0.0066676071608166203, 0.0018744710839678305, 0.00059284342641541374 } },
        { "{\"rope_type\":\"longrope\",\"short_factor\":[1.0,1.0,1.25,1.5,1.75,2.0,3.0,4.0],\"long_factor\":[1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0],\"original_max_position_embeddings\":32}", 1000, 64, 33, 1.0954451150103321,
          { 1, 0.21084825171429114, 0.05927598033463076, 0.018747355233311395, 0.0063245553203367597, 0.0022225357202722068, 0.00080334475027192727, 0.00029642171320770687 } },
    };
    for (size_t k = 0; k < COUNT(of); k++) {
        json_t *keys = json_pack("{s:o}", k % 2 ? "rope_scaling" : "rope_parameters", json_loads(of[k].rope, 0, NULL));
        transformer D = { .positions = POSITIONS_ROTARY, .theta = of[k].theta, .rotary = 16, .T = of[k].T };
        char *why = rope_read(&D, &(settings){ keys, NULL, "", "config.json", architecture_called("llama") });
        ck_assert_msg(!why && rope_scales(&D), "%s: %s", of[k].rope, why);
        ck_assert_msg(fabs(D.rope.attention - of[k].attention) <= 1e-15, "%s: %.17g", of[k].rope, D.rope.attention);
        double divide[8];
        rope_divisors(&D, of[k].length, divide);
        for (long i = 0; i < 8; i++) {
            const double want = of[k].frequency[i], is = pow(of[k].theta, -(double)i / 8) / divide[i];
            ck_assert_msg(fabs(is - want) <= 4e-15 * want, "%s: frequency %ld is %.17g, not %.17g", of[k].rope, i, is, want);
        }
        transformer_free(&D);
        json_decref(keys);
    }
}
END_TEST

START_TEST(runs_of_ours)
{
    static const char *const each[] = { "norm=1 skips=11 tied=1 query=1 factor=1", "norm=1 skips=11 tied=0 query=0 factor=0.5",
                                        "norm=0 skips=10 tied=1 query=0 factor=0.5", "norm=0 skips=00 tied=0 query=1 factor=1" };
    for (size_t k = 0; k < COUNT(each); k++) {
        gpt_config c = gpt_default();
        c.L = L, c.d = WIDTH, c.h = HEADS, c.m = M, c.T = T, c.V = V, c.init_std = 0.2;
        c.norm = strstr(each[k], "norm=1"), c.tied = strstr(each[k], "tied=1"), c.identity[GPT_QUERY] = strstr(each[k], "query=0");
        c.attn_skip = !strstr(each[k], "skips=0"), c.mlp_skip = strstr(each[k], "skips=11");
        c.factor = strstr(each[k], "factor=1") ? 1 : 0.5;
        gpt *G = gpt_create(&c, ops_cpu_f64(), 1, 5);
        net *n = gpt_net(G);
        double *x = n->w, want[V];
        for (size_t i = 0; i < n->table.size; i++) x[i] = (double)(float)x[i];      /* as they are stored */
        net_refresh(n);
        checkpoint f = { .tensor = NULL };
        char *text = gpt_config_print(&c), *path = temp_path(temp_folder(), "last.ckpt");
        checkpoint_text(&f, "model", "%s", text);
        net_store(&f, path, &n->table, n->o, 1, (net_array[]){ { "", n->w } });
        const int32_t token[N] = { 3, 17, 0, 5, 5 };
        gpt_last_logits(G, token, N, want);
        same_logits(path, N, tokens, NULL, want, c.norm ? 1e-10 : 1e-12);      /* eps: there 1e-5, here the float */
        free(text);
        checkpoint_free(&f);
        gpt_free(G);
    }
}
END_TEST

/* A run with W_Q = I stored, as the other run does not: the same function, and another one when it is not I. */
START_TEST(an_identity_that_one_of_two_stores)
{
    char *path[3];
    for (int k = 0; k < 3; k++) {
        gpt_config c = gpt_default();
        c.L = L, c.d = WIDTH, c.h = HEADS, c.m = M, c.T = T, c.V = V, c.identity[GPT_QUERY] = k == 0;
        gpt *G = gpt_create(&c, ops_cpu_f64(), 1, 5);
        net *n = gpt_net(G);
        double *x = n->w;
        for (size_t i = 0; i < n->table.size; i++) x[i] = 0.25 * (double)(i % 7);
        for (long p = 0; p < n->table.n; p++)
            for (long r = 0; strstr(n->table.list[p].name, "attn.q") && r < WIDTH; r++)
                for (long i = 0; i < WIDTH; i++) x[n->table.list[p].at + (size_t)(r * WIDTH + i)] = r == i || (k == 2 && r == 0);
        checkpoint f = { .tensor = NULL };
        char *text = gpt_config_print(&c);
        path[k] = temp_path(temp_folder(), "last.ckpt");
        checkpoint_text(&f, "model", "%s", text);
        net_store(&f, path[k], &n->table, n->o, 1, (net_array[]){ { "", n->w } });
        free(text);
        checkpoint_free(&f);
        gpt_free(G);
    }
    for (int k = 1; k < 3; k++) {
        weights w[2] = { weights_open(path[0]), weights_open(path[k]) };
        transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
        structure s = structure_of(&D[0], &D[1], NULL);
        long queries = 0;
        for (long i = 0; i < s.n; i++) {
            queries += s.at[i].role == ROLE_Q;
            if (s.at[i].role == ROLE_Q) ck_assert_msg(s.at[i].harmless == (k == 1) && strstr(s.at[i].text, "extra in B"), "%s", s.at[i].text);
        }
        ck_assert_int_eq(queries, L);
        structure_free(&s);
        for (int m = 0; m < 2; m++) {
            transformer_free(&D[m]);
            weights_close(&w[m]);
        }
    }
}
END_TEST

START_TEST(angles)
{
    static const double none[] = { 1, 1, 1 }, slower[] = { 1, 2.5, 8 };   /* NULL: none of them is divided          */
    const double *divide = _i ? slower : NULL, *by = _i ? slower : none;
    const long at[] = { 0, 1, 7, 100000 };
    arith R = arith_arb(200), F = arith_f64(), P = arith_mpfr(200);
    scope s = scope_open(&R, 1, 0), f = scope_open(&F, 1, 0), p = scope_open(&P, 1, 0);
    const mat *C = mat_angles(&s, 4, at, 3, 500, divide), *D = mat_angles(&f, 4, at, 3, 500, divide), *E = mat_angles(&p, 4, at, 3, 500, divide);
    for (long t = 0; t < 4; t++)
        for (long j = 0; j < 6; j++) {
            const double angle = (double)at[t] * pow(500, -(double)(j % 3) / 3) / by[j % 3], want = j < 3 ? cos(angle) : sin(angle);
            ck_assert(fabs(mat_get_d(D, t, j) - want) <= 1e-15);
            ck_assert(fabs(mat_get_d(C, t, j) - want) <= 1e-10 && fabs(mat_get_d(E, t, j) - mat_get_d(C, t, j)) <= 0x1p-52);
            ck_assert(arith_arb_farthest(C, t, j, mat_get_d(C, t, j)) <= 0x1p-53);
        }
    mpq_t one, x;                                                       /* cos^2 + sin^2 encloses 1, narrowly */
    mpq_inits(one, x, NULL);
    mpq_set_ui(one, 1, 1);
    const mat *cos = mat_cols(&s, C, 0, 3), *sin = mat_cols(&s, C, 3, 3);
    const mat *sum = mat_add(&s, mat_hadamard(&s, cos, cos), mat_hadamard(&s, sin, sin));
    for (long t = 0; t < 4; t++)
        for (long j = 0; j < 3; j++)
            ck_assert(arith_arb_contains(sum, t, j, one) && arith_arb_farthest(sum, t, j, 1) < 0x1p-170);
    const arith B = arith_f64_bounded();                                /* no bound is known there */
    scope b = scope_open(&B, 1, 0);
    (void)mat_angles(&b, 4, at, 3, 500, NULL);
    ck_assert_int_eq(b.status, UNDECIDED);
    mpq_clears(one, x, NULL);
    scope_close(&s);
    scope_close(&f);
    scope_close(&p);
    scope_close(&b);
    arith_close(&R);
}
END_TEST

/* ---- a drawn model as a checkpoint ---------------------------------------------------------------------------------- */

static const mat *copied(scope *s, const mat *A) { return A ? mat_cols(s, A, 0, A->cols) : NULL; }
static const mat *diagonal(scope *s, const mat *A) { return A ? mat_mul(s, mat_ones(s, 1, A->rows), A) : NULL; }

/* The weights of a model as if they lay in a file: gains as vectors, experts behind the layers. */
static const mat *drawn_part(void *of, scope *s, tensor_role role, long at, long first, long count)
{
    const model *from = of;
    const long deep = from->s.L, each = from->s.experts + 1;
    const long i = at < deep ? at : (at - deep) / each, e = at < deep ? 0 : (at - deep) % each;
    const layer *W = &from->at[i < 0 ? 0 : i];
    const mlp *F = &W->expert[e];
    switch (role) {
    case ROLE_EMBED:      return mat_rows(s, from->E, first, count);
    case ROLE_POSITION:   return mat_rows(s, from->P, first, count);
    case ROLE_HEAD:       return mat_cols(s, from->head ? from->head : mat_t(s, from->E), first, count);
    case ROLE_FINAL_GAIN: return diagonal(s, from->gain_f);
    case ROLE_FINAL_BIAS: return copied(s, from->bias_f);
    case ROLE_GAIN1:      return diagonal(s, W->gain1);
    case ROLE_GAIN2:      return diagonal(s, W->gain2);
    case ROLE_BIAS1:      return copied(s, W->bias1);
    case ROLE_BIAS2:      return copied(s, W->bias2);
    case ROLE_Q_GAIN:     return diagonal(s, W->gain_q);
    case ROLE_K_GAIN:     return diagonal(s, W->gain_k);
    case ROLE_Q:          return copied(s, W->Q);
    case ROLE_K:          return copied(s, W->K);
    case ROLE_V:          return copied(s, W->V);
    case ROLE_O:          return copied(s, W->O);
    case ROLE_Q_BIAS:     return copied(s, W->bQ);
    case ROLE_K_BIAS:     return copied(s, W->bK);
    case ROLE_V_BIAS:     return copied(s, W->bV);
    case ROLE_O_BIAS:     return copied(s, W->bO);
    case ROLE_ROUTER:     return copied(s, W->router);
    case ROLE_UP:         return copied(s, F->up);
    case ROLE_GATE:       return copied(s, F->gate);
    case ROLE_DOWN:       return copied(s, F->down);
    case ROLE_UP_BIAS:    return copied(s, F->b_up);
    case ROLE_GATE_BIAS:  return copied(s, F->b_gate);
    case ROLE_DOWN_BIAS:  return copied(s, F->b_down);
    default:              return NULL;
    }
}

/* What a configuration would say of that shape; `at` and `bits` are its tables, of nothing. */
static transformer description_of(const shape *sh, const weight_tensor **at, unsigned char *bits)
{
    for (long i = 0; i < sh->L; i++) bits[i] = sh->experts ? LAYER_HAS_EXPERTS : 0;
    transformer D = {
        .L = sh->L, .d = sh->d, .h = sh->h, .h_kv = sh->h_kv, .dk = sh->dk, .m = sh->m, .V = sh->V, .T = sh->n, .pad = -1,
        .outputs = sh->V, .norm = sh->norm == NORM_NONE ? NORM_OF_NONE : sh->norm == NORM_LAYER ? NORM_OF_LAYER : NORM_OF_RMS,
        .eps = 0x1p-17, .norms = sh->parallel ? NORMS_SHARED : NORMS_BEFORE, .qk = sh->qk_norm ? QK_BY_HEAD : QK_PLAIN,
        .layer = bits, .embed_factor = 1, .added_factor = 1, .logit_factor = 1, .logit_divisor = 1, .factor = 1,
        .positions = sh->rope ? POSITIONS_ROTARY : sh->no_positions ? POSITIONS_NONE : POSITIONS_LEARNED,
        .pairs = PAIRS_ADJACENT, .rotary = sh->dk, .theta = 10000, .gated = sh->gated, .tied = sh->tied,
        .parallel = sh->parallel, .attn_skip = sh->attn_skip, .mlp_skip = sh->mlp_skip, .encoder = sh->mask == MASK_FULL,
        .experts = sh->experts, .chosen = sh->experts, .expert_m = sh->m, .chosen_sum = true, .at = at };
    strcpy(D.activation, sh->act == ACT_RELU ? "relu" : sh->act == ACT_SILU ? "silu" : "gelu");
    return D;
}

typedef struct { double *at; long cols; } logits_to;

static void keep_logits(void *with, forward_stage stage, long where, long first, const mat *X)
{
    (void)where;
    const logits_to *to = with;
    for (long r = 0; stage == STAGE_LOGITS && r < X->rows; r++)
        for (long c = 0; c < X->cols; c++) to->at[r * to->cols + first + c] = mat_get_d(X, r, c);
}

/* One evaluator: what theorems compute of a drawn model and what is computed of a checkpoint with its weights are the same
 * doubles, bit for bit, and the same to rounding where sums have another order or angles are rounded otherwise. */
START_TEST(a_drawn_model_as_a_checkpoint)
{
    static const struct { const char *shape; bool to_rounding; } of[] = {
        { "norm=layer,biases=1,tied=1", false }, { "norm=rms,h=4,h_kv=2,gated=1,act=silu,no_positions=1", false },
        { "norm=rms,qk_norm=1,h_kv=1,act=relu", false }, { "norm=none,biases=1,h=3,dk=5", false },
        { "norm=rms,experts=3,gated=1,act=silu,biases=1", false }, { "attn_skip=0,norm=layer", false },
        { "mlp_skip=0,norm=layer", false }, { "attn_skip=0,mlp_skip=0,mask=full,norm=layer", false },
        { "norm=rms,rope=1,no_positions=1,h_kv=1,qk_norm=1,gated=1", true },
        { "norm=layer,parallel=1,biases=1", true }, { "norm=layer,parallel=1,attn_skip=0", true },
    };
    arith R = arith_f64();
    for (size_t k = 0; k < COUNT(of); k++) {
        shape sh = { 0 };
        ck_assert_ptr_null(shape_parse(&sh, "n=6,d=8,h=2,m=10,V=7,L=3,attn_skip=1,mlp_skip=1"));
        ck_assert_ptr_null(shape_parse(&sh, of[k].shape));
        scope s = scope_open(&R, 1 + k, 0);
        model drawn = model_random(&s, sh);
        const mat *Y = model_forward(&s, &drawn);
        const weight_tensor *at[ROLES] = { NULL };                        /* of no layer */
        unsigned char bits[MAX_LAYERS];
        const transformer D = description_of(&drawn.s, at, bits);
        long token[MAX_LAYERS];
        double is[MAX_LAYERS];
        for (long t = 0; t < sh.n; t++) token[t] = model_token(&s, &drawn.s, t);
        ck_assert_int_le(sh.n * sh.V, MAX_LAYERS);
        forward_run(&s, &(weight_source){ .D = &D, .part = drawn_part, .of = &drawn }, &(token_list){ sh.n, token, NULL, 0 },
                    keep_logits, &(logits_to){ is, sh.V });
        ck_assert_int_eq(s.status, HOLDS);
        for (long t = 0; t < sh.n; t++)
            for (long c = 0; c < sh.V; c++) {
                const double x = is[t * sh.V + c], want = mat_get_d(Y, t, c), off = fabs(x - want);
                ck_assert_msg(of[k].to_rounding ? off <= 1e-13 : off == 0, "%s: logit %ld of token %ld is %a, not %a",
                              of[k].shape, c, t, x, want);
            }
        scope_close(&s);
    }
    arith_close(&R);
}
END_TEST

/* ---- parts of files ------------------------------------------------------------------------------------------------ */

static void minus_zero_at_the_end(const char *folder)
{
    FILE *f = fopen(temp_path(folder, "model.safetensors"), "r+b");
    ck_assert(f && fseek(f, -4, SEEK_END) == 0 && fwrite("\0\0\0\x80", 1, 4, f) == 4);
    ck_assert_int_eq(fclose(f), 0);
}

/* Row by row x + 0, without -0; X: of which these are rows or columns from `first` on, or NULL. */
static void same_part(const mat *A, const double *x, long rows, long cols, const mat *X, bool by_rows, long first)
{
    ck_assert_ptr_nonnull(A);
    ck_assert(A->rows == rows && A->cols == cols);
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) {
            const double is = mat_get_d(A, r, c);
            ck_assert(is == x[r * cols + c] && !(is == 0 && signbit(is)));
            if (X) ck_assert(is == mat_get_d(X, by_rows ? first + r : r, by_rows ? c : first + c));
        }
}

/* A matrix that is filled from the file has the numbers that the part has in doubles, and a range of it those of the whole. */
START_TEST(parts_of_files)
{
    enum { FIRST = 2, SOME = 5 };
    char *each[] = { gpt2("gelu"), neox(true), qwen3("") };
    long parts = 0, zeros = 0;
    for (size_t k = 0; k < COUNT(each); k++) {
        minus_zero_at_the_end(each[k]);
        weights w = weights_open(each[k]);
        transformer D = transformer_of(&w);
        arith R = arith_f64();
        scope s = scope_open(&R, 1, 0);
        for (long at = -1; at < D.L; at++)
            for (int role = ROLE_EMBED; role < ROLES; role++) {
                const bool ends = role == ROLE_EMBED || role == ROLE_POSITION || role == ROLE_HEAD || role == ROLE_HEAD_BIAS;
                const bool ranges = role == ROLE_UP || role == ROLE_GATE || role == ROLE_DOWN;
                for (int some = ends; some <= (ends || ranges); some++) {
                    const long first = some ? FIRST : 0, count = some ? SOME : 0;
                    long rows, cols;
                    double *x = doubles_of_part(&D, (tensor_role)role, at, first, count, &rows, &cols);
                    const mat *A = part_of_file(&D, &s, (tensor_role)role, at, first, count);
                    ck_assert(!x == !A);
                    if (x) {
                        const mat *X = ranges && some ? part_of_file(&D, &s, (tensor_role)role, at, 0, 0) : NULL;
                        same_part(A, x, rows, cols, X, role == ROLE_DOWN, first);
                        for (long i = 0; i < rows * cols; i++) zeros += x[i] == 0 && signbit(x[i]);
                        parts++;
                    }
                    free(x);
                }
            }
        scope_close(&s);
        arith_close(&R);
        transformer_free(&D);
        weights_close(&w);
    }
    ck_assert_int_ge(parts, 60);
    ck_assert_int_ge(zeros, 1);                          /* or nothing above would have met one */
}
END_TEST

START_TEST(doubles_are_taken_exactly)
{
    const double x[] = { 1, -0x1.fffffffffffffp+3, 0x1.0000000000001p-70, 0, 0x1p-1074, -0x1.8p-1040, 0x1.23456789abcdep+100, 3 };
    arith R[] = { arith_arb(3000), arith_mpfr(3000), arith_f64() };
    for (size_t r = 0; r < COUNT(R); r++) {
        scope s = scope_open(&R[r], 1, 0);
        const mat *A = mat_of_doubles(&s, 2, 4, x);
        mpq_t want, is;
        mpq_inits(want, is, NULL);
        for (long k = 0; k < 8; k++) {
            mpq_set_d(want, x[k]);
            ck_assert_msg(mat_get_exact(is, A, k / 4, k % 4) && mpq_equal(want, is), "%s: entry %ld", R[r].name, k);
        }
        mpq_clears(want, is, NULL);
        scope_close(&s);
        arith_close(&R[r]);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("evaluate");
    TCase *all = tcase_create("checkpoints");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, families);
    tcase_add_test(all, rules_of_scaled_angles);
    tcase_add_test(all, runs_of_ours);
    tcase_add_test(all, an_identity_that_one_of_two_stores);
    tcase_add_loop_test(all, angles, 0, 2);
    tcase_add_test(all, a_drawn_model_as_a_checkpoint);
    tcase_add_test(all, parts_of_files);
    tcase_add_test(all, doubles_are_taken_exactly);
    return run_suite(suite, argc, argv);
}
