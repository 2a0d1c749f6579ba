/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_families.c - families of decoders whose norms, factors, caps, windows and rotations are their own: the function of
 * src/checkpoint/forward.h against one written out with plain loops, in doubles, MPFR and balls; what verify makes of
 * two of them; what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/checkpoint/forward.h"
#include "src/checkpoint/plan.h"
#include "src/data/safetensors.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

enum { SKIPPED = 2, POSITIONS = 40, L = 4, WIDTH = 16, HEADS = 4, KV = 2, DK = 4, M = 12, V = 10, N = 6 };
static const long tokens[N] = { 3, 7, 0, 5, 5, 9 }, near[N] = { 0, 1, 2, 3, 4, 5 }, far[N] = { 0, 1, 5, 17, 30, 39 };

typedef enum { BEFORE, SHARED, BEHIND, AROUND } norms;
typedef enum { BY_FLAG, BY_ERF, BY_SHORT_TANH, RELU, RELU2 } function;                /* by flag: gelu by tanh, or silu      */
typedef enum { APART, BLOCKS, GROUPS } packing;                        /* of query, key and value             */
typedef struct { const char *from, *to; } renamed;
typedef struct {
    const char *name, *type, *config;                                  /* config: what is not in all            */
    bool layer_norm, no_norm_bias, offset, gelu, whole, by_head, fused, plain, phi, adjacent, tied, qkv_bias, o_bias, mlp_bias;
    norms place;
    function act;
    packing pack;
    bool gate_over_up, parallel, learned, head_bias, alibi, bare, none_skipped;      /* bare: no norm behind the embedding    */
    long m;                                                            /* 0: M                                 */
    long kv;                                                           /* 0: KV                                */
    const renamed *names;                                              /* in the file; NULL: as they are       */
    long rotary, window, all, still;                                   /* all, still: bits of layers            */
    double theta, local_theta, eps, embed, add, divide, scale, score_cap, logit_cap;     /* 0: 1, or 1 / sqrt(DK), or none */
} spec;

#define GEMMA2(window, caps) "\"head_dim\":4,\"rms_norm_eps\":1e-3,\"query_pre_attn_scalar\":9,\"sliding_window\":" window "," caps \
                             ",\"hidden_activation\":\"gelu_pytorch_tanh\""
#define FULL "[\"full_attention\",\"full_attention\",\"full_attention\",\"full_attention\"]"
#define SU "\"type\":\"su\",\"short_factor\":[1,1],\"long_factor\":[2,2]"
#define YARN "\"rope_type\":\"yarn\",\"factor\":4.0"
#define ORIGINAL(n) "\"original_max_position_embeddings\":" n
#define GEMMA3 "\"head_dim\":4,\"rms_norm_eps\":1e-3,\"query_pre_attn_scalar\":9,\"sliding_window\":3"
static const renamed falcon[] = { { "model.embed_tokens", "transformer.word_embeddings" }, { "model.norm", "transformer.ln_f" },
    { "model.layers.", "transformer.h." }, { "self_attn.o_proj", "self_attention.dense" }, { "self_attn.qkv", "self_attention.query_key_value" },
    { "mlp.c_fc", "mlp.dense_h_to_4h" }, { "mlp.c_proj", "mlp.dense_4h_to_h" }, { NULL, NULL } };
static const renamed falcon_new[] = { { "model.embed_tokens", "transformer.word_embeddings" }, { "model.norm", "transformer.ln_f" },
    { "model.layers.", "transformer.h." }, { "self_attn.o_proj", "self_attention.dense" }, { "self_attn.qkv", "self_attention.query_key_value" },
    { "mlp.c_fc", "mlp.dense_h_to_4h" }, { "mlp.c_proj", "mlp.dense_4h_to_h" }, { "input_layernorm", "ln_attn" },
    { "post_attention_layernorm", "ln_mlp" }, { NULL, NULL } };
static const renamed bloom[] = { { "model.embed_tokens", "transformer.word_embeddings" }, { "model.embed_norm", "transformer.word_embeddings_layernorm" },
    { "model.norm", "transformer.ln_f" }, { "model.layers.", "transformer.h." }, { "self_attn.o_proj", "self_attention.dense" },
    { "self_attn.qkv", "self_attention.query_key_value" }, { "mlp.c_fc", "mlp.dense_h_to_4h" }, { "mlp.c_proj", "mlp.dense_4h_to_h" }, { NULL, NULL } };
static const renamed mpt[] = { { "model.embed_tokens", "transformer.wte" }, { "model.norm", "transformer.norm_f" }, { "model.layers.", "transformer.blocks." },
    { "self_attn.o_proj", "attn.out_proj" }, { "self_attn.qkv", "attn.Wqkv" }, { "mlp.c_fc", "ffn.up_proj" }, { "mlp.c_proj", "ffn.down_proj" },
    { "input_layernorm", "norm_1" }, { "post_attention_layernorm", "norm_2" }, { NULL, NULL } };
static const renamed gptj[] = { { "model.embed_tokens", "transformer.wte" }, { "model.norm", "transformer.ln_f" }, { "model.layers.", "transformer.h." },
    { "self_attn.o_proj", "attn.out_proj" }, { "self_attn.", "attn." }, { "mlp.c_fc", "mlp.fc_in" }, { "mlp.c_proj", "mlp.fc_out" },
    { "input_layernorm", "ln_1" }, { NULL, NULL } };
static const renamed bigcode[] = { { "model.embed_tokens", "transformer.wte" }, { "model.embed_positions", "transformer.wpe" },
    { "model.norm", "transformer.ln_f" }, { "model.layers.", "transformer.h." }, { "self_attn.o_proj", "attn.c_proj" }, { "self_attn.qkv", "attn.c_attn" },
    { "input_layernorm", "ln_1" }, { "post_attention_layernorm", "ln_2" }, { NULL, NULL } };
static const renamed neo[] = { { "model.embed_tokens", "transformer.wte" }, { "model.embed_positions", "transformer.wpe" },
    { "model.norm", "transformer.ln_f" }, { "model.layers.", "transformer.h." }, { "self_attn.o_proj", "attn.attention.out_proj" },
    { "self_attn.", "attn.attention." }, { "input_layernorm", "ln_1" }, { "post_attention_layernorm", "ln_2" }, { NULL, NULL } };
static const renamed opt[] = { { "model.", "model.decoder." }, { "decoder.norm", "decoder.final_layer_norm" }, { "self_attn.o_proj", "self_attn.out_proj" },
    { "mlp.c_fc", "fc1" }, { "mlp.c_proj", "fc2" }, { "input_layernorm", "self_attn_layer_norm" }, { "post_attention_layernorm", "final_layer_norm" },
    { NULL, NULL } };
static const renamed glm4[] = { { "post_attention_layernorm", "post_self_attn_layernorm" }, { "pre_feedforward_layernorm", "post_attention_layernorm" },
    { "post_feedforward_layernorm", "post_mlp_layernorm" }, { NULL, NULL } };
