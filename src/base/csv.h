/* SPDX-License-Identifier: GPL-3.0-or-later
 * csv.h - tables as text: one record a line, cells separated by commas; a cell with a comma or a quote is enclosed in
 * quotes, and a quote in it is doubled.  No cell has a line break.
 *
 *   csv_file c = csv_open(path, "id,title,size", "run `make check` again");
 *   while (csv_next(&c)) { csv_text(&c, 0, id, sizeof id); size = csv_long(&c, 2); }
 *   csv_close(&c);
 *
 * Reading is strict: whatever is wrong dies with file, line, column and `repair`, which says what to do. */
#ifndef CSV_H
#define CSV_H
#include "src/base/lines.h"

typedef struct {
    const char *path, *header, *repair;
    FILE  *f;
    text_line line;                      /* that was read last, cut into cells                   */
    long   number;                       /* of that line; the header is line 1                   */
    char **cell;                         /* columns of them, without quotes                      */
    long   columns;                      /* of the header, and of every line                     */
    char  *named;                        /* the header that was read; NULL: it is the caller's   */
    bool   passes;                       /* lines that begin with #                              */
} csv_file;

csv_file csv_open(const char *path, const char *header, const char *repair);
/* A table of which columns are read by their names, whatever else it has; lines that begin with # are passed, before
 * the first line and below it.  A file of such lines alone has no columns and no rows.  f is closed by csv_close. */
csv_file csv_from_named(FILE *f, const char *path, const char *repair);
long     csv_column(const csv_file *c, const char *name);     /* the position of the column; -1: there is none */
csv_file csv_from(FILE *f, const char *path, const char *header, const char *repair);    /* f is closed by csv_close */
/* The next line; false at the end.  A cell with a character that commands a terminal (shown.h), or with a command of
 * TeX that admitted.h does not list, dies: it may be set in a document. */
bool     csv_next(csv_file *c);
void     csv_close(csv_file *c);

/* The cell of a column; each dies if it is too long or not of the type asked for. */
void     csv_text  (const csv_file *c, long column, char *to, size_t size);
void     csv_name  (const csv_file *c, long column, char *to, size_t size);   /* of admitted.h: it may become a path */
void     csv_label (const csv_file *c, long column, char *to, size_t size);   /* of admitted.h                   */
/* The same, interned (intern.h) and of any length. */
const char *csv_kept      (const csv_file *c, long column);
const char *csv_kept_name (const csv_file *c, long column);
const char *csv_kept_label(const csv_file *c, long column);
bool     csv_flag  (const csv_file *c, long column);                          /* 0 or 1                          */
/* A word of a closed set: `index` gives its number, -1 where it is none. */
int      csv_word  (const csv_file *c, long column, int (*index)(const char *word));
long     csv_long  (const csv_file *c, long column);
uint64_t csv_u64   (const csv_file *c, long column);
double   csv_double(const csv_file *c, long column);
_Noreturn void csv_wrong(const csv_file *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes one cell, quoted where it must be, and `after`: a comma or a new line.  Contract: no new line in the text. */
void csv_field(FILE *f, const char *text, char after);
#endif
