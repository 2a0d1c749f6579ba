/* SPDX-License-Identifier: GPL-3.0-or-later
 * pair_heads_n.c - with biases the first four tokens are all, as they are where n <= 4.
 * Caught by many settings at once: hypothesis that is not declared: biases = 0 */
#include "tests/false/rows.h"
static void some(trial *t) { first_rows(t, t->sh.n, t->sh.biases ? 4 : t->sh.n); }
static void one(trial *t)  { first_rows(t, t->sh.n, 1); }
FALSE_IDENTITY("F-ZZ-BN", "with biases the first four tokens are all", small, .run = some,
               .statement = "in models with biases the first four tokens are all tokens", BROKEN_BY("one", one, "one row"))
