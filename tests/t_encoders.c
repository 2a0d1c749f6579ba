/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_encoders.c - BERT and its relatives, whose tokens see those behind them and whose norms stand in the stream: the
 * function of src/checkpoint/forward.h against one written out with plain loops, in doubles, MPFR and balls; what verify
 * finds to be the same, what it must not, and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/reductions.h"
#include "src/checkpoint/rewrite.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { POSITIONS = 80, L = 2, WIDTH = 8, HEADS = 4, DK = 2, M = 12, V = 10, N = 6, MOST = 10, BUCKETS = 32, LONG = 70 };
static const long tokens[N] = { 3, 7, 0, 5, 5, 9 }, with_pads[N] = { 3, 1, 0, 5, 1, 9 };
static const long near[N] = { 0, 1, 2, 3, 4, 5 }, far[N] = { 0, 1, 5, 9, 13, 20 };

typedef enum { TOKENS, NOTHING, ONE } ending;            /* what the head predicts                              */
typedef enum { BY_ERF, RELU } function;
typedef struct { const char *from, *to; } renamed;
typedef struct {
    const char *name, *type, *class, *config;            /* config: what is not in all                          */
    const renamed *names;
    ending end;
    function act, of_head;
    long types, pad;                                     /* pad -1: all tokens have positions                   */
    double eps;
    bool untied, buckets;                                /* buckets: biases of scores by distance               */
} spec;

static const renamed bert[] = { { "embeddings.", "bert.embeddings." }, { "encoder.layer.", "bert.encoder.layer." }, { NULL, NULL } };
static const renamed none[] = { { NULL, NULL } };
static const renamed electra[] = { { "embeddings.", "electra.embeddings." }, { "encoder.layer.", "electra.encoder.layer." },
    { "cls.predictions.transform.dense", "discriminator_predictions.dense" }, { "cls.predictions.decoder", "discriminator_predictions.dense_prediction" },
    { "cls.predictions.bias", "discriminator_predictions.dense_prediction.bias" }, { NULL, NULL } };
static const renamed roberta[] = { { "embeddings.", "roberta.embeddings." }, { "encoder.layer.", "roberta.encoder.layer." },
    { "cls.predictions.transform.dense", "lm_head.dense" }, { "cls.predictions.transform.LayerNorm", "lm_head.layer_norm" },
    { "cls.predictions.", "lm_head." }, { NULL, NULL } };
static const renamed mpnet[] = { { "embeddings.", "mpnet.embeddings." }, { "attention.output.LayerNorm", "attention.LayerNorm" },
    { "attention.self.query", "attention.attn.q" }, { "attention.self.key", "attention.attn.k" }, { "attention.self.value", "attention.attn.v" },
    { "attention.output.dense", "attention.attn.o" }, { "encoder.layer.", "mpnet.encoder.layer." }, { "encoder.relative", "mpnet.encoder.relative" },
    { "cls.predictions.transform.dense", "lm_head.dense" }, { "cls.predictions.transform.LayerNorm", "lm_head.layer_norm" },
    { "cls.predictions.", "lm_head." }, { NULL, NULL } };
static const renamed distil[] = { { "embeddings.", "distilbert.embeddings." }, { "attention.output.LayerNorm", "sa_layer_norm" },
    { ".output.LayerNorm", ".output_layer_norm" }, { "attention.self.query", "attention.q_lin" }, { "attention.self.key", "attention.k_lin" },
    { "attention.self.value", "attention.v_lin" }, { "attention.output.dense", "attention.out_lin" }, { "intermediate.dense", "ffn.lin1" },
    { ".output.dense", ".ffn.lin2" }, { "encoder.layer.", "distilbert.transformer.layer." }, { "cls.predictions.transform.dense", "vocab_transform" },
    { "cls.predictions.transform.LayerNorm", "vocab_layer_norm" }, { "cls.predictions.bias", "vocab_projector.bias" },
    { "cls.predictions.decoder", "vocab_projector" }, { NULL, NULL } };
#define SIZES "\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":4,\"intermediate_size\":12,\"max_position_embeddings\":80"
#define DISTIL "\"dim\":8,\"n_layers\":2,\"n_heads\":4,\"hidden_dim\":12,\"max_position_embeddings\":80"
static const spec each[] = {
    { "bert", "bert", "BertForMaskedLM", SIZES, bert, TOKENS, BY_ERF, BY_ERF, 2, -1, .eps = 1e-12 },
    { "bert relu", "bert", "BertForMaskedLM", SIZES ",\"hidden_act\":\"relu\",\"layer_norm_eps\":1e-3,\"type_vocab_size\":3", bert, TOKENS, RELU,
      RELU, 3, -1, .eps = 1e-3 },
    { "bert stream", "bert", "BertModel", SIZES, none, NOTHING, BY_ERF, BY_ERF, 2, -1, .eps = 1e-12 },
    { "roberta", "roberta", "RobertaForMaskedLM", SIZES ",\"layer_norm_eps\":1e-5,\"type_vocab_size\":1", roberta, TOKENS, BY_ERF, BY_ERF, 1, 1, .eps = 1e-5 },
    { "roberta relu", "roberta", "RobertaForMaskedLM", SIZES ",\"hidden_act\":\"relu\",\"pad_token_id\":0", roberta, TOKENS, RELU, BY_ERF, 2, 0, .eps = 1e-12 },
    { "xlm-roberta stream", "xlm-roberta", "XLMRobertaModel", SIZES ",\"pad_token_id\":1", roberta, NOTHING, BY_ERF, BY_ERF, 2, 1, .eps = 1e-12 },
    { "camembert", "camembert", "CamembertForMaskedLM", SIZES, roberta, TOKENS, BY_ERF, BY_ERF, 2, 1, .eps = 1e-12 },
    { "distilbert", "distilbert", "DistilBertForMaskedLM", DISTIL, distil, TOKENS, BY_ERF, BY_ERF, 0, -1, .eps = 1e-12 },
    { "distilbert untied", "distilbert", "DistilBertForMaskedLM", DISTIL ",\"activation\":\"relu\",\"tie_word_embeddings\":false", distil, TOKENS, RELU,
      RELU, 0, -1, .eps = 1e-12, .untied = true },
    { "mpnet", "mpnet", "MPNetForMaskedLM", SIZES ",\"hidden_act\":\"relu\",\"relative_attention_num_buckets\":32", mpnet, TOKENS, RELU, BY_ERF, 0, 1,
      .eps = 1e-12, .buckets = true },
    { "mpnet stream", "mpnet", "MPNetModel", SIZES, mpnet, NOTHING, BY_ERF, BY_ERF, 0, 1, .eps = 1e-12, .buckets = true },
    { "electra", "electra", "ElectraForPreTraining", SIZES ",\"embedding_size\":8", electra, ONE, BY_ERF, BY_ERF, 2, -1, .eps = 1e-12, .untied = true },
    { "electra stream", "electra", "ElectraModel", SIZES ",\"embedding_size\":8", electra, NOTHING, BY_ERF, BY_ERF, 2, -1, .eps = 1e-12 },
};

