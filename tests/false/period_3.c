/* SPDX-License-Identifier: GPL-3.0-or-later
 * period_3.c - layers share their weights with period 3, and the body takes the basis of layer i from layer i
 * mod 2: right for two layers.
 * Caught by the run at L = 3: INCONSISTENT */
#include "tests/false/false.h"

static void shared(trial *t, bool first)
{
    scope *s = &t->s;
    model_pair r = reduce_queries(s, &t->sh, ATTENTION_SKIP);
    if (first) r.R.at[0].K = r.M.at[0].K;
    for (long i = 2; i < r.M.s.L; i++) r.R.at[i] = r.R.at[i % 2];
    claim_same_function(t, &r.M, &r.R);
    claim_step(t, &r.M, &r.R, 0, r.at[0], r.at[1]);
}
static void period(trial *t)      { shared(t, false); }
static void first_layer(trial *t) { shared(t, true); }
FALSE_IDENTITY("F-PERIOD-3", "layers share their weights with period 3", deeper,
               .prepare = attention_skip_only, .assumes = "invertible W_Q", .run = period,
               .statement = "layers $i$ and $i + 2$ share, so two bases are enough",
               BROKEN_BY("first-layer", first_layer, "$W_K$ of layer 1 stays in the old basis"))
