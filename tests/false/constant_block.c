/* SPDX-License-Identifier: GPL-3.0-or-later
 * constant_block.c - (A + B | AB) = (B + A | BA), where the second blocks are those of (AB)' = B'A', in one equation.  The
 * control breaks the first block alone, and so does another B.
 * Caught by the block that nothing breaks: no control breaks all of `sum` */
#include "tests/false/false.h"
static void blocks(trial *t, bool twice)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d), *kept = B;
    const mat *left = mat_add(s, A, B), *product = mat_t(s, mat_mul(s, A, kept));
    claim_reduced(t, 1, (const mat **[]){ &B });
    const mat *right = mat_add(s, twice ? A : B, A), *other = mat_mul(s, mat_t(s, kept), mat_t(s, A));
    claim_equal(t, "sum", mat_hcat(s, 2, (const mat *const[]){ left, product }),
                mat_hcat(s, 2, (const mat *const[]){ right, other }));
}
static void both_blocks(trial *t) { blocks(t, false); }
static void a_twice(trial *t)     { blocks(t, true); }
FALSE_IDENTITY("F-BLOCK", "a control of one of two blocks", small, .run = both_blocks,
               .statement = "$A + B = B + A$ and $AB = BA$", BROKEN_BY("twice", a_twice, "$A + A$ for $B + A$"))
