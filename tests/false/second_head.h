/* SPDX-License-Identifier: GPL-3.0-or-later
 * second_head.h - W_V is right for the first head, doubled from the second on. */
#ifndef FALSE_SECOND_HEAD_H
#define FALSE_SECOND_HEAD_H
#include "tests/false/false.h"

static inline void compare(trial *t, const mat *(*change)(trial *, const mat *))
{
    const model M = model_random(&t->s, t->sh);
    model R = M;
    R.at[0].V = change(t, M.at[0].V);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    same_attention(t, &M, &R);
}
/* Two of the same, half each: another way to write V. */
static inline const mat *halves(trial *t, const mat *V)
{
    const mat *half = mat_scale(&t->s, 1, -1, V);
    return mat_add(&t->s, half, half);
}
static inline const mat *twice(trial *t, const mat *V) { return mat_add(&t->s, V, V); }
static inline void doubled(trial *t) { compare(t, twice); }

/* Right for the first head, doubled from the second on. */
static inline const mat *second_doubled(trial *t, const mat *V)
{
    scope *s = &t->s;
    const long dk = t->sh.dk;
    if (t->sh.h == 1) return halves(t, V);
    const mat *rest = mat_cols(s, V, dk, V->cols - dk);
    return mat_hcat(s, 2, (const mat *[]){ mat_cols(s, V, 0, dk), mat_add(s, rest, rest) });
}
static inline void second(trial *t) { compare(t, second_doubled); }
#define SECOND_HEAD SECOND_HEAD_OF(second)
#define SECOND_HEAD_OF(body) .run = body, .statement = "the same attention for any number of heads", \
                    BROKEN_BY("doubled", doubled, "$2 W_V$ for $W_V$")
#endif
