/* SPDX-License-Identifier: GPL-3.0-or-later
 * mask_prepared.c - no mask changes the attention: the part's switches leave the mask that hides nothing.
 * Caught by a switch: mask = full */
#include "tests/false/false.h"
static void full(shape *sh) { sh->mask = MASK_FULL; }
static void unmasked(trial *t, mask_kind mask)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.mask = mask;
    const model M = model_random(s, sh);
    model R = M;
    R.visible = NULL;
    R.at[0].Q = mat_scale(s, 1, 1, M.at[0].Q);
    R.at[0].K = mat_scale(s, 1, -1, M.at[0].K);
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    same_attention(t, &M, &R);
}
static void as_prepared(trial *t) { unmasked(t, t->sh.mask); }
static void causal(trial *t)      { unmasked(t, MASK_CAUSAL); }
FALSE_IDENTITY("F-MASK", "no mask changes the attention", small, .run = as_prepared, .prepare = full,
               .statement = "whatever the mask, $2W_Q$ and $W_K/2$ without it give the same attention",
               BROKEN_BY("causal", causal, "a causal mask"))
