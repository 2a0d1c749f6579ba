/* SPDX-License-Identifier: GPL-3.0-or-later
 * terminal.h - the writer for a terminal: columns of words, no line longer than the screen is wide. */
#ifndef REPORT_TERMINAL_H
#define REPORT_TERMINAL_H
#include "src/base/screen.h"
#include "src/report/document/document.h"

/* Cells are broken at blanks to the widths of their columns; badges have colours where the screen has. */
void terminal_table(FILE *f, const doc_table *t, const screen *s);
#endif
