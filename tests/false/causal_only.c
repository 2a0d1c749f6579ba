/* SPDX-License-Identifier: GPL-3.0-or-later
 * causal_only.c - the first token keeps its own value: true under a causal mask, claimed for every mask.
 * Stays below proved, for want of a derivation: no derivation for all sizes */
#include "tests/false/false.h"

static void stochastic(shape *sh) { sh->attention = ROWMAP_STOCHASTIC; }
static void token(trial *t, long which)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    const mat *S = model_self_attention(s, &M, 0, X), *V = mat_mul(s, X, M.at[0].V);
    claim_equal(t, "its own value", mat_rows(s, S, which, 1), mat_rows(s, V, which, 1));
}
static void first(trial *t)  { token(t, 0); }
static void second(trial *t) { token(t, 1); }
FALSE_IDENTITY("F-CAUSAL", "the first token keeps its own value", small,
               .prepare = stochastic, .run = first, .statement = "the first token keeps its value",
               .no_minimal = true, .without = "q arb f64 mpfr",
               .why_without = "a stochastic row map is a symbol",
               BROKEN_BY("second", second, "the second token"))
