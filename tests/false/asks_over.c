/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_over.c - the same by claim_over, which every body may call.
 * Stays below proved, for a derivation of something else, which fails over F_q: no derivation for all sizes */
#include "tests/false/asks.h"

static void asks(trial *t) { squares_or_sum(t, claim_over(t, OVER_ENTRIES), 1); }
FALSE_IDENTITY("F-ASKS-OVER", "$\\mathrm{ReLU}(x) = x$, and another identity where no entries are seen", small,
               OF_ALL_X, .run = asks)
