/* SPDX-License-Identifier: GPL-3.0-or-later
 * planted_attention.c - W_Q and W_K may change places: the body sets W_K = W_Q, and compares attention alone.
 * Caught by a layer that it evaluates: constrained W_K = W_Q */
#include "tests/false/false.h"
static void swap(trial *t, bool planted)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    if (planted) M.at[0].K = M.at[0].Q;
    model R = M;
    R.at[0].Q = mat_scale(s, 1, 1, M.at[0].K);
    R.at[0].K = mat_scale(s, 1, -1, M.at[0].Q);
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    same_attention(t, &M, &R);
}
static void equal_ones(trial *t) { swap(t, true); }
static void any(trial *t)        { swap(t, false); }
FALSE_IDENTITY("F-PLACES", "W_Q and W_K may change places", small, .run = equal_ones,
               .statement = "$\\tilde W_Q = 2W_K$, $\\tilde W_K = W_Q/2$ changes no attention",
               BROKEN_BY("any", any, "$W_K$ is drawn"))
