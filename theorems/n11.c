/* SPDX-License-Identifier: GPL-3.0-or-later
 * n11.c - N11, values computed from keys (slim attention).
 *
 * Statement.  V = K (W_K^-1 W_V) for K = X W_K, if W_K is in GL(d): a cache of keys is enough, in any layer of any
 * model.
 * With rotary positions K must be the un-rotated key.
 *
 * Construction.  W_KV = W_K^-1 W_V (d x d);  V = K W_KV, all heads together.  With biases K - 1 b_K takes the place
 * of K, and b_V is added.
 *
 * Why it works.  X W_K W_K^-1 W_V = X W_V.  W_KV mixes heads: V^a needs the keys of all heads.  Where heads share keys
 * and values W_K is not square and has no inverse; the rotation acts on K row by row with another matrix for every
 * token, so one W_KV cannot undo it. */
#include "src/claim/reduce.h"

static void all_skips(shape *sh) { reduce_switches(sh, ONE_LAYER); }
static void rotary(shape *sh)    { all_skips(sh); sh->rope = true; }
static void biases(shape *sh)    { all_skips(sh); sh->biases = true; }

static const mat *plus(scope *s, const mat *A, const mat *b, bool minus)               /* A +- 1 b */
{
    if (!b) return A;
    const mat *rows = mat_mul(s, mat_ones(s, A->rows, 1), b);
    return minus ? mat_sub(s, A, rows) : mat_add(s, A, rows);
}

static const mat *rotated(scope *s, const model *M, const mat *K)
{
    const mat *head[MAX_HEADS];
    for (long a = 0; a < M->s.h; a++) head[a] = mat_rotate(s, mat_cols(s, K, a * M->s.dk, M->s.dk));
    return mat_hcat(s, M->s.h, head);
}

typedef enum { NOTHING, ROTATED, OTHER_SIDE, HEAD_BY_HEAD, BIAS_KEPT } slip;

static void slim(trial *t, slip how)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const layer *W = &M.at[0];
    const long h = M.s.h, dk = M.s.dk;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *back = mat_inv(s, W->K);
    const mat *W_KV = how == OTHER_SIDE ? mat_mul(s, W->V, back) : mat_mul(s, back, W->V);
    if (how == HEAD_BY_HEAD) {
        const mat *own[MAX_HEADS];
        for (long a = 0; a < h; a++) own[a] = mat_rows(s, mat_cols(s, W_KV, a * dk, dk), a * dk, dk);
        W_KV = mat_blockdiag(s, h, own);
    }
    claim_reduced(t, 1, (const mat **const[]){ &W_KV });
    const mat *Q = plus(s, mat_mul(s, X, W->Q), W->bQ, false), *K = plus(s, mat_mul(s, X, W->K), W->bK, false);
    const mat *cached = how == ROTATED ? rotated(s, &M, K) : how == BIAS_KEPT ? K : plus(s, K, W->bK, true);
    const mat *V = plus(s, mat_mul(s, cached, W_KV), W->bV, false);
    claim_equal(t, "self-attention", model_self_attention(s, &M, 0, X), model_attention_of(s, &M, 0, Q, K, V));
}
static void from_keys(trial *t)    { slim(t, NOTHING); }
static void from_rotated(trial *t) { slim(t, ROTATED); }
static void other_side(trial *t)   { slim(t, OTHER_SIDE); }
static void bias_kept(trial *t)    { slim(t, BIAS_KEPT); }
static void head_by_head(trial *t) { slim(t, HEAD_BY_HEAD); }

static const control slips[] = {
    { "other-side",   other_side,   "$W_VW_K^{-1}$ instead of $W_K^{-1}W_V$" },
    { "head-by-head", head_by_head, "$V^a$ from $K^a$ alone" },
};
static const control turned[] = { { "rotated-keys", from_rotated, "the cache holds rotated keys" } };
static const control biased[] = { { "bK-kept", bias_kept, "the bias of the keys is not taken off" } };
static const part parts[] = {
    REDUCED_PART("as-stated", from_keys, all_skips, CONTROLS(slips),
                 .statement = "$V = K(W_K^{-1}W_V)$"),
    REDUCED_PART("as-stated-rope", from_keys, rotary, CONTROLS(turned),
                 .statement = "with rotary positions, from un-rotated keys"),
    REDUCED_PART("as-stated-bias", from_keys, biases, CONTROLS(biased),
                 .statement = "with biases: $V = (K - 1b_K)(W_K^{-1}W_V) + 1b_V$"),
};
static const claim N11 = {
    .id = "N11", .title = "values computed from keys", .where = "Graef and Wasielewski, slim attention",
    .hypotheses = "$W_K \\in \\mathrm{GL}(d)$; multi-head attention (no grouped heads)",
    .assumes = "invertible W_K",
    .construction = "$W_{KV} = W_K^{-1}W_V$, $V = KW_{KV}$",
    .why = "$XW_KW_K^{-1}W_V = XW_V$.  $W_{KV}$ mixes the heads, and it cannot undo a rotation that differs from "
           "token to token.  The result is Graef and Wasielewski's (slim attention, arXiv:2503.05840); biases are "
           "added here.",
    .models = "h_kv = h",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-L3.1",
};
THEOREM_PROGRAM(N11)
