/* SPDX-License-Identifier: GPL-3.0-or-later
 * tie_layers.c - with all skips, the W_Q of two layers become I in one basis: the second layer has the W_Q of the first.
 * Caught by the slots of draws: hypothesis that is not declared: constrained W_ */
#include "tests/false/false.h"
static void two_layers(trial *t, bool tied)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model N = M;
    N.at[0] = M.at[1];
    if (tied) N.at[0].Q = M.at[0].Q;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *Theta = M.at[0].Q, *from = mat_inv(s, Theta);
    const basis to = { Theta, from };
    model R = M, S = N;
    R.at[0] = gauge_layer(s, &M.s, &M.at[0], to, to);
    S.at[0] = gauge_layer(s, &M.s, &N.at[0], to, to);
    R.at[0].Q = mat_identity(s, M.s.d);
    S.at[0].Q = mat_identity(s, M.s.d);
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].K, &S.at[0].K });
    claim_equal(t, "two blocks", mat_mul(s, model_block(s, &N, 0, model_block(s, &M, 0, X)), Theta),
                model_block(s, &S, 0, model_block(s, &R, 0, mat_mul(s, X, Theta))));
}
static void planted(trial *t) { two_layers(t, true); }
static void any(trial *t)     { two_layers(t, false); }
static void all_skips(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = true;
    sh->norm = NORM_NONE;
    sh->act = ACT_SILU;
    sh->parallel = false;
}
FALSE_IDENTITY("F-TIE-LAYERS", "both W_Q become I", small, .run = planted, .prepare = all_skips, .assumes = "invertible W_Q",
               .models = "norm = none; attn_skip = 1; mlp_skip = 1; parallel = 0",
               .statement = "$\\tilde W_Q = I$ in two consecutive layers", BROKEN_BY("any", any, "$W_Q^2$ is drawn"))
