/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_gallery.c - published bugs of programs that convert, fold, merge or save models, made again on small models:
 * `provably verify` tells each from the original and names the tensor.  And what is not a bug counts as equal. */
#include <jansson.h>
#include <math.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "numerics/arith_arb.h"
#include "numerics/random.h"
#include "src/base/progress.h"
#include "src/checkpoint/compare.h"
#include "src/checkpoint/expansion.h"
#include "src/checkpoint/gradients.h"
#include "src/checkpoint/stream_found.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { L = 2, WIDTH = 32, HEADS = 4, KV = 2, DK = 8, M = 40, V = 24, T = 64 };

/* ---- two models -------------------------------------------------------------------------------------------------- */

static uint64_t draw;

static void add(safetensors *s, const char *name, long rows, long cols, double scale, double middle)
{
    const uint64_t key[2] = { 5, 7 };
    float *x = must_calloc((size_t)(rows * cols), sizeof *x);
    for (long k = 0; k < rows * cols; k++)
        x[k] = (float)(middle + scale * (double)random_gauss24(key, draw++) * 0x1p-35);
    safetensors_tensor(s, name, rows == 1 ? 1 : 2, rows == 1 ? &cols : (long[]){ rows, cols }, x);
    free(x);
}

static const char llama_config[] = "{\"model_type\":\"llama\",\"hidden_size\":32,\"num_hidden_layers\":2,"
    "\"num_attention_heads\":4,\"num_key_value_heads\":2,\"intermediate_size\":40,\"max_position_embeddings\":64,"
    "\"vocab_size\":24,\"rms_norm_eps\":1e-05,\"rope_theta\":10000.0,\"hidden_act\":\"silu\",\"tie_word_embeddings\":%s}";
static const char gpt2_config[] = "{\"model_type\":\"gpt2\",\"n_embd\":32,\"n_layer\":2,\"n_head\":4,\"n_inner\":40,"
    "\"n_positions\":64,\"vocab_size\":24,\"layer_norm_epsilon\":1e-05,\"activation_function\":\"gelu_new\"}";

static safetensors llama(bool tied)
{
    safetensors s = { .tensors = 0 };
    const double in = 1 / sqrt(WIDTH);
    draw = 0;
    add(&s, "model.embed_tokens.weight", V, WIDTH, 1, 0);
    for (long i = 0; i < L; i++) {
#define NAME(what) temp_format("model.layers.%ld." what ".weight", i)
        add(&s, NAME("input_layernorm"), 1, WIDTH, 0.2, 1);
        add(&s, NAME("self_attn.q_proj"), WIDTH, WIDTH, in, 0);
        add(&s, NAME("self_attn.k_proj"), KV * DK, WIDTH, in, 0);
        add(&s, NAME("self_attn.v_proj"), KV * DK, WIDTH, in, 0);
        add(&s, NAME("self_attn.o_proj"), WIDTH, WIDTH, in, 0);
        add(&s, NAME("post_attention_layernorm"), 1, WIDTH, 0.2, 1);
        add(&s, NAME("mlp.gate_proj"), M, WIDTH, in, 0);
        add(&s, NAME("mlp.up_proj"), M, WIDTH, in, 0);
        add(&s, NAME("mlp.down_proj"), WIDTH, M, in, 0);
    }
    add(&s, "model.norm.weight", 1, WIDTH, 0.2, 1);
    if (!tied) add(&s, "lm_head.weight", V, WIDTH, in, 0);
    return s;
}

static safetensors gpt2(void)
{
    safetensors s = { .tensors = 0 };
    const double in = 1 / sqrt(WIDTH);
    draw = 0;
    add(&s, "wte.weight", V, WIDTH, 1, 0);
    add(&s, "wpe.weight", T, WIDTH, 0.5, 0);
    for (long i = 0; i < L; i++) {
#define PART(what) temp_format("h.%ld." what, i)
        add(&s, PART("ln_1.weight"), 1, WIDTH, 0.2, 1);
        add(&s, PART("ln_1.bias"), 1, WIDTH, 0.2, 0);
        add(&s, PART("attn.c_attn.weight"), WIDTH, 3 * WIDTH, in, 0);
        add(&s, PART("attn.c_attn.bias"), 1, 3 * WIDTH, 0.2, 0);
        add(&s, PART("attn.c_proj.weight"), WIDTH, WIDTH, in, 0);
        add(&s, PART("attn.c_proj.bias"), 1, WIDTH, 0.2, 0);
        add(&s, PART("ln_2.weight"), 1, WIDTH, 0.2, 1);
        add(&s, PART("ln_2.bias"), 1, WIDTH, 0.2, 0);
        add(&s, PART("mlp.c_fc.weight"), WIDTH, M, in, 0);
        add(&s, PART("mlp.c_fc.bias"), 1, M, 0.2, 0);
        add(&s, PART("mlp.c_proj.weight"), M, WIDTH, in, 0);
        add(&s, PART("mlp.c_proj.bias"), 1, WIDTH, 0.2, 0);
    }
    add(&s, "ln_f.weight", 1, WIDTH, 0.2, 1);
    add(&s, "ln_f.bias", 1, WIDTH, 0.2, 0);
    return s;
}

static float *of(safetensors *s, const char *name)
{
    const safetensor *t = safetensors_find(s, name);
    ck_assert_msg(t, "no tensor %s", name);
    return t->x;
}

static char *saved(const safetensors *s, const char *config)
{
    char *folder = temp_folder();
    temp_text(folder, "config.json", config);
    safetensors_write(s, temp_path(folder, "model.safetensors"));
    return folder;
}

static char *saved_llama(const safetensors *s, bool tied)
{
    char config[sizeof llama_config + 8];
    char *at = strstr(llama_config, "%s");
    snprintf(config, sizeof config, "%.*s%s}", (int)(at - llama_config), llama_config, tied ? "true" : "false");
    return saved(s, config);
}

/* Runs it; the output without its line breaks. */
static int verify(const char *options, const char *A, const char *B, char **said)
{
    static char output[20000];
    const int status = run_command(output, sizeof output, "%s/provably verify --all --width=400 %s %s %s", build_folder(), options, A, B);
    *said = output;
    return status;
}

/* What the library finds is what the command says. */
static void same_findings(const char *A, const char *B, const char *said)
{
    weights w[2] = { weights_open(A), weights_open(B) };
    transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
    contracted c[2];
    for (int m = 0; m < 2; m++) c[m] = contracted_tokens(&D[m], D[!m].V, 0);
    structure s = structure_of(&c[0].D, &c[1].D, NULL);
    const bool based = strstr(said, "the base's");
    const char *counts = temp_format("%ld parts compared: %ld hold the same numbers", s.compared, s.equal);
    ck_assert_msg(strstr(said, counts), "`%s` is not in %s", counts, said);
    for (long k = 0; k < s.n; k++)
        if (s.at[k].kind != RELATION_ROUNDED && !based)
            ck_assert_msg(strstr(said, temp_format("%s: %s%s", s.at[k].tensor, s.at[k].text, isnan(s.at[k].gap) ? "" : " (gap")), "`%s` is not in %s", s.at[k].text, said);
    for (long k = 0; k < s.remarks; k++) if (!based) ck_assert_msg(strstr(said, s.remark[k]), "`%s` is not in %s", s.remark[k], said);
    if (!structure_same(&s)) {
        gauge_found g = gauge_between(&c[0].D, &c[1].D, &s, 256);
        const char *text = g.why ? temp_format("%.90s", g.why) : temp_format("gauges of %ld key heads and %ld heads or MLPs", g.gauges, g.orders);
        ck_assert_msg(strstr(said, text) && !g.why == g.found, "`%s` is not in %s", text, said);
        if (g.found) {
            ck_assert_msg(!strstr(said, "B is that image") == (g.distance != 0), "%g: %s", g.distance, said);
            ck_assert_msg(g.distance == 0 || strstr(said, temp_format("at most %.3g of the largest", g.distance)), "%g: %s", g.distance, said);
        }
        gauge_found_free(&g);
    } else ck_assert(strstr(said, "the same function for all inputs: all parts") || strstr(said, "the same function for all inputs: all files are byte-identical"));
    structure_free(&s);
    for (int m = 0; m < 2; m++) {
        contracted_free(&c[m]);
        transformer_free(&D[m]);
        weights_close(&w[m]);
    }
}

static void expect(const char *options, const char *A, const char *B, int status, const char *words)
{
    char *said;
    const int is = verify(options, A, B, &said);
    ck_assert_msg(is == status && strstr(said, words), "status %d instead of %d, or it lacks `%s`: %s", is, status, words, said);
    if (status < 2 && strstr(said, "parts compared")) same_findings(A, B, said);
}

static json_t *of_json(const char *options, const char *A, const char *B, int status)
{
    char *said;
    ck_assert_int_eq(verify(temp_format("--json %s", options), A, B, &said), status);
    json_t *o = json_loads(said, JSON_REJECT_DUPLICATES, NULL);
    ck_assert_msg(o, "%s", said);
    return o;
}

/* "a.b.c" of nested objects. */
static const json_t *at(const json_t *o, const char *path)
{
    for (char *rest = temp_format("%s", path), *name; (name = strsep(&rest, ".")); ) {
        ck_assert_msg(json_object_get(o, name), "no %s of %s", name, path);
        o = json_object_get(o, name);
    }
    return o;
}
static const char *text_at(const json_t *o, const char *path) { return json_string_value(at(o, path)); }

/* ---- rotary positions -------------------------------------------------------------------------------------------- */

/* Rows of `blocks` blocks from neighbouring pairs to halves, as converters do. */
static void permute_rows(float *x, long rows, long blocks)
{
    float *old = must_calloc((size_t)(rows * WIDTH), sizeof *old);
    memcpy(old, x, (size_t)(rows * WIDTH) * sizeof *old);
    const long size = rows / blocks, half = size / 2;
    for (long r = 0; r < rows; r++) {
        const long k = r % size;
        memcpy(x + r * WIDTH, old + (r - k + k % half * 2 + k / half) * WIDTH, WIDTH * sizeof *old);
    }
    free(old);
}

START_TEST(keys_permuted_for_the_query_heads)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    permute_rows(of(&s, "model.layers.1.self_attn.k_proj.weight"), KV * DK, HEADS);
    char *B = saved_llama(&s, false);
    expect("", A, B, 1, "layer 1, W_K, model.layers.1.self_attn.k_proj.weight: A's with the rotary pairs in another order: from neighbours to "
           "halves for 4 heads of 4, which it does not have: it has 2");
    expect("", A, B, 1, "the first stage that differs: the attention of layer 1");
    expect("--certified", A, B, 1, "for these token sequences, and no others");
    safetensors_free(&s);
}
END_TEST

START_TEST(pairs_left_in_the_other_order)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    permute_rows(of(&s, "model.layers.0.self_attn.q_proj.weight"), WIDTH, HEADS);
    permute_rows(of(&s, "model.layers.0.self_attn.k_proj.weight"), KV * DK, KV);
    char *B = saved_llama(&s, false);
    expect("", A, B, 1, "W_Q, model.layers.0.self_attn.q_proj.weight: A's with the rotary pairs in another order: from neighbours to halves for 4 "
           "heads of 8");
    expect("", A, B, 1, "W_K, model.layers.0.self_attn.k_proj.weight: A's with the rotary pairs in another order: from neighbours to halves for 2 "
           "heads of 8");
    expect("", B, A, 1, "from halves to neighbours");
    expect("--up-to=softmax", A, B, 1, "different on these token sequences: up to softmax: gap ");
    expect("--up-to=argmax", A, B, 1, "different on these token sequences: the most likely token");
    permute_rows(of(&s, "model.layers.0.self_attn.q_proj.weight"), WIDTH, HEADS);
    expect("", A, saved_llama(&s, false), 1, "from halves to neighbours for 4 heads of 8");      /* three times is none */
    safetensors_free(&s);
}
END_TEST

START_TEST(pairs_reordered_twice)
{
    double a[16], b[16];
    for (int k = 0; k < 16; k++) a[k] = k + 1;
    for (int k = 0; k < 16; k++) {
        const int once = k % 8 * 2 + k / 8;
        b[k] = a[once % 8 * 2 + once / 8];
    }
    related r = relation_of(&(weight_matrix[]){ weight_matrix_whole(1, 16, a, NUMBERS_F32) }[0], &(weight_matrix[]){ weight_matrix_whole(1, 16, b, NUMBERS_F32) }[0],
                            &(relation_hints){ .head = 16, .rotary = 16, .query_heads = 1 });
    ck_assert_int_eq(r.kind, RELATION_PAIRS);
    ck_assert_str_eq(r.text, "A's with the rotary pairs in another order: from neighbours to halves for 1 head of 16, done twice");
    free(r.text);
}
END_TEST

