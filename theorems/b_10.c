/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_10.c - B-10, one head: query and key collapse into one matrix, value and projection into another.
 *
 * Statement (Section 3).  With one head all four matrices are square; W_Q W_K' collapses to W_QK and W_V W_O to
 * W_VO, and 4 S N^2 parameters become 2 S N^2.
 *
 * Why it is true.  (X W_Q)(X W_K)' = X W_QK X' and (A X W_V) W_O = A X W_VO.  The collapse happens inside one
 * attention module, so skips, norms and MLPs around it do not matter.
 *
 * With biases, which the paper does not mention, x_i W_Q + b_Q and so on:
 *     score_ij = x_i W_QK x_j' + (b_Q W_K') x_j' + terms that do not depend on j,
 * and softmax does not see the last ones: one vector c = b_Q W_K' is left of b_Q and b_K, and b_K is dead, it
 * has no effect at all.  The values give b_V W_O + b_O, for weights sum to 1.  So N^2 + N and N^2 + N are left.
 * Dropping c, as a collapse without biases does, changes the function.
 *
 * With more heads the full W_Q W_K' adds up the scores of all heads: no collapse (B-17).                   */
#include "src/claim/claim.h"
#include "src/claim/induction.h"
#include "src/model/stack.h"

typedef enum { BOTH, KEY_KEPT, PROJECTION_KEPT, VALUE_LAST } collapse;

/* C, a copy of W, with W_Q = W_QK, W_K = I, W_V = W_VO, W_O = I. */
static void collapse_layer(scope *s, long d, const layer *W, layer *C, collapse how)
{
    const mat *I = mat_identity(s, d);
    C->Q = mat_mul(s, W->Q, mat_t(s, W->K));
    C->V = how == VALUE_LAST ? mat_mul(s, W->O, W->V) : mat_mul(s, W->V, W->O);
    if (how != KEY_KEPT) C->K = I;
    if (how != PROJECTION_KEPT) C->O = I;
}

/* ---- without MLPs, as the section has it --------------------------------------------------------------- */

static long entries(const mat *A) { return A->rows * A->cols; }

static void both_pairs(const layer_site *at, const layer *W, layer *R)
{
    collapse_layer(at->s, at->sh.d, W, R, BOTH);
}

static void half_is_left(trial *t, const layer_site *at, const layer *R)
{
    if (!claim_over(t, OVER_EXACT)) return;
    claim_decided(t, "half of the parameters", 2 * (entries(R->Q) + entries(R->V)) == 4 * at->sh.d * at->sh.d);
}
static const layer_kind collapsed_layers[] = {
    { .name = "layer with two weights", .reduce = both_pairs, .facts = half_is_left } };
static const induction stack = { .kinds = collapsed_layers, .nkinds = 1, .bases = BASIS_NONE, .attention_only = true };

/* The same stack with one of the weights left, a wrong product, or heads that are not one. */
static void key_stays(const layer_site *at, const layer *W, layer *R)
{
    collapse_layer(at->s, at->sh.d, W, R, KEY_KEPT);
}

static void projection_stays(const layer_site *at, const layer *W, layer *R)
{
    collapse_layer(at->s, at->sh.d, W, R, PROJECTION_KEPT);
}

static void value_behind(const layer_site *at, const layer *W, layer *R)
{
    collapse_layer(at->s, at->sh.d, W, R, VALUE_LAST);
}

static void as_one_head(shape *sh)
{
    sh->h = sh->h_kv = 1;
    sh->dk = sh->d;
}
#define BROKEN(rewriting, ...) \
    { .kinds = (const layer_kind[]){ { .name = "broken layer", .reduce = rewriting } }, .nkinds = 1, \
      .bases = BASIS_NONE, __VA_ARGS__ }
static const induction stack_key = BROKEN(key_stays, .attention_only = true);
static const induction stack_projection = BROKEN(projection_stays, .attention_only = true);
static const induction stack_value = BROKEN(value_behind, .attention_only = true);
static const induction stack_heads = BROKEN(both_pairs, .attention_only = true, .reshape = as_one_head);

static void key_kept(trial *t)        { claim_built(t, t->sh, &stack_key); }
static void projection_kept(trial *t) { claim_built(t, t->sh, &stack_projection); }
static void value_last(trial *t)      { claim_built(t, t->sh, &stack_value); }

static void many_heads(trial *t)
{
    shape sh = t->sh;
    sh.h = sh.h_kv = sh.d;
    sh.dk = 1;
    claim_built(t, sh, &stack_heads);
}

/* ---- inside whole transformers ------------------------------------------------------------------------- */

static const induction whole = { .kinds = collapsed_layers, .nkinds = 1, .bases = BASIS_NONE };

static const induction whole_value = BROKEN(value_behind, .attention_only = false);
static void whole_last(trial *t) { claim_built(t, t->sh, &whole_value); }

static void skips_and_norms(shape *sh)
{
    stack_single_head(sh);
    sh->attn_skip = sh->mlp_skip = true;
    sh->norm = NORM_LAYER;
}

/* ---- with biases --------------------------------------------------------------------------------------- */

