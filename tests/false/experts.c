/* SPDX-License-Identifier: GPL-3.0-or-later
 * experts.c - W_down of the third expert is doubled: claimed of any number of experts, and the shape has two.
 * Caught by a switch: experts = 2 */
#include "tests/false/false.h"
static void change(trial *t, long from)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    for (long e = 0; e < t->sh.experts; e++) {
        const mat *W = R.at[0].expert[e].down, *half = mat_scale(s, 1, -1, W);
        R.at[0].expert[e].down = e >= from ? mat_add(s, W, W) : mat_add(s, half, half);
    }
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].expert[0].down });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "MLP", model_mlp(s, &M, 0, X), model_mlp(s, &R, 0, X));
}
static void third(trial *t) { change(t, 2); }
static void first(trial *t) { change(t, 0); }
static const shape_case two[] = { { { .n = 3, .d = 4, .h = 2, .m = 5, .V = 5, .L = 2, .experts = 2 }, 0 } };
FALSE_IDENTITY("F-EXPERTS", "W_down of the third expert is doubled", two, .run = third,
               .statement = "from the third expert on $2W_{down}$ is as good, for any number of experts",
               BROKEN_BY("first", first, "of each expert"))
