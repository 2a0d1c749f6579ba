/* SPDX-License-Identifier: GPL-3.0-or-later
 * rope_width.c - an orthogonal D for queries and keys changes no attention, RoPE or not: where d_k = 2 rotations commute.
 * Caught by heads of four columns: hypothesis that is not declared: rope = 0 */
#include "tests/false/false.h"
static void turned(trial *t, bool right)
{
    scope *s = &t->s;
    const long h = t->sh.h, dk = t->sh.dk;
    const model M = model_random(s, t->sh);
    model R = M;
    layer *W = &R.at[0];
    const mat *D = mat_draw_orthogonal(s, "D", dk), *E = right ? D : mat_t(s, D), *q[MAX_HEADS], *k[MAX_HEADS];
    for (long a = 0; a < h; a++) q[a] = D;
    for (long g = 0; g < t->sh.h_kv; g++) k[g] = E;
    const mat *Q = mat_blockdiag(s, h, q), *K = mat_blockdiag(s, t->sh.h_kv, k);
    W->Q = mat_mul(s, W->Q, Q);
    W->K = mat_mul(s, W->K, K);
    if (W->bQ) W->bQ = mat_mul(s, W->bQ, Q);
    if (W->bK) W->bK = mat_mul(s, W->bK, K);
    claim_reduced(t, 2, (const mat **[]){ &W->Q, &W->K });
    same_attention(t, &M, &R);
}
static void good(trial *t) { turned(t, true); }
static void bad(trial *t)  { turned(t, false); }
static const shape_case wide[] = { { { .n = 3, .d = 6, .h = 2, .m = 4, .V = 5, .L = 2 }, 0 } };
FALSE_IDENTITY("F-ZZ-ROPE", "an orthogonal D of queries and keys, RoPE or not", wide, .run = good, .assumes = "orthogonal D",
               .models = "qk_norm = 0",
               .statement = "$W_Q^a D$ and $W_K^g D$ for an orthogonal $D$ change no attention, with rotary positions, too",
               BROKEN_BY("transpose", bad, "$D^\\top$ for $W_K$"))
