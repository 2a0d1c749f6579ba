/* SPDX-License-Identifier: GPL-3.0-or-later
 * one_name_again.c - A and B are drawn under one name, in an identity whose two sides are different steps.
 * Stays below proved, for its names: no derivation for all sizes */
#include "tests/false/false.h"
static void binomial(trial *t, const char *second)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, second, t->sh.d, t->sh.d), *sum = mat_add(s, A, B);
    const mat *left = mat_mul(s, sum, sum);
    claim_reduced(t, 1, (const mat **[]){ &B });
    const mat *middle = mat_mul(s, A, mat_add(s, B, B));
    claim_equal(t, "square", left, mat_add(s, mat_add(s, mat_mul(s, A, A), middle), mat_mul(s, B, B)));
}
static void same(trial *t)   { binomial(t, "A"); }
static void others(trial *t) { binomial(t, "B"); }
FALSE_IDENTITY("F-NAMES", "the binomial formula for matrices", small, .run = same,
               .statement = "$(A + B)^2 = A^2 + 2AB + B^2$ for all $A$, $B$", BROKEN_BY("others", others, "B is another"))