static const renamed nemotron[] = { { "mlp.c_fc", "mlp.up_proj" }, { "mlp.c_proj", "mlp.down_proj" }, { NULL, NULL } };
static const spec each[] = {
    { "gemma", "gemma", "\"head_dim\":4,\"rms_norm_eps\":1e-3,\"hidden_act\":\"gelu\"", .offset = true, .gelu = true, .tied = true,
      .eps = 1e-3, .embed = 4 },
    { "gemma biases", "gemma", "\"head_dim\":4,\"attention_bias\":true,\"tie_word_embeddings\":false,\"hidden_act\":\"gelu_pytorch_tanh\"",
      .offset = true, .gelu = true, .eps = 1e-6, .embed = 4, .qkv_bias = true, .o_bias = true },
    { "gemma2", "gemma2", GEMMA2("3", "\"attn_logit_softcapping\":1.5,\"final_logit_softcapping\":2.5"), .offset = true, .gelu = true,
      .tied = true, .place = AROUND, .eps = 1e-3, .embed = 4, .scale = 1 / 3.0, .window = 3, .all = 0xa, .score_cap = 1.5, .logit_cap = 2.5 },
    { "gemma2 by types", "gemma2", GEMMA2("3", "\"attn_logit_softcapping\":null,\"final_logit_softcapping\":null,\"layer_types\":["
      "\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\"]"), .offset = true, .gelu = true, .tied = true,
      .place = AROUND, .eps = 1e-3, .embed = 4, .scale = 1 / 3.0, .window = 3, .all = 0x9 },
    { "gemma2 untied", "gemma2", GEMMA2("3", "\"attn_logit_softcapping\":1.5,\"final_logit_softcapping\":2.5,\"tie_word_embeddings\":false"),
      .offset = true, .gelu = true, .place = AROUND, .eps = 1e-3, .embed = 4, .scale = 1 / 3.0, .window = 3, .all = 0xa, .score_cap = 1.5,
      .logit_cap = 2.5 },
    { "phi3", "phi3", "\"rms_norm_eps\":1e-3", .fused = true, .eps = 1e-3 },
    { "phi3 half, window", "phi3", "\"partial_rotary_factor\":0.5,\"sliding_window\":3", .fused = true, .eps = 1e-5, .rotary = 2, .window = 3 },
    { "phi3 su", "phi3", "\"rope_scaling\":{\"type\":\"yarn\",\"short_factor\":[1,1],\"long_factor\":[2,2]},\"original_max_position_embeddings\":100",
      .fused = true, .eps = 1e-5 },
    { "smollm3", "smollm3", "\"rms_norm_eps\":1e-3", .tied = true, .eps = 1e-3, .still = 0x8, .theta = 2e6 },
    { "smollm3 lists", "smollm3", "\"no_rope_layers\":[1,0,0,1],\"use_sliding_window\":true,\"sliding_window\":3,\"attention_bias\":true,"
      "\"mlp_bias\":true", .tied = true, .eps = 1e-6, .still = 0x6, .all = 0x9, .window = 3, .theta = 2e6, .qkv_bias = true, .o_bias = true,
      .mlp_bias = true },
    { "smollm3 interval", "smollm3", "\"no_rope_layer_interval\":2,\"sliding_window\":3,\"rope_theta\":100.0", .tied = true, .eps = 1e-6,
      .still = 0xa, .theta = 100 },
    { "granite", "granite", "\"embedding_multiplier\":12,\"residual_multiplier\":0.22,\"attention_multiplier\":0.3,\"logits_scaling\":3",
      .eps = 1e-6, .embed = 12, .add = 0.22, .scale = 0.3, .divide = 3 },
    { "granite unsaid", "granite", "\"mlp_bias\":true", .eps = 1e-6, .scale = 1, .mlp_bias = true },
    { "stablelm", "stablelm", "\"layer_norm_eps\":1e-3,\"partial_rotary_factor\":0.5", .layer_norm = true, .eps = 1e-3, .rotary = 2 },
    { "stablelm parallel", "stablelm", "\"use_parallel_residual\":true,\"use_qkv_bias\":true,\"rope_scaling\":{\"rope_type\":\"default\","
      "\"partial_rotary_factor\":1.0}", .layer_norm = true, .eps = 1e-5, .place = SHARED, .qkv_bias = true },
    { "olmo2", "olmo2", "\"rms_norm_eps\":1e-3", .whole = true, .place = BEHIND, .eps = 1e-3 },
    { "olmo2 biases", "olmo2", "\"attention_bias\":true", .whole = true, .place = BEHIND, .eps = 1e-5, .qkv_bias = true, .o_bias = true },
    { "qwen2 some windows", "qwen2", "\"use_sliding_window\":true,\"sliding_window\":3,\"max_window_layers\":2", .eps = 1e-6, .qkv_bias = true,
      .window = 3, .all = 0x3 },
    { "llama", "llama", "\"rms_norm_eps\":1e-3", .eps = 1e-3 },
    { "gemma3", "gemma3_text", GEMMA3 ",\"rope_theta\":100.0,\"rope_local_base_freq\":30.0,\"sliding_window_pattern\":2", .offset = true,
      .gelu = true, .tied = true, .place = AROUND, .by_head = true, .eps = 1e-3, .embed = 4, .scale = 1 / 3.0, .window = 3, .all = 0xa, .theta = 100,
      .local_theta = 30 },
    { "gemma3 nested", "gemma3_text", GEMMA3 ",\"final_logit_softcapping\":2.5,\"layer_types\":[\"full_attention\",\"sliding_attention\","
      "\"sliding_attention\",\"sliding_attention\"],\"rope_parameters\":{\"full_attention\":{\"rope_theta\":50.0,\"rope_type\":\"default\"},"
      "\"sliding_attention\":{\"rope_theta\":20.0,\"rope_type\":\"default\"}}", .offset = true, .gelu = true, .tied = true, .place = AROUND,
      .by_head = true, .eps = 1e-3, .embed = 4, .scale = 1 / 3.0, .window = 3, .all = 0x1, .theta = 50, .local_theta = 20, .logit_cap = 2.5 },
    { "gemma3 unsaid", "gemma3_text", GEMMA3, .offset = true, .gelu = true, .tied = true, .place = AROUND, .by_head = true, .eps = 1e-3,
      .embed = 4, .scale = 1 / 3.0, .window = 3, .theta = 1e6, .local_theta = 1e4 },
    { "starcoder2", "starcoder2", "\"norm_epsilon\":1e-3", .layer_norm = true, .gelu = true, .tied = true, .plain = true, .eps = 1e-3,
      .qkv_bias = true, .o_bias = true, .mlp_bias = true },
    { "starcoder2 window", "starcoder2", "\"use_bias\":false,\"sliding_window\":3", .layer_norm = true, .gelu = true, .tied = true,
      .plain = true, .eps = 1e-5, .window = 3 },
    { "cohere", "cohere", "\"rope_theta\":100.0,\"layer_norm_eps\":1e-3,\"logit_scale\":0.3", .layer_norm = true, .no_norm_bias = true, .tied = true,
      .place = SHARED, .adjacent = true, .theta = 100, .eps = 1e-3, .divide = 1 / 0.3 },
    { "cohere unsaid", "cohere", "\"rope_theta\":100.0,\"attention_bias\":true", .layer_norm = true, .no_norm_bias = true, .tied = true, .place = SHARED,
      .adjacent = true, .theta = 100, .eps = 1e-5, .divide = 16, .qkv_bias = true, .o_bias = true },
    { "cohere2", "cohere2", "\"sliding_window\":3,\"layer_norm_eps\":1e-3", .layer_norm = true, .no_norm_bias = true, .tied = true, .place = SHARED,
      .adjacent = true, .eps = 1e-3, .divide = 16, .window = 3, .all = 0x8, .still = 0x8 },
    { "cohere2 by pattern", "cohere2", "\"sliding_window\":3,\"sliding_window_pattern\":2,\"rope_theta\":100.0", .layer_norm = true, .no_norm_bias = true,
      .tied = true, .place = SHARED, .adjacent = true, .eps = 1e-5, .divide = 16, .window = 3, .all = 0xa, .still = 0xa, .theta = 100 },
    { "cohere2 full", "cohere2", "\"sliding_window\":null,\"rope_theta\":100.0,\"layer_norm_eps\":1e-3,\"logit_scale\":0.3,\"layer_types\":" FULL, .layer_norm = true,
      .no_norm_bias = true, .tied = true, .place = SHARED, .adjacent = true, .eps = 1e-3, .divide = 1 / 0.3, .all = 0xf, .still = 0xf, .theta = 100 },
    { "olmo3 full", "olmo3", "\"sliding_window\":null,\"layer_types\":" FULL ",\"rope_parameters\":{\"full_attention\":{\"rope_theta\":50.0},"
      "\"sliding_attention\":{\"rope_theta\":20.0}}", .whole = true, .place = BEHIND, .eps = 1e-5, .all = 0xf, .theta = 50, .local_theta = 20 },
    { "olmo3", "olmo3", "\"sliding_window\":3", .whole = true, .place = BEHIND, .eps = 1e-5, .window = 3, .all = 0x8, .theta = 5e5, .local_theta = 5e5 },
    { "olmo3 nested", "olmo3", "\"sliding_window\":3,\"layer_types\":[\"full_attention\",\"sliding_attention\",\"sliding_attention\",\"full_attention\"],"
      "\"rope_parameters\":{\"full_attention\":{\"rope_theta\":50.0},\"sliding_attention\":{\"rope_theta\":20.0}}", .whole = true, .place = BEHIND,
      .eps = 1e-5, .window = 3, .all = 0x9, .theta = 50, .local_theta = 20 },
    { "phi", "phi", "\"partial_rotary_factor\":0.5", .layer_norm = true, .gelu = true, .plain = true, .phi = true, .place = SHARED, .rotary = 2,
      .eps = 1e-5, .qkv_bias = true, .o_bias = true, .mlp_bias = true, .head_bias = true },
    { "falcon", "falcon", "\"ffn_hidden_size\":12,\"layer_norm_epsilon\":1e-3", .layer_norm = true, .act = BY_ERF, .plain = true, .tied = true,
      .place = SHARED, .pack = BLOCKS, .kv = 1, .names = falcon, .eps = 1e-3 },
    { "falcon heads", "falcon", "\"ffn_hidden_size\":12,\"multi_query\":false,\"bias\":true,\"rope_theta\":100.0,\"tie_word_embeddings\":false",
      .layer_norm = true, .act = BY_ERF, .plain = true, .place = SHARED, .pack = GROUPS, .kv = HEADS, .names = falcon, .eps = 1e-5, .theta = 100,
      .qkv_bias = true, .o_bias = true, .mlp_bias = true },
    { "falcon in turn", "falcon", "\"ffn_hidden_size\":12,\"parallel_attn\":false", .layer_norm = true, .act = BY_ERF, .plain = true, .tied = true,
      .pack = BLOCKS, .kv = 1, .names = falcon, .eps = 1e-5 },
    { "falcon new", "falcon", "\"ffn_hidden_size\":12,\"new_decoder_architecture\":true,\"num_kv_heads\":2", .layer_norm = true, .act = BY_ERF,
      .plain = true, .tied = true, .parallel = true, .pack = GROUPS, .names = falcon_new, .eps = 1e-5 },
    { "falcon new, one norm", "falcon", "\"ffn_hidden_size\":12,\"new_decoder_architecture\":true,\"num_kv_heads\":2,\"num_ln_in_parallel_attn\":1",
      .layer_norm = true, .act = BY_ERF, .plain = true, .tied = true, .place = SHARED, .pack = GROUPS, .names = falcon, .eps = 1e-5 },
    { "gptj", "gptj", "\"n_inner\":12,\"rotary_dim\":4", .layer_norm = true, .gelu = true, .plain = true, .place = SHARED, .adjacent = true,
      .rotary = 4, .kv = HEADS, .names = gptj, .eps = 1e-5, .mlp_bias = true, .head_bias = true },
    { "mpt", "mpt", "\"attn_config\":{\"alibi\":true,\"qk_ln\":false,\"id2label\":{},\"attn_impl\":\"torch\"},\"layer_norm_epsilon\":1e-3", .layer_norm = true,
      .no_norm_bias = true, .act = BY_ERF, .plain = true, .tied = true, .alibi = true, .bare = true, .pack = BLOCKS, .kv = HEADS, .m = 4 * WIDTH, .names = mpt,
      .eps = 1e-3 },
    { "bloom", "bloom", "\"layer_norm_epsilon\":1e-3", .layer_norm = true, .act = BY_SHORT_TANH, .plain = true, .tied = true, .alibi = true,
      .pack = GROUPS, .kv = HEADS, .names = bloom, .eps = 1e-3, .m = 4 * WIDTH, .qkv_bias = true, .o_bias = true, .mlp_bias = true },
    { "opt", "opt", "\"ffn_dim\":12", .layer_norm = true, .act = RELU, .plain = true, .tied = true, .learned = true, .kv = HEADS, .names = opt,
      .eps = 1e-5, .qkv_bias = true, .o_bias = true, .mlp_bias = true },
    { "gpt_bigcode", "gpt_bigcode", "\"n_inner\":12", .layer_norm = true, .gelu = true, .plain = true, .tied = true, .learned = true,
      .none_skipped = true, .pack = BLOCKS, .kv = 1, .names = bigcode, .eps = 1e-5, .qkv_bias = true, .o_bias = true, .mlp_bias = true },
    { "gpt_bigcode heads", "gpt_bigcode", "\"n_inner\":12,\"multi_query\":false", .layer_norm = true, .gelu = true, .plain = true, .tied = true,
      .learned = true, .none_skipped = true, .pack = GROUPS, .kv = HEADS, .names = bigcode, .eps = 1e-5, .qkv_bias = true, .o_bias = true, .mlp_bias = true },
    { "gpt_neo", "gpt_neo", "\"window_size\":3,\"attention_types\":[[[\"global\",\"local\"],2]]", .layer_norm = true, .gelu = true, .plain = true,
      .tied = true, .learned = true, .none_skipped = true, .kv = HEADS, .names = neo, .eps = 1e-5, .o_bias = true, .mlp_bias = true, .scale = 1,
      .window = 3, .all = 0x5 },
    { "gpt_neo lists", "gpt_neo", "\"window_size\":2,\"attention_types\":[[[\"local\",\"global\"],1],[[\"global\"],1],[[\"local\"],1]],"
      "\"attention_layers\":[\"local\",\"global\",\"global\",\"local\"],\"tie_word_embeddings\":false,\"layer_norm_epsilon\":1e-3,"
      "\"activation_function\":\"gelu\"", .layer_norm = true, .act = BY_ERF, .plain = true, .learned = true, .none_skipped = true, .kv = HEADS,
      .names = neo, .eps = 1e-3, .o_bias = true, .mlp_bias = true, .scale = 1, .window = 2, .all = 0x6 },
    { "arcee", "arcee", "\"rms_norm_eps\":1e-3,\"mlp_bias\":true", .act = RELU2, .plain = true, .names = nemotron, .eps = 1e-3, .mlp_bias = true },
    { "ernie4_5", "ernie4_5", "\"head_dim\":4,\"use_bias\":true", .adjacent = true, .tied = true, .eps = 1e-5, .theta = 5e5, .qkv_bias = true,
      .o_bias = true, .mlp_bias = true },
    { "helium", "helium", "\"head_dim\":4,\"attention_bias\":true", .adjacent = true, .eps = 1e-8, .theta = 1e5, .qkv_bias = true },
    { "glm", "glm", "\"head_dim\":4,\"rms_norm_eps\":1e-3,\"attention_bias\":true", .adjacent = true, .rotary = 2, .gate_over_up = true, .eps = 1e-3,
      .qkv_bias = true },
    { "glm4", "glm4", "\"head_dim\":4,\"rms_norm_eps\":1e-3,\"attention_bias\":false,\"partial_rotary_factor\":1.0", .adjacent = true,
      .gate_over_up = true, .place = AROUND, .names = glm4, .eps = 1e-3 },
    { "nemotron", "nemotron", "\"norm_eps\":1e-3,\"attention_bias\":true,\"mlp_bias\":true", .layer_norm = true, .offset = true, .act = RELU2,
      .plain = true, .rotary = 2, .names = nemotron, .eps = 1e-3, .qkv_bias = true, .o_bias = true, .mlp_bias = true },
};

