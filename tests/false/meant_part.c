/* SPDX-License-Identifier: GPL-3.0-or-later
 * meant_part.c - a part is called like the reading of what a false sentence means, and only illustrates.
 * Caught by the contract of a part: would be taken for a reading of its sentences */
#include "tests/false/false.h"
static void less(trial *t)
{
    scope *s = &t->s;
    claim_less(t, "(AB)' is less", mat_given(s, mat_identity(s, 1)), mat_from_si(s, 1, 1, (long[]){ 2 }));
}
static void doubled(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "sum", mat_add(s, A, B), mat_add(s, B, B));
}
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = less, .statement = "$(AB)' = A'B'$", .no_minimal = true,
      .without = "fp sym", .why_without = "an order is needed", ABOUT_QUANTITY("(AB)'", "(AB)'") },
    { .name = "corrected", .kind = PART_IDENTITY, .run = sums, .statement = "$A + B = B + A$", BROKEN_BY("doubled", doubled, "$2B$") },
    { .name = "as-meant", .kind = PART_BESIDE, .run = less, .statement = "$(AB)' = A'B'$", .no_minimal = true,
      .without = "fp sym", .why_without = "an order is needed", ABOUT_QUANTITY("(AB)'", "(AB)'") },
};
FALSE_CLAIM("F-MEANT-PART", "a false sentence is only illustrated", small, parts)
