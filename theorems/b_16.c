/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_16.c - B-16, the reductions by unit matrices in Keras.
 *
 * Statement (Section 3).  Omitting value and projection has been implemented by W_V = W_O = I, collapsing query
 * and key by W_K = I, with W_QK in place of W_Q.
 *
 * What it needs.  That the biases of Keras' attention go as well, or the right ones stay.  Without biases the layer
 * is Eq. 10 with scores x_i W_QK x_j', exactly.  With a bias b_Q kept (as the printed count 257,506 shows for one
 * variant) it is a larger class: a token x_1 = 0 has equal scores x_1 W_QK x_j' = 0 for every W_QK, so Eq. 10 sends
 * it to the mean of all tokens; with b_Q its scores are b_Q x_j', and its output is another one.  No layer without
 * biases does that.
 *
 * Corrected.  A layer with biases is reached exactly with W_K = I, b_K = 0, W_Q = W_QK, b_Q <- b_Q W_K'.
 * Unit matrices save parameters; they save computation only if the products with them are skipped.        */
#include "src/claim/claim.h"
#include "src/claim/induction.h"
#include "src/model/stack.h"

static void no_values(scope *s, model *M)             /* W_V = W_O = I, no biases there */
{
    const mat *I = mat_identity(s, M->s.d), *zero = mat_zero(s, 1, M->s.d);
    for (long i = 0; i < M->s.L; i++) {
        M->at[i].V = M->at[i].O = I;
        if (M->s.biases) M->at[i].bV = M->at[i].bO = zero;
    }
}

/* n z_1 and the sum of the tokens, where x_1 = 0 and W_K = I: z_1 is the mean of all tokens without biases, something
 * else with b_Q. */
typedef struct { const mat *n_z, *sum; } token_0;
static token_0 of_token_0(trial *t, bool bias)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.mask = MASK_FULL;
    sh.biases = true;
    model M = model_random(s, sh);
    no_values(s, &M);
    M.at[0].K = mat_identity(s, sh.d);
    if (!bias) M.at[0].bQ = M.at[0].bK = mat_zero(s, 1, sh.d);
    const mat *X = mat_vcat(s, 2, (const mat *const[]){ mat_zero(s, 1, sh.d), mat_draw(s, "X", sh.n - 1, sh.d, 0) });
    return (token_0){ mat_scale(s, sh.n, 0, stack_token(s, &M, 0, 0, X)), mat_mul(s, mat_ones(s, 1, sh.n), X) };
}

static void no_bias(trial *t)
{
    const token_0 is = of_token_0(t, false);
    claim_equal(t, "without b_Q: n z_1 = sum of the tokens", is.n_z, is.sum);
}

static void bias_kept(trial *t)
{
    const token_0 is = of_token_0(t, true);
    claim_differs(t, "with b_Q: it is not", is.n_z, is.sum);
}

/* W_Q W_K' in one layer of a stack of any depth. */
static void without_values(const layer_site *at, layer *W)
{
    W->V = W->O = mat_identity(at->s, at->sh.d);
    if (W->bV) W->bV = W->bO = mat_zero(at->s, 1, at->sh.d);
}

static void query_key(const layer_site *at, const layer *W, layer *R)
{
    scope *s = at->s;
    R->Q = mat_mul(s, W->Q, mat_t(s, W->K));
    R->K = mat_identity(s, at->sh.d);
    if (!W->bQ) return;
    R->bQ = mat_mul(s, W->bQ, mat_t(s, W->K));
    R->bK = mat_zero(s, 1, at->sh.d);
}
static const layer_kind layers[] = { { .name = "layer of Eq. (10)", .plant = without_values, .reduce = query_key } };
static const induction of_unit_matrices = { .kinds = layers, .nkinds = 1, .bases = BASIS_NONE, .attention_only = true };

static void key_stays(const layer_site *at, const layer *W, layer *R)
{
    query_key(at, W, R);
    R->K = W->K;
}

static void bias_stays(const layer_site *at, const layer *W, layer *R)
{
    query_key(at, W, R);
    R->bQ = W->bQ;
}
#define BROKEN(rewriting) \
    { .kinds = (const layer_kind[]){ { .name = "broken layer", .plant = without_values, .reduce = rewriting } }, \
      .nkinds = 1, .bases = BASIS_NONE, .attention_only = true }
