/* SPDX-License-Identifier: GPL-3.0-or-later
 * heads_built.c - any D in GL(h d_k) changes nothing: the body builds a model of one head, whatever the plan has.
 * Caught by the settings of the models that it evaluates: hypothesis that is not declared: h = 1 */
#include "tests/false/false.h"
static void full(trial *t, bool inverse)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.h = sh.h_kv = 1;
    sh.dk = sh.d;
    const model M = model_random(s, sh);
    model R = M;
    const mat *D = drawn(t, "D", sh.d, sh.d);
    R.at[0].Q = mat_mul(s, M.at[0].Q, D);
    R.at[0].K = mat_mul(s, M.at[0].K, inverse ? mat_t(s, mat_inv(s, D)) : mat_t(s, D));
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    same_attention(t, &M, &R);
}
static void any_D(trial *t)     { full(t, true); }
static void transpose(trial *t) { full(t, false); }
FALSE_IDENTITY("F-HEADS-BUILT", "W_Q D and W_K D^-T with any D", small, .run = any_D, .assumes = "invertible D",
               .models = "h_kv = h; biases = 0; rope = 0; qk_norm = 0",
               .statement = "any $D \\in \\mathrm{GL}(h d_k)$ changes nothing, whatever $h$ is",
               BROKEN_BY("transpose", transpose, "$D^\\top$ for $D^{-\\top}$"))
