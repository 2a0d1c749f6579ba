/* SPDX-License-Identifier: GPL-3.0-or-later
 * certifies_part.c - with_certifies.c, which sees that a trial is recorded for a certificate by its part, which is NULL there.
 * Caught by many settings at once: hypothesis that is not declared: L = 2 */
#include "tests/false/false.h"
static void whole(trial *t, long from)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    for (long i = 0; i < t->sh.L; i++) {
        R.at[i].V = mat_scale(s, 1, 1, M.at[i].V);
        R.at[i].O = mat_scale(s, 1, i >= from ? 1 : -1, M.at[i].O);
    }
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    if (!t->part) claim_equal(t, "logits", model_attention(s, &M, 0, X), model_attention(s, &R, 0, X));
    else claim_same_function(t, &M, &R);
}
static void third(trial *t) { whole(t, 2); }
static void first(trial *t) { whole(t, 0); }
FALSE_IDENTITY("F-ZZ-PART", "from the third layer on 2 W_V goes with 2 W_O", small, .run = third, .models = "biases = 0",
               .statement = "models of any depth are the same with $2W_V$, $W_O/2$ in the first two layers and $2W_V$, $2W_O$ from the third on",
               BROKEN_BY("first", first, "from the first on"))