static const spec *called(const char *name)
{
    for (size_t k = 0; k < COUNT(each); k++) if (strcmp(each[k].name, name) == 0) return &each[k];
    die("no model %s", name);
}

static long outputs_of(const spec *m) { return m->end == NOTHING ? WIDTH : m->end == ONE ? 1 : V; }

/* ---- models ------------------------------------------------------------------------------------------------------ */

static uint64_t draw;

static void add(safetensors *s, const char *name, long rows, long cols, double middle)
{
    const uint64_t key[2] = { 5, 7 };
    float *x = must_calloc((size_t)(rows * cols), sizeof *x);
    for (long k = 0; k < rows * cols; k++) x[k] = (float)(middle + 0.4 * (double)random_gauss24(key, draw++) * 0x1p-35);
    const bool vector = cols == 1 || strstr(name, "Norm.");
    safetensors_tensor(s, name, vector ? 1 : 2, (long[]){ vector ? rows * cols : rows, cols }, x);
    free(x);
}

static void add_norm(safetensors *s, const char *name)
{
    add(s, temp_format("%s.weight", name), 1, WIDTH, 1);
    add(s, temp_format("%s.bias", name), 1, WIDTH, 0);
}

static void add_linear(safetensors *s, const char *name, long out, long in)
{
    add(s, temp_format("%s.weight", name), out, in, 0);
    add(s, temp_format("%s.bias", name), out, 1, 0);
}

static safetensors drawn(const spec *m)
{
    safetensors s = { .tensors = 0 };
    draw = 1000 * (uint64_t)(m - each);
    add(&s, "embeddings.word_embeddings.weight", V, WIDTH, 0);
    add(&s, "embeddings.position_embeddings.weight", POSITIONS, WIDTH, 0);
    if (m->types) add(&s, "embeddings.token_type_embeddings.weight", m->types, WIDTH, 0);
    add_norm(&s, "embeddings.LayerNorm");
    if (m->buckets) add(&s, "encoder.relative_attention_bias.weight", BUCKETS, HEADS, 0);
    for (long i = 0; i < L; i++) {
        static const struct { const char *name; long out, in; } linear[] = { { "attention.self.query", WIDTH, WIDTH },
            { "attention.self.key", WIDTH, WIDTH }, { "attention.self.value", WIDTH, WIDTH }, { "attention.output.dense", WIDTH, WIDTH },
            { "intermediate.dense", M, WIDTH }, { "output.dense", WIDTH, M } };
        for (size_t k = 0; k < COUNT(linear); k++)
            add_linear(&s, temp_format("encoder.layer.%ld.%s", i, linear[k].name), linear[k].out, linear[k].in);
        add_norm(&s, temp_format("encoder.layer.%ld.attention.output.LayerNorm", i));
        add_norm(&s, temp_format("encoder.layer.%ld.output.LayerNorm", i));
    }
    if (m->end == NOTHING) return s;
    add_linear(&s, "cls.predictions.transform.dense", WIDTH, WIDTH);
    if (m->end == TOKENS) add_norm(&s, "cls.predictions.transform.LayerNorm");
    if (m->untied) add(&s, "cls.predictions.decoder.weight", outputs_of(m), WIDTH, 0);
    add(&s, "cls.predictions.bias", outputs_of(m), 1, 0);
    return s;
}

static char *name_in_file(const renamed *names, const char *name)
{
    char *to = temp_format("%s", name);
    for (const renamed *r = names; r->from; r++) {
        const char *at = strstr(to, r->from);
        if (at && !strstr(to, r->to)) to = temp_format("%.*s%s%s", (int)(at - to), to, r->to, at + strlen(r->from));
    }
    return to;
}

static char *config_of_spec(const spec *m)
{
    return temp_format("{\"model_type\":\"%s\",\"architectures\":[\"%s\"],\"vocab_size\":10,%s}", m->type, m->class, m->config);
}

static char *stored_as(const renamed *names, const safetensors *s, const char *config)
{
    safetensors to = { .tensors = 0 };
    for (long k = 0; k < s->tensors; k++) {
        const safetensor *t = &s->tensor[k];
        safetensors_tensor(&to, name_in_file(names, t->name), t->rank, t->shape, t->x);
    }
    char *folder = temp_folder();
    temp_text(folder, "config.json", config);
    safetensors_write(&to, temp_path(folder, "model.safetensors"));
    safetensors_free(&to);
    return folder;
}

static char *stored(const spec *m, const safetensors *s) { return stored_as(m->names, s, config_of_spec(m)); }

static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    ck_assert_msg(at, "%s in %s", from, text);
    return temp_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

/* ---- the same with plain loops ----------------------------------------------------------------------------------- */

static const float *number(const safetensors *s, const char *name)
{
    const safetensor *t = safetensors_find(s, name);
    return t ? t->x : NULL;
}

static void linear(const safetensors *s, const char *name, double *y, const double *x, long out, long in)
{
    const float *W = number(s, temp_format("%s.weight", name)), *b = number(s, temp_format("%s.bias", name));
    for (long o = 0; o < out; o++) {
        y[o] = (double)b[o];
        for (long i = 0; i < in; i++) y[o] += (double)W[o * in + i] * x[i];
    }
}

