/* SPDX-License-Identifier: GPL-3.0-or-later
 * one_by_one.c - from the ninth layer on W_V is doubled: each layer is evaluated as layer 0 of a model of its own, at
 * its own place.
 * Caught by a deeper model: hypothesis that is not declared: L = 2 */
#include "tests/false/false.h"
static const mat *through(trial *t, const model *M, const mat *X)
{
    for (long i = 0; i < t->sh.L; i++) {
        model N = *M;
        N.at[0] = M->at[i];
        N.first = i;
        X = model_attention(&t->s, &N, 0, X);
    }
    return X;
}
static void stack(trial *t, long from)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    for (long i = 0; i < t->sh.L; i++) {
        const mat *half = mat_scale(s, 1, -1, M.at[i].V);
        R.at[i].V = i >= from ? mat_scale(s, 1, 1, M.at[i].V) : mat_add(s, half, half);
    }
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "stack", through(t, &M, X), through(t, &R, X));
}
static void ninth(trial *t) { stack(t, 8); }
static void first(trial *t) { stack(t, 0); }
FALSE_IDENTITY("F-ZZ-DEEP", "from the ninth layer on W_V is doubled", small, .run = ninth,
               .statement = "a stack of any number of layers of attention is the same with $2W_V$ from the ninth on",
               BROKEN_BY("first", first, "from the first on"))
