/* SPDX-License-Identifier: GPL-3.0-or-later
 * shown.h - text of files and names as a terminal or a log may show it.
 *
 * Escaped are the characters that command a terminal or reorder a line instead of being shown: bytes below 32 and 127,
 * C1 (U+0080 to U+009F), marks and overrides of direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069),
 * line and paragraph separators (U+2028, U+2029), and bytes that are no UTF-8.  ESC becomes \x1b, U+202E \u202e. */
#ifndef SHOWN_H
#define SHOWN_H
#include "src/base/escape.h"
#include "src/base/text.h"
#include <stdarg.h>
#include <stdio.h>

/* The text with those characters escaped, to be freed. */
char *shown_text(const char *text) MUST_USE;
/* The same of n bytes, which may hold zeros. */
char *shown_bytes(const char *bytes, size_t n) MUST_USE;
/* The same, of at most `most` bytes: a longer one is cut between two characters and ends in "...". */
char *shown_short(const char *text, size_t most) MUST_USE;
/* Writes the text likewise. */
void  shown_write(FILE *f, const char *text);
/* Whether nothing in the text has to be escaped. */
bool  shown_as_is(const char *text);
/* Writes JSON whose strings may hold such characters as \uXXXX, which any JSON reader decodes to the same string;
 * newlines between tokens are kept. */
void  shown_json (FILE *f, const char *json);
/* As fprintf and vfprintf, but what the arguments bring is escaped, newlines too; up to 32 KB. */
void  shown_print (FILE *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void  shown_vprint(FILE *f, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));
/* For text that a pipe takes as it is: f, or where f is a terminal a stream in front of it that escapes all but
 * newlines and tabs.  Flushed with fflush; it stays open until the program ends. */
FILE *shown_terminal(FILE *f);
/* The text as one word of a shell, to be freed: as it is where it needs no quotes, else in single quotes; with $'..'
 * where it has characters that would be escaped. */
char *shell_word(const char *text) MUST_USE;
#endif