static long kv_of(const spec *m) { return m->kv ? m->kv : KV; }
static long m_of(const spec *m) { return m->m ? m->m : M; }

static const spec *called(const char *name)
{
    for (size_t k = 0; k < COUNT(each); k++) if (strcmp(each[k].name, name) == 0) return &each[k];
    die("no model %s", name);
}

/* ---- models ------------------------------------------------------------------------------------------------------ */

static uint64_t draw;

static void add(safetensors *s, const char *name, long rows, long cols, double middle)
{
    const uint64_t key[2] = { 5, 7 };
    float *x = must_calloc((size_t)(rows * cols), sizeof *x);
    for (long k = 0; k < rows * cols; k++) x[k] = (float)(middle + 0.4 * (double)random_gauss24(key, draw++) * 0x1p-35);
    safetensors_tensor(s, name, rows == 1 ? 1 : 2, rows == 1 ? &cols : (long[]){ rows, cols }, x);
    free(x);
}

static void add_in(safetensors *s, long i, const char *name, long rows, long cols, double middle)
{
    add(s, temp_format("model.layers.%ld.%s", i, name), rows, cols, middle);
}

static void add_norm(const spec *m, safetensors *s, const char *name, long n)
{
    add(s, temp_format("%s.weight", name), 1, n, m->offset ? 0 : 1);
    if (m->layer_norm && !m->no_norm_bias) add(s, temp_format("%s.bias", name), 1, n, 0);
}

static const char *part_name(const spec *m, const char *name)
{
    static const struct { const char *name, *star, *phi; } of[] = { { "self_attn.o_proj", "self_attn.o_proj", "self_attn.dense" },
        { "mlp.up_proj", "mlp.c_fc", "mlp.fc1" }, { "mlp.down_proj", "mlp.c_proj", "mlp.fc2" } };
    for (size_t k = 0; k < COUNT(of) && m->plain; k++) if (strcmp(of[k].name, name) == 0) return m->phi ? of[k].phi : of[k].star;
    return name;
}

static void add_layer(const spec *m, safetensors *s, long i)
{
    static const struct { const char *name; bool in[4]; } norm_of[] = {
        { "input_layernorm", { true, true, false, true } }, { "post_attention_layernorm", { true, false, true, true } },
        { "pre_feedforward_layernorm", { false, false, false, true } }, { "post_feedforward_layernorm", { false, false, true, true } } };
    static const struct { const char *name; long rows, cols; } matrix[] = {
        { "self_attn.q_proj", HEADS * DK, WIDTH }, { "self_attn.k_proj", KV * DK, WIDTH }, { "self_attn.v_proj", KV * DK, WIDTH },
        { "self_attn.o_proj", WIDTH, HEADS * DK }, { "mlp.gate_proj", M, WIDTH }, { "mlp.up_proj", M, WIDTH }, { "mlp.down_proj", WIDTH, M } };
    for (size_t k = 0; k < COUNT(norm_of); k++)
        if (norm_of[k].in[m->place]) add_norm(m, s, temp_format("model.layers.%ld.%s", i, norm_of[k].name), WIDTH);
    for (size_t k = 0; k < COUNT(matrix); k++) {
        const bool bias = k < 3 ? m->qkv_bias : k == 3 ? m->o_bias : m->mlp_bias;
        const long rows = k == 1 || k == 2 ? kv_of(m) * DK : k == 4 || k == 5 ? m_of(m) : matrix[k].rows;
        if ((m->fused && (k < 3 || k == 4 || k == 5)) || (m->plain && k == 4)) continue;
        add_in(s, i, temp_format("%s.weight", part_name(m, matrix[k].name)), rows, k == 6 ? m_of(m) : matrix[k].cols, 0);
        if (bias) add_in(s, i, temp_format("%s.bias", part_name(m, matrix[k].name)), 1, rows, 0);
    }
    if (m->fused) add_in(s, i, "self_attn.qkv_proj.weight", (HEADS + 2 * KV) * DK, WIDTH, 0);
    if (m->fused) add_in(s, i, "mlp.gate_up_proj.weight", 2 * M, WIDTH, 0);
    if (m->whole) add_in(s, i, "self_attn.q_norm.weight", 1, HEADS * DK, 1);
    if (m->whole) add_in(s, i, "self_attn.k_norm.weight", 1, KV * DK, 1);
    if (m->by_head) add_in(s, i, "self_attn.q_norm.weight", 1, DK, 0);
    if (m->by_head) add_in(s, i, "self_attn.k_norm.weight", 1, DK, 0);
}

static safetensors drawn(const spec *m)
{
    safetensors s = { .tensors = 0 };
    draw = 1000 * (uint64_t)(m - each);
    add(&s, "model.embed_tokens.weight", V, WIDTH, 0);
    for (long i = 0; i < L; i++) add_layer(m, &s, i);
    add_norm(m, &s, m->phi ? "model.final_layernorm" : "model.norm", WIDTH);
    if (!m->tied) add(&s, "lm_head.weight", V, WIDTH, 0);
    if (m->head_bias) add(&s, "lm_head.bias", 1, V, 0);
    if (m->alibi && !m->bare) add_norm(m, &s, "model.embed_norm", WIDTH);
    if (m->learned) add(&s, "model.embed_positions.weight", (m->none_skipped ? 0 : SKIPPED) + POSITIONS, WIDTH, 0);
    return s;
}

static char *config_of_spec(const spec *m)
{
    return temp_format("{\"model_type\":\"%s\",\"hidden_size\":16,\"num_hidden_layers\":4,\"num_attention_heads\":4,\"num_key_value_heads\":2,"
                       "\"intermediate_size\":12,\"max_position_embeddings\":40,\"vocab_size\":10,%s}", m->type, m->config);
}

static char *saved(const safetensors *s, const char *config)
{
    char *folder = temp_folder();
    temp_text(folder, "config.json", config);
    safetensors_write(s, temp_path(folder, "model.safetensors"));
    return folder;
}

/* ---- as the family stores it ------------------------------------------------------------------------------------- */

static char *name_in_file(const spec *m, const char *name)
{
    char *to = temp_format("%s", name);
    for (const renamed *r = m->names; r && r->from; r++) {
        const char *at = strstr(to, r->from);
        if (at) to = temp_format("%.*s%s%s", (int)(at - to), to, r->to, at + strlen(r->from));
    }
    return to;
}

static bool is_last(const char *name, const char *word) { return strstr(name, word) != NULL; }

/* Rows of `from` behind those that are there. */
static void append(float *to, long *n, const float *from, long rows, long cols)
{
    memcpy(to + *n, from, (size_t)(rows * cols) * sizeof *to);
    *n += rows * cols;
}

/* Query, key and value of a layer, weights or biases, in one tensor. */
static void pack_layer(const spec *m, const safetensors *s, safetensors *to, long i, const char *end, long cols)
{
    const float *x[3];
    static const char *const part[] = { "q_proj", "k_proj", "v_proj" };
    const long kv = kv_of(m), share = HEADS / kv, groups = m->pack == GROUPS ? kv : 1, rows = (HEADS + 2 * kv) * DK;
    float *y = must_calloc((size_t)(rows * cols), sizeof *y);
    long n = 0;
    for (int k = 0; k < 3; k++) {
        const safetensor *t = safetensors_find(s, temp_format("model.layers.%ld.self_attn.%s.%s", i, part[k], end));
        if (!t) { free(y); return; }
        x[k] = t->x;
    }
    for (long g = 0; g < groups; g++) {
        const long queries = m->pack == GROUPS ? share * DK : HEADS * DK, keys = m->pack == GROUPS ? DK : kv * DK;
        append(y, &n, x[0] + g * queries * cols, queries, cols);
        append(y, &n, x[1] + g * keys * cols, keys, cols);
        append(y, &n, x[2] + g * keys * cols, keys, cols);
    }
    const long shape[] = { rows, cols };
    safetensors_tensor(to, name_in_file(m, temp_format("model.layers.%ld.self_attn.qkv.%s", i, end)), cols == 1 ? 1 : 2, shape, y);
    free(y);
}

static void pack_gate(const spec *m, const safetensors *s, safetensors *to, long i)
{
    float both[2 * M * WIDTH];
    const safetensor *gate = safetensors_find(s, temp_format("model.layers.%ld.mlp.gate_proj.weight", i));
    const safetensor *up = safetensors_find(s, temp_format("model.layers.%ld.mlp.up_proj.weight", i));
    memcpy(both, gate->x, sizeof both / 2);
    memcpy(both + M * WIDTH, up->x, sizeof both / 2);
    safetensors_tensor(to, name_in_file(m, temp_format("model.layers.%ld.mlp.gate_up_proj.weight", i)), 2, (long[]){ 2 * M, WIDTH }, both);
}

