/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_tab1.c - K-Tab1, the table of results and the sentence above it.
 *
 * Statement.  Table 1: Proposition 4.1 (one head; any norm, any skips, tied or not): all W_Q^i.  Theorem 4.2 (no norm,
 * all skips, untied): any single one.  Theorem 4.3 (no norm, all skips, shared layers, untied): all.  Theorem 4.4 (no
 * norm, skips around attention only, tied or not): all.  And above it: "for encoder-only models, embeddings and
 * output heads are never tied, so all theorems apply without any untying requirement."
 *
 * Where it needs a repair.  Encoders are tied often: the masked-language-model heads of BERT, RoBERTa and ALBERT
 * multiply by the transposed embedding.  For them the column "untied" is a hypothesis as for decoders: nothing in the
 * proofs depends on the mask.  Shown here, for a tied encoder with random weights: the construction of Theorem 4.2,
 * kept tied, has other logits, and the score forms A_a = W_Q^a W_K^a' are not orthogonal, A_a' A_b != 0, so that N13
 * does not help. That no other tied model with W_Q = I is the same function is not shown.
 *
 * The rows are decided by the programs of their theorems; here once more as the table has them, each for encoders and
 * decoders in turn (the shapes).  The row of the experiments (norm, all skips, tied, all layers) is no theorem.      */
#include "src/claim/reduce.h"

static void row_41(shape *sh)
{
    reduce_switches(sh, ONE_LAYER);
    sh->h = sh->h_kv = 1;
    sh->dk = sh->scale_den = sh->d;
    sh->norm = NORM_RMS;
    sh->tied = true;
}
static void row_41_untied(shape *sh) { row_41(sh); sh->tied = sh->attn_skip = false; sh->norm = NORM_NONE; }
static void row_42(shape *sh)        { reduce_switches(sh, ONE_LAYER); }
static void row_43(shape *sh)        { reduce_switches(sh, SHARED_BLOCK); }
static void row_44(shape *sh)        { reduce_switches(sh, ATTENTION_SKIP); }
static void row_44_tied(shape *sh)   { row_44(sh); sh->tied = true; }

static void tied_encoder(shape *sh)
{
    row_42(sh);
    sh->mask = MASK_FULL;
    sh->tied = true;
    sh->V = sh->d + 1;                                    /* an embedding of low rank may stay tied: K-R4 */
}

static void not_orthogonal(trial *t, const mat *A, const mat *B)
{
    scope *s = &t->s;
    claim_differs(t, "A_1' A_2 and 0", mat_mul(s, mat_t(s, A), B), mat_zero(s, A->cols, B->cols));
}

/* The score forms of the first two heads of layer 0. */
static void forms_not_orthogonal(trial *t, const model *M)
{
    scope *s = &t->s;
    const layer *W = &M->at[0];
    const long dk = M->s.dk;
    const mat *A[2];
    for (long a = 0; a < 2; a++)
        A[a] = mat_mul(s, mat_cols(s, W->Q, a * dk, dk), mat_t(s, mat_cols(s, W->K, a * dk, dk)));
    not_orthogonal(t, A[0], A[1]);
}

static void tied_encoder_differs(trial *t)
{
    scope *s = &t->s;
    const model_pair r = reduce_queries(s, &t->sh, ONE_LAYER);
    forms_not_orthogonal(t, &r.M);
    claim_decided(t, "an encoder with a tied head", !r.M.visible && !r.M.head && !r.R.head);
    claim_differs(t, "logits", model_forward(s, &r.M), model_forward(s, &r.R));
}

static void untied_encoder(trial *t)
{
    shape sh = t->sh;
    sh.tied = false;
    const model_pair r = reduce_queries(&t->s, &sh, ONE_LAYER);
    claim_differs(t, "logits", model_forward(&t->s, &r.M), model_forward(&t->s, &r.R));
}

/* W_Q = I: the heads' queries live in coordinates of their own, A_1' A_2 = 0. */
static void own_coordinates(trial *t)
{
    model M = model_random(&t->s, t->sh);
    M.at[0].Q = mat_identity(&t->s, M.s.d);
    forms_not_orthogonal(t, &M);
}

/* Proposition 4.1 in every layer, with two heads. */
static void two_heads_41(trial *t)
{
    shape sh = t->sh;
    sh.h = sh.h_kv = 2;
    sh.dk = (sh.d + 1) / 2;
    sh.d = 2 * sh.dk;
    claim_built(t, sh, &reduction_single_head);
}

/* The construction of a row where one entry of its line in the table is changed. */
static void changed(trial *t, reduction which, norm_kind norm, bool mlp_skip, bool tied, bool shared)
{
    shape sh = t->sh;
    sh.norm = norm;
    sh.mlp_skip = mlp_skip;
    sh.tied = tied;
    sh.shared = shared;
    const model_pair r = reduce_queries(&t->s, &sh, which);
    claim_same_function(t, &r.M, &r.R);
}
static void normed_42(trial *t)   { changed(t, ONE_LAYER, NORM_RMS, true, false, false); }
static void tied_42(trial *t)     { changed(t, ONE_LAYER, NORM_NONE, true, true, false); }
static void all_42(trial *t)      { changed(t, SHARED_BLOCK, NORM_NONE, true, false, false); }
static void tied_43(trial *t)     { changed(t, SHARED_BLOCK, NORM_NONE, true, true, true); }
static void normed_44(trial *t)   { changed(t, ATTENTION_SKIP, NORM_RMS, false, t->sh.tied, false); }
static void all_skips_44(trial *t) { changed(t, ATTENTION_SKIP, NORM_NONE, true, t->sh.tied, false); }

