/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_p4_1.c - K-P4.1, single-head attention with two weights instead of four.
 *
 * Statement.  For one head, Attn(X, W_Q, W_K, W_V, W_O) = Attn(X, I, W_K W_Q', W_V W_O, I): in all layers,
 * with any norm, skips and tying.
 *
 * Construction.  Q~ = I, K~ = W_K W_Q', V~ = W_V W_O, O~ = I.
 *
 * Why it works.  The scores are X W_Q W_K' X' = X (W_K W_Q')' X' and A (X W_V) W_O = A X (W_V W_O): one
 * head reads W_Q W_K' and W_V W_O only.  Nothing is inverted, so any weights will do, singular too.
 *
 * Rotary positions and norms stand between W_Q and W_K', so queries must stay there; nothing stands
 * between W_V and W_O, so the second half of the statement survives both.                          */
#include "src/claim/reduce.h"

static void one_head(shape *sh)
{
    sh->h = sh->h_kv = 1;
    sh->dk = sh->scale_den = sh->d;
}

static void one_layer(shape *sh)
{
    one_head(sh);
    sh->L = sh->m = sh->V = 1;
}

static void all_skips(shape *sh)
{
    sh->act = ACT_SILU;                                  /* any will do; the error function is slow */
    one_head(sh);
    sh->attn_skip = sh->mlp_skip = sh->tied = true;
    sh->norm = NORM_LAYER;
}

static void rotated(shape *sh)
{
    one_layer(sh);
    sh->rope = true;
    sh->d += sh->d % 2;
    sh->dk = sh->scale_den = sh->d / sh->h;
}

static void query_normed(shape *sh)
{
    one_layer(sh);
    sh->qk_norm = true;
}

typedef enum { FOUR_TO_TWO, VALUES_ONLY, UNTRANSPOSED, OUTPUT_VALUE } merging;

static void merge(scope *s, layer *W, merging how)
{
    const mat *I = mat_identity(s, W->O->cols), *Q = W->Q, *K = W->K, *V = W->V, *O = W->O;
    if (how != VALUES_ONLY) {
        W->K = how == UNTRANSPOSED ? mat_mul(s, Q, mat_t(s, K)) : mat_mul(s, K, mat_t(s, Q));
        W->Q = I;
    }
    W->V = how == OUTPUT_VALUE ? mat_mul(s, O, V) : mat_mul(s, V, O);
    W->O = I;
}

static void compare(trial *t, const model *M, merging how)
{
    scope *s = &t->s;
    model R = *M;
    layer *W = &R.at[0];
    merge(s, W, how);
    claim_reduced(t, 4, (const mat **[]){ &W->Q, &W->K, &W->V, &W->O });
    const mat *X = mat_draw(s, "X", M->s.n, M->s.d, 0);
    claim_equal(t, "attention", model_attention(s, M, 0, X), model_attention(s, &R, 0, X));
}

static void merged(trial *t, merging how)
{
    const model M = model_random(&t->s, t->sh);
    compare(t, &M, how);
}

static void of_low_rank(trial *t, merging how)           /* W_Q = A B, d - 1 between them */
{
    const long d = t->sh.d;
    model M = model_random(&t->s, t->sh);
    M.at[0].Q = mat_mul(&t->s, mat_draw(&t->s, "A", d, d - 1, 0), mat_draw(&t->s, "B", d - 1, d, -2));
    compare(t, &M, how);
}

static void two_heads(trial *t, merging how)
{
    t->sh.h = t->sh.h_kv = 2;
    t->sh.d = 2 * t->sh.dk;
    merged(t, how);
}

/* Whole models: K~ = Q K'; or two heads, reduced as if they were one. */
static void wrong_key(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    merge(at->s, R, UNTRANSPOSED);
}
static const layer_kind wrong_layers[] = { { .name = "layer with W_Q W_K'", .reduce = wrong_key } };
static const induction wrong_reduction = { .kinds = wrong_layers, .nkinds = 1, .bases = BASIS_NONE };
static void wrong_layers_all(trial *t) { claim_built(t, t->sh, &wrong_reduction); }

static void two_heads_models(trial *t)
{
    shape sh = t->sh;
    sh.h = sh.h_kv = 2;
    sh.dk = (sh.d + 1) / 2;
    sh.d = 2 * sh.dk;
    claim_built(t, sh, &reduction_single_head);
}

static void singular_query(trial *t)   { of_low_rank(t, FOUR_TO_TWO); }
static void singular_untransposed(trial *t) { of_low_rank(t, UNTRANSPOSED); }
static void singular_output_value(trial *t) { of_low_rank(t, OUTPUT_VALUE); }
static void four_to_two(trial *t)      { merged(t, FOUR_TO_TWO); }
static void values_only(trial *t)      { merged(t, VALUES_ONLY); }
static void untransposed(trial *t)     { merged(t, UNTRANSPOSED); }
static void output_value(trial *t)     { merged(t, OUTPUT_VALUE); }
static void two_heads_all(trial *t)    { two_heads(t, FOUR_TO_TWO); }
static void two_heads_values(trial *t) { two_heads(t, VALUES_ONLY); }
static void rotary(trial *t)           { rotated(&t->sh);      merged(t, FOUR_TO_TWO); }
static void query_norm(trial *t)       { query_normed(&t->sh); merged(t, FOUR_TO_TWO); }

static const control hypotheses[] = {
    { "untransposed", untransposed,  "$\\tilde W_K = W_QW_K^\\top$ in place of $W_KW_Q^\\top$" },
    { "output-value", output_value,  "$\\tilde W_V = W_OW_V$ in place of $W_VW_O$" },
    { "two-heads",    two_heads_all, "two heads" },
    { "rope",         rotary,        "rotations by position stand between $W_Q$ and $W_K^\\top$" },
    { "qk-norm",      query_norm,    "norms stand between $W_Q$ and $W_K^\\top$" },
};
static const control of_singular[] = {
    { "untransposed", singular_untransposed, "$\\tilde W_K = W_QW_K^\\top$ in place of $W_KW_Q^\\top$" },
    { "output-value", singular_output_value, "$\\tilde W_V = W_OW_V$ in place of $W_VW_O$" },
};
static const control of_models[] = {
    { "untransposed", wrong_layers_all, "$\\tilde W_K = W_QW_K^\\top$ in every layer" },
    { "two-heads",    two_heads_models, "two heads" },
};
static const control with_rope[] = {
    { "queries-too", rotary,           "$W_Q$ is merged into $W_K$ all the same" },
    { "two-heads",   two_heads_values, "two heads" },
};
static const control with_norm[] = {
    { "queries-too", query_norm,       "$W_Q$ is merged into $W_K$ all the same" },
    { "two-heads",   two_heads_values, "two heads" },
};
static const shape_case shapes[] = {
    { .sh = { .n = 4, .d = 4, .h = 1, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL } },
    { .sh = { .n = 5, .d = 6, .h = 1, .m = 9, .V = 11, .L = 3, .mask = MASK_FULL } },
    { .sh = { .n = 3, .d = 3, .h = 1, .m = 7, .V = 5, .L = 2, .mask = MASK_CAUSAL } },
    { .sh = { .n = 6, .d = 16, .h = 1, .m = 32, .V = 13, .L = 3, .mask = MASK_ARBITRARY } },
    { .sh = { .n = 32, .d = 64, .h = 1, .m = 256, .V = 97, .L = 6, .mask = MASK_CAUSAL }, .large = true },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = four_to_two, .prepare = one_layer,
      .statement = "$\\mathrm{Attn}(X, W_Q, W_K, W_V, W_O) = \\mathrm{Attn}(X, I, W_KW_Q^\\top, W_VW_O, I)$ "
                   "for $h = 1$",
      CONTROLS(hypotheses) },
    { .name = "as-stated-singular", .kind = PART_IDENTITY, .run = singular_query, .no_large = true,
      .assumes = "h = 1; d >= 2", .models = "d = h d_k; constrained W_Q; biases = 0; rope = 0; qk_norm = 0",
      .statement = "the same for $W_Q$ of rank at most $d - 1$", .prepare = one_layer,
      CONTROLS(of_singular) },
    { .name = "as-stated-none", .kind = PART_IDENTITY, .run = claim_by_induction, .no_large = true,
      .induction = &reduction_single_head,
      .statement = "whole models without norms and skips, untied, every layer with two weights",
      CONTROLS(of_models) },
    { .name = "as-stated-all", .kind = PART_IDENTITY, .run = claim_by_induction, .no_large = true,
      .induction = &reduction_single_head,
      .statement = "the same with LayerNorm, all skips and a tied head", .prepare = all_skips,
      CONTROLS(of_models) },
    { .name = "corrected-rope",
      .models = "d = h d_k; biases = 0", .kind = PART_IDENTITY, .run = values_only, .no_large = true,
      .statement = "with rotary positions: $\\tilde W_V = W_VW_O$, $\\tilde W_O = I$, $W_Q$ and $W_K$ kept",
      .prepare = rotated, CONTROLS(with_rope) },
    { .name = "corrected-with-qk-norm",
      .models = "d = h d_k; biases = 0", .kind = PART_IDENTITY, .run = values_only, .no_large = true,
      .statement = "with normed queries and keys: $\\tilde W_V = W_VW_O$, $\\tilde W_O = I$, the others kept",
      .prepare = query_normed, CONTROLS(with_norm) },
};
static const quotation quotes[] = {
    { TEXT_001, "Proposition 4.1", "Under the assumption of a single-head attention in a given block, the "
      "Query-Key weight pair can be replaced by a single matrix without loss of information." },
    { TEXT_001, "Remark 1", "We remark that in the single-head regime, the matrix is also redundant." },
    { TEXT_003, "Proposition 4.1", "For single-head attention, the four weight matrices (W_Q, W_K, W_V, W_O) "
      "can be reduced to two:* $$\\text{Attn}(X, W_Q, W_K, W_V, W_O) = \\text{Attn}(X, \\text{Id}, W_K "
      "W_Q^\\top, W_V W_O, \\text{Id}).$$ This holds regardless of normalization or skip connections because "
      "the attention mechanism depends only on $W_Q W_K^\\top$ and $W_V W_O$." },
    { TEXT_000, "Proposition 4.1", "For single-head attention, the four weight matrices can be reduced to two, "
      "with the reduced form: where and ." },
};
static const claim K_P4_1 = {
    .id = "K-P4.1", .title = "single-head collapse of four weights into two",
    .where = "001 Proposition 4.1 and Remark 1; 003 Proposition 4.1; 000 Proposition 4.1",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$h = 1$; no RoPE, no QK-norm",
    .construction = "$\\tilde W_Q = \\tilde W_O = I$, $\\tilde W_K = W_KW_Q^\\top$, $\\tilde W_V = W_VW_O$",
    .why = "One head reads its weights only in the products $W_QW_K^\\top$ and $W_VW_O$; nothing is inverted.",
    .assumes = "h = 1",
    .models = "d = h d_k; biases = 0; rope = 0; qk_norm = 0",
    .prepare = one_head, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(K_P4_1)
