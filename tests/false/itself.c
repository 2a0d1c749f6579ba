/* SPDX-License-Identifier: GPL-3.0-or-later
 * itself.c - a matrix is compared with itself.
 * Caught by the contract of a comparison: compared with itself */
#include "tests/false/false.h"

static void itself(trial *t)
{
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d);
    claim_equal(t, "AB = BA", A, A);
}
FALSE_IDENTITY("F-ITSELF", "a matrix is compared with itself", small,
               .run = itself, .statement = "$AB = BA$", FACTORS_SWAPPED)
