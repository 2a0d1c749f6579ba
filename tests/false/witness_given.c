/* SPDX-License-Identifier: GPL-3.0-or-later
 * witness_given.c - a true sentence is refuted by 1 < 2, whose numbers are called given.
 * Caught by want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/nothing.h"
static void given_less(trial *t)
{
    scope *s = &t->s;
    claim_less(t, "(AB)' is less", mat_given(s, mat_identity(s, 1)), mat_from_si(s, 1, 1, (long[]){ 2 }));
}
FALSE_COUNTEREXAMPLE("F-GIVEN", "a true sentence is refuted by given numbers", small, .run = given_less, OF_TRANSPOSES,
                     ABOUT_QUANTITY("(AB)'", "(AB)'"))
