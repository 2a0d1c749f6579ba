/* SPDX-License-Identifier: GPL-3.0-or-later
 * design.h - what a table of runs can tell apart: which changes were made together.
 *
 * A run differs from the baseline by changes, each made or not.  With one row (1, change_1, .., change_k) a run, the
 * effects of the changes can be told apart only if this matrix has rank k + 1; changes that were always made
 * together are one change.                                                                                  */
#ifndef DESIGN_H
#define DESIGN_H
#include "src/methods/counts/printed.h"
#include "src/claim/check.h"

enum { MAX_DESIGN_RUNS = 16 };
typedef enum { CHANGE_NO_QUERY = 1, CHANGE_SCALE = 2, CHANGE_DECAY = 4, CHANGE_RATE = 8 } changes;
typedef struct { unsigned run[MAX_DESIGN_RUNS]; long n; } design;       /* the changes of each run              */

design design_of_table(const char *table);           /* of printed_gpt_runs: "003 Table 2"                        */
void   design_add(design *D, unsigned changed);            /* one more run                                      */
/* Runs in which, of the changes in `among`, exactly those in `made` were made. */
long   design_count(const design *D, unsigned among, unsigned made);
/* (1 | the changes in `of`), n x (1 + how many). */
const mat *design_matrix(scope *s, const design *D, unsigned of);
#endif
