/* SPDX-License-Identifier: GPL-3.0-or-later
 * two_models.c - any two models have the same attention: both are drawn by model_random, which gives one model twice.
 * Stays below proved, for its names: no derivation for all sizes */
#include "tests/false/false.h"
static void two(trial *t, bool differ)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = model_random(s, t->sh);
    if (differ) R.at[0].V = drawn(t, "other", R.at[0].V->rows, R.at[0].V->cols);
    R.at[0].Q = mat_scale(s, 1, 1, R.at[0].Q);
    R.at[0].K = mat_scale(s, 1, -1, R.at[0].K);
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    same_attention(t, &M, &R);
}
static void any(trial *t)   { two(t, false); }
static void other(trial *t) { two(t, true); }
FALSE_IDENTITY("F-TWO-MODELS", "any two models have the same attention", small, .run = any,
               .statement = "for any two models, $2W_Q$, $W_K/2$, $W_V$ of the second give the attention of the first",
               BROKEN_BY("other", other, "another $W_V$"))
