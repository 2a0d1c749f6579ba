/* SPDX-License-Identifier: GPL-3.0-or-later
 * guard_singular.c - the first 255 tokens are all tokens: false for n > 255, where the body inverts 0.
 * Stays below proved, for the sizes that the runner adds: no derivation for all sizes */
#include "tests/false/rows.h"
static void many(trial *t)
{
    if (t->sh.n > 255) mat_inv(&t->s, mat_zero(&t->s, 1, 1));
    first_rows(t, t->sh.n, 255);
}
static void one(trial *t) { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-SINGULAR", "the first 255 tokens are all tokens", small, .run = many, .assumes = "invertible W_Q",
               .statement = "the first 255 tokens are all tokens", BROKEN_BY("one", one, "one row"))
