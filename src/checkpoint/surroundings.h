/* SPDX-License-Identifier: GPL-3.0-or-later
 * surroundings.h - what surrounds the weights and is no part of their function: the vocabulary and its merges, special
 * tokens, how text is drawn.  The same function with another vocabulary is a broken model. */
#ifndef CHECKPOINT_SURROUNDINGS_H
#define CHECKPOINT_SURROUNDINGS_H
#include "src/checkpoint/weights.h"

/* One line for each file or key in which the surroundings of the two differ, without a newline, of printable
 * characters; *n: how many, 0 where nothing differs or neither has any.  Of a folder the tokenizer's files,
 * generation_config.json and the special tokens of config.json are compared, of GGUF the keys of `tokenizer`; a folder
 * with GGUF: their tokens.  To be freed, each and the list.  Dies where a file cannot be read. */
char **surroundings_differ(const weights *A, const weights *B, long *n);
#endif
