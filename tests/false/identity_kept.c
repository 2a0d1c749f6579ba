/* SPDX-License-Identifier: GPL-3.0-or-later
 * identity_kept.c - the eliminated W_Q is not the identity, but twice it, and W_K is halved: the same function,
 * not the statement.
 * Caught by the check of what was eliminated: FAILED */
#include "tests/false/false.h"

static void twice(trial *t, bool right)
{
    scope *s = &t->s;
    model_pair r = reduce_queries(s, &t->sh, ATTENTION_SKIP);
    for (long i = 0; i < r.M.s.L; i++) {
        r.R.at[i].Q = mat_scale(s, 2, 0, r.R.at[i].Q);
        if (right) r.R.at[i].K = mat_scale(s, 1, -1, r.R.at[i].K);
        claim_eliminated(t, "W_Q = I", r.R.at[i].Q);
    }
    claim_same_function(t, &r.M, &r.R);
}
static void halved(trial *t)     { twice(t, true); }
static void not_halved(trial *t) { twice(t, false); }
FALSE_IDENTITY("F-KEPT", "the eliminated W_Q is not the identity", small,
               .run = halved, QUERIES_ELIMINATED, BROKEN_BY("not-halved", not_halved, "$W_K$ stays"))
