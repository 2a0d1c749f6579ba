/* SPDX-License-Identifier: GPL-3.0-or-later
 * text.h - texts in memory: formatted, and growing.
 *
 *   text_buffer t = { 0 };
 *   for (...) text_add(&t, "%s%ld", t.length ? ", " : "", x[i]);
 *   char *list = text_take(&t);                                                              */
#ifndef TEXT_H
#define TEXT_H
#include "src/base/memory.h"

char *must_strdup(const char *text) MUST_USE;
char *must_format(const char *fmt, ...) MUST_USE __attribute__((format(printf, 1, 2)));

typedef struct { char *at; size_t length, room; } text_buffer;    /* { 0 } is the empty text; at is NULL or ends in 0 */
void  text_add  (text_buffer *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void  text_bytes(text_buffer *t, const char *bytes, size_t n);    /* appends n bytes as they are                 */
char *text_take (text_buffer *t) MUST_USE;                        /* the text, never NULL, to be freed; *t is empty */
void  text_clear(text_buffer *t);                                 /* frees it; *t is empty                       */

/* Blanks cut off at both ends, in place; the first character that is left. */
char *text_trim(char *text) MUST_USE;
/* Whether the n bytes at `word` are the text `whole`. */
bool  text_is(const char *word, size_t n, const char *whole);
#endif
