/* SPDX-License-Identifier: GPL-3.0-or-later
 * large_dk.c - the first 256 coordinates of a head are all of them: true for d_k <= 256.
 * Stays below proved, for the runner asks at a size above 255: no derivation for all sizes */
#include "tests/false/rows.h"

static void many(trial *t) { first_rows(t, t->sh.dk, 256); }
static void one(trial *t) { first_rows(t, t->sh.dk, 1); }
FALSE_IDENTITY("F-DK-256", "the first 256 coordinates are all of a head", small,
               .run = many, .statement = "the first 256 coordinates are all of a head",
               BROKEN_BY("one", one, "one row"))