static safetensors as_stored(const spec *m, const safetensors *s)
{
    safetensors to = { .tensors = 0 };
    for (long k = 0; k < s->tensors; k++) {
        const safetensor *t = &s->tensor[k];
        const bool qkv = is_last(t->name, "q_proj") || is_last(t->name, "k_proj") || is_last(t->name, "v_proj");
        if ((m->pack != APART && qkv) || (m->gate_over_up && (is_last(t->name, "gate_proj") || is_last(t->name, "up_proj")))) continue;
        safetensors_tensor(&to, name_in_file(m, t->name), t->rank, t->shape, t->x);
    }
    for (long i = 0; i < L; i++) {
        if (m->pack != APART) pack_layer(m, s, &to, i, "weight", WIDTH), pack_layer(m, s, &to, i, "bias", 1);
        if (m->gate_over_up) pack_gate(m, s, &to, i);
    }
    return to;
}

static char *stored_with(const spec *m, const safetensors *s, const char *config)
{
    safetensors to = as_stored(m, s);
    char *folder = saved(&to, config);
    safetensors_free(&to);
    return folder;
}

static char *stored(const spec *m, const safetensors *s) { return stored_with(m, s, config_of_spec(m)); }

/* ---- the same with plain loops ----------------------------------------------------------------------------------- */

typedef struct { const spec *m; const safetensors *s; long layer; } file;

static const float *at_name(const file *f, const char *name, const char *end)      /* NULL: not there          */
{
    char full[100];
    snprintf(full, sizeof full, "model.layers.%ld.%s.%s", f->layer, name, end);
    const safetensor *t = safetensors_find(f->s, full);
    return t ? t->x : NULL;
}

static void linear(const file *f, const char *name, long from, double *y, const double *x, long out, long in)
{
    const float *W = at_name(f, part_name(f->m, name), "weight"), *b = at_name(f, part_name(f->m, name), "bias");
    for (long o = 0; o < out; o++) {
        y[o] = b ? b[o] : 0;
        for (long i = 0; i < in; i++) y[o] += W[(from + o) * in + i] * x[i];
    }
}

static void normalise(const spec *m, double *y, const double *x, const float *g, const float *b, long n)
{
    const double eps = (double)(float)m->eps;
    double mean = 0, square = 0;
    for (long i = 0; m->layer_norm && i < n; i++) mean += x[i] / (double)n;
    for (long i = 0; i < n; i++) square += (x[i] - mean) * (x[i] - mean) / (double)n;
    for (long i = 0; i < n; i++)
        y[i] = (x[i] - mean) / sqrt(square + eps) * (m->offset ? 1 + (double)g[i] : (double)g[i]) + (b ? b[i] : 0);
}

static void norm(const file *f, const char *name, double *y, const double *x, long n)
{
    normalise(f->m, y, x, at_name(f, name, "weight"), at_name(f, name, "bias"), n);
}

static void turn(const spec *m, double *x, long position, double theta)
{
    const long r = m->rotary ? m->rotary : DK;
    for (long i = 0; i < r / 2; i++) {
        const long p = m->adjacent ? 2 * i : i, q = m->adjacent ? p + 1 : i + r / 2;
        const double t = (double)position * pow(theta > 0 ? theta : 10000, -2.0 * (double)i / (double)r), a = x[p], b = x[q];
        x[p] = a * cos(t) - b * sin(t);
        x[q] = b * cos(t) + a * sin(t);
    }
}

static double cap(double c, double x) { return c > 0 ? c * tanh(x / c) : x; }
static double or_one(double x) { return x > 0 ? x : 1; }

static void attend(const file *f, const long *at, double Q[N][HEADS * DK], double K[N][HEADS * DK], double W[N][HEADS * DK],
                   double out[N][HEADS * DK])
{
    const spec *m = f->m;
    const bool turns = !m->learned && !m->alibi && !(m->still >> f->layer & 1), all = !m->window || (m->all >> f->layer & 1);
    for (long t = 0; t < N && turns; t++) {
        const double theta = m->local_theta > 0 && !all ? m->local_theta : m->theta;
        for (long a = 0; a < HEADS; a++) turn(m, Q[t] + a * DK, at[t], theta);
        for (long a = 0; a < kv_of(m); a++) turn(m, K[t] + a * DK, at[t], theta);
    }
    for (long a = 0; a < HEADS; a++)
        for (long t = 0; t < N; t++) {
            const long g = a / (HEADS / kv_of(m)) * DK;
            double p[N], sum = 0;
            for (long s = 0; s <= t; s++) {
                double score = 0;
                for (long i = 0; i < DK; i++) score += Q[t][a * DK + i] * K[s][g + i];
                const double slope = pow(2, -2.0 * (double)(a + 1));      /* of 4 heads                             */
                score = cap(m->score_cap, score * (m->scale > 0 ? m->scale : 1 / sqrt(DK))) + (m->alibi ? slope * (double)at[s] : 0);
                p[s] = all || at[t] - at[s] < m->window ? exp(score) : 0;
                sum += p[s];
            }
            for (long i = 0; i < DK; i++) {
                out[t][a * DK + i] = 0;
                for (long s = 0; s <= t; s++) out[t][a * DK + i] += p[s] / sum * W[s][g + i];
            }
        }
}

static double act(const spec *m, double x)
{
    if (m->act == BY_ERF) return 0.5 * x * (1 + erf(x / sqrt(2)));
    if (m->act == BY_SHORT_TANH) return 0.5 * x * (1 + tanh(0.79788456 * (x + 0.044715 * x * x * x)));
    if (m->act != BY_FLAG) return x < 0 ? 0 : m->act == RELU ? x : x * x;
    return m->gelu ? 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))) : x / (1 + exp(-x));
}

static void one_layer(const file *f, const long *at, double X[N][WIDTH])
{
    const spec *m = f->m;
    static double Z[N][WIDTH], Q[N][HEADS * DK], K[N][HEADS * DK], W[N][HEADS * DK], out[N][HEADS * DK];
    const char *q = m->fused ? "self_attn.qkv_proj" : "self_attn.q_proj", *k = m->fused ? q : "self_attn.k_proj";
    const char *v = m->fused ? q : "self_attn.v_proj", *gate = m->fused ? "mlp.gate_up_proj" : "mlp.gate_proj";
    for (long t = 0; t < N; t++) {
        memcpy(Z[t], X[t], sizeof Z[t]);
        if (m->place != BEHIND) norm(f, "input_layernorm", Z[t], X[t], WIDTH);
        linear(f, q, 0, Q[t], Z[t], HEADS * DK, WIDTH);
        linear(f, k, m->fused ? HEADS * DK : 0, K[t], Z[t], kv_of(m) * DK, WIDTH);
        linear(f, v, m->fused ? (HEADS + KV) * DK : 0, W[t], Z[t], kv_of(m) * DK, WIDTH);
        if (m->whole) norm(f, "self_attn.q_norm", Q[t], Q[t], HEADS * DK);
        if (m->whole) norm(f, "self_attn.k_norm", K[t], K[t], KV * DK);
        for (long a = 0; m->by_head && a < HEADS; a++) norm(f, "self_attn.q_norm", Q[t] + a * DK, Q[t] + a * DK, DK);
        for (long a = 0; m->by_head && a < KV; a++) norm(f, "self_attn.k_norm", K[t] + a * DK, K[t] + a * DK, DK);
    }
    attend(f, at, Q, K, W, out);
    for (long t = 0; t < N; t++) {
        double A[WIDTH], F[WIDTH], Y[WIDTH], z[WIDTH], g[4 * WIDTH], up[4 * WIDTH];
        linear(f, "self_attn.o_proj", 0, A, out[t], WIDTH, HEADS * DK);
        if (m->place >= BEHIND) norm(f, "post_attention_layernorm", A, A, WIDTH);
        for (long i = 0; i < WIDTH; i++) Y[i] = X[t][i] + or_one(m->add) * A[i];
        memcpy(z, m->place == SHARED ? Z[t] : Y, sizeof z);
        if (m->place == BEFORE) norm(f, "post_attention_layernorm", z, m->parallel ? X[t] : Y, WIDTH);
        if (m->place == AROUND) norm(f, "pre_feedforward_layernorm", z, Y, WIDTH);
        if (!m->plain) linear(f, gate, 0, g, z, M, WIDTH);
        linear(f, m->fused ? gate : "mlp.up_proj", m->fused ? M : 0, up, z, m_of(m), WIDTH);
        for (long i = 0; i < m_of(m); i++) g[i] = m->plain ? act(m, up[i]) : act(m, g[i]) * up[i];
        linear(f, "mlp.down_proj", 0, F, g, WIDTH, m_of(m));
        if (m->place >= BEHIND) norm(f, "post_feedforward_layernorm", F, F, WIDTH);
        for (long i = 0; i < WIDTH; i++) X[t][i] = Y[i] + or_one(m->add) * F[i];
    }
}

static const float *of_model(const file *f, const char *name)
{
    const safetensor *t = safetensors_find(f->s, name);
    return t ? t->x : NULL;
}

