/* SPDX-License-Identifier: GPL-3.0-or-later
 * tied_head.c - every head may be tied: the body sets W_LM = E' and compares heads alone.
 * Caught by the ends that it evaluates: hypothesis that is not declared: constrained W_LM */
#include "tests/false/false.h"
static void tie(trial *t, bool planted)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    if (planted) M.head = mat_t(s, M.E);
    model R = M;
    R.head = NULL;
    const mat *half = mat_scale(s, 1, -1, M.E);
    R.E = mat_add(s, half, half);
    claim_reduced(t, 1, (const mat **[]){ &R.E });
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    claim_equal(t, "logits", model_head(s, &M, X), model_head(s, &R, X));
}
static void equal(trial *t) { tie(t, true); }
static void any(trial *t)   { tie(t, false); }
FALSE_IDENTITY("F-ZZ-TIED", "every head may be tied", small, .run = equal,
               .statement = "the logits $X W_{LM}$ are $X E^\\top$: every head may be tied",
               BROKEN_BY("any", any, "$W_{LM}$ is drawn"))