static const control untied[] = {
    { "untied-encoder",  untied_encoder,  "an encoder whose head is not tied" },
    { "own-coordinates", own_coordinates, "$W_Q = I$: the forms are orthogonal" },
};
static const control of_41[]  = { { "two-heads", two_heads_41, "MH: two heads" } };
static const control of_42[]  = { { "norm", normed_42, "Norm: RMSNorm" }, { "tied", tied_42, "E-H: tied" },
                                  { "all-layers", all_42, "all layers, not shared" } };
static const control of_43[]  = { { "tied", tied_43, "E-H: tied" } };
static const control of_44[]  = { { "norm", normed_44, "Norm: RMSNorm" }, { "all-skips", all_skips_44, "Skips: all" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = tied_encoder_differs, .prepare = tied_encoder, .no_large = true,
      .quantity = "logits", .shown_by = "logits",
      .no_minimal = true, .statement = "encoders need no untying: an encoder with a tied head (as BERT's) and random "
                                       "weights, reduced by Theorem 4.2 and kept tied, has other logits",
      .basis = "witness: logits", CONTROLS(untied),
      .without = "sym", .why_without = "sym never says that two matrices differ" },
    INDUCTIVE_PART("corrected", reduction_single_head, row_41, .assumes = "h = 1", CONTROLS(of_41),
                 .without = "q",
                 .why_without = "q has no square roots",
                 .statement = "Proposition 4.1: RMSNorm, all skips, one head, tied: all layers"),
    INDUCTIVE_PART("corrected-proposition-4.1-untied", reduction_single_head, row_41_untied, .assumes = "h = 1",
                 CONTROLS(of_41),
                 .statement = "Proposition 4.1: no norm, MLP skips, one head, untied: all layers"),
    INDUCTIVE_PART("corrected-theorem-4.2", reduction_one_layer, row_42, .models = "norm = none; tied = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(of_42),
                 .statement = "Theorem 4.2: no norm, all skips, several heads, untied: any single layer"),
    INDUCTIVE_PART("corrected-theorem-4.3-shared", reduction_shared_block, row_43,
                   .models = "norm = none; shared = 1; tied = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(of_43),
                 .statement = "Theorem 4.3: no norm, all skips, shared layers, untied: all layers"),
    INDUCTIVE_PART("corrected-theorem-4.4-untied", reduction_attention_skip, row_44,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(of_44),
                 .statement = "Theorem 4.4: no norm, skips around attention only, untied: all layers"),
    INDUCTIVE_PART("corrected-theorem-4.4-tied", reduction_attention_skip, row_44_tied,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(of_44),
                 .statement = "Theorem 4.4, tied: all layers"),
};
static const quotation quotes[] = {
    { TEXT_001, "Table 1", "Result Type Section Normalization Skip Connections Multihead Multi-layer Weight "
      "Decay Theoretical 4.1 post-training during training 4.2 Around Attention only 4.3 Shared weights only "
      "8.1 Experimental 5.1 5.2" },
    { TEXT_003, "Section 4", "Note that for encoder-only models, embeddings and output heads are never tied, so "
      "all theorems apply without any untying requirement." },
    { TEXT_003, "Table 1", "Prop. 4.1 \\checkmark \\checkmark \\times Std Either All layers" },
    { TEXT_003, "Table 1", "Thm. 4.2 \\times \\checkmark \\checkmark Std Untied Any single layer" },
    { TEXT_003, "Table 1", "Thm. 4.3 \\times \\checkmark \\checkmark Shared Untied All layers" },
    { TEXT_003, "Table 1", "Thm. 4.4 \\times Attn only \\checkmark Std Either All layers" },
    { TEXT_000, "Table 1", "Result Type Section Normalization Skip Connections Multihead Multi-layer Weight "
      "Decay Theoretical 4.1 post-training during training 4.2 Single layer only 4.3 Around attention only 4.4 "
      "Shared weights only 8.3 Indep. Indep. Indep. Experimental 8.4 Indep. Indep. Indep. 5.1" },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
    { TEXT_003, "Table 1", "Summary of theoretical results for W_Q elimination (i.e., setting $W_Q = "
      "\\text{Id}$). \\checkmark = allowed/present, \\times = must be absent/simplified. Norm: normalization "
      "layers. Skips: skip connections. MH: multi-head attention. Layers: Standard (Std) or Shared "
      "(ALBERT-style). E \\leftrightarrow H: embedding/LM-head tying." },
};
static const claim K_TAB1 = {
    .id = "K-Tab1", .title = "scope of the results", .where = "001 Table 1; 003 Table 1 and Section 4; 000 Table 1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "as in the lines of the table; $W_Q^i \\in \\mathrm{GL}(d)$; for encoders, too, untied means untied",
    .construction = "as in the theorems",
    .why = "The sentence above the table is too wide: the masked-language-model heads of BERT, RoBERTa and ALBERT are "
           "tied to the embedding, and no proof depends on the mask, so a tied encoder must be untied just as a tied "
           "decoder for Theorems 4.2 and 4.3 to apply: kept tied, the construction has other logits.  Where the "
           "heads' images are orthogonal, a tied head can stay (N13); random weights are not so.  The lines of the "
           "table hold.",
    .models = "d = h d_k; biases = 0; rope = 0; qk_norm = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-P4.1 K-T4.2 K-T4.3 K-T4.4 N13",
};
THEOREM_PROGRAM(K_TAB1)
