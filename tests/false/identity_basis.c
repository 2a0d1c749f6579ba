/* SPDX-License-Identifier: GPL-3.0-or-later
 * identity_basis.c - D of the change of basis is the identity, so that anything may stand for its inverse: D^-1
 * without the transpose.
 * Caught by the rule that an identity has a control: names no control */
#include "tests/false/false.h"

static void identity(trial *t)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    const mat *D = mat_identity(s, t->sh.h * t->sh.dk);
    R.at[0].Q = mat_mul(s, M.at[0].Q, D);
    R.at[0].K = mat_mul(s, M.at[0].K, mat_inv(s, D));
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    same_attention(t, &M, &R);
}
FALSE_IDENTITY("F-D-IS-I", "D of the change of basis is the identity", small,
               .run = identity, .statement = "$W_Q D$, $W_K D^{-1}$ for block-diagonal $D$")
