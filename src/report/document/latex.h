/* latex.h - the LaTeX writer; reports/report.tex defines the commands and environments that it uses. */
#ifndef REPORT_LATEX_H
#define REPORT_LATEX_H
#include "src/report/document/document.h"

void latex_document(FILE *f, const document *d);
void latex_macro(FILE *f, const char *name, const char *latex);      /* \newcommand{\NAME}{...}            */
#endif
