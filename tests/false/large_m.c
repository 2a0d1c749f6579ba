/* SPDX-License-Identifier: GPL-3.0-or-later
 * large_m.c - the first 256 neurons are all neurons: true for m <= 256.
 * Stays below proved, for the runner asks at a size above 255: no derivation for all sizes */
#include "tests/false/rows.h"

static void many(trial *t) { first_rows(t, t->sh.m, 256); }
static void one(trial *t) { first_rows(t, t->sh.m, 1); }
FALSE_IDENTITY("F-M-256", "the first 256 neurons are all neurons", small,
               .run = many, .statement = "the first 256 neurons are all neurons", BROKEN_BY("one", one, "one row"))
