/* SPDX-License-Identifier: GPL-3.0-or-later
 * encode.h - a text to a file of tokens, as nanoGPT and llm.c read them. */
#ifndef DATA_ENCODE_H
#define DATA_ENCODE_H
#include "src/base/base.h"

typedef enum { LEVEL_BPE, LEVEL_BYTES, LEVEL_CHARS } text_level;

typedef struct {
    const char *in, *out;                /* any file that documents.h reads; the tokens                 */
    text_level  level;
    const char *bpe;                     /* LEVEL_BPE: vocab.bpe                                        */
    const char *chars_out;               /* LEVEL_CHARS: the different bytes in order, token by token   */
    bool        llmc;                    /* a header of 256 words before the tokens; else nothing       */
    double      val;                     /* share of the documents for val_out; 0: none                 */
    const char *val_out;
    uint64_t    seed;                    /* document i is one of them by a hash of (seed, i)            */
    bool        progress;                /* of progress.h                                               */
} encode_config;

typedef struct { long V; uint64_t bytes, documents, tokens, val_documents, val_tokens; } encode_result;

/* A document's end is the token <|endoftext|>, or, at byte and char level, this line itself.  Dies, and then there is
 * no file `out`: what cannot be read, a full disk, one document that should be divided. */
encode_result encode_text(const encode_config *c);
#endif
