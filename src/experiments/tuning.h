/* SPDX-License-Identifier: GPL-3.0-or-later
 * tuning.h - which options a recorded tuning gives the rows of a part that is tuned by it.
 *
 * The rule, fixed before any run: of all combinations of the grid the one with the lowest first metric in the record,
 * the first of them where several are equal; a run without a finite figure (it diverged) is worse than any other.
 * Every combination must have been run, and one at least must have a finite figure.  No hand chooses: the same record
 * gives the same options. */
#ifndef TUNING_H
#define TUNING_H
#include "src/experiments/results.h"

/* " --rate=4e-3 --decay=0.1 --factor=1" for row k of e, to be freed; "" where e is not tuned.  all: recorded lines,
 * those of the preset e->tuned_by among them.  NULL: they are missing or not complete, or nothing can be chosen. */
char *tuning_options(const experiment *e, long k, const results *all);
/* Whether nothing can be chosen for row k: every combination of its grid has run, and none has a finite figure. */
bool  tuning_all_diverged(const experiment *e, long k, const results *all);
/* The first combination of the grid, to count costs before there is a record; to be freed. */
char *tuning_placeholder(const experiment *e, long k);
/* What is wrong with the command of row k of a tuned part, to be freed; NULL: it has the options of the record. */
char *tuning_wrong(const experiment *e, long k, const results *all, const char *command);
#endif
