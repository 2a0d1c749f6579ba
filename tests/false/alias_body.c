/* SPDX-License-Identifier: GPL-3.0-or-later
 * alias_body.c - every A has an inverse if W_Q has one: A is drawn under the name W_Q.77, by the body.
 * Stays below proved, for its names: no derivation for all sizes */
#include "tests/false/false.h"
static void any(trial *t, bool inverse)
{
    scope *s = &t->s;
    const mat *A = mat_draw_at(s, "W_Q", 77, -1, t->sh.d, t->sh.d, mat_log2_fan_in(t->sh.d));
    const mat *X = drawn(t, "X", t->sh.n, t->sh.d), *XA = mat_mul(s, X, A);
    claim_reduced(t, 1, (const mat **[]){ &XA });
    claim_equal(t, "X A A^-1", mat_mul(s, XA, inverse ? mat_inv(s, A) : mat_t(s, A)), X);
}
static void inverted(trial *t)  { any(t, true); }
static void transpose(trial *t) { any(t, false); }
FALSE_IDENTITY("F-ALIAS-BODY", "every A has an inverse", small, .run = inverted, .assumes = "invertible W_Q",
               .statement = "$XAA^{-1} = X$ for all $A$, if $W_Q$ is invertible", BROKEN_BY("transpose", transpose, "$A'$"))
