/* SPDX-License-Identifier: GPL-3.0-or-later
 * least_declared.c - with 300 tokens or more the first 300 are all: true for n = 300 alone.
 * Stays below proved, for the sizes that the runner adds: no derivation for all sizes */
#include "tests/false/rows.h"
static void many(trial *t) { first_rows(t, t->sh.n, 300); }
static void one(trial *t)  { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-N-300", "of 300 tokens or more the first 300 are all", small, .run = many, .assumes = "n >= 300",
               .statement = "where $n \\ge 300$ the first 300 tokens are all tokens", BROKEN_BY("one", one, "one row"))
