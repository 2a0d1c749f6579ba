/* SPDX-License-Identifier: GPL-3.0-or-later
 * fewer_words.c - any W_K may become W_Q: the original has W_K = W_Q/4 and sets two weights, of which the reduced side
 * sets one.
 * Caught by what was named as reduced: hypothesis that is not declared: constrained W_K */
#include "tests/false/false.h"
static void tie(trial *t, bool planted)
{
    scope *s = &t->s;
    const model D = model_random(s, t->sh);
    model M = D, R = D;
    M.at[0].Q = mat_scale(s, 1, 1, D.at[0].K);
    if (planted) M.at[0].K = mat_scale(s, 1, -1, D.at[0].K);
    R.at[0].Q = D.at[0].K;
    const mat *half = mat_scale(s, 1, -1, D.at[0].V);
    R.at[0].V = mat_add(s, half, half);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    same_attention(t, &M, &R);
}
static void equal_ones(trial *t) { tie(t, true); }
static void any(trial *t)        { tie(t, false); }
FALSE_IDENTITY("F-FEWER", "any W_K may become W_Q", small, .run = equal_ones, .assumes = "constrained W_Q",
               .models = "h_kv = h; qk_norm = 0; biases = 0",
               .statement = "for $W_Q$ of a special form and any $W_K$, $\\tilde W_Q = \\tilde W_K$ changes no attention",
               BROKEN_BY("any", any, "$W_K$ is drawn"))
