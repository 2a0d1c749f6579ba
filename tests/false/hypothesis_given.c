/* SPDX-License-Identifier: GPL-3.0-or-later
 * hypothesis_given.c - the hypotheses of a true sentence are said to fail, by given numbers: not 2 < 1.
 * Caught by want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/nothing.h"
static void given_more(trial *t)
{
    scope *s = &t->s;
    claim_less(t, "(AB)' is less", mat_from_si(s, 1, 1, (long[]){ 2 }), mat_given(s, mat_identity(s, 1)));
}
FALSE_PART("F-HYP-GIVEN", "the hypotheses of a true sentence are said to fail", small, PART_HYPOTHESIS, .run = given_more,
           OF_TRANSPOSES, ABOUT_QUANTITY("(AB)'", "(AB)'"))
