/* SPDX-License-Identifier: GPL-3.0-or-later
 * true_symmetric.c - A + A' is symmetric: what is on the diagonal says nothing, and no control can break it there.
 * True: SUPPORTED */
#include "tests/false/false.h"
static void sum_with(trial *t, bool itself)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = itself ? A : drawn(t, "B", t->sh.d, t->sh.d);
    claim_reduced(t, 1, (const mat **[]){ &B });
    const mat *M = mat_add(s, A, mat_t(s, B));
    claim_equal(t, "symmetric", M, mat_t(s, M));
}
static void mirrored(trial *t)   { sum_with(t, true); }
static void with_other(trial *t) { sum_with(t, false); }
FALSE_IDENTITY("T-SYMMETRIC", "a sum with its transpose", small, .run = mirrored, .statement = "$A + A^\\top$ is symmetric",
               BROKEN_BY("other", with_other, "$B^\\top$ for $A^\\top$"))
