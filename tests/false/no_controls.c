/* SPDX-License-Identifier: GPL-3.0-or-later
 * no_controls.c - AB = BA is stated, A + B = B + A is shown, and no control asks.
 * Caught by the rule that an identity has a control: names no control */
#include "tests/false/false.h"

static void sum(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "AB = BA", mat_add(s, A, B), mat_add(s, B, A));
}
FALSE_IDENTITY("F-BARE", "AB = BA is stated", small,
               .run = sum, .statement = "$AB = BA$", .no_minimal = true)
