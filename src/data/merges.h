/* SPDX-License-Identifier: GPL-3.0-or-later
 * merges.h - the list of merges that makes byte pairs, and one word under it.
 *
 * A list is accepted only if each merge joins two tokens that stand before it and no two give the same bytes.
 * Then a new pair comes later in the list than the merge that made it possible, and joining the earliest pair,
 * leftmost first, is the same as GPT-2's "all places of the earliest pair at once". */
#ifndef DATA_MERGES_H
#define DATA_MERGES_H
#include "src/base/base.h"

typedef struct merges merges;

merges *merges_read(const char *path);                          /* vocab.bpe; dies, naming the line */
void    merges_free(merges *m);
long    merges_tokens(const merges *m);                         /* 256 + merges                     */
const char *merges_bytes(const merges *m, uint16_t token, size_t *n);

/* The tokens of one word of n >= 1 bytes, in token[n]; returns their number.  n log n steps. */
size_t merges_apply(merges *m, const char *word, size_t n, uint16_t *token);
#endif
