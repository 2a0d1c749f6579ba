/* SPDX-License-Identifier: GPL-3.0-or-later
 * skipped_trials.c - one trial of three is compared; the others say that the question does not arise.
 * Caught by the rule that a skip does not depend on the trial: is skipped and another */
#include "tests/false/false.h"

static void one_trial(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d);
    const mat *B = t->number ? drawn(t, "B", t->sh.d, t->sh.d) : mat_scale(s, 1, 0, A);
    if (t->number || t->s.R->traits & SYMBOLIC)
        scope_not_here(s, REASON_NO_QUESTION, "this arithmetic has no such trial");
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
}
FALSE_IDENTITY("F-SKIPS", "one trial of three is compared", small,
               .run = one_trial, .statement = "$AB = BA$", .no_minimal = true, FACTORS_SWAPPED)
