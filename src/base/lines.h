/* SPDX-License-Identifier: GPL-3.0-or-later
 * lines.h - a text file line by line, to its end and no less: nothing else in the product reads lines (tests/lines.sh).
 *
 *   text_line l = { 0 };
 *   while (line_next(&l, f, path)) take(l.at);
 *   text_line_free(&l);
 *
 * getline answers the end of the file, a disk that fails and a lack of memory alike, so that a loop over it can end
 * early and nobody knows. */
#ifndef LINES_H
#define LINES_H
#include "src/base/base.h"

typedef struct {
    char  *at;                           /* the line, without its end; what follows a zero byte is there, too */
    size_t length, room;
    bool   whole;                        /* it had an end; the last line of a file may be cut off             */
} text_line;                             /* { 0 } before the first                                            */

/* The next line of f; false: the file is at its end.  Dies where the system refuses bytes or memory, and where a line
 * has more than 64 MiB: no file of ours has. */
bool line_next(text_line *l, FILE *f, const char *path) MUST_USE;
bool line_has_zero(const text_line *l);
void text_line_free(text_line *l);

/* Whether the file, from where it stands, begins with the text: what is read of it, not more than its length, is
 * read. */
bool line_begins(FILE *f, const char *path, const char *text) MUST_USE;
#endif
