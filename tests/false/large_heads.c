/* SPDX-License-Identifier: GPL-3.0-or-later
 * large_heads.c - the first 256 tokens are all tokens, of models with several heads.
 * Stays below proved, for the sizes that the runner adds: no derivation for all sizes */
#include "tests/false/rows.h"
static void many(trial *t) { first_rows(t, t->sh.n, t->sh.h > 1 ? 256 : 1 << 20); }
static void one(trial *t)  { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-H-N", "the first 256 tokens are all, of several heads", small, .run = many,
               .statement = "with two or more heads the first 256 tokens are all tokens", BROKEN_BY("one", one, "one row"))
