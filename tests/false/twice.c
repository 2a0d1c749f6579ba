/* SPDX-License-Identifier: GPL-3.0-or-later
 * twice.c - with all skips W_Q becomes I in both of two consecutive layers: the body evaluates one layer twice.
 * Caught by the places of layers: hypothesis that is not declared: given layers in one place */
#include "tests/false/false.h"
static void two_layers(trial *t, bool keep)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const basis Theta = gauge_basis(s, M.at[0].Q);
    model R = M;
    R.at[0] = gauge_layer(s, &M.s, &M.at[0], Theta, Theta);
    R.at[0].Q = mat_identity(s, M.s.d);
    if (keep) R.at[0].V = M.at[0].V;
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].K, &R.at[0].O });
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0);
    claim_equal(t, "two blocks", mat_mul(s, model_block(s, &M, 0, model_block(s, &M, 0, X)), Theta.to),
                model_block(s, &R, 0, model_block(s, &R, 0, mat_mul(s, X, Theta.to))));
}
static void one(trial *t)  { two_layers(t, false); }
static void kept(trial *t) { two_layers(t, true); }
static void all_skips(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = true;
    sh->norm = NORM_NONE;
    sh->act = ACT_SILU;
    sh->parallel = false;
}
FALSE_IDENTITY("F-TWICE", "both W_Q become I", small, .run = one, .prepare = all_skips, .assumes = "invertible W_Q",
               .models = "norm = none; attn_skip = 1; mlp_skip = 1; parallel = 0",
               .statement = "$\\tilde W_Q^1 = \\tilde W_Q^2 = I$ in two consecutive layers with all skips",
               BROKEN_BY("kept", kept, "$W_V$ stays"))
