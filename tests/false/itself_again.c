/* SPDX-License-Identifier: GPL-3.0-or-later
 * itself_again.c - the same product twice, in place of AB and BA.
 * Caught by the certificate, which has nothing to state: the same steps */
#include "tests/false/false.h"

static void itself(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d), *C = B;
    claim_reduced(t, 1, (const mat **[]){ &C });
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, A, C));
}
FALSE_IDENTITY("F-ITSELF-2", "the same product twice", small,
               .run = itself, .statement = "$AB = BA$", FACTORS_SWAPPED)
