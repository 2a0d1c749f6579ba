/* SPDX-License-Identifier: GPL-3.0-or-later
 * true_transpose.c - nothing: (AB)' = B'A', with a control that breaks the same check.
 * True: SUPPORTED */
#include "tests/false/false.h"

static void transposed(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.n, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.m);
    const mat *left = mat_t(s, mat_mul(s, A, B)), *Bt = mat_t(s, B);
    claim_reduced(t, 1, (const mat **[]){ &Bt });
    claim_equal(t, "(AB)' = B'A'", left, mat_mul(s, Bt, mat_t(s, A)));
}
static void not_swapped(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "(AB)' = B'A'", mat_t(s, mat_mul(s, A, B)), mat_mul(s, mat_t(s, A), mat_t(s, B)));
}
FALSE_IDENTITY("F-TRUE-1", "transpose of a product", small,
               .run = transposed, .statement = "$(AB)' = B'A'$",
               BROKEN_BY("not-swapped", not_swapped, "the factors keep their order"))
