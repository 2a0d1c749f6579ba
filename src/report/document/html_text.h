/* SPDX-License-Identifier: GPL-3.0-or-later
 * html_text.h - text in HTML. */
#ifndef HTML_TEXT_H
#define HTML_TEXT_H
#include <stdbool.h>
#include <stdio.h>

void html_text  (FILE *f, const char *text);             /* everything is escaped                       */
void html_ticked(FILE *f, const char *text);             /* the same, with the marks of ticks.h          */
void html_math  (FILE *f, const char *text);             /* html_math.c: LaTeX into HTML                */
void html_mixed (FILE *f, const char *text);             /* $...$ is LaTeX, the rest is escaped         */
void html_quoted(FILE *f, const char *text);             /* a quotation: *...* is emphasis              */
#endif
