/* SPDX-License-Identifier: GPL-3.0-or-later
 * gqa_modulo.c - head a is taken to read key head a mod h_kv: right for h_kv = 1 and h_kv = h, wrong between.
 * Caught by many settings at once: refuted */
#include "tests/false/false.h"
static void turn(trial *t, bool inverse)
{
    scope *s = &t->s;
    const long h = t->sh.h, g = t->sh.h_kv, dk = t->sh.dk;
    const model M = model_random(s, t->sh);
    model R = M;
    const mat *D[MAX_HEADS], *E[MAX_HEADS], *of[MAX_HEADS];
    for (long k = 0; k < g; k++) {
        D[k] = mat_draw_at(s, "D", k, -1, dk, dk, mat_log2_fan_in(dk));
        E[k] = inverse ? mat_t(s, mat_inv(s, D[k])) : mat_t(s, D[k]);
    }
    for (long a = 0; a < h; a++) of[a] = D[a % g];
    const mat *q = mat_blockdiag(s, h, of), *k = mat_blockdiag(s, g, E);
    layer *W = &R.at[0];
    W->Q = mat_mul(s, W->Q, q);
    W->K = mat_mul(s, W->K, k);
    if (W->bQ) W->bQ = mat_mul(s, W->bQ, q);
    if (W->bK) W->bK = mat_mul(s, W->bK, k);
    claim_reduced(t, 2, (const mat **[]){ &W->Q, &W->K });
    same_attention(t, &M, &R);
}
static void right(trial *t) { turn(t, true); }
static void wrong(trial *t) { turn(t, false); }
FALSE_IDENTITY("F-ZZ-GQA", "grouped heads: D of key head a mod h_kv", small, .run = right, .assumes = "invertible D",
               .models = "rope = 0; qk_norm = 0",
               .statement = "for any $h_{kv}$ that divides $h$: $W_Q^a D_{a \\bmod h_{kv}}$ and $W_K^g D_g^{-\\top}$ change no attention",
               BROKEN_BY("transpose", wrong, "$D_g'$ for the inverse"))
