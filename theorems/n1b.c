/* SPDX-License-Identifier: GPL-3.0-or-later
 * n1b.c - N1', identity blocks that any model has for free.
 *
 * Statement.  In every model (any norm, all skips, tied head, biases) and in every layer at once, a dk x dk block of
 * each W_Q^a and of each W_V^a can be made I without changing the function: h dk^2 = d dk weights of the pair
 * (W_Q, W_K), the same for (W_V, W_O), 2 d dk in a layer; no more can be gained from a pair alone, for W_Q^a W_K^a'
 * has rank dk and such matrices have 2 d dk - dk^2 dimensions.
 *
 * Construction.  S_a any dk rows for which W_Q^a[S_a,:] is invertible, D_a = (W_Q^a[S_a,:])^-1, and Proposition 3.2;
 * likewise D_a = (W_V^a[S_a,:])^-1 and N1.  Here S_a is the a-th block of rows, so that the diagonal of W_Q
 * consists of identity blocks.
 *
 * Why it works.  (W_Q^a D_a)[S_a,:] = W_Q^a[S_a,:] D_a = I.  The stream keeps its basis, so norms, skips and
 * head are not concerned.  With RoPE or QK-norm Proposition 3.2 is not there, but the pair (W_V, W_O) is.
 *
 * GPT-2 small (L = 12, h = 12, d = 768): 2 . 768 . 64 = 98,304 in a layer, 1,179,648 in all, 1.39 % of its
 * 84,953,856 weights outside the embeddings.                                                               */
#include "src/claim/reduce.h"

static void all_skips(shape *sh) { reduce_switches(sh, ONE_LAYER); }

static void gpt2(shape *sh)
{
    all_skips(sh);
    sh->norm = NORM_LAYER;
    sh->tied = sh->biases = true;
}

static void llama(shape *sh)
{
    all_skips(sh);
    sh->norm = NORM_RMS;
    sh->rope = sh->qk_norm = sh->gated = true;
}

/* W with drawn blocks in place of the rows S_a of its heads, so that every arithmetic knows their inverses */
static const mat *planted(const layer_site *at, const mat *W, const char *what)
{
    scope *s = at->s;
    const long dk = at->sh.dk, h = at->sh.h;
    const mat *head[MAX_HEADS];
    for (long a = 0; a < h; a++) {
        const mat *own = mat_cols(s, W, a * dk, dk), *piece[3];
        const long below = W->rows - (a + 1) * dk;
        long n = 0;
        if (a) piece[n++] = mat_rows(s, own, 0, a * dk);
        piece[n++] = induction_layer_draw(at, what, a, dk, dk);
        if (below) piece[n++] = mat_rows(s, own, (a + 1) * dk, below);
        head[a] = mat_vcat(s, n, piece);
    }
    return mat_hcat(s, h, head);
}
static void planted_values(const layer_site *at, layer *W) { W->V = planted(at, W->V, "V block"); }

static void planted_both(const layer_site *at, layer *W)
{
    planted_values(at, W);
    W->Q = planted(at, W->Q, "Q block");
}

/* D_a = the inverse of the block of head a, or of the one `shift` heads on */
static void inverses(const layer_site *at, const char *what, long shift, const mat *D[])
{
    for (long a = 0; a < at->sh.h; a++)
        D[a] = mat_inv(at->s, induction_layer_draw(at, what, (a + shift) % at->sh.h, at->sh.dk, at->sh.dk));
}

static void turn_values(const layer_site *at, const layer *W, layer *R)
{
    const mat *D[MAX_HEADS];
    (void)W;
    inverses(at, "V block", 0, D);
    gauge_value_output(at->s, &at->sh, R, D);
}

static void turn_both_by(const layer_site *at, const layer *W, layer *R, long shift)
{
    const mat *D[MAX_HEADS];
    inverses(at, "Q block", shift, D);
    gauge_query_key(at->s, &at->sh, R, D);
    turn_values(at, W, R);
}
static void turn_both(const layer_site *at, const layer *W, layer *R) { turn_both_by(at, W, R, 0); }
static void turn_next(const layer_site *at, const layer *W, layer *R) { turn_both_by(at, W, R, 1); }

static void turn_but_key(const layer_site *at, const layer *W, layer *R)
{
    turn_both_by(at, W, R, 0);
    R->K = W->K;
}

static void turn_but_output(const layer_site *at, const layer *W, layer *R)
{
    turn_values(at, W, R);
    R->O = W->O;
}

static void identity_blocks(trial *t, const mat *W)
{
    scope *s = &t->s;
    const long h = t->sh.h, dk = t->sh.dk;
    for (long a = 0; a < h; a++)
        claim_equal(t, "identity block", mat_rows(s, mat_cols(s, W, a * dk, dk), a * dk, dk), mat_identity(s, dk));
}
static void value_blocks(trial *t, const layer_site *at, const layer *R) { (void)at; identity_blocks(t, R->V); }