static const induction with_key = BROKEN(key_stays);
static const induction with_query_bias = BROKEN(bias_stays);
static void key_kept(trial *t)   { claim_built(t, t->sh, &with_key); }
static void bias_as_is(trial *t) { claim_built(t, t->sh, &with_query_bias); }

static void any_row_map(shape *sh) { stack_single_head(sh); sh->attention = ROWMAP_SHIFT; sh->biases = true; }

static const control of_unbiased[] = { { "key-kept", key_kept, "$W_K$ stays although it is in $W_{QK}$" } };
static const control of_biased[] = { { "bias-as-it-is", bias_as_is, "$b_Q$ in place of $b_QW_K^\\top$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = no_bias, .no_large = true, .no_minimal = true,
      .own_row_map = true,
      .quantity = "W_{QK}", .shown_by = "without b_Q: n z_1 = sum of the tokens",
      .statement = "without biases a token $x_1 = 0$ is sent to the mean of the tokens, whatever $W_{QK}$",
      .basis = "witness: the token 0, whose scores are equal",
      .without = "fp sym", .why_without = "the witness is one of softmax itself" },
    { .name = "as-stated-bias", .kind = PART_BESIDE, .run = bias_kept, .no_large = true, .no_minimal = true,
      .quantity = "b_Q", .shown_by = "with b_Q: it is not",
      .statement = "with $b_Q$ kept it is not",
      .basis = "witness: the token 0, in balls",
      .without = "fp q sym", .why_without = "softmax of scores that differ has no rational value" },
    { .name = "corrected",
      .models = "d = h d_k; biases = 0; rope = 0; qk_norm = 0",
      .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &of_unit_matrices,
      .no_large = true,
      .assumes = "h = 1; constrained W_V = I; constrained W_O = I",
      .statement = "without biases, $W_V = W_O = I$: $W_K \\mapsto I$, $W_Q \\mapsto W_QW_K^\\top$ leaves the layer as "
                   "it is",
      CONTROLS(of_unbiased) },
    { .name = "corrected-bias",
      .models = "d = h d_k; rope = 0; qk_norm = 0",
      .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &of_unit_matrices,
      .prepare = any_row_map, .no_large = true,
      .assumes = "h = 1; shift-invariant row map; constrained W_V = I; constrained W_O = I; constrained b_V = 0; "
                 "constrained b_O = 0",
      .statement = "with biases of query and key, and weights that do not change when a constant is added to a row of "
                   "scores: $b_Q \\mapsto b_QW_K^\\top$ and $b_K \\mapsto 0$ as well",
      .without = "q", .why_without = "it has no row map that ignores a constant",
      CONTROLS(of_biased) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 3", "This concept has been implemented in the Keras framework by setting the matrices "
      "$W_s^V$ and $W_s^O$ to unit matrices. Collapsing $W_s^Q W_s^{KT}$ to $W_s^{QK}$ has been reached by "
      "setting the matrix $W^K$ to a unit matrix. The newly defined matrix $W_s^{QK}$ replaces matrix $W_s^Q$ ." },
};
static const claim B_16 = {
    .id = "B-16", .title = "the reductions by unit matrices", .where = "002 Section 3",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one head; $W_V = W_O = I$",
    .construction = "$W_K \\mapsto I$, $W_Q \\mapsto W_QW_K^\\top$, $b_Q \\mapsto b_QW_K^\\top$, "
                    "$b_K \\mapsto 0$",
    .why = "The unit matrices do what the text says where the layer has no biases of queries and keys, or folds them "
           "in.  All printed counts of models without $W_V$ and $W_O$, and the two of collapsed models without MLP, "
           "have none; only 257,506, the collapsed model with MLP, is the number that one gets with $b_Q$ and $b_K$ "
           "kept, or a misprint (claim B-P). Where $W_V$ and $W_O$ stay, as in the other collapsed models, $W_K = I$ "
           "does the same (claim B-10). A kept $b_Q$ would matter: it adds $b_Q x_j^\\top$ to every score.",
    .assumes = "h = 1",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-10",
};
THEOREM_PROGRAM(B_16)
