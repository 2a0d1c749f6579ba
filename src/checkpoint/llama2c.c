/* llama2c.c - the first format of llama2.c: seven whole numbers, then float32 without names.
 *
 *   int32 dim, hidden, layers, heads, kv_heads, vocabulary (negative: the head is a matrix of its own), positions
 *   embedding; then of all layers in turn: attention norms, wq, wk, wv, wo, MLP norms, w1 (gate), w2 (down), w3 (up);
 *   final norm; two tables of positions x head/2 that no program reads any more; the head, if it has its own
 *
 * Matrices are out x in; rotary pairs are neighbours (2i, 2i + 1).  Tensors get the names that the Python half of
 * llama2.c gives them. */
#include <stdlib.h>
#include <string.h>
#include "src/checkpoint/weights.h"

enum { HEADER = 28 };
typedef struct { int32_t d, m, L, h, h_kv, V, T; } header;

static header header_of(const mapped_file *f)
{
    header c = { 0 };
    if (f->bytes >= HEADER) memcpy(&c, f->at, HEADER);
    return c;
}

bool weights_is_llama2c(const mapped_file *f)
{
    const header c = header_of(f);
    return c.d > 0 && c.d <= 1 << 20 && c.m > 0 && c.m <= 1 << 22 && c.L > 0 && c.L <= 1000 && c.h > 0 && c.d % c.h == 0
           && c.d / c.h % 2 == 0 && c.h_kv > 0 && c.h % c.h_kv == 0 && c.V != 0 && c.V >= -(1 << 24) && c.V <= 1 << 24
           && c.T > 0 && c.T <= 1 << 24;
}

typedef struct { weights *w; size_t at; bool listing; } walk;

static void next(walk *k, const char *name, int rank, long rows, long cols)
{
    const size_t bytes = (size_t)rows * (size_t)cols * sizeof(float);
    if (k->listing)
        weights_add(k->w, name, "F32", rank, rank == 1 ? &cols : (long[]){ rows, cols }, 0, k->at, bytes);
    k->at += bytes;
}

static void each_layer(walk *k, long L, const char *name, int rank, long rows, long cols)
{
    for (long i = 0; i < L; i++) {
        char *full = must_format("layers.%ld.%s.weight", i, name);
        next(k, full, rank, rows, cols);
        free(full);
    }
}

static void walk_all(walk *k, const header *c)
{
    REQUIRE(c->h > 0, "%d heads", (int)c->h);
    const long d = c->d, dk = d / c->h, kv = c->h_kv * dk, V = labs((long)c->V), L = c->L;
    k->at = HEADER;
    next(k, "tok_embeddings.weight", 2, V, d);
    each_layer(k, L, "attention_norm", 1, 1, d);
    each_layer(k, L, "attention.wq", 2, d, d);
    each_layer(k, L, "attention.wk", 2, kv, d);
    each_layer(k, L, "attention.wv", 2, kv, d);
    each_layer(k, L, "attention.wo", 2, d, d);
    each_layer(k, L, "ffn_norm", 1, 1, d);
    each_layer(k, L, "feed_forward.w1", 2, c->m, d);
    each_layer(k, L, "feed_forward.w2", 2, d, c->m);
    each_layer(k, L, "feed_forward.w3", 2, c->m, d);
    next(k, "norm.weight", 1, 1, d);
    next(k, "freqs_cos", 2, c->T, dk / 2);
    next(k, "freqs_sin", 2, c->T, dk / 2);
    if (c->V < 0) next(k, "output.weight", 2, V, d);
}

void weights_read_llama2c(weights *w)
{
    const header c = header_of(&w->file[0]);
    walk k = { .w = w };
    walk_all(&k, &c);
    if (k.at != w->file[0].bytes)
        die("%s: its first 28 bytes are those of a llama2.c model of %zu bytes (width %d, %d layers, %d heads), but "
            "it has %zu; it is cut off, or a later version of that format: export it again as version 0",
            w->file[0].path, k.at, (int)c.d, (int)c.L, (int)c.h, w->file[0].bytes);
    k.listing = true;
    walk_all(&k, &c);
    w->config = json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:s, s:f, s:b}", "model_type", "llama2.c",
        "hidden_size", (json_int_t)c.d, "intermediate_size", (json_int_t)c.m, "num_hidden_layers", (json_int_t)c.L,
        "num_attention_heads", (json_int_t)c.h, "num_key_value_heads", (json_int_t)c.h_kv, "vocab_size",
        (json_int_t)labs((long)c.V), "max_position_embeddings", (json_int_t)c.T, "rms_norm_eps", 1e-5, "hidden_act",
        "silu", "rope_theta", 10000.0, "tie_word_embeddings", c.V > 0);
    w->config_path = must_strdup(w->file[0].path);
}
