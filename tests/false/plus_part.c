/* SPDX-License-Identifier: GPL-3.0-or-later
 * plus_part.c - a part is called like the reading of a control of another part, which somebody has read.
 * Caught by the contract of a part: has the character 43 */
#include "tests/false/false.h"
static void doubled(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "sum", mat_add(s, A, B), mat_add(s, B, B));
}
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .statement = "$A + B = B + A$", BROKEN_BY("swapped", doubled, "$2B$") },
    { .name = "as-stated+swapped", .kind = PART_IDENTITY, .run = sums, .statement = "$AB = BA$", BROKEN_BY("swapped", doubled, "$2B$") },
};
FALSE_CLAIM("F-PLUS", "sums commute", small, parts)
