/* SPDX-License-Identifier: GPL-3.0-or-later
 * plan_rewritten.c - body_mask.c, which sets the mask of the plan as well, with which its models are compared.
 * Caught by the text of the body: the models that are asked for are t->sh */
#include "tests/false/false.h"
static void unmasked(trial *t, mask_kind mask)
{
    scope *s = &t->s;
    shape *plan = (shape *)s->plan;
    t->sh.mask = mask;
    if (plan) plan->mask = mask;
    const model M = model_random(s, t->sh);
    model R = M;
    R.visible = NULL;
    R.at[0].V = mat_scale(s, 1, 1, M.at[0].V);
    if (M.at[0].bV) R.at[0].bV = mat_scale(s, 1, 1, M.at[0].bV);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0);
    claim_equal(t, "self-attention", mat_scale(s, 1, 1, model_self_attention(s, &M, 0, X)), model_self_attention(s, &R, 0, X));
}
static void full(trial *t)   { unmasked(t, MASK_FULL); }
static void causal(trial *t) { unmasked(t, MASK_CAUSAL); }
FALSE_IDENTITY("F-PLAN", "no mask changes the attention", small, .run = full,
               .statement = "whatever the mask, $2W_V$ without it gives twice the attention", BROKEN_BY("causal", causal, "a causal mask"))
