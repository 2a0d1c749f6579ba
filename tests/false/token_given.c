/* SPDX-License-Identifier: GPL-3.0-or-later
 * token_given.c - the same, and the model has all tokens: its input has one.
 * Caught by the tokens that it attends to: hypothesis that is not declared: another n */
#include "tests/false/false.h"
static void ends(trial *t, bool twice)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh), R = M;
    const mat *half = mat_scale(s, 1, -1, M.at[0].V);
    R.at[0].V = twice ? mat_add(s, M.at[0].V, M.at[0].V) : mat_add(s, half, half);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    const mat *X = mat_draw(s, "X", 1, M.s.d, 0), *Z = model_self_attention(s, &R, 0, X);
    claim_equal(t, "first and last", mat_rows(s, model_self_attention(s, &M, 0, X), 0, 1), mat_rows(s, Z, Z->rows - 1, 1));
}
static void one(trial *t)   { ends(t, false); }
static void other(trial *t) { ends(t, true); }
FALSE_IDENTITY("F-TOKEN-GIVEN", "the last token is seen as the first", small, .run = one, .models = "biases = 0",
               .statement = "the attention of the last of $n$ tokens is that of the first",
               BROKEN_BY("doubled", other, "$2W_V$"))
