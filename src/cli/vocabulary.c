/* SPDX-License-Identifier: GPL-3.0-or-later
 * vocabulary.c - see vocabulary.h. */
#include <stdio.h>
#include "src/base/outfile.h"
#include "src/cli/vocabulary.h"
#include "src/data/tokens.h"

vocabulary vocabulary_open(const char *merges, const char *chars)
{
    vocabulary w = { .n = 256 };
    if (merges && chars) die("--bpe and --chars exclude each other");
    if (merges || chars) outfile_input(merges ? merges : chars);
    if (merges) w.b = bpe_open(merges);
    else if (chars) w.n = tokens_alphabet(chars, w.letter);
    else for (long k = 0; k < w.n; k++) w.letter[k] = (unsigned char)k;
    if (w.b) w.n = bpe_vocabulary(w.b);
    return w;
}

void vocabulary_close(vocabulary *w)
{
    if (w->b) bpe_close(w->b);
    w->b = NULL;
}

void vocabulary_write(const vocabulary *w, long token, FILE *f)
{
    size_t n = 1;
    const char *bytes = w->b ? bpe_decode(w->b, (uint16_t)token, &n) : (const char *)&w->letter[token];
    fwrite(bytes, 1, n, f);
}

void vocabulary_encode(const vocabulary *w, const char *option, const char *text, size_t n, token_list *to)
{
    if (w->b) {
        bpe_encode(w->b, text, n, to);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        uint16_t k = 0;
        while (k < w->n && w->letter[k] != (unsigned char)text[i]) k++;
        if (k == w->n) die("%s: the model does not know the character `%c`", option, text[i]);
        token_list_add(to, &k, 1);
    }
}
