/* SPDX-License-Identifier: GPL-3.0-or-later
 * functions.c - the two parts of an MLP may exchange their weights and keep their activations: the body gives both the
 * activation of the first.
 * Caught by the activations of experts: hypothesis that is not declared: constrained phi */
#include "tests/false/false.h"
static void exchange(trial *t, bool planted)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    M.at[0].router = NULL;
    if (planted) for (int e = 1; e < MAX_EXPERTS; e++) M.at[0].expert[e].function = 0;
    model R = M;
    R.at[0].expert[0] = M.at[0].expert[1];
    R.at[0].expert[1] = M.at[0].expert[0];
    for (int e = 0; e < 2; e++) {
        const mat *half = mat_scale(s, 1, -1, R.at[0].expert[e].down);
        R.at[0].expert[e].down = mat_add(s, half, half);
        R.at[0].expert[e].function = M.at[0].expert[e].function;
    }
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].expert[0].down, &R.at[0].expert[1].down });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "MLP", model_mlp(s, &M, 0, X), model_mlp(s, &R, 0, X));
}
static void equal_ones(trial *t) { exchange(t, true); }
static void own_ones(trial *t)   { exchange(t, false); }
static const shape_case two[] = { { { .n = 3, .d = 4, .h = 2, .m = 5, .V = 5, .L = 2, .experts = 2, .act = ACT_OPAQUE }, 0 } };
FALSE_IDENTITY("F-FUNCTIONS", "two parts of an MLP exchange their weights", two, .run = equal_ones,
               .models = "experts = 2; biases = 0; gated = 0", .assumes = "constrained W_router = none", .without = "f64 mpfr arb q",
               .why_without = "the activations are any", .statement = "two parts of an MLP, each with an activation of its own, may exchange their weights",
               BROKEN_BY("own", own_ones, "each keeps its activation"))
