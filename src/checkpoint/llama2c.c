/* SPDX-License-Identifier: GPL-3.0-or-later
 * llama2c.c - llama2.c's formats of float32: seven whole numbers, then matrices without names.
 *
 *   int32 dim, hidden, layers, heads, kv_heads, vocabulary (negative: the head is a matrix of its own), positions
 *   embedding; then of all layers in turn: attention norms, wq, wk, wv, wo, MLP norms, w1 (gate), w2 (down), w3 (up);
 *   final norm; two tables of positions x head/2 that no program reads any more; the head, if it has its own
 *
 * Version 1: "24ka", int32 1, the seven numbers, a byte: 1 where the head is the embedding; zeros up to 256 bytes; both
 * norms of all layers, the final norm, embedding, matrices as above, the head; no tables.
 *
 * Matrices are out x in; rotary pairs are neighbours (2i, 2i + 1).  Tensors get the names that the Python half of
 * llama2.c gives them. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/sequence.h"

enum { HEADER0 = 28, HEADER1 = 256, FLAG = 36, MAGIC = 0x616b3432 };
typedef struct { int32_t d, m, L, h, h_kv, V, T; } header;

/* V is negative where the head is a matrix of its own, in both formats. */
static header header_of(const mapped_file *f, int *version)
{
    header c = { 0 };
    int32_t begin[2] = { 0 };
    *version = 0;
    if (f->bytes >= HEADER0) memcpy(&c, f->at, sizeof c);
    if (f->bytes >= HEADER1) memcpy(begin, f->at, sizeof begin);
    if (begin[0] != MAGIC || begin[1] < 1) return c;
    *version = begin[1];
    memcpy(&c, f->at + sizeof begin, sizeof c);
    if (c.V > 0 && !f->at[FLAG]) c.V = -c.V;
    return c;
}

static bool sensible(const header *c)
{
    return c->d > 0 && c->d <= 1 << 20 && c->m > 0 && c->m <= 1 << 22 && c->L > 0 && c->L <= 1000 && c->h > 0
           && c->d % c->h == 0 && c->d / c->h % 2 == 0 && c->h_kv > 0 && c->h % c->h_kv == 0 && c->V != 0
           && c->V >= -(1 << 24) && c->V <= 1 << 24 && c->T > 0 && c->T <= 1 << 24;
}

bool weights_is_llama2c(const mapped_file *f)
{
    int version;
    const header c = header_of(f, &version);
    return version > 0 || sensible(&c);
}

int weights_llama2c_version(const mapped_file *f)
{
    int version;
    header_of(f, &version);
    return version;
}

static void walk(tensor_sequence *s, const header *c, int version)
{
    REQUIRE(c->h > 0, "%d heads", (int)c->h);
    const long d = c->d, dk = d / c->h, kv = c->h_kv * dk, V = labs((long)c->V), L = c->L;
    s->at = version ? HEADER1 : HEADER0;
    if (version == 0) sequence_next(s, "tok_embeddings.weight", 2, V, d);
    sequence_layers(s, L, "layers.%ld.attention_norm.weight", 1, 1, d);
    if (version == 1) {
        sequence_layers(s, L, "layers.%ld.ffn_norm.weight", 1, 1, d);
        sequence_next(s, "norm.weight", 1, 1, d);
        sequence_next(s, "tok_embeddings.weight", 2, V, d);
    }
    sequence_layers(s, L, "layers.%ld.attention.wq.weight", 2, d, d);
    sequence_layers(s, L, "layers.%ld.attention.wk.weight", 2, kv, d);
    sequence_layers(s, L, "layers.%ld.attention.wv.weight", 2, kv, d);
    sequence_layers(s, L, "layers.%ld.attention.wo.weight", 2, d, d);
    if (version == 0) sequence_layers(s, L, "layers.%ld.ffn_norm.weight", 1, 1, d);
    sequence_layers(s, L, "layers.%ld.feed_forward.w1.weight", 2, c->m, d);
    sequence_layers(s, L, "layers.%ld.feed_forward.w2.weight", 2, d, c->m);
    sequence_layers(s, L, "layers.%ld.feed_forward.w3.weight", 2, c->m, d);
    if (version == 0) {
        sequence_next(s, "norm.weight", 1, 1, d);
        sequence_next(s, "freqs_cos", 2, c->T, dk / 2);
        sequence_next(s, "freqs_sin", 2, c->T, dk / 2);
    }
    if (c->V < 0) sequence_next(s, "output.weight", 2, V, d);
}

void weights_read_llama2c(weights *w)
{
    const mapped_file *f = &w->file[0];
    int version;
    const header c = header_of(f, &version);
    if (version > 1)
        die("%s: version %d of llama2.c's format, whose weights are quantised; export it as version 0 or 1", f->path,
            version);
    if (!sensible(&c)) die("%s: the header of this llama2.c file is damaged; export it again", f->path);
    tensor_sequence s = { .w = w, .type = "F32" };
    walk(&s, &c, version);
    if (s.at != f->bytes)
        die("%s: its header is that of a llama2.c model of %zu bytes (width %d, %d layers, %d heads), but "
            "it has %zu; it is cut off or damaged: export it again",
            f->path, s.at, (int)c.d, (int)c.L, (int)c.h, f->bytes);
    s.listing = true;
    walk(&s, &c, version);
    w->config = json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:s, s:f, s:b}", "model_type", "llama2.c",
        "hidden_size", (json_int_t)c.d, "intermediate_size", (json_int_t)c.m, "num_hidden_layers", (json_int_t)c.L,
        "num_attention_heads", (json_int_t)c.h, "num_key_value_heads", (json_int_t)c.h_kv, "vocab_size",
        (json_int_t)labs((long)c.V), "max_position_embeddings", (json_int_t)c.T, "rms_norm_eps", 1e-5, "hidden_act",
        "silu", "rope_theta", 10000.0, "tie_word_embeddings", c.V > 0);
    w->config_path = must_strdup(f->path);
}
