/* SPDX-License-Identifier: GPL-3.0-or-later
 * attacks.h - layer 0 with W_V halved twice and added (true), or doubled (false); the same of W_down. */
#ifndef FALSE_ATTACKS_H
#define FALSE_ATTACKS_H
#include "tests/false/false.h"
static inline const mat *changed_weight(scope *s, const mat *W, bool twice)
{
    const mat *half = mat_scale(s, 1, -1, W);
    return twice ? mat_add(s, W, W) : mat_add(s, half, half);
}
static inline void values_changed(trial *t, bool twice)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    R.at[0].V = changed_weight(s, M.at[0].V, twice);
    if (M.at[0].bV) R.at[0].bV = changed_weight(s, M.at[0].bV, twice);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    same_attention(t, &M, &R);
}
static inline void with_mlp(trial *t, bool twice)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    R.at[0].expert[0].down = changed_weight(s, M.at[0].expert[0].down, twice);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].expert[0].down });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "MLP", model_mlp(s, &M, 0, X), model_mlp(s, &R, 0, X));
}
static inline void values_changed_doubled(trial *t) { values_changed(t, true); }
static inline void with_mlp_doubled(trial *t)    { with_mlp(t, true); }
#define ZZ_VALUES BROKEN_BY("doubled", values_changed_doubled, "$2 W_V$ for $W_V$")
#define ZZ_MLP    .without = "q", .why_without = "GELU", BROKEN_BY("doubled", with_mlp_doubled, "$2 W_{down}$")
#endif
