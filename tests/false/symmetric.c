/* SPDX-License-Identifier: GPL-3.0-or-later
 * symmetric.c - W' = W is claimed of all W, and the body takes W = A + A'.
 * Not caught, for a body that shows less than the words say: PROVED or SUPPORTED */
#include "tests/false/false.h"

static void symmetric(trial *t, bool both)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *At = mat_t(s, A), *W = both ? mat_add(s, A, At) : A;
    claim_reduced(t, 1, (const mat **[]){ &At });
    claim_equal(t, "W' = W", mat_t(s, W), both ? mat_add(s, A, At) : mat_scale(s, 1, 0, W));
}
static void sum(trial *t)   { symmetric(t, true); }
static void plain(trial *t) { symmetric(t, false); }
FALSE_IDENTITY("F-SYMMETRIC", "W' = W is claimed of all W", small,
               .run = sum, .statement = "$W' = W$", BROKEN_BY("plain", plain, "any W"))
