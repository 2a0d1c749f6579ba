/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_l_intertwine.c - K-L-intertwine, a block with a skip around attention only changes bases.
 *
 * Statement.  For a block B without normalization and with a skip around attention only, with
 * Theta = W_Q in GL(d) and any Theta' in GL(d), there is a block B~ of the same form with W~_Q = I and
 *     B(X) = B~(X Theta) Theta'^-1        for all X.
 * More is true: for any pair Theta, Theta' in GL(d), W_Q invertible or not, with W~_Q = Theta^-1 W_Q.
 *
 * Construction.  K~, V~, up~ = Theta^-1 (K, V, up),   O~ = O Theta,   down~ = down Theta'.
 *
 * Why it works.  Attention reads X Theta through Theta^-1 and so computes what it did; O~ writes the
 * result in the basis Theta, in which the skip carries X.  The MLP reads its input through Theta^-1;
 * as no skip goes around it, only down~ decides the basis of what comes out.  X is free, so the lemma
 * is about functions, not about the inputs that some embedding can reach.                             */
#include "src/claim/claim.h"

static void attention_skip_only(shape *sh)
{
    sh->attn_skip = true;
    sh->mlp_skip = false;
    sh->norm = NORM_NONE;
    sh->L = 1;
}

static basis drawn(scope *s, const char *name, long d)
{
    return gauge_basis(s, mat_draw_weight(s, name, d, d));
}

/* Over q neurons are ReLUs and may be dead for all tokens: then up and down have no effect. */
static void name_reduced(trial *t, layer *W)
{
    const bool dead = t->sh.act == ACT_RELU && claim_over(t, OVER_ORDERED);
    claim_reduced(t, dead ? 4 : 6, (const mat **const[]){ &W->Q, &W->K, &W->V, &W->O, &W->expert[0].up,
                                                          &W->expert[0].down });
}

static void intertwined(trial *t, const model *M, basis in, basis mid, basis out, bool query_is_in)
{
    model R = gauge_stream(&t->s, M, (basis[]){ in, mid, out });
    if (query_is_in) R.at[0].Q = mat_identity(&t->s, M->s.d);
    name_reduced(t, &R.at[0]);
    claim_step(t, M, &R, 0, in, out);
}

static void query(trial *t)
{
    model M = model_random(&t->s, t->sh);
    const basis in = gauge_basis(&t->s, M.at[0].Q), out = drawn(&t->s, "Theta'", M.s.d);
    intertwined(t, &M, in, in, out, true);
}

static void any_pair_of(trial *t, shape sh, bool mixed)
{
    model M = model_random(&t->s, sh);
    const basis in = drawn(&t->s, "Theta", M.s.d), out = drawn(&t->s, "Theta'", M.s.d);
    intertwined(t, &M, in, mixed ? out : in, out, false);
}

static void any_pair(trial *t)    { any_pair_of(t, t->sh, false); }
static void mixed_bases(trial *t) { any_pair_of(t, t->sh, true); }
static void mlp_skip(trial *t)    { shape sh = t->sh; sh.mlp_skip = true;   any_pair_of(t, sh, false); }
static void rms_norm(trial *t)    { shape sh = t->sh; sh.norm = NORM_RMS;   any_pair_of(t, sh, false); }
static void layer_norm(trial *t)  { shape sh = t->sh; sh.norm = NORM_LAYER; any_pair_of(t, sh, false); }

/* W~_Q = I although Theta is not W_Q. */
static void another_theta(trial *t)
{
    model M = model_random(&t->s, t->sh);
    const basis in = drawn(&t->s, "Theta", M.s.d), out = drawn(&t->s, "Theta'", M.s.d);
    intertwined(t, &M, in, in, out, true);
}

static const control wrong_theta[] = {
    { "another-theta", another_theta, "$\\tilde W_Q = I$ although $\\Theta \\neq W_Q$" },
};
static const control hypotheses[] = {
    { "mlp-skip-kept", mlp_skip,    "an MLP skip carries the basis $\\Theta$ past $\\tilde W_d$" },
    { "mixed-bases",   mixed_bases, "$\\tilde W_O = W_O\\Theta'$ does not add to $X\\Theta$" },
    { "rms-norm",      rms_norm,    "RMSNorm does not commute with $\\Theta$" },
    { "layer-norm",    layer_norm,  "LayerNorm does not commute with $\\Theta$" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = query, .no_large = true,
      .assumes = "invertible Theta'; invertible W_Q",
      .statement = "for $\\Theta = W_Q \\in \\mathrm{GL}(d)$ and any $\\Theta' \\in \\mathrm{GL}(d)$: "
                   "$B(X) = \\tilde B(X\\Theta)\\Theta'^{-1}$ for all $X$, with $\\tilde W_Q = I$",
      CONTROLS(wrong_theta) },
    { .name = "as-stated-any", .kind = PART_IDENTITY, .run = any_pair, .no_large = true,
      .assumes = "invertible Theta; invertible Theta'",
      .statement = "for any pair $\\Theta, \\Theta' \\in \\mathrm{GL}(d)$ the same, with $\\tilde W_Q = "
                   "\\Theta^{-1}W_Q$; $W_Q$ need not be invertible",
      CONTROLS(hypotheses) },
};
static const quotation quotes[] = {
    { TEXT_001, "proof of Theorem 4.1", "With these modified weights, the output of layer in the modified model "
      "is: where the transition from line 3 to line 4 applies the Reparametrization Lemma to ." },
    { TEXT_003, "Appendix F", "be the i -th block with weights $(W_Q^i, W_K^i, W_V^i, W_O^i, "
      "W_{\\text{MLP}_u}^i, W_{\\text{MLP}_d}^i)$, skip around attention only: $$B_i(X) = \\phi((X + "
      "\\mathcal{S}_c(X, W_Q^i, W_K^i, W_V^i)W_O^i) \\cdot W_{\\text{MLP}_u}^i)W_{\\text{MLP}_d}^i$$ Then for "
      "$\\Theta_i = W_Q^i$ and any $\\Theta_{i+1} \\in \\text{GL}(d)$, there exists a reduced block "
      "\\tilde{B}_i with $\\tilde{W}_Q^i = I_d$ such that: $$B_i(X) = \\tilde{B}_i(X \\cdot \\Theta_i) \\cdot "
      "\\Theta_{i+1}^{-1}$$" },
    { TEXT_000, "Lemma 8.5", "Then for and any , there exists a reduced block with weights such that the "
      "following intertwining relation holds for all :" },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_L_INTERTWINE = {
    .id = "K-L-intertwine", .title = "attention-skip-only block intertwining",
    .where = "001 proof of Theorem 4.1; 003 Appendix F; 000 Lemma 8.5",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no normalization; a skip around attention only",
    .construction = "$\\tilde W_{Q,K,V,u} = \\Theta^{-1}W_{Q,K,V,u}$, $\\tilde W_O = W_O\\Theta$, "
                    "$\\tilde W_d = W_d\\Theta'$",
    .why = "Attention and its skip stay in the basis $\\Theta$; no skip goes around the MLP, so $\\tilde "
           "W_d$ alone decides the basis of the output.",
    .models = "norm = none; mlp_skip = 0; parallel = 0",
    .prepare = attention_skip_only, .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1",
};
THEOREM_PROGRAM(K_L_INTERTWINE)
