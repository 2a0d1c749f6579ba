/* SPDX-License-Identifier: GPL-3.0-or-later
 * loud.c - a reduction is shown where logits reach 2^18: softmax saturates, and what a head does is hidden.
 * Caught by the size of the logits: logits reach */
#include "tests/false/false.h"

static void loud(trial *t, bool broken)
{
    model M = model_random(&t->s, t->sh);
    M.head = mat_scale(&t->s, 1, 18, M.head);
    model_pair r = reduce_model(&t->s, &M, ATTENTION_SKIP);
    if (broken) r.R.E = M.E;
    claim_same_function(t, &M, &r.R);
}
static void whole(trial *t)  { loud(t, false); }
static void others(trial *t) { loud(t, true); }
FALSE_IDENTITY("F-LOUD", "a reduction is shown where logits reach 2^18", small,
               .run = whole, QUERIES_ELIMINATED,
               BROKEN_BY("others", others, "the embedding stays in the old basis"))
