/* SPDX-License-Identifier: GPL-3.0-or-later
 * control_of_a_step.c - a claim has a second equation of its check's name, A I = A, and the control has another right side of that.
 * Caught by the entries of the first equation, which no control breaks: no control breaks all of */
#include "tests/false/false.h"
static void cc(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *AB = mat_mul(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &AB });
    claim_equal(t, "product", mat_mul(s, AB, A), mat_mul(s, A, mat_mul(s, B, A)));
    claim_equal(t, "product", mat_mul(s, A, mat_identity(s, t->sh.d)), A);
}
static void not_cc(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "product", mat_mul(s, B, B), A);
}
FALSE_IDENTITY("F-CONTROL-OF-A-STEP", "a control of another equation", small, .run = cc, .statement = "$(AB)A = A(BA)$",
               BROKEN_BY("not-assoc", not_cc, "$A(BA)$ with its factors in another order"))