START_TEST(other_rotary_angles)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false), *B = saved_llama(&s, false), *text = temp_read(B, "config.json", NULL);
    char *at = strstr(text, "10000.0");
    temp_text(B, "config.json", temp_format("%.*s10010.0%s", (int)(at - text), text, at + 7));
    expect("--seed=2", A, B, 1, "theta of the rotary angles is 10000 in A and 10010 in B");
    char *said;
    ck_assert_int_eq(verify("", A, B, &said), 1);
    const char *where = strstr(said, "the first logits that differ: sequence 1, token ");
    ck_assert_msg(where && atol(where + 48) > 1, "%s", said);           /* the first token does not turn */
    expect("--tokens=3", A, B, 1, "logits: gap 0, ");                  /* and yet another function */
    expect("--tokens=3 --tolerance=0", A, B, 0, "as asked, on these token sequences: up to logits: gap 0, bound 0;");
    safetensors_free(&s);
}
END_TEST

/* ---- embeddings, heads and norms --------------------------------------------------------------------------------- */

static void times_gain(float *x, long rows, const float *gain)          /* out x in: input c times gain[c] */
{
    for (long r = 0; r < rows; r++) for (long c = 0; c < WIDTH; c++) x[r * WIDTH + c] *= gain[c];
}

static void ones(float *gain) { for (long c = 0; c < WIDTH; c++) gain[c] = 1; }

START_TEST(final_norm_folded_into_tied_embeddings)
{
    safetensors s = llama(true);
    char *A = saved_llama(&s, true);
    times_gain(of(&s, "model.embed_tokens.weight"), V, of(&s, "model.norm.weight"));
    ones(of(&s, "model.norm.weight"));
    char *B = saved_llama(&s, true);
    expect("", A, B, 1, "embedding, model.embed_tokens.weight: A's with its outputs multiplied by the final gain of A");
    expect("", A, B, 1, "embedding and head are one matrix in both");
    expect("", A, B, 1, "the first stage that differs: the embedding");
    safetensors_free(&s);
}
END_TEST

static void fold_gain1(safetensors *s)
{
    const float *g = of(s, "model.layers.0.input_layernorm.weight");
    times_gain(of(s, "model.layers.0.self_attn.q_proj.weight"), WIDTH, g);
    times_gain(of(s, "model.layers.0.self_attn.k_proj.weight"), KV * DK, g);
    times_gain(of(s, "model.layers.0.self_attn.v_proj.weight"), KV * DK, g);
}

START_TEST(a_norm_folded_once_and_twice)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    fold_gain1(&s);
    float *g = of(&s, "model.layers.0.input_layernorm.weight"), keep[WIDTH];
    memcpy(keep, g, sizeof keep);
    ones(g);
    char *once = saved_llama(&s, false);
    expect("", A, once, 0, "W_V, model.layers.0.self_attn.v_proj.weight: A's with its inputs multiplied by gain 1 of A");
    expect("", A, once, 0, "the same up to rounding, for all inputs: each number of B is within 0.9");
    memcpy(g, keep, sizeof keep);
    fold_gain1(&s);
    ones(g);
    expect("", A, saved_llama(&s, false), 1, "W_V, model.layers.0.self_attn.v_proj.weight: A's with its inputs multiplied by gain 1 of A twice");
    safetensors_free(&s);
}
END_TEST

START_TEST(centred_head)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    float *x = of(&s, "lm_head.weight");
    for (long c = 0; c < WIDTH; c++) {
        double mean = 0;
        for (long v = 0; v < V; v++) mean += x[v * WIDTH + c] / V;
        for (long v = 0; v < V; v++) x[v * WIDTH + c] = (float)(x[v * WIDTH + c] - mean);
    }
    char *B = saved_llama(&s, false);
    expect("", A, B, 1, "head, lm_head.weight: A's and a constant for each input: all logits of a token move together");
    expect("--up-to=softmax", A, B, 0, "the logits of that image are A's but for one constant for each token, which softmax does not see");
    expect("--up-to=argmax", A, B, 0, "as asked, on these token sequences: the most likely token is the same for 48 of 48;");
    expect("--up-to=softmax --certified", A, B, 0, "up to one constant per token lies between");
    safetensors_free(&s);
}
END_TEST

START_TEST(offset_norms)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    for (long c = 0; c < WIDTH; c++) of(&s, "model.layers.1.post_attention_layernorm.weight")[c] -= 1;
    expect("", A, saved_llama(&s, false), 1, "layer 1, gain 2, model.layers.1.post_attention_layernorm.weight: A's - 1: one multiplies by w, "
           "the other by 1 + w");
    safetensors_free(&s);
}
END_TEST

START_TEST(heads_that_were_tied)
{
    safetensors s = llama(true);
    char *A = saved_llama(&s, true);
    const float *E = of(&s, "model.embed_tokens.weight");
    safetensors_tensor(&s, "lm_head.weight", 2, (long[]){ V, WIDTH }, E);
    expect("", A, saved_llama(&s, true), 0, "B has an extra tensor lm_head.weight, 768 numbers that repeat the embedding");
    char *untied = saved_llama(&s, false);
    expect("", A, untied, 0, "B stores a head of its own, lm_head.weight, 768 numbers more");
    expect("", A, untied, 0, "the same function for all inputs");
    float *x = of(&s, "model.embed_tokens.weight");                     /* rotated on one side only */
    for (long v = 0; v < V; v++)
        for (long c = 0; c < WIDTH; c += 2) {
            const float a = x[v * WIDTH + c], b = x[v * WIDTH + c + 1];
            x[v * WIDTH + c] = 0.6f * a - 0.8f * b;
            x[v * WIDTH + c + 1] = 0.8f * a + 0.6f * b;
        }
    expect("", A, saved_llama(&s, false), 1, "the tied pair is broken: A uses one matrix as embedding and head, in B the head is A's and the "
           "embedding is not");
    expect("", A, saved_llama(&s, true), 1, "the head is tied to the embedding, but lm_head.weight differs from it");
    safetensors_free(&s);
    s = llama(true);
    A = saved_llama(&s, true);
    of(&s, "model.embed_tokens.weight")[3] += 1;
    char *said;                                                        /* both are tied still */
    ck_assert_int_eq(verify("", A, saved_llama(&s, true), &said), 1);
    ck_assert_msg(strstr(said, "embedding and head are one matrix in both") && !strstr(said, "pair is broken"), "%s", said);
    safetensors_free(&s);
    s = llama(true);
    safetensors_tensor(&s, "lm_head.weight", 2, (long[]){ V, WIDTH }, of(&s, "model.embed_tokens.weight"));
    of(&s, "lm_head.weight")[5] += 1;                                   /* overwritten */
    expect("", A, saved_llama(&s, false), 1, "head, lm_head.weight: different numbers");
    expect("", A, saved_llama(&s, false), 1, "in B the embedding is A's and the head is not");
    safetensors_free(&s);
}
END_TEST

/* ---- saving and merging ------------------------------------------------------------------------------------------ */

START_TEST(saved_without_its_changes)
{
    safetensors s = llama(false);
    char *base = saved_llama(&s, false), *unmerged = saved_llama(&s, false);
    for (long k = 0; k < WIDTH; k++) of(&s, "model.layers.0.self_attn.q_proj.weight")[k] += 0.1f;
    for (long k = 0; k < WIDTH; k++) of(&s, "model.layers.1.mlp.up_proj.weight")[k] += 0.1f;
    char *merged = saved_llama(&s, false);
    expect("", base, unmerged, 0, "all 21 parts hold the same numbers: if B should be a changed A, its changes are not in this file");
    const char *options = temp_format("--base=%s", base);
    expect(options, merged, unmerged, 1, "layer 0, W_Q, model.layers.0.self_attn.q_proj.weight: different numbers: those of the base, unchanged");
    expect(options, merged, unmerged, 1, "every tensor of B that differs from A is the base's");
    safetensors_free(&s);
}
END_TEST

static float brain(float x)              /* to nearest                                                  */
{
    uint32_t b;
    memcpy(&b, &x, 4);
    b = (b + 0x8000) & 0xffff0000;
    memcpy(&x, &b, 4);
    return x;
}

START_TEST(through_a_coarser_type)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    float *x = of(&s, "model.layers.1.mlp.down_proj.weight");
    for (long k = 0; k < WIDTH * M; k++) x[k] = brain(x[k]);
    char *B = saved_llama(&s, false);
    expect("", A, B, 1, "layer 1, down, model.layers.1.mlp.down_proj.weight: A's rounded to BF16, though it is not stored so");
    expect("", A, B, 1, "the first stage that differs: the MLP of layer 1");
    expect("--tolerance=1", A, B, 0, "bound 1; nothing is said about others");
    safetensors_free(&s);
}
END_TEST

/* The same numbers as BF16, written by hand: header, then the upper half of each float. */
START_TEST(stored_in_a_coarser_type)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    text_buffer head = { 0 }, numbers = { 0 }, file = { 0 };
    for (long k = 0; k < s.tensors; k++) {
        const safetensor *t = &s.tensor[k];
        const size_t at = numbers.length;
        for (size_t i = 0; i < t->n; i++) {
            const float y = brain(t->x[i]);
            char bytes[4];
            memcpy(bytes, &y, 4);
            text_bytes(&numbers, bytes + 2, 2);
        }
        text_add(&head, "%s\"%s\":{\"dtype\":\"BF16\",\"shape\":[%ld", k ? "," : "{", t->name, t->shape[0]);
        if (t->rank == 2) text_add(&head, ",%ld", t->shape[1]);
        text_add(&head, "],\"data_offsets\":[%zu,%zu]}", at, numbers.length);
    }
    text_add(&head, "}");
    const uint64_t n = head.length;
    text_bytes(&file, (const char *)&n, 8);
    text_bytes(&file, head.at, head.length);
    text_bytes(&file, numbers.at, numbers.length);
    char *B = saved_llama(&s, false);
    temp_write(B, "model.safetensors", file.at, file.length);
    expect("", A, B, 0, "21 parts compared: 0 hold the same numbers, 21 are equal to rounding, 0 are not");
    expect("", A, B, 0, "u at most 5.96e-08 for A and 0.00391 for B");
    text_clear(&head);
    text_clear(&numbers);
    text_clear(&file);
    safetensors_free(&s);
}
END_TEST

START_TEST(scaled_twice)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    for (long k = 0; k < WIDTH * WIDTH; k++) of(&s, "model.layers.0.self_attn.q_proj.weight")[k] *= 0.25f;
    expect("", A, saved_llama(&s, false), 1, "W_Q, model.layers.0.self_attn.q_proj.weight: A's times 0.25");
    safetensors_free(&s);
}
END_TEST

/* ---- GPT-2 ------------------------------------------------------------------------------------------------------- */

START_TEST(conv1d_read_as_linear)
{
    safetensors s = gpt2();
    char *A = saved(&s, gpt2_config);
    float *x = of(&s, "h.1.attn.c_proj.weight");
    for (long r = 0; r < WIDTH; r++)
        for (long c = 0; c < r; c++) {
            const float keep = x[r * WIDTH + c];
            x[r * WIDTH + c] = x[c * WIDTH + r];
            x[c * WIDTH + r] = keep;
        }
    expect("", A, saved(&s, gpt2_config), 1, "layer 1, W_O, h.1.attn.c_proj.weight: A's, transposed");
    safetensors_free(&s);
}
END_TEST

START_TEST(positions_off_by_one)
{
    safetensors s = gpt2();
    char *A = saved(&s, gpt2_config);
    float *x = of(&s, "wpe.weight");
    memmove(x, x + WIDTH, (T - 1) * WIDTH * sizeof *x);
    expect("", A, saved(&s, gpt2_config), 1, "positions, wpe.weight: A's with positions off by 1: its row t is A's row t + 1");
    safetensors_free(&s);
}
END_TEST

/* Swaps heads a and b of columns [from, from + WIDTH) of a row of `pitch`. */
static void swap_heads(float *x, long rows, long pitch, long from, long a, long b)
{
    for (long r = 0; r < rows; r++)
        for (long i = 0; i < DK; i++) {
            float *p = &x[r * pitch + from + a * DK + i], *q = &x[r * pitch + from + b * DK + i], keep = *p;
            *p = *q;
            *q = keep;
        }
}

/* All of them, each kind of tensor of A. */
static void gradients_correspond(char *A, char *B, size_t kinds)
{
    char *said;
    expect("--gradients --length=4", A, B, 0, "they correspond");
    verify("--gradients --length=4", A, B, &said);
    ck_assert_msg(!strstr(said, "do not correspond"), "%s", said);
    json_t *o = of_json("--gradients --length=4", A, B, 0);
    ck_assert_int_eq(json_array_size(at(o, "gradients.derivatives")), kinds);
    json_decref(o);
}

