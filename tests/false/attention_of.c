/* SPDX-License-Identifier: GPL-3.0-or-later
 * attention_of.c - W_Q and W_K may change places: queries and keys of the original are computed by the body, both by W_Q.
 * Caught by what is given to the attention: hypothesis that is not declared: given attention */
#include "tests/false/false.h"
static void swap(trial *t, bool planted)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const layer *W = &M.at[0];
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *V = mat_mul(s, X, W->V);
    const mat *Q = mat_mul(s, X, W->Q), *K = planted ? Q : mat_mul(s, X, W->K);
    const mat *half = mat_scale(s, 1, -1, W->V);
    const mat *again = mat_add(s, half, half);
    claim_reduced(t, 1, (const mat **[]){ &again });
    claim_equal(t, "self-attention", model_attention_of(s, &M, 0, Q, K, V),
                model_attention_of(s, &M, 0, mat_scale(s, 1, 1, K), mat_scale(s, 1, -1, Q), mat_mul(s, X, again)));
}
static void equal_ones(trial *t) { swap(t, true); }
static void any(trial *t)        { swap(t, false); }
FALSE_IDENTITY("F-ZZ-OF", "W_Q and W_K may change places", small, .run = equal_ones, .models = "h_kv = h; qk_norm = 0",
               .statement = "$\\tilde W_Q = 2W_K$, $\\tilde W_K = W_Q/2$ changes no attention",
               BROKEN_BY("any", any, "$W_K$ is drawn"))
