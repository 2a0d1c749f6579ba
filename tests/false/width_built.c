/* SPDX-License-Identifier: GPL-3.0-or-later
 * width_built.c - the W_Q of every head become I at once: the body builds heads as wide as the stream.
 * Caught by the settings of the models that it evaluates: hypothesis that is not declared: another d_k */
#include "tests/false/false.h"
static void merge(trial *t, bool transposed)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.dk = sh.d;
    const model M = model_random(s, sh);
    model R = M;
    const mat *one[MAX_HEADS], *both[MAX_HEADS];
    for (long a = 0; a < sh.h; a++) {
        const mat *Q = mat_cols(s, M.at[0].Q, a * sh.dk, sh.dk), *K = mat_cols(s, M.at[0].K, a * sh.dk, sh.dk);
        one[a] = mat_identity(s, sh.d);
        both[a] = mat_mul(s, K, transposed ? mat_t(s, Q) : Q);
    }
    R.at[0].Q = mat_hcat(s, sh.h, one);
    R.at[0].K = mat_hcat(s, sh.h, both);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].K });
    same_attention(t, &M, &R);
}
static void merged(trial *t)       { merge(t, true); }
static void untransposed(trial *t) { merge(t, false); }
FALSE_IDENTITY("F-WIDTH-BUILT", "W_Q of every head becomes I", small, .run = merged,
               .models = "h_kv = h; biases = 0; rope = 0; qk_norm = 0",
               .statement = "$\\tilde W_Q^a = I$ and $\\tilde W_K^a = W_K^aW_Q^{a\\top}$ for all heads of any width",
               BROKEN_BY("untransposed", untransposed, "$W_K^aW_Q^a$"))
