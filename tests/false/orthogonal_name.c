/* SPDX-License-Identifier: GPL-3.0-or-later
 * orthogonal_name.c - A A' = I of every A with an orthogonal A beside it: the orthogonal one is another matrix.
 * Caught by one name for two matrices: hypothesis that is not declared: two matrices called A */
#include "tests/false/false.h"

static void other_is_orthogonal(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *other = mat_draw_orthogonal(s, "A.1", t->sh.d);
    const mat *X = drawn(t, "X", t->sh.d, t->sh.d);
    claim_reduced(t, 1, (const mat **[]){ &X });
    claim_equal(t, "X A A' = X", mat_mul(s, mat_mul(s, X, other), mat_t(s, other)), X);
    claim_equal(t, "A + X = X + A", mat_add(s, A, X), mat_add(s, X, A));
}

static void of_any(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *X = drawn(t, "X", t->sh.d, t->sh.d);
    claim_equal(t, "X A A' = X", mat_mul(s, mat_mul(s, X, A), mat_t(s, A)), X);
}

FALSE_IDENTITY("F-ORTH", "A A' = I", small, .run = other_is_orthogonal, .assumes = "orthogonal A", .no_minimal = true,
               .statement = "$XAA^\\top = X$ for the $A$ of $A + X = X + A$",
               BROKEN_BY("any", of_any, "$A$ itself"))
