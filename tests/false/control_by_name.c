/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_by_name.c - the control refutes another equation, X = 2 X, under the name of the claim's check.
 * Caught by the sides, of which none is the claim's: shares no side of each equation */
#include "tests/false/false.h"
static void by_name(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d);
    claim_equal(t, "sum", A, mat_scale(s, 1, 1, A));
}
FALSE_IDENTITY("F-BY-NAME", "a control of another equation", small, .run = sums,
               .statement = "$A + B = B + A$", BROKEN_BY("doubled", by_name, "$2A$ for $A$"))
