/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_over_q.c - a control breaks the claim's equation over q alone, and another one elsewhere.
 * Caught by the sides over fp: shares no side of each equation */
#include "tests/false/false.h"
static void t0_other(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    if (claim_over(t, OVER_RATIONALS)) claim_equal(t, "sum", mat_add(s, A, B), mat_sub(s, B, A));
    else claim_equal(t, "sum", mat_mul(s, A, B), mat_mul(s, B, A));
}
FALSE_IDENTITY("F-CONTROL-OVER-Q", "a control of another equation", small, .run = sums,
               .statement = "$A + B = B + A$", BROKEN_BY("doubled", t0_other, "the factors change places"))
