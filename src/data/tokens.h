/* SPDX-License-Identifier: GPL-3.0-or-later
 * tokens.h - text as tokens, and the windows of it that a training step uses.
 *
 * Window (step, row) begins at a place that is a hash of (seed, step, row), or, in the papers' own order, number
 * step * batch + row of torch.randint(n - T, (steps, batch)).  Either way it is the same for every model and any
 * number of processes, nothing has to be saved, and a resumed run continues where it stopped.
 *
 * Files of tokens are mapped, not read: their size may exceed the memory.  They must not change during a run;
 * one that becomes shorter ends it with a message (src/base/mapped.h). */
#ifndef DATA_TOKENS_H
#define DATA_TOKENS_H
#include "src/data/torch_draws.h"

typedef struct {
    const uint16_t *at;
    size_t    n;
    long      V;                         /* vocabulary: all tokens are below                            */
    uint64_t  hash;                      /* of all tokens; recorded with every result                   */
    uint64_t  alphabet;                  /* tokens_alphabet_hash of text at char level; 0: of another kind */
    void     *memory;                    /* what tokens_free gives back; NULL for a part                */
    size_t    mapped;                    /* bytes of a mapped file; 0: memory of ours                   */
} tokens;

/* Each byte of a file is a token, V = 256; or each different byte, in their order (char level).
 * The file may be compressed (src/data/unpack.h). */
tokens tokens_bytes(const char *path);
tokens tokens_chars(const char *path);
/* The characters of tokens_chars: token k stands for letter[k]; returns how many. */
long   tokens_alphabet(const char *path, unsigned char letter[256]);
uint64_t tokens_alphabet_hash(const unsigned char *letter, long n);       /* never 0                    */
/* nanoGPT's .bin: 16-bit little-endian tokens and nothing else.  V: the vocabulary, checked. */
tokens tokens_nanogpt(const char *path, long V);
/* llm.c's shards: a header of 256 32-bit words (20240520, 1, count), then 16-bit tokens. */
tokens tokens_llmc(const char *path, long V);
/* n bytes of a synthetic language from a seed: words drawn by Zipf's law, sentences that agree in number and
 * sums that are right, so that there is something to learn at every range.  V = 256. */
tokens tokens_synthetic(uint64_t seed, size_t n);
/* The part from one share of t to another, 0 <= from < to <= 1.  It points into t, which must live longer. */
tokens tokens_part(const tokens *t, double from, double to);
void   tokens_free(tokens *t);

/* Fills token[T] and target[T], the same shifted by one.  Contract: t->n > T. */
void tokens_window(const tokens *t, size_t from, long T, int32_t *token, int32_t *target);
size_t tokens_place(const tokens *t, uint64_t seed, long step, long row, long T);

/* Where windows begin, by either order.  Torch's needs the rows of a step, all processes together. */
typedef struct { bool torch; uint64_t seed; long batch; torch_draws draws; } tokens_order;
tokens_order tokens_order_counter(uint64_t seed);
tokens_order tokens_order_torch(uint64_t seed, long batch);
size_t tokens_order_at(tokens_order *o, const tokens *t, long step, long row, long T);
#endif
