/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_equal.c - ReLU(x) = x of squares, asked by whether it is so: to symbols the question has no answer.
 * Stays below proved, for what it asks: the derivation leaves out `what symbols do not see` */
#include "tests/false/asks.h"
static void asks(trial *t)
{
    const mat *z = drawn(t, "z", t->sh.n, t->sh.d), *x = mat_hadamard(&t->s, z, z);
    squares_or_sum(t, mat_compare(relu(t, x), x, -40).is == HOLDS, 1);
}
FALSE_IDENTITY("F-ASKS-EQUAL", "$\\mathrm{ReLU}(x) = x$, asked by a comparison", small, OF_ALL_X, .run = asks)
