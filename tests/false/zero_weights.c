/* SPDX-License-Identifier: GPL-3.0-or-later
 * zero_weights.c - W_Q is claimed not to matter, and the body takes W_V = 0, where nothing matters.
 * Caught by a layer that it evaluates: constrained W_V = 0 */
#include "tests/false/false.h"

static void zero(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    model R = M;
    R.at[0].Q = drawn(t, "other", M.at[0].Q->rows, M.at[0].Q->cols);
    model N = M;
    N.at[0].V = R.at[0].V = mat_zero(&t->s, M.at[0].V->rows, M.at[0].V->cols);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].Q });
    same_attention(t, &N, &R);
}
static void not_zero(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    model R = M;
    R.at[0].Q = drawn(t, "other", M.at[0].Q->rows, M.at[0].Q->cols);
    same_attention(t, &M, &R);
}
FALSE_IDENTITY("F-ZERO", "W_Q is claimed not to matter", small,
               .run = zero, .models = "biases = 0", .statement = "any $W_Q$ will do",
               BROKEN_BY("not-zero", not_zero, "$W_V$ is drawn"))