static void both_blocks(trial *t, const layer_site *at, const layer *R)
{
    value_blocks(t, at, R);
    identity_blocks(t, R->Q);
}

#define IN_PLACE(planting, rewriting, shown) \
    { .kinds = (const layer_kind[]){ { .name = "layer with identity blocks", .plant = planting, \
                                       .reduce = rewriting, .facts = shown } }, \
      .nkinds = 1, .bases = BASIS_NONE }
static const induction both = IN_PLACE(planted_both, turn_both, both_blocks);
static const induction values = IN_PLACE(planted_values, turn_values, value_blocks);
static const induction key_left = IN_PLACE(planted_both, turn_but_key, both_blocks);
static const induction next_head = IN_PLACE(planted_both, turn_next, both_blocks);
static const induction output_left = IN_PLACE(planted_values, turn_but_output, value_blocks);

/* 2 h dk^2 in a layer, of 12 d^2 + 2 d: matrices and gains; one gain at the end */
static void count(trial *t, long L, long h, long d, long per_layer, long total)
{
    const long dk = d / h, others = L * (12 * d * d + 2 * d) + d;
    claim_decided(t, "weights in a layer", 2 * h * dk * dk == per_layer && per_layer == 2 * d * dk);
    claim_decided(t, "weights outside the embeddings", others == 84953856);
    claim_decided(t, "weights in all", L * per_layer == total);
    claim_decided(t, "1.39 %", 1385 * others <= 100000 * total && 100000 * total < 1395 * others);
}

static void key_kept(trial *t)    { claim_built(t, t->sh, &key_left); }
static void output_kept(trial *t) { claim_built(t, t->sh, &output_left); }

static void next_rows(trial *t)                          /* the blocks of a layer are not I then */
{
    const model M = model_random(&t->s, t->sh);
    const model_pair r = induction_build(&t->s, &M, &next_head, 0);
    identity_blocks(t, r.R.at[0].Q);
}
static void small(trial *t)     { count(t, 12, 12, 768, 98304, 1179648); }
static void one_pair(trial *t)  { count(t, 12, 12, 768, 49152, 589824); }

static const control slips[] = {
    { "next-rows", next_rows, "$D_a$ from the block of the next head" },
    { "key-kept",  key_kept,  "$W_K$ is not turned along" },
};
static const control of_values[] = { { "output-kept", output_kept, "$W_O$ is not turned along" } };
static const control counts[] = { { "one-pair", one_pair, "the pair $(W_Q, W_K)$ alone" } };
static const part parts[] = {
    INDUCTIVE_PART("as-stated", both, all_skips,
                 .assumes = "invertible Q block; invertible V block; constrained W_Q; constrained W_V",
                 CONTROLS(slips),
                 .statement = "all skips: in every layer every $W_Q^a$ and every $W_V^a$ gets a $d_k \\times d_k$ "
                              "block $I$"),
    INDUCTIVE_PART("as-stated-gpt2", both, gpt2,
                 .assumes = "invertible Q block; invertible V block; constrained W_Q; constrained W_V",
                 .without = "q", .why_without = "q has no square roots",
                 CONTROLS(slips),
                 .statement = "the same with LayerNorm, biases and a tied head"),
    INDUCTIVE_PART("as-stated-rope", values, llama, .models = "d = h d_k; h_kv = h",
                   .assumes = "invertible V block; constrained W_V",
                 .without = "q", .why_without = "q has no square roots",
                 CONTROLS(of_values),
                 .statement = "with RMSNorm, RoPE, QK-norm and gated MLPs: the blocks of the $W_V^a$"),
    REDUCED_PART("as-stated-size", small, all_skips, CONTROLS(counts),
                 .statement = "GPT-2 small without biases: $2dd_k = 98304$ weights in a layer, 1179648 in all, 1.39 "
                              "\\% of its 84953856 weights outside the embeddings",
                 .no_minimal = true, .about = ABOUT_FINITE, .without = "f64 mpfr arb sym",
                 .why_without = "whole numbers"),
};
static const claim N1B = {
    .id = "N1b", .title = "identity blocks in every layer of any model", .where = "new; extends 003 Proposition 3.2",
    .hypotheses = "$W_Q^a[S_a,:]$ and $W_V^a[S_a,:]$ invertible; for $W_Q$ no RoPE and no QK-norm",
    .construction = "$D_a = (W_Q^a[S_a,:])^{-1}$ in Proposition 3.2, $D_a = (W_V^a[S_a,:])^{-1}$ in N1",
    .why = "$(W_Q^aD_a)[S_a,:] = W_Q^a[S_a,:]D_a = I$.  The stream keeps its basis, so norms, skips and head do not "
           "matter.",
    .models = "d = h d_k; h_kv = h; rope = 0; qk_norm = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-P3.2 N1",
};
THEOREM_PROGRAM(N1B)
