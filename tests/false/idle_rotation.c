/* SPDX-License-Identifier: GPL-3.0-or-later
 * idle_rotation.c - with RoPE, W_Q T and W_K T'^-1: the body compares a model whose settings say no RoPE, beside the drawn one.
 * Caught by what enters neither side: hypothesis that is not declared: rope = 0 */
#include "tests/false/false.h"
static const shape_case flat[] = { { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 2 }, 0 } };
static void with_rope(shape *sh) { sh->rope = true; }
static void rot(trial *t, bool right, bool decoy)
{
    scope *s = &t->s;
    const model D = model_random(s, t->sh);
    model M = D;
    M.s.rope = false;
    model R = M;
    const mat *T1 = mat_draw(s, "T", D.s.dk, D.s.dk, 0), *T1i = mat_t(s, mat_inv(s, T1)), *a[64], *b[64];
    for (long i = 0; i < D.s.h; i++) { a[i] = T1; b[i] = right ? T1i : T1; }
    const mat *T = mat_blockdiag(s, D.s.h, a), *Ti = mat_blockdiag(s, D.s.h_kv, b);
    R.at[0].Q = mat_mul(s, M.at[0].Q, T);
    R.at[0].K = mat_mul(s, M.at[0].K, Ti);
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    const mat *X = mat_draw(s, "X", D.s.n, D.s.d, 0);
    if (decoy) model_self_attention(s, &D, 0, X);
    claim_equal(t, "self-attention", model_self_attention(s, &M, 0, X), model_self_attention(s, &R, 0, X));
}
static void good(trial *t) { rot(t, true, true); }
static void bad(trial *t)  { rot(t, false, true); }
FALSE_IDENTITY("F-IDLE-ROTATION", "any basis of a head with RoPE", flat, .run = good, .no_large = true, .prepare = with_rope, .assumes = "invertible T",
               .models = "biases = 0; h_kv = h; qk_norm = 0",
               .statement = "with RoPE $W_QT$, $W_KT^{-\\top}$ is the same attention", BROKEN_BY("T", bad, "$T$ for its inverse"))
