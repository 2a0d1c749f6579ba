/* SPDX-License-Identifier: GPL-3.0-or-later
 * llmc.c - checkpoints of llm.c: GPT-2 as 256 whole numbers, then float32 (version 3) or bfloat16 (version 5).
 *
 *   int32 20240326, version, positions, vocabulary, layers, heads, width, padded vocabulary; zeros up to 1024 bytes
 *   embedding (padded), positions; then of all layers in turn: norm 1 gain, bias; W_Q | W_K | W_V, bias; W_O, bias;
 *   norm 2 gain, bias; up, bias; down, bias; final norm gain, bias.  The head is the embedding.
 *
 * Matrices are out x in.  Rows of the embedding beyond the vocabulary belong to no token: a tensor for itself. */
#include <string.h>
#include "src/checkpoint/sequence.h"

enum { HEADER = 1024, MAGIC = 20240326 };
typedef struct { int32_t magic, version, T, V, L, h, d, padded; } header;

static header header_of(const mapped_file *f)
{
    header c = { 0 };
    if (f->bytes >= HEADER) memcpy(&c, f->at, sizeof c);
    return c;
}

bool weights_is_llmc(const mapped_file *f) { return header_of(f).magic == MAGIC; }

static void walk(tensor_sequence *s, const header *c)
{
    const long d = c->d, L = c->L;
    s->at = HEADER;
    sequence_next(s, "wte.weight", 2, c->V, d);
    if (c->padded > c->V) sequence_next(s, "wte.padding", 2, c->padded - c->V, d);
    sequence_next(s, "wpe.weight", 2, c->T, d);
    sequence_layers(s, L, "h.%ld.ln_1.weight", 1, 1, d);
    sequence_layers(s, L, "h.%ld.ln_1.bias", 1, 1, d);
    sequence_layers(s, L, "h.%ld.attn.c_attn.weight", 2, 3 * d, d);
    sequence_layers(s, L, "h.%ld.attn.c_attn.bias", 1, 1, 3 * d);
    sequence_layers(s, L, "h.%ld.attn.c_proj.weight", 2, d, d);
    sequence_layers(s, L, "h.%ld.attn.c_proj.bias", 1, 1, d);
    sequence_layers(s, L, "h.%ld.ln_2.weight", 1, 1, d);
    sequence_layers(s, L, "h.%ld.ln_2.bias", 1, 1, d);
    sequence_layers(s, L, "h.%ld.mlp.c_fc.weight", 2, 4 * d, d);
    sequence_layers(s, L, "h.%ld.mlp.c_fc.bias", 1, 1, 4 * d);
    sequence_layers(s, L, "h.%ld.mlp.c_proj.weight", 2, d, 4 * d);
    sequence_layers(s, L, "h.%ld.mlp.c_proj.bias", 1, 1, d);
    sequence_next(s, "ln_f.weight", 1, 1, d);
    sequence_next(s, "ln_f.bias", 1, 1, d);
}

void weights_read_llmc(weights *w)
{
    const mapped_file *f = &w->file[0];
    const header c = header_of(f);
    if (c.version != 3 && c.version != 5)
        die("%s: version %d of llm.c's checkpoints; 3 (float32) and 5 (bfloat16) are read: write it again with a "
            "current train_gpt2.py", f->path, (int)c.version);
    if (c.T < 1 || c.T > 1 << 24 || c.V < 1 || c.V > 1 << 24 || c.L < 1 || c.L > 1000 || c.h < 1 || c.d < 1
        || c.d > 1 << 20 || c.d % c.h || c.padded < c.V || c.padded > 1 << 24)
        die("%s: the header of this llm.c checkpoint is damaged: %d positions, vocabulary %d (padded %d), %d layers, "
            "%d heads, width %d", f->path, (int)c.T, (int)c.V, (int)c.padded, (int)c.L, (int)c.h, (int)c.d);
    tensor_sequence s = { .w = w, .type = c.version == 5 ? "BF16" : "F32" };
    walk(&s, &c);
    if (s.at != f->bytes)
        die("%s: a checkpoint of llm.c of these sizes has %zu bytes, but it has %zu; it is cut off or damaged",
            f->path, s.at, f->bytes);
    s.listing = true;
    walk(&s, &c);
    w->config = json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:f, s:s, s:b}", "model_type", "gpt2", "n_embd",
        (json_int_t)c.d, "n_layer", (json_int_t)c.L, "n_head", (json_int_t)c.h, "n_positions", (json_int_t)c.T,
        "vocab_size", (json_int_t)c.V, "layer_norm_epsilon", 1e-5, "activation_function", "gelu_new",
        "tie_word_embeddings", 1);
    w->config_path = must_strdup(f->path);
}
