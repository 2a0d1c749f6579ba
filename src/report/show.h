/* SPDX-License-Identifier: GPL-3.0-or-later
 * show.h - `provably show`: one claim on one screen, or as JSON.
 *
 * What was decided comes from the folder of evidence, where it has the claim; otherwise the verdict is the one that was
 * agreed on (verdicts.csv beside the index), and the screen says that nothing was run here. */
#ifndef SHOW_H
#define SHOW_H
#include "src/report/report.h"

/* The version of the JSON object: raised when a field goes or changes its meaning; fields may be added. */
enum { SHOW_SCHEMA = 1 };

/* The screen begins with verdict, answer and reason; SHOW_LONG adds what other versions print, what their sections
 * presuppose, the theorem, the certificates and the program; SHOW_JSON has everything. */
typedef enum { SHOW_SHORT, SHOW_LONG, SHOW_JSON } show_form;

/* Prints the claim that people call `name`; 0.  Dies (exit status 2) where there is none, several, or bad evidence. */
int show_claim(const report_options *o, const char *name, show_form form);
#endif
