/* SPDX-License-Identifier: GPL-3.0-or-later
 * undeclared_inverse.c - every A has an inverse, and nothing is assumed: A is drawn as "interface", which the runner takes
 * for a basis of the induction.
 * Stays below proved, for its names: no derivation for all sizes */
#include "tests/false/false.h"
static void any(trial *t, bool inverse)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "interface", t->sh.d, t->sh.d);
    const mat *X = drawn(t, "X", t->sh.n, t->sh.d), *XA = mat_mul(s, X, A);
    claim_reduced(t, 1, (const mat **[]){ &XA });
    claim_equal(t, "X A A^-1", mat_mul(s, XA, inverse ? mat_inv(s, A) : mat_t(s, A)), X);
}
static void inverted(trial *t)  { any(t, true); }
static void transpose(trial *t) { any(t, false); }
FALSE_IDENTITY("F-ZZ-INVERSE", "every A has an inverse", small, .run = inverted,
               .statement = "$XAA^{-1} = X$ for all $A$", BROKEN_BY("transpose", transpose, "$A'$"))
