/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_entry.c - ReLU(x) = x of squares where an entry has a value, another identity where it has none.
 * Stays below proved, for the field: no derivation for all sizes */
#include <math.h>
#include "tests/false/asks.h"
static void asks(trial *t)
{
    squares_or_sum(t, !isnan(mat_get_d(mat_draw(&t->s, "y", 1, 1, 0), 0, 0)), 1);
}
FALSE_IDENTITY("F-ASKS-ENTRY", "$\\mathrm{ReLU}(x) = x$, asked by an entry", small, OF_ALL_X, .run = asks)
