/* SPDX-License-Identifier: GPL-3.0-or-later
 * least_v.c - the second token of the vocabulary: there is none where V = 1.
 * Stays below proved, for the runner asks at the least sizes: no derivation for all sizes */
#include "tests/false/rows.h"

static void second(trial *t) { second_row(t, t->sh.V, 2); }
static void first(trial *t) { second_row(t, t->sh.V, 1); }
FALSE_IDENTITY("F-V-1", "every vocabulary has a second token", small,
               .run = second, .statement = "every vocabulary has a second token", BROKEN_BY("one", first, "one row"))
