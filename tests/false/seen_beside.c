/* SPDX-License-Identifier: GPL-3.0-or-later
 * seen_beside.c - planted_attention.c, whose input is what the MLP of the drawn layer gives: of the layers with one number
 * the one that is most as drawn counts.
 * Caught by the half of the layer that it evaluates: hypothesis that is not declared: constrained W_K = W_Q */
#include "tests/false/false.h"
static void swap(trial *t, bool planted)
{
    scope *s = &t->s;
    const model D = model_random(s, t->sh);
    model M = D;
    if (planted) { M.at[0].K = M.at[0].Q; M.at[0].bK = M.at[0].bQ; }
    model R = M;
    R.at[0].Q = mat_scale(s, 1, 1, M.at[0].K);
    R.at[0].K = mat_scale(s, 1, -1, M.at[0].Q);
    if (M.at[0].bQ) { R.at[0].bQ = mat_scale(s, 1, 1, M.at[0].bK); R.at[0].bK = mat_scale(s, 1, -1, M.at[0].bQ); }
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    const mat *X = model_mlp(s, &D, 0, mat_draw(s, "X", M.s.n, M.s.d, 0));
    claim_equal(t, "self-attention", model_self_attention(s, &M, 0, X), model_self_attention(s, &R, 0, X));
}
static void equal_ones(trial *t) { swap(t, true); }
static void any(trial *t)        { swap(t, false); }
FALSE_IDENTITY("F-ZZ-BESIDE", "W_Q and W_K may change places behind an MLP", small, .run = equal_ones,
               .models = "h_kv = h; qk_norm = 0",
               .statement = "behind an MLP $\\tilde W_Q = 2W_K$, $\\tilde W_K = W_Q/2$ changes no attention",
               BROKEN_BY("any", any, "$W_K$ is drawn"))
