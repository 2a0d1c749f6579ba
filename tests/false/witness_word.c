/* SPDX-License-Identifier: GPL-3.0-or-later
 * witness_word.c - a true sentence is refuted by a word, of matrices that are drawn and not used.
 * Caught by want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/nothing.h"
static void word(trial *t)
{
    drawn(t, "A", t->sh.d, t->sh.d);
    claim_decided(t, "(AB)' is not B'A'", true);
}
FALSE_COUNTEREXAMPLE("F-SAID", "a true sentence is refuted by a word", small, .run = word, OF_TRANSPOSES,
                     ABOUT_QUANTITY("(AB)'", "(AB)' is not"))
