/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_trm.c - K-TRM, is the weight-shared theorem applicable to Tiny Recursion Models as they are?
 *
 * Statement.  TRM applies one block of two layers again and again, normalizes by RMSNorm and unties its
 * head; the papers say that their analysis covers RMSNorm and that query elimination applies directly.
 *
 * Why it is not so.  K-T4.3 needs two things that such a model has not.  (1) No normalization: RMSNorm
 * commutes with orthogonal Theta only.  (2) One W_Q: the block that is shared consists of two layers,
 * so its stream has one basis Theta for the two matrices W_Q^1, W_Q^2.  The parts run the theorem's
 * construction where both hypotheses fail, and where either one does.  That a construction fails does
 * not prove that none succeeds; for that see the rank deficits of K-R3 and K-R7.  Norms stand before
 * attention and MLP, as in the papers' own blocks.
 *
 * What is true.  Without normalization the block of two layers is one block in the sense of
 * K-L-conjugate: with Theta = W_Q^1 (or W_Q^2) one of its two query matrices becomes the identity, in
 * all its copies: I, Q, I, Q, ...                                                                      */
#include "src/claim/reduce.h"

static void recursive(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = true;
    sh->norm = NORM_NONE;
    sh->act = ACT_SILU;
    sh->shared = 2;
    sh->L = 4;
}

/* Theta = W_Q of layer j; `which`: bit b says that layer b of the pair gets the identity. */
static void eliminate(trial *t, shape sh, long j, unsigned which)
{
    scope *s = &t->s;
    model M = model_random(s, sh);
    const basis Theta = gauge_basis(s, M.at[j].Q);
    model R = gauge_uniform(s, &M, Theta);
    for (long i = 0; i < sh.L; i++) {
        R.at[i] = R.at[shape_block(&M.s, i)];
        if (which >> shape_block(&M.s, i) & 1) R.at[i].Q = mat_identity(s, M.s.d);
    }
    claim_same_function(t, &M, &R);
}

static const layer_kind layers[] = { QUERY_LAYER, OTHER_LAYER };
static long second_chooses(const shape *sh, long i) { (void)sh; return i != 1; }
static const induction first  = { .kinds = layers, .nkinds = 2, .bases = BASIS_ONE };
static const induction second = { .kinds = layers, .nkinds = 2, .bases = BASIS_ONE, .kind_of = second_chooses };

enum { FIRST = 1, SECOND = 2, BOTH = 3 };

static shape with_norm(shape sh, norm_kind norm) { sh.norm = norm; return sh; }
static shape with_tied_head(shape sh)            { sh.tied = true; return sh; }
static shape one_layer_shared(shape sh)          { sh.shared = 1; return sh; }

static void as_they_are(trial *t)  { eliminate(t, with_norm(t->sh, NORM_RMS), 0, BOTH); }
static void only_norm(trial *t)    { eliminate(t, with_norm(one_layer_shared(t->sh), NORM_RMS), 0, BOTH); }
static void only_period(trial *t)  { eliminate(t, t->sh, 0, BOTH); }

static void second_too(trial *t)   { eliminate(t, t->sh, 1, BOTH); }
static void other_one(trial *t)    { eliminate(t, t->sh, 0, SECOND); }
static void rms_norm(trial *t)     { eliminate(t, with_norm(t->sh, NORM_RMS), 0, FIRST); }
static void layer_norm(trial *t)   { eliminate(t, with_norm(t->sh, NORM_LAYER), 0, FIRST); }
static void tied(trial *t)         { eliminate(t, with_tied_head(t->sh), 0, FIRST); }

static const control first_controls[] = {
    { "both-identity", only_period, "one $\\Theta$ for two $W_Q$" },
    { "rms-norm",      rms_norm,    "RMSNorm does not commute with $\\Theta$, not even for one layer of the "
                                    "pair" },
    { "layer-norm",    layer_norm,  "LayerNorm does not commute with $\\Theta$" },
    { "tied",          tied,        "a tied head stays tied: $\\Theta\\Theta^\\top$ is left over" },
};
static const control second_controls[] = {
    { "both-identity", second_too, "one $\\Theta$ for two $W_Q$" },
    { "other-theta",   other_one,  "$\\Theta = W_Q^1$ makes $W_Q^1$ the identity, not $W_Q^2$" },
};
#define FAILS(title, body, text) \
    { .name = title, .kind = PART_HYPOTHESIS, .run = body, .statement = text, .no_large = true, \
      .quantity = "\\tilde W_Q", .shown_by = "logits", \
      .no_minimal = true, .basis = "the construction fails; that none works is K-R3 and K-R7", \
      .without = "q sym", .why_without = "q has no square roots, sym never refutes" }
