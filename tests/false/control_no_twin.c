/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_no_twin.c - the claim makes the check that its control breaks over Q alone, and the control everywhere.
 * Caught by the positive twin, in each arithmetic: is none of the claim's checks */
#include "tests/false/false.h"

static void sums_and_product(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_add(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, mat_add(s, B, A));
    if (t->s.R->kind == A_Q)
        claim_equal(t, "(AB)A = A(BA)", mat_mul(s, mat_mul(s, A, B), A), mat_mul(s, A, mat_mul(s, B, A)));
}

static void wrong_product(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "(AB)A = A(BA)", mat_mul3(s, A, B, A), mat_mul3(s, B, A, A));
}
FALSE_IDENTITY("F-NO-TWIN", "a control without a positive twin", small,
               .run = sums_and_product, .statement = "$A + B = B + A$",
               BROKEN_BY("swapped", wrong_product, "the factors change places"))
