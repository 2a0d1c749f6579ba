/* SPDX-License-Identifier: GPL-3.0-or-later
 * four_d.c - false wherever m = 4 d, as in GPT-2: W_down is doubled there.
 * Stays below proved, for the sizes that the runner adds: no derivation for all sizes */
#include "tests/false/false.h"
static void mlps(trial *t, bool always)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    mlp *F = &R.at[0].expert[0];
    const mat *half = mat_scale(s, 1, -1, F->down);
    F->down = mat_add(s, half, always || t->sh.m == 4 * t->sh.d ? F->down : half);
    claim_reduced(t, 1, (const mat **[]){ &F->down });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "MLP", model_mlp(s, &M, 0, X), model_mlp(s, &R, 0, X));
}
static void sometimes(trial *t) { mlps(t, false); }
static void always(trial *t)    { mlps(t, true); }
static const shape_case not_four[] = { { { .n = 3, .d = 4, .h = 2, .m = 5, .V = 5, .L = 2 }, 0 } };
FALSE_IDENTITY("F-4D", "half of W_down and half of it, or all where m = 4 d", not_four, .run = sometimes,
               .without = "q", .why_without = "GELU",
               .statement = "$W_{down}/2 + f(m, d)\\,W_{down}$ is $W_{down}$ for all $m$, $d$, where $f(4d, d) = 1$",
               BROKEN_BY("always", always, "$1.5 W_{down}$"))