static void plain_logits(const spec *m, const safetensors *s, const long *at, double *logits)
{
    file f = { m, s, 0 };
    static double X[N][WIDTH];
    const float *E = of_model(&f, "model.embed_tokens.weight"), *head = m->tied ? E : of_model(&f, "lm_head.weight");
    const float *P = m->learned ? of_model(&f, "model.embed_positions.weight") + (m->none_skipped ? 0 : SKIPPED) * WIDTH : NULL;
    for (long t = 0; t < N; t++)
        for (long i = 0; i < WIDTH; i++)
            X[t][i] = or_one(m->embed) * (double)E[tokens[t] * WIDTH + i] + (P ? (double)P[at[t] * WIDTH + i] : 0);
    for (long t = 0; t < N && m->alibi && !m->bare; t++)
        normalise(m, X[t], X[t], of_model(&f, "model.embed_norm.weight"), of_model(&f, "model.embed_norm.bias"), WIDTH);
    for (; f.layer < L; f.layer++) one_layer(&f, at, X);
    const float *gain = of_model(&f, m->phi ? "model.final_layernorm.weight" : "model.norm.weight"), *b = of_model(&f, "lm_head.bias");
    normalise(m, X[N - 1], X[N - 1], gain, of_model(&f, m->phi ? "model.final_layernorm.bias" : "model.norm.bias"), WIDTH);
    for (long c = 0; c < V; c++) {
        logits[c] = b ? b[c] : 0;
        for (long i = 0; i < WIDTH; i++) logits[c] += head[c * WIDTH + i] * X[N - 1][i];
        logits[c] = cap(m->logit_cap, logits[c] / or_one(m->divide));
    }
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

START_TEST(logits)
{
    const spec *m = &each[_i];
    safetensors s = drawn(m);
    weights w = weights_open(stored(m, &s));
    transformer D = transformer_of(&w);
    char *why = forward_refuses(&D);
    ck_assert_msg(!why, "%s: %s", m->name, why);
    ck_assert_msg(D.unknown_keys == 0, "%s: %s", m->name, D.unknown_keys ? D.unknown_key[0] : "");
    const weight_source W = weights_of_file(&D);
    arith R[] = { arith_f64(), arith_mpfr(120), arith_arb(200) };
    for (int k = 0; k < 2; k++) {
        double want[V], is[V];
        plain_logits(m, &s, k ? far : near, want);
        for (size_t r = 0; r < COUNT(R); r++) {
            ck_assert_int_eq(forward_last_logits(&R[r], &W, &(token_list){ N, tokens, k ? far : NULL, 0 }, is), HOLDS);
            for (long c = 0; c < V; c++)
                ck_assert_msg(fabs(is[c] - want[c]) <= 1e-12, "%s over %s: logit %ld is %.17g, not %.17g", m->name, R[r].name, c, is[c], want[c]);
        }
    }
    for (size_t r = 0; r < COUNT(R); r++) arith_close(&R[r]);
    transformer_free(&D);
    weights_close(&w);
    safetensors_free(&s);
}
END_TEST

static void expect(const char *a, const char *b, int status, const char *says)
{
    static char output[65536];
    const int is = run_command(output, sizeof output, "%s/provably verify --width=300 %s %s", build_folder(), a, b);
    ck_assert_msg(is == status && strstr(output, says), "status %d instead of %d, or it lacks `%s`: %s", is, status, says, output);
}

static float *numbers(safetensors *s, const char *name) { return (float *)(uintptr_t)safetensors_find(s, name)->x; }

/* The file and itself; another value of one number; what two configurations differ in, by name. */
START_TEST(settings_by_name)
{
    static const struct { const char *model, *from, *to, *says; } of[] = {
        { "gemma2", "\"attn_logit_softcapping\":1.5", "\"attn_logit_softcapping\":2.0", "scores are capped (0: not) at 1.5 in A and 2 in B" },
        { "gemma2", "\"attn_logit_softcapping\":1.5", "\"attn_logit_softcapping\":null", "scores are capped (0: not) at 1.5 in A and 0 in B" },
        { "gemma2", "\"final_logit_softcapping\":2.5", "\"final_logit_softcapping\":3", "logits are capped (0: not) at 2.5 in A and 3 in B" },
        { "gemma2", "\"query_pre_attn_scalar\":9", "\"query_pre_attn_scalar\":4", "scores are scaled" },
        { "gemma2", "\"sliding_window\":3", "\"sliding_window\":4", "a token sees 3 positions in A and 4 in B" },
        { "gemma2 by types", "[\"full_attention\",\"sliding_attention\"", "[\"sliding_attention\",\"sliding_attention\"", "layer 0 sees all positions: yes in A, no in B" },
        { "smollm3 lists", "[1,0,0,1]", "[1,1,0,1]", "layer 1 sees all positions: no in A, yes in B" },
        { "smollm3", "\"rms_norm_eps\":1e-3", "\"rms_norm_eps\":1e-3,\"no_rope_layer_interval\":3", "layer 2 does not turn: no in A, yes in B" },
        { "granite", "\"embedding_multiplier\":12", "\"embedding_multiplier\":13", "the embedding is multiplied by 12 in A and 13 in B" },
        { "granite", "\"residual_multiplier\":0.22", "\"residual_multiplier\":0.23", "what attention and MLP add is multiplied by 0.22 in A and 0.23 in B" },
        { "granite", "\"attention_multiplier\":0.3", "\"attention_multiplier\":0.5", "scores are scaled" },
        { "granite", "\"logits_scaling\":3", "\"logits_scaling\":4", "logits are divided by 3 in A and 4 in B" },
        { "stablelm", "\"partial_rotary_factor\":0.5", "\"partial_rotary_factor\":1.0", "2 coordinates of a head turn in A, 4 in B" },
        { "phi3 half, window", "\"sliding_window\":3", "\"sliding_window\":null", "a token sees 3 positions in A and 0 in B" },
        { "gemma3", "\"rope_local_base_freq\":30.0", "\"rope_local_base_freq\":40.0", "theta of layers within a window (0: that of all) is 30 in A and 40 in B" },
        { "gemma3", "\"sliding_window_pattern\":2", "\"sliding_window_pattern\":3", "layer 1 sees all positions: yes in A, no in B" },
        { "gemma3", "\"sliding_window\":3", "\"sliding_window\":300", "a token sees 3 positions in A and 300 in B" },
        { "cohere", "\"logit_scale\":0.3", "\"logit_scale\":0.4", "logits are multiplied by 0.3 in A and 0.4 in B" },
        { "cohere2 full", "cohere2", "cohere", "layer 0 does not turn: yes in A, no in B" },
        { "gemma", "\"gemma\"", "\"llama\",\"tie_word_embeddings\":true,\"hidden_act\":\"gelu_pytorch_tanh\",\"x\":\"\"", "the embedding is multiplied by 4 in A and 1 in B" },
    };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        const char *config = config_of_spec(m), *at = strstr(config, of[k].from);
        ck_assert_msg(at, "%s", of[k].from);
        char *A = saved(&s, config), *B = saved(&s, temp_format("%.*s%s%s", (int)(at - config), config, of[k].to, at + strlen(of[k].from)));
        if (strcmp(of[k].model, "gemma") == 0) B = saved(&s, "{\"model_type\":\"llama\",\"hidden_size\":16,\"num_hidden_layers\":4,\"num_attention_heads\":4,"
            "\"num_key_value_heads\":2,\"intermediate_size\":12,\"max_position_embeddings\":40,\"vocab_size\":10,\"rms_norm_eps\":1e-3,"
            "\"tie_word_embeddings\":true,\"hidden_act\":\"gelu_pytorch_tanh\"}");
        expect(A, B, 1, of[k].says);
        expect(A, B, 1, "different: ");
        expect(A, saved(&s, config), 0, "the same function for all inputs");
        numbers(&s, "model.layers.1.mlp.down_proj.weight")[5] += 0.5F;
        expect(A, saved(&s, config), 1, "different: ");
        safetensors_free(&s);
    }
}
END_TEST

/* Swaps n numbers at a and b. */
static void swap(float *x, long a, long b, long n)
{
    for (long k = 0; k < n; k++) {
        const float keep = x[a + k];
        x[a + k] = x[b + k];
        x[b + k] = keep;
    }
}

/* Neurons 2 and 7 of layer 1 change places. */
static void swap_neurons(const spec *m, safetensors *s)
{
    float *down = numbers(s, "model.layers.1.mlp.down_proj.weight");
    float *gate = numbers(s, temp_format("model.layers.1.mlp.%s.weight", m->fused ? "gate_up_proj" : "gate_proj"));
    float *up = m->fused ? gate + M * WIDTH : numbers(s, "model.layers.1.mlp.up_proj.weight");
    for (long r = 0; r < WIDTH; r++) swap(down, r * M + 2, r * M + 7, 1);
    swap(gate, 2 * WIDTH, 7 * WIDTH, WIDTH);
    swap(up, 2 * WIDTH, 7 * WIDTH, WIDTH);
}

/* Heads 0 and 1 of layer 1, which share keys, change places. */
static void swap_heads(safetensors *s)
{
    float *o = numbers(s, "model.layers.1.self_attn.o_proj.weight");
    swap(numbers(s, "model.layers.1.self_attn.q_proj.weight"), 0, DK * WIDTH, DK * WIDTH);
    for (long r = 0; r < WIDTH; r++) swap(o, r * HEADS * DK, r * HEADS * DK + DK, DK);
}

/* Symmetries are looked for where they are those of the family: found, or left open, never taken for what they are not. */
START_TEST(symmetries)
{
    static const struct { const char *model; bool found; const char *why; } of[] = { { "granite", true, "" }, { "phi3", true, "" }, { "smollm3", true, "" },
        { "qwen2 some windows", true, "" }, { "stablelm", true, "" }, { "llama", true, "" }, { "gemma", false, "its gains multiply by 1 + w" },
        { "gemma2", false, "its gains multiply by 1 + w" }, { "olmo2", false, "norms stand between what layers write and the stream" },
        { "stablelm parallel", false, "attention and MLP read one norm" }, { "cohere", false, "attention and MLP read one norm" } };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        char *A = saved(&s, config_of_spec(m));
        swap_neurons(m, &s);
        char *B = saved(&s, config_of_spec(m));
        expect(A, B, of[k].found ? 0 : 3, of[k].found ? "the same function for all inputs" : "undecided: no relation between B and A was found, and none is excluded");
        if (!of[k].found) expect(A, B, 3, temp_format("%s, for which no symmetries are looked for", of[k].why));
        numbers(&s, "model.layers.1.mlp.down_proj.weight")[5] += 0.5F;
        expect(A, saved(&s, config_of_spec(m)), 1, "different: ");
        safetensors_free(&s);
    }
}
END_TEST

/* Heads of a model that normalises all of them together change places, and their gains do not: another function. */
START_TEST(heads_without_their_gains)
{
    const spec *m = called("olmo2");
    safetensors s = drawn(m);
    char *A = saved(&s, config_of_spec(m));
    swap_heads(&s);
    expect(A, saved(&s, config_of_spec(m)), 1, "different: parts differ by more than rounding");
    swap(numbers(&s, "model.layers.1.self_attn.q_norm.weight"), 0, DK, DK);
    expect(A, saved(&s, config_of_spec(m)), 3, "undecided: ");
    safetensors_free(&s);
}
END_TEST

/* A constant in each row of the head moves all logits of a token together, but not those that are capped. */
START_TEST(constants_of_capped_logits)
{
    static const struct { const char *model; bool together; } of[] = { { "llama", true }, { "gemma2 untied", false } };
    static char output[65536];
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        char *A = saved(&s, config_of_spec(m));
        float *head = numbers(&s, "lm_head.weight");
        for (long v = 0; v < V; v++) for (long i = 0; i < WIDTH; i++) head[v * WIDTH + i] += (float)(i % 3) / 4;
        const int is = run_command(output, sizeof output, "%s/provably verify --width=300 --up-to=softmax %s %s", build_folder(), A, saved(&s, config_of_spec(m)));
        ck_assert_msg(is == !of[k].together && !strstr(output, "all logits of a token move together") == !of[k].together, "%s: %d: %s", m->name, is, output);
        safetensors_free(&s);
    }
}
END_TEST

