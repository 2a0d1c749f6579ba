/* SPDX-License-Identifier: GPL-3.0-or-later
 * latex.h - the LaTeX writer.  Each file can be read by any document: see latex_head.h. */
#ifndef REPORT_LATEX_H
#define REPORT_LATEX_H
#include "src/report/document/document.h"

void latex_document(FILE *f, const document *d);
/* The same with its head. */
void latex_file    (FILE *f, const char *file, const char *about, const document *d);
void latex_macro(FILE *f, const char *name, const char *latex);      /* \providecommand{\ProvablyNAME}{...} */
#endif
