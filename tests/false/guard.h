/* SPDX-License-Identifier: GPL-3.0-or-later
 * guard.h - twice W_V is twice the attention, without biases, claimed of all models: where a body knows a guard, it shows
 * a sum in two orders under the same name. */
#ifndef FALSE_GUARD_H
#define FALSE_GUARD_H
#include "tests/false/false.h"
static inline void twice_the_values(trial *t, int log2times, bool guard)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    model R = M;
    R.at[0].V = mat_scale(s, 1, log2times, M.at[0].V);
    claim_reduced(t, 1, (const mat **[]){ &R.at[0].V });
    const mat *S = model_self_attention(s, &M, 0, X), *T = model_self_attention(s, &R, 0, X);
    if (guard) claim_equal(t, "self-attention", mat_add(s, S, T), mat_add(s, T, S));
    else claim_equal(t, "self-attention", mat_add(s, S, S), T);
}
static void four_times(trial *t) { twice_the_values(t, 2, false); }
#define OF_ALL_MODELS .statement = "twice $W_V$ is twice the attention", \
               BROKEN_BY("four-times", four_times, "$4 W_V$ for $2 W_V$")
#endif