START_TEST(order_of_heads)
{
    safetensors s = gpt2();
    char *A = saved(&s, gpt2_config);
    float *W = of(&s, "h.0.attn.c_attn.weight"), *b = of(&s, "h.0.attn.c_attn.bias"), *O = of(&s, "h.0.attn.c_proj.weight");
    swap_heads(W, WIDTH, 3 * WIDTH, 0, 0, 2);
    swap_heads(b, 1, 3 * WIDTH, 0, 0, 2);
    expect("", A, saved(&s, gpt2_config), 1, "layer 0, W_Q, h.0.attn.c_attn.weight: A's with the heads in the order 2 1 0 3");
    for (long k = 1; k < 3; k++) {
        swap_heads(W, WIDTH, 3 * WIDTH, k * WIDTH, 0, 2);
        swap_heads(b, 1, 3 * WIDTH, k * WIDTH, 0, 2);
    }
    for (long i = 0; i < DK; i++)
        for (long c = 0; c < WIDTH; c++) {
            const float keep = O[i * WIDTH + c];
            O[i * WIDTH + c] = O[(2 * DK + i) * WIDTH + c];
            O[(2 * DK + i) * WIDTH + c] = keep;
        }
    char *B = saved(&s, gpt2_config);                                   /* in all four: the same function */
    expect("", A, B, 0, "layer 0, W_O, h.0.attn.c_proj.weight: A's with the heads in the order 2 1 0 3");
    expect("--certified", A, B, 0, "the same function for all inputs: B is an image of A under symmetries, number by number");
    gradients_correspond(A, B, 20);                                     /* the head is tied */
    char *file = temp_path(temp_folder(), "c.json");
    expect(temp_format("-o %s", file), A, B, 0, "B is that image, number by number");
    expect(temp_format("--certificate=%s", file), A, B, 0, "holds: each number of B is at most 0 of the largest");
    O[7] += 1;
    expect("", A, saved(&s, gpt2_config), 1, "layer 0: W_O is no image of A's");
    safetensors_free(&s);
}
END_TEST

/* ---- gauges ------------------------------------------------------------------------------------------------------ */

/* Rows of a head of an out x in matrix, or numbers of a bias (in = 1): W' becomes G' W', that is W becomes W G. */
static void right(float *x, long in, long head, double G[DK][DK])
{
    for (long c = 0; c < in; c++) {
        double old[DK];
        for (long i = 0; i < DK; i++) old[i] = x[(head * DK + i) * in + c];
        for (long j = 0; j < DK; j++) {
            double sum = 0;
            for (long i = 0; i < DK; i++) sum += old[i] * G[i][j];
            x[(head * DK + j) * in + c] = (float)sum;
        }
    }
}

/* r (cos, sin; -sin, cos) on pairs of halves, and its inverse transposed. */
static void turning(double G[DK][DK], double T_[DK][DK])
{
    memset(G, 0, sizeof(double[DK][DK]));
    memset(T_, 0, sizeof(double[DK][DK]));
    for (long i = 0; i < DK / 2; i++) {
        const double re = 1 + 0.3 * (double)i, im = 0.7 - 0.4 * (double)i, size = re * re + im * im;
        const long j = i + DK / 2;
        G[i][i] = G[j][j] = re, G[i][j] = im, G[j][i] = -im;
        T_[i][i] = T_[j][j] = re / size, T_[i][j] = im / size, T_[j][i] = -im / size;
    }
}

START_TEST(gauges_of_heads)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    double G[DK][DK], inverse_transposed[DK][DK];
    turning(G, inverse_transposed);
    float *Q = of(&s, "model.layers.0.self_attn.q_proj.weight"), *K = of(&s, "model.layers.0.self_attn.k_proj.weight");
    right(K, WIDTH, 1, G);                                              /* read by query heads 2 and 3 */
    right(Q, WIDTH, 2, inverse_transposed);
    expect("", A, saved_llama(&s, false), 1, "the heads of layer 0 are no image of A's");
    right(Q, WIDTH, 3, inverse_transposed);
    char *B = saved_llama(&s, false), *file = temp_path(temp_folder(), "c.json");
    expect("", A, B, 0, "with gauges of 1 key heads and 0 heads or MLPs in another order");
    expect("", A, B, 0, "the same up to rounding, for all inputs");
    expect("", A, B, 0, "rounding to B's coarsest type alone may move it by 5.96e-08");
    expect(temp_format("-o %s", file), A, B, 0, "the same up to rounding");
    expect(temp_format("--certificate=%s", file), A, B, 0, "holds: each number of B is at most");
    gradients_correspond(A, B, 12);
    double wrong[DK][DK] = { { 0 } };                                   /* orthogonal, but it mixes the pairs */
    for (long i = 0; i < DK; i++) wrong[i][i] = 1;
    wrong[0][0] = wrong[1][1] = 0.6, wrong[0][1] = 0.8, wrong[1][0] = -0.8;
    right(K, WIDTH, 0, wrong);
    right(Q, WIDTH, 0, wrong);
    right(Q, WIDTH, 1, wrong);
    expect("", A, saved_llama(&s, false), 1, "the heads of layer 0 are no image of A's");
    expect("--gradients", A, saved_llama(&s, false), 1, "nothing can correspond");
    safetensors_free(&s);
}
END_TEST

START_TEST(gradients)
{
    safetensors s = llama(false);
    double G[DK][DK], inverse_transposed[DK][DK];
    turning(G, inverse_transposed);
    char *path[2] = { saved_llama(&s, false), NULL };
    float *Q = of(&s, "model.layers.0.self_attn.q_proj.weight"), *K = of(&s, "model.layers.0.self_attn.k_proj.weight");
    right(K, WIDTH, 0, G);
    right(Q, WIDTH, 0, inverse_transposed);
    right(Q, WIDTH, 1, inverse_transposed);
    float *V_ = of(&s, "model.layers.1.self_attn.v_proj.weight"), *O = of(&s, "model.layers.1.self_attn.o_proj.weight");
    double H[DK][DK] = { { 0 } };
    for (long i = 0; i < DK; i++) H[i][i] = 2;
    H[0][1] = 1;
    right(V_, WIDTH, 1, H);                                             /* read by query heads 2 and 3 */
    for (long a = 2; a < 4; a++)
        for (long r = 0; r < WIDTH; r++) {                              /* H^-1: 1/2, and -1/4 at (0, 1) */
            float *x = O + r * WIDTH + a * DK;
            x[0] = 0.5f * x[0] - 0.25f * x[1];
            for (long i = 1; i < DK; i++) x[i] *= 0.5f;
        }
    path[1] = saved_llama(&s, false);
    safetensors_free(&s);
    weights w[2] = { weights_open(path[0]), weights_open(path[1]) };
    transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
    structure t = structure_of(&D[0], &D[1], NULL);
    gauge_found g = gauge_between(&D[0], &D[1], &t, 200);
    ck_assert_msg(g.found && g.gauges == 2 && g.distance < 1e-6, "%s", g.why ? g.why : "");
    gradient_gap gap[GRADIENT_ROLES];
    const token_list list = { 4, (long[]){ 3, 1, 4, 1 }, NULL, 0 };
    ck_assert_int_eq(gradients_between(&D[0], &D[1], &g, false, 256, &list, 3, gap), 12);
    for (int k = 0; k < 12; k++) {
        const double size = fabs(gap[k].of_a) + fabs(gap[k].of_b), off = fabs(gap[k].of_a - gap[k].of_b);
        ck_assert_msg(size > 1e-3 && off <= gap[k].tolerance && gap[k].tolerance < 1e-3 * size, "%d: %g %g %g", k, gap[k].of_a, gap[k].of_b, gap[k].tolerance);
    }
    const gauge_found none = { .found = true };                         /* the directions as they are do not correspond */
    gradients_between(&D[0], &D[1], &none, false, 256, &list, 3, gap);
    for (int k = 0; k < 12; k++)
        ck_assert((fabs(gap[k].of_a - gap[k].of_b) > 100 * gap[k].tolerance) == (gap[k].role >= ROLE_Q && gap[k].role <= ROLE_O));
    gauge_found_free(&g);
    structure_free(&t);
    for (int m = 0; m < 2; m++) {
        transformer_free(&D[m]);
        weights_close(&w[m]);
    }
}
END_TEST

/* The gradient of an embedding that is also the head has both parts. */
START_TEST(gradients_of_a_tied_head)
{
    safetensors s = gpt2();
    char *path[2] = { saved(&s, gpt2_config), NULL };
    float *E = of(&s, "wte.weight"), *head = must_calloc((size_t)V * WIDTH, sizeof *head);
    memcpy(head, E, (size_t)V * WIDTH * sizeof *head);
    safetensors_tensor(&s, "lm_head.weight", 2, (long[]){ V, WIDTH }, head);
    free(head);
    json_t *config = json_loads(gpt2_config, 0, NULL);
    json_object_set_new(config, "tie_word_embeddings", json_false());
    char *text = json_dumps(config, 0);
    path[1] = saved(&s, text);
    const token_list list = { 4, (long[]){ 3, 1, 4, 1 }, NULL, 0 };
    const gauge_found none = { .found = true };
    double of_embedding[2];
    for (int k = 0; k < 2; k++) {
        weights w = weights_open(path[k]);
        transformer D = transformer_of(&w);
        gradient_gap gap[GRADIENT_ROLES];
        ck_assert_int_eq(gradients_between(&D, &D, &none, true, 256, &list, 3, gap), 20 + k);
        ck_assert(gap[0].role == ROLE_EMBED && gap[0].of_a == gap[0].of_b);
        of_embedding[k] = gap[0].of_a;
        transformer_free(&D);
        weights_close(&w);
    }
    ck_assert_msg(fabs(of_embedding[0] - of_embedding[1]) > 0.1, "%g %g", of_embedding[0], of_embedding[1]);
    free(text);
    json_decref(config);
    safetensors_free(&s);
}
END_TEST

START_TEST(gauges_of_values_and_orders_of_neurons)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    float *V_ = of(&s, "model.layers.1.self_attn.v_proj.weight"), *O = of(&s, "model.layers.1.self_attn.o_proj.weight");
    for (long i = 0; i < DK; i++)                                       /* H = 2 P: exact */
        for (long c = 0; c < WIDTH; c++) V_[i * WIDTH + c] *= i % 2 ? -2 : 4;
    for (long r = 0; r < WIDTH; r++)
        for (long i = 0; i < 2 * DK; i++) O[r * WIDTH + i] *= i % DK % 2 ? -0.5f : 0.25f;
    float *part[] = { of(&s, "model.layers.1.mlp.up_proj.weight"), of(&s, "model.layers.1.mlp.gate_proj.weight") };
    for (int k = 0; k < 2; k++)
        for (long c = 0; c < WIDTH; c++) {
            const float keep = part[k][3 * WIDTH + c];
            part[k][3 * WIDTH + c] = part[k][11 * WIDTH + c];
            part[k][11 * WIDTH + c] = keep;
        }
    expect("", A, saved_llama(&s, false), 1, "B was not found to be an image of A");     /* down is as it was */
    float *down = of(&s, "model.layers.1.mlp.down_proj.weight");
    for (long r = 0; r < WIDTH; r++) {
        const float keep = down[r * M + 3];
        down[r * M + 3] = down[r * M + 11];
        down[r * M + 11] = keep;
    }
    expect("", A, saved_llama(&s, false), 0, "the same function for all inputs: B is an image of A under symmetries, number by number");
    expect("", A, saved_llama(&s, false), 0, "with gauges of 1 key heads and 1 heads or MLPs in another order");
    gradients_correspond(A, saved_llama(&s, false), 12);
    O[0] *= 1 + 0x1p-20f;                                               /* nearly: not the same function */
    char *said, *B = saved_llama(&s, false);
    ck_assert(verify("", A, B, &said) >= 0 && !strstr(said, "for all inputs: B is"));
    safetensors_free(&s);
}
END_TEST

/* ---- other bases of the residual stream -------------------------------------------------------------------------- */

/* Theta = I + u v', Theta^-1 = I - u v' / (1 + v'u).  n vectors of WIDTH numbers, `next` apart, their numbers `step`. */
typedef struct { double u[WIDTH], v[WIDTH]; } one_direction;

static void vectors(const one_direction *t, float *x, long n, long next, long step, bool reads)
{
    double vu = 1;
    for (long i = 0; i < WIDTH; i++) vu += t->u[i] * t->v[i];
    for (long k = 0; k < n; k++) {
        double along = 0;
        for (long i = 0; i < WIDTH; i++) along += (reads ? t->v[i] : t->u[i]) * x[k * next + i * step];
        for (long i = 0; i < WIDTH; i++)
            x[k * next + i * step] = (float)(x[k * next + i * step] + (reads ? -t->u[i] / vu : t->v[i]) * along);
    }
}