/* Slopes go by the place of a head, and the norm behind the embedding is a part: what would be symmetries elsewhere is not taken for one. */
START_TEST(with_alibi)
{
    const spec *m = called("bloom");
    static const char *const matrix[] = { "q_proj", "k_proj", "v_proj" };
    static char output[65536];
    safetensors s = drawn(m);
    char *A = stored(m, &s), *folder = temp_folder();
    float *gain = numbers(&s, "model.embed_norm.weight"), *up = numbers(&s, "model.layers.1.mlp.c_fc.weight"), *b = numbers(&s, "model.layers.1.mlp.c_fc.bias");
    gain[3] += 0.5F;
    expect(A, stored(m, &s), 1, "word_embeddings_layernorm.weight");
    gain[3] -= 0.5F;
    swap(up, 2 * WIDTH, 7 * WIDTH, WIDTH);
    swap(b, 2, 7, 1);
    for (long r = 0; r < WIDTH; r++) swap(numbers(&s, "model.layers.1.mlp.c_proj.weight"), r * 4 * WIDTH + 2, r * 4 * WIDTH + 7, 1);
    expect(A, stored(m, &s), 3, "a norm follows the embedding, for which no symmetries are looked for");
    safetensors_free(&s);

    s = drawn(m);
    temp_text(folder, "less.json", "{\"title\":\"BLOOM without a norm\",\"model_type\":\"less\",\"like\":\"bloom\",\"embedding norm\":false,"
                                   "\"buffers\":[\"word_embeddings_layernorm.weight\",\"word_embeddings_layernorm.bias\"],\"tensors\":{\"embedding norm\":null}}");
    static const char less[] = "{\"model_type\":\"less\",\"hidden_size\":16,\"n_layer\":4,\"n_head\":4,\"vocab_size\":10}";
    safetensors a = as_stored(m, &s);
    for (int k = 0; k < 3; k++) {                        /* heads 0 and 1, whole                                */
        swap(numbers(&s, temp_format("model.layers.1.self_attn.%s.weight", matrix[k])), 0, DK * WIDTH, DK * WIDTH);
        swap(numbers(&s, temp_format("model.layers.1.self_attn.%s.bias", matrix[k])), 0, DK, DK);
    }
    for (long r = 0; r < WIDTH; r++) swap(numbers(&s, "model.layers.1.self_attn.o_proj.weight"), r * HEADS * DK, r * HEADS * DK + DK, DK);
    safetensors c = as_stored(m, &s);
    char *C = saved(&a, less), *D = saved(&c, less);
    const int is = run_command(output, sizeof output, "%s/provably verify --width=300 --architectures=%s %s %s", build_folder(), folder, C, D);
    ck_assert_msg(is == 1 || is == 3, "%d: %s", is, output);
    ck_assert_msg(strstr(output, "the scores of each head have biases of their own (ALiBi), for which no symmetries are looked for"), "%s", output);
    safetensors_free(&a), safetensors_free(&c), safetensors_free(&s);
}
END_TEST

/* Falcon's query heads stand in front of the key head that they share: those of one group may change places. */
START_TEST(heads_of_groups)
{
    const spec *m = called("falcon new");
    safetensors s = drawn(m);
    char *A = stored(m, &s);
    swap_heads(&s);
    expect(A, stored(m, &s), 0, "the same function for all inputs");
    numbers(&s, "model.layers.1.self_attn.v_proj.weight")[DK * WIDTH + 5] += 0.5F;
    expect(A, stored(m, &s), 1, "different: ");
    safetensors_free(&s);
}
END_TEST

/* Rows of the table of positions that no token reads are not compared; those behind them are, and their places count. */
START_TEST(skipped_positions)
{
    const spec *m = called("opt");
    safetensors s = drawn(m);
    char *A = stored(m, &s);
    float *P = numbers(&s, "model.embed_positions.weight");
    P[WIDTH + 1] += 0.5F;
    expect(A, stored(m, &s), 0, "the same function for all inputs");
    P[SKIPPED * WIDTH + 1] += 0.5F;
    expect(A, stored(m, &s), 1, "different: ");
    safetensors_free(&s);
}
END_TEST

/* Gradients and certified gaps of a model and itself, and of one whose number is another. */
START_TEST(other_questions)
{
    static const char *const model[] = { "gemma2", "olmo2", "phi3", "gemma3 nested", "cohere", "smollm3" };
    static char output[65536];
    for (size_t k = 0; k < COUNT(model); k++) {
        const spec *m = called(model[k]);
        safetensors s = drawn(m);
        char *A = saved(&s, config_of_spec(m));
        int is = run_command(output, sizeof output, "%s/provably verify --gradients %s %s", build_folder(), A, A);
        ck_assert_msg(is == 0, "%s: %d: %s", model[k], is, output);
        numbers(&s, "model.embed_tokens.weight")[3 * WIDTH] += 0x1p-12F;
        char *B = saved(&s, config_of_spec(m));
        is = run_command(output, sizeof output, "%s/provably verify --certified --tolerance=1e-9 --tokens=3,7,3 %s %s", build_folder(), A, B);
        ck_assert_msg(is == 1, "%s: %d: %s", model[k], is, output);
        is = run_command(output, sizeof output, "%s/provably verify --certified --tolerance=100 --tokens=3,7,3 %s %s", build_folder(), A, B);
        ck_assert_msg(is == 0, "%s: %d: %s", model[k], is, output);
        safetensors_free(&s);
    }
}
END_TEST

/* A layer that adds nothing, put in front of others: which layers do not turn goes by their place, so that the function is another. */
START_TEST(a_layer_more)
{
    const spec *m = called("smollm3");
    safetensors s = drawn(m), grown = { .tensors = 0 };
    for (long k = 0; k < s.tensors; k++) {
        const safetensor *t = &s.tensor[k];
        static const char in[] = "model.layers.";
        const long i = strncmp(t->name, in, sizeof in - 1) == 0 ? atol(t->name + sizeof in - 1) : -1;
        const char *rest = i < 0 ? NULL : strchr(t->name + sizeof in - 1, '.');
        safetensors_tensor(&grown, i < 1 ? t->name : temp_format("%s%ld%s", in, i + 1, rest), t->rank, t->shape, t->x);
        if (i != 0) continue;
        const bool writes = strstr(rest, "o_proj") || strstr(rest, "down_proj");
        float *zero = must_calloc(t->n, sizeof *zero);
        safetensors_tensor(&grown, temp_format("%s1%s", in, rest), t->rank, t->shape, writes ? zero : t->x);
        free(zero);
    }
    char *config = config_of_spec(m), *at = strstr(config, "\"num_hidden_layers\":4");
    char *A = saved(&s, config), *B = saved(&grown, temp_format("%.*s\"num_hidden_layers\":5%s", (int)(at - config), config, at + 21));
    expect(A, B, 1, "different: ");
    expect(B, B, 0, "the same function for all inputs");
    safetensors_free(&s);
    safetensors_free(&grown);
}
END_TEST

/* A gain behind the MLP is a gain: its numbers plus 1 are what another program may have made of it. */
START_TEST(gains_behind)
{
    const spec *m = called("olmo2");
    safetensors s = drawn(m);
    char *A = saved(&s, config_of_spec(m));
    float *g = numbers(&s, "model.layers.2.post_feedforward_layernorm.weight");
    for (long i = 0; i < WIDTH; i++) g[i] += 1;
    expect(A, saved(&s, config_of_spec(m)), 1, "post_feedforward_layernorm.weight: A's + 1: one multiplies by w, the other by 1 + w");
    safetensors_free(&s);
}
END_TEST

/* Granite whose factors are in its weights: no setting says that it is another function, nor is it found to be the same. */
START_TEST(factors_in_weights)
{
    const spec *m = called("granite");
    safetensors s = drawn(m);
    const char *config = config_of_spec(m), *at = strstr(config, "\"embedding_multiplier\":12");
    float *E = numbers(&s, "model.embed_tokens.weight");
    char *A = saved(&s, config), *B = temp_format("%.*s\"embedding_multiplier\":3%s", (int)(at - config), config, at + 25);
    for (long k = 0; k < V * WIDTH; k++) E[k] *= 4;
    expect(A, saved(&s, B), 3, "undecided: no relation between B and A was found, and none is excluded");
    E[5 * WIDTH] *= 1.5F;
    expect(A, saved(&s, B), 1, "different: ");
    safetensors_free(&s);
}
END_TEST

/* Gains of 1 + w: what is stored is compared, not what multiplies.  1e-3 in BF16 is no rounding of 1.1e-3. */
START_TEST(small_gains)
{
    const spec *m = called("gemma");
    safetensors s = drawn(m);
    float *g = numbers(&s, "model.layers.2.input_layernorm.weight");
    for (long i = 0; i < WIDTH; i++) g[i] = 0x1p-10F;
    char *A = saved(&s, config_of_spec(m));
    for (long i = 0; i < WIDTH; i++) g[i] = 0x1.2p-10F;
    expect(A, saved(&s, config_of_spec(m)), 1, "different: parts differ by more than rounding: model.layers.2.input_layernorm.weight: A's times 1.125");
    safetensors_free(&s);
}
END_TEST

/* Phi-3 as a file of Llama: the same function, whose tensors are split. */
START_TEST(split)
{
    const spec *m = called("phi3"), *to = called("llama");
    static const struct { const char *from, *name; long first, rows; } piece[] = {
        { "self_attn.qkv_proj", "self_attn.q_proj", 0, HEADS * DK }, { "self_attn.qkv_proj", "self_attn.k_proj", HEADS * DK, KV * DK },
        { "self_attn.qkv_proj", "self_attn.v_proj", (HEADS + KV) * DK, KV * DK }, { "mlp.gate_up_proj", "mlp.gate_proj", 0, M },
        { "mlp.gate_up_proj", "mlp.up_proj", M, M } };
    safetensors s = drawn(m), apart = drawn(to);
    for (long k = 0; k < apart.tensors; k++) {
        const safetensor *t = safetensors_find(&s, apart.tensor[k].name);
        if (t) memcpy(numbers(&apart, apart.tensor[k].name), t->x, t->n * sizeof *t->x);
    }
    for (long i = 0; i < L; i++)
        for (size_t k = 0; k < COUNT(piece); k++) {
            const float *x = safetensors_find(&s, temp_format("model.layers.%ld.%s.weight", i, piece[k].from))->x;
            memcpy(numbers(&apart, temp_format("model.layers.%ld.%s.weight", i, piece[k].name)), x + piece[k].first * WIDTH,
                   (size_t)(piece[k].rows * WIDTH) * sizeof *x);
        }
    char *A = saved(&s, config_of_spec(m)), *B = saved(&apart, config_of_spec(to));
    expect(A, B, 0, "the same function for all inputs: all parts hold the same numbers and the settings agree");
    expect(B, A, 0, "the same function for all inputs");
    numbers(&apart, "model.layers.3.self_attn.k_proj.weight")[7] += 0.5F;
    expect(A, saved(&apart, config_of_spec(to)), 1, "different: parts differ by more than rounding: model.layers.3.self_attn.k_proj.weight");
    expect(A, saved(&apart, config_of_spec(m)), 1, "programs for phi3 read Q|K|V and gate|up as one tensor each");
    static char output[4096];
    const int status = run_command(output, sizeof output, "%s/provably reduce %s --out=%s/x 2>&1", build_folder(), A, temp_folder());
    ck_assert_msg(status == 2 && strstr(output, "is a part of a larger tensor, and such are not written here"), "%d: %s", status, output);
    safetensors_free(&s);
    safetensors_free(&apart);
}
END_TEST

