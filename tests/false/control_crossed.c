/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_crossed.c - a control takes its left side from one equation of the claim, and its right side from another of that name.
 * Caught by the sides, of which the second equation has none in the control: shares no side of each equation */
#include "tests/false/false.h"
static void s2_claim(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_add(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, mat_add(s, B, A));
    claim_equal(t, "sum", A, mat_sub(s, left, B));
}
static void s2_other(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "sum", mat_add(s, A, B), A);
}
FALSE_IDENTITY("F-CONTROL-CROSSED", "a control of another equation", small, .run = s2_claim,
               .statement = "$A + B = B + A$", BROKEN_BY("doubled", s2_other, "$A + B$ without $B$"))
