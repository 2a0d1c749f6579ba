/* SPDX-License-Identifier: GPL-3.0-or-later
 * undeclared.c - the construction inverts W_K; the claim declares W_Q.
 * Caught by the hypotheses that sym has used: invertible W_K */
#include "tests/false/false.h"

static void by_keys(trial *t, bool inverse)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0), *K = M.at[0].K, *XK = mat_mul(s, X, K);
    claim_reduced(t, 1, (const mat **[]){ &XK });
    claim_equal(t, "X = (X W_K) W_K^-1", X, mat_mul(s, XK, inverse ? mat_inv(s, K) : mat_t(s, K)));
}
static void inverted(trial *t)  { by_keys(t, true); }
static void transpose(trial *t) { by_keys(t, false); }
FALSE_IDENTITY("F-UNDECLARED", "the construction inverts W_K; the claim declares W_Q", small,
               .assumes = "invertible W_Q", .run = inverted, .statement = "$X = (XW_K)W_K^{-1}$",
               BROKEN_BY("transpose", transpose, "$W_K^\\top$"))
