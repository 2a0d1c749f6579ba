/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_ring.c - the same by what is in the table of the arithmetic.
 * Caught by the text of the body: claim_over asks for the arithmetic */
#include "tests/false/asks.h"
static void asks(trial *t)
{
    const mat *one = mat_ones(&t->s, 1, 1);
    squares_or_sum(t, one->R->ring.get_d(one, 0, 0) == 1, 1);
}
FALSE_IDENTITY("F-ASKS-RING", "$\\mathrm{ReLU}(x) = x$, asked of the table", small, OF_ALL_X, .run = asks)
