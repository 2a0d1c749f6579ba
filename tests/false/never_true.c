/* SPDX-License-Identifier: GPL-3.0-or-later
 * never_true.c - AB = BA is under a condition that is never true, beside a sum that is true.
 * Caught by the control, which breaks a check that is never made: is none of the claim's checks */
#include "tests/false/false.h"

static void never(trial *t)
{
    claim_sum(t, "A + B = B + A");
    if (t->sh.n > 1000) swapped(t);
}
FALSE_IDENTITY("F-NEVER", "AB = BA stands behind a condition that is never true", small,
               .run = never, .statement = "$AB = BA$", FACTORS_SWAPPED)