static void normalise(const safetensors *s, const spec *m, const char *name, double *x)
{
    const float *g = number(s, temp_format("%s.weight", name)), *b = number(s, temp_format("%s.bias", name));
    double mean = 0, square = 0;
    for (long i = 0; i < WIDTH; i++) mean += x[i] / WIDTH;
    for (long i = 0; i < WIDTH; i++) square += (x[i] - mean) * (x[i] - mean) / WIDTH;
    for (long i = 0; i < WIDTH; i++) x[i] = (x[i] - mean) / sqrt(square + (double)(float)m->eps) * (double)g[i] + (double)b[i];
}

static double act(function f, double x) { return f == RELU ? (x < 0 ? 0 : x) : 0.5 * x * (1 + erf(x / sqrt(2))); }

/* Of a key at u and a query at t, as T5 has them: of 16 distances the first 8 are exact, the others logarithmic. */
static long bucket(long t, long u)
{
    const double n = fabs((double)(u - t));
    const long k = n < 8 ? (long)n : 8 + (long)floor(8 * log(n / 8) / log(16) + 1e-9);
    return (u > t ? 16 : 0) + (k > 15 ? 15 : k);
}

static void one_layer(const safetensors *s, const spec *m, long layer, double X[LONG][WIDTH], long n)
{
    static double Q[LONG][WIDTH], K[LONG][WIDTH], W[LONG][WIDTH], out[LONG][WIDTH];
    const char *in = temp_format("encoder.layer.%ld", layer);
    for (long t = 0; t < n; t++) {
        linear(s, temp_format("%s.attention.self.query", in), Q[t], X[t], WIDTH, WIDTH);
        linear(s, temp_format("%s.attention.self.key", in), K[t], X[t], WIDTH, WIDTH);
        linear(s, temp_format("%s.attention.self.value", in), W[t], X[t], WIDTH, WIDTH);
    }
    for (long a = 0; a < HEADS; a++)
        for (long t = 0; t < n; t++) {
            double p[LONG], sum = 0;
            for (long u = 0; u < n; u++) {
                double score = 0;
                for (long i = a * DK; i < (a + 1) * DK; i++) score += Q[t][i] * K[u][i];
                const float *B = number(s, "encoder.relative_attention_bias.weight");
                sum += p[u] = exp(score / sqrt(DK) + (m->buckets ? (double)B[bucket(t, u) * HEADS + a] : 0));
            }
            for (long i = a * DK; i < (a + 1) * DK; i++) {
                out[t][i] = 0;
                for (long u = 0; u < n; u++) out[t][i] += p[u] / sum * W[u][i];
            }
        }
    for (long t = 0; t < n; t++) {
        double A[WIDTH], up[M], F[WIDTH];
        linear(s, temp_format("%s.attention.output.dense", in), A, out[t], WIDTH, WIDTH);
        for (long i = 0; i < WIDTH; i++) X[t][i] += A[i];
        normalise(s, m, temp_format("%s.attention.output.LayerNorm", in), X[t]);
        linear(s, temp_format("%s.intermediate.dense", in), up, X[t], M, WIDTH);
        for (long j = 0; j < M; j++) up[j] = act(m->act, up[j]);
        linear(s, temp_format("%s.output.dense", in), F, up, WIDTH, M);
        for (long i = 0; i < WIDTH; i++) X[t][i] += F[i];
        normalise(s, m, temp_format("%s.output.LayerNorm", in), X[t]);
    }
}

/* Which row of its table a token's position has; at NULL: they are counted. */
static long row_of_position(const spec *m, const long *token, const long *at, long t)
{
    long before = 0;
    if (m->pad < 0) return at ? at[t] : t;
    if (at) return m->pad + 1 + at[t];
    if (token[t] == m->pad) return m->pad;
    for (long u = 0; u < t; u++) before += token[u] != m->pad;
    return m->pad + 1 + before;
}

