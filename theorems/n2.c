/* SPDX-License-Identifier: GPL-3.0-or-later
 * n2.c - N2, elimination in all layers with skips around MLPs only.
 *
 * Statement.  Without normalization and with skips around the MLPs only, all W_Q^i (or all W_O^i) can be made the
 * identity, untied or tied.  So it is an uninterrupted residual stream that hinders elimination, not the MLP skip
 * as such: the number of free bases is 1 + the number of sublayers without a skip, and each segment
 * between two of them can lose one matrix.
 *
 * Construction.  The basis changes across the attention: Theta_i in front of it, Theta_{i+1} behind it and behind
 * the MLP,
 *     Q~, K~, V~ = Theta_i^-1 (Q, K, V),   O~ = O Theta_{i+1},   up~ = Theta_{i+1}^-1 up,   down~ = down Theta_{i+1}.
 * Theta_i = W_Q^i makes all W_Q^i = I; Theta_{i+1} = (W_O^i)^-1 makes all W_O^i = I.  Tied: Theta_{L+1} = Theta_1'^-1.
 *
 * Why it works.  No skip goes around the attention, so W_O may write in another basis than W_Q reads.  The MLP
 * reads and writes the basis in which its skip carries the stream.                                        */
#include "src/claim/reduce.h"

static void mlp_skip_only(shape *sh)
{
    reduce_switches(sh, ATTENTION_SKIP);
    sh->attn_skip = false;
    sh->mlp_skip = true;
}
static void tied_head(shape *sh) { mlp_skip_only(sh); sh->tied = true; }
static void switches(shape *sh)  { mlp_skip_only(sh); sh->biases = sh->gated = sh->rope = true; }

/* Theta_i = W_Q^i is reduction_attention_skip; without the skip its bases change across the attention.  Theta_{i+1} =
 * (W_O^i)^-1: each layer chooses the basis that it writes in. */
static const mat *output_chooses(const layer_site *at, const layer *W) { return mat_inv(at->s, W->O); }

static void output_goes(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    R->O = mat_identity(at->s, at->sh.d);
}
static const layer_kind output_layers[] = {
    { .name = "layer whose W_O becomes I", .chooses_out = output_chooses, .reduce = output_goes } };
static const induction outputs = {
    .kinds = output_layers, .nkinds = 1, .bases = BASIS_EACH, .free = FREE_IDENTITY };

/* The basis changes across the MLP, as if its skip were the attention's. */
static void change_late(const layer_site *at, const layer *W, layer *R)
{
    shape sh = at->sh;
    sh.attn_skip = true;
    sh.mlp_skip = false;
    *R = gauge_layer(at->s, &sh, W, at->in, at->out);
    reduce_query_to_identity(at, W, R);
}
static const layer_kind late_layers[] = { { .name = "late", .chooses = reduce_query_basis, .reduce = change_late } };
static const induction changing_late = { .kinds = late_layers, .nkinds = 1, .bases = BASIS_EACH };

static const mat *inverse(scope *s, const shape *sh, basis first) { (void)s; (void)sh; return first.from; }
static const layer_kind query_layers[] = { QUERY_LAYER };
static const induction to_inverse = { .kinds = query_layers, .nkinds = 1, .bases = BASIS_EACH, .last = inverse };

static void attention_skip(trial *t) { shape sh = t->sh; sh.attn_skip = true; claim_built(t, sh, t->induction); }
static void normed(trial *t)         { shape sh = t->sh; sh.norm = NORM_RMS;  claim_built(t, sh, t->induction); }
static void late(trial *t)           { claim_built(t, t->sh, &changing_late); }
static void untransposed(trial *t)   { claim_built(t, t->sh, &to_inverse); }

static const control of_queries[] = {
    { "attn-skip-kept", attention_skip, "both skips: the basis then changes across the MLP, whose skip breaks it" },
    { "norm-present",   normed,         "a norm does not commute with $\\Theta$" },
    { "mlp-changes",    late,           "the basis changes across the MLP, as in Theorem 4.4, although its skip is "
                                        "there" },
};
static const control of_outputs[] = {
    { "attn-skip-kept", attention_skip, "both skips: the basis then changes across the MLP, whose skip breaks it" },
};
static const control of_tied[] = { { "tied-untransposed", untransposed, "$\\Theta_{L+1} = \\Theta_1^{-1}$" } };
static const part parts[] = {
    INDUCTIVE_PART("as-stated", reduction_attention_skip, mlp_skip_only, .assumes = "invertible W_Q",
                 CONTROLS(of_queries),
                 .statement = "all $\\tilde W_Q^i = I$, untied"),
    INDUCTIVE_PART("as-stated-output-weights", outputs, mlp_skip_only,
                   .models = "norm = none; attn_skip = 0; mlp_skip = 1; tied = 0",
                   .assumes = "invertible W_O",
                 CONTROLS(of_outputs),
                 .statement = "all $\\tilde W_O^i = I$, untied: $\\Theta_{i+1} = (W_O^i)^{-1}$"),
    INDUCTIVE_PART("as-stated-tied", reduction_attention_skip, tied_head, .assumes = "invertible W_Q",
                 CONTROLS(of_tied),
                 .statement = "all $\\tilde W_Q^i = I$, and a tied head stays tied"),
    INDUCTIVE_PART("as-stated-all", reduction_attention_skip, switches, .assumes = "invertible W_Q",
                 CONTROLS(of_queries),
                 .statement = "all $\\tilde W_Q^i = I$ with biases, gated MLPs and rotary positions"),
};
static const claim N2 = {
    .id = "N2", .title = "MLP-skip-only elimination in all layers",
    .where = "new; the counterpart of 003 Theorem 4.4, and a third way out of 003 Remark 3",
    .hypotheses = "no normalization; skips around MLPs only; all $W_Q^i$ (or $W_O^i$) in $\\mathrm{GL}(d)$",
    .construction = "$\\tilde W_{Q,K,V}^i = \\Theta_i^{-1}W_{Q,K,V}^i$, $\\tilde W_O^i = W_O^i\\Theta_{i+1}$, "
                    "$\\tilde W_u^i = \\Theta_{i+1}^{-1}W_u^i$, $\\tilde W_d^i = W_d^i\\Theta_{i+1}$",
    .why = "No skip goes around the attention, so $W_O^i$ may write in another basis than $W_Q^i$ reads; the MLP stays "
           "in the basis in which its skip carries the stream.",
    .models = "norm = none; attn_skip = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-L3.1",
};
THEOREM_PROGRAM(N2)
