/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_positive.c - the same, asked by a sign: symbols and fields have no order.
 * Stays below proved, for what it asks: the derivation leaves out `what symbols do not see` */
#include "tests/false/asks.h"
static void asks(trial *t)
{
    squares_or_sum(t, mat_positive(mat_ones(&t->s, 1, 1)) == HOLDS, 1);
}
FALSE_IDENTITY("F-ZZ-SIGN", "$\\mathrm{ReLU}(x) = x$, asked by the sign of 1", small, OF_ALL_X, .run = asks)