static const char bare_config[] = "{\"model_type\":\"gpt2\",\"n_embd\":32,\"n_layer\":2,\"n_head\":4,\"n_inner\":40,"
    "\"n_positions\":64,\"vocab_size\":24,\"layer_norm_epsilon\":1e-05,\"activation_function\":\"gelu_new\","
    "\"tie_word_embeddings\":false,\"provably\":{\"norm\":\"none\"}}";

static safetensors without(const safetensors *s, const char *part);

/* No norms and a head of its own. */
static safetensors bare(void)
{
    safetensors all = gpt2(), s = without(&all, "ln_");
    safetensors_free(&all);
    add(&s, "lm_head.weight", V, WIDTH, 1 / sqrt(WIDTH), 0);
    return s;
}

/* Another basis and, with c, a shift of the stream: positions take it, biases give it back. */
static void another_basis(safetensors *s, const one_direction *t, const double *c)
{
    vectors(t, of(s, "wte.weight"), V, WIDTH, 1, false);
    vectors(t, of(s, "wpe.weight"), T, WIDTH, 1, false);
    for (long r = 0; c && r < T; r++) for (long i = 0; i < WIDTH; i++) of(s, "wpe.weight")[r * WIDTH + i] += (float)c[i];
    for (long i = 0; i < L; i++) {
        float *read[] = { of(s, PART("attn.c_attn.weight")), of(s, PART("mlp.c_fc.weight")) };
        float *bias[] = { of(s, PART("attn.c_attn.bias")), of(s, PART("mlp.c_fc.bias")) };
        for (int k = 0; k < 2; k++) {
            const long n = k ? M : 3 * WIDTH;
            vectors(t, read[k], n, 1, n, true);
            for (long j = 0; c && j < n; j++) for (long r = 0; r < WIDTH; r++) bias[k][j] -= (float)(c[r] * read[k][r * n + j]);
        }
        vectors(t, of(s, PART("attn.c_proj.weight")), WIDTH, WIDTH, 1, false);
        vectors(t, of(s, PART("attn.c_proj.bias")), 1, WIDTH, 1, false);
        vectors(t, of(s, PART("mlp.c_proj.weight")), M, WIDTH, 1, false);
        vectors(t, of(s, PART("mlp.c_proj.bias")), 1, WIDTH, 1, false);
    }
    vectors(t, of(s, "lm_head.weight"), V, WIDTH, 1, true);
    double *head = must_calloc(V, sizeof *head);
    for (long j = 0; c && j < V; j++) for (long i = 0; i < WIDTH; i++) head[j] -= c[i] * of(s, "lm_head.weight")[j * WIDTH + i];
    if (c) {
        float *x = must_calloc(V, sizeof *x);
        for (long j = 0; j < V; j++) x[j] = (float)head[j];
        safetensors_tensor(s, "lm_head.bias", 1, (long[]){ V }, x);
        free(x);
    }
    free(head);
}

static one_direction direction(void)
{
    one_direction t;
    for (long i = 0; i < WIDTH; i++) {
        t.u[i] = 0.3 * sin(1 + 3.0 * (double)i);
        t.v[i] = 0.4 * cos(2 + 5.0 * (double)i);
    }
    return t;
}

static double distance_of(const json_t *o) { return json_real_value(at(o, "image.distance")); }

/* Scores so large that balls of 53 bits do not tell which tokens are attended to. */
START_TEST(bits_are_added)
{
    safetensors s = llama(false);
    float *x = of(&s, "model.layers.0.self_attn.q_proj.weight");
    for (long k = 0; k < WIDTH * WIDTH; k++) x[k] *= 0x1p60f;
    char *A = saved_llama(&s, false);
    expect("--certified --bits=53", A, A, 0, "in balls of 106 bits");
    expect("--certified --bits=106", A, A, 0, "in balls of 106 bits");
    expect("--certified --bits=4000 --length=2", A, A, 0, "in balls of 4000 bits");
    safetensors_free(&s);
    s = bare();                          /* no norm says that something is too wide */
    x = of(&s, "h.0.attn.c_attn.weight");
    for (long r = 0; r < WIDTH; r++) for (long c = 0; c < WIDTH; c++) x[r * 3 * WIDTH + c] *= 0x1p60f;
    A = saved(&s, bare_config);
    expect("--certified --bits=53", A, A, 0, "in balls of 106 bits");
    safetensors_free(&s);
}
END_TEST

START_TEST(another_basis_of_the_stream)
{
    safetensors s = bare();
    char *A = saved(&s, bare_config);
    const one_direction t = direction();
    another_basis(&s, &t, NULL);
    char *B = saved(&s, bare_config), *file = temp_path(temp_folder(), "c.json");
    expect("", A, B, 0, "A has an exact image, in another basis of the residual stream, with gauges of 0 key heads");
    expect("", A, B, 0, "that image is the same function, B is its rounding");
    expect("", A, B, 0, "the same up to rounding, for all inputs");
    char *said;
    ck_assert(verify("", A, B, &said) == 0 && !strstr(said, "the same function for all inputs: "));
    json_t *o = of_json("", A, B, 0);
    ck_assert_msg(distance_of(o) > 0x1p-26 && distance_of(o) < 0x1p-20, "%g", distance_of(o));
    ck_assert(json_integer_value(at(o, "image.stream_bases")) == 1 && json_is_false(at(o, "image.gains_folded")));
    json_decref(o);
    expect(temp_format("-o %s", file), A, B, 0, "Answer");
    expect(temp_format("--certificate=%s", file), A, B, 0, "holds: each number of B is at most");
    gradients_correspond(A, B, 15);
    safetensors other = bare();                                         /* with a shift, and a gauge of one head */
    double c[WIDTH];
    for (long i = 0; i < WIDTH; i++) c[i] = 0.2 * sin(7.0 * (double)i);
    another_basis(&other, &t, c);
    for (long r = 0; r < WIDTH; r++) for (long i = 0; i < DK; i++) of(&other, "h.1.attn.c_attn.weight")[r * 3 * WIDTH + 2 * WIDTH + i] *= 4;
    for (long i = 0; i < DK; i++) of(&other, "h.1.attn.c_attn.bias")[2 * WIDTH + i] *= 4;
    for (long i = 0; i < DK * WIDTH; i++) of(&other, "h.1.attn.c_proj.weight")[i] *= 0.25f;
    expect("", A, saved(&other, bare_config), 0, "in another basis of the residual stream, with gauges of 1 key heads");
    gradients_correspond(A, saved(&other, bare_config), 15);
    of(&other, "h.0.mlp.c_fc.bias")[5] += 0.01f;                        /* one number that the shift does not explain */
    expect("", A, saved(&other, bare_config), 1, "parts are images of A's, but not: layer 0, b_up, h.0.mlp.c_fc.bias, is");
    of(&s, "h.1.attn.c_attn.weight")[2 * WIDTH + 9] *= 1.01f;
    expect("", A, saved(&s, bare_config), 1, "in another basis of the residual stream 26 of 27 parts are images of A's, but not: layer 1, W_V, "
           "h.1.attn.c_attn.weight, is");
    of(&s, "h.1.attn.c_attn.weight")[2 * WIDTH + 9] /= 1.01f;
    of(&s, "lm_head.weight")[77] += 0.02f;
    expect("", A, saved(&s, bare_config), 1, "but not: head, lm_head.weight, is");
    o = of_json("", A, saved(&s, bare_config), 1);
    ck_assert(json_is_false(at(o, "image.found")) && json_is_null(at(o, "image.distance")));
    json_decref(o);
    safetensors_free(&s);
    safetensors_free(&other);
}
END_TEST

/* As `provably reduce` makes W_Q = I, b_Q = 0 in layer 1: all else rounded, these exact. */
START_TEST(a_query_that_became_the_identity)
{
    safetensors s = bare();
    char *A = saved(&s, bare_config), *B = temp_path(temp_folder(), "b"), output[4096];
    ck_assert_msg(run_command(output, sizeof output, "%s/provably reduce --apply=one-query %s -o %s", build_folder(), A, B) == 0, "%s", output);
    temp_text(B, "config.json", bare_config);
    json_t *o = of_json("", A, B, 0);
    ck_assert_msg(json_is_true(at(o, "image.found")) && distance_of(o) < 0x1.1p-23, "%g", distance_of(o));
    ck_assert_int_eq(json_integer_value(at(o, "image.stream_bases")), 1);
    json_decref(o);
    gradients_correspond(A, B, 15);
    safetensors_free(&s);
}
END_TEST

/* Readers' gains are folded, then all turns by I - 2 u u' / u'u. */
static void turn(safetensors *s, bool orthogonal)
{
    one_direction t = direction();
    double size = 0;
    for (long i = 0; i < WIDTH; i++) size += t.u[i] * t.u[i];
    for (long i = 0; i < WIDTH; i++) t.v[i] = -(orthogonal ? 2 : 1.9) * t.u[i] / size;
    vectors(&t, of(s, "model.embed_tokens.weight"), V, WIDTH, 1, false);
    static const struct { const char *name, *gain; long rows; } reads[] = {
        { "self_attn.q_proj", "input_layernorm", WIDTH }, { "self_attn.k_proj", "input_layernorm", KV * DK },
        { "self_attn.v_proj", "input_layernorm", KV * DK }, { "mlp.gate_proj", "post_attention_layernorm", M },
        { "mlp.up_proj", "post_attention_layernorm", M } };
    for (long i = 0; i < L; i++) {
        for (size_t k = 0; k < COUNT(reads); k++) {
            float *x = of(s, temp_format("model.layers.%ld.%s.weight", i, reads[k].name));
            times_gain(x, reads[k].rows, of(s, temp_format("model.layers.%ld.%s.weight", i, reads[k].gain)));
            vectors(&t, x, reads[k].rows, WIDTH, 1, true);
        }
        ones(of(s, temp_format("model.layers.%ld.input_layernorm.weight", i)));
        ones(of(s, temp_format("model.layers.%ld.post_attention_layernorm.weight", i)));
        vectors(&t, of(s, temp_format("model.layers.%ld.self_attn.o_proj.weight", i)), WIDTH, 1, WIDTH, false);
        vectors(&t, of(s, temp_format("model.layers.%ld.mlp.down_proj.weight", i)), M, 1, M, false);
    }
    times_gain(of(s, "lm_head.weight"), V, of(s, "model.norm.weight"));
    ones(of(s, "model.norm.weight"));
    vectors(&t, of(s, "lm_head.weight"), V, WIDTH, 1, true);
}

START_TEST(a_stream_that_turns)
{
    safetensors s = llama(false), other = llama(false);
    char *A = saved_llama(&s, false);
    turn(&s, true);
    char *B = saved_llama(&s, false);
    expect("", A, B, 0, "in another basis of the residual stream, with the gains of the norms multiplied into the matrices behind them, with "
           "gauges of 0 key heads");
    expect("", A, B, 0, "for all inputs: each number of B is within");
    gradients_correspond(A, B, 12);
    of(&s, "model.layers.0.mlp.down_proj.weight")[3] += 0.01f;
    expect("", A, saved_llama(&s, false), 1, "but not: layer 0, down, model.layers.0.mlp.down_proj.weight, is");
    turn(&other, false);                                                /* no rotation: RMSNorm sees it */
    expect("", A, saved_llama(&other, false), 1, "B was not found to be an image of A");
    expect("", A, saved_llama(&other, false), 1, "different: parts differ by more than rounding");
    safetensors_free(&s);
    safetensors_free(&other);
}
END_TEST

/* The rotation is one exactly, not as far as float32 can tell: else A* would be another function. */
START_TEST(the_rotation_is_exact)
{
    safetensors s = llama(false);
    char *path[2] = { saved_llama(&s, false), NULL };
    turn(&s, true);
    path[1] = saved_llama(&s, false);
    safetensors_free(&s);
    weights w[2] = { weights_open(path[0]), weights_open(path[1]) };
    transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
    arith R = arith_arb(128);
    stream_found f = stream_between(&D[0], &D[1], BASIS_OF_WRITERS, &R, 1e-5);
    ck_assert_msg(!f.why && f.bases == 1 && !f.in[0].shift, "%s", f.why ? f.why : "");
    const mat *off = mat_sub(&f.s, mat_mul(&f.s, mat_t(&f.s, f.in[0].write), f.in[0].write), mat_identity(&f.s, WIDTH));
    for (long i = 0; i < WIDTH; i++)
        for (long j = 0; j < WIDTH; j++) ck_assert(arith_arb_farthest(off, i, j, 0) < 0x1p-60);
    stream_found_free(&f);
    arith_close(&R);
    for (int m = 0; m < 2; m++) {
        transformer_free(&D[m]);
        weights_close(&w[m]);
    }
}
END_TEST

/* Coordinates 3 and 7 of the stream change places, 5 its sign: exact. */
static void swap_coordinates(float *x, long n, long next, long step, bool sign)
{
    for (long k = 0; k < n; k++) {
        const float keep = x[k * next + 3 * step];
        x[k * next + 3 * step] = x[k * next + 7 * step];
        x[k * next + 7 * step] = keep;
        if (sign) x[k * next + 5 * step] *= -1;
    }
}

