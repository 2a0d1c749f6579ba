/* SPDX-License-Identifier: GPL-3.0-or-later
 * witness_beside.c - a true sentence is refuted by a true fact about its matrices: AB is not BA.
 * Caught by want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/false.h"

static void no_order(trial *t)
{
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_differs(t, "AB and BA", mat_mul(&t->s, A, B), mat_mul(&t->s, B, A));
}
FALSE_COUNTEREXAMPLE("F-BESIDE", "a true sentence is refuted by a fact about its matrices", small, .run = no_order,
                     .statement = "$(AB)' = B'A'$", ABOUT_QUANTITY("AB", "AB and BA"), .no_minimal = true,
                     .without = "fp sym", .why_without = "a difference is no identity")
