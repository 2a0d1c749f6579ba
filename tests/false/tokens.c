/* SPDX-License-Identifier: GPL-3.0-or-later
 * tokens.c - the embedding of any text is that of its first token repeated: the body gives the model such tokens.
 * Caught by the ends that it evaluates: hypothesis that is not declared: constrained T */
#include "tests/false/false.h"
static void embedded(trial *t, bool planted)
{
    scope *s = &t->s;
    const long n = t->sh.n;
    model M = model_random(s, t->sh);
    const mat *first = mat_rows(s, M.tokens, 0, 1), *column = mat_ones(s, n, 1);
    M.tokens = mat_mul(s, column, first);
    const mat *E = mat_mul(s, first, M.E), *again = mat_mul(s, column, E);
    if (M.P) again = mat_add(s, again, M.P);
    if (!planted) again = mat_add(s, again, again);
    claim_reduced(t, 1, (const mat **[]){ &again });
    claim_equal(t, "embedding", model_embed(s, &M), again);
}
static void same(trial *t) { embedded(t, true); }
static void any(trial *t)  { embedded(t, false); }
FALSE_IDENTITY("F-ZZ-TOKENS", "every text is its first token repeated", small, .run = same,
               .statement = "$X_0 = \\mathbf 1 e + P$, where $e$ is the embedding of the first token",
               BROKEN_BY("any", any, "twice that"))
