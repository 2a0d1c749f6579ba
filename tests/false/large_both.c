/* SPDX-License-Identifier: GPL-3.0-or-later
 * large_both.c - the first 256 tokens are all tokens, of MLPs with two neurons or more.
 * Stays below proved, for the sizes that the runner adds: no derivation for all sizes */
#include "tests/false/rows.h"
static void many(trial *t) { first_rows(t, t->sh.n, t->sh.m > 1 ? 256 : 1 << 20); }
static void one(trial *t)  { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-N-M", "the first 256 tokens are all, with two neurons", small, .run = many,
               .statement = "with two neurons or more the first 256 tokens are all tokens", BROKEN_BY("one", one, "one row"))
