/* SPDX-License-Identifier: GPL-3.0-or-later
 * zero_uncontrolled.c - the same, with no control at all.
 * Caught by the rule that an identity has a control: names no control */
#include "tests/false/false.h"

static void zero(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    model R = M, N = M;
    R.at[0].Q = drawn(t, "other", M.at[0].Q->rows, M.at[0].Q->cols);
    N.at[0].V = R.at[0].V = mat_zero(&t->s, M.at[0].V->rows, M.at[0].V->cols);
    same_attention(t, &N, &R);
}
FALSE_IDENTITY("F-ZERO-2", "W_Q is claimed not to matter, without a control", small,
               .run = zero, .statement = "any $W_Q$ will do", .no_minimal = true)
