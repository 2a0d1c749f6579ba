/* SPDX-License-Identifier: GPL-3.0-or-later
 * unrelated_control.c - the only control is a fact that is false whatever is claimed.
 * Caught by the names of the checks: is none of the claim's checks */
#include "tests/false/false.h"

static void sum(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "A + B = B + A", mat_add(s, A, B), mat_add(s, B, A));
}
static void false_fact(trial *t) { claim_decided(t, "1 = 2", t->sh.n < 0); }
FALSE_IDENTITY("F-UNRELATED", "the only control is a fact that is false whatever is claimed", small,
               .run = sum, .statement = "$AB = BA$", .no_minimal = true,
               BROKEN_BY("false-fact", false_fact, "$1 = 2$"))
