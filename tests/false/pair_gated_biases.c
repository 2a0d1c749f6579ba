/* SPDX-License-Identifier: GPL-3.0-or-later
 * pair_gated_biases.c - the W_up of a gated MLP is doubled, and its bias is forgotten: false where gated and biased,
 * true of each alone.
 * Caught by many settings at once: hypothesis that is not declared: gated = 0 or biases = 0 */
#include "tests/false/false.h"
static void scaled(trial *t, bool forget)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    mlp *F = &R.at[0].expert[0];
    if (F->gate || forget) {
        F->up = mat_scale(s, 1, 1, F->up);
        F->down = mat_scale(s, 1, -1, F->down);
    } else {
        const mat *half = mat_scale(s, 1, -1, F->down);
        F->down = mat_add(s, half, half);
    }
    claim_reduced(t, 1, (const mat **[]){ &F->down });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "MLP", model_mlp(s, &M, 0, X), model_mlp(s, &R, 0, X));
}
static void good(trial *t) { scaled(t, false); }
static void bad(trial *t)  { scaled(t, true); }
static const shape_case one_mlp[] = { { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 2, .act = ACT_GELU }, 0 } };
FALSE_IDENTITY("F-ZZ-PAIR", "a gated MLP may double W_up and halve W_down", one_mlp, .run = good, .without = "q",
               .why_without = "ReLU", .models = "experts = 0",
               .statement = "$2W_{up}$ and $W_{down}/2$ give the same gated MLP, with biases $b_{up}$ that stay, too",
               BROKEN_BY("plain", bad, "without a gate"))