static void biases_move(const layer_site *at, const layer *W, layer *R)
{
    scope *s = at->s;
    both_pairs(at, W, R);
    R->bK = R->bV = mat_zero(s, 1, at->sh.d);
    R->bQ = mat_mul(s, W->bQ, mat_t(s, W->K));
    R->bO = mat_add(s, mat_mul(s, W->bV, W->O), W->bO);
}
static const layer_kind biased_layers[] = { { .name = "layer with two weights and two biases",
    .reduce = biases_move } };
static const induction with_vectors = {
    .kinds = biased_layers, .nkinds = 1, .bases = BASIS_NONE, .attention_only = true };

static void biases(trial *t)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model D = M;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0);
    D.at[0].bK = mat_draw(s, "another b_K", 1, M.s.d, 0);
    claim_equal(t, "another b_K", stack_layer(s, &M, 0, X), stack_layer(s, &D, 0, X));
    claim_by_induction(t);
}

static void key_vector_goes(const layer_site *at, const layer *W, layer *R)
{
    biases_move(at, W, R);
    R->bQ = mat_zero(at->s, 1, at->sh.d);
}

static void value_bias_goes(const layer_site *at, const layer *W, layer *R)
{
    biases_move(at, W, R);
    R->bO = W->bO;
}
static const induction without_key_vector = BROKEN(key_vector_goes, .attention_only = true);
static const induction without_value_bias = BROKEN(value_bias_goes, .attention_only = true);
static void no_key_vector(trial *t) { claim_built(t, t->sh, &without_key_vector); }
static void no_value_bias(trial *t) { claim_built(t, t->sh, &without_value_bias); }

static void with_biases(shape *sh)
{
    stack_single_head(sh);
    sh->biases = true;
    sh->attention = ROWMAP_STOCHASTIC;
}

static const control of_stack[] = {
    { "key-kept",        key_kept,        "$W_K$ stays although it is in $W_{QK}$" },
    { "projection-kept", projection_kept, "$W_O$ stays although it is in $W_{VO}$" },
    { "value-last",      value_last,      "$W_OW_V$ in place of $W_VW_O$" },
    { "many-heads",      many_heads,      "$N$ heads of width 1 collapsed as if they were one" },
};
static const control of_models[] = { { "value-last", whole_last, "$W_OW_V$ in place of $W_VW_O$" } };
static const control of_biases[] = {
    { "no-key-vector", no_key_vector, "$c = b_QW_K^\\top$ dropped" },
    { "no-value-bias", no_value_bias, "$b_VW_O$ dropped" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &stack, .no_large = true,
      .statement = "$W_{QK} = W_QW_K^\\top$ and $W_{VO} = W_VW_O$: the same layer, so the same stack, with $2SN^2$ "
                   "parameters in place of $4SN^2$",
      CONTROLS(of_stack) },
    { .name = "as-stated-block", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &whole,
      .prepare = skips_and_norms, .no_large = true,
      .statement = "the same inside transformers with skips, norms and MLPs",
      .without = "q", .why_without = "it has no norms",
      CONTROLS(of_models) },
    { .name = "as-stated-bias",
      .models = "d = h d_k; biases = 1; rope = 0; qk_norm = 0",
      .kind = PART_IDENTITY, .run = biases, .prepare = with_biases, .no_large = true,
      .induction = &with_vectors,
      .assumes = "h = 1; rows sum to 1; shift-invariant row map",
      .statement = "with biases: $x_iW_{QK}x_j^\\top + c\\,x_j^\\top$, $c = b_QW_K^\\top$, and output bias "
                   "$b_VW_O + b_O$; $b_K$ has no effect",
      .without = "q", .why_without = "it has no row map whose weights sum to 1",
      CONTROLS(of_biases) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 3", "With square matrices, it is evident that $W_s^V W_s^O$ can be collapsed to a "
      "single matrix $W_s^{VO}$ , and, analogically, $W_s^Q W_s^{KT}$ to $W_s^{QK}$ . This saves 50 % of the "
      "attention module's parameters, from $4SN^2$ to $2SN^2$ ." },
};
static const quotation standing[] = {
    { TEXT_002, "Section 3", "it is common to keep this width constant throughout the model, referring to the "
      "*model width N*. Then, in the case of a single head, these matrices are square." },
};
static const claim B_10 = {
    .id = "B-10", .title = "per-layer collapse of query-key and value-projection", .where = "002 Section 3",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "one head; with biases, weights that do not change when a constant is added to a row of scores, "
                  "and that sum to 1",
    .construction = "$W_Q \\mapsto W_QW_K^\\top$, $W_K \\mapsto I$, $W_V \\mapsto W_VW_O$, $W_O \\mapsto I$",
    .why = "Scores see $W_Q$ and $W_K$ only as $W_QW_K^\\top$, values see $W_V$ and $W_O$ only as $W_VW_O$. The paper "
           "does not mention biases: of $b_Q$ and $b_K$ one vector $c$ survives, and $b_K$ is dead weight in every "
           "unchanged model. The same class of functions is not the same training: a product of two "
           "factors has another gradient than one matrix.",
    .assumes = "h = 1",
    .models = "d = h d_k; biases = 0; rope = 0; qk_norm = 0",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-1 B-3",
};
THEOREM_PROGRAM(B_10)