START_TEST(a_signed_order_of_the_stream)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    for (long k = 0; k < s.tensors; k++) {
        const safetensor *t = &s.tensor[k];
        const bool writes = strstr(t->name, "o_proj") || strstr(t->name, "down_proj");
        if (t->rank == 1) swap_coordinates(t->x, 1, WIDTH, 1, false);
        else if (writes) swap_coordinates(t->x, t->shape[1], 1, t->shape[1], true);
        else swap_coordinates(t->x, t->shape[0], WIDTH, 1, true);
    }
    expect("", A, saved_llama(&s, false), 0, "the same function for all inputs: B is an image of A under symmetries, number by number");
    gradients_correspond(A, saved_llama(&s, false), 12);                /* B's gains are not 1 */
    of(&s, "model.layers.1.mlp.up_proj.weight")[3] *= 1 + 0x1p-20f;
    char *said;
    ck_assert(verify("", A, saved_llama(&s, false), &said) >= 0 && !strstr(said, "the same function for all inputs: "));
    of(&s, "model.norm.weight")[3] *= -1;                               /* a gain at the wrong place */
    expect("", A, saved_llama(&s, false), 1, "but not: head, lm_head.weight, is");
    safetensors_free(&s);
}
END_TEST

static safetensors without(const safetensors *s, const char *part)
{
    safetensors to = { .tensors = 0 };
    for (long k = 0; k < s->tensors; k++)
        if (!strstr(s->tensor[k].name, part))
            safetensors_tensor(&to, s->tensor[k].name, s->tensor[k].rank, s->tensor[k].shape, s->tensor[k].x);
    return to;
}

START_TEST(a_bias_is_missing)
{
    safetensors s = gpt2(), less = without(&s, "attn.c_proj.bias");
    char *A = saved(&s, gpt2_config), *B = saved(&less, gpt2_config);
    expect("", A, B, 1, "layer 0, b_O, h.0.attn.c_proj.bias: missing in B");
    expect("", B, A, 1, "layer 0, b_O, h.0.attn.c_proj.bias: extra in B");
    for (long i = 0; i < L; i++) memset(of(&s, temp_format("h.%ld.attn.c_proj.bias", i)), 0, WIDTH * sizeof(float));
    expect("", saved(&s, gpt2_config), B, 0, "missing in B: all its numbers are zero; the function is the same");
    safetensors_free(&s);
    safetensors_free(&less);
}
END_TEST

/* A gain of zeros is no missing bias: it makes all scores equal. */
START_TEST(gains_that_are_zero)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    for (long i = 0; i < L; i++) {
        add(&s, temp_format("model.layers.%ld.self_attn.q_norm.weight", i), 1, DK, 0, 0);
        add(&s, temp_format("model.layers.%ld.self_attn.k_norm.weight", i), 1, DK, 0, 0);
    }
    char *B = saved_llama(&s, false), *config = temp_read(B, "config.json", NULL), *at = strstr(config, "\"llama\"");
    temp_text(B, "config.json", temp_format("%.*s\"qwen3\"%s", (int)(at - config), config, at + strlen("\"llama\"")));
    expect("", A, B, 1, "different: parts differ by more than rounding");
    expect("", B, A, 1, "different: parts differ by more than rounding");
    safetensors_free(&s);
}
END_TEST

START_TEST(a_window)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false), *B = saved_llama(&s, false), *config = temp_read(A, "config.json", NULL);
    char *at = strstr(config, "\"llama\"");
    config = temp_format("%.*s\"mistral\"%s", (int)(at - config), config, at + strlen("\"llama\""));
    temp_text(B, "config.json", temp_format("{\"sliding_window\":4,%s", config + 1));
    expect("", A, B, 1, "a token sees 0 positions in A and 4 in B");
    temp_text(B, "config.json", temp_format("{\"sliding_window\":%d,%s", T, config + 1));    /* longer sequences have angles, too */
    expect("", A, B, 1, temp_format("a token sees 0 positions in A and %d in B", T));
    temp_text(B, "config.json", temp_format("{\"sliding_window\":null,%s", config + 1));
    expect("", A, B, 0, "the same function for all inputs");
    safetensors_free(&s);
}
END_TEST

/* ---- refused ----------------------------------------------------------------------------------------------------- */

START_TEST(what_cannot_be_compared)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false), *config = temp_read(A, "config.json", NULL), *B = saved_llama(&s, false);
    static const struct { const char *from, *to, *says; } lie[] = {
        { "\"llama\"", "\"gemma2\"", "does not say head_dim: put it there" },
        { "\"llama\"", "\"gemma3n_text\"", "gemma3n_text is not an architecture that is known here" },
        { "\"llama\"", "\"brandnew\"", "brandnew is not an architecture that is known here" },
        { "\"silu\"", "\"quick_gelu\"", "its activation is `quick_gelu`" },
        { "\"rope_theta\":10000.0", "\"rope_theta\":10000.0,\"rope_scaling\":{\"rope_type\":\"llama3\"}", "(rope_scaling)" },
        { "\"rope_theta\":10000.0", "\"rope_theta\":10000.0,\"logit_scale\":0.5", "its logits are scaled (logit_scale)" },
        { "\"vocab_size\":24", "\"vocab_size\":25", "tensor lm_head.weight is [24, 32], but [25, 32]" },
        { "\"num_attention_heads\":4", "\"num_attention_heads\":8", "model.layers.0.self_attn.k_proj.weight is [16, 32], but [8, 32]" },
    };
    for (size_t k = 0; k < COUNT(lie); k++) {
        const char *at = strstr(config, lie[k].from);
        ck_assert_ptr_nonnull(at);
        temp_text(B, "config.json", temp_format("%.*s%s%s", (int)(at - config), config, lie[k].to, at + strlen(lie[k].from)));
        const int status = strstr(lie[k].says, "tensor lm_head") || strstr(lie[k].says, "[8, 32]") ? 2 : 1;
        expect("", A, B, status, lie[k].says);
        expect("", B, A, status, lie[k].says);
        expect("", B, B, status == 2 ? 2 : 0, lie[k].says);             /* the same numbers, whatever they mean */
    }
    safetensors g = gpt2();
    char *C = saved(&g, gpt2_config);
    expect("", A, C, 1, "positions are rotary in A and learned in B");
    temp_text(C, "config.json", "{}");
    expect("", A, C, 1, "does not say what kind of model it is");
    safetensors_free(&g);
    of(&s, "model.layers.1.mlp.up_proj.weight")[7] = NAN;
    #define OF_NAN "%s/model.safetensors: tensor model.layers.1.mlp.up_proj.weight holds %s"
    char *damaged = saved_llama(&s, false);
    expect("", A, damaged, 2, temp_format(OF_NAN, damaged, "NaN"));
    of(&s, "model.layers.1.mlp.up_proj.weight")[7] = -INFINITY;
    damaged = saved_llama(&s, false);
    expect("", damaged, A, 2, temp_format(OF_NAN, damaged, "an infinity"));
    safetensors more = llama(false);
    add(&more, "model.layers.0.mtp_head.weight", WIDTH, WIDTH, 1, 0);
    expect("", A, saved_llama(&more, false), 1, "model.layers.0.mtp_head.weight: extra in B");
    safetensors_free(&more);
    safetensors_free(&s);
    s = llama(false);
    more = without(&s, "embed_tokens");                                 /* another vocabulary */
    safetensors head = without(&more, "lm_head");
    add(&head, "model.embed_tokens.weight", V + 6, WIDTH, 1, 0);
    add(&head, "lm_head.weight", V + 6, WIDTH, 1, 0);
    char *at = strstr(config, "\"vocab_size\":24");
    B = saved(&head, temp_format("%.*s\"vocab_size\":30%s", (int)(at - config), config, at + 15));
    expect("", A, B, 1, "B: 6 of 30 tokens are not in the other");
    expect("", A, B, 1, "embedding, model.embed_tokens.weight: different numbers");
    expect("", A, B, 1, "B has 6 more tokens, whose logits are not compared");
    expect("--up-to=argmax", A, B, 2, "--up-to=argmax asks about all tokens; leave it out");
    expect("--up-to=softmax", B, A, 2, "has a vocabulary of 30 and");
    expect("--certified --output=/tmp/none.json", A, B, 2, "certificates are about models that have the same");
    expect("--tokens=1,24", A, B, 2, "token 24 is not in the vocabulary of 24");
    safetensors_free(&head);
    safetensors_free(&more);
    safetensors_free(&s);
}
END_TEST

START_TEST(options_that_do_not_fit)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false);
    static const struct { const char *options, *says; } bad[] = {
        { "--tokens=1,24", "token 24 is not in the vocabulary of 24" }, { "--tokens=1,x", "is not a list of whole numbers" },
        { "--tokens=", "is an empty list" }, { "--tokens=1,2 --positions=3", "--positions has 1 numbers for 2 tokens" },
        { "--tokens=1,2 --positions=5,5", "positions must increase" }, { "--tokens=1 --positions=64", "position 64 is beyond the 64" },
        { "--positions=1", "--positions go with --tokens" }, { "--up-to=tokens", "--up-to takes one of" }, { "--bits=9", "--bits takes a whole number" },
        { "--tolerance=-1", "--tolerance takes a number" }, { "--tokens=@/no/such/file", "cannot" }, { "--base=/no/such/file", "cannot read" },
        { "-o x", "nothing is certified" }, { "--certificate=/no/such/file", "cannot" },
    };
    float *x = of(&s, "model.norm.weight");
    x[0] += 1;
    char *B = saved_llama(&s, false);
    for (size_t k = 0; k < COUNT(bad); k++) expect(bad[k].options, A, B, 2, bad[k].says);
    ck_assert(!temp_exists(NULL, "x"));
    safetensors_free(&s);
}
END_TEST

/* ---- what machines read ------------------------------------------------------------------------------------------ */

START_TEST(one_object)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false), *copy = saved_llama(&s, false);
    for (long k = 0; k < WIDTH; k++) of(&s, "model.layers.1.self_attn.v_proj.weight")[k] += 0.01f;
    char *B = saved_llama(&s, false), *certificate = temp_path(temp_folder(), "c.json");
    json_t *o = of_json(temp_format("--certified --length=6 -o %s", certificate), A, B, 1);
    ck_assert_str_eq(text_at(o, "answer"), "different");
    ck_assert_str_eq(text_at(o, "answer_is_about"), "all inputs");
    ck_assert(strstr(text_at(o, "because"), "parts differ by more than rounding: model.layers.1.self_attn.v_proj.weight") && json_integer_value(at(o, "exit_status")) == 1);
    ck_assert_str_eq(text_at(o, "relation"), "logits");
    ck_assert_str_eq(text_at(o, "tensors.first.tensor"), "model.layers.1.self_attn.v_proj.weight");
    ck_assert(json_integer_value(at(o, "tensors.first.layer")) == 1 && json_integer_value(at(o, "tensors.compared")) == 21);
    ck_assert_int_eq(json_array_size(at(o, "tensors.not_equal")), 1);
    ck_assert_str_eq(text_at(o, "on_tokens.first_stage.stage"), "attention");
    ck_assert_int_eq(json_integer_value(at(o, "on_tokens.first_stage.layer")), 1);
    ck_assert_int_eq(json_array_size(at(o, "on_tokens.stages")), 2 * L + 3);
    ck_assert_int_eq(json_array_size(at(json_array_get(at(o, "on_tokens.sequences"), 1), "positions")), 6);
    const double gap = json_real_value(at(o, "gap")), low = json_real_value(at(o, "certified.low")), high = json_real_value(at(o, "certified.high"));
    ck_assert_msg(gap > 0 && low > 0 && low <= gap * (1 + 1e-9) && high >= gap * (1 - 1e-9) && high < gap * (1 + 1e-9), "%g %g %g", low, gap, high);
    ck_assert(gap > json_real_value(at(o, "bound")) && json_is_false(at(o, "image.found")) && text_at(o, "image.why_not"));
    ck_assert_int_eq(json_array_size(at(o, "hypotheses")), 1);
    json_t *c = json_loads(temp_read(NULL, certificate, NULL), 0, NULL);          /* names the same files */
    ck_assert(c && json_equal(json_object_get(c, "A"), at(o, "A.files")) && json_equal(json_object_get(c, "B"), at(o, "B.files")));
    ck_assert(json_array_size(at(o, "B.files")) == 2);
    json_decref(c);
    json_decref(o);
    o = of_json("--up-to=softmax --gradients --length=4", A, copy, 0);
    ck_assert_str_eq(text_at(o, "answer"), "same");
    ck_assert_str_eq(text_at(o, "answer_is_about"), "all inputs");
    ck_assert_int_eq(json_array_size(at(o, "hypotheses")), 1);
    ck_assert(json_is_null(at(o, "certified")) && json_is_null(at(o, "image")) && json_is_null(at(o, "tensors.first")));
    ck_assert(json_is_null(at(o, "on_tokens.first_stage")) && json_is_true(at(o, "gradients.correspond")));
    ck_assert_int_eq(json_array_size(at(o, "gradients.derivatives")), 12);
    json_decref(o);
    o = of_json("--up-to=argmax", A, copy, 0);
    ck_assert(json_is_null(at(o, "gap")) && json_is_null(at(o, "gradients")));
    json_decref(o);
    safetensors_free(&s);
}
END_TEST

