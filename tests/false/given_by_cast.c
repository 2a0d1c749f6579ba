/* SPDX-License-Identifier: GPL-3.0-or-later
 * given_by_cast.c - witness_of_nothing.c, whose literals are marked as given by the body.
 * Caught by the text of the body: it takes no object for one of another type */
#include "tests/false/nothing.h"
static void marked(trial *t)
{
    const mat *one = mat_identity(&t->s, 1);
    ((mat *)one)->given = true;
    claim_less(t, "1 < 2", one, mat_from_si(&t->s, 1, 1, (long[]){ 2 }));
}
FALSE_COUNTEREXAMPLE("F-CAST", "(AB)' = B'A'", small, .run = marked, OF_TRANSPOSES, BY_LITERALS,
                     BROKEN_BY("more", more, "the other order"))
