/* SPDX-License-Identifier: GPL-3.0-or-later
 * stale_layer.h - an elimination of all W_Q in which W_V of one layer stays in the old basis. */
#ifndef FALSE_STALE_LAYER_H
#define FALSE_STALE_LAYER_H
#include "tests/false/false.h"

static inline void stale_layer(trial *t, long stale)
{
    scope *s = &t->s;
    model_pair r = reduce_queries(s, &t->sh, ATTENTION_SKIP);
    if (stale < r.M.s.L) r.R.at[stale].V = r.M.at[stale].V;
    claim_same_function(t, &r.M, &r.R);
    claim_step(t, &r.M, &r.R, 0, r.at[0], r.at[1]);
}
static inline void first_layer(trial *t) { stale_layer(t, 0); }
#define FIRST_LAYER_STALE BROKEN_BY("first-layer", first_layer, "W_V of layer 1 stays in the old basis")
#endif
