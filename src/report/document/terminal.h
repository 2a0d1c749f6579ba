/* terminal.h - the writer for a terminal, at most 100 columns wide. */
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H
#include "src/report/document/document.h"

enum { TERMINAL_COLUMNS = 100 };
void terminal_table  (FILE *f, const doc_table *t);
/* `first` and the words of `text`, broken at spaces; `tail` ends each line but the last. */
void terminal_wrapped(FILE *f, const char *first, const char *text, const char *tail);
#endif
