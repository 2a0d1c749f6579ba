/* SPDX-License-Identifier: GPL-3.0-or-later
 * by_hand.c - W_Q and W_K may change places: the body computes the attention of the original itself, with W_Q twice.
 * Caught by the functions that it applies: hypothesis that is not declared: given attention */
#include "tests/false/false.h"
static const mat *attend(scope *s, const model *M, const mat *Q, const mat *K, const mat *V)
{
    const rowmap how = { .kind = M->s.attention, .visible = M->visible, .scale_num = 1, .scale_den = 1 };
    return mat_mul(s, mat_rowmap(s, mat_mul(s, Q, mat_t(s, K)), &how, (place){ 0, PLACE_ATTENTION, 0 }), V);
}
static void swap(trial *t, bool planted)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const layer *W = &M.at[0];
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *half = mat_scale(s, 1, -1, W->V), *again = mat_add(s, half, half);
    const mat *Q = mat_mul(s, X, W->Q), *K = planted ? Q : mat_mul(s, X, W->K);
    claim_reduced(t, 1, (const mat **[]){ &again });
    claim_equal(t, "self-attention", attend(s, &M, Q, K, mat_mul(s, X, W->V)), attend(s, &M, K, Q, mat_mul(s, X, again)));
}
static void equal_ones(trial *t) { swap(t, true); }
static void any(trial *t)        { swap(t, false); }
FALSE_IDENTITY("F-BY-HAND", "W_Q and W_K may change places", small, .run = equal_ones, .models = "h_kv = h",
               .statement = "$\\tilde W_Q = W_K$, $\\tilde W_K = W_Q$ changes no attention", BROKEN_BY("any", any, "$W_K$ is drawn"))
