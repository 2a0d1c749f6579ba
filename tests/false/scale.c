/* SPDX-License-Identifier: GPL-3.0-or-later
 * scale.c - 2 W_Q under a scale of 1/(4 d_k): right for scores times 1/sqrt(d_k) alone.
 * Caught by linear attention, whose scale is 1: hypothesis that is not declared: attention = softmax */
#include "tests/false/false.h"
static void scaled(trial *t, bool wrong)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    R.at[0].Q = mat_scale(s, 1, 1, M.at[0].Q);
    R.at[0].K = mat_scale(s, 1, wrong ? 1 : -1, M.at[0].K);
    if (M.at[0].bQ) R.at[0].bQ = mat_scale(s, 1, 1, M.at[0].bQ);
    if (M.at[0].bK) R.at[0].bK = mat_scale(s, 1, wrong ? 1 : -1, M.at[0].bK);
    R.s.scale_num = 1;
    R.s.scale_den = t->sh.dk;
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    same_attention(t, &M, &R);
}
static void good(trial *t) { scaled(t, false); }
static void bad(trial *t)  { scaled(t, true); }
FALSE_IDENTITY("F-ZZ-SCALE", "any scale of the scores may be 1/sqrt(d_k)", small, .run = good, .models = "qk_norm = 0",
               .without = "q", .why_without = "q has scale 1",
               .statement = "whatever the scale of the scores, $2W_Q$, $W_K/2$ and the scale $1/\\sqrt{d_k}$ give the same attention",
               BROKEN_BY("wrong", bad, "$2W_K$"))