/* Five lines that say the same, and how many more there are; --all says all of them. */
START_TEST(many_tensors_that_differ)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false), output[20000];
    static const char *const parts[] = { "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "mlp.up_proj" };
    for (long i = 0; i < L; i++)
        for (size_t k = 0; k < COUNT(parts); k++) of(&s, temp_format("model.layers.%ld.%s.weight", i, parts[k]))[i + 3] += 1;
    for (long k = 0; k < WIDTH * WIDTH; k++) of(&s, "model.layers.1.self_attn.o_proj.weight")[k] *= 2;
    char *B = saved_llama(&s, false);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably verify --width=400 %s %s", build_folder(), A, B), 1);
    long lines = 0;
    for (const char *at_ = output; (at_ = strstr(at_, ": different numbers (gap")); at_++) lines++;
    ck_assert_msg(lines == 5 && strstr(output, "and 3 more: different numbers (--all lists them)"), "%ld lines: %s", lines, output);
    ck_assert_msg(strstr(output, "model.layers.1.self_attn.o_proj.weight: A's times 2"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably verify --all --width=400 %s %s", build_folder(), A, B), 1);
    lines = 0;
    for (const char *at_ = output; (at_ = strstr(at_, ": different numbers (gap")); at_++) lines++;
    ck_assert_msg(lines == 8 && !strstr(output, "more: different"), "%ld lines: %s", lines, output);
    safetensors_free(&s);
}
END_TEST

/* ---- texts ------------------------------------------------------------------------------------------------------- */

START_TEST(on_a_text)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false), *folder = temp_folder();
    text_buffer text = { 0 };
    for (long k = 0; k < 150; k++) text_add(&text, "%c", (int)('a' + k * 7 % V));        /* 24 letters, as many as tokens */
    char *file = temp_write(folder, "text", text.at, text.length);
    json_t *o = of_json(temp_format("--text=%s --chars=%s", file, file), A, A, 0);
    ck_assert_str_eq(text_at(o, "on_tokens.from"), "of the text");
    const json_t *lists = at(o, "on_tokens.sequences");                 /* 64 positions: 64 + 64 + 22 tokens */
    ck_assert_int_eq(json_array_size(lists), 3);
    for (size_t i = 0, k = 0; i < 3; i++) {
        const json_t *tokens = at(json_array_get(lists, i), "tokens");
        ck_assert_int_eq(json_array_size(tokens), i < 2 ? T : 150 - 2 * T);
        for (size_t j = 0; j < json_array_size(tokens); j++, k++) ck_assert_int_eq(json_integer_value(json_array_get(tokens, j)), text.at[k] - 'a');
    }
    json_decref(o);
    o = of_json(temp_format("--text=%s --chars=%s --length=60", file, file), A, A, 0);
    ck_assert_int_eq(json_array_size(at(json_array_get(at(o, "on_tokens.sequences"), 0), "tokens")), 60);
    json_decref(o);
    expect(temp_format("--text=%s --chars=%s", file, file), A, A, 0, "3 sequences (of the text), 150 tokens, positions up to 63");
    expect(temp_format("--text=%s", file), A, A, 2, "the models have a vocabulary of 24, not 256");
    expect(temp_format("--text=%s --chars=%s", temp_text(folder, "z", "abz"), file), A, A, 2, "does not know the character `z`");
    expect(temp_format("--text=%1$s --chars=%1$s", temp_path(folder, "z")), A, A, 2, "a vocabulary of 24, not 3");
    expect(temp_format("--text=%s --chars=%s", temp_text(folder, "empty", ""), file), A, A, 2, "is empty");
    expect("--text=/no/such/file", A, A, 2, "vocabulary of 24");
    expect("--text=x --tokens=1", A, A, 2, "--text and --tokens exclude each other");
    expect("--chars=x", A, A, 2, "--bpe and --chars go with --text");
    expect("--json --certificate=x", A, A, 2, "--json is about two files");
    text_clear(&text);
    safetensors_free(&s);
}
END_TEST

/* ---- progress ---------------------------------------------------------------------------------------------------- */

typedef struct { double last; long calls; bool falls; } told;
static void hear(void *with, double share)
{
    told *t = with;
    t->falls = t->falls || share < t->last;
    t->last = share;
    t->calls++;
}

START_TEST(shares_of_the_work)
{
    safetensors s = llama(false);
    char *path = saved_llama(&s, false), output[4096];
    weights w = weights_open(path);
    transformer D = transformer_of(&w);
    const token_list lists[] = { { 3, (long[]){ 1, 2, 3 }, NULL, 0 }, { 2, (long[]){ 1, 2 }, NULL, 1 } };
    told t = { 0 };
    token_gaps g = compare_on_tokens(&D, &D, &(structure){ .n = 0 }, 2, lists, 1, (compare_watch){ hear, &t, 0 });
    token_gaps_free(&g);
    ck_assert_msg(!t.falls && t.calls > 50 && fabs(t.last - 1) < 1e-9, "%ld calls, %.17g", t.calls, t.last);
    t = (told){ 0 };
    compare_certified(&D, &D, 64, 2, lists, (compare_watch){ hear, &t, 0 });
    ck_assert_msg(!t.falls && t.calls > 20 && fabs(t.last - 1) < 1e-9, "%ld calls, %.17g", t.calls, t.last);
    transformer_free(&D);
    weights_close(&w);
    run_command(output, sizeof output, "%s/provably verify %s %s", build_folder(), path, path);
    ck_assert_msg(!strchr(output, '\r'), "%s", output);                 /* quiet in a pipe */
    int from;
    const pid_t child = forkpty(&from, NULL, NULL, NULL);
    if (child < 0) ck_abort_msg("cannot start a process");     /* an assertion would be the child's, too */
    if (child == 0) {
        unsetenv("CI");
        progress line = progress_begin(PROGRESS_TERMINAL, "comparing");
        line.begun -= 60;                                               /* a minute ago */
        progress_share(&line, 0.5);
        progress_share(&line, 0.6);                                         /* too soon to be shown */
        progress_clear(&line);
        _exit(0);
    }
    size_t used = 0;
    for (ssize_t n; used + 1 < sizeof output && (n = read(from, output + used, sizeof output - 1 - used)) > 0; ) used += (size_t)n;
    output[used] = '\0';
    close(from);
    waitpid(child, NULL, 0);
    ck_assert_msg(strstr(output, "\rcomparing\033[K\rcomparing  50 %  1 min 00 s left\033[K\r\033[K") == output, "%s", output);
    ck_assert_msg(!strstr(output, "60 %"), "%s", output);
    safetensors_free(&s);
}
END_TEST

/* ---- certificates ------------------------------------------------------------------------------------------------ */

START_TEST(certificates)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false), *copy = saved_llama(&s, false), *file = temp_path(temp_folder(), "c.json");
    for (long k = 0; k < KV * DK * WIDTH; k++) of(&s, "model.layers.1.self_attn.v_proj.weight")[k] *= 3;       /* a gauge, rounded */
    for (long k = 0; k < WIDTH * WIDTH; k++) of(&s, "model.layers.1.self_attn.o_proj.weight")[k] /= 3;
    char *B = saved_llama(&s, false);
    expect(temp_format("-o %s", file), A, copy, 0, "the same function for all inputs");
    const char *again = temp_format("--certificate=%s", file);
    expect(again, A, copy, 0, "holds: all parts of the two models hold the same numbers");
    expect(again, A, B, 2, "is about other files: the SHA-256 of B, model.safetensors");
    verify(temp_format("--certified -o %s", file), A, B, &(char *){ NULL });
    expect(again, A, B, 0, "holds: on its 2 token sequences, and for no others, the gap of the logits is at most");
    char *text = temp_read(NULL, file, NULL), *at = strstr(text, "\"high\": ");
    ck_assert_msg(at && strstr(text, "and for no others"), "%s", text);
    temp_text(NULL, file, temp_format("%.*s\"high\": 1e-30}", (int)(at - text), text));
    expect(again, A, B, 1, "not confirmed");
    temp_text(NULL, file, temp_format("%.*s\"high\": -1}", (int)(at - text), text));
    expect(again, A, B, 2, "missing or damaged");
    temp_text(NULL, file, "{");
    expect(again, A, B, 2, "it should be a certificate");
    temp_text(NULL, file, "{\"provably\":\"verify 2\"}");
    expect(again, A, B, 2, "does not name the files of A");
    temp_text(NULL, file, "{\"provably\":\"verify 1\"}");
    expect(again, A, B, 2, "is not a certificate");
    temp_text(NULL, file, temp_format("{ \"same numbers\": \"a lie\",%s", text + 1));
    expect(again, A, B, 1, "not confirmed: all parts of the two models hold the same numbers");
    at = strstr(text, "\"distance\": ");
    ck_assert_ptr_nonnull(at);
    static const struct { const char *says; int status; const char *answer; } lie[] = {
        { "\"distance\": 1e-30, \"units\": 1", 1, "not confirmed: each number of B is at most" },
        { "\"distance\": 1e-3, \"units\": 1e-9", 1, "not confirmed: each number of B is at most" },
        { "\"distance\": 1e-3", 2, "`units` is missing" }, { "\"distance\": 1e-3, \"units\": 16.5", 2, "is vacuous" },
        { "\"distance\": 0.07, \"units\": 16", 2, "is vacuous: a distance of 0.07 of the largest number, 16 units" } };
    for (size_t k = 0; k < COUNT(lie); k++) {
        temp_text(NULL, file, temp_format("%.*s%s }", (int)(at - text), text, lie[k].says));
        expect(again, A, B, lie[k].status, lie[k].answer);
    }
    safetensors_free(&s);
}
END_TEST

/* No certificate replaces what was read, whoever read it. */
START_TEST(a_certificate_replaces_nothing)
{
    safetensors s = llama(false);
    char *A = saved_llama(&s, false), *B = saved_llama(&s, false), *base = saved_llama(&s, false);
    char *list = temp_text(temp_folder(), "list", "1,2,3");
    const char *options = temp_format("--base=%s --tokens=@%s", base, list);
    char *const read[] = { temp_path(A, "model.safetensors"), temp_path(A, "config.json"), temp_path(B, "model.safetensors"),
                           temp_path(B, "config.json"), temp_path(base, "model.safetensors"), temp_path(base, "config.json"), list };
    for (size_t k = 0; k < COUNT(read); k++) {
        size_t n, m;
        const char *before = temp_read(NULL, read[k], &n);
        expect(temp_format("%s -o %s", options, read[k]), A, B, 2, temp_format("cannot write %s: it is what is read", read[k]));
        const char *after = temp_read(NULL, read[k], &m);
        ck_assert_msg(n == m && memcmp(before, after, n) == 0, "%s", read[k]);
    }
    safetensors_free(&s);
}
END_TEST

/* A model is replaced while it is compared, here between its opening and that of the list of tokens: the certificate
 * names the bytes that were compared, not those that have their name by now. */
START_TEST(certificates_name_what_was_compared)
{
    char output[20000];
    safetensors s = llama(false);
    char *A = saved_llama(&s, false), *copy = saved_llama(&s, false), *keep = saved_llama(&s, false), *folder = temp_folder();
    of(&s, "model.layers.1.self_attn.v_proj.weight")[3] *= 1 + 0x1p-20f;
    char *other = saved_llama(&s, false), *file = temp_path(folder, "c.json");
    temp_text(other, "config.json", temp_format("%s\n", temp_read(other, "config.json", NULL)));
    ck_assert_int_eq(run_command(output, sizeof output, "(sleep 2; mv %s/* %s/; echo 1,2,3) | timeout 60 %s/provably verify %s %s --tokens=@/dev/stdin -o %s",
                                 other, copy, build_folder(), A, copy, file), 0);
    expect(temp_format("--certificate=%s", file), A, keep, 0, "holds: all parts of the two models hold the same numbers");
    expect(temp_format("--certificate=%s", file), A, copy, 2, "is about other files");
    safetensors_free(&s);
}
END_TEST

/* ---- some lines at a time ---------------------------------------------------------------------------------------- */

enum { SIDE = 9, CHANGES = 16 };

