/* SPDX-License-Identifier: GPL-3.0-or-later
 * nudge_200.c - a factor 1 + 2^-200 is claimed to change nothing: far below doubles.
 * Caught by balls, the rationals and primes: INCONSISTENT */
#include "tests/false/nudge.h"

static void tiny(trial *t) { nearly(t, 200); }
FALSE_IDENTITY("F-NUDGE-200", "a factor 1 + 2^-200 is claimed to change nothing", small,
               .run = tiny, .statement = "$x = (1 + 2^{-200}) x$", COARSE)
