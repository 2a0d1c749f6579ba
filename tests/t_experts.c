/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_experts.c - mixtures of experts: the function of src/checkpoint/forward.h against one written out with plain loops,
 * in doubles, MPFR and balls; a choice that balls leave open; what verify makes of two of them; bad files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/checkpoint/architecture.h"
#include "src/checkpoint/expert_order.h"
#include "src/checkpoint/experts.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/gauge_found.h"
#include "src/checkpoint/names.h"
#include "src/checkpoint/reductions.h"
#include "src/checkpoint/replay.h"
#include "src/checkpoint/symmetry.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { L = 3, WIDTH = 16, HEADS = 4, KV = 2, DK = 4, M = 12, V = 10, N = 6, MOST = 5, WIDEST = 12 };
static const long tokens[N] = { 3, 7, 0, 5, 5, 9 };

typedef struct {
    const char *name, *type, *config;                                  /* config: what is not in all            */
    long experts, chosen, width, shared, dense, window;                /* dense: bits of layers without experts */
    bool sum, qkv_bias, whole, by_head, granite;                       /* whole, by_head: QK-norm               */
    double theta, scale, embed, added, divide;                         /* 0: 10000; 1 / sqrt(DK); 1             */
} spec;

#define QWEN2 "\"moe_intermediate_size\":8,\"shared_expert_intermediate_size\":10,\"num_experts\":5,\"num_experts_per_tok\":2"
#define QWEN3 "\"head_dim\":4,\"moe_intermediate_size\":8,\"num_experts\":5"
static const spec each[] = {
    { "mixtral", "mixtral", "\"num_local_experts\":4,\"num_experts_per_tok\":2", .experts = 4, .chosen = 2, .width = M, .sum = true, .theta = 1e6 },
    { "mixtral one", "mixtral", "\"num_local_experts\":3,\"num_experts_per_tok\":1,\"sliding_window\":3,\"rope_theta\":100.0", .experts = 3,
      .chosen = 1, .width = M, .window = 3, .sum = true, .theta = 100 },
    { "qwen2_moe", "qwen2_moe", QWEN2, .experts = 5, .chosen = 2, .width = 8, .shared = 10, .qkv_bias = true },
    { "qwen2_moe some", "qwen2_moe", QWEN2 ",\"mlp_only_layers\":[1],\"norm_topk_prob\":true,\"qkv_bias\":false", .experts = 5, .chosen = 2,
      .width = 8, .shared = 10, .sum = true, .dense = 0x2 },
    { "qwen3_moe", "qwen3_moe", QWEN3 ",\"num_experts_per_tok\":3", .experts = 5, .chosen = 3, .width = 8, .by_head = true },
    { "qwen3_moe every", "qwen3_moe", QWEN3 ",\"num_experts_per_tok\":2,\"decoder_sparse_step\":2,\"norm_topk_prob\":true,\"use_sliding_window\":true,"
      "\"sliding_window\":3", .experts = 5, .chosen = 2, .width = 8, .by_head = true, .sum = true, .dense = 0x5, .window = 3 },
    { "qwen3_moe none", "qwen3_moe", QWEN3 ",\"num_experts_per_tok\":2,\"decoder_sparse_step\":7", .experts = 5, .chosen = 2, .width = 8,
      .by_head = true, .dense = 0x7 },
    { "olmoe", "olmoe", "\"num_experts\":4,\"num_experts_per_tok\":2", .experts = 4, .chosen = 2, .width = M, .whole = true },
    { "olmoe all", "olmoe", "\"num_experts\":3,\"num_experts_per_tok\":3,\"norm_topk_prob\":false", .experts = 3, .chosen = 3,
      .width = M, .whole = true },
    { "granitemoe", "granitemoe", "\"num_local_experts\":4,\"num_experts_per_tok\":2,\"embedding_multiplier\":12,\"residual_multiplier\":0.22,"
      "\"attention_multiplier\":0.3,\"logits_scaling\":3", .experts = 4, .chosen = 2, .width = M, .sum = true, .granite = true, .scale = 0.3,
      .embed = 12, .added = 0.22, .divide = 3 },
};

