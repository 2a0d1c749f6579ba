/* csv.h - the CSV writer. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H
#include "src/report/document/document.h"

void csv_table(FILE *f, const doc_table *t);             /* the titles of its columns first             */
#endif
