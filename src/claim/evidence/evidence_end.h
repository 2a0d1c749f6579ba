/* SPDX-License-Identifier: GPL-3.0-or-later
 * evidence_end.h - the last lines of an evidence file: the program ran to its end, the lines above are those that it
 * wrote, and the files beside it are those of the same run.
 *
 *     # ladder with SHA-256 91c0...
 *     # end of 512 lines with SHA-256 6fd8...
 *
 * So a file that lost its last rows, or one of whose lines was changed, is not taken for a smaller run that held, and
 * no ladder can be left out or taken from elsewhere.  It is no signature: who can write rows can write these lines. */
#ifndef EVIDENCE_END_H
#define EVIDENCE_END_H
#include <stdbool.h>
#include <stdio.h>

/* Appends the line of what lies beside f, at `path`: kind is "ladder" or "figures". */
void evidence_end_name(FILE *f, const char *kind, const char *path);
/* The same of n bytes that are in no file. */
void evidence_end_name_text(FILE *f, const char *kind, const void *text, size_t n);
/* The hash that `path` names for this kind, in hexadecimal, or ""; false: it has no line that begins so. */
bool evidence_end_names(const char *path, const char *kind, char hex[65]);
/* The last line below n bytes of text, to be freed. */
char *evidence_end_of(const void *text, size_t n);
/* Appends it to f, all of whose bytes are at `path`; dies where it cannot be read back. */
void evidence_end_write(FILE *f, const char *path);
/* Dies where the file does not end so. */
void evidence_end_require(const char *path);
/* Whether `path` has a line of this kind; dies where it has and `beside` is not that file, or has none and `beside`
 * exists. */
bool evidence_end_has(const char *path, const char *kind, const char *beside);
#endif
