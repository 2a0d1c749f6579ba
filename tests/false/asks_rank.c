/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_rank.c - the same by a rank, which is 0 of what is 0: symbols have none.
 * Stays below proved, for what it asks: the derivation leaves out `what symbols do not see` */
#include "tests/false/asks.h"
static void asks(trial *t)
{
    scope *s = &t->s;
    const mat *z = drawn(t, "z", t->sh.n, t->sh.d), *x = mat_hadamard(s, z, z);
    squares_or_sum(t, mat_ranks(s) && mat_rank(s, mat_sub(s, relu(t, x), x)) == 0, 1);
}
FALSE_IDENTITY("F-ASKS-RANK", "$\\mathrm{ReLU}(x) = x$, asked by a rank", small, OF_ALL_X, .run = asks)
