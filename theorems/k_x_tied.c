/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_tied.c - K-X-tied, what the theorems do to tied heads.
 *
 * Statement.  Table 1: Theorems 4.2 and 4.3 are for untied heads (a tied model must be untied first), Theorem 4.4 is
 * for either, and a tied head stays tied.
 *
 * Construction.  Theorem 4.4: Theta_{L+1} = (Theta_1')^-1, the head is (E Theta_1)'.  Theorems 4.2 and 4.3: the reduced
 * model has a head of its own, W_LM = Theta^-1 E', which costs d V parameters to save d^2 in a layer.
 *
 * Why it works.  X_L Theta_{L+1} (E Theta_1)' = X_L E' iff Theta_{L+1} Theta_1' = I (where E has rank d).  With a
 * skip around every sublayer Theta_{L+1} = Theta_1 = Theta, hence this Theta must be orthogonal; without MLP skips
 * the last one is free.  All skips and a tied head go together where the spaces im(W_Q^a W_K^a') are mutually
 * orthogonal (K-R4, N13: sufficient, not necessary).  One such case is here: W_Q orthogonal.             */
#include "src/claim/reduce.h"

static void kept(shape *sh, reduction which)
{
    reduce_switches(sh, which);
    sh->tied = true;
}

static void attention_skip(shape *sh) { kept(sh, ATTENTION_SKIP); }
static void one_layer(shape *sh)      { kept(sh, ONE_LAYER); }
static void shared_block(shape *sh)   { kept(sh, SHARED_BLOCK); }
static void switches(shape *sh)       { attention_skip(sh); sh->biases = sh->gated = true; sh->rope = true; }

/* The tied model, reduced as if it were untied: W_LM = Theta^-1 E'. */
static void untie(shape *sh) { sh->tied = false; }

static void own_head(scope *s, const model *M, model *R, basis first, basis last)
{
    (void)first;
    R->head = mat_mul(s, last.from, mat_t(s, M->E));
}
static const layer_kind layers[] = { QUERY_LAYER, OTHER_LAYER };
static const induction untied_one = {
    .kinds = layers, .nkinds = 2, .bases = BASIS_ONE, .reshape = untie, .ends = own_head };
static const induction untied_shared = {
    .kinds = layers, .nkinds = 1, .bases = BASIS_ONE, .reshape = untie, .ends = own_head };
static void tied_one(trial *t)    { claim_built(t, t->sh, &reduction_one_layer); }
static void tied_shared(trial *t) { claim_built(t, t->sh, &reduction_shared_block); }

/* W_Q^1 = Omega orthogonal: Theta = Omega, all skips, still tied. */
static void is_basis(const layer_site *at, layer *W) { W->Q = at->in.to; }
static const layer_kind orthogonal_layers[] = {
    { .name = "layer whose W_Q = Omega becomes I", .plant = is_basis, .reduce = reduce_query_to_identity },
    OTHER_LAYER };
static const induction orthogonal_query = {
    .kinds = orthogonal_layers, .nkinds = 2, .bases = BASIS_ONE, .free = FREE_ORTHOGONAL };
static const induction any_query = { .kinds = orthogonal_layers, .nkinds = 2, .bases = BASIS_ONE };
static void not_orthogonal(trial *t) { claim_built(t, t->sh, &any_query); }

/* Theorem 4.4 with another last basis. */
static const mat *inverse(scope *s, const shape *sh, basis first)  { (void)s; (void)sh; return first.from; }
static const mat *identity(scope *s, const shape *sh, basis first) { (void)first; return mat_identity(s, sh->d); }
static const induction to_inverse  = { .kinds = layers, .nkinds = 1, .bases = BASIS_EACH, .last = inverse };
static const induction to_identity = { .kinds = layers, .nkinds = 1, .bases = BASIS_EACH, .last = identity };
static void untransposed(trial *t)  { claim_built(t, t->sh, &to_inverse); }
static void last_identity(trial *t) { claim_built(t, t->sh, &to_identity); }

static const control last[] = {
    { "untransposed",  untransposed,  "$\\Theta_{L+1} = \\Theta_1^{-1}$, without the transpose" },
    { "last-identity", last_identity, "$\\Theta_{L+1} = I$, as for untied heads" },
};
static const control one[]    = { { "still-tied", tied_one, "the reduced head is $(E\\Theta)^\\top$" } };
static const control shared[] = { { "still-tied", tied_shared, "the reduced head is $(E\\Theta)^\\top$" } };
static const control orth[]   = { { "not-orthogonal", not_orthogonal, "$W_Q^j$ is not orthogonal" } };
static const part parts[] = {
    INDUCTIVE_PART("as-stated", reduction_attention_skip, attention_skip, .assumes = "invertible W_Q",
                 CONTROLS(last),
                 .statement = "Theorem 4.4, tied: all $\\tilde W_Q^i = I$, and the head is still $\\tilde E^\\top$"),
    INDUCTIVE_PART("as-stated-all", reduction_attention_skip, switches, .assumes = "invertible W_Q",
                 CONTROLS(last),
                 .statement = "the same with biases, gated MLPs and rotary positions"),
    INDUCTIVE_PART("as-stated-theorem-4.2", untied_one, one_layer, .models = "norm = none; tied = 1",
                   .assumes = "invertible W_Q",
                 CONTROLS(one),
                 .statement = "Theorem 4.2 on a tied model: exact with a head of its own, $\\tilde W_{LM} = "
                              "\\Theta^{-1}E^\\top$"),
    INDUCTIVE_PART("as-stated-theorem-4.3", untied_shared, shared_block, .models = "norm = none; shared = 1; tied = 1",
                   .assumes = "invertible W_Q",
                 CONTROLS(shared),
                 .statement = "Theorem 4.3 on a tied model, likewise"),
    INDUCTIVE_PART("as-stated-orthogonal", orthogonal_query, one_layer, .models = "d = h d_k; norm = none",
                   .assumes = "orthogonal Omega; constrained W_Q",
                 CONTROLS(orth),
                 .statement = "Theorem 4.2 keeps the head tied where $W_Q^j = \\Omega$ is orthogonal (more cases: "
                              "K-R4, N13)"),
};
static const quotation quotes[] = {
    { TEXT_001, "proof of Theorem 4.1", "In the case of tied weights, we have , so: yielding exactly the same "
      "final output logits in both the reduced and the original model." },
    { TEXT_003, "Section 2", "Our theoretical work addresses both the tied and untied regimes." },
    { TEXT_003, "Appendix F", "For tied weights, $\\tilde{W}_{\\text{LM}} = \\Theta_1^\\top E^\\top$ gives $X_L "
      "\\Theta_{L+1} \\tilde{W}_{\\text{LM}} = X_L W_{\\text{LM}}$." },
    { TEXT_000, "Section 2", "Our theoretical work addresses both the tied and untied regimes." },
    { TEXT_000, "proof of Theorem 4.2", "In the tied case, , so: yielding identical final logits." },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_X_TIED = {
    .id = "K-X-tied", .title = "tied heads",
    .where = "001 Section 4; 003 Sections 2 and 4, Table 1, Appendix F; 000 Section 2 and Theorem 4.2",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "head $W_{LM} = E^\\top$; otherwise as Theorems 4.2, 4.3, 4.4, the $W_Q$ that become $I$ in "
                  "$\\mathrm{GL}(d)$",
    .construction = "$\\Theta_{L+1} = (\\Theta_1^\\top)^{-1}$ (Theorem 4.4); $\\tilde W_{LM} = \\Theta^{-1}E^\\top$, "
                    "a head of its own (Theorems 4.2, 4.3)",
    .why = "$X_L\\Theta_{L+1}(E\\Theta_1)^\\top = X_LE^\\top$ needs $\\Theta_{L+1}\\Theta_1^\\top = I$.  Without MLP "
           "skips $\\Theta_{L+1}$ is free to be that; with all skips $\\Theta_{L+1} = \\Theta_1$, so $\\Theta$ must "
           "be orthogonal or the head must be untied.",
    .models = "norm = none; mlp_skip = 0; parallel = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-T4.3 K-T4.4 K-R4 N13",
};
THEOREM_PROGRAM(K_X_TIED)
