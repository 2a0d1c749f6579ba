/* SPDX-License-Identifier: GPL-3.0-or-later
 * nearest.h - what somebody who misspelt a name may have meant. */
#ifndef NEAREST_H
#define NEAREST_H
#include "src/base/base.h"

/* How many letters have to be changed, left out, put in or swapped with their neighbours to make b of a; capitals are
 * small letters. */
long word_distance(const char *a, const char *b);

/* The word that is nearest to `word`; NULL: none is near.  Near is one change in up to three letters, two in four or
 * five, then a third of them. */
const char *nearest_word(const char *word, const char *const *words, long n);

/* "; did you mean `list`?", to be freed, or "". */
char *nearest_hint(const char *word, const char *const *words, long n) MUST_USE;
#endif
