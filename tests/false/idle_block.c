/* SPDX-License-Identifier: GPL-3.0-or-later
 * idle_block.c - W_Q and W_K may change places where W_K = W_Q; the block of the drawn model is evaluated beside it.
 * Caught by what enters neither side: hypothesis that is not declared: given layers in one place */
#include "tests/false/false.h"
static void swap(trial *t, bool whole)
{
    scope *s = &t->s;
    const model D = model_random(s, t->sh);
    model M = D;
    { M.at[0].K = M.at[0].Q; M.at[0].bK = M.at[0].bQ; }
    model R = M;
    R.at[0].Q = mat_scale(s, 1, 1, M.at[0].K);
    R.at[0].K = mat_scale(s, 1, whole ? -1 : 1, M.at[0].Q);
    if (M.at[0].bQ) { R.at[0].bQ = mat_scale(s, 1, 1, M.at[0].bK); R.at[0].bK = mat_scale(s, 1, -1, M.at[0].bQ); }
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    const mat *X = model_block(s, &D, 0, mat_draw(s, "X", M.s.n, M.s.d, 0));
    claim_equal(t, "block", model_block(s, &M, 0, X), model_block(s, &R, 0, X));
}
static void equal_ones(trial *t) { swap(t, true); }
static void any(trial *t)        { swap(t, false); }
FALSE_IDENTITY("F-IDLE-BLOCK", "W_Q and W_K may change places in the second block", small, .run = equal_ones,
               .models = "h_kv = h; qk_norm = 0",
               .statement = "in the second block $\\tilde W_Q = 2W_K$, $\\tilde W_K = W_Q/2$ changes nothing",
               BROKEN_BY("any", any, "the factor of $W_K$ is another one"))
