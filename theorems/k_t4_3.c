/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_t4_3.c - K-T4.3, query weight elimination when all layers share their weights.
 *
 * Statement.  Without normalization, with all skips and an untied head, one block applied L times can
 * have W_Q = I in all its L places at once, if W_Q is invertible.
 *
 * Construction.  Theta = W_Q, as in K-T4.2, and one reduced block for all layers:
 *     E~ = E Theta            P~ = P Theta             head~ = Theta^-1 head
 *     K~, V~, up~ = Theta^-1 (K, V, up)                O~, down~ = (O, down) Theta
 *
 * Why it works.  B(X) = B~(X Theta) Theta^-1 (K-L-conjugate).  Between two copies of the same block
 * Theta^-1 meets Theta, so B^L = Theta^-1 o B~^L o Theta; embedding and head absorb the two ends.  The
 * one W_Q there is lies in every layer, which is why one basis is enough.                            */
#include "src/claim/reduce.h"

static void one_block(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = true;
    sh->norm = NORM_NONE;
    sh->shared = 1;
}

static void compare(trial *t, shape sh) { claim_built(t, sh, &reduction_shared_block); }

static void rms_norm(trial *t)   { shape sh = t->sh; sh.norm = NORM_RMS;   compare(t, sh); }
static void layer_norm(trial *t) { shape sh = t->sh; sh.norm = NORM_LAYER; compare(t, sh); }
static void unshared(trial *t)   { shape sh = t->sh; sh.shared = 0;        compare(t, sh); }
static void tied(trial *t)       { shape sh = t->sh; sh.tied = true;       compare(t, sh); }
static void period_2(trial *t)   { shape sh = t->sh; sh.shared = 2; sh.L = 4; compare(t, sh); }

static const control hypotheses[] = {
    { "rms-norm",   rms_norm,   "RMSNorm does not commute with $\\Theta$" },
    { "layer-norm", layer_norm, "LayerNorm does not commute with $\\Theta$" },
    { "unshared",   unshared,   "layers with weights of their own need bases of their own" },
    { "period-2",   period_2,   "two blocks in turn: one $\\Theta$ for two $W_Q$" },
    { "tied",       tied,       "a tied head stays tied: $\\Theta\\Theta^\\top$ is left over" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &reduction_shared_block,
      .statement = "if all layers share one block with $W_Q \\in \\mathrm{GL}(d)$, the model that shares one "
                   "block with $\\tilde W_Q = I$ is the same function",
      CONTROLS(hypotheses) },
};
static const quotation quotes[] = {
    { TEXT_001, "Theorem 4.2", "Consider an -layer transformer without layer normalization where all layers "
      "share the same block parameters with . Then the complete transformer is functionally equivalent to a "
      "weight-shared transformer in which the query weight matrix is replaced by Id." },
    { TEXT_003, "Theorem 4.3", "Consider an L -layer encoder-only or decoder-only transformer without "
      "normalization where all layers share the same block parameters." },
    { TEXT_003, "Theorem 4.3", "Then there exist modified weights $(\\tilde{E}, \\tilde{E}_P, "
      "\\tilde{W}_{head}, \\tilde{W}_{MLP_u}, \\tilde{W}_{MLP_d}, \\tilde{W}_K, \\tilde{W}_V, \\tilde{W}_O)$ "
      "such that the transformer with weights $(\\tilde{E}, \\tilde{E}_P, \\tilde{W}_{head}, "
      "\\tilde{W}_{MLP_u}, \\tilde{W}_{MLP_d}, \\text{Id}, \\tilde{W}_K, \\tilde{W}_V, \\tilde{W}_O)$ produces "
      "identical outputs to the original." },
    { TEXT_000, "Theorem 4.3", "Consider an -layer encoder-only or decoder-only transformer without "
      "normalization where all layers share the same block parameters." },
    { TEXT_000, "Theorem 4.3", "Then there exist modified weights such that the transformer with these weights "
      "produces identical outputs to the original." },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_T4_3 = {
    .id = "K-T4.3", .title = "weight-shared elimination",
    .where = "001 Theorem 4.2; 003 Theorem 4.3; 000 Theorem 4.3",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no normalization; all skips; untied head; one block for all layers; $W_Q \\in "
                  "\\mathrm{GL}(d)$",
    .assumes = "invertible W_Q",
    .construction = "$\\Theta = W_Q$: $\\tilde E = E\\Theta$, $\\tilde E_P = E_P\\Theta$, "
                    "$\\tilde W_{K,V,u} = \\Theta^{-1}W_{K,V,u}$, $\\tilde W_{O,d} = W_{O,d}\\Theta$, "
                    "$\\tilde W_{LM} = \\Theta^{-1}W_{LM}$",
    .why = "$B = \\Theta^{-1} \\circ \\tilde B \\circ \\Theta$, so $B^L = \\Theta^{-1} \\circ \\tilde B^L "
           "\\circ \\Theta$: between two copies of the block $\\Theta^{-1}$ meets $\\Theta$.",
    .models = "norm = none; shared = 1; tied = 0",
    .prepare = one_block, .parts = parts, .nparts = COUNT(parts), .depends = "K-T4.2 K-L-conjugate",
};
THEOREM_PROGRAM(K_T4_3)
