/* SPDX-License-Identifier: GPL-3.0-or-later
 * verify_text.h - the tokens of a text.  For itself: the readers of byte pairs and the comparison of models each have a
 * `token_list` of their own. */
#ifndef CLI_VERIFY_TEXT_H
#define CLI_VERIFY_TEXT_H
/* The first *n tokens of the file, at most; *n: how many.  merges, chars: as vocabulary_open.  To be freed.  Dies where
 * V does not fit them: they have more, or the model has another number of bytes or characters. */
long *verify_tokens_of_text(const char *path, const char *merges, const char *chars, long V, long *n);
#endif
