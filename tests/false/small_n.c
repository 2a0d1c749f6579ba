/* SPDX-License-Identifier: GPL-3.0-or-later
 * small_n.c - n < 6 is decided at the sizes that are run, and claimed of all sizes.
 * Stays below proved, for the derivation at other sizes: no derivation for all sizes */
#include "tests/false/false.h"

static void small_n(trial *t) { claim_decided(t, "n < 6", t->sh.n < 6); }
static void large_n(trial *t) { claim_decided(t, "n < 6", t->sh.n < 0); }
FALSE_IDENTITY("F-SMALL-N", "n < 6 is decided at the sizes that are run", small,
               .run = small_n, .statement = "$n < 6$", .no_minimal = true,
               BROKEN_BY("large-n", large_n, "$n < 0$"))
