/* SPDX-License-Identifier: GPL-3.0-or-later
 * stack_weights.c - the same by stack_weights.
 * Caught by what it evaluates: hypothesis that is not declared: constrained W_K = W_Q */
#include "tests/false/false.h"
#include "src/model/stack.h"
static void swap(trial *t, bool planted)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    if (planted) { M.at[0].K = M.at[0].Q; M.at[0].bK = M.at[0].bQ; }
    model R = M;
    R.at[0].Q = mat_scale(s, 1, 1, M.at[0].K);
    R.at[0].K = mat_scale(s, 1, -1, M.at[0].Q);
    if (M.at[0].bQ) { R.at[0].bQ = mat_scale(s, 1, 1, M.at[0].bK); R.at[0].bK = mat_scale(s, 1, -1, M.at[0].bQ); }
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *half = mat_scale(s, 1, -1, X), *XX = mat_add(s, half, half);
    claim_reduced(t, 1, (const mat **[]){ &XX });
    const mat *there[MAX_HEADS], *here[MAX_HEADS];
    for (long a = 0; a < M.s.h; a++) {
        there[a] = mat_mul(s, stack_weights(s, &M, 0, a, X), X);
        here[a] = mat_mul(s, stack_weights(s, &R, 0, a, X), XX);
    }
    claim_equal(t, "weights", mat_hcat(s, M.s.h, there), mat_hcat(s, M.s.h, here));
}
static void equal_ones(trial *t) { swap(t, true); }
static void any(trial *t)        { swap(t, false); }
FALSE_IDENTITY("F-ZZ-STACK", "W_Q and W_K may change places in each head", small, .run = equal_ones, .models = "h_kv = h",
               .statement = "$\\tilde W_Q = 2W_K$, $\\tilde W_K = W_Q/2$ changes no weights of attention",
               BROKEN_BY("any", any, "$W_K$ is drawn"))
