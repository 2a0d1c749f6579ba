/* SPDX-License-Identifier: GPL-3.0-or-later
 * groups.c - W_Q^a W_K^a' for every head, of models whose key heads are as many: claimed of grouped heads, too.
 * Caught by a switch: h_kv = h */
#include "tests/false/false.h"
static void turn(trial *t, bool inverse)
{
    scope *s = &t->s;
    const long h = t->sh.h, dk = t->sh.dk;
    const model M = model_random(s, t->sh);
    model R = M;
    const mat *D[MAX_HEADS], *E[MAX_HEADS];
    for (long a = 0; a < h; a++) {
        D[a] = mat_draw_at(s, "D", a, -1, dk, dk, mat_log2_fan_in(dk));
        E[a] = inverse ? mat_t(s, mat_inv(s, D[a])) : mat_t(s, D[a]);
    }
    R.at[0].Q = mat_mul(s, M.at[0].Q, mat_blockdiag(s, h, D));
    R.at[0].K = t->sh.h_kv == h ? mat_mul(s, M.at[0].K, mat_blockdiag(s, h, E)) : M.at[0].K;
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    same_attention(t, &M, &R);
}
static void right(trial *t) { turn(t, true); }
static void wrong(trial *t) { turn(t, false); }
FALSE_IDENTITY("F-GROUPS", "a D of its own for each query head", small, .run = right, .assumes = "invertible D",
               .statement = "each query head has a $D_a \\in GL(d_k)$ of its own, with grouped key heads, too",
               BROKEN_BY("transpose", wrong, "$D_a'$ for the inverse"))
