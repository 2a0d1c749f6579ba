/* SPDX-License-Identifier: GPL-3.0-or-later
 * two_parts.c - 2 + 2 = 5 stands in a part that is never run, beside another part of nearly the same name, whose rows
 * say 2 + 2 = 4: the report would show the first part's statement and the second's evidence.
 * Caught by the names of parts: has two parts called As-stated */
#include "tests/false/false.h"

static void adds(trial *t, long sum)
{
    const long two = 2;
    const mat *left = mat_from_si(&t->s, 1, 1, &two), *right = mat_from_si(&t->s, 1, 1, &sum);
    claim_equal(t, "2 + 2", mat_add(&t->s, left, left), right);
}
static void five(trial *t) { adds(t, 5); }
static void four(trial *t) { adds(t, 4); }

#define A_SUM .kind = PART_IDENTITY, .about = ABOUT_FINITE, .no_minimal = true
static const part two_parts[] = {
    { .name = "as-stated", A_SUM, .run = five, .statement = "$2 + 2 = 5$", .nshapes = 1, .shapes = never_run,
      BROKEN_BY("four", four, "4") },
    { .name = "As-stated", A_SUM, .run = four, .statement = "$2 + 2 = 4$", BROKEN_BY("five", five, "5") },
};
FALSE_CLAIM("F-TWO-PARTS", "$2 + 2 = 5$", small, two_parts)
