/* SPDX-License-Identifier: GPL-3.0-or-later
 * alias_stem.c - W_V becomes I if W_Q is invertible: the values are drawn as "W_Q" without the number of a layer, alone in
 * their place, and hypotheses speak of both by one name.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/false.h"
static void to_identity(trial *t, bool right)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    model M = model_random(s, t->sh);
    const mat *B = drawn(t, "W_Q", d, M.at[0].V->cols);
    M.at[0].V = B;
    model R = M;
    if (B->cols == d) {
        const mat *from = right ? mat_inv(s, B) : mat_t(s, B);
        R.at[0].Q = mat_mul(s, from, M.at[0].Q);
        R.at[0].K = mat_mul(s, from, M.at[0].K);
        R.at[0].V = mat_identity(s, d);
    }
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    const mat *X = mat_draw(s, "X", t->sh.n, d, 0);
    claim_equal(t, "self-attention", model_self_attention(s, &M, 0, X),
                model_self_attention(s, &R, 0, B->cols == d ? mat_mul(s, X, B) : X));
}
static void good(trial *t) { to_identity(t, true); }
static void bad(trial *t)  { to_identity(t, false); }
FALSE_IDENTITY("F-ZZ-STEM", "W_V becomes I if W_Q is invertible", small, .run = good, .assumes = "invertible W_Q",
               .models = "h_kv = h",
               .statement = "$\\tilde W_V = I$ in the basis $W_V$, if $W_Q$ is invertible",
               BROKEN_BY("transpose", bad, "$W_V^\\top$ for its inverse"))
