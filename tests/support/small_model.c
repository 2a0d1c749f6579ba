/* SPDX-License-Identifier: GPL-3.0-or-later
 * small_model.c - see small_model.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "tests/support/files.h"
#include "tests/support/small_model.h"

const char *const small_architecture_name[SMALL_ARCHITECTURES] = { "llama", "gpt2", "qwen2", "qwen3", "gpt_neox" };

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static int significant_bits(numbers_type type)
{
    return type == NUMBERS_F64 ? 53 : type == NUMBERS_F32 ? 24 : type == NUMBERS_F16 ? 11 : 8;
}

static int least_exponent(numbers_type type)                             /* of the least normal number          */
{
    return type == NUMBERS_F64 ? -1022 : type == NUMBERS_F16 ? -14 : -126;
}

double small_ulp(numbers_type type, double x)
{
    int e;
    frexp(x, &e);                                                        /* |x| in [2^(e-1), 2^e)               */
    if (x == 0 || e - 1 < least_exponent(type)) e = least_exponent(type) + 1;
    return ldexp(1, e - significant_bits(type));
}

double small_round(numbers_type type, double x)
{
    const double ulp = small_ulp(type, x);
    return type == NUMBERS_F64 ? x : rint(x / ulp) * ulp;
}

static void put_number(text_buffer *to, numbers_type type, double x)
{
    x = small_round(type, x);
    if (type == NUMBERS_F64) {
        text_bytes(to, (const char *)&x, sizeof x);
    } else if (type == NUMBERS_F16) {
        const double ulp = small_ulp(type, x), size = fabs(x);
        int e;
        frexp(size, &e);
        const bool normal = size > 0 && e - 1 >= -14;
        const uint16_t mantissa = (uint16_t)(size / ulp), sign = signbit(x) ? 0x8000 : 0;
        const uint16_t bits = (uint16_t)(sign | (normal ? ((e - 1 + 15) << 10) | (mantissa & 0x3ff) : mantissa));
        text_bytes(to, (const char *)&bits, sizeof bits);
    } else {
        const float single = (float)x;
        text_bytes(to, (const char *)&single + (type == NUMBERS_BF16 ? 2 : 0), type == NUMBERS_BF16 ? 2 : 4);
    }
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

small_matrix *small_part(small_model *m, tensor_role role, long layer) { return &m->part[layer + 1][role]; }

void small_part_drop(small_model *m, tensor_role role, long layer)
{
    small_matrix *p = small_part(m, role, layer);
    free(p->x);
    *p = (small_matrix){ .x = NULL };
}

small_matrix *small_part_new(small_model *m, tensor_role role, long layer, long rows, long cols)
{
    small_part_drop(m, role, layer);
    small_matrix *p = small_part(m, role, layer);
    *p = (small_matrix){ must_calloc((size_t)(rows * cols), sizeof(double)), rows, cols };
    return p;
}

static void drawn(small_model *m, numbers_type type, tensor_role role, long layer, long rows, long cols, double scale,
                  double middle, uint64_t *draw)
{
    const uint64_t key[2] = { 11, 13 };
    small_matrix *p = small_part_new(m, role, layer, rows, cols);
    for (long k = 0; k < rows * cols; k++)
        p->x[k] = small_round(type, middle + scale * (double)random_gauss24(key, (*draw)++) * 0x1p-35);
}

static bool of_layer_norms(const small_model *m) { return m->of == SMALL_GPT2 || m->of == SMALL_NEOX; }

small_model small_model_draw(small_architecture of, numbers_type type)
{
    small_model m = { .of = of, .L = 3, .d = 32, .h = 4, .kv = of == SMALL_GPT2 || of == SMALL_NEOX ? 4 : 2, .dk = 8,
                      .m = 48, .V = 24, .T = 64, .eps = 1e-5, .theta = 10000, .rotary = of == SMALL_NEOX ? 0.5 : 1,
                      .tied = of == SMALL_GPT2, .parallel = of == SMALL_NEOX,
                      .activation = of == SMALL_GPT2 ? "gelu_new" : of == SMALL_NEOX ? "gelu" : "silu" };
    const bool layer_norms = of_layer_norms(&m), gated = !layer_norms;
    uint64_t draw = 1000 * (uint64_t)of;
    const double in = 1 / sqrt((double)m.d);
#define DRAW(role, layer, rows, cols, scale, middle) drawn(&m, type, role, layer, rows, cols, scale, middle, &draw)
    DRAW(ROLE_EMBED, -1, m.V, m.d, 1, 0);
    if (of == SMALL_GPT2) DRAW(ROLE_POSITION, -1, m.T, m.d, 0.5, 0);
    for (long i = 0; i < m.L; i++) {
        DRAW(ROLE_GAIN1, i, 1, m.d, 0.2, 1);
        DRAW(ROLE_Q, i, m.d, m.h * m.dk, in, 0);
        DRAW(ROLE_K, i, m.d, m.kv * m.dk, in, 0);
        DRAW(ROLE_V, i, m.d, m.kv * m.dk, in, 0);
        DRAW(ROLE_O, i, m.h * m.dk, m.d, in, 0);
        DRAW(ROLE_GAIN2, i, 1, m.d, 0.2, 1);
        if (gated) DRAW(ROLE_GATE, i, m.d, m.m, in, 0);
        DRAW(ROLE_UP, i, m.d, m.m, in, 0);
        DRAW(ROLE_DOWN, i, m.m, m.d, in, 0);
        if (layer_norms || of == SMALL_QWEN2) {
            DRAW(ROLE_Q_BIAS, i, 1, m.h * m.dk, 0.3, 0);
            DRAW(ROLE_K_BIAS, i, 1, m.kv * m.dk, 0.3, 0);
            DRAW(ROLE_V_BIAS, i, 1, m.kv * m.dk, 0.3, 0);
        }
        if (layer_norms) {
            DRAW(ROLE_BIAS1, i, 1, m.d, 0.2, 0);
            DRAW(ROLE_BIAS2, i, 1, m.d, 0.2, 0);
            DRAW(ROLE_O_BIAS, i, 1, m.d, 0.2, 0);
            DRAW(ROLE_UP_BIAS, i, 1, m.m, 0.2, 0);
            DRAW(ROLE_DOWN_BIAS, i, 1, m.d, 0.2, 0);
        }
        if (of == SMALL_QWEN3) DRAW(ROLE_Q_GAIN, i, 1, m.dk, 0.2, 1), DRAW(ROLE_K_GAIN, i, 1, m.dk, 0.2, 1);
    }
    DRAW(ROLE_FINAL_GAIN, -1, 1, m.d, 0.2, 1);
    if (layer_norms) DRAW(ROLE_FINAL_BIAS, -1, 1, m.d, 0.2, 0);
    if (!m.tied) DRAW(ROLE_HEAD, -1, m.d, m.V, in, 0);
    return m;
}

small_model small_model_copy(const small_model *m)
{
    small_model c = *m;
    for (long i = 0; i <= m->L; i++)
        for (int r = 0; r < ROLES; r++) {
            const small_matrix *p = &m->part[i][r];
            if (!p->x) continue;
            const size_t n = (size_t)(p->rows * p->cols);
            c.part[i][r].x = must_calloc(n, sizeof(double));
            memcpy(c.part[i][r].x, p->x, n * sizeof(double));
        }
    return c;
}

void small_model_free(small_model *m)
{
    for (long i = -1; i < SMALL_LAYERS; i++) for (int r = 0; r < ROLES; r++) small_part_drop(m, (tensor_role)r, i);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

typedef struct { numbers_type type; text_buffer head, numbers; } output;

static void put_tensor(output *o, const char *name, long rows, long cols, const double *x, bool turned)
{
    static const char *const type[] = { [NUMBERS_F32] = "F32", [NUMBERS_F64] = "F64", [NUMBERS_F16] = "F16",
                                        [NUMBERS_BF16] = "BF16" };
    const size_t from = o->numbers.length;
    for (long k = 0; k < rows * cols; k++)
        put_number(&o->numbers, o->type, turned ? x[(k % rows) * cols + k / rows] : x[k]);
    text_add(&o->head, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[", o->head.length ? "," : "{", name, type[o->type]);
    if (rows == 1) text_add(&o->head, "%ld", cols);
    else text_add(&o->head, "%ld,%ld", turned ? cols : rows, turned ? rows : cols);
    text_add(&o->head, "],\"data_offsets\":[%zu,%zu]}", from, o->numbers.length);
}

/* out x in, as Linear stores it; GPT-2 stores all but its head in x out. */
static void put_part(output *o, const small_model *m, const char *name, tensor_role role, long layer)
{
    const small_matrix *p = &m->part[layer + 1][role];
    const bool matrix = p->rows > 1 && role != ROLE_EMBED && role != ROLE_POSITION;
    if (p->x) put_tensor(o, name, p->rows, p->cols, p->x, matrix && (m->of != SMALL_GPT2 || role == ROLE_HEAD));
}

/* Q|K|V, or (Q|K|V) head by head. */
static void put_fused(output *o, const small_model *m, const char *name, tensor_role first, long layer)
{
    const long n = m->h * m->dk;
    const small_matrix *p = &m->part[layer + 1][first];
    if (!p->x) return;
    double *x = must_calloc((size_t)(p->rows * 3 * n), sizeof *x);
    for (int k = 0; k < 3; k++)
        for (long r = 0; r < p->rows; r++)
            for (long c = 0; c < n; c++)
                x[r * 3 * n + (m->of == SMALL_NEOX ? (3 * (c / m->dk) + k) * m->dk + c % m->dk : k * n + c)] =
                    p[k].x[r * n + c];
    put_tensor(o, name, p->rows, 3 * n, x, p->rows > 1 && m->of == SMALL_NEOX);
    free(x);
}

typedef struct { tensor_role role; const char *name; } named_role;
static const named_role llama_names[] = { { ROLE_GAIN1, "input_layernorm.weight" },
    { ROLE_Q, "self_attn.q_proj.weight" }, { ROLE_K, "self_attn.k_proj.weight" }, { ROLE_V, "self_attn.v_proj.weight" },
    { ROLE_Q_BIAS, "self_attn.q_proj.bias" }, { ROLE_K_BIAS, "self_attn.k_proj.bias" },
    { ROLE_V_BIAS, "self_attn.v_proj.bias" }, { ROLE_O, "self_attn.o_proj.weight" },
    { ROLE_O_BIAS, "self_attn.o_proj.bias" },
    { ROLE_Q_GAIN, "self_attn.q_norm.weight" }, { ROLE_K_GAIN, "self_attn.k_norm.weight" },
    { ROLE_GAIN2, "post_attention_layernorm.weight" }, { ROLE_GATE, "mlp.gate_proj.weight" },
    { ROLE_UP, "mlp.up_proj.weight" }, { ROLE_DOWN, "mlp.down_proj.weight" }, { ROLE_UNKNOWN, NULL } };
static const named_role gpt2_names[] = { { ROLE_GAIN1, "ln_1.weight" }, { ROLE_BIAS1, "ln_1.bias" },
    { ROLE_QKV, "attn.c_attn.weight" }, { ROLE_QKV_BIAS, "attn.c_attn.bias" }, { ROLE_O, "attn.c_proj.weight" },
    { ROLE_O_BIAS, "attn.c_proj.bias" }, { ROLE_GAIN2, "ln_2.weight" }, { ROLE_BIAS2, "ln_2.bias" },
    { ROLE_UP, "mlp.c_fc.weight" }, { ROLE_UP_BIAS, "mlp.c_fc.bias" }, { ROLE_DOWN, "mlp.c_proj.weight" },
    { ROLE_DOWN_BIAS, "mlp.c_proj.bias" }, { ROLE_UNKNOWN, NULL } };
static const named_role neox_names[] = { { ROLE_GAIN1, "input_layernorm.weight" },
    { ROLE_BIAS1, "input_layernorm.bias" }, { ROLE_QKV, "attention.query_key_value.weight" },
    { ROLE_QKV_BIAS, "attention.query_key_value.bias" }, { ROLE_O, "attention.dense.weight" },
    { ROLE_O_BIAS, "attention.dense.bias" }, { ROLE_GAIN2, "post_attention_layernorm.weight" },
    { ROLE_BIAS2, "post_attention_layernorm.bias" }, { ROLE_UP, "mlp.dense_h_to_4h.weight" },
    { ROLE_UP_BIAS, "mlp.dense_h_to_4h.bias" }, { ROLE_DOWN, "mlp.dense_4h_to_h.weight" },
    { ROLE_DOWN_BIAS, "mlp.dense_4h_to_h.bias" }, { ROLE_UNKNOWN, NULL } };

static char *config_of_small(const small_model *m)
{
    const char *tied = m->tied ? "true" : "false";
    if (m->of == SMALL_GPT2)
        return must_format("{\"model_type\":\"gpt2\",\"n_embd\":%ld,\"n_layer\":%ld,\"n_head\":%ld,\"head_dim\":%ld,"
                           "\"n_inner\":%ld,\"n_positions\":%ld,\"vocab_size\":%ld,\"layer_norm_epsilon\":%.17g,"
                           "\"activation_function\":\"%s\",\"tie_word_embeddings\":%s%s}", m->d, m->L, m->h, m->dk, m->m,
                           m->T, m->V, m->eps, m->activation, tied, m->unscaled ? ",\"scale_attn_weights\":false" : "");
    text_buffer t = { 0 };
    text_add(&t, "{\"model_type\":\"%s\",\"hidden_size\":%ld,\"num_hidden_layers\":%ld,\"num_attention_heads\":%ld,"
             "\"head_dim\":%ld,\"intermediate_size\":%ld,\"max_position_embeddings\":%ld,\"vocab_size\":%ld,"
             "\"hidden_act\":\"%s\",\"tie_word_embeddings\":%s,", small_architecture_name[m->of], m->d, m->L, m->h,
             m->dk, m->m, m->T, m->V, m->activation, tied);
    if (m->of == SMALL_NEOX)
        text_add(&t, "\"layer_norm_eps\":%.17g,\"rotary_emb_base\":%.17g,\"rotary_pct\":%.17g,"
                 "\"use_parallel_residual\":%s,\"attention_bias\":true}", m->eps, m->theta, m->rotary,
                 m->parallel ? "true" : "false");
    else
        text_add(&t, "\"num_key_value_heads\":%ld,\"rms_norm_eps\":%.17g,\"rope_theta\":%.17g%s%s}", m->kv, m->eps,
                 m->theta, m->attention_biases ? ",\"attention_bias\":true" : "", m->window ? temp_format(",\"use_sliding_window\":true,\"sliding_window\":%ld,"
                                                   "\"max_window_layers\":0", m->window) : "");
    return text_take(&t);
}

static void put_ends(output *o, const small_model *m)
{
    static const struct { tensor_role role; const char *llama, *gpt2, *neox; } of[] = {
        { ROLE_EMBED, "model.embed_tokens.weight", "wte.weight", "gpt_neox.embed_in.weight" },
        { ROLE_POSITION, "", "wpe.weight", "" },
        { ROLE_FINAL_GAIN, "model.norm.weight", "ln_f.weight", "gpt_neox.final_layer_norm.weight" },
        { ROLE_FINAL_BIAS, "", "ln_f.bias", "gpt_neox.final_layer_norm.bias" },
        { ROLE_HEAD, "lm_head.weight", "lm_head.weight", "embed_out.weight" } };
    for (size_t k = 0; k < COUNT(of); k++)
        put_part(o, m, m->of == SMALL_GPT2 ? of[k].gpt2 : m->of == SMALL_NEOX ? of[k].neox : of[k].llama, of[k].role,
                 -1);
}

char *small_model_save(const small_model *m, numbers_type type)
{
    output o = { .type = type };
    put_ends(&o, m);
    const named_role *names = m->of == SMALL_GPT2 ? gpt2_names : m->of == SMALL_NEOX ? neox_names : llama_names;
    const char *in_layer = m->of == SMALL_GPT2 ? "h" : m->of == SMALL_NEOX ? "gpt_neox.layers" : "model.layers";
    for (long i = 0; i < m->L; i++)
        for (const named_role *n = names; n->name; n++) {
            char *name = must_format("%s.%ld.%s", in_layer, i, n->name);
            if (n->role == ROLE_QKV) put_fused(&o, m, name, ROLE_Q, i);
            else if (n->role == ROLE_QKV_BIAS) put_fused(&o, m, name, ROLE_Q_BIAS, i);
            else put_part(&o, m, name, n->role, i);
            free(name);
        }
    text_add(&o.head, "}");
    while (o.head.length % 8) text_add(&o.head, " ");
    const uint64_t length = o.head.length;
    text_buffer all = { 0 };
    text_bytes(&all, (const char *)&length, sizeof length);
    text_bytes(&all, o.head.at, o.head.length);
    text_bytes(&all, o.numbers.at, o.numbers.length);
    char *folder = temp_folder(), *config = config_of_small(m);
    temp_text(folder, "config.json", config);
    temp_write(folder, "model.safetensors", all.at, all.length);
    free(config);
    text_clear(&all);
    text_clear(&o.head);
    text_clear(&o.numbers);
    return folder;
}