/* Which constructions are refused, and how; W_V's identity blocks are for all of them. */
START_TEST(what_theorems_leave)
{
    static const struct { const char *model, *claims, *why; } of[] = {
        { "gemma", "N20", "gains of 1 + w are not folded here" }, { "gemma2", "N20", "gains of 1 + w" },
        { "olmo2", "K-P3.2 K-X-qknorm", "queries and keys are normalised" }, { "smollm3", "K-P3.2 K-X-rope K-X-gqa", "layers that do not turn" },
        { "granite", "N20", NULL }, { "stablelm", "N20", "it takes RMSNorm" },
        { "nemotron", "N18", "gains of 1 + w are not folded here" }, { "falcon", "N18", "W_Q has none that could take it up" },
        { "cohere", "N20", "it takes RMSNorm" }, { "gemma3", "K-P3.2 K-X-qknorm", "queries and keys are normalised" } };
    for (size_t k = 0; k < COUNT(each); k++) {
        safetensors s = drawn(&each[k]);
        weights w = weights_open(stored(&each[k], &s));
        transformer D = transformer_of(&w);
        reduction_list rows = reductions_of(&D, NULL);
        bool blocks = false;
        for (long r = 0; r < rows.n; r++) blocks = blocks || (strcmp(rows.at[r].claims, "N1 N1b") == 0 && rows.at[r].applies);
        ck_assert_msg(!rows.nothing && blocks, "%s: %s", each[k].name, rows.nothing);
        for (size_t i = 0; i < COUNT(of); i++) {
            bool found = strcmp(of[i].model, each[k].name) != 0;
            for (long r = 0; r < rows.n && !found; r++)
                found = strcmp(rows.at[r].claims, of[i].claims) == 0
                        && (of[i].why ? strstr(rows.at[r].why, of[i].why) != NULL : rows.at[r].applies || strstr(rows.at[r].why, "not square"));
            ck_assert_msg(found, "%s: %s", each[k].name, of[i].claims);
        }
        reductions_free(&rows);
        transformer_free(&D);
        weights_close(&w);
        safetensors_free(&s);
    }
    static char shown[16384];
    static const struct { const char *model, *says[3]; } line[] = {
        { "olmo2", { "norms are    behind attention and MLP", "QK-norm      over all heads together", "W_V and gate, up; the head, behind the final norm" } },
        { "gemma2", { "gains        multiply by 1 + w", "scores       capped at 1.5", "full         2 of 4 layers see all positions" } },
        { "smollm3", { "not turned   1 of 4 layers have no rotations", "W_V and gate, up, behind its norms", "" } },
        { "granite", { "added        attention and MLP times 0.22", "logits       divided by 3", "embedding    multiplied by 12" } },
        { "gemma3", { "in windows   theta 30", "", "" } }, { "cohere", { "norms are    one in front of attention and MLP", "logits       multiplied by 0.3", "" } } };
    for (size_t k = 0; k < COUNT(line); k++) {
        safetensors o = drawn(called(line[k].model));
        run_command(shown, sizeof shown, "%s/provably inspect --width=300 --no-conditions %s", build_folder(), saved(&o, config_of_spec(called(line[k].model))));
        for (int i = 0; i < 3; i++) ck_assert_msg(strstr(shown, line[k].says[i]), "%s: %s: %s", line[k].model, line[k].says[i], shown);
        safetensors_free(&o);
    }
    safetensors g = drawn(called("granite"));            /* its factors would be lost in another format */
    static char said[4096];
    const int is = run_command(said, sizeof said, "%s/provably reduce --format=llama2c %s --out=%s/x 2>&1", build_folder(),
                               saved(&g, config_of_spec(called("granite"))), temp_folder());
    ck_assert_msg(is == 2 && strstr(said, "settings"), "%d: %s", is, said);
    safetensors_free(&g);
    safetensors s = drawn(called("gemma"));
    char *A = saved(&s, config_of_spec(called("gemma")));
    static char output[4096];
    const int status = run_command(output, sizeof output, "%s/provably reduce --force --apply=triangle %s --out=%s/x 2>&1", build_folder(), A, temp_folder());
    ck_assert_msg(status == 2 && strstr(output, "triangle (N20) is not possible: its norms are not those that a change of basis folds here"), "%d: %s",
                  status, output);
    safetensors_free(&s);
    safetensors n = drawn(called("nemotron"));           /* not even where it is forced                         */
    const int forced = run_command(output, sizeof output, "%s/provably reduce --force --apply=zero-row %s --out=%s/x 2>&1", build_folder(),
                                   stored(called("nemotron"), &n), temp_folder());
    ck_assert_msg(forced == 2 && strstr(output, "its norms are not those that a change of W_Q folds here"), "%d: %s", forced, output);
    safetensors_free(&n);
}
END_TEST

/* What a setting could hide is refused by name. */
START_TEST(refused)
{
    static const struct { const char *model, *from, *to, *says; } of[] = {
        { "gemma", "\"hidden_act\":\"gelu\"", "\"hidden_act\":\"silu\"", "programs differ on its activation (hidden_act)" },
        { "gemma", "\"hidden_act\":\"gelu\"", "\"hidden_activation\":\"gelu\"", "programs differ on its activation (hidden_activation)" },
        { "gemma", "\"head_dim\":4,", "", "does not say head_dim" },
        { "gemma2", "\"query_pre_attn_scalar\":9,", "", "does not say query_pre_attn_scalar" },
        { "gemma2", "\"attn_logit_softcapping\":1.5,", "", "does not say attn_logit_softcapping" },
        { "gemma2", "\"sliding_window\":3", "\"sliding_window\":null", "its layers have a window whose length is not said" },
        { "gemma2", "\"rms_norm_eps\"", "\"use_bidirectional_attention\":true,\"rms_norm_eps\"", "its tokens see those behind them (use_bidirectional_attention)" },
        { "qwen2 some windows", "\"use_sliding_window\":true", "\"layer_types\":[\"full_attention\",\"sliding_attention\",\"full_attention\",\"full_attention\"]",
          "its layers have a window whose length is not said" },
        { "phi3", "\"rms_norm_eps\"", "\"rope_scaling\":{\"type\":\"linear\",\"factor\":2.0},\"rms_norm_eps\"", "its type is none that is known here" },
        { "phi3 half, window", "\"partial_rotary_factor\":0.5", "\"partial_rotary_factor\":0.5,\"rope_parameters\":{\"partial_rotary_factor\":1.0}",
          "programs differ on which part of each head turns" },
        { "smollm3", "\"rms_norm_eps\"", "\"partial_rotary_factor\":0.5,\"rms_norm_eps\"", "a part of each head turns or all of it" },
        { "stablelm", "\"layer_norm_eps\"", "\"qk_layernorm\":true,\"layer_norm_eps\"", "queries and keys have a LayerNorm for each head" },
        { "olmo2", "\"rms_norm_eps\"", "\"clip_qkv\":8.0,\"rms_norm_eps\"", "are clipped (clip_qkv)" },
        { "llama", "\"rms_norm_eps\"", "\"attn_logit_softcapping\":8.0,\"rms_norm_eps\"", "its scores are capped (attn_logit_softcapping)" },
        { "llama", "\"rms_norm_eps\"", "\"residual_multiplier\":0.5,\"rms_norm_eps\"", "what is added to the stream is scaled" },
        { "gemma3", "\"head_dim\":4", "\"attn_logit_softcapping\":9.0,\"head_dim\":4", "its scores are capped (attn_logit_softcapping)" },
        { "gemma3", "\"rope_theta\":100.0", "\"rope_parameters\":{\"rope_theta\":100.0,\"rope_type\":\"default\"}", "by no rule that is known here for its kinds of layers" },
        { "gemma3 nested", "\"rope_theta\":20.0,\"rope_type\":\"default\"", "\"rope_theta\":20.0,\"rope_type\":\"linear\",\"factor\":2.0",
          "by no rule that is known here for its kinds of layers" },
        { "gemma3 nested", "\"head_dim\":4", "\"rope_scaling\":{\"rope_type\":\"linear\",\"factor\":2.0},\"head_dim\":4", "by no rule that is known here for its kinds of layers" },
        { "gemma3 nested", "\"head_dim\":4", "\"rope_local_base_freq\":10000,\"head_dim\":4", "programs differ on theta of layers with a window" },
        { "gemma3 nested", "\"head_dim\":4", "\"rope_theta\":10000,\"head_dim\":4", "programs differ on theta" },
        { "olmo3", "\"sliding_window\":3", "\"sliding_window\":3,\"rope_theta\":10000", "programs differ on theta of layers with a window" },
        { "olmo3", "\"sliding_window\":3", "\"rope_scaling\":{\"type\":\"yarn\",\"factor\":4.0},\"sliding_window\":3", "type says how, and rope_type is not there" },
        { "gemma3", "\"head_dim\":4", "\"rope_scaling\":{\"type\":\"linear\",\"factor\":8.0},\"head_dim\":4", "programs differ on whether its rotary angles are scaled" },
        { "cohere2", "\"sliding_window\":3", "\"sliding_window\":null", "its layers have a window whose length is not said" },
        { "cohere", "\"rope_theta\":100.0,", "", "does not say rope_theta" }, { "phi", "\"partial_rotary_factor\":0.5", "\"x\":null", "does not say partial_rotary_factor" },
        { "cohere", "\"layer_norm_eps\"", "\"use_qk_norm\":true,\"layer_norm_eps\"", "norms of their own (use_qk_norm)" },
        { "llama", "\"rms_norm_eps\"", "\"logit_scale\":0.5,\"rms_norm_eps\"", "its logits are scaled (logit_scale)" },
        { "falcon", "\"layer_norm_epsilon\"", "\"alibi\":true,\"layer_norm_epsilon\"", "programs differ on ALiBi's biases of its scores (alibi)" },
        { "mpt", "\"alibi\":true", "\"alibi\":false", "programs differ on its positions (attn_config.alibi)" },
        { "mpt", "\"alibi\":true", "\"softmax_scale\":0.5", "its scores have a scale of their own (attn_config.softmax_scale)" },
        { "mpt", "\"alibi\":true", "\"clip_qkv\":6", "queries, keys and values are clipped (attn_config.clip_qkv)" },
        { "mpt", "\"layer_norm_epsilon\"", "\"expansion_ratio\":3,\"layer_norm_epsilon\"", "programs differ on the width of its MLPs (expansion_ratio)" },
        { "falcon", "\"layer_norm_epsilon\"", "\"n_head\":4,\"layer_norm_epsilon\"", "programs differ on its heads (n_head)" },
        { "falcon new", "\"num_kv_heads\"", "\"parallel_attn\":false,\"num_kv_heads\"", "its class computes no such model (parallel_attn)" },
        { "gptj", "\"rotary_dim\"", "\"rope_scaling\":{\"rope_type\":\"linear\",\"factor\":2.0},\"rotary_dim\"", "do not read how its angles are scaled (rope_scaling)" },
        { "opt", "\"ffn_dim\"", "\"word_embed_proj_dim\":8,\"ffn_dim\"", "its embeddings have 8 coordinates and its stream 16 (word_embed_proj_dim)" },
        { "opt", "\"ffn_dim\"", "\"do_layer_norm_before\":false,\"ffn_dim\"", "its norms stand in the stream (do_layer_norm_before)" },
        { "bloom", "\"layer_norm_epsilon\"", "\"apply_residual_connection_post_layernorm\":true,\"layer_norm_epsilon\"", "its stream goes on behind the norms" },
        { "gpt_neo", "[[[\"global\",\"local\"],2]]", "[[[\"global\",\"local\"],2]],\"attention_layers\":[\"global\",\"global\",\"global\",\"local\"]",
          "programs differ on which of its layers have a window (attention_layers)" },
        { "gpt_neo", "\"attention_types\":[[[\"global\",\"local\"],2]]", "\"x\":null", "does not say attention_layers" },
        { "gpt_neo", "[[[\"global\",\"local\"],2]]", "[[[\"global\",\"flash\"],2]]", "not all of its layers have full attention (attention_types)" },
        { "glm", "\"attention_bias\":true", "\"x\":null", "does not say attention_bias" },
        { "granite", "\"granite\"", "\"llama\"", "its embeddings are scaled (embedding_multiplier)" },
    };
    for (size_t k = 0; k < COUNT(of); k++) {
        const spec *m = called(of[k].model);
        safetensors s = drawn(m);
        const char *config = config_of_spec(m), *at = strstr(config, of[k].from);
        ck_assert_msg(at, "%s", of[k].from);
        weights w = weights_open(stored_with(m, &s, temp_format("%.*s%s%s", (int)(at - config), config, of[k].to, at + strlen(of[k].from))));
        transformer D = transformer_of(&w);
        char *why = forward_refuses(&D);
        ck_assert_msg(why && strstr(why, of[k].says), "%s, %s: %s", of[k].model, of[k].to, why ? why : "computed");
        free(why);
        transformer_free(&D);
        weights_close(&w);
        safetensors_free(&s);
    }
}
END_TEST

