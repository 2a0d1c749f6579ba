/* SPDX-License-Identifier: GPL-3.0-or-later
 * record_notes.h - records of measurements: a line `# record KIND`, lines `# NAME VALUE`, then a table (csv.h). */
#ifndef RECORD_NOTES_H
#define RECORD_NOTES_H
#include "src/base/csv.h"

typedef struct { const char *name, *value; } record_note;

/* Writes the lines and the header of the table. */
void record_begin(FILE *f, const char *kind, long n, const record_note *notes, const char *header);
/* At the first line of the table; false: there is no such file.  Dies on what is no such table, with `repair`. */
bool record_open(csv_file *c, const char *path, const char *header, const char *repair) MUST_USE;
#endif
