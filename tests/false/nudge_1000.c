/* SPDX-License-Identifier: GPL-3.0-or-later
 * nudge_1000.c - a factor 1 + 2^-1000 is claimed to change nothing: below what balls of 256 bits tell apart.
 * Caught by the rationals and primes: INCONSISTENT */
#include "tests/false/nudge.h"

static void tiny(trial *t) { nearly(t, 1000); }
FALSE_IDENTITY("F-NUDGE-1000", "a factor 1 + 2^-1000 is claimed to change nothing", small,
               .run = tiny, .statement = "$x = (1 + 2^{-1000}) x$", COARSE)
