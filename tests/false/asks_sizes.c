/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_sizes.c - the same, asked by the sizes: symbols and guards have none of n = 3.
 * Stays below proved, for the small sizes: no derivation for all sizes */
#include "tests/false/asks.h"
static void asks(trial *t) { squares_or_sum(t, t->sh.n == 3, 1); }
FALSE_IDENTITY("F-ASKS-SIZES", "$\\mathrm{ReLU}(x) = x$, asked by sizes", small, OF_ALL_X, .run = asks)
