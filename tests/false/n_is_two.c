/* SPDX-License-Identifier: GPL-3.0-or-later
 * n_is_two.c - of at least two tokens the first three are there: false for n = 2.
 * Stays below proved, for the sizes that the runner adds: no derivation for all sizes */
#include "tests/false/rows.h"
static void two(trial *t) { first_rows(t, t->sh.n, t->sh.n == 2 ? 1 : t->sh.n); }
static void one(trial *t) { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-N-2", "one token of two is all of them", small, .run = two,
               .statement = "of two tokens the first is both", BROKEN_BY("one", one, "one row"))
