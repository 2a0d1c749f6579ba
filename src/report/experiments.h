/* experiments.h - recorded runs in the reports. */
#ifndef REPORT_EXPERIMENTS_H
#define REPORT_EXPERIMENTS_H
#include "src/report/book.h"

/* A claim without rows that a preset is about: MEASURED where recorded runs show it (results.h), scaled only where
 * its own words allow that. */
void experiments_judge(const book *b, chapter *c);
void experiments_csv  (const book *b, const char *out);            /* OUT/experiments.csv               */
void experiments_latex(const book *b, const char *out);            /* OUT/experiments.tex               */
void experiments_html (FILE *f, const book *b);
#endif
