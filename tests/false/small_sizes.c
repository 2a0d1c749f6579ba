/* SPDX-License-Identifier: GPL-3.0-or-later
 * small_sizes.c - the first five tokens are all tokens: true for n <= 5, and no shape has more.
 * Stays below proved, for the derivation at other sizes: no derivation for all sizes */
#include "tests/false/rows.h"

static void five(trial *t) { first_rows(t, t->sh.n, 5); }
static void one(trial *t) { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-N-5", "the first five tokens are all tokens", small,
               .run = five, .statement = "the first five tokens are all tokens", BROKEN_BY("one", one, "one row"))
