/* SPDX-License-Identifier: GPL-3.0-or-later
 * theta_is_query.c - any basis Theta makes W_Q the identity: Theta is drawn under the name of W_Q of layer 1.
 * Stays below proved, for its names: no derivation for all sizes */
#include "tests/false/false.h"
static void in_basis(trial *t, const char *name, long number)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const model M = model_random(s, t->sh);
    model R = M;
    const mat *Theta = mat_draw_at(s, name, number, -1, d, d, mat_log2_fan_in(d)), *from = mat_inv(s, Theta);
    const mat *X = mat_draw(s, "X", t->sh.n, d, 0);
    R.at[0].Q = mat_identity(s, d);
    R.at[0].K = mat_mul(s, from, M.at[0].K);
    R.at[0].V = mat_mul(s, from, M.at[0].V);
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].K, &R.at[0].V });
    claim_equal(t, "self-attention", model_self_attention(s, &M, 0, X),
                model_self_attention(s, &R, 0, mat_mul(s, X, Theta)));
}
static void any_basis(trial *t) { in_basis(t, "W_Q", 0); }
static void another(trial *t)   { in_basis(t, "Theta", 7); }
FALSE_IDENTITY("F-THETA", "W_Q becomes I in every basis", small, .run = any_basis, .prepare = attention_skip_only,
               .assumes = "invertible W_Q", .statement = "$\\tilde W_Q = I$ in every basis $\\Theta \\in GL(d)$",
               BROKEN_BY("another", another, "another basis"))
