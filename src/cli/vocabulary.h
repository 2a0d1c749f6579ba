/* SPDX-License-Identifier: GPL-3.0-or-later
 * vocabulary.h - what the tokens of a model stand for, for commands that take or print texts: GPT-2's byte pairs, the
 * characters of a text, or bytes. */
#ifndef CLI_VOCABULARY_H
#define CLI_VOCABULARY_H
#include "src/data/bpe.h"

typedef struct { bpe *b; unsigned char letter[256]; long n; } vocabulary;   /* n tokens that have a text     */
/* merges: a file of byte pairs; chars: the text whose characters the tokens are; both NULL: bytes.  Dies where both are
 * given. */
vocabulary vocabulary_open(const char *merges, const char *chars);
void       vocabulary_close(vocabulary *w);
void       vocabulary_write(const vocabulary *w, long token, FILE *f);
/* Adds the tokens of text[n]; dies, naming `option`, at a character that is none of them. */
void       vocabulary_encode(const vocabulary *w, const char *option, const char *text, size_t n, token_list *to);
#endif
