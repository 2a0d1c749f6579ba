/* SPDX-License-Identifier: GPL-3.0-or-later
 * data.h - tables for machines, as CSV and as JSON, and the dictionary of their columns.
 *
 * One column has one meaning and one type.  Numbers are plain: 117300000, not 117.3M.  An empty cell has no value;
 * Inf and -Inf are infinite. */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H
#include <jansson.h>
#include "src/report/document/document.h"

void    csv_table(FILE *f, const doc_table *t);
/* A list of objects, one for each row, to be decref'd: numbers are numbers, flags true or false, empty cells null, and
 * infinite numbers the strings "Inf" and "-Inf", because JSON has none. */
json_t *json_table(const doc_table *t);
/* One row for each column of `of`, which is what FILE holds. */
void    dictionary_add(doc_table *to, const char *file, const doc_table *of);
doc_table *dictionary_new(document *d);
#endif
