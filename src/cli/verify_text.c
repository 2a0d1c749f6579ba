/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify_text.c - see verify_text.h. */
#include <stdlib.h>
#include "src/base/outfile.h"
#include "src/cli/verify_text.h"
#include "src/cli/vocabulary.h"
#include "src/data/unpack.h"

enum { TEXT_BYTES = 1 << 20 };           /* of a text that are read: more than 4096 tokens in any of the vocabularies */

long *verify_tokens_of_text(const char *path, const char *merges, const char *chars, long V, long *n)
{
    vocabulary w = vocabulary_open(merges, chars);
    if (V < w.n || (!w.b && V != w.n))
        die("--text: the models have a vocabulary of %ld, not %ld; give GPT-2's merges with --bpe=FILE or the training "
            "text with --chars=FILE, or the numbers of the tokens with --tokens=@FILE", V, w.n);
    outfile_input(path);
    char *text = must_calloc(TEXT_BYTES, 1);
    unpacker *u = unpack_open(path);
    const size_t bytes = unpack_read(u, text, TEXT_BYTES);
    unpack_close(u);
    if (!bytes) die("--text: %s is empty", path);
    token_list all = { .at = NULL };
    vocabulary_encode(&w, "--text", text, bytes, &all);
    if (all.n < (size_t)*n) *n = (long)all.n;
    long *token = must_calloc((size_t)*n, sizeof *token);
    for (long k = 0; k < *n; k++) token[k] = all.at[k];
    token_list_free(&all);
    vocabulary_close(&w);
    free(text);
    return token;
}
