/* SPDX-License-Identifier: GPL-3.0-or-later
 * bpe.h - GPT-2's byte pairs: text to tokens and back.
 *
 * Text is cut into words by GPT-2's pattern.  A word begins as one token per byte; of all pairs of neighbours in
 * the list of merges the first in the list becomes one token, then again, until no pair is in the list.
 * Token numbers are GPT-2's: bytes 0..255 in the order of its alphabet, 256 + k for merge k, then <|endoftext|>.
 *
 * All bytes are text.  What is not UTF-8 (overlong, surrogate, cut off) is a word of its own from the first such
 * byte to the last of them, so decode(encode(x)) = x for every x; Python's tokenizers put U+FFFD there, which
 * cannot be undone.  White space is Unicode's White_Space; letters and numbers are those of PCRE2's tables. */
#ifndef DATA_BPE_H
#define DATA_BPE_H
#include "src/base/base.h"

typedef struct bpe bpe;
#define END_OF_TEXT "<|endoftext|>"

/* From GPT-2's vocab.bpe (merges.txt): a line `#version...`, then two tokens a line, written in its alphabet.
 * Dies, naming the line, where the file is something else. */
bpe *bpe_open (const char *path);
void bpe_close(bpe *b);

long bpe_vocabulary(const bpe *b);                              /* 256 + merges + 1 */
uint16_t bpe_end_of_text(const bpe *b);                         /* the last token */

/* Adds the tokens of text[n] at the end of to. */
typedef struct { uint16_t *at; size_t n, room; } token_list;
void bpe_encode(bpe *b, const char *text, size_t n, token_list *to);
void token_list_add (token_list *to, const uint16_t *token, size_t n);
void token_list_free(token_list *to);

/* The bytes of a token and, in *n, how many; token < bpe_vocabulary. */
const char *bpe_decode(const bpe *b, uint16_t token, size_t *n);
#endif
