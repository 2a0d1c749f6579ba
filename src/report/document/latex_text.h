/* SPDX-License-Identifier: GPL-3.0-or-later
 * latex_text.h - text in LaTeX. */
#ifndef LATEX_TEXT_H
#define LATEX_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

void latex_text  (FILE *f, const char *text);            /* everything is escaped                       */
void latex_math  (FILE *f, const char *text);            /* LaTeX; escapes what cannot be meant         */
void latex_mixed (FILE *f, const char *text);            /* $...$ is LaTeX, the rest is escaped         */
void latex_quoted(FILE *f, const char *text);            /* a quotation: UTF-8, *...* is emphasis       */
void latex_number(FILE *f, const char *text);            /* "3e-14": 3 times a power of ten             */
void latex_link  (FILE *f, const char *text, const char *target);      /* target NULL: the text alone    */
/* The length of a formula that a quotation has without dollars, from its command on: "\mathcal{S}_c"; 0: none begins
 * here. */
size_t latex_bare_formula(const char *p);
const char *latex_sign(const char *p, size_t *length);   /* LaTeX of a UTF-8 character in quotations, or NULL */
bool latex_emphasis_pairs(const char *text);   /* are there as many opening as closing asterisks outside mathematics? */
#endif