/* y: what `change` makes of x (rows x cols, in x out). */
static relation_kind changed(int change, long rows, long cols, float *x, float *y)
{
    const uint64_t key[2] = { 23, (uint64_t)change };
#define Y(r, c) y[(r) * cols + (c)]
#define X(r, c) x[(r) * cols + (c)]
    for (long k = 0; k < rows * cols; k++) y[k] = x[k] = (float)((double)random_gauss24(key, (uint64_t)k) * 0x1p-25);
    if (change == 8) X(0, 7) = X(7, 0) = 1e6f;                        /* two are largest, not as much larger in B */
    if (change == 13) X(1, 1) = 0;
    if (change == 9) memcpy(&X(4, 0), &X(2, 0), (size_t)cols * sizeof *x);           /* a row twice           */
    for (long r = 0; r < rows; r++)
        for (long c = 0; c < cols; c++) {
            const double a = (double)X(r, c);
            switch (change) {
            case 1: X(r, c) = r == 5 && c == 6 ? 0.0f : X(r, c); Y(r, c) = r == 5 && c == 6 ? -0.0f : X(r, c); break;
            case 2: Y(r, c) = fabs(frexp(a, &(int){ 0 })) > 0.95 ? nextafterf(X(r, c), 0) : X(r, c); break;
            case 3: Y(r, c) = ldexpf(rintf(ldexpf(X(r, c), 7 - ilogbf(X(r, c)))), ilogbf(X(r, c)) - 7); break;
            case 4: if (rows == cols) Y(c, r) = X(r, c); break;
            case 5: Y(r, c) = X(r, c) + 1; break;
            case 6: Y(r, c) = X(r < rows - 2 ? r + 2 : r, c); break;
            case 7: Y(r, c) = (float)(a * 3.7); break;
            case 8: Y(r, c) = (float)(a * (c == 7 ? 3.7 : 3.7 * (1 + 0x1p-23))); break;
            case 9: Y(r, c) = X((r + 3) % rows, c); break;
            case 10: Y(r, c) = (float)(a * (1.5 + (double)r / 8)); break;
            case 11: Y(r, c) = (float)(a * (1.5 + (double)c / 8)); break;
            case 12: Y(r, c) = (float)(a + 0.25 * (double)(r + 1)); break;
            case 13: Y(r, c) = r == 1 && (c * 5 + 2) % cols == 1 ? -0.0f : X(r, (c * 5 + 2) % cols); break;
            case 14: Y(r, c) = r == rows - 1 && c == cols - 1 ? X(r, c) + 1 : X(r, (c + 1) % cols); break;
            case 15: Y(r, c) = -X(rows - 1 - r, c); break;
            default: break;
            }
        }
#undef X
#undef Y
    static const relation_kind is[CHANGES] = { RELATION_EQUAL, RELATION_ROUNDED, RELATION_ROUNDED, RELATION_COARSER,
        RELATION_TRANSPOSED, RELATION_OFFSET, RELATION_SHIFTED, RELATION_SCALED, RELATION_SCALED, RELATION_PERMUTED,
        RELATION_ROWS_SCALED, RELATION_COLUMNS_SCALED, RELATION_CONSTANTS, RELATION_PERMUTED, RELATION_NONE, RELATION_NONE };
    return is[change];
}

static relation_hints hints_for(int change)
{
    return (relation_hints){ .gain = change == 5, .positions = change == 6, .constants = change == 12 };
}

/* What is found does not depend on how many lines are in memory, nor on whether these are rows or columns. */
START_TEST(lines_at_once)
{
    float x[SIDE * 12], y[SIDE * 12], z[2][SIDE * 12];
    double of[2][SIDE * 12];
    for (int change = 0; change < CHANGES; change++)
        for (long cols = SIDE; cols <= 12; cols += 3) {
            const long rows = SIDE, n = rows * cols;
            const relation_kind kind = changed(change, rows, cols, x, y);
            const relation_hints h = hints_for(change);
            for (long k = 0; k < n; k++) of[0][k] = (double)x[k], of[1][k] = (double)y[k];
            weight_matrix whole[2];
            for (int m = 0; m < 2; m++) whole[m] = weight_matrix_whole(rows, cols, of[m], NUMBERS_F32);
            related all = relation_of(&whole[0], &whole[1], &h);
            if (change != 4 || cols == rows) ck_assert_msg(all.kind == kind, "%d: %d, %s", change, (int)all.kind, all.text);
            for (int turned = 0; turned < 2; turned++)
                for (long most = 1; most <= 13; most += most < 4 ? 1 : 3) {
                    weight_tensor t[2];
                    weight_matrix some[2];
                    for (int m = 0; m < 2; m++) {
                        const float *from = m ? y : x;
                        for (long k = 0; k < n; k++) z[m][k] = turned ? from[k % rows * cols + k / rows] : from[k];
                        t[m] = (weight_tensor){ .name = "t", .numbers = NUMBERS_F32, .n = (size_t)n, .at = (unsigned char *)z[m] };
                        const long lines = turned ? cols : rows;
                        const tensor_lines at = { .t = &t[m], .lines = lines, .wide = n / lines, .turned = turned, .pitch = n / lines, .group = lines };
                        some[m] = (weight_matrix){ .rows = rows, .cols = cols, .type = NUMBERS_F32, .from = at,
                                                   .turned = turned, .most = most, .x = must_calloc((size_t)(n + 13 * 12), sizeof(double)) };
                    }
                    related r = relation_of(&some[0], &some[1], &h);
                    ck_assert_msg(r.kind == all.kind && r.gap == all.gap && strcmp(r.text, all.text) == 0,
                                  "%d, %ld lines, turned %d: %s, not %s; %g, not %g", change, most, turned, r.text, all.text, r.gap, all.gap);
                    free(r.text);
                    for (int m = 0; m < 2; m++) weight_matrix_free(&some[m]);
                }
            free(all.text);
        }
}
END_TEST

static uint64_t tagged(uint64_t of, uint64_t bits)
{
    of = (of ^ bits) * 0x9e3779b97f4a7c15;
    return of ^ of >> 32;
}

/* Two rows with the tag of another two, by which relation.c sorts: they are no order of these. */
START_TEST(equal_tags)
{
    double a[4] = { 1, 2, 3, 4 }, b[4] = { 3, 4, 0, 0 };
    const uint64_t two = 0x4000000000000000, one = 0x3ff0000000000000;
    uint64_t bits = 0;
    for (uint64_t other = 0x3ff8000000000000; !isnormal(b[3]) || bits >> 63; other++) {
        bits = tagged(0, one) ^ two ^ tagged(0, other);
        memcpy(&b[2], &other, 8);
        memcpy(&b[3], &bits, 8);
        ck_assert_uint_eq(tagged(tagged(0, other), bits), tagged(tagged(0, one), two));
    }
    weight_matrix A = weight_matrix_whole(2, 2, a, NUMBERS_F64), B = weight_matrix_whole(2, 2, b, NUMBERS_F64);
    related r = relation_of(&A, &B, &(relation_hints){ .gain = false });
    ck_assert_int_eq(r.kind, RELATION_NONE);
    free(r.text);
    memcpy(&b[2], a, 2 * sizeof *a);
    r = relation_of(&A, &B, &(relation_hints){ .gain = false });
    ck_assert_int_eq(r.kind, RELATION_PERMUTED);
    free(r.text);
}
END_TEST

enum { MANY = 60000, NARROW = 64 };

/* Prints by how much the structure of two models makes this process larger, in MB. */
static void compare_structures(void *with)
{
    char *const *path = with;
    weights w[2] = { weights_open(path[0]), weights_open(path[1]) };
    transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
    const long before = memory_peak();
    structure s = structure_of(&D[0], &D[1], NULL);
    printf("%ld %ld %s\n", memory_peak() - before, s.n, s.at[0].text);
    structure_free(&s);
    exit(0);
}

/* Two models with embeddings and heads of 15 MB each; in doubles one takes 31 MB. */
static void many(char *path[2])
{
    safetensors s = { .tensors = 0 };
    draw = 0;
    add(&s, "model.embed_tokens.weight", MANY, NARROW, 1, 0);
    static const char *const name[] = { "self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj",
                                        "mlp.gate_proj", "mlp.up_proj", "mlp.down_proj" };
    for (size_t k = 0; k < COUNT(name); k++) add(&s, temp_format("model.layers.0.%s.weight", name[k]), NARROW, NARROW, 0.1, 0);
    add(&s, "model.layers.0.input_layernorm.weight", 1, NARROW, 0.2, 1);
    add(&s, "model.layers.0.post_attention_layernorm.weight", 1, NARROW, 0.2, 1);
    add(&s, "model.norm.weight", 1, NARROW, 0.2, 1);
    add(&s, "lm_head.weight", MANY, NARROW, 0.1, 0);
    static const char config[] = "{\"model_type\":\"llama\",\"hidden_size\":64,\"num_hidden_layers\":1,\"num_attention_heads\":1,"
        "\"intermediate_size\":64,\"vocab_size\":60000,\"rms_norm_eps\":1e-05,\"hidden_act\":\"silu\",\"tie_word_embeddings\":false}";
    path[0] = saved(&s, config);
    for (int head = 0; head < 2; head++) {
        float *x = of(&s, head ? "lm_head.weight" : "model.embed_tokens.weight");
        for (long k = 0; k < MANY * NARROW; k++) x[k] += (float)(k % 7 * (k % 11)) / 16;
    }
    path[1] = saved(&s, config);
    safetensors_free(&s);
}

/* No embedding and no head is ever there as a whole. */
START_TEST(embeddings_are_never_whole)
{
    char *path[2], said[256];
    many(path);
    ck_assert_int_eq(run_child(compare_structures, path, said, sizeof said), 0);
    long more, differ;
    ck_assert_msg(sscanf(said, "%ld %ld", &more, &differ) == 2 && differ == 2 && strstr(said, "different numbers"), "%s", said);
#ifndef __SANITIZE_ADDRESS__                             /* it keeps what was freed, and writes about it */
    ck_assert_msg((double)more < 4 * 15.36 + 20, "%ld MB more", more);
#endif
}
END_TEST

/* Nor are balls around the logits of all tokens: 96 MB, at 48 bytes each, for two models. */
static void enclose_many(void *with)
{
    char *const *path = with;
    weights w[2] = { weights_open(path[0]), weights_open(path[1]) };
    transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
    long tokens[16];
    for (long k = 0; k < 16; k++) tokens[k] = k * 3700;
    const token_list list = { 16, tokens, NULL, 0 };
    token_gaps g = compare_on_tokens(&D[0], &D[1], NULL, 1, &list, 1, (compare_watch){ NULL, NULL, 0 });
    const long before = memory_peak();
    const certified_gaps c = compare_certified(&D[0], &D[1], 128, 1, &list, (compare_watch){ NULL, NULL, 0 });
    printf("%ld %d %ld %ld\n", memory_peak() - before, !c.why && fabs(c.low - g.logits) < 1e-9 && fabs(c.high - g.logits) < 1e-9
           && fabs(c.shift_low - g.shift) < 1e-9, c.same_first - g.same_first, c.other_first + g.same_first);
    token_gaps_free(&g);
    exit(0);
}

START_TEST(certified_in_columns)
{
    char *path[2], said[256];
    many(path);
    ck_assert_int_eq(run_child(enclose_many, path, said, sizeof said), 0);
    long more, right, off, all;
    ck_assert_msg(sscanf(said, "%ld %ld %ld %ld", &more, &right, &off, &all) == 4 && right && off == 0 && all == 16, "%s", said);
#ifndef __SANITIZE_ADDRESS__
    ck_assert_msg(more < 60, "%ld MB more", more);
#endif
}
END_TEST

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

/* To what the order of a sum changes. */
static bool near(double x, double y) { return fabs(x - y) <= 1e-6 * fabs(y) + 1e-15; }

