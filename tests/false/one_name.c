/* SPDX-License-Identifier: GPL-3.0-or-later
 * one_name.c - A and B are drawn under one name, so AB = BA.
 * Stays below proved, for its names: no derivation for all sizes */
#include "tests/false/false.h"

static void one_name(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "A", t->sh.d, t->sh.d);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
}
FALSE_IDENTITY("F-ONE-NAME", "A and B are drawn under one name", small,
               .run = one_name, .statement = "$AB = BA$", .no_minimal = true, FACTORS_SWAPPED)
