/* SPDX-License-Identifier: GPL-3.0-or-later
 * least_dk.c - the second coordinate of a head: there is none where d_k = 1.
 * Stays below proved, for the runner asks at the least sizes: no derivation for all sizes */
#include "tests/false/rows.h"

static void second(trial *t) { second_row(t, t->sh.dk, 2); }
static void first(trial *t) { second_row(t, t->sh.dk, 1); }
FALSE_IDENTITY("F-DK-1", "every head has a second coordinate", small,
               .run = second, .statement = "every head has a second coordinate", BROKEN_BY("one", first, "one row"))
