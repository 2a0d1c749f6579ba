/* SPDX-License-Identifier: GPL-3.0-or-later
 * unbroken_equation.c - A + B = B + A has a control; beside it stands AB = BA, whose sides are those of (AB)' = B'A'.
 * Caught by its equations, one of which nothing breaks: no control breaks all of `AB = BA` */
#include "tests/false/false.h"
static void two_equations(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d), *kept = B;
    const mat *left = mat_add(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, mat_add(s, B, A));
    claim_equal(t, "AB = BA", mat_t(s, mat_mul(s, A, kept)), mat_mul(s, mat_t(s, kept), mat_t(s, A)));
}
FALSE_IDENTITY("F-UNBROKEN", "a control of one of two equations", small, .run = two_equations,
               .statement = "$A + B = B + A$ and $AB = BA$", PRODUCT_FOR_SUM)
