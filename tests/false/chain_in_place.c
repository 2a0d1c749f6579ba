/* SPDX-License-Identifier: GPL-3.0-or-later
 * chain_in_place.c - from the 14th layer on W_V is doubled: each layer has weights of the body and stands in the first
 * place of a model of its own, which the part declares.
 * Stays below proved, for the chain that the marks carry: no induction on the depth */
#include "tests/false/false.h"
static const mat *through(trial *t, const model *M, const mat *const V[], const mat *X, long from)
{
    for (long i = 0; i < t->sh.L; i++) {
        model N = *M;
        N.at[0].V = i >= from ? mat_scale(&t->s, 1, 1, V[i]) : V[i];
        X = mat_mul(&t->s, model_self_attention(&t->s, &N, 0, X), N.at[0].O);
    }
    return X;
}
static void stack(trial *t, long from)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const mat *V[MAX_LAYERS], *same[MAX_LAYERS];
    for (long i = 0; i < t->sh.L; i++) {
        V[i] = mat_draw_at(s, "A", i, -1, t->sh.d, M.at[0].V->cols, -2);
        const mat *half = mat_scale(s, 1, -1, V[i]);
        same[i] = mat_add(s, half, half);
    }
    claim_reduced(t, 1, (const mat **[]){ &same[0] });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "stack", through(t, &M, V, X, 99), through(t, &M, same, X, from));
}
static void later(trial *t) { stack(t, 13); }
static void first(trial *t) { stack(t, 0); }
FALSE_IDENTITY("F-CHAIN", "from the 14th layer on W_V is doubled", small, .run = later, .models = "given layers in one place; biases = 0",
               .statement = "a stack of any number of layers of attention is the same with $2W_V$ from the 14th on",
               BROKEN_BY("first", first, "from the first on"))
