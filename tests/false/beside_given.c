/* SPDX-License-Identifier: GPL-3.0-or-later
 * beside_given.c - of a false sentence nothing is said but a fact that only illustrates; the repair is another sentence.
 * Caught by want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/nothing.h"
static void given_less(trial *t)
{
    scope *s = &t->s;
    claim_less(t, "(AB)' is less", mat_given(s, mat_identity(s, 1)), mat_from_si(s, 1, 1, (long[]){ 2 }));
}
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = given_less, .statement = "$(AB)' = A'B'$", .no_minimal = true,
      .without = "fp sym", .why_without = "an order is needed", ABOUT_QUANTITY("(AB)'", "(AB)'") },
    { .name = "corrected", .kind = PART_IDENTITY, .run = sums, .statement = "$A + B = B + A$", PRODUCT_FOR_SUM },
};
FALSE_CLAIM("F-BESIDE", "a false sentence is only illustrated", small, parts)
