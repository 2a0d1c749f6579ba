/* SPDX-License-Identifier: GPL-3.0-or-later
 * nudge_1000_in_balls.c - the same, and what decides exactly is left out: balls that meet prove no equality.
 * Stays below proved, for want of a derivation: no derivation for all sizes */
#include "tests/false/nudge.h"

static void tiny(trial *t) { nearly(t, 1000); }
FALSE_IDENTITY("F-NUDGE-ARB", "a factor 1 + 2^-1000 is claimed to change nothing, in balls", small,
               .run = tiny, .statement = "$x = (1 + 2^{-1000}) x$", .no_minimal = true,
               BALLS_ONLY("none is needed"), COARSE)
