/* SPDX-License-Identifier: GPL-3.0-or-later
 * idle_values.c - W_V = 0 in one equation; another one, which is true of any layer, stands beside it under its name.
 * Caught by each equation's own sides: hypothesis that is not declared: constrained W_V = 0 */
#include "tests/false/false.h"
static void both(trial *t, bool zero)
{
    scope *s = &t->s;
    const model D = model_random(s, t->sh);
    model S = D, N = D, R = D;
    S.at[0].V = mat_scale(s, 2, 0, mat_scale(s, 1, -1, D.at[0].V));
    R.at[0].Q = drawn(t, "other", D.at[0].Q->rows, D.at[0].Q->cols);
    if (zero) N.at[0].V = R.at[0].V = mat_zero(s, D.at[0].V->rows, D.at[0].V->cols);
    claim_reduced(t, 1, (const mat **[]){ &S.at[0].V });
    const mat *X = mat_draw(s, "X", D.s.n, D.s.d, 0);
    claim_equal(t, "self-attention", model_self_attention(s, &D, 0, X), model_self_attention(s, &S, 0, X));
    claim_equal(t, "self-attention", model_self_attention(s, &N, 0, X), model_self_attention(s, &R, 0, X));
}
static void zero(trial *t) { both(t, true); }
static void not_zero(trial *t) { both(t, false); }
FALSE_IDENTITY("F-IDLE-VALUES", "W_Q is claimed not to matter", small,
               .run = zero, .models = "biases = 0", .statement = "any $W_Q$ will do",
               BROKEN_BY("not-zero", not_zero, "$W_V$ is drawn"))
