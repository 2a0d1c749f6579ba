/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_3.c - B-3, similarity without the factor 1/sqrt(d).
 *
 * Statement (Eq. 3).  s_ij = x_i W_Q W_K' x_j', without the usual factor c = 1/sqrt(d).
 *
 * Why nothing is lost.  c (X W_Q)(X W_K)' = X (c W_Q W_K') X': a scaled layer with W_QK is an unscaled one
 * with c W_QK, and the other way round.  So both forms express the same functions.
 *
 * They do not train alike: at equal initial weights the scores differ by the factor c, so the initial scale
 * and the learning rate of W_QK mean different things.  Scaling W_Q and W_K both gives c^2.             */
#include <math.h>
#include "src/claim/claim.h"
#include "src/model/stack.h"

/* 2^k, the power of two next to 1/sqrt(d); exact for d = 4, 16, 64 */
static long log2_scale(long d) { return lround(-log2((double)d) / 2); }

/* Is the layer with the factor 2^k the one without, its W_Q and W_K multiplied by 2^of_query, 2^of_key? */
static void absorbed(trial *t, long of_query, long of_key)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh), R = M;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *Z[2];
    const rowmap how = { .kind = M.s.attention, .visible = M.visible, .scale_num = 1, .scale_den = 1 };
    const mat *Q = mat_mul(s, X, M.at[0].Q), *K = mat_mul(s, X, M.at[0].K), *scores = mat_mul(s, Q, mat_t(s, K));
    const mat *scaled = mat_scale(s, 1, log2_scale(M.s.d), scores);
    R.at[0].Q = mat_scale(s, 1, of_query, M.at[0].Q);
    R.at[0].K = mat_scale(s, 1, of_key, M.at[0].K);
    claim_reduced(t, 2, (const mat **[]){ &R.at[0].Q, &R.at[0].K });
    claim_reduced(t, 2, (const mat **[]){ &scores, &scaled });
    R.s.scale_num = R.s.scale_den = 1;
    const place at = { 0, PLACE_ATTENTION, 0 };
    const mat *V = mat_mul(s, X, M.at[0].V), *A = mat_rowmap(s, scaled, &how, at);
    model unscaled = M;
    unscaled.s.scale_num = unscaled.s.scale_den = 1;
    const mat *S = model_attention_of(s, &unscaled, 0, mat_scale(s, 1, log2_scale(M.s.d), Q), K, V);
    Z[0] = mat_mul(s, S, M.at[0].O);
    Z[1] = model_attention(s, &R, 0, X);
    claim_equal(t, "2^k at the scores and at the queries", mat_mul3(s, A, V, M.at[0].O), Z[0]);
    claim_equal(t, "without 2^k it is the model's layer", mat_mul3(s, mat_rowmap(s, scores, &how, at), V, M.at[0].O),
                model_attention(s, &unscaled, 0, X));
    claim_equal(t, "the layer with 2^k and the one without", Z[0], Z[1]);
    if (!claim_over(t, OVER_REALS)) return;              /* the others' row maps do not know the model's scale */
    M.s.scale_den = M.s.d;
    claim_equal(t, "the model's own 1/sqrt(d)", model_attention(s, &M, 0, X), Z[1]);
}

static void by_query(trial *t) { absorbed(t, log2_scale(t->sh.d), 0); }
static void by_both(trial *t)  { absorbed(t, log2_scale(t->sh.d), log2_scale(t->sh.d)); }
static void dropped(trial *t)  { absorbed(t, 0, 0); }

static const control controls[] = {
    { "both-scaled", by_both, "$W_Q$ and $W_K$ both times $c$" },
    { "dropped",     dropped, "the factor left out, the weights kept" },
};
static const shape_case shapes[] = {
    { .sh = { .n = 4, .d = 4, .h = 1, .m = 8, .V = 7, .L = 1, .mask = MASK_CAUSAL } },
    { .sh = { .n = 5, .d = 16, .h = 1, .m = 8, .V = 7, .L = 1, .mask = MASK_FULL } },
    { .sh = { .n = 9, .d = 64, .h = 1, .m = 8, .V = 7, .L = 1, .mask = MASK_ARBITRARY } },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = by_query,
      .statement = "the layer with scores $c\\,x_iW_QW_K^\\top x_j^\\top$ is the layer without $c$ that has "
                   "$cW_Q$; $c$ a power of two, and $c = 1/\\sqrt d$ for $d = 4, 16, 64$",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Eq. (3)", "The vector argument of the Softmax() function measures the similarity between a "
      "present token $x_Q$ , \"the query\" and another token $x_K$ , \"the key\"." },
    { TEXT_002, "Section 5", "The expression Eq. (3) measures the similarity between queries and keys." },
};
static const claim B_3 = {
    .id = "B-3", .title = "similarity without 1/sqrt(d)", .where = "002 Eq. (3)",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one head; any row map of the scores; $c$ so that its products are exact",
    .construction = "$W_{QK} \\mapsto cW_{QK}$, $c = 1/\\sqrt d$",
    .why = "A factor of the scores is a factor of $W_QW_K^\\top$. It changes no function that a layer can "
           "express, but it changes what an initialization and a learning rate mean.",
    .assumes = "h = 1",
    .models = "scale = 1; given attention; biases = 0; rope = 0; qk_norm = 0",
    .prepare = stack_single_head, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(B_3)
