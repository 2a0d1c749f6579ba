/* SPDX-License-Identifier: GPL-3.0-or-later
 * equal_experts.c - experts may change places without the router: the body draws one MLP for both, and each is alone in
 * its expert.
 * Caught by its place: hypothesis that is not declared: constrained W_up */
#include "tests/false/false.h"
static void swap(trial *t, bool planted)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    mlp *F = M.at[0].expert;
    if (planted && t->sh.experts > 1) {
        const mat *up = drawn(t, "A", t->sh.d, t->sh.m), *down = drawn(t, "B", t->sh.m, t->sh.d);
        F[0] = F[1] = (mlp){ .up = up, .down = down };
    }
    model R = M;
    if (t->sh.experts > 1) { R.at[0].expert[0] = M.at[0].expert[1]; R.at[0].expert[1] = M.at[0].expert[0]; }
    for (int e = 0; e < 2; e++) {
        const mat *W = R.at[0].expert[e].down;
        if (!W) continue;
        const mat *half = mat_scale(s, 1, -1, W);
        R.at[0].expert[e].down = mat_add(s, half, half);
    }
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].expert[0].down });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "MLP", model_mlp(s, &M, 0, X), model_mlp(s, &R, 0, X));
}
static void one(trial *t)    { swap(t, true); }
static void others(trial *t) { swap(t, false); }
static const shape_case two[] = { { { .n = 3, .d = 4, .h = 2, .m = 5, .V = 5, .L = 2, .experts = 2 }, 0 } };
FALSE_IDENTITY("F-ZZ-SWAP", "experts may change places without the router", two, .run = one, .models = "biases = 0; gated = 0",
               .statement = "two experts may change places while the router stays",
               BROKEN_BY("others", others, "they differ"))
