/* SPDX-License-Identifier: GPL-3.0-or-later
 * least_n.c - the second token: there is none where n = 1.
 * Stays below proved, for the runner asks at the least sizes: no derivation for all sizes */
#include "tests/false/rows.h"

static void second(trial *t) { second_row(t, t->sh.n, 2); }
static void first(trial *t) { second_row(t, t->sh.n, 1); }
FALSE_IDENTITY("F-N-1", "every sequence has a second token", small,
               .run = second, .statement = "every sequence has a second token", BROKEN_BY("one", first, "one row"))
