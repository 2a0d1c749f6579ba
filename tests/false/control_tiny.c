/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_tiny.c - sides too small for doubles, all of which are 0 there.
 * Caught by the sides, which are compared exactly: shares no side of each equation */
#include "tests/false/false.h"
static void tiny_sum(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_scale(s, 1, -2000, mat_add(s, A, B));
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, mat_scale(s, 1, -2000, mat_add(s, B, A)));
}
static void tiny_other(trial *t)
{
    scope *s = &t->s;
    const mat *Q = drawn(t, "Q", t->sh.d, t->sh.d), *P = drawn(t, "P", t->sh.d, t->sh.d);
    claim_equal(t, "sum", mat_scale(s, 1, -2000, mat_mul(s, P, Q)), mat_scale(s, 1, -2000, mat_mul(s, Q, P)));
}
FALSE_IDENTITY("F-CONTROL-TINY", "a control of another equation", small, .run = tiny_sum, .without = "f64",
               .why_without = "they are too small for doubles",
               .statement = "$A + B = B + A$", BROKEN_BY("doubled", tiny_other, "$A + B$ without $B$"))
