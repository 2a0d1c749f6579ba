/* SPDX-License-Identifier: GPL-3.0-or-later
 * experts_four.c - W_down of the fourth expert is doubled.
 * Caught by many settings at once: hypothesis that is not declared: experts = 2 */
#include "tests/false/false.h"
static void change(trial *t, long from)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    for (long e = 0; e < (t->sh.experts ? t->sh.experts : 1); e++)
        { const mat *W = R.at[0].expert[e].down, *half = mat_scale(s, 1, -1, W);
          R.at[0].expert[e].down = e >= from ? mat_add(s, W, W) : mat_add(s, half, half); }
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].expert[0].down });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "MLP", model_mlp(s, &M, 0, X), model_mlp(s, &R, 0, X));
}
static void fourth(trial *t) { change(t, 3); }
static void first(trial *t)  { change(t, 0); }
static const shape_case two[] = { { { .n = 3, .d = 4, .h = 2, .m = 5, .V = 5, .L = 2, .experts = 2 }, 0 } };
FALSE_IDENTITY("F-ZZ-EXPERTS", "W_down of the fourth expert is doubled", two, .run = fourth,
               .statement = "from the fourth expert on $2W_{down}$ is as good, for any number of experts",
               BROKEN_BY("first", first, "of each expert"))
