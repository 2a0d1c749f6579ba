/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_rounded.c - sides that agree as doubles, and not as numbers.
 * Caught by the sides, which are compared exactly: shares no side of each equation */
#include "tests/false/false.h"
static void round_sum(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d), *C = drawn(t, "C", t->sh.d, t->sh.d);
    const mat *BC = mat_add(s, B, C);
    claim_reduced(t, 1, (const mat **[]){ &C });
    claim_equal(t, "sum", mat_add(s, A, mat_scale(s, 1, -120, BC)), mat_add(s, A, mat_scale(s, 1, -120, mat_add(s, C, B))));
}
static void round_other(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *Q = drawn(t, "Q", t->sh.d, t->sh.d), *P = drawn(t, "P", t->sh.d, t->sh.d);
    claim_equal(t, "sum", mat_add(s, A, mat_scale(s, 1, -120, mat_mul(s, P, Q))), mat_add(s, A, mat_scale(s, 1, -120, mat_mul(s, Q, P))));
}
FALSE_IDENTITY("F-CONTROL-ROUNDED", "a control of another equation", small, .run = round_sum, .without = "f64", .why_without = "small parts are rounded away",
               .statement = "$A + 2^{-120}(B + C) = A + 2^{-120}(C + B)$", BROKEN_BY("doubled", round_other, "$C$ left out"))