/* Which original positions count, and which programs differ on. */
START_TEST(original_positions)
{
    static const struct { const char *model, *settings; long original; const char *why; } of[] = {
        { "phi3", "\"rope_scaling\":{" SU "}", 4096, NULL }, { "phi3", "\"rope_scaling\":{" SU "," ORIGINAL("4096") "}", 4096, NULL },
        { "phi3", "\"rope_scaling\":{" SU "," ORIGINAL("100") "}", 0, "differ on whether its original_max_position_embeddings counts" },
        { "phi3", ORIGINAL("100") ",\"rope_scaling\":{" SU "," ORIGINAL("100") "}", 100, NULL },
        { "phi3", ORIGINAL("100") ",\"rope_scaling\":{" SU "," ORIGINAL("99") "}", 0, "is said twice with different values" },
        { "llama", ORIGINAL("20") ",\"rope_scaling\":{" YARN "}", 20, NULL }, { "llama", "\"rope_scaling\":{" YARN "}", 40, NULL },
        { "olmo3", "\"rope_scaling\":{" YARN "}", 40, NULL }, { "olmo3", ORIGINAL("40") ",\"rope_scaling\":{" YARN "}", 40, NULL },
        { "olmo3", ORIGINAL("20") ",\"rope_scaling\":{" YARN "}", 20, NULL },
        { "olmo3", ORIGINAL("20") ",\"rope_parameters\":{\"full_attention\":{" YARN "}}", 0, "beside it counts" },
        { "gemma3", ORIGINAL("20") ",\"rope_scaling\":{" YARN "}", 0, "differ on whether original_max_position_embeddings beside it counts" },
        { "olmo3", ORIGINAL("20") ",\"rope_scaling\":{" YARN "," ORIGINAL("20") "}", 20, NULL },
        { "gemma3", ORIGINAL("20") ",\"rope_parameters\":{\"full_attention\":{" YARN "}}", 0, "original_max_position_embeddings beside it counts" },
        { "gemma3", "\"rope_parameters\":{\"full_attention\":{" YARN "," ORIGINAL("20") "}}", 20, NULL } };
    for (size_t k = 0; k < COUNT(of); k++) {
        safetensors s = drawn(called(of[k].model));
        weights w = weights_open(saved(&s, temp_format("{%s,%s", of[k].settings, config_of_spec(called(of[k].model)) + 1)));
        transformer D = transformer_of(&w);
        char *why = forward_refuses(&D);
        if (of[k].why) ck_assert_msg(why && strstr(why, of[k].why), "%s, %s: %s", of[k].model, of[k].settings, why ? why : "computed");
        else ck_assert_msg(!why && D.rope.original == of[k].original, "%s, %s: %ld, %s", of[k].model, of[k].settings, D.rope.original, why);
        free(why);
        transformer_free(&D);
        weights_close(&w);
        safetensors_free(&s);
    }
}
END_TEST

/* Cohere's gains of queries and keys, one vector for each head: not computed, but compared. */
START_TEST(gains_of_heads)
{
    static const char used[] = "\"use_qk_norm\":true";
    static char output[4096];
    const spec *m = called("cohere");
    safetensors s = drawn(m);
    for (long i = 0; i < L; i++) add_in(&s, i, "self_attn.q_norm.weight", HEADS, DK, 1), add_in(&s, i, "self_attn.k_norm.weight", KV, DK, 1);
    char *config = temp_format("{%s,%s", used, config_of_spec(m) + 1), *A = saved(&s, config);
    expect(A, saved(&s, config), 0, "norms of their own (use_qk_norm)");
    expect(A, saved(&s, config_of_spec(m)), 1, "does not say that use_qk_norm is true, so programs compute without");
    numbers(&s, "model.layers.1.self_attn.k_norm.weight")[DK + 1] += 0.5F;
    expect(A, saved(&s, config), 1, "different: model.layers.1.self_attn.k_norm.weight: different numbers");
    safetensor *t = (safetensor *)(uintptr_t)safetensors_find(&s, "model.layers.2.self_attn.q_norm.weight");
    t->shape[0] = DK / 2, t->shape[1] = 2 * HEADS;
    const int is = run_command(output, sizeof output, "%s/provably inspect %s 2>&1", build_folder(), saved(&s, config));
    ck_assert_msg(is == 2 && strstr(output, "q_norm.weight is [2, 8], but [4, 4] by the sizes"), "%d: %s", is, output);
    safetensors_free(&s);
}
END_TEST

static void open_config(void *with)
{
    const char *more = with;
    const spec *m = called(strstr(more, "global") ? "gpt_neo" : "smollm3");
    safetensors s = drawn(m);
    char *config = config_of_spec(m), *types = strstr(config, ",\"attention_types\"");
    if (types) *types = '\0';
    weights w = weights_open(stored_with(m, &s, temp_format("{%s,%s%s", more, config + 1, types ? "}" : "")));
    transformer D = transformer_of(&w);
    transformer_free(&D);
}

START_TEST(lists_that_lie)
{
    static const struct { const char *extra, *says; } of[] = {
        { "\"no_rope_layers\":[1,0,1]", "no_rope_layers is not a list of 4 numbers" }, { "\"no_rope_layers\":[1,0,1,2]", "something else than 0 and 1" },
        { "\"no_rope_layers\":[1,0,1,true]", "something else than 0 and 1" }, { "\"no_rope_layers\":7", "no_rope_layers is not a list" },
        { "\"use_sliding_window\":true,\"sliding_window\":3,\"layer_types\":[\"full_attention\"]", "layer_types has 1 entries for 4 layers" },
        { "\"layer_types\":[\"full_attention\"]", "layer_types has 1 entries for 4 layers" },
        { "\"attention_types\":[[[\"global\"],3]]", "attention_types has 3 entries for 4 layers" },
        { "\"attention_types\":[[[\"global\"],5]]", "attention_types has 5 entries for 4 layers" },
        { "\"attention_types\":[[[\"global\"],2],[[\"global\"]]]", "attention_types has 2 entries for 4 layers" },
        { "\"attention_types\":[[\"global\",4]]", "attention_types has 0 entries for 4 layers" },
        { "\"attention_layers\":\"global\"", "attention_layers has 0 entries for 4 layers" } };
    char output[2048];
    for (size_t k = 0; k < COUNT(of); k++) {
        const int status = run_child(open_config, (void *)(uintptr_t)of[k].extra, output, sizeof output);
        ck_assert_msg(status == 2 && strstr(output, of[k].says), "%s: %d: %s", of[k].extra, status, output);
    }
}
END_TEST

/* Keys within an object of the configuration: those that are not known are named; a text is no object. */
START_TEST(keys_within)
{
    static const struct { const char *config, *unknown; } of[] = { { "\"attn_config\":{\"alibi\":true,\"sparse\":3}", "attn_config.sparse = 3" },
        { "\"attn_config\":\"alibi\"", "attn_config = \"alibi\"" }, { "\"attn_config\":{\"alibi\":true,\"sparse\":null}", NULL } };
    const spec *m = called("mpt");
    safetensors s = drawn(m);
    for (size_t k = 0; k < COUNT(of); k++) {
        weights w = weights_open(stored_with(m, &s, temp_format("{\"model_type\":\"mpt\",\"d_model\":16,\"n_layers\":4,\"n_heads\":4,\"max_seq_len\":40,"
                                                                "\"vocab_size\":10,%s}", of[k].config)));
        transformer D = transformer_of(&w);
        ck_assert_msg(D.unknown_keys == (of[k].unknown != NULL), "%s: %ld", of[k].config, D.unknown_keys);
        if (of[k].unknown) ck_assert_str_eq(D.unknown_key[0], of[k].unknown);
        transformer_free(&D);
        weights_close(&w);
    }
    safetensors_free(&s);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("families");
    TCase *all = tcase_create("families");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, logits, 0, COUNT(each));
    tcase_add_test(all, settings_by_name);
    tcase_add_test(all, symmetries);
    tcase_add_test(all, heads_without_their_gains);
    tcase_add_test(all, constants_of_capped_logits);
    tcase_add_test(all, with_alibi);
    tcase_add_test(all, heads_of_groups);
    tcase_add_test(all, skipped_positions);
    tcase_add_test(all, other_questions);
    tcase_add_test(all, a_layer_more);
    tcase_add_test(all, gains_behind);
    tcase_add_test(all, factors_in_weights);
    tcase_add_test(all, small_gains);
    tcase_add_test(all, split);
    tcase_add_test(all, what_theorems_leave);
    tcase_add_test(all, refused);
    tcase_add_test(all, original_positions);
    tcase_add_test(all, gains_of_heads);
    tcase_add_test(all, lists_that_lie);
    tcase_add_test(all, keys_within);
    return run_suite(suite, argc, argv);
}
