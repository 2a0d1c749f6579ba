/* SPDX-License-Identifier: GPL-3.0-or-later
 * unseen_claimed.c - asks_over.c, whose body makes the check that the runner adds where a body asks.
 * Caught by the names of checks: makes a check by a name of the runner's */
#include "tests/false/asks.h"

static void asks(trial *t)
{
    scope *s = &t->s;
    const bool numbers = claim_over(t, OVER_ORDERED);
    const mat *A = drawn(t, "A", t->sh.n, t->sh.d), *B = drawn(t, "B", t->sh.n, t->sh.d);
    squares_or_sum(t, numbers, 1);
    claim_equal(t, UNSEEN_BY_SYMBOLS, mat_add(s, A, B), mat_add(s, B, A));
}
FALSE_IDENTITY("F-UNSEEN", "$\\mathrm{ReLU}(x) = x$, and another identity where no entries are seen", small,
               OF_ALL_X, .run = asks)
