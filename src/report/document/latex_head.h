/* SPDX-License-Identifier: GPL-3.0-or-later
 * latex_head.h - the head of a .tex file that anybody may \input: what it needs, and the commands it uses.
 *
 * All names begin with \provably and are defined by \providecommand, so that a document may have its own: those of
 * reports/report.tex are made for its pages. */
#ifndef LATEX_HEAD_H
#define LATEX_HEAD_H
#include <stdio.h>

/* "% FILE - ABOUT", what the body needs, `use` (comment lines, or NULL), and the definitions of what it uses. */
void latex_head(FILE *f, const char *file, const char *about, const char *use, const char *body);
#endif
