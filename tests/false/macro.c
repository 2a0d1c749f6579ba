/* SPDX-License-Identifier: GPL-3.0-or-later
 * macro.c - AB = BA, where mat_mul is the name of another function of the library.
 * Caught by the text of the body: a theorem is what its text says: #define mat_mul */
#include "tests/false/false.h"
#define mat_mul mat_add
static void commute(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_mul(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, mat_mul(s, B, A));
}
FALSE_IDENTITY("F-MACRO", "AB = BA", small, .run = commute, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
