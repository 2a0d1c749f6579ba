/* SPDX-License-Identifier: GPL-3.0-or-later
 * deep.h - an elimination of all W_Q in which W_V of the layers from one on stays in the old basis: its logits,
 * compared by claim_equal, beside the induction that proves the true elimination. */
#ifndef FALSE_DEEP_H
#define FALSE_DEEP_H
#include "tests/false/false.h"

static inline void beside_induction(trial *t, long stale, const mat *(*logits)(scope *, const model *))
{
    scope *s = &t->s;
    model_pair r = reduce_queries(s, &t->sh, ATTENTION_SKIP);
    for (long i = stale; i < r.M.s.L; i++) r.R.at[i].V = r.M.at[i].V;
    claim_reduced(t, 1, (const mat **[]){ &r.R.P });
    claim_equal(t, "the same logits", logits(s, &r.M), logits(s, &r.R));
    claim_by_induction(t);
}
#define QUERIES_BY_INDUCTION .induction = &reduction_attention_skip, QUERIES_ELIMINATED
#endif