START_TEST(gaps_on_tokens)
{
    safetensors s = llama(false);
    char *path[2] = { saved_llama(&s, false), NULL };
    for (long k = 0; k < WIDTH; k++) of(&s, "model.layers.1.self_attn.v_proj.weight")[k] += 0.01f;
    path[1] = saved_llama(&s, false);
    safetensors_free(&s);
    weights w[2] = { weights_open(path[0]), weights_open(path[1]) };
    transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
    const long tokens[] = { 3, 1, 4, 1, 5, 9 }, positions[] = { 0, 1, 2, 30, 31, 63 };
    const token_list lists[] = { { 6, tokens, NULL, 0 }, { 6, tokens, positions, 5 } };
    const arith R = arith_f64();
    double y[2][V], gap = 0, least = INFINITY, most = -INFINITY;       /* of the last token of list 1 */
    for (int m = 0; m < 2; m++) {
        const weight_source W = weights_of_file(&D[m]);
        ck_assert_int_eq(forward_last_logits(&R, &W, &lists[1], y[m]), HOLDS);
    }
    for (long c = 0; c < V; c++) {
        gap = fmax(gap, fabs(y[0][c] - y[1][c]));
        least = fmin(least, y[0][c] - y[1][c]);
        most = fmax(most, y[0][c] - y[1][c]);
    }
    double kl = 0, sums[2] = { 0, 0 };
    for (int m = 0; m < 2; m++) for (long c = 0; c < V; c++) sums[m] += exp(y[m][c]);
    for (long c = 0; c < V; c++) kl += exp(y[0][c]) / sums[0] * (y[0][c] - log(sums[0]) - y[1][c] + log(sums[1]));
    token_gaps g = compare_on_tokens(&D[0], &D[1], NULL, 1, &lists[1], 7, (compare_watch){ NULL, NULL, 0 });
    ck_assert_double_eq_tol(g.logits, gap, 1e-13);
    ck_assert_double_eq_tol(g.shift, (most - least) / 2, 1e-13);
    ck_assert_double_eq_tol(g.divergence, kl, 1e-12);
    ck_assert_double_eq_tol(g.mean_divergence, kl, 1e-12);
    ck_assert(g.tokens == 1 && g.list == 0 && g.token == 5 && g.position == 63 && g.unit[0] > 0x1p-24 && g.unit[0] < 0x1.01p-24);
    ck_assert_int_eq(g.stages, 2 * L + 3);
    for (long k = 0; k < g.stages; k++)                                 /* embedding, attention 0, MLP 0 agree */
        ck_assert_msg((k < 3) == (g.at[k].gap <= g.at[k].tolerance) && (k >= 3 || g.at[k].gap == 0), "%ld: %g", k, g.at[k].gap);
    ck_assert(g.at[3].stage == STAGE_ATTENTION && g.at[3].layer == 1 && g.at[4].stage == STAGE_MLP && g.at[5].stage == STAGE_NORM);
    const certified_gaps c = compare_certified(&D[0], &D[1], 128, 1, &lists[1], (compare_watch){ NULL, NULL, 0 });
    ck_assert_msg(!c.why && c.low <= gap + 1e-13 && c.high >= gap - 1e-13 && c.high - c.low < 1e-14 && c.low > 0, "%g .. %g, %g", c.low, c.high, gap);
    ck_assert(c.shift_low <= g.shift + 1e-13 && c.shift_high >= g.shift - 1e-13 && c.shift_high - c.shift_low < 1e-14 && c.tokens == 1);
    ck_assert(c.same_first + c.other_first == 1 && c.same_first == g.same_first);
    token_gaps_free(&g);
    g = compare_on_tokens(&D[0], &D[1], NULL, 2, lists, 7, (compare_watch){ NULL, NULL, 0 });            /* the first list has all six rows */
    ck_assert(g.tokens == 7 && g.logits >= gap && g.list == 0 && g.token == 0 && g.position == 0);
    token_gaps_free(&g);
    const token_list later[] = { { 6, tokens, NULL, 1 }, { 6, tokens, positions, 2 } };
    g = compare_on_tokens(&D[0], &D[1], NULL, 2, later, 7, (compare_watch){ NULL, NULL, 0 });
    for (long tokens_at_once = 1; tokens_at_once < 6; tokens_at_once++) {
        token_gaps p = compare_on_tokens(&D[0], &D[1], NULL, 2, later, 7, (compare_watch){ NULL, NULL, (tokens_at_once - 1) * V + 1 });
        for (long k = 0; k < g.stages; k++) ck_assert(near(p.at[k].gap, g.at[k].gap) && near(p.at[k].tolerance, g.at[k].tolerance));
        ck_assert(near(p.most, g.most) && near(p.logits, g.logits) && near(p.logits_tolerance, g.logits_tolerance) && near(p.shift, g.shift));
        ck_assert(near(p.shift_tolerance, g.shift_tolerance) && near(p.divergence, g.divergence) && near(p.mean_divergence, g.mean_divergence));
        ck_assert(p.tokens == 9 && p.same_first == g.same_first && p.near_ties == g.near_ties && near(p.top, g.top));
        ck_assert(p.list == 0 && p.token == g.token && p.position == g.position && p.token > 0);
        token_gaps_free(&p);
    }
    token_gaps_free(&g);
    g = compare_on_tokens(&D[0], &D[0], &(structure){ .n = 0 }, 2, lists, 7, (compare_watch){ NULL, NULL, 0 });             /* tight where nothing is rounded */
    ck_assert(g.logits == 0 && g.logits_tolerance > 0 && g.logits_tolerance < 1e-9 && g.same_first == 7 && g.list == -1 && g.top == 1);
    token_gaps_free(&g);
    const certified_gaps same = compare_certified(&D[0], &D[0], 256, 2, lists, (compare_watch){ NULL, NULL, 0 });
    ck_assert(!same.why && same.low == 0 && same.high < 1e-50 && same.tokens == 7 && same.same_first == 7);
    const certified_gaps wide = compare_certified(&D[0], &D[1], 53, 1, lists, (compare_watch){ NULL, NULL, 0 });
    ck_assert(wide.why || (wide.low <= wide.high && wide.high >= gap));
    for (int m = 0; m < 2; m++) {
        transformer_free(&D[m]);
        weights_close(&w[m]);
    }
}
END_TEST

START_TEST(ties_are_not_decided)
{
    safetensors s = llama(false);
    float *x = of(&s, "lm_head.weight");
    for (long v = 1; v < V; v++) memcpy(x + v * WIDTH, x, WIDTH * sizeof *x);
    char *path = saved_llama(&s, false);
    safetensors_free(&s);
    weights w = weights_open(path);
    transformer D = transformer_of(&w);
    const long tokens[] = { 3, 1, 4, 1, 5, 9, 2, 6 };
    const certified_gaps c = compare_certified(&D, &D, 128, 1, &(token_list){ 8, tokens, NULL, 0 }, (compare_watch){ NULL, NULL, 0 });
    ck_assert(!c.why && c.tokens == 8 && c.same_first == 0 && c.other_first == 0);
    transformer_free(&D);
    weights_close(&w);
    s = llama(false);                                    /* the first and the last are nearly the same, all others their negative */
    x = of(&s, "lm_head.weight");
    for (long v = 1; v < V; v++) for (long k = 0; k < WIDTH; k++) x[v * WIDTH + k] = v == V - 1 ? x[k] : -x[k];
    for (long k = 0; k < WIDTH; k++) x[(V - 1) * WIDTH + k] *= 1 + 0x1p-22f;
    path = saved_llama(&s, false);
    safetensors_free(&s);
    w = weights_open(path);
    D = transformer_of(&w);
    for (long bits = 40; bits < 100; bits += 52) {
        const certified_gaps near_tie = compare_certified(&D, &D, bits, 1, &(token_list){ 8, tokens, NULL, 0 }, (compare_watch){ NULL, NULL, 0 });
        ck_assert_msg(!near_tie.why && near_tie.other_first == 0 && (near_tie.same_first > 0) == (bits > 50), "%ld bits: %ld", bits, near_tie.same_first);
    }
    transformer_free(&D);
    weights_close(&w);
}
END_TEST

/* ---- any bytes --------------------------------------------------------------------------------------------------- */

typedef struct { const char *A, *B; } two_files;

static void compare_all(void *with)      /* in a child: dies with status 2, or says that it is done */
{
    const two_files *f = with;
    weights w[2] = { weights_open(f->A), weights_open(f->B) };
    transformer D[2] = { transformer_of(&w[0]), transformer_of(&w[1]) };
    for (int m = 0; m < 2; m++) {
        char *why = forward_refuses(&D[m]);
        if (why) die("%s", why);
    }
    if (D[0].V != D[1].V || D[0].L != D[1].L || D[0].d != D[1].d) die("other sizes");
    const token_list list = { 3, (long[]){ 1, 2, 3 }, NULL, 0 };
    if (D[1].T && D[1].T < 3) die("too few positions");
    structure s = structure_of(&D[0], &D[1], NULL);
    gauge_found g = gauge_between(&D[0], &D[1], &s, 64);
    token_gaps t = compare_on_tokens(&D[0], &D[1], &s, 1, &list, 1, (compare_watch){ NULL, NULL, 0 });
    printf("done: %ld\n", t.tokens);
    token_gaps_free(&t);
    gauge_found_free(&g);
    structure_free(&s);
    for (int m = 0; m < 2; m++) {
        transformer_free(&D[m]);
        weights_close(&w[m]);
    }
}

START_TEST(no_file_hurts)
{
    const char *text = getenv("FUZZ_ROUNDS");
    const long rounds = text ? atol(text) : 60;
    const uint64_t key[2] = { 17, 19 };
    uint64_t number = 0;
    safetensors s[2] = { llama(false), gpt2() };
    for (int m = 0; m < 2; m++) {
        char *A = m ? saved(&s[m], gpt2_config) : saved_llama(&s[m], false), *B = m ? saved(&s[m], gpt2_config) : saved_llama(&s[m], false);
        char output[4096];
        safetensors_free(&s[m]);
        size_t n[2];
        static const char *const name[] = { "config.json", "model.safetensors" };
        char *good[2] = { temp_read(B, name[0], &n[0]), temp_read(B, name[1], &n[1]) };
        long taken = 0;
        for (long i = 0; i < rounds; i++) {
            const int k = (int)random_below(key, number++, 2);
            char *bad = must_calloc(n[k] + 1, 1);
            memcpy(bad, good[k], n[k]);
            for (uint64_t edits = 1 + random_below(key, number++, 3); edits > 0; edits--) {
                const size_t most = random_below(key, number++, 2) && n[k] > 3000 ? 3000 : n[k];
                const size_t at = random_below(key, number++, most);
                bad[at] = random_below(key, number++, 2) ? (char)('0' + random_below(key, number++, 10)) : (char)random_below(key, number++, 256);
            }
            temp_write(B, name[k], bad, n[k]);
            free(bad);
            const int status = run_child(compare_all, &(two_files){ A, B }, output, sizeof output);
            temp_write(B, name[k], good[k], n[k]);
            ck_assert_msg(status == 0 || status == 2, "round %ld: status %d, %s", i, status, output);
            ck_assert_msg(strlen(output) > 5 && strchr(output, '\n') == output + strlen(output) - 1, "%s", output);
            taken += status == 0;
        }
        ck_assert_msg(taken > 0 && taken < rounds, "%ld taken", taken);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("gallery");
    TCase *all = tcase_create("published bugs");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, keys_permuted_for_the_query_heads);
    tcase_add_test(all, pairs_left_in_the_other_order);
    tcase_add_test(all, pairs_reordered_twice);
    tcase_add_test(all, other_rotary_angles);
    tcase_add_test(all, final_norm_folded_into_tied_embeddings);
    tcase_add_test(all, a_norm_folded_once_and_twice);
    tcase_add_test(all, centred_head);
    tcase_add_test(all, bits_are_added);
    tcase_add_test(all, offset_norms);
    tcase_add_test(all, heads_that_were_tied);
    tcase_add_test(all, saved_without_its_changes);
    tcase_add_test(all, through_a_coarser_type);
    tcase_add_test(all, stored_in_a_coarser_type);
    tcase_add_test(all, scaled_twice);
    tcase_add_test(all, conv1d_read_as_linear);
    tcase_add_test(all, positions_off_by_one);
    tcase_add_test(all, order_of_heads);
    tcase_add_test(all, gauges_of_heads);
    tcase_add_test(all, gradients);
    tcase_add_test(all, gradients_of_a_tied_head);
    tcase_add_test(all, gauges_of_values_and_orders_of_neurons);
    tcase_add_test(all, another_basis_of_the_stream);
    tcase_add_test(all, a_query_that_became_the_identity);
    tcase_add_test(all, a_stream_that_turns);
    tcase_add_test(all, the_rotation_is_exact);
    tcase_add_test(all, a_signed_order_of_the_stream);
    tcase_add_test(all, a_bias_is_missing);
    tcase_add_test(all, gains_that_are_zero);
    tcase_add_test(all, a_window);
    tcase_add_test(all, what_cannot_be_compared);
    tcase_add_test(all, options_that_do_not_fit);
    tcase_add_test(all, one_object);
    tcase_add_test(all, many_tensors_that_differ);
    tcase_add_test(all, on_a_text);
    tcase_add_test(all, shares_of_the_work);
    tcase_add_test(all, certificates);
    tcase_add_test(all, a_certificate_replaces_nothing);
    tcase_add_test(all, certificates_name_what_was_compared);
    tcase_add_test(all, lines_at_once);
    tcase_add_test(all, equal_tags);
    tcase_add_test(all, embeddings_are_never_whole);
    tcase_add_test(all, certified_in_columns);
    tcase_add_test(all, gaps_on_tokens);
    tcase_add_test(all, ties_are_not_decided);
    TCase *bytes = tcase_create("any bytes");
    suite_add_tcase(suite, bytes);
    tcase_set_timeout(bytes, 0);
    tcase_add_test(bytes, no_file_hurts);
    return run_suite(suite, argc, argv);
}
