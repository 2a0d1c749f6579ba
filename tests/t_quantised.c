/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_quantised.c - numbers in blocks: what each type decodes to, by hand and against a plain encoder; what `provably verify`
 * says of a file and its quantised copy, and of copies that are broken; damaged files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/checkpoint/weights.h"
#include "tests/support/block_encoder.h"
#include "tests/support/files.h"
#include "tests/support/json_form.h"
#include "tests/support/small_model.h"
#include "tests/support/suite.h"

static const char *const type_names[] = { "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K", "Q4_K", "Q5_K", "Q6_K" };
enum { TYPES = COUNT(type_names) };

static uint64_t draws;
static double gauss(void)
{
    static const uint64_t key[2] = { 5, 7 };
    return (double)random_gauss24(key, draws++) * 0x1p-35;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

/* By hand: a block's bytes at given places, all others 0, and numbers at given places. */
typedef struct { const char *type; int byte[14][2]; int numbers; struct { int at; double is; } x[8]; } by_hand;
static const by_hand known[] = {
    { "Q8_0", { { 1, 0x3c }, { 2, 1 }, { 3, 255 }, { 4, 128 }, { 33, 127 } }, 5, { { 0, 1 }, { 1, -1 }, { 2, -128 }, { 3, 0 }, { 31, 127 } } },
    { "Q4_0", { { 1, 0x40 }, { 2, 0x9f }, { 17, 0x01 } }, 5, { { 0, 14 }, { 16, 2 }, { 15, -14 }, { 31, -16 }, { 1, -16 } } },      /* d 2: 2 (q - 8) */
    { "Q4_1", { { 1, 0x38 }, { 3, 0xbc }, { 4, 0x21 } }, 3, { { 0, -0.5 }, { 16, 0 }, { 1, -1 } } },                                /* q / 2 - 1      */
    { "Q5_0", { { 1, 0x3c }, { 2, 1 }, { 4, 2 }, { 6, 0x43 } }, 4, { { 0, 3 }, { 16, -12 }, { 17, 0 }, { 2, -16 } } },
    { "Q5_1", { { 1, 0x3c }, { 3, 0x44 }, { 7, 0x80 }, { 23, 0x25 } }, 3, { { 15, 9 }, { 31, 22 }, { 0, 4 } } },                    /* q + 4          */
    { "Q2_K", { { 0, 0x12 }, { 11, 0x30 }, { 3, 0x05 }, { 16, 0xe4 }, { 81, 0x3c }, { 83, 0x38 }, { 32, 2 } }, 5,
      { { 0, -0.5 }, { 16, 0 }, { 32, 0 }, { 48, 0 }, { 176, -1.5 } } },
    { "Q3_K", { { 0, 0x01 }, { 32, 0x03 }, { 96, 0x21 }, { 104, 0x02 }, { 109, 0x3c } }, 4, { { 0, 3 }, { 1, -4 }, { 16, 128 }, { 128, 120 } } },
    { "Q4_K", { { 1, 0x3c }, { 3, 0x3c }, { 4, 0xc3 }, { 8, 0x42 }, { 12, 0x51 }, { 16, 0x21 }, { 80, 0xf2 } }, 5,
      { { 0, 1 }, { 1, -2 }, { 32, 0 }, { 128, 77 }, { 160, 0 } } },
    { "Q5_K", { { 1, 0x3c }, { 4, 2 }, { 16, 0x01 }, { 48, 0x05 }, { 5, 1 } }, 4, { { 0, 42 }, { 1, 0 }, { 32, 0 }, { 33, 0 } } },
    { "Q6_K", { { 0, 0x21 }, { 128, 0x03 }, { 192, 2 }, { 196, 255 }, { 209, 0x3c } }, 4, { { 0, 34 }, { 1, -64 }, { 64, 30 }, { 65, 32 } } },
};

START_TEST(blocks_by_hand)
{
    const by_hand *b = &known[_i];
    const block_type *t = block_type_of(b->type);
    unsigned char bytes[1 + 256] = { 0 }, *at = bytes + 1;                                              /* not aligned */
    double x[256];
    for (size_t k = 0; k < COUNT(b->byte); k++) if (b->byte[k][1]) at[b->byte[k][0]] = (unsigned char)b->byte[k][1];
    quantised_numbers(t, at, 0, t->numbers, x);
    for (int k = 0; k < b->numbers; k++)
        ck_assert_msg(x[b->x[k].at] == b->x[k].is, "%s: number %d is %g, not %g", b->type, b->x[k].at, x[b->x[k].at], b->x[k].is);
}
END_TEST

static block_parts drawn_parts(const block_type *t, double d, double m)
{
    static const uint64_t key[2] = { 1, 2 };
    block_parts p = { .d = block_of_half(block_half(d)), .m = block_of_half(block_half(m)) };
    const uint64_t range = (uint64_t)(t->most - t->least + 1);
    const int bits = t->most == 3 && t->least == 0 ? 15 : t->least == 0 ? 63 : 0;
    for (int g = 0; g < 16; g++) {
        const uint64_t one = random_siphash_words(key, 1, &draws), other = (draws++, random_siphash_words(key, 1, &draws));
        draws++;
        p.sc[g] = bits ? (int)(one % (uint64_t)(bits + 1)) : t->most == 3 ? (int)(one % 64) - 32 : (int)(one % 256) - 128;
        p.sm[g] = (int)(other % (uint64_t)(bits + 1));
    }
    for (int k = 0; k < 256; k++, draws++) p.code[k] = t->least + (int)(random_siphash_words(key, 1, &draws) % range);
    return p;
}

/* What is packed comes back, in long double, whole and from any place to any other; nothing is rounded. */
START_TEST(every_code_and_scale_comes_back)
{
    const block_type *t = block_type_of(type_names[_i]);
    static const double scales[][2] = { { 1, 0.5 }, { -0.37, 0.11 }, { 0x1p-24, 0x1p-20 }, { 65504, 65504 }, { 0, 1 }, { 0x1.8p-15, -3 } };
    for (int round_ = 0; round_ < 60; round_++) {
        const block_parts p = drawn_parts(t, scales[round_ % 6][0], scales[round_ % 6][1]);
        unsigned char bytes[256];
        double x[256], y[256];
        block_pack(t, &p, bytes);
        quantised_numbers(t, bytes, 0, t->numbers, x);
        for (size_t k = 0; k < t->numbers; k++) {
            const size_t g = k / t->group;
            const bool whole = t->numbers == 32;
            const long double m = whole ? (t->least == 0 ? (long double)p.m : 0) : t->least == 0 ? -(long double)p.m * p.sm[g] : 0;
            const long double is = (long double)p.d * (whole ? 1 : p.sc[g]) * p.code[k] + m;
            ck_assert_msg((long double)x[k] == is, "%s: number %zu is %.17g, not %.17Lg", t->name, k, x[k], is);
        }
        for (size_t from = 0; from < t->numbers; from += 7) {
            const size_t n = (from * 5 + 3) % (t->numbers - from) + 1;
            quantised_numbers(t, bytes, from, n, y);
            ck_assert(memcmp(y, x + from, n * sizeof *x) == 0);
        }
    }
    ck_assert(!block_type_of("Q8_K") && !block_type_of("F16") && !block_type_of("IQ4_XS"));
}
END_TEST

static void decode_not_finite(const block_type *t, size_t scale)
{
    unsigned char bytes[256] = { 0 };
    double x[256];
    for (size_t k = 0; k < t->bytes; k++) bytes[k] = 1;
    memcpy(bytes + scale, &(uint16_t){ 0x7c00 }, 2);
    quantised_numbers(t, bytes, 0, t->numbers, x);
    for (size_t k = 0; k < t->numbers; k++) ck_assert_msg(!isfinite(x[k]), "%s: number %zu is %g", t->name, k, x[k]);
}

START_TEST(infinite_scales_are_not_finite)
{
    decode_not_finite(block_type_of("Q8_0"), 0);
    decode_not_finite(block_type_of("Q4_K"), 0);
    decode_not_finite(block_type_of("Q4_K"), 2);
    decode_not_finite(block_type_of("Q6_K"), 208);
    decode_not_finite(block_type_of("Q5_1"), 2);
}
END_TEST

/* ---- a small Llama, width and MLP 256 ---------------------------------------------------------------------------- */

enum { D = 256, HEADS = 4, DK = 64, KEYS = 2, M = 256, V = 40, L = 2, T = 64 };
typedef struct { const char *hf, *gguf; tensor_role role; long layer, rows, cols; double *x; const char *type; } part;
typedef struct { part at[32]; long n; } model;

static void add(model *m, const char *hf, const char *gguf, tensor_role role, long layer, long rows, long cols)
{
    part *p = &m->at[m->n++];
    *p = (part){ temp_format(hf, layer), temp_format(gguf, layer), role, layer, rows, cols, must_calloc((size_t)(rows * cols), sizeof(double)), "F32" };
    const double scale = rows == 1 ? 0.2 : role == ROLE_EMBED ? 1 : 1 / sqrt((double)cols);
    for (long k = 0; k < rows * cols; k++) p->x[k] = small_round(NUMBERS_BF16, (rows == 1) + scale * gauss());
}

static model llama(void)
{
    model m = { .n = 0 };
    draws = 1000;
    add(&m, "model.embed_tokens.weight", "token_embd.weight", ROLE_EMBED, -1, V, D);
    for (long i = 0; i < L; i++) {
        add(&m, "model.layers.%ld.input_layernorm.weight", "blk.%ld.attn_norm.weight", ROLE_GAIN1, i, 1, D);
        add(&m, "model.layers.%ld.self_attn.q_proj.weight", "blk.%ld.attn_q.weight", ROLE_Q, i, HEADS * DK, D);
        add(&m, "model.layers.%ld.self_attn.k_proj.weight", "blk.%ld.attn_k.weight", ROLE_K, i, KEYS * DK, D);
        add(&m, "model.layers.%ld.self_attn.v_proj.weight", "blk.%ld.attn_v.weight", ROLE_V, i, KEYS * DK, D);
        add(&m, "model.layers.%ld.self_attn.o_proj.weight", "blk.%ld.attn_output.weight", ROLE_O, i, D, HEADS * DK);
        add(&m, "model.layers.%ld.post_attention_layernorm.weight", "blk.%ld.ffn_norm.weight", ROLE_GAIN2, i, 1, D);
        add(&m, "model.layers.%ld.mlp.gate_proj.weight", "blk.%ld.ffn_gate.weight", ROLE_GATE, i, M, D);
        add(&m, "model.layers.%ld.mlp.up_proj.weight", "blk.%ld.ffn_up.weight", ROLE_UP, i, M, D);
        add(&m, "model.layers.%ld.mlp.down_proj.weight", "blk.%ld.ffn_down.weight", ROLE_DOWN, i, D, M);
    }
    add(&m, "model.norm.weight", "output_norm.weight", ROLE_FINAL_GAIN, -1, 1, D);
    add(&m, "lm_head.weight", "output.weight", ROLE_HEAD, -1, V, D);
    return m;
}

static model copy(const model *m)
{
    model c = *m;
    for (long k = 0; k < c.n; k++) {
        const size_t bytes = (size_t)(c.at[k].rows * c.at[k].cols) * sizeof(double);
        c.at[k].x = must_calloc(bytes, 1);
        memcpy(c.at[k].x, m->at[k].x, bytes);
    }
    return c;
}

static void drop(model *m) { for (long k = 0; k < m->n; k++) free(m->at[k].x); }

static part *of(model *m, tensor_role role, long layer)
{
    for (long k = 0; k < m->n; k++) if (m->at[k].role == role && m->at[k].layer == layer) return &m->at[k];
    ck_abort_msg("no part %d of layer %ld", (int)role, layer);
}

static long part_of(model *m, tensor_role role, long layer) { return of(m, role, layer) - m->at; }

/* Matrices of that type; values and down, as in Q4_K_M, of another one. */
static void typed(model *m, const char *type, const char *other)
{
    for (long k = 0; k < m->n; k++)
        if (m->at[k].rows > 1) m->at[k].type = m->at[k].role == ROLE_V || m->at[k].role == ROLE_DOWN ? other : type;
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void put(text_buffer *t, const void *x, size_t n) { if (n) text_bytes(t, x, n); }
static void put_u32(text_buffer *t, uint32_t x) { put(t, &x, 4); }
static void put_u64(text_buffer *t, uint64_t x) { put(t, &x, 8); }
static void put_name(text_buffer *t, const char *name) { put_u64(t, strlen(name)); put(t, name, strlen(name)); }
static void put_key(text_buffer *t, const char *name, uint32_t x) { put_name(t, name); put_u32(t, 4); put_u32(t, x); }
static void put_real(text_buffer *t, const char *name, float x) { put_name(t, name); put_u32(t, 6); put(t, &x, 4); }

static void put_plain(text_buffer *t, const char *type, double x)
{
    const float single = (float)x;
    const uint16_t half = block_half(x);
    if (strcmp(type, "F32") == 0) put(t, &single, 4);
    else if (strcmp(type, "F16") == 0) put(t, &half, 2);
    else put(t, (const char *)&single + 2, 2);
}

/* GGUF's Llama pairs neighbours: row 2 i + k of a head is row k dk / 2 + i. */
static double *rows_of_gguf(const part *p)
{
    double *x = must_calloc((size_t)(p->rows * p->cols), sizeof *x);
    const bool turns = p->role == ROLE_Q || p->role == ROLE_K;
    for (long r = 0; r < p->rows; r++) {
        const long in = r % DK, from = turns ? r - in + in % 2 * (DK / 2) + in / 2 : r;
        memcpy(x + r * p->cols, p->x + from * p->cols, (size_t)p->cols * sizeof *x);
    }
    return x;
}

/* Where each tensor's numbers begin, behind the head; by the number of the part. */
static size_t place_in_file[33];

static const char *architecture_in_file = "llama";

/* One file of several, those of the parts from ... end - 1; no: from 0; count 0: it is the only one. */
typedef struct { long from, end, no, count, all; } piece;

static char *write_piece(const model *m, const piece *of, const char *path)
{
    text_buffer t = { 0 }, numbers = { 0 };
    put(&t, "GGUF", 4);
    put_u32(&t, 3);
    put_u64(&t, (uint64_t)(of->end - of->from));
    put_u64(&t, (of->no ? 0 : 11) + (of->count ? 3 : 0));
    if (of->count) {
        put_key(&t, "split.no", (uint32_t)of->no);
        put_key(&t, "split.count", (uint32_t)of->count);
        put_key(&t, "split.tensors.count", (uint32_t)of->all);
    }
    if (!of->no) {
        put_name(&t, "general.architecture"); put_u32(&t, 8); put_name(&t, architecture_in_file);
        put_key(&t, "general.file_type", 15);
        put_key(&t, "general.quantization_version", 2);
        put_key(&t, "llama.embedding_length", D);
        put_key(&t, "llama.block_count", L);
        put_key(&t, "llama.attention.head_count", HEADS);
        put_key(&t, "llama.attention.head_count_kv", KEYS);
        put_key(&t, "llama.feed_forward_length", M);
        put_key(&t, "llama.context_length", T);
        put_real(&t, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
        put_real(&t, "llama.rope.freq_base", 10000);
    }
    for (long k = of->from; k < of->end; k++) {
        const part *p = &m->at[k];
        const block_type *blocks = block_type_of(p->type);
        put_name(&t, p->gguf);
        put_u32(&t, p->rows == 1 ? 1 : 2);
        put_u64(&t, (uint64_t)p->cols);
        if (p->rows > 1) put_u64(&t, (uint64_t)p->rows);
        put_u32(&t, (uint32_t)weights_gguf_type(p->type));
        put_u64(&t, numbers.length);
        place_in_file[k] = numbers.length;
        double *x = rows_of_gguf(p);
        if (blocks) block_encode(&numbers, blocks, x, (size_t)(p->rows * p->cols));
        else for (long i = 0; i < p->rows * p->cols; i++) put_plain(&numbers, p->type, x[i]);
        free(x);
        while (numbers.length % 32) put(&numbers, "", 1);
    }
    while (t.length % 32) put(&t, "", 1);
    for (long k = of->from; k < of->end; k++) place_in_file[k] += t.length;
    put(&t, numbers.at, numbers.length);
    char *written = temp_write(NULL, path, t.at, t.length);
    text_clear(&t);
    text_clear(&numbers);
    return written;
}

static char *write_gguf(const model *m)
{
    return write_piece(m, &(piece){ .end = m->n }, temp_path(temp_folder(), "x.gguf"));
}

static char *write_hf(const model *m, const char *type)
{
    text_buffer head = { 0 }, numbers = { 0 }, file = { 0 };
    for (long k = 0; k < m->n; k++) {
        const part *p = &m->at[k];
        const size_t at = numbers.length;
        for (long i = 0; i < p->rows * p->cols; i++) put_plain(&numbers, type, p->x[i]);
        text_add(&head, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[", k ? "," : "{", p->hf, type);
        if (p->rows > 1) text_add(&head, "%ld,", p->rows);
        text_add(&head, "%ld],\"data_offsets\":[%zu,%zu]}", p->cols, at, numbers.length);
    }
    text_add(&head, "}");
    put_u64(&file, head.length);
    put(&file, head.at, head.length);
    put(&file, numbers.at, numbers.length);
    char *folder = temp_folder();
    temp_write(folder, "model.safetensors", file.at, file.length);
    temp_text(folder, "config.json", temp_format("{\"model_type\":\"llama\",\"hidden_size\":%d,\"intermediate_size\":%d,\"num_hidden_layers\":%d,"
        "\"num_attention_heads\":%d,\"num_key_value_heads\":%d,\"vocab_size\":%d,\"rms_norm_eps\":1e-5,\"rope_theta\":10000.0,\"hidden_act\":\"silu\","
        "\"max_position_embeddings\":%d,\"tie_word_embeddings\":false}", D, M, L, HEADS, KEYS, V, T));
    text_clear(&head);
    text_clear(&numbers);
    text_clear(&file);
    return folder;
}

static char said[1 << 16];
static int verify(const char *options, const char *A, const char *B)
{
    const int status = run_command(said, sizeof said, "%s/provably verify --width=400 %s %s %s", build_folder(), options, A, B);
    char *to = said;
    for (const char *from = said; *from; from++)                             /* as if no line were wrapped          */
        if (*from != '\n' && !(*from == ' ' && to > said && to[-1] == ' ')) *to++ = *from;
        else if (to > said && to[-1] != ' ') *to++ = ' ';
    *to = '\0';
    return status;
}

#define HAS(words) ck_assert_msg(strstr(said, words), "`%s` is not in: %s", words, said)

/* ---- true copies ------------------------------------------------------------------------------------------------- */

static const char *other_type(const char *type)
{
    return strcmp(type, "Q4_K") == 0 ? "Q6_K" : strcmp(type, "Q2_K") == 0 ? "Q3_K" : type;
}

START_TEST(a_quantised_copy_is_one)
{
    static const char *const plain[] = { "F32", "F16", "BF16" };
    const char *type = type_names[_i], *other = other_type(type);
    model m = llama();
    const char *A = write_hf(&m, plain[_i % 3]);
    typed(&m, type, other);
    const char *B = write_gguf(&m);
    ck_assert_msg(verify("", A, B) == 0, "%s", said);
    HAS(other == type ? temp_format("B is A rounded to %s: ", type) : temp_format("B is A rounded to %s, %s: ", type, other));
    HAS("the most likely token is the same for ");
    ck_assert_msg(verify("--json", A, B) == 0, "%s", said);
    HAS("\"answer\": \"quantised\"");
    HAS("\"parts\": 16");
    HAS("\"answer_is_about\": \"numbers and settings\"");
    json_t *schema = json_form("src/cli/schema/verify.json"), *o = json_loads(said, 0, NULL);
    ck_assert_msg(!json_form_wrong(o, schema), "%s: %s", json_form_wrong(o, schema), said);
    json_decref(schema);
    json_decref(o);
    ck_assert_int_eq(verify("", B, B), 0);
    HAS("the same function for all inputs");
    drop(&m);
}
END_TEST

/* Numbers that blocks decode to, stored plainly, are the same file: exactly where they are floats, else rounded. */
START_TEST(decoded_copies)
{
    const block_type *t = block_type_of(type_names[_i]);
    model m = llama();
    typed(&m, t->name, t->name);
    const char *B = write_gguf(&m);
    for (long k = 0; k < m.n; k++) {
        part *p = &m.at[k];
        if (p->rows == 1) continue;
        text_buffer bytes = { 0 };
        block_encode(&bytes, t, p->x, (size_t)(p->rows * p->cols));
        quantised_numbers(t, (const unsigned char *)bytes.at, 0, (size_t)(p->rows * p->cols), p->x);
        text_clear(&bytes);
    }
    const char *A = write_hf(&m, "F32");
    for (int k = 0; k < 2; k++) {
        ck_assert_msg(verify("", k ? B : A, k ? A : B) == 0, "%s", said);
        ck_assert_msg(strstr(said, "the same function for all inputs") || strstr(said, "the same up to rounding") || strstr(said, "B is A rounded to"), "%s", said);
    }
    of(&m, ROLE_UP, 1)->x[77] *= 1.25;
    ck_assert_msg(verify("", B, write_hf(&m, "F32")) == 1, "%s", said);
    HAS("model.layers.1.mlp.up_proj.weight: different numbers");
    drop(&m);
}
END_TEST

/* Two quantised files are compared by what they decode to: the half step of one is no excuse for the other. */
START_TEST(two_quantised_files)
{
    model m = llama();
    typed(&m, "Q4_K", "Q6_K");
    const char *A = write_gguf(&m);
    typed(&m, "Q6_K", "Q6_K");
    ck_assert_msg(verify("", A, write_gguf(&m)) == 1, "%s", said);
    HAS("token_embd.weight: different numbers");
    typed(&m, "Q4_K", "Q6_K");
    part *p = of(&m, ROLE_O, 0);
    p->x[3] = -p->x[3];
    ck_assert_msg(verify("", A, write_gguf(&m)) == 1, "%s", said);
    HAS("blk.0.attn_output.weight: different numbers");
    HAS("parts compared: 20 hold the same numbers, 0 are equal to rounding, 1 are not");
    drop(&m);
}
END_TEST

/* A's neurons in another order, in all that they take part in, are the same function; then rounded. */
START_TEST(in_another_order)
{
    model m = llama();
    const char *A = write_hf(&m, "F32");
    for (int k = 0; k < 3; k++) {
        part *p = of(&m, (const tensor_role[]){ ROLE_GATE, ROLE_UP, ROLE_DOWN }[k], 1);
        double *x = must_calloc((size_t)(M * D), sizeof *x);
        for (long r = 0; r < p->rows; r++)
            for (long c = 0; c < p->cols; c++)
                x[r * p->cols + c] = k < 2 ? p->x[(r + 1) % p->rows * p->cols + c] : p->x[r * p->cols + (c + 1) % p->cols];
        free(p->x);
        p->x = x;
    }
    typed(&m, "Q8_0", "Q4_0");
    const char *B = write_gguf(&m);
    ck_assert_msg(verify("", A, B) == 0, "%s", said);
    HAS("B is A rounded to Q8_0, Q4_0: with A's heads and neurons in the order of B's: ");
    part *p = of(&m, ROLE_UP, 1);
    p->x[5] += 0.25;
    ck_assert_msg(verify("", A, write_gguf(&m)) == 1, "%s", said);
    drop(&m);
}
END_TEST

/* Of an architecture that is not known here, by name. */
START_TEST(of_a_model_that_is_not_known)
{
    model m = llama();
    architecture_in_file = "mamba9";
    const char *A = write_gguf(&m);
    typed(&m, "Q5_K", "Q6_K");
    const char *B = write_gguf(&m);
    ck_assert_msg(verify("", A, B) == 0, "%s", said);
    HAS("B is A rounded to blocks: 16 tensors are A's rounded to the nearest numbers of B's blocks, the others hold A's numbers, and the configurations agree, but ");
    HAS("16 others are A's rounded to blocks");
    ck_assert_msg(verify("", B, A) == 1, "%s", said);
    typed(&m, "Q4_K", "Q6_K");
    ck_assert_msg(verify("", write_gguf(&m), B) == 1, "%s", said);           /* nor does one quantised file excuse another */
    typed(&m, "Q5_K", "Q6_K");
    size_t n;
    char *bytes = temp_read(NULL, write_gguf(&m), &n);
    const size_t scale = place_in_file[part_of(&m, ROLE_UP, 0)];
    bytes[scale] ^= 1;                                                       /* a scale, by its last bit             */
    ck_assert_msg(verify("", B, temp_write(temp_folder(), "x.gguf", bytes, n)) == 1, "%s", said);
    bytes[scale] ^= 1;
    memcpy(bytes + place_in_file[part_of(&m, ROLE_UP, 1)], &(uint16_t){ 0x7c00 }, 2);
    ck_assert_msg(verify("", A, temp_write(temp_folder(), "x.gguf", bytes, n)) == 1, "%s", said);       /* infinite steps      */
    HAS("different: blk.1.ffn_up.weight: different numbers");
    of(&m, ROLE_V, 1)->x[5] += 1;
    ck_assert_msg(verify("--json", A, write_gguf(&m)) == 1, "%s", said);
    HAS("\"because\": \"blk.1.attn_v.weight: different numbers\"");
    json_t *schema = json_form("src/cli/schema/verify.json"), *o = json_loads(said, 0, NULL);
    ck_assert_msg(!json_form_wrong(o, schema), "%s: %s", json_form_wrong(o, schema), said);
    json_decref(schema);
    json_decref(o);
    architecture_in_file = "llama";
    drop(&m);
}
END_TEST

/* ---- broken ones ------------------------------------------------------------------------------------------------- */

static void rows_of_pairs(part *p, long heads)           /* as for GGUF, once more                              */
{
    double *x = must_calloc((size_t)(p->rows * p->cols), sizeof *x);
    const long dk = p->rows / heads;
    for (long r = 0; r < p->rows; r++) memcpy(x + r * p->cols, p->x + (r / dk * dk + r % dk % 2 * (dk / 2) + r % dk / 2) * p->cols, (size_t)p->cols * sizeof *x);
    memcpy(p->x, x, (size_t)(p->rows * p->cols) * sizeof *x);
    free(x);
}

static void pairs_twice(model *m)    { rows_of_pairs(of(m, ROLE_Q, 1), HEADS); }
static void keys_as_queries(model *m) { rows_of_pairs(of(m, ROLE_K, 0), HEADS); }
static void swapped_roles(model *m)
{
    double *keep = of(m, ROLE_GATE, 1)->x;
    of(m, ROLE_GATE, 1)->x = of(m, ROLE_UP, 1)->x;
    of(m, ROLE_UP, 1)->x = keep;
}
static void swapped_layers(model *m)
{
    double *keep = of(m, ROLE_O, 0)->x;
    of(m, ROLE_O, 0)->x = of(m, ROLE_O, 1)->x;
    of(m, ROLE_O, 1)->x = keep;
}
static void swapped_rows(model *m)
{
    double *x = of(m, ROLE_DOWN, 0)->x;
    for (long c = 0; c < M; c++) {
        const double keep = x[5 * M + c];
        x[5 * M + c] = x[6 * M + c];
        x[6 * M + c] = keep;
    }
}
static void transposed(model *m)
{
    double *x = of(m, ROLE_O, 1)->x;
    for (long r = 0; r < D; r++)
        for (long c = 0; c < r; c++) {
            const double keep = x[r * D + c];
            x[r * D + c] = x[c * D + r];
            x[c * D + r] = keep;
        }
}
static void lost_gain(model *m)      { for (long c = 0; c < D; c++) of(m, ROLE_GAIN2, 1)->x[c] = 1; }
static void folded_twice(model *m)   /* the gain stays, and is in the rows, too */
{
    part *p = of(m, ROLE_UP, 0), *g = of(m, ROLE_GAIN2, 0);
    for (long k = 0; k < p->rows * p->cols; k++) p->x[k] *= g->x[k % p->cols];
}
static void adapter(model *m)        /* rank 1, less than half as large */
{
    part *p = of(m, ROLE_Q, 0);
    for (long r = 0; r < p->rows; r++) for (long c = 0; c < p->cols; c++) p->x[r * p->cols + c] += 0.4 / 16 * cos((double)r) * sin((double)c);
}
static void random_queries(model *m) { part *p = of(m, ROLE_Q, 1); for (long k = 0; k < p->rows * p->cols; k++) p->x[k] = gauss() / 16; }
static void heads_moved(model *m)
{
    part *p = of(m, ROLE_V, 1);
    const size_t bytes = (size_t)(DK * p->cols) * sizeof(double);
    double *keep = must_calloc(bytes, 1);
    memcpy(keep, p->x, bytes);
    memcpy(p->x, p->x + DK * p->cols, bytes);
    memcpy(p->x + DK * p->cols, keep, bytes);
    free(keep);
}
static void one_row_zero(model *m)   { memset(of(m, ROLE_HEAD, -1)->x + 7 * D, 0, D * sizeof(double)); }
static void one_number(model *m)     { of(m, ROLE_K, 1)->x[1234] += 0.125; }

static const struct { const char *name; void (*damage)(model *m); const char *says; } broken[] = {
    { "pairs twice", pairs_twice, "blk.1.attn_q.weight: A's with the rotary pairs in another order" },
    { "keys as queries", keys_as_queries, "blk.0.attn_k.weight: A's with the rotary pairs in another order" },
    { "gate and up", swapped_roles, "blk.1.ffn_gate.weight: not A's rounded to" },
    { "layers", swapped_layers, "blk.0.attn_output.weight: not A's rounded to" },
    { "two rows", swapped_rows, "blk.0.ffn_down.weight: not A's rounded to" },
    { "transposed", transposed, "blk.1.attn_output.weight: A's, transposed" },
    { "lost gain", lost_gain, "blk.1.ffn_norm.weight: " },
    { "gain twice", folded_twice, "blk.0.ffn_up.weight: A's with its inputs multiplied by gain 2 of A" },
    { "adapter", adapter, "blk.0.attn_q.weight: not A's rounded to" },
    { "random W_Q", random_queries, "blk.1.attn_q.weight: not A's rounded to" },
    { "key heads", heads_moved, "blk.1.attn_v.weight: A's with the heads in the order 1 0" },
    { "a row", one_row_zero, "output.weight: not A's rounded to" },
    { "a number", one_number, "blk.1.attn_k.weight: not A's rounded to" } };

START_TEST(broken_copies_are_different)
{
    const size_t k = (size_t)_i / 3;
    const char *type = type_names[((size_t)_i % 3 * 3 + k + 6) % TYPES];
    model m = llama(), c = copy(&m);
    const char *A = write_hf(&m, "BF16");
    broken[k].damage(&c);
    typed(&c, type, other_type(type));
    const int status = verify("--length=4", A, write_gguf(&c));
    ck_assert_msg(status == 1, "%s, %s: %d: %s", broken[k].name, type, status, said);
    HAS(broken[k].says);
    HAS("different: ");
    drop(&m);
    drop(&c);
}
END_TEST

/* ---- one block --------------------------------------------------------------------------------------------------- */

/* The file with block `block` of the part's tensor altered. */
typedef void altered(const block_type *t, block_parts *p, double by);
static char *with_block(const model *m, long k, size_t block, altered *alter, double by)
{
    const block_type *t = block_type_of(m->at[k].type);
    char *path = write_gguf(m);
    size_t n;
    char *bytes = temp_read(NULL, path, &n);
    double *x = rows_of_gguf(&m->at[k]);
    block_parts p = block_choose(t, x + block * t->numbers);
    alter(t, &p, by);
    block_pack(t, &p, (unsigned char *)bytes + place_in_file[k] + block * t->bytes);
    free(x);
    return temp_write(NULL, path, bytes, n);
}

static void move_code(const block_type *t, block_parts *p, double by)
{
    const int k = 19, c = p->code[k] + (int)by;
    p->code[k] = c < t->least || c > t->most ? p->code[k] - (int)by : c;
}
static void scale_block(const block_type *t, block_parts *p, double by) { (void)t; p->d *= by; }
static void group_scale(const block_type *t, block_parts *p, double by) { (void)t; p->sc[3] += (int)by; }
static void group_offset(const block_type *t, block_parts *p, double by) { (void)t; p->sm[3] += (int)by; }
static void offset_block(const block_type *t, block_parts *p, double by) { (void)t; p->m += by * p->d; }
static void negate(const block_type *t, block_parts *p, double by) { (void)t; (void)by; p->d = -p->d; }
static void as_it_is(const block_type *t, block_parts *p, double by) { (void)t; (void)p; (void)by; }

/* The factor by which a scale is wrong is small; where it moves no number across half a step, the block is another
 * nearest one, and A is rounded to it.  1: must be found; 0: as it is. */
static const struct { const char *name; altered *alter; double by; const char *types; } in_block[] = {
    { "as it is", as_it_is, 0, "" }, { "a code up", move_code, 1, "*" }, { "a code down", move_code, -1, "*" },
    { "scale", scale_block, 1.01, "Q8_0" }, { "scale", scale_block, 0.99, "Q8_0" },
    { "scale", scale_block, 1.05, "Q8_0 Q5_0 Q5_1 Q6_K Q5_K Q4_K" }, { "scale", scale_block, 1.1, "Q4_0 Q4_1 Q6_K Q5_K Q3_K" },
    { "scale", scale_block, 1.25, "*" }, { "scale", scale_block, 0.75, "*" }, { "scale", scale_block, 0, "*" }, { "sign", negate, 0, "*" },
    { "scale of a group", group_scale, -6, "Q4_K Q5_K Q6_K" }, { "offset of a group", group_offset, 6, "Q4_K Q5_K" },
    { "offset", offset_block, 0.5, "Q4_1 Q5_1" }, { "offset", offset_block, -0.5, "Q4_1 Q5_1" } };

START_TEST(one_block)
{
    const char *type = type_names[_i];
    model m = llama();
    const char *A = write_hf(&m, "F32");
    typed(&m, type, type);
    for (size_t k = 0; k < COUNT(in_block); k++) {
        const bool found = *in_block[k].types == '*' || strstr(in_block[k].types, type);
        if (*in_block[k].types && !found) continue;
        if (k > 2 && *in_block[k].types == '*' && (k + (size_t)_i) % 3) continue;              /* each in some types */
        const char *B = with_block(&m, part_of(&m, ROLE_GATE, 1), 3, in_block[k].alter, in_block[k].by);
        const int status = verify("--length=4", A, B);
        ck_assert_msg(found ? status == 1 || status == 3 : status == 0, "%s, %s by %g: %d: %s", type, in_block[k].name, in_block[k].by, status, said);
        if (found) HAS("blk.1.ffn_gate.weight: ");
    }
    drop(&m);
}
END_TEST

/* Zeros are nearest to all numbers where the step is large enough. */
static void zeros(const block_type *t, block_parts *p, double by)
{
    p->d = by;
    p->m = 0;
    for (size_t g = 0; g < t->numbers / t->group; g++) p->sc[g] = 1, p->sm[g] = 0;
    for (size_t k = 0; k < t->numbers; k++) p->code[k] = 0;
}

START_TEST(steps_that_leave_zeros)
{
    const char *type = type_names[_i];
    model m = llama();
    const char *A = write_hf(&m, "F32");
    typed(&m, type, type);
    const long k = part_of(&m, ROLE_GATE, 1);
    ck_assert_msg(verify("--length=4", A, with_block(&m, k, 3, zeros, 64)) == 3, "%s: %s", type, said);
    HAS("undecided: B's blocks may hold A's numbers, and do not tell: blk.1.ffn_gate.weight: may be A's rounded to");
    HAS("are so large that less than half of A's numbers is left");
    for (long i = 0; i < m.at[k].rows * m.at[k].cols; i++) m.at[k].x[i] = 0;
    const char *none = write_hf(&m, "F32");                                    /* of zeros they leave all       */
    ck_assert_msg(verify("--length=4", none, with_block(&m, k, 3, zeros, 64)) == 0, "%s: %s", type, said);
    drop(&m);
}
END_TEST

/* ---- what encoders do at the ends -------------------------------------------------------------------------------- */

/* Numbers of a block as large on the other side lose up to a step of signed codes, which is said. */
START_TEST(cut_off_by_a_step_is_said)
{
    model m = llama();
    part *p = of(&m, ROLE_UP, 0);
    for (int k = 0; k < 32; k++) p->x[k] = k % 2 ? -0.5 : 0.5;
    const char *A = write_hf(&m, "F32");
    typed(&m, "Q4_0", "Q4_0");
    ck_assert_msg(verify("", A, write_gguf(&m)) == 0, "%s", said);
    HAS("numbers lie beyond the ends of their blocks and were cut off, the farthest, ");
    ck_assert_msg(verify("--json", A, write_gguf(&m)) == 0, "%s", said);
    HAS("\"farthest_cut_off\": {");
    drop(&m);
}
END_TEST

/* A group whose scale is rounded to 0 holds zeros, and numbers far below those of its block are gone, as encoders do;
 * a group that they would not have lost is open, and is not the same. */
START_TEST(groups_of_scale_zero)
{
    static const struct { double size; int status; } by[] = { { 0x1p-11, 0 }, { 0.01, 3 }, { 0.03, 1 } };
    for (size_t k = 0; k < COUNT(by); k++) {
        model m = llama();
        part *p = of(&m, ROLE_UP, 0);
        for (int i = 0; i < 256; i++) p->x[i] = i < 16 ? by[k].size * (i % 2 ? 1 : -0.9) : (i % 2 ? 1 : -0.9);
        const char *A = write_hf(&m, "F32");
        typed(&m, "Q6_K", "Q6_K");
        const long at = part_of(&m, ROLE_UP, 0);
        char *path = write_gguf(&m);
        size_t n;
        char *bytes = temp_read(NULL, path, &n);
        bytes[place_in_file[at] + 192] = 0;                                    /* the scale of its first group */
        ck_assert_msg(verify("", A, temp_write(NULL, path, bytes, n)) == by[k].status, "%g: %s", by[k].size, said);
        HAS(by[k].status == 0 ? "cut off, the farthest, blk.0.ffn_up.weight, [0, " : by[k].status == 3
            ? "undecided: B's blocks may hold A's numbers, and do not tell: blk.0.ffn_up.weight"
            : "different: parts differ by more than rounding to their blocks: blk.0.ffn_up.weight: not A's rounded to Q6_K: entry [0, ");
        drop(&m);
    }
}
END_TEST

/* Numbers so small that a block's scale is hardly a half float: its rounding would excuse another code. */
START_TEST(scales_below_the_least_normal)
{
    model m = llama();
    part *p = of(&m, ROLE_UP, 0);
    for (int k = 0; k < 256; k++) p->x[k] *= 0x1p-19;
    const char *A = write_hf(&m, "F32");
    typed(&m, "Q4_0", "Q4_0");
    const int status = verify("", A, write_gguf(&m));
    ck_assert_msg(status == 0 || status == 3, "%s", said);
    char *path = with_block(&m, part_of(&m, ROLE_UP, 0), 1, move_code, 1);
    ck_assert_msg(verify("", A, path) == 3, "%s", said);
    HAS("undecided: B's blocks may hold A's numbers, and do not tell: blk.0.ffn_up.weight");
    drop(&m);
    model n = llama();
    for (int k = 0; k < 256; k++) of(&n, ROLE_UP, 0)->x[k] *= 0x1p-30;      /* a scale of 0: zeros are nearest     */
    A = write_hf(&n, "F32");
    typed(&n, "Q4_0", "Q4_0");
    ck_assert_msg(verify("", A, write_gguf(&n)) == 0, "%s", said);
    drop(&n);
}
END_TEST

/* ---- files ------------------------------------------------------------------------------------------------------- */

START_TEST(damaged_files)
{
    char output[4096];
    text_buffer one = { 0 };                                             /* a tensor without sides is a number, no block */
    put(&one, "GGUF", 4); put_u32(&one, 3); put_u64(&one, 1); put_u64(&one, 0);
    put_name(&one, "x"); put_u32(&one, 0); put_u32(&one, 12); put_u64(&one, 0);
    while (one.length % 32) put(&one, "", 1);
    const char *scalar = temp_write(temp_folder(), "x.gguf", one.at, one.length);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably inspect %s", build_folder(), scalar), 2);
    ck_assert_msg(strstr(output, "tensor x: its rows are not whole blocks of Q4_K; the file is damaged"), "%s", output);
    text_clear(&one);
    model m = llama();
    typed(&m, "Q4_K", "Q6_K");
    char *path = write_gguf(&m);
    size_t n;
    char *good = temp_read(NULL, path, &n), *bad = must_calloc(n, 1);
    const size_t at = place_in_file[part_of(&m, ROLE_UP, 1)];
    memcpy(bad, good, n);
    memcpy(bad + at + 144, &(uint16_t){ 0x7e00 }, 2);                                                   /* d is NaN */
    const char *nan_ = temp_write(temp_folder(), "x.gguf", bad, n);
    ck_assert_int_eq(verify("", path, nan_), 2);
    HAS("tensor blk.1.ffn_up.weight holds NaN; the model is damaged");
    for (size_t cut = 1; cut < 3; cut++) {
        const char *short_ = temp_write(temp_folder(), "x.gguf", good, n - 31 * cut);
        ck_assert_int_eq(run_command(output, sizeof output, "%s/provably inspect %s", build_folder(), short_), 2);
        ck_assert_msg(strstr(output, "its offset leads out of the file, which is cut off or damaged"), "%s", output);
    }
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably reduce %s --out=%s", build_folder(), path, temp_path(temp_folder(), "out")), 2);
    ck_assert_msg(strstr(output, "16 of its tensors are quantised, and what reduce writes would have to be rounded to blocks again"), "%s", output);
    ck_assert_int_eq(run_command(output, sizeof output, "%s/provably inspect --width=300 %s", build_folder(), path), 0);
    ck_assert_msg(strstr(output, "Q4_K") && strstr(output, "Q6_K") && strstr(output, "16 of its tensors are quantised"), "%s", output);
    free(bad);
    drop(&m);
}
END_TEST

/* ---- a model in several files ------------------------------------------------------------------------------------ */

static const char *piece_path(const char *folder, long no, long count)
{
    return temp_path(folder, temp_format("x-%05ld-of-%05ld.gguf", no + 1, count));
}

static char *write_pieces(const model *m, long count)
{
    char *folder = temp_folder();
    for (long k = 0; k < count; k++)
        write_piece(m, &(piece){ m->n * k / count, m->n * (k + 1) / count, k, count, m->n }, piece_path(folder, k, count));
    return folder;
}

static void split_refused(const char *path, const char *says)
{
    const int status = run_command(said, sizeof said, "%s/provably inspect %s", build_folder(), path);
    ck_assert_msg(status == 2, "%s: %d: %s", says, status, said);
    HAS(says);
    ck_assert_msg(strchr(said, '\n') == said + strlen(said) - 1, "more than one line: %s", said);
}

START_TEST(split_files)
{
    model m = llama();
    typed(&m, "Q8_0", "Q8_0");
    const char *whole = write_gguf(&m);
    for (long n = 2; n < 5; n++) {
        const char *folder = write_pieces(&m, n), *first = piece_path(folder, 0, n);
        ck_assert_msg(verify("", whole, first) == 0, "%s", said);
        HAS("the same function for all inputs");
        part *W = of(&m, ROLE_DOWN, L - 1);
        W->x[0] = -W->x[0] - 1;                                                 /* in the last file                    */
        write_piece(&m, &(piece){ m.n * (n - 1) / n, m.n, n - 1, n, m.n }, piece_path(folder, n - 1, n));
        ck_assert_msg(verify("", whole, first) == 1, "%s", said);
        W->x[0] = -W->x[0] - 1;
    }
    const char *folder = write_pieces(&m, 3), *first = piece_path(folder, 0, 3);
    split_refused(piece_path(folder, 1, 3), "is file 2 of 3 of a model; give the first one");
    ck_assert_int_eq(rename(first, temp_path(folder, "other.gguf")), 0);
    split_refused(temp_path(folder, "other.gguf"), "is the first of 3 files of a model, which are found by its name");
    ck_assert_int_eq(rename(temp_path(folder, "other.gguf"), first), 0);
    write_piece(&m, &(piece){ m.n / 3, m.n * 2 / 3, 2, 3, m.n }, piece_path(folder, 1, 3));
    split_refused(first, "it says that it is file 2 of 3");
    write_piece(&m, &(piece){ m.n / 3, m.n * 2 / 3 - 1, 1, 3, m.n }, piece_path(folder, 1, 3));
    split_refused(first, temp_format("hold %ld tensors, and split.tensors.count is %ld", m.n - 1, m.n));
    write_piece(&m, &(piece){ 0, m.n / 3, 1, 3, m.n }, piece_path(folder, 1, 3));
    split_refused(first, "is there twice");
    temp_text(NULL, piece_path(folder, 1, 3), "no such file of weights");
    split_refused(first, "is no GGUF file");
    ck_assert_int_eq(remove(piece_path(folder, 1, 3)), 0);
    split_refused(first, "cannot read");
    typed(&m, "F32", "F32");                                                    /* reduce rounds no blocks again       */
    first = piece_path(write_pieces(&m, 3), 0, 3);
    const char *to = temp_path(temp_folder(), "to");
    ck_assert_int_eq(run_command(said, sizeof said, "%s/provably reduce --format=gguf %s -o %s", build_folder(), first, to), 2);
    HAS("a model in several files is not written again as one: merge them");
    ck_assert_msg(run_command(said, sizeof said, "%s/provably reduce %s -o %s", build_folder(), first, to) == 0, "%s", said);
    ck_assert(temp_exists(to, "model.safetensors"));
    ck_assert_msg(verify("", first, to) == 0, "%s", said);
    drop(&m);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("quantised");
    const struct { const char *name; const TTest *test; int cases; } of[] = {
#define CASES(test, n) { #test, test, n }
        CASES(blocks_by_hand, COUNT(known)), CASES(every_code_and_scale_comes_back, TYPES), CASES(infinite_scales_are_not_finite, 1),
        CASES(a_quantised_copy_is_one, TYPES), CASES(decoded_copies, TYPES), CASES(two_quantised_files, 1), CASES(of_a_model_that_is_not_known, 1), CASES(in_another_order, 1),
        CASES(steps_that_leave_zeros, TYPES),
        CASES(broken_copies_are_different, COUNT(broken) * 3), CASES(one_block, TYPES), CASES(cut_off_by_a_step_is_said, 1),
        CASES(groups_of_scale_zero, 1), CASES(scales_below_the_least_normal, 1), CASES(damaged_files, 1), CASES(split_files, 1) };
    for (size_t k = 0; k < COUNT(of); k++) {                           /* CK_RUN_CASE=NAME: that one alone */
        TCase *one = tcase_create(of[k].name);
        tcase_set_timeout(one, 120);
        tcase_add_loop_test(one, of[k].test, 0, of[k].cases);
        suite_add_tcase(suite, one);
    }
    return run_suite(suite, argc, argv);
}