static const spec *called(const char *name)
{
    for (size_t k = 0; k < COUNT(each); k++) if (strcmp(each[k].name, name) == 0) return &each[k];
    ck_abort_msg("no model %s", name);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static uint64_t draw;

static void add(safetensors *s, const char *name, long rows, long cols, float around)
{
    static const uint64_t key[2] = { 31, 7 };
    float *x = must_calloc((size_t)(rows * cols), sizeof *x);
    for (long k = 0; k < rows * cols; k++)
        x[k] = around + (float)((double)random_below(key, draw++, 1 << 20) / (1 << 19) - 1) * (around > 0 ? 0.3F : 0.7F);
    safetensors_tensor(s, name, rows == 1 ? 1 : 2, rows == 1 ? (long[]){ cols } : (long[]){ rows, cols }, x);
    free(x);
}

static char *in(long i, const char *name) { return temp_format("model.layers.%ld.%s", i, name); }

/* gate, up, down of an expert; e = experts: of the shared one; -1: of the layer. */
static char *expert_name(const spec *m, long i, long e, int part)
{
    static const char *const names[] = { "gate_proj", "up_proj", "down_proj" }, *const older[] = { "w1", "w3", "w2" };
    if (e < 0) return in(i, temp_format("mlp.%s.weight", names[part]));
    if (strcmp(m->type, "mixtral") == 0) return in(i, temp_format("block_sparse_moe.experts.%ld.%s.weight", e, older[part]));
    if (e == m->experts) return in(i, temp_format("mlp.shared_expert.%s.weight", names[part]));
    return in(i, temp_format("mlp.experts.%ld.%s.weight", e, names[part]));
}

static char *router_name(const spec *m, long i)
{
    return in(i, m->granite ? "block_sparse_moe.router.layer.weight" : strcmp(m->type, "mixtral") == 0 ? "block_sparse_moe.gate.weight"
              : "mlp.gate.weight");
}

static bool is_dense(const spec *m, long i) { return m->dense >> i & 1; }
static long width_of(const spec *m, long e) { return e < 0 ? M : e == m->experts ? m->shared : m->width; }

static void add_mlp(const spec *m, safetensors *s, long i, long e)
{
    const long w = width_of(m, e);
    for (int k = 0; k < 3; k++) add(s, expert_name(m, i, e, k), k == 2 ? WIDTH : w, k == 2 ? w : WIDTH, 0);
}

static void add_layer(const spec *m, safetensors *s, long i)
{
    static const struct { const char *name; long rows, cols; } matrix[] = { { "q_proj", HEADS * DK, WIDTH },
        { "k_proj", KV * DK, WIDTH }, { "v_proj", KV * DK, WIDTH }, { "o_proj", WIDTH, HEADS * DK } };
    add(s, in(i, "input_layernorm.weight"), 1, WIDTH, 1);
    add(s, in(i, "post_attention_layernorm.weight"), 1, WIDTH, 1);
    for (size_t k = 0; k < COUNT(matrix); k++) {
        add(s, in(i, temp_format("self_attn.%s.weight", matrix[k].name)), matrix[k].rows, matrix[k].cols, 0);
        if (m->qkv_bias && k < 3) add(s, in(i, temp_format("self_attn.%s.bias", matrix[k].name)), 1, matrix[k].rows, 0);
    }
    if (m->whole || m->by_head) add(s, in(i, "self_attn.q_norm.weight"), 1, m->whole ? HEADS * DK : DK, 1);
    if (m->whole || m->by_head) add(s, in(i, "self_attn.k_norm.weight"), 1, m->whole ? KV * DK : DK, 1);
    if (is_dense(m, i)) add_mlp(m, s, i, -1);
    else {
        add(s, router_name(m, i), m->experts, WIDTH, 0);
        for (long e = 0; e < m->experts + (m->shared > 0); e++) add_mlp(m, s, i, e);
        if (m->shared) safetensors_tensor(s, in(i, "mlp.shared_expert_gate.weight"), 2, (long[]){ 1, WIDTH }, s->tensor[0].x);
    }
}

static safetensors drawn(const spec *m)
{
    safetensors s = { .tensors = 0 };
    draw = 100000 * (uint64_t)(m - each);
    add(&s, "model.embed_tokens.weight", V, WIDTH, 0);
    for (long i = 0; i < L; i++) add_layer(m, &s, i);
    add(&s, "model.norm.weight", 1, WIDTH, 1);
    add(&s, "lm_head.weight", V, WIDTH, 0);
    return s;
}

static char *config_with(const spec *m, const char *config)
{
    return temp_format("{\"model_type\":\"%s\",\"hidden_size\":16,\"num_hidden_layers\":3,\"num_attention_heads\":4,\"num_key_value_heads\":2,"
                       "\"intermediate_size\":12,\"max_position_embeddings\":40,\"vocab_size\":10,\"rms_norm_eps\":1e-6,%s}", m->type, config);
}

static char *saved(const safetensors *s, const char *config)
{
    char *folder = temp_folder();
    temp_text(folder, "config.json", config);
    safetensors_write(s, temp_path(folder, "model.safetensors"));
    return folder;
}

static char *stored(const spec *m, const safetensors *s) { return saved(s, config_with(m, m->config)); }

static uint16_t brain_bits(float x)                                    /* to nearest, ties to even              */
{
    uint32_t b;
    memcpy(&b, &x, sizeof b);
    return (uint16_t)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}

static void round_all(safetensors *s)
{
    for (long k = 0; k < s->tensors; k++) {
        const safetensor *t = &s->tensor[k];
        long n = 1;
        for (int i = 0; i < t->rank; i++) n *= t->shape[i];
        for (long i = 0; i < n; i++) ((float *)(uintptr_t)t->x)[i] = safetensors_brain(brain_bits(t->x[i]));
    }
}

/* The same file in bfloat16. */
static char *stored_brain(const spec *m, const safetensors *s)
{
    text_buffer head = { 0 }, body = { 0 }, all = { 0 };
    for (long k = 0; k < s->tensors; k++) {
        const safetensor *t = &s->tensor[k];
        const size_t from = body.length;
        long n = 1;
        text_add(&head, "%s\"%s\":{\"dtype\":\"BF16\",\"shape\":[", k ? "," : "{", t->name);
        for (int i = 0; i < t->rank; i++) n *= t->shape[i], text_add(&head, "%s%ld", i ? "," : "", t->shape[i]);
        for (long i = 0; i < n; i++) {
            const uint16_t b = brain_bits(t->x[i]);
            text_bytes(&body, (const char *)&b, sizeof b);
        }
        text_add(&head, "],\"data_offsets\":[%zu,%zu]}", from, body.length);
    }
    text_add(&head, "}");
    const uint64_t length = head.length;
    text_bytes(&all, (const char *)&length, sizeof length);
    text_bytes(&all, head.at, head.length);
    text_bytes(&all, body.at, body.length);
    char *folder = temp_folder();
    temp_text(folder, "config.json", config_with(m, m->config));
    temp_write(folder, "model.safetensors", all.at, all.length);
    text_clear(&head), text_clear(&body), text_clear(&all);
    return folder;
}

/* ---- edits ------------------------------------------------------------------------------------------------------- */

static float *numbers(safetensors *s, const char *name)
{
    const safetensor *t = safetensors_find(s, name);
    ck_assert_msg(t, "%s", name);
    return (float *)(uintptr_t)t->x;
}

static void swap(float *x, float *y, long n)
{
    for (long k = 0; k < n; k++) {
        const float keep = x[k];
        x[k] = y[k];
        y[k] = keep;
    }
}

static void swap_experts(const spec *m, safetensors *s, long i, long a, long b)
{
    for (int k = 0; k < 3; k++)
        swap(numbers(s, expert_name(m, i, a, k)), numbers(s, expert_name(m, i, b, k)), width_of(m, a) * WIDTH);
}

static void swap_rows(const spec *m, safetensors *s, long i, long a, long b)
{
    float *R = numbers(s, router_name(m, i));
    swap(R + a * WIDTH, R + b * WIDTH, WIDTH);
}

/* The same without some tensors, the experts of each layer in two stacked ones. */
static safetensors stacked(const spec *m, const safetensors *s)
{
    safetensors to = { .tensors = 0 };
    for (long k = 0; k < s->tensors; k++) {
        const safetensor *t = &s->tensor[k];
        if (!strstr(t->name, ".experts.")) safetensors_tensor(&to, t->name, t->rank, t->shape, t->x);
    }
    const long w = m->width, E = m->experts;
    float *both = must_calloc((size_t)(2 * MOST * WIDEST * WIDTH), sizeof *both);
    for (long i = 0; i < L; i++) {
        if (is_dense(m, i)) continue;
        for (int down = 0; down < 2; down++) {
            long n = 0;
            for (long e = 0; e < E; e++)
                for (int k = down ? 2 : 0; k < (down ? 3 : 2); k++, n += w * WIDTH)
                    memcpy(both + n, safetensors_find(s, expert_name(m, i, e, k))->x, (size_t)(w * WIDTH) * sizeof *both);
            const char *name = m->granite ? down ? "block_sparse_moe.output_linear.weight" : "block_sparse_moe.input_linear.weight"
                             : down ? "mlp.experts.down_proj" : "mlp.experts.gate_up_proj";
            safetensors_tensor(&to, in(i, name), 3,
                               down ? (long[]){ E, WIDTH, w } : (long[]){ E, 2 * w, WIDTH }, both);
        }
    }
    free(both);
    return to;
}

/* ---- the same with plain loops ----------------------------------------------------------------------------------- */

typedef struct { const spec *m; const safetensors *s; long layer; } file;

static const float *at_name(const file *f, const char *name, const char *end)
{
    const safetensor *t = safetensors_find(f->s, in(f->layer, temp_format("%s.%s", name, end)));
    return t ? t->x : NULL;
}

static void times(const float *W, const float *b, double *y, const double *x, long out, long from)
{
    for (long o = 0; o < out; o++) {
        y[o] = b ? b[o] : 0;
        for (long i = 0; i < from; i++) y[o] += W[o * from + i] * x[i];
    }
}

static void rms(double *y, const double *x, const float *g, long n)
{
    double square = 0;
    for (long i = 0; i < n; i++) square += x[i] * x[i] / (double)n;
    for (long i = 0; i < n; i++) y[i] = x[i] / sqrt(square + (double)1e-6F) * g[i];
}

static void turn(const spec *m, double *x, long position)
{
    for (long i = 0; i < DK / 2; i++) {
        const double t = (double)position * pow(m->theta > 0 ? m->theta : 10000, -2.0 * (double)i / DK), a = x[i], b = x[i + DK / 2];
        x[i] = a * cos(t) - b * sin(t);
        x[i + DK / 2] = b * cos(t) + a * sin(t);
    }
}

static void attend(const file *f, double Z[N][WIDTH], double A[N][WIDTH])
{
    static double Q[N][HEADS * DK], K[N][KV * DK], W[N][KV * DK];
    const spec *m = f->m;
    for (long t = 0; t < N; t++) {
        times(at_name(f, "self_attn.q_proj", "weight"), at_name(f, "self_attn.q_proj", "bias"), Q[t], Z[t], HEADS * DK, WIDTH);
        times(at_name(f, "self_attn.k_proj", "weight"), at_name(f, "self_attn.k_proj", "bias"), K[t], Z[t], KV * DK, WIDTH);
        times(at_name(f, "self_attn.v_proj", "weight"), at_name(f, "self_attn.v_proj", "bias"), W[t], Z[t], KV * DK, WIDTH);
        if (m->whole) rms(Q[t], Q[t], at_name(f, "self_attn.q_norm", "weight"), HEADS * DK);
        if (m->whole) rms(K[t], K[t], at_name(f, "self_attn.k_norm", "weight"), KV * DK);
        for (long a = 0; a < HEADS; a++) {
            if (m->by_head) rms(Q[t] + a * DK, Q[t] + a * DK, at_name(f, "self_attn.q_norm", "weight"), DK);
            if (m->by_head && a < KV) rms(K[t] + a * DK, K[t] + a * DK, at_name(f, "self_attn.k_norm", "weight"), DK);
            turn(m, Q[t] + a * DK, t);
            if (a < KV) turn(m, K[t] + a * DK, t);
        }
    }
    for (long t = 0; t < N; t++) {
        double out[HEADS * DK] = { 0 };
        for (long a = 0; a < HEADS; a++) {
            double p[N], sum = 0;
            const long g = a / (HEADS / KV) * DK;
            for (long u = 0; u <= t; u++) {
                double score = 0;
                for (long i = 0; i < DK; i++) score += Q[t][a * DK + i] * K[u][g + i];
                p[u] = m->window && t - u >= m->window ? 0 : exp(score * (m->scale > 0 ? m->scale : 1 / sqrt(DK)));
                sum += p[u];
            }
            for (long i = 0; i < DK; i++) for (long u = 0; u <= t; u++) out[a * DK + i] += p[u] / sum * W[u][g + i];
        }
        times(at_name(f, "self_attn.o_proj", "weight"), NULL, A[t], out, WIDTH, HEADS * DK);
    }
}

/* w times the MLP is added to y. */
static void add_expert(const file *f, long e, double w, double *y, const double *x)
{
    double g[WIDEST], up[WIDEST], out[WIDTH];
    const long n = width_of(f->m, e);
    times(safetensors_find(f->s, expert_name(f->m, f->layer, e, 0))->x, NULL, g, x, n, WIDTH);
    times(safetensors_find(f->s, expert_name(f->m, f->layer, e, 1))->x, NULL, up, x, n, WIDTH);
    for (long i = 0; i < n; i++) g[i] = g[i] / (1 + exp(-g[i])) * up[i];
    times(safetensors_find(f->s, expert_name(f->m, f->layer, e, 2))->x, NULL, out, g, WIDTH, n);
    for (long i = 0; i < WIDTH; i++) y[i] += w * out[i];
}

static double or_one(double x) { return x > 0 ? x : 1; }

static void mix(const file *f, double *y, const double *x)
{
    const spec *m = f->m;
    double r[MOST], all = 0, of_chosen = 0, shared;
    bool is[MOST] = { false };
    if (is_dense(m, f->layer)) {
        add_expert(f, -1, 1, y, x);
        return;
    }
    times(safetensors_find(f->s, router_name(m, f->layer))->x, NULL, r, x, m->experts, WIDTH);
    for (long n = 0; n < m->chosen; n++) {
        long best = -1;
        for (long e = 0; e < m->experts; e++) if (!is[e] && (best < 0 || r[e] > r[best])) best = e;
        is[best] = true;
    }
    for (long e = 0; e < m->experts; e++) all += exp(r[e]), of_chosen += is[e] ? exp(r[e]) : 0;
    for (long e = 0; e < m->experts; e++) if (is[e]) add_expert(f, e, exp(r[e]) / (m->sum ? of_chosen : all), y, x);
    if (!m->shared) return;
    times(at_name(f, "mlp.shared_expert_gate", "weight"), NULL, &shared, x, 1, WIDTH);
    add_expert(f, m->experts, 1 / (1 + exp(-shared)), y, x);
}

static void plain_logits(const spec *m, const safetensors *s, double *logits)
{
    static double X[N][WIDTH], Z[N][WIDTH], A[N][WIDTH];
    file f = { m, s, 0 };
    for (long t = 0; t < N; t++)
        for (long i = 0; i < WIDTH; i++) X[t][i] = or_one(m->embed) * (double)safetensors_find(s, "model.embed_tokens.weight")->x[tokens[t] * WIDTH + i];
    for (; f.layer < L; f.layer++) {
        for (long t = 0; t < N; t++) rms(Z[t], X[t], at_name(&f, "input_layernorm", "weight"), WIDTH);
        attend(&f, Z, A);
        for (long t = 0; t < N; t++) {
            double F[WIDTH] = { 0 };
            for (long i = 0; i < WIDTH; i++) X[t][i] += or_one(m->added) * A[t][i];
            rms(Z[t], X[t], at_name(&f, "post_attention_layernorm", "weight"), WIDTH);
            mix(&f, F, Z[t]);
            for (long i = 0; i < WIDTH; i++) X[t][i] += or_one(m->added) * F[i];
        }
    }
    rms(Z[0], X[N - 1], safetensors_find(s, "model.norm.weight")->x, WIDTH);
    times(safetensors_find(s, "lm_head.weight")->x, NULL, logits, Z[0], V, WIDTH);
    for (long c = 0; c < V; c++) logits[c] /= or_one(m->divide);
}

/* ---- the function ------------------------------------------------------------------------------------------------ */

static void compare_with_loops(const spec *m, const safetensors *s, const char *folder)
{
    weights w = weights_open(folder);
    transformer D = transformer_of(&w);
    char *why = forward_refuses(&D);
    ck_assert_msg(!why, "%s: %s", m->name, why);
    ck_assert_msg(D.unknown_keys == 0, "%s: %s", m->name, D.unknown_keys ? D.unknown_key[0] : "");
    const weight_source W = weights_of_file(&D);
    arith R[] = { arith_f64(), arith_mpfr(120), arith_arb(200) };
    double want[V], is[V];
    plain_logits(m, s, want);
    for (size_t r = 0; r < COUNT(R); r++) {
        ck_assert_int_eq(forward_last_logits(&R[r], &W, &(token_list){ N, tokens, NULL, 0 }, is), HOLDS);
        for (long c = 0; c < V; c++)
            ck_assert_msg(fabs(is[c] - want[c]) <= 1e-12, "%s over %s: logit %ld is %.17g, not %.17g", m->name, R[r].name, c, is[c], want[c]);
        arith_close(&R[r]);
    }
    transformer_free(&D);
    weights_close(&w);
}

START_TEST(logits)
{
    const spec *m = &each[_i];
    safetensors s = drawn(m), one = stacked(m, &s);
    if (!m->granite) compare_with_loops(m, &s, stored(m, &s));         /* whose experts are always stacked      */
    compare_with_loops(m, &s, stored(m, &one));
    safetensors_free(&s);
    safetensors_free(&one);
}
END_TEST

/* Two rows of a router are equal: which of the two experts a token meets is not certain in balls. */
START_TEST(open_choice)
{
    const spec *m = called("mixtral one");
    safetensors s = drawn(m);
    float *R = numbers(&s, router_name(m, 1));
    for (long e = 0; e < 2; e++) for (long i = 0; i < WIDTH; i++) R[e * WIDTH + i] = i == 0 ? 0 : R[i];
    for (long i = 0; i < WIDTH; i++) R[2 * WIDTH + i] = 0;
    weights w = weights_open(stored(m, &s));
    transformer D = transformer_of(&w);
    const weight_source W = weights_of_file(&D);
    arith f64 = arith_f64(), arb = arith_arb(200);
    double is[V];
    ck_assert_int_eq(forward_last_logits(&f64, &W, &(token_list){ N, tokens, NULL, 0 }, is), HOLDS);
    ck_assert_int_eq(forward_last_logits(&arb, &W, &(token_list){ N, tokens, NULL, 0 }, is), UNDECIDED);
    for (long i = 0; i < WIDTH; i++) R[WIDTH + i] = -R[i];             /* of opposite entries one is the larger  */
    transformer_free(&D);
    weights_close(&w);
    w = weights_open(stored(m, &s));
    D = transformer_of(&w);
    const weight_source certain = weights_of_file(&D);
    ck_assert_int_eq(forward_last_logits(&arb, &certain, &(token_list){ N, tokens, NULL, 0 }, is), HOLDS);
    arith_close(&f64);
    arith_close(&arb);
    transformer_free(&D);
    weights_close(&w);
    safetensors_free(&s);
}
END_TEST

START_TEST(names)
{
    static const struct { const char *type, *name; tensor_role role; long layer, expert; } of[] = {
        { "mixtral", "model.layers.2.block_sparse_moe.experts.13.w2.weight", ROLE_DOWN, 2, 13 },
        { "mixtral", "layers.0.block_sparse_moe.gate.weight", ROLE_ROUTER, 0, -1 },
        { "mixtral", "model.layers.0.mlp.up_proj.weight", ROLE_UNKNOWN, -1, -1 },
        { "mixtral", "model.layers.0.block_sparse_moe.experts.01.w2.weight", ROLE_UNKNOWN, -1, -1 },
        { "qwen2_moe", "model.layers.1.mlp.shared_expert.up_proj.weight", ROLE_UP, 1, SHARED_EXPERT },
        { "qwen2_moe", "model.layers.1.mlp.up_proj.weight", ROLE_UP, 1, -1 },
        { "qwen2_moe", "model.layers.1.mlp.shared_expert_gate.weight", ROLE_SHARED_GATE, 1, -1 },
        { "qwen3_moe", "model.layers.4.mlp.experts.gate_up_proj", ROLE_EXPERTS_GATE_UP, 4, -1 },
        { "olmoe", "model.layers.4.mlp.experts.7.gate_proj.weight", ROLE_GATE, 4, 7 } };
    for (size_t k = 0; k < COUNT(of); k++) {
        long layer, expert;
        const tensor_role role = role_of_name(architecture_called(of[k].type), of[k].name, &layer, &expert);
        ck_assert_msg(role == of[k].role && layer == of[k].layer && expert == of[k].expert, "%s: %d, %ld, %ld", of[k].name, (int)role, layer, expert);
    }
}
END_TEST

/* ---- two of them ------------------------------------------------------------------------------------------------- */

static char output[1 << 16];

static void expect(const char *a, const char *b, int status, const char *says)
{
    const int is = run_command(output, sizeof output, "%s/provably verify --width=300 %s %s", build_folder(), a, b);
    ck_assert_msg(is == status && strstr(output, says), "status %d instead of %d, or it lacks `%s`: %s", is, status, says, output);
}

typedef void edit(const spec *m, safetensors *s);
static void nothing(const spec *m, safetensors *s) { (void)m, (void)s; }
static void experts_exchanged(const spec *m, safetensors *s) { swap_experts(m, s, 2, 0, 2), swap_rows(m, s, 2, 0, 2); }
static void without_router(const spec *m, safetensors *s) { swap_experts(m, s, 2, 0, 2); }
static void rows_alone(const spec *m, safetensors *s) { swap_rows(m, s, 2, 0, 2); }
static void row_times(const spec *m, safetensors *s)
{
    for (long i = 0; i < WIDTH; i++) numbers(s, router_name(m, 2))[WIDTH + i] *= 1.05F;
}
/* Four roundings: a gap of the logits that rounding explains, and a row that no symmetry changes alone. */
static void row_nearly(const spec *m, safetensors *s)
{
    for (long i = 0; i < WIDTH; i++) numbers(s, router_name(m, 2))[WIDTH + i] *= 1 + 0x1p-22F;
}
/* Expert 1 becomes a copy of expert 0, its row as well. */
static void expert_repeated(const spec *m, safetensors *s)
{
    float *R = numbers(s, router_name(m, 2));
    memcpy(R + WIDTH, R, WIDTH * sizeof *R);
    for (int k = 0; k < 3; k++)
        memcpy(numbers(s, expert_name(m, 2, 1, k)), numbers(s, expert_name(m, 2, 0, k)), (size_t)(m->width * WIDTH) * sizeof *R);
}
static void entry_of_expert(const spec *m, safetensors *s) { numbers(s, expert_name(m, 2, 1, 2))[5] += 0.5F; }
static void gate_for_up(const spec *m, safetensors *s)
{
    swap(numbers(s, expert_name(m, 2, 1, 0)), numbers(s, expert_name(m, 2, 1, 1)), m->width * WIDTH);
}
static void neurons_exchanged(const spec *m, safetensors *s)
{
    float *down = numbers(s, expert_name(m, 2, 1, 2));
    for (int k = 0; k < 2; k++) {
        float *x = numbers(s, expert_name(m, 2, 1, k));
        swap(x + 2 * WIDTH, x + 5 * WIDTH, WIDTH);
    }
    for (long r = 0; r < WIDTH; r++) swap(down + r * m->width + 2, down + r * m->width + 5, 1);
}
static void neuron_times(const spec *m, safetensors *s, float by)
{
    for (long i = 0; i < WIDTH; i++) numbers(s, expert_name(m, 2, 1, 1))[3 * WIDTH + i] *= by;
    for (long r = 0; r < WIDTH; r++) numbers(s, expert_name(m, 2, 1, 2))[r * m->width + 3] /= by;
}
static void neuron_times_four(const spec *m, safetensors *s) { neuron_times(m, s, 4); }
static void neuron_times_three(const spec *m, safetensors *s) { neuron_times(m, s, 3); }
static void all_at_once(const spec *m, safetensors *s) { neuron_times_four(m, s), experts_exchanged(m, s); }
static void exchanged_and_entry(const spec *m, safetensors *s) { experts_exchanged(m, s), entry_of_expert(m, s); }
static void router_centred(const spec *m, safetensors *s)
{
    float *R = numbers(s, router_name(m, 2));
    for (long i = 0; i < WIDTH; i++) {
        double mean = 0;
        for (long e = 0; e < m->experts; e++) mean += (double)R[e * WIDTH + i] / (double)m->experts;
        for (long e = 0; e < m->experts; e++) R[e * WIDTH + i] = (float)(R[e * WIDTH + i] - mean);
    }
}
static void gain_folded(const spec *m, safetensors *s)
{
    float *g = numbers(s, in(2, "post_attention_layernorm.weight")), *R = numbers(s, router_name(m, 2));
    for (long e = 0; e < m->experts; e++)
        for (long i = 0; i < WIDTH; i++) {
            R[e * WIDTH + i] *= g[i];
            for (int k = 0; k < 2; k++) for (long j = 0; j < m->width; j++) numbers(s, expert_name(m, 2, e, k))[j * WIDTH + i] *= g[i];
        }
    for (long i = 0; i < WIDTH; i++) g[i] = 1;
}
static void gain_not_in_router(const spec *m, safetensors *s)
{
    float kept[MOST * WIDTH];
    memcpy(kept, numbers(s, router_name(m, 2)), (size_t)(m->experts * WIDTH) * sizeof *kept);
    gain_folded(m, s);
    memcpy(numbers(s, router_name(m, 2)), kept, (size_t)(m->experts * WIDTH) * sizeof *kept);
}

/* Rows of n x WIDTH times the gain and the reflection I - 2 vv'/v'v; columns: the columns of WIDTH x n. */
static void reflect(float *W, long n, const float *gain, bool columns)
{
    for (long r = 0; r < n; r++) {
        double x[WIDTH], dot = 0, square = 0;
        for (long i = 0; i < WIDTH; i++) {
            const double v = 1 + (double)i / 5;
            x[i] = (double)W[columns ? i * n + r : r * WIDTH + i] * (gain ? (double)gain[i] : 1);
            dot += x[i] * v;
            square += v * v;
        }
        for (long i = 0; i < WIDTH; i++)
            W[columns ? i * n + r : r * WIDTH + i] = (float)(x[i] - 2 * dot / square * (1 + (double)i / 5));
    }
}

static void ones(float *x) { for (long i = 0; i < WIDTH; i++) x[i] = 1; }

/* Of readers: the gain in front of them; NULL: it writes. */
static void reflect_tensor(safetensors *s, const char *name, const float *gain)
{
    const safetensor *t = safetensors_find(s, name);
    const bool writes = strstr(name, "o_proj") || strstr(name, "down_proj") || strstr(name, "w2");
    reflect(numbers(s, name), t->shape[writes ? 1 : 0], gain, writes);
}

/* The stream in another basis, with the gains of the norms in what reads behind them. */
static void rotated(const spec *m, safetensors *s)
{
    static const char *const behind[] = { "self_attn.q_proj.weight", "self_attn.k_proj.weight", "self_attn.v_proj.weight" };
    reflect_tensor(s, "model.embed_tokens.weight", NULL);
    for (long i = 0; i < L; i++) {
        float *g = numbers(s, in(i, "input_layernorm.weight")), *h = numbers(s, in(i, "post_attention_layernorm.weight"));
        for (int k = 0; k < 3; k++) reflect_tensor(s, in(i, behind[k]), g);
        reflect_tensor(s, in(i, "self_attn.o_proj.weight"), NULL);
        reflect_tensor(s, router_name(m, i), h);
        for (long e = 0; e < m->experts; e++) for (int k = 0; k < 3; k++) reflect_tensor(s, expert_name(m, i, e, k), k < 2 ? h : NULL);
        ones(g);
        ones(h);
    }
    reflect_tensor(s, "lm_head.weight", numbers(s, "model.norm.weight"));
    ones(numbers(s, "model.norm.weight"));
}
static void rotated_but_router(const spec *m, safetensors *s) { rotated(m, s), reflect_tensor(s, router_name(m, 2), NULL); }
static void rotated_and_entry(const spec *m, safetensors *s) { rotated(m, s), entry_of_expert(m, s); }
static void rotated_but_expert(const spec *m, safetensors *s) { rotated(m, s), reflect_tensor(s, expert_name(m, 2, 3, 2), NULL); }

START_TEST(pairs)
{
    enum { FINE = 16 };                                                /* from there on                         */
    static const struct { edit *change; int status; const char *says; } of[] = {
        { nothing, 0, "the same function for all inputs" }, { experts_exchanged, 0, "with A's experts in the order of B's: all parts hold the same" },
        { without_router, 1, "layer 2, expert 0, gate" }, { rows_alone, 1, "layer 2, router" }, { row_times, 1, "layer 2, router" },
        { expert_repeated, 1, "different: " },
        { entry_of_expert, 1, "layer 2, expert 1, down" }, { gate_for_up, 1, "layer 2, expert 1, up" },
        { neurons_exchanged, 0, "an image of A under symmetries, number by number" }, { neuron_times_four, 0, "scalings by powers of two, number by number" },
        { neuron_times_three, 0, "the same up to rounding, for all inputs" }, { all_at_once, 0, "with A's experts in the order of B's: B is an image" },
        { exchanged_and_entry, 1, "different: " }, { router_centred, 0, "routers move all entries of a token together" },
        { gain_folded, 0, "the same up to rounding, for all inputs" }, { gain_not_in_router, 1, "different: " },
        { row_nearly, 1, "no symmetry changes" }, { rotated, 0, "in another basis of the residual stream" }, { rotated_but_router, 1, "layer 2, router, " },
        { rotated_but_expert, 1, "different: " } };
    const spec *m = called(_i % 2 ? "qwen3_moe" : "mixtral");
    char *(*const save)(const spec *m, const safetensors *s) = _i < 2 ? stored : stored_brain;
    for (size_t k = 0; k < COUNT(of); k++) {
        if (_i >= 2 && k >= FINE) continue;                            /* what that type, at this width, does not tell */
        safetensors s = drawn(m);
        if (_i >= 2) round_all(&s);
        char *A = save(m, &s);
        of[k].change(m, &s);
        expect(A, save(m, &s), of[k].status, of[k].says);
        safetensors one = stacked(m, &s);
        expect(A, save(m, &one), of[k].status, of[k].says);
        safetensors_free(&s);
        safetensors_free(&one);
    }
}
END_TEST

/* What the library says of two files, without the command: s the same, i an image, y scalings, o the same with the experts in the order of
 * B's, d a setting differs, a a part that nothing explains, n none of these. */
static char said_of(const transformer *A, const transformer *B)
{
    structure t = structure_of(A, B, NULL);
    if (structure_same(&t)) {
        structure_free(&t);
        return 's';
    }
    gauge_found g = gauge_between(A, B, &t, 256);
    const symmetry_found y = symmetry_between(A, B, &t);
    contracted c;
    char is = g.found ? 'i' : y.found ? 'y' : t.settings ? 'd' : structure_alone(&t) ? 'a' : 'n';
    if (is == 'n' && expert_order(A, B, &c)) {
        structure again = structure_of(&c.D, B, NULL);
        if (structure_same(&again)) is = 'o';
        structure_free(&again);
        contracted_free(&c);
    }
    gauge_found_free(&g);
    structure_free(&t);
    return is;
}

static char said_of_files(const char *a, const char *b)
{
    weights w[2] = { weights_open(a), weights_open(b) };
    transformer A = transformer_of(&w[0]), B = transformer_of(&w[1]);
    const char is = said_of(&A, &B);
    transformer_free(&A), transformer_free(&B);
    weights_close(&w[0]), weights_close(&w[1]);
    return is;
}

static void shared_entry(const spec *m, safetensors *s) { numbers(s, expert_name(m, 2, m->experts, 2))[3] += 0.5F; }
static void shared_weight(const spec *m, safetensors *s) { (void)m, numbers(s, in(2, "mlp.shared_expert_gate.weight"))[3] += 0.5F; }
/* Neuron 2 of the shared expert times 4, its weight times 2: the one is no change, the other is. */
static void shared_both(const spec *m, safetensors *s)
{
    for (long i = 0; i < WIDTH; i++) numbers(s, expert_name(m, 2, m->experts, 1))[2 * WIDTH + i] *= 4;
    for (long r = 0; r < WIDTH; r++) numbers(s, expert_name(m, 2, m->experts, 2))[r * m->shared + 2] /= 4;
    for (long i = 0; i < WIDTH; i++) numbers(s, in(2, "mlp.shared_expert_gate.weight"))[i] *= 2;
}

START_TEST(said)
{
    static const struct { const char *model; edit *change; char is; } of[] = {
        { "mixtral", nothing, 's' }, { "mixtral", experts_exchanged, 'o' }, { "mixtral", without_router, 'n' }, { "mixtral", rows_alone, 'a' },
        { "mixtral", row_nearly, 'a' }, { "mixtral", expert_repeated, 'n' }, { "mixtral", entry_of_expert, 'a' }, { "mixtral", gate_for_up, 'n' },
        { "mixtral", neurons_exchanged, 'i' }, { "mixtral", neuron_times_four, 'y' }, { "mixtral", router_centred, 'y' }, { "mixtral", gain_folded, 'i' },
        { "mixtral", gain_not_in_router, 'a' }, { "mixtral", rotated, 'i' }, { "mixtral", rotated_but_router, 'n' }, { "mixtral", rotated_but_expert, 'n' }, { "mixtral", rotated_and_entry, 'n' },
        { "qwen2_moe some", shared_entry, 'a' }, { "qwen2_moe some", shared_weight, 'a' }, { "qwen2_moe some", shared_both, 'a' } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        char *A = stored(m, &s);
        of[k].change(m, &s);
        const char is = said_of_files(A, stored(m, &s));
        ck_assert_msg(is == of[k].is, "%zu: %c, not %c", k, is, of[k].is);
        safetensors_free(&s);
    }
}
END_TEST

/* A setting alone; what no theorem rotates; what `reduce` says that it wrote, and another entry of an expert. */
START_TEST(said_of_others)
{
    const spec *m = called("qwen3_moe");
    safetensors s = drawn(m);
    char *A = stored(m, &s);
    ck_assert_int_eq(said_of_files(A, saved(&s, config_with(m, QWEN3 ",\"num_experts_per_tok\":2"))), 'd');
    ck_assert_int_eq(said_of_files(A, saved(&s, config_with(m, QWEN3 ",\"num_experts_per_tok\":3,\"norm_topk_prob\":true"))), 'd');
    char *config = config_with(m, m->config), *at = strstr(config, "\"intermediate_size\":12");
    neuron_times_four(m, &s);
    ck_assert_int_eq(said_of_files(A, saved(&s, temp_format("%.*s\"intermediate_size\":7%s", (int)(at - config), config, at + 22))), 'y');
    safetensors_free(&s);
    static const char *const none[] = { "olmoe all", "\"num_experts\":3,\"num_experts_per_tok\":3,\"norm_topk_prob\":true", "qwen3_moe none",
                                        QWEN3 ",\"num_experts_per_tok\":1,\"mlp_only_layers\":[0,1,2],\"norm_topk_prob\":true" };
    for (int k = 0; k < 4; k += 2) {
        m = called(none[k]);
        s = drawn(m);
        ck_assert_int_eq(said_of_files(stored(m, &s), saved(&s, config_with(m, none[k + 1]))), 's');
        safetensors_free(&s);
    }

    m = called("mixtral");
    s = drawn(m);
    A = stored(m, &s);
    char *to = temp_path(temp_folder(), "less");
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably reduce %s --out=%s", build_folder(), A, to), 0);
    safetensors less = safetensors_read(temp_path(to, "model.safetensors"));
    numbers(&less, expert_name(m, 2, 1, 2))[5] += 0.5F;
    const char *folder[2] = { to, saved(&less, temp_read(to, "config.json", NULL)) };
    for (int k = 0; k < 2; k++) {
        weights w[2] = { weights_open(A), weights_open(folder[k]) };
        transformer D = transformer_of(&w[0]), B = transformer_of(&w[1]);
        replayed r = replay_between(&w[0], &D, &w[1], &B);
        ck_assert_msg(r.found == (k == 0), "%d: %s", k, r.why ? r.why : "");
        reduction_list list = reductions_of(&D, NULL);
        bool rotates = false;
        for (long i = 0; i < list.n; i++) rotates = rotates || strstr(list.at[i].why, "experts and their routers read the stream");
        ck_assert(rotates);
        reductions_free(&list);
        replay_free(&r);
        transformer_free(&D), transformer_free(&B);
        weights_close(&w[0]), weights_close(&w[1]);
    }
    safetensors_free(&less);
    safetensors_free(&s);
}
END_TEST

/* The expert that all tokens meet, and its weight. */
START_TEST(shared_expert)
{
    const spec *m = called("qwen2_moe some");
    for (int k = 0; k < 2; k++) {
        safetensors s = drawn(m);
        char *A = stored(m, &s);
        numbers(&s, k ? in(2, "mlp.shared_expert_gate.weight") : expert_name(m, 2, m->experts, 2))[3] += 0.5F;
        expect(A, stored(m, &s), 1, k ? "weight of the shared expert" : "layer 2, shared expert, down");
        safetensors_free(&s);
    }
}
END_TEST

/* The width of MLPs that no layer has does not keep symmetries from being found. */
START_TEST(width_of_no_layer)
{
    const spec *m = called("qwen3_moe");
    safetensors s = drawn(m);
    char *A = stored(m, &s), *config = config_with(m, m->config), *at = strstr(config, "\"intermediate_size\":12");
    neuron_times_four(m, &s);
    expect(A, saved(&s, temp_format("%.*s\"intermediate_size\":7%s", (int)(at - config), config, at + strlen("\"intermediate_size\":12"))), 0,
           "scalings by powers of two, number by number");
    safetensors_free(&s);
}
END_TEST

/* What changes the function, and what does not. */
START_TEST(settings_that_count)
{
    static const struct { const char *model, *config; int status; const char *says; } of[] = {
        { "mixtral", "\"num_local_experts\":4,\"num_experts_per_tok\":1", 1, "a token meets 2 experts in A and 1 in B" },
        { "mixtral", "\"num_experts\":4,\"num_experts_per_tok\":2", 0, "the same function" }, { "mixtral", "\"num_local_experts\":4", 0, "the same function" },
        { "mixtral", "\"num_local_experts\":4,\"router_aux_loss_coef\":0.5,\"output_router_logits\":true,\"router_jitter_noise\":0.1", 0, "the same function" },
        { "qwen3_moe", QWEN3 ",\"num_experts_per_tok\":3,\"norm_topk_prob\":true", 1, "the weights of the experts that a token meets sum to 1: no in A, yes in B" },
        { "qwen3_moe", QWEN3 ",\"num_experts_per_tok\":3,\"intermediate_size\":7", 0, "the same function" },      /* of no layer */
        { "qwen3_moe", QWEN3 ",\"num_experts_per_tok\":3,\"decoder_sparse_step\":1,\"mlp_only_layers\":null", 0, "the same function" },
        { "qwen3_moe", QWEN3 ",\"num_experts_per_tok\":3,\"use_sliding_window\":true,\"sliding_window\":2", 1, "a token sees 0 positions in A and 2 in B" },
        { "qwen3_moe none", QWEN3 ",\"num_experts_per_tok\":1,\"mlp_only_layers\":[0,1,2],\"norm_topk_prob\":true", 0, "the same function" },
        { "olmoe all", "\"num_experts\":3,\"num_experts_per_tok\":3,\"norm_topk_prob\":true", 0, "the same function" },      /* those chosen are all */
        { "olmoe", "\"num_experts\":4,\"num_experts_per_tok\":2,\"clip_qkv\":8", 1, "queries, keys and values are clipped (clip_qkv)" },
        { "qwen2_moe", QWEN2 ",\"use_sliding_window\":true,\"sliding_window\":2", 1, "programs differ on which of its layers have a window" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        const char *less = strstr(of[k].config, "\"intermediate_size\"") ? "\"intermediate_size\":12," : NULL;
        char *config = config_with(m, of[k].config), *at = less ? strstr(config, less) : NULL;
        if (at) config = temp_format("%.*s%s", (int)(at - config), config, at + strlen(less));
        expect(stored(m, &s), saved(&s, config), of[k].status, of[k].says);
        safetensors_free(&s);
    }
}
END_TEST

/* ---- bad files --------------------------------------------------------------------------------------------------- */

static void open_folder(void *folder)
{
    weights w = weights_open(folder);
    transformer D = transformer_of(&w);
    transformer_free(&D);
}

static void refused(char *folder, const char *says)
{
    const int is = run_child(open_folder, folder, output, sizeof output);
    ck_assert_msg(is == 2 && strstr(output, says), "status %d, or it lacks `%s`: %s", is, says, output);
}

static void without(const spec *m, const safetensors *s, const char *name, const char *says)
{
    safetensors to = { .tensors = 0 };
    for (long k = 0; k < s->tensors; k++)
        if (strcmp(s->tensor[k].name, name) != 0) safetensors_tensor(&to, s->tensor[k].name, s->tensor[k].rank, s->tensor[k].shape, s->tensor[k].x);
    char *folder = stored(m, &to);
    refused(folder, says);
    safetensors_free(&to);
}

START_TEST(bad_files)
{
    static const struct { const char *model, *config, *says; } of[] = {
        { "mixtral", "\"num_local_experts\":4,\"num_experts_per_tok\":5", "each token meets 5 experts (num_experts_per_tok) of 4 (num_local_experts)" },
        { "mixtral", "\"num_local_experts\":0", "num_local_experts is 0, not a whole number from 1 to 1024" },
        { "mixtral", "\"num_local_experts\":4,\"num_experts_per_tok\":0", "num_experts_per_tok is 0, not a whole number" },
        { "mixtral", "\"num_local_experts\":4,\"num_experts\":3", "num_experts and num_local_experts are not the same" },
        { "mixtral", "\"num_local_experts\":5", "layer 0, expert 4: up is missing" },
        { "mixtral", "\"num_local_experts\":3", "is of an expert that" },
        { "qwen2_moe", QWEN2 ",\"mlp_only_layers\":[1]", "is of an expert that" },
        { "qwen2_moe", QWEN2 ",\"mlp_only_layers\":3", "mlp_only_layers is not a list of layers" },
        { "qwen2_moe", QWEN2 ",\"mlp_only_layers\":[\"1\"]", "mlp_only_layers is not a list of layers" },
        { "qwen2_moe some", QWEN2 ",\"norm_topk_prob\":true,\"qkv_bias\":false", "layer 1, expert 0: up is missing" },
        { "qwen3_moe every", QWEN3 ",\"num_experts_per_tok\":2,\"decoder_sparse_step\":0", "decoder_sparse_step is 0, not a whole number" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        char *folder = saved(&s, config_with(m, of[k].config));
        refused(folder, of[k].says);
        safetensors_free(&s);
    }
    const spec *m = called("qwen2_moe some");
    safetensors s = drawn(m);
    without(m, &s, expert_name(m, 2, 3, 0), "layer 2, expert 3: gate is missing");
    without(m, &s, expert_name(m, 0, m->experts, 1), "layer 0, shared expert: up is missing");
    without(m, &s, router_name(m, 2), "layer 2: router is missing");
    without(m, &s, in(2, "mlp.shared_expert_gate.weight"), "layer 2: weight of the shared expert is missing");
    safetensors more = stacked(m, &s);
    safetensors_tensor(&more, expert_name(m, 2, 1, 0), 2, (long[]){ m->width, WIDTH }, s.tensor[0].x);
    char *folder = stored(m, &more);
    refused(folder, "are both gate; remove one");
    add(&s, expert_name(m, 2, -1, 0), M, WIDTH, 0);
    folder = stored(m, &s);
    refused(folder, "layer 2 has experts, but model.layers.2.mlp.gate_proj.weight");
    safetensors_free(&more);
    safetensors_free(&s);
}
END_TEST

/* An architecture of a user that has no default for how many experts a token meets. */
START_TEST(not_said)
{
    const spec *m = called("mixtral");
    safetensors s = drawn(m);
    char *folder = temp_folder(), *config = config_with(m, m->config), *at = strstr(config, "mixtral");
    temp_text(folder, "mine.json", "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"mixtral\",\"settings\":{\"experts chosen\":\"met\"}}");
    char *A = saved(&s, temp_format("%.*smine%s", (int)(at - config), config, at + strlen("mixtral")));
    const int is = run_command(output, sizeof output, "%s/provably verify --architectures=%s %s %s", build_folder(), folder, A, A);
    ck_assert_msg(is == 2 && strstr(output, "does not say how many experts a layer has, and how many a token meets"), "%d: %s", is, output);
    safetensors_free(&s);
}
END_TEST

/* ---- other commands ---------------------------------------------------------------------------------------------- */

START_TEST(inspected_and_reduced)
{
    const spec *m = called("qwen2_moe some");
    safetensors s = drawn(m);
    char *A = stored(m, &s), *to = temp_path(temp_folder(), "less");
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably inspect --width=300 %s", build_folder(), A), 0);
    ck_assert_msg(strstr(output, "5 MLPs of 8 neurons in 2 of 3 layers, of which a token meets the 2 with the largest entries of the router; "
                                 "they are added up with the softmax of those entries as weights")
                  && strstr(output, "an MLP of 10 neurons that all tokens meet") && strstr(output, "experts and their routers read the stream"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably inspect --json %s", build_folder(), A), 0);
    ck_assert_msg(strstr(output, "\"experts_chosen\": 2") && strstr(output, "\"expert\": 5"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably reduce %s --out=%s", build_folder(), A, to), 0);
    expect(A, to, 0, "the same up to rounding, for all inputs");
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably reduce --type=F64 %s --out=%s.1", build_folder(), A, to), 0);
    expect(A, temp_format("%s.1", to), 0, "the same up to rounding, for all inputs");
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably reduce --apply=triangle %s --out=%s.2", build_folder(), A, to), 2);
    ck_assert_msg(strstr(output, "experts and their routers read the stream"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably reduce --format=gguf %s --out=%s.3", build_folder(), A, to), 2);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably verify --gradients %s %s", build_folder(), A, A), 2);
    ck_assert_msg(strstr(output, "layers with experts are not differentiated here"), "%s", output);
    safetensors_free(&s);
}
END_TEST

/* What `reduce` says that it wrote is compared expert by expert, too. */
START_TEST(reduced_and_changed)
{
    const spec *m = called("mixtral");
    safetensors s = drawn(m);
    char *A = stored(m, &s), *to = temp_path(temp_folder(), "less");
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably reduce %s --out=%s", build_folder(), A, to), 0);
    safetensors less = safetensors_read(temp_path(to, "model.safetensors"));
    numbers(&less, expert_name(m, 2, 1, 2))[5] += 0.5F;
    safetensors_write(&less, temp_path(to, "model.safetensors"));
    expect(A, to, 1, "different: ");
    safetensors_free(&less);
    safetensors_free(&s);
}
END_TEST

/* In balls, on tokens: the gap of neurons that are scaled by 3. */
START_TEST(certified)
{
    const spec *m = called("mixtral");
    safetensors s = drawn(m);
    char *A = stored(m, &s);
    neuron_times_three(m, &s);
    char *B = stored(m, &s);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably verify --certified --tolerance=1e-3 --tokens=3,7,3 %s %s", build_folder(), A, B), 0);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably verify --certified --tolerance=1e-30 --tokens=3,7,3 %s %s", build_folder(), A, B), 1);
    for (long i = 0; i < m->experts * WIDTH; i++) numbers(&s, router_name(m, 2))[i] = 0;
    char *C = stored(m, &s);
    numbers(&s, "lm_head.weight")[1] += 0x1p-10F;
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably verify --certified --tolerance=1 --tokens=3,7,3 %s %s", build_folder(), C,
                                 stored(m, &s)), 3);
    ck_assert_msg(strstr(output, "which experts a token meets is not certain within the balls"), "%s", output);
    safetensors_free(&s);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("experts");
    TCase *all = tcase_create("experts");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, logits, 0, COUNT(each));
    tcase_add_test(all, open_choice);
    tcase_add_test(all, names);
    tcase_add_loop_test(all, pairs, 0, 4);                             /* of float32, of bfloat16               */
    tcase_add_test(all, said);
    tcase_add_test(all, said_of_others);
    tcase_add_test(all, shared_expert);
    tcase_add_test(all, width_of_no_layer);
    tcase_add_test(all, settings_that_count);
    tcase_add_test(all, bad_files);
    tcase_add_test(all, not_said);
    tcase_add_test(all, inspected_and_reduced);
    tcase_add_test(all, reduced_and_changed);
    tcase_add_test(all, certified);
    return run_suite(suite, argc, argv);
}
