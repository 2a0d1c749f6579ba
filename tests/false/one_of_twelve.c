/* SPDX-License-Identifier: GPL-3.0-or-later
 * one_of_twelve.c - one trial of twelve is compared, with A = B; the others give up.
 * Caught by the rule that every trial holds: UNDECIDED */
#include "tests/false/false.h"

static void one_trial(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d);
    const mat *B = t->number ? drawn(t, "B", t->sh.d, t->sh.d) : mat_scale(s, 1, 0, A);
    if (t->number) scope_undecided(s, REASON_DRAW, "no luck");
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
}
FALSE_IDENTITY("F-TWELVE", "one trial of twelve is compared", small,
               .run = one_trial, .statement = "$AB = BA$", .no_minimal = true, FACTORS_SWAPPED)
