/* SPDX-License-Identifier: GPL-3.0-or-later
 * identity_activation.c - every MLP is one matrix: the part's switches make the activation the identity.
 * Caught by a switch: act = identity */
#include "tests/false/false.h"
static void linear(shape *sh) { sh->act = ACT_IDENTITY; sh->norm = NORM_NONE; }
static void one_matrix(trial *t, activation act)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.act = act;
    const model M = model_random(s, sh);
    const mlp *F = &M.at[0].expert[0];
    const mat *W = mat_mul(s, F->up, F->down), *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_reduced(t, 1, (const mat **[]){ &W });
    claim_equal(t, "MLP", model_mlp(s, &M, 0, X), mat_mul(s, X, W));
}
static void as_prepared(trial *t) { one_matrix(t, t->sh.act); }
static void with_relu(trial *t)   { one_matrix(t, ACT_RELU); }
FALSE_IDENTITY("F-LINEAR-MLP", "every MLP is one matrix", small, .run = as_prepared, .prepare = linear,
               .statement = "$\\phi(X W_{up}) W_{down} = X W$ with $W = W_{up} W_{down}$, for every activation $\\phi$",
               BROKEN_BY("relu", with_relu, "ReLU"))
