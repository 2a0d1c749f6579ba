/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_decoy.c - a claim has a second equation of its check's name, X = X, which the control breaks alone.
 * Caught by the sides, of which the first equation's are not broken: shares no side of each equation */
#include "tests/false/false.h"
static void decoy(trial *t, int e)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_add(s, A, B), *C = drawn(t, "C", t->sh.d, t->sh.d);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, mat_add(s, B, A));
    claim_equal(t, "sum", mat_t(s, C), mat_scale(s, 1, e, mat_t(s, C)));
}
static void decoy_claim(trial *t) { decoy(t, 0); }
static void decoy_other(trial *t) { decoy(t, 1); }
FALSE_IDENTITY("F-CONTROL-DECOY", "a control of another equation", small, .run = decoy_claim,
               .statement = "$A + B = B + A$", BROKEN_BY("doubled", decoy_other, "$A + B$ without $B$"))
