/* SPDX-License-Identifier: GPL-3.0-or-later
 * never_anything.c - everything is under a condition that is never true.
 * Caught by the runner: nothing was compared */
#include "tests/false/false.h"

static void never(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    if (t->sh.n > 1000) claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
    claim_reduced(t, 1, (const mat **[]){ &B });
}
FALSE_IDENTITY("F-NEVER-2", "everything stands behind a condition that is never true", small,
               .run = never, .statement = "$AB = BA$", FACTORS_SWAPPED)
