/* SPDX-License-Identifier: GPL-3.0-or-later
 * asm_label.c - AB = BA, of a product that is called so in the text and is the library's sum in the object.
 * Caught by the text of the body: __asm__: a theorem is what its text says */
#include "tests/false/false.h"
const mat *product(scope *s, const mat *A, const mat *B) __asm__("mat_add");
static void commute(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = product(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, product(s, B, A));
}
FALSE_IDENTITY("F-ASM", "AB = BA", small, .run = commute, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