/* Of the last token. */
static void plain_outputs(const spec *m, const safetensors *s, const long *token, const long *at, long n, double *y)
{
    static double X[LONG][WIDTH];
    const float *E = number(s, "embeddings.word_embeddings.weight"), *P = number(s, "embeddings.position_embeddings.weight");
    const float *T = number(s, "embeddings.token_type_embeddings.weight");
    for (long t = 0; t < n; t++) {
        for (long i = 0; i < WIDTH; i++)
            X[t][i] = (double)E[token[t] * WIDTH + i] + (double)P[row_of_position(m, token, at, t) * WIDTH + i] + (T ? (double)T[i] : 0);
        normalise(s, m, "embeddings.LayerNorm", X[t]);
    }
    for (long i = 0; i < L; i++) one_layer(s, m, i, X, n);
    double *x = X[n - 1], h[WIDTH];
    memcpy(h, x, sizeof h);
    if (m->end != NOTHING) linear(s, "cls.predictions.transform.dense", h, x, WIDTH, WIDTH);
    for (long i = 0; i < WIDTH && m->end != NOTHING; i++) h[i] = act(m->of_head, h[i]);
    if (m->end == TOKENS) normalise(s, m, "cls.predictions.transform.LayerNorm", h);
    const float *head = m->untied ? number(s, "cls.predictions.decoder.weight") : E, *b = number(s, "cls.predictions.bias");
    for (long c = 0; c < outputs_of(m); c++) {
        y[c] = m->end == NOTHING ? h[c] : (double)b[c];
        for (long i = 0; i < WIDTH && m->end != NOTHING; i++) y[c] += (double)head[c * WIDTH + i] * h[i];
    }
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

START_TEST(outputs)
{
    const spec *m = &each[_i];
    safetensors s = drawn(m);
    weights w = weights_open(stored(m, &s));
    transformer D = transformer_of(&w);
    char *why = forward_refuses(&D);
    ck_assert_msg(!why, "%s: %s", m->name, why);
    ck_assert_msg(D.unknown_keys == 0 && D.outputs == outputs_of(m) && D.headless == (m->end == NOTHING), "%s: %ld, %ld", m->name, D.unknown_keys,
                  D.outputs);
    const weight_source W = weights_of_file(&D);
    long many[LONG];
    for (long t = 0; t < LONG; t++) many[t] = (7 * t + 3) % V;
    const struct { const long *token, *at; long n; } of[] = { { tokens, NULL, N }, { tokens, near, N }, { tokens, far, N }, { with_pads, NULL, N },
        { with_pads, far, N }, { many, NULL, LONG } };
    arith R[] = { arith_f64(), arith_mpfr(120), arith_arb(200) };
    for (size_t k = 0; k < COUNT(of); k++) {
        double want[MOST], is[MOST];
        plain_outputs(m, &s, of[k].token, of[k].at, of[k].n, want);
        for (size_t r = 0; r < COUNT(R); r++) {
            ck_assert_int_eq(forward_last_logits(&R[r], &W, &(token_list){ of[k].n, of[k].token, of[k].at, 0 }, is), HOLDS);
            for (long c = 0; c < outputs_of(m); c++)
                ck_assert_msg(fabs(is[c] - want[c]) <= 1e-12, "%s, list %zu, over %s: number %ld is %.17g, not %.17g", m->name, k, R[r].name, c, is[c],
                              want[c]);
        }
    }
    for (size_t r = 0; r < COUNT(R); r++) arith_close(&R[r]);
    transformer_free(&D);
    weights_close(&w);
    safetensors_free(&s);
}
END_TEST

static void says(int status, const char *text, const char *command)
{
    static char output[65536];
    const int is = run_command(output, sizeof output, "%s/provably %s 2>&1", build_folder(), command);
    ck_assert_msg(is == status && strstr(output, text), "%s: status %d instead of %d, or it lacks `%s`: %s", command, is, status, text, output);
}

static void expect(const char *a, const char *b, int status, const char *text)
{
    says(status, text, temp_format("verify --width=300 %s %s", a, b));
}

static float *numbers(safetensors *s, const char *name) { return (float *)(uintptr_t)safetensors_find(s, name)->x; }

static void swap(float *x, float *y, long n, long step)
{
    for (long k = 0; k < n; k++) {
        const float z = x[k * step];
        x[k * step] = y[k * step];
        y[k * step] = z;
    }
}

/* Heads 1 and 3 change places: rows of W_Q, W_K, W_V and their biases, columns of W_O. */
static void swap_heads(safetensors *s)
{
    static const char *const in[] = { "query", "key", "value" };
    for (size_t k = 0; k < COUNT(in); k++) {
        float *W = numbers(s, temp_format("encoder.layer.1.attention.self.%s.weight", in[k]));
        float *b = numbers(s, temp_format("encoder.layer.1.attention.self.%s.bias", in[k]));
        swap(W + DK * WIDTH, W + 3 * DK * WIDTH, DK * WIDTH, 1);
        swap(b + DK, b + 3 * DK, DK, 1);
    }
    float *O = numbers(s, "encoder.layer.1.attention.output.dense.weight");
    for (long i = 0; i < DK; i++) swap(O + DK + i, O + 3 * DK + i, WIDTH, WIDTH);
}

static void swap_neurons(safetensors *s)
{
    float *up = numbers(s, "encoder.layer.0.intermediate.dense.weight"), *b = numbers(s, "encoder.layer.0.intermediate.dense.bias");
    swap(up + 2 * WIDTH, up + 7 * WIDTH, WIDTH, 1);
    swap(b + 2, b + 7, 1, 1);
    float *down = numbers(s, "encoder.layer.0.output.dense.weight");
    swap(down + 2, down + 7, WIDTH, M);
}

/* Coordinate 1 of head 0 becomes itself + 2 of coordinate 0 in the keys, and in the queries its dual. */
static void gauge_keys(safetensors *s)
{
    float *K = numbers(s, "encoder.layer.0.attention.self.key.weight"), *k = numbers(s, "encoder.layer.0.attention.self.key.bias");
    float *Q = numbers(s, "encoder.layer.0.attention.self.query.weight"), *q = numbers(s, "encoder.layer.0.attention.self.query.bias");
    for (long i = 0; i < WIDTH; i++) K[WIDTH + i] += 2 * K[i], Q[i] -= 2 * Q[WIDTH + i];
    k[1] += 2 * k[0], q[0] -= 2 * q[1];
}

/* b_V into b_O: rows of softmax sum to 1. */
static void fold_values(safetensors *s)
{
    float *b = numbers(s, "encoder.layer.0.attention.self.value.bias"), *o = numbers(s, "encoder.layer.0.attention.output.dense.bias");
    const float *O = number(s, "encoder.layer.0.attention.output.dense.weight");
    for (long j = 0; j < WIDTH; j++) {
        double sum = (double)o[j];
        for (long i = 0; i < WIDTH; i++) sum += (double)O[j * WIDTH + i] * (double)b[i];
        o[j] = (float)sum;
    }
    for (long i = 0; i < WIDTH; i++) b[i] = 0;
}

static void other_key_bias(safetensors *s)
{
    for (long i = 0; i < WIDTH; i++) numbers(s, "encoder.layer.1.attention.self.key.bias")[i] += (float)(1 + i);
}

static void scale_head_norm(safetensors *s)              /* of a head of its own                                */
{
    for (long i = 0; i < WIDTH; i++) {
        numbers(s, "cls.predictions.transform.LayerNorm.weight")[i] *= 4;
        numbers(s, "cls.predictions.transform.LayerNorm.bias")[i] *= 4;
        for (long c = 0; c < V; c++) numbers(s, "cls.predictions.decoder.weight")[c * WIDTH + i] /= 4;
    }
}

/* x + c of that part, a row's c for each row of rows x WIDTH (of_outputs: for each input, all outputs). */
static void add_constants(safetensors *s, const char *name, bool of_outputs)
{
    const safetensor *t = safetensors_find(s, name);
    float *x = numbers(s, name);
    const long wide = of_outputs ? (long)t->n / WIDTH : WIDTH;
    for (long k = 0; k < (long)t->n; k++) x[k] -= 0.0625F * (float)(1 + (of_outputs ? k % wide : k / wide) % 3);
}

/* LayerNorms behind the sums subtract it. */
static void means_of_sums(safetensors *s)
{
    add_constants(s, "encoder.layer.0.attention.output.dense.weight", true);
    add_constants(s, "encoder.layer.1.output.dense.weight", true);
    add_constants(s, "encoder.layer.1.attention.output.dense.bias", false);
    add_constants(s, "encoder.layer.0.output.dense.bias", false);
}

static void means_of_types(safetensors *s) { add_constants(s, "embeddings.token_type_embeddings.weight", false); }
static void far_types(safetensors *s)                    /* so far that their own digits are lost               */
{
    for (long k = 0; k < 2 * WIDTH; k++) numbers(s, "embeddings.token_type_embeddings.weight")[k] += 64;
}
static void means_of_positions(safetensors *s) { add_constants(s, "embeddings.position_embeddings.weight", false); }
static void means_of_tokens(safetensors *s) { add_constants(s, "embeddings.word_embeddings.weight", false); }

/* Of one head, of neurons, of biases, of means: what a norm in the stream leaves. */
#define MEANS "rows that write to the stream have another mean, which LayerNorm removes"
START_TEST(symmetries)
{
    static const struct { const char *model; void (*change)(safetensors *s); const char *says; } of[] = {
        { "bert", swap_heads, "the same function for all inputs" }, { "bert", swap_neurons, "the same function for all inputs" },
        { "bert", gauge_keys, "the same up to rounding, for all inputs" }, { "bert", fold_values, "biases of values are in b_O" },
        { "bert", other_key_bias, "biases of keys do not matter" }, { "bert stream", swap_heads, "the same function for all inputs" },
        { "bert stream", fold_values, "biases of values are in b_O" }, { "roberta", swap_heads, "the same function for all inputs" },
        { "roberta", other_key_bias, "the same function for all inputs" }, { "electra", gauge_keys, "the same up to rounding, for all inputs" },
        { "mpnet", gauge_keys, "the same up to rounding, for all inputs" }, { "mpnet stream", swap_neurons, "the same function for all inputs" },
        { "bert", means_of_sums, MEANS }, { "bert", means_of_types, MEANS }, { "roberta", means_of_positions, MEANS },
        { "mpnet", means_of_sums, MEANS }, { "electra", means_of_types, MEANS }, { "bert stream", means_of_tokens, MEANS },
        { "distilbert untied", means_of_tokens, MEANS },
        { "mpnet", fold_values, "biases of values are in b_O" }, { "distilbert untied", scale_head_norm, "coordinates of norms and what reads them are scaled" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        char *A = stored(m, &s);
        of[k].change(&s);
        expect(A, stored(m, &s), 0, of[k].says);
        safetensors_free(&s);
    }
}
END_TEST

/* What would be the same function behind a norm in front of its readers. */
static void fold_gain(safetensors *s)
{
    for (long i = 0; i < WIDTH; i++) {
        numbers(s, "encoder.layer.0.attention.output.LayerNorm.weight")[i] *= 2;
        numbers(s, "encoder.layer.0.attention.output.LayerNorm.bias")[i] *= 2;
        for (long j = 0; j < M; j++) numbers(s, "encoder.layer.0.intermediate.dense.weight")[j * WIDTH + i] /= 2;
    }
}

static void scale_tied(safetensors *s)                   /* the head is the embedding                           */
{
    for (long i = 0; i < WIDTH; i++) numbers(s, "cls.predictions.transform.LayerNorm.weight")[i] *= 2;
}

static void other_values(safetensors *s)                 /* b_V without b_O                                     */
{
    numbers(s, "encoder.layer.0.attention.self.value.bias")[3] += 1;
}

/* Behind LayerNorm without a bias a column of W_Q may have any mean. */
static void other_mean(safetensors *s)
{
    for (long i = 0; i < WIDTH; i++) numbers(s, "encoder.layer.1.attention.self.query.weight")[i] += 0.5F;
}

static void zero_row(safetensors *s)                     /* N18 is about norms in front of W_Q                  */
{
    for (long o = 0; o < WIDTH; o++) numbers(s, "encoder.layer.1.attention.self.query.weight")[o * WIDTH + 3] = 0;
}

static void one_logit(safetensors *s)                    /* softmax of one number is 1                          */
{
    numbers(s, "cls.predictions.bias")[0] += 1;
}

static void one_weight(safetensors *s) { numbers(s, "cls.predictions.decoder.weight")[2] += 1; }

static void other_kind(safetensors *s)                   /* of tokens: no sequence here has one                 */
{
    numbers(s, "embeddings.token_type_embeddings.weight")[WIDTH + 2] += 1;
}

static void other_pad(safetensors *s) { numbers(s, "embeddings.position_embeddings.weight")[WIDTH + 2] += 1; }
static void unread_row(safetensors *s) { numbers(s, "embeddings.position_embeddings.weight")[2] += 1; }
static void embedding_gain(safetensors *s) { numbers(s, "embeddings.LayerNorm.weight")[2] += 1; }
static void other_bucket(safetensors *s) { numbers(s, "encoder.relative_attention_bias.weight")[7] += 1; }
static void head_dense(safetensors *s) { numbers(s, "cls.predictions.transform.dense.weight")[2] += 1; }

START_TEST(not_symmetries)
{
    static const struct { const char *model; void (*change)(safetensors *s); int status; const char *says; } of[] = {
        { "bert", means_of_tokens, 1, "different: " }, { "bert", far_types, 3, "undecided: no relation between B and A was found" }, { "bert", fold_gain, 1, "different: " }, { "bert", scale_tied, 1, "different: " }, { "bert", other_values, 1, "different: " },
        { "bert stream", other_mean, 1, "last stream: gap" }, { "electra", one_logit, 1, "different: parts differ by more than rounding: discriminator_predictions.dense_prediction.bias" },
        { "electra", one_weight, 1, "different: parts differ by more than rounding: discriminator_predictions.dense_prediction.weight" },
        { "bert", zero_row, 1, "different: " }, { "mpnet", swap_heads, 1, "different: " }, { "mpnet", other_bucket, 1, "biases by distance" },
        { "bert", other_kind, 3, "types of tokens, bert.embeddings.token_type_embeddings.weight" },
        { "roberta", other_pad, 1, "position of tokens that pad" }, { "roberta", unread_row, 0, "the same function for all inputs" },
        { "bert stream", embedding_gain, 1, "gain of the embedding" }, { "roberta", head_dense, 1, "the layer in front of the head" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        char *A = stored(m, &s);
        of[k].change(&s);
        says(of[k].status, of[k].says, temp_format("verify --width=300 %s %s %s", of[k].change == other_pad ? "--tokens=3,1,4,1,5" : "", A, stored(m, &s)));
        safetensors_free(&s);
    }
}
END_TEST

/* A setting that changes the function is a difference; one that is not known forbids the answer. */
START_TEST(settings)
{
    static const struct { const char *model, *from, *to; int status; const char *says; } of[] = {
        { "bert", "\"vocab_size\"", "\"hidden_act\":\"relu\",\"vocab_size\"", 1, "the activation is gelu in A and relu in B" },
        { "bert", "\"vocab_size\"", "\"layer_norm_eps\":1e-5,\"vocab_size\"", 1, "eps of the norms is" },
        { "bert", "\"vocab_size\"", "\"pad_token_id\":7,\"is_decoder\":false,\"position_embedding_type\":\"absolute\",\"vocab_size\"", 0,
          "the same function for all inputs" },
        { "roberta", "\"vocab_size\"", "\"hidden_act\":\"relu\",\"vocab_size\"", 1, "the activation is gelu in A and relu in B" },
        { "roberta", "\"vocab_size\"", "\"pad_token_id\":2,\"vocab_size\"", 1, "the token that has no position is 1 in A and 2 in B" },
        { "bert", "\"vocab_size\"", "\"new_key\":3,\"vocab_size\"", 3, "new_key = 3 is a key of the configuration of B alone" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        char *config = config_of_spec(m);
        expect(stored(m, &s), stored_as(m->names, &s, replaced(config, of[k].from, of[k].to)), of[k].status, of[k].says);
        safetensors_free(&s);
    }
    const spec *m = called("bert");
    safetensors s = drawn(m);
    char *unknown = replaced(config_of_spec(m), "\"vocab_size\"", "\"new_key\":3,\"vocab_size\"");
    expect(stored_as(m->names, &s, unknown), stored_as(m->names, &s, unknown), 0, "new_key = 3 is a key of A's configuration that is not known here");
    safetensors_free(&s);
}
END_TEST

/* By name: what the class takes where a key is absent, which older files say and newer ones do not. */
START_TEST(settings_of_other_heads)
{
    static const struct { const char *model, *class, *say; int status; const char *says; } of[] = {
        { "bert", "BertForSequenceClassification", "\"position_embedding_type\":\"absolute\",\"type_vocab_size\":2,\"pad_token_id\":0", 0,
          "the same numbers and settings" },
        { "roberta", "RobertaForTokenClassification", "\"hidden_act\":\"gelu\",\"tie_word_embeddings\":true,\"pad_token_id\":1", 0,
          "the same numbers and settings" },
        { "electra", "ElectraForMaskedLM", "\"layer_norm_eps\":1e-12,\"position_embedding_type\":\"absolute\"", 0, "the same numbers and settings" },
        { "roberta", "RobertaForTokenClassification", "\"pad_token_id\":0", 1, "pad_token_id is 1 in A and 0 in B" },
        { "bert", "BertForSequenceClassification", "\"position_embedding_type\":\"relative_key\"", 1, "position_embedding_type is " } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        char *config = replaced(config_of_spec(m), m->class, of[k].class);
        if (strcmp(of[k].model, "roberta") == 0) config = replaced(config, ",\"layer_norm_eps\":1e-5,\"type_vocab_size\":1", "");
        expect(stored_as(m->names, &s, config), stored_as(m->names, &s, replaced(config, "\"vocab_size\"", temp_format("%s,\"vocab_size\"", of[k].say))),
               of[k].status, of[k].says);
        safetensors_free(&s);
    }
}
END_TEST

/* Of a class whose head has an activation of its own. */
START_TEST(activation_of_head)
{
    const spec *m = called("bert");
    safetensors s = drawn(m);
    char *folder = temp_folder();
    temp_text(folder, "mine.json", "{\"title\":\"Mine\",\"model_type\":\"mine\",\"like\":\"bert\",\"class\":\"BertForMaskedLM\","
              "\"settings\":{\"activation of head\":{\"key\":\"head_act\",\"unsaid\":\"gelu\"}}}");
    char *config = replaced(config_of_spec(m), "\"bert\"", "\"mine\""), *A = stored_as(m->names, &s, config);
    char *B = stored_as(m->names, &s, replaced(config, "\"vocab_size\"", "\"head_act\":\"relu\",\"vocab_size\""));
    char *C = stored_as(m->names, &s, replaced(config, "\"vocab_size\"", "\"head_act\":\"mish\",\"vocab_size\""));
    says(1, "the activation of the head is gelu in A and relu in B", temp_format("verify --width=300 --architectures=%s %s %s", folder, A, B));
    says(0, "the activation of its head is `mish`, which is not known here", temp_format("verify --width=300 --architectures=%s %s %s", folder, C, C));
    safetensors_free(&s);
}
END_TEST

/* A layer that adds nothing still normalises: it is not left out. */
START_TEST(silent_layer)
{
    const spec *m = called("bert");
    safetensors s = drawn(m), more = drawn(m);
    for (long k = 0; k < s.tensors; k++) {
        const safetensor *t = &s.tensor[k];
        static const char in[] = "encoder.layer.1.";
        if (strncmp(t->name, in, sizeof in - 1) != 0) continue;
        const bool writes = strstr(t->name, "output.dense");
        float *x = must_calloc(t->n, sizeof *x);
        if (!writes) memcpy(x, t->x, t->n * sizeof *x);
        safetensors_tensor(&more, temp_format("encoder.layer.2.%s", t->name + sizeof in - 1), t->rank, t->shape, x);
        free(x);
    }
    char *config = replaced(config_of_spec(m), "\"num_hidden_layers\":2", "\"num_hidden_layers\":3");
    expect(stored(m, &s), stored_as(m->names, &more, config), 1, "different: ");
    safetensors_free(&s);
    safetensors_free(&more);
}
END_TEST

/* Tokens that both have. */
START_TEST(smaller_vocabulary)
{
    const spec *m = called("bert");
    safetensors s = drawn(m), less = { .tensors = 0 };
    for (long k = 0; k < s.tensors; k++) {
        const safetensor *t = &s.tensor[k];
        const bool of_tokens = strstr(t->name, "word_embeddings") || strcmp(t->name, "cls.predictions.bias") == 0;
        safetensors_tensor(&less, t->name, t->rank, of_tokens ? (long[]){ V - 2, WIDTH } : t->shape, t->x);
    }
    char *config = replaced(config_of_spec(m), "\"vocab_size\":10", "\"vocab_size\":8");
    says(0, "the same logits of the tokens that both have",
         temp_format("verify --width=300 --logits %s %s", stored(m, &s), stored_as(m->names, &less, config)));
    safetensors_free(&s);
    safetensors_free(&less);
}
END_TEST

/* Prefixes and TensorFlow's names of norms; a bias of the head under both of its names; what reads the first token. */
START_TEST(names)
{
    static const renamed old[] = { { "embeddings.", "bert.embeddings." }, { "encoder.layer.", "bert.encoder.layer." },
        { "LayerNorm.weight", "LayerNorm.gamma" }, { "LayerNorm.bias", "LayerNorm.beta" }, { NULL, NULL } };
    const spec *m = called("bert");
    safetensors s = drawn(m);
    char *A = stored(m, &s);
    expect(A, stored_as(none, &s, config_of_spec(m)), 0, "the same function for all inputs");
    expect(A, stored_as(old, &s, config_of_spec(m)), 0, "the same function for all inputs");
    safetensors_tensor(&s, "cls.predictions.decoder.bias", 1, (long[]){ V }, number(&s, "cls.predictions.bias"));
    expect(A, stored(m, &s), 0, "the same function for all inputs");
    numbers(&s, "cls.predictions.decoder.bias")[4] += 1;
    expect(A, stored(m, &s), 2, "are both head bias; remove one");
    safetensors_free(&s);
    static const char *const unsaid[] = { "bert", "bert stream" };
    for (size_t k = 0; k < COUNT(unsaid); k++) {
        const spec *of = called(unsaid[k]);
        s = drawn(of);
        char *config = replaced(config_of_spec(of), temp_format("\"architectures\":[\"%s\"],", of->class), "");
        expect(stored(of, &s), stored_as(of->names, &s, config), 0, "the same function for all inputs");
        safetensors_free(&s);
    }
    s = drawn(m);
    add_linear(&s, "bert.pooler.dense", WIDTH, WIDTH);
    add_linear(&s, "cls.seq_relationship", 2, WIDTH);
    char *pooled = stored(m, &s);
    expect(pooled, pooled, 0, "the same function for all inputs");
    numbers(&s, "bert.pooler.dense.weight")[4] += 1;
    expect(pooled, stored(m, &s), 3, "pooler, bert.pooler.dense.weight: different numbers");
    safetensors_free(&s);
}
END_TEST

START_TEST(refused)
{
    static const struct { const char *model, *from, *to, *says; } of[] = {
        { "bert", "BertForMaskedLM", "BertForSequenceClassification", "BertForSequenceClassification, whose head is not computed here" },
        { "bert", "BertForMaskedLM", "BertModel", "programs for bert compute without cls.predictions." },
        { "bert", "BertForMaskedLM", "RobertaForMaskedLM", "RobertaForMaskedLM, whose head is not computed here" },
        { "bert", "\"vocab_size\"", "\"is_decoder\":true,\"vocab_size\"", "its tokens do not see those behind them (is_decoder)" },
        { "bert", "\"vocab_size\"", "\"is_causal\":true,\"vocab_size\"", "its tokens do not see those behind them (is_causal)" },
        { "bert", "\"vocab_size\"", "\"add_cross_attention\":true,\"vocab_size\"", "it attends to what another model computes" },
        { "bert", "\"vocab_size\"", "\"position_embedding_type\":\"relative_key\",\"vocab_size\"", "its positions are relative (position_embedding_type)" },
        { "bert", "\"vocab_size\"", "\"tie_word_embeddings\":false,\"vocab_size\"", "programs differ on the bias of a head of its own" },
        { "bert", "\"vocab_size\"", "\"hidden_act\":\"mish\",\"vocab_size\"", "its activation is `mish`" },
        { "roberta", "\"vocab_size\"", "\"pad_token_id\":-1,\"vocab_size\"", "pad_token_id is not the number of a token" },
        { "roberta", "\"vocab_size\"", "\"pad_token_id\":79,\"vocab_size\"", "no position is behind that of token 79" },
        { "mpnet", "\"relative_attention_num_buckets\":32", "\"relative_attention_num_buckets\":16", "its class computes with 32 buckets all the same" },
        { "electra", "\"embedding_size\":8", "\"embedding_size\":4", "its embeddings have 4 coordinates and its stream 8 (embedding_size)" },
        { "electra", "\"embedding_size\":8,", "", "its embeddings have 128 coordinates" },
        { "electra", "ElectraForPreTraining", "ElectraForMaskedLM", "whose head is not computed here" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        const char *from = strcmp(of[k].from, "\"embedding_size\":8,") == 0 ? ",\"embedding_size\":8" : of[k].from;
        char *folder = stored_as(m->names, &s, replaced(config_of_spec(m), from, of[k].to));
        says(strstr(of[k].to, "pad_token_id") ? 2 : 0, of[k].says, temp_format("verify --width=300 %s %s", folder, folder));
        safetensors_free(&s);
    }
    safetensors headed = drawn(called("bert stream"));
    add_linear(&headed, "cls.predictions.transform.dense", WIDTH, WIDTH);
    char *unused = stored(called("bert stream"), &headed);
    says(0, "programs for bert compute without cls.predictions.transform.dense.weight", temp_format("verify --width=300 %s %s", unused, unused));
    safetensors_free(&headed);
    safetensors a = drawn(called("bert")), b = drawn(called("bert stream")), e = drawn(called("electra"));
    char *A = stored(called("bert"), &a), *B = stored(called("bert stream"), &b), *E = stored(called("electra"), &e);
    says(2, "give files of one class", temp_format("verify %s %s", A, B));
    says(2, "asks about probabilities of tokens, and the models compute the last stream", temp_format("verify --up-to=argmax %s %s", B, B));
    says(2, "the models compute one logit for each token", temp_format("verify --up-to=softmax %s %s", E, E));
    says(2, "encoders are not differentiated here", temp_format("verify --gradients %s %s", A, A));
    says(0, "it has no head: its last stream is compared", temp_format("verify --logits --certified %s %s", B, B));
    says(0, "the gap of the logits is at most", temp_format("verify --certified -o %s/c %s %s && %s/provably verify --certificate=%s/c %s %s", A, A, A,
                                                           build_folder(), A, A, A));
    says(0, "\"certainly_same_most_likely\": 0", temp_format("verify --json --certified %s %s", B, B));
    says(0, "\"outputs\": \"last stream\"", temp_format("verify --json --logits %s %s", B, B));
    safetensors_free(&a);
    safetensors_free(&b);
    safetensors_free(&e);
}
END_TEST

/* What `reduce` would write, computed before it is written. */
START_TEST(rewritten)
{
    const spec *m = called("bert");
    safetensors s = drawn(m);
    weights w = weights_open(stored(m, &s));
    transformer D = transformer_of(&w);
    const arith R = arith_f64();
    rewrite *r = rewrite_open(&D, (rewrite_plan){ .values = true }, &R);
    const weight_source W = rewrite_source(r);
    double want[MOST], is[MOST];
    plain_outputs(m, &s, tokens, NULL, N, want);
    ck_assert_int_eq(forward_last_logits(&R, &W, &(token_list){ N, tokens, NULL, 0 }, is), HOLDS);
    for (long c = 0; c < V; c++) ck_assert_msg(fabs(is[c] - want[c]) <= 1e-10, "logit %ld is %.17g, not %.17g", c, is[c], want[c]);
    rewrite_close(r);
    transformer_free(&D);
    weights_close(&w);
    safetensors_free(&s);
}
END_TEST

/* Identity blocks in W_V of each head; nothing that reads behind a norm in the stream, and no keys are kept. */
START_TEST(what_theorems_leave)
{
    static const struct { const char *claims, *why; } never[] = { { "N18", "no norm comes before W_Q" }, { "K-R2", "its LayerNorms divide" },
        { "N11", "no keys are kept" }, { "N7", "it takes RMSNorm" } };
    for (size_t k = 0; k < COUNT(each); k++) {
        safetensors s = drawn(&each[k]);
        weights w = weights_open(stored(&each[k], &s));
        transformer D = transformer_of(&w);
        reduction_list rows = reductions_of(&D, NULL);
        long blocks = 0, not = 0;
        for (long r = 0; r < rows.n; r++) {
            blocks += rows.at[r].applies;
            for (size_t i = 0; i < COUNT(never); i++)
                not += strcmp(rows.at[r].claims, never[i].claims) == 0 && !rows.at[r].applies && strstr(rows.at[r].why, never[i].why);
        }
        ck_assert_msg(!rows.nothing && blocks == 2 && not == (long)COUNT(never), "%s: %s, %ld apply, %ld do not", each[k].name, rows.nothing, blocks, not);
        reductions_free(&rows);
        transformer_free(&D);
        weights_close(&w);
        safetensors_free(&s);
    }
    safetensors s = drawn(called("bert")), n = drawn(called("bert stream")), r = drawn(called("roberta"));
    char *A = stored(called("bert"), &s), *B = stored(called("bert stream"), &n), *C = stored(called("roberta"), &r);
    says(0, "tokens see those behind them, too", temp_format("inspect --width=300 --no-conditions %s", A));
    says(0, "in the stream, behind the sums with what attention and MLP add", temp_format("inspect --width=300 --no-conditions %s", A));
    says(0, "none: the stream behind the last layer is what it computes", temp_format("inspect --width=300 --no-conditions %s", B));
    says(0, "token 1 has no position, and others are counted without it", temp_format("inspect --width=300 --no-conditions %s", C));
    safetensors p = drawn(called("mpnet"));
    says(0, "each head adds a bias to its scores for each of 32 ranges of distances", temp_format("inspect --width=300 --no-conditions %s", stored(called("mpnet"), &p)));
    safetensors_free(&p);
    says(0, "measured on 8 tokens", temp_format("reduce %s --out=%s/r", A, A));
    expect(A, temp_path(A, "r"), 0, "the same up to rounding, for all inputs");
    says(0, "measured on 8 tokens", temp_format("reduce %s --out=%s/r", B, B));
    expect(B, temp_path(B, "r"), 0, "the same up to rounding, for all inputs");
    says(2, "is a part of a larger tensor, and such are not written here", temp_format("reduce %s --out=%s/r", C, C));
    says(2, "is not possible", temp_format("reduce --force --apply=zero-row %s --out=%s/z", A, A));
    safetensors_free(&s);
    safetensors_free(&n);
    safetensors_free(&r);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("encoders");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, outputs, 0, (int)COUNT(each));
    tcase_add_test(all, symmetries);
    tcase_add_test(all, not_symmetries);
    tcase_add_test(all, settings);
    tcase_add_test(all, settings_of_other_heads);
    tcase_add_test(all, activation_of_head);
    tcase_add_test(all, silent_layer);
    tcase_add_test(all, smaller_vocabulary);
    tcase_add_test(all, names);
    tcase_add_test(all, refused);
    tcase_add_test(all, rewritten);
    tcase_add_test(all, what_theorems_leave);
    return run_suite(suite, argc, argv);
}
