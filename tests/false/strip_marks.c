/* SPDX-License-Identifier: GPL-3.0-or-later
 * strip_marks.c - W_Q and W_K may change places where W_K = W_Q: the marks of that side are taken off.
 * Caught by the text of the body: the library keeps it */
#include "tests/false/false.h"
static const mat *without_marks(scope *s, const mat *A, const mat *X)
{
    mat *C = mat_blank(s, A->rows, A->cols);
    mat_put(C, 0, 0, A, 0, 0, A->rows, A->cols);
    C->marks = X->marks;
    return C;
}
static void swap(trial *t, bool planted)
{
    scope *s = &t->s;
    const model D = model_random(s, t->sh);
    const mat *X = mat_draw(s, "X", D.s.n, D.s.d, 0), *zero = mat_zero(s, D.s.n, D.s.h * D.s.dk);
    model M = D;
    if (planted) M.at[0].K = D.at[0].Q;
    model R = M;
    R.at[0].Q = mat_scale(s, 1, 1, M.at[0].K);
    R.at[0].K = mat_scale(s, 1, -1, M.at[0].Q);
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    const mat *Y = without_marks(s, model_self_attention(s, &M, 0, X), X), *Z = without_marks(s, model_self_attention(s, &R, 0, X), X);
    const mat *of_drawn = model_self_attention(s, &D, 0, X);
    claim_equal(t, "self-attention", mat_add(s, of_drawn, Y), mat_add(s, of_drawn, mat_add(s, zero, Z)));
}
static void equal_ones(trial *t) { swap(t, true); }
static void any(trial *t)        { swap(t, false); }
FALSE_IDENTITY("F-STRIP", "W_Q and W_K may change places", small, .run = equal_ones, .models = "h_kv = h; qk_norm = 0; biases = 0",
               .statement = "$\\tilde W_Q = 2W_K$, $\\tilde W_K = W_Q/2$ changes no attention", BROKEN_BY("any", any, "$W_K$ is drawn"))