static const part parts[] = {
    FAILS("as-stated", as_they_are, "two layers shared in turn and RMSNorm: all $\\tilde W_Q^i = I$ from "
                                    "$\\Theta = W_Q^1$"),
    FAILS("as-stated-norm", only_norm, "one layer shared, but RMSNorm: $\\tilde W_Q = I$ from $\\Theta = W_Q$"),
    FAILS("as-stated-two", only_period, "no norm, but two layers shared in turn: all $\\tilde W_Q^i = I$ "
                                        "from $\\Theta = W_Q^1$"),
    { .name = "corrected", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &first,
      .no_large = true,
      .assumes = "invertible W_Q",
      .statement = "no norm, two layers shared in turn, $W_Q^1 \\in \\mathrm{GL}(d)$: $W_Q$ becomes $I, "
                   "\\cdot, I, \\cdot$ with $\\Theta = W_Q^1$",
      CONTROLS(first_controls) },
    { .name = "corrected-second-layer", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &second,
      .no_large = true,
      .assumes = "invertible W_Q",
      .statement = "the same with $\\Theta = W_Q^2 \\in \\mathrm{GL}(d)$: $W_Q$ becomes $\\cdot, I, \\cdot, I$",
      CONTROLS(second_controls) },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 2", "Recursive models such as Tiny Recursion Models (TRM) (Jolicoeur-Martineau, 2025), "
      "which apply a 2-layer block repeatedly, are natural candidates for Query weight elimination under "
      "Theorem 4.3. TRM uses RMSNorm, which our analysis covers (see Appendix C). Interestingly, "
      "Jolicoeur-Martineau (2025) found that embedding-head tying degraded performance, so TRM uses untied "
      "weights, satisfying our untying requirement and making Query weight elimination directly applicable." },
    { TEXT_000, "Section 2", "Recursive models such as Tiny Recursion Models (TRM) [jolicoeurmartineau2025trm], "
      "which apply a 2-layer block repeatedly, are natural candidates for Query weight elimination under our "
      "weight-sharing theorem. TRM uses RMSNorm, which our analysis covers (see Section 8.3). Interestingly, "
      "the TRM authors found that embedding-head tying degraded performance, so TRM uses untied weights, "
      "satisfying our untying requirement and making Query weight elimination directly applicable." },
};
static const quotation standing[] = {
    { TEXT_003, "Theorem 4.3", "transformer without normalization where all layers share the same block "
      "parameters" },
    { TEXT_000, "Theorem 4.3", "transformer without normalization where all layers share the same block "
      "parameters" },
};
static const claim K_TRM = {
    .id = "K-TRM", .title = "elimination in Tiny Recursion Models",
    .where = "003 Section 2; 000 Section 2",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "all skips; untied head; two layers shared in turn; as stated RMSNorm, corrected no "
                  "normalization",
    .construction = "$\\Theta = W_Q$ of one layer of the pair: $\\tilde E = E\\Theta$, $\\tilde W_{Q,K,V,u}^i = "
                    "\\Theta^{-1}W_{Q,K,V,u}^i$, $\\tilde W_{O,d}^i = W_{O,d}^i\\Theta$, $\\tilde W_{LM} = "
                    "\\Theta^{-1}W_{LM}$",
    .why = "K-T4.3 needs a model without normalization and with one $W_Q$.  A shared pair of layers has one basis for "
           "two query matrices, and RMSNorm commutes with orthogonal $\\Theta$ only.  The program has the norms "
           "before the sublayers, as the analysis of the papers has them; the public code of TRM "
           "(SamsungSAILMontreal/TinyRecursiveModels, models/recursive\\_reasoning/trm.py at commit 0affd0dc) "
           "normalizes after each residual sum, without a gain, and by default rotates queries and keys, which makes "
           "the construction no more applicable.",
    .models = "norm = none; tied = 0",
    .prepare = recursive, .parts = parts, .nparts = COUNT(parts), .depends = "K-T4.3 K-R3 K-R7",
};
THEOREM_PROGRAM(K_TRM)
