/* SPDX-License-Identifier: GPL-3.0-or-later
 * mod_six.c - the last token is doubled where n = 4 mod 6, which no size of symbols, guards or certificates is.
 * Stays below proved, for the sizes that the runner adds: no derivation for all sizes */
#include "tests/false/rows.h"
static void most(trial *t) { first_rows(t, t->sh.n, t->sh.n % 6 == 4 ? t->sh.n - 1 : t->sh.n); }
static void one(trial *t)  { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-MOD-6", "tokens come in pairs and threes, or one is left out", small, .run = most,
               .statement = "all tokens but the last where $n = 4$ mod 6 are all tokens", BROKEN_BY("one", one, "one row"))
