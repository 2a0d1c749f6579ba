/* SPDX-License-Identifier: GPL-3.0-or-later
 * large_n.c - the first 256 tokens are all tokens: true for n <= 256, and a derivation takes 255 at most.
 * Stays below proved, for the runner asks at a size above 255: no derivation for all sizes */
#include "tests/false/rows.h"

static void many(trial *t) { first_rows(t, t->sh.n, 256); }
static void one(trial *t) { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-N-256", "the first 256 tokens are all tokens", small,
               .run = many, .statement = "the first 256 tokens are all tokens", BROKEN_BY("one", one, "one row"))
