/* SPDX-License-Identifier: GPL-3.0-or-later
 * visible.c - no mask changes the attention: the body takes the mask away from the original, too.
 * Caught by the mask of the models that it evaluates: hypothesis that is not declared: constrained mask */
#include "tests/false/false.h"
static void unmasked(trial *t, bool both)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    if (both) M.visible = NULL;
    model R = M;
    R.visible = NULL;
    R.at[0].V = mat_scale(s, 1, 1, M.at[0].V);
    if (M.at[0].bV) R.at[0].bV = mat_scale(s, 1, 1, M.at[0].bV);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0);
    claim_equal(t, "self-attention", mat_scale(s, 1, 1, model_self_attention(s, &M, 0, X)), model_self_attention(s, &R, 0, X));
}
static void none(trial *t) { unmasked(t, true); }
static void one(trial *t)  { unmasked(t, false); }
FALSE_IDENTITY("F-ZZ-MASK", "no mask changes the attention", small, .run = none,
               .statement = "whatever the mask, $2W_V$ without it gives twice the attention", BROKEN_BY("one", one, "the mask stays"))
