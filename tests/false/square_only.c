/* SPDX-License-Identifier: GPL-3.0-or-later
 * square_only.c - a right inverse of W_Q is taken for an inverse: true for d = h d_k, claimed for all sizes;
 * every shape has d = h d_k.
 * Caught by another width: hypothesis that is not declared: d = h d_k */
#include "tests/false/false.h"

static void right_inverse(trial *t, bool inverse)
{
    scope *s = &t->s;
    const long d = t->sh.d, w = t->sh.h * t->sh.dk;
    const mat *X = mat_draw(s, "X", t->sh.n, d, 0), *Q = drawn(t, "W_Q", d, w), *XQ = mat_mul(s, X, Q);
    claim_reduced(t, 1, (const mat **[]){ &XQ });
    claim_equal(t, "X W_Q W_Q^-1", mat_mul(s, XQ, inverse && d == w ? mat_inv(s, Q) : mat_t(s, Q)), X);
}
static void inverted(trial *t)  { right_inverse(t, true); }
static void transpose(trial *t) { right_inverse(t, false); }
FALSE_IDENTITY("F-SQUARE", "a right inverse of W_Q is taken for an inverse", small,
               .assumes = "invertible W_Q", .run = inverted,
               .statement = "$X W_Q W_Q^{-1} = X$ for all $d$, $h$, $d_k$",
               BROKEN_BY("transpose", transpose, "$W_Q^\\top$"))
