/* SPDX-License-Identifier: GPL-3.0-or-later
 * sentences.h - for tests: the sentences of a paper's text, and how much of each the programs quote.
 *
 * A sentence ends with its line, or with a full stop, a question mark or an exclamation mark (and closing signs)
 * where what follows begins with a capital letter or a sign.  Pieces of fewer than four words are left out, so most
 * formulas, rows of tables and headings are no sentences, and the list of references is left out.  Where a page break
 * cut a sentence, both pieces count. */
#ifndef SENTENCES_H
#define SENTENCES_H
#include <stdbool.h>
#include <stddef.h>
#include "src/data/checksum.h"

typedef struct {
    long   line;                         /* of the file, from 1                                   */
    size_t at, length;                   /* in `text`                                             */
    char   sha256[SHA256_HEX];           /* of the sentence, its runs of white space made one blank */
} sentence;

typedef struct {
    char     *text;                      /* the whole text with runs of white space made one blank */
    sentence *all;
    long      n;
    bool     *quoted;                    /* of each character of text                             */
} sentences;

sentences sentences_of(const char *raw);                 /* raw: a text with its lines            */
void      sentences_free(sentences *s);
void      sentences_mark(sentences *s, const char *says);        /* every place where it is quoted (quoted.h) */
/* How many letters and digits of a sentence are quoted; *of: how many it has. */
long      sentence_quoted(const sentences *s, const sentence *one, long *of);
#endif
