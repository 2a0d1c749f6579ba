/* SPDX-License-Identifier: GPL-3.0-or-later
 * orthogonal_weight.c - an orthogonal change of basis U makes W_Q the identity: the original's W_Q is drawn as U, alone in its
 * place.
 * Caught by how it was drawn: hypothesis that is not declared: constrained W_Q */
#include "tests/false/false.h"
static void to_identity(trial *t, bool right)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    model M = model_random(s, t->sh);
    if (M.at[0].Q->cols != d) scope_not_here(s, REASON_TOO_LARGE, "h d_k = d");
    const mat *U = mat_draw_orthogonal(s, "U", d), *from = right ? mat_t(s, U) : U;
    M.at[0].Q = U;
    model R = M;
    R.at[0].Q = mat_identity(s, d);
    R.at[0].K = mat_mul(s, from, M.at[0].K);
    R.at[0].V = mat_mul(s, from, M.at[0].V);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    const mat *X = mat_draw(s, "X", t->sh.n, d, 0);
    claim_equal(t, "self-attention", model_self_attention(s, &M, 0, X), model_self_attention(s, &R, 0, mat_mul(s, X, U)));
}
static void good(trial *t) { to_identity(t, true); }
static void bad(trial *t)  { to_identity(t, false); }
FALSE_IDENTITY("F-ZZ-ORTH", "an orthogonal basis makes W_Q = I", small, .run = good, .assumes = "orthogonal U",
               .statement = "in some orthogonal basis $U$ of the stream $\\tilde W_Q = I$, with the same attention",
               BROKEN_BY("transpose", bad, "$U$ for $U^\\top$"))
