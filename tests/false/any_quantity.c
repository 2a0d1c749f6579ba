/* SPDX-License-Identifier: GPL-3.0-or-later
 * any_quantity.c - witness_given.c, whose quantity is a sign that every statement has.
 * Caught by the contract of a part: its statement does not contain */
#include "tests/false/nothing.h"
static void one_half(trial *t)
{
    claim_less(t, "1 < 2", mat_given(&t->s, mat_identity(&t->s, 1)), mat_from_si(&t->s, 1, 1, (long[]){ 2 }));
}
FALSE_COUNTEREXAMPLE("F-QUANTITY", "(AB)' = B'A'", small, .run = one_half, OF_TRANSPOSES, ABOUT_QUANTITY("$", "1"),
                     BROKEN_BY("more", more, "the other order"))
