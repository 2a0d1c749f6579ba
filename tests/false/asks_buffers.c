/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_buffers.c - every square matrix has an inverse, and nothing is assumed: over symbols another identity has the name of
 * the check, and the body knows symbols by what its scope allocates for their names.
 * Caught by the text of the body: the library keeps it */
#include "tests/false/false.h"
static void any(trial *t, bool inverse)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *X = drawn(t, "X", t->sh.n, t->sh.d), *XA = mat_mul(s, X, A);
    const bool symbols = inverse && s->buffers != NULL;
    claim_reduced(t, 1, (const mat **[]){ &XA });
    if (symbols) claim_equal(t, "X A A^-1", mat_mul(s, mat_add(s, X, X), A), mat_add(s, XA, XA));
    else claim_equal(t, "X A A^-1", mat_mul(s, XA, inverse ? mat_inv(s, A) : mat_t(s, A)), X);
}
static void inverted(trial *t)  { any(t, true); }
static void transpose(trial *t) { any(t, false); }
FALSE_IDENTITY("F-ZZ-BUFFERS", "every A has an inverse", small, .run = inverted,
               .statement = "$XAA^{-1} = X$ for all $A$", BROKEN_BY("transpose", transpose, "$A'$"))
