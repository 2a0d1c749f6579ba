/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r4.c - K-R4, must a tied head be untied when a query matrix is eliminated?
 *
 * Statement.  For tied models (head = E') the reduced model has to untie, for Theta^-1 E' with Theta = W_Q
 * is not (E Theta)' unless W_Q is orthogonal.
 *
 * What is true.  For Theta = W_Q, which the sentence speaks of, the condition is (W_Q^-1 - W_Q') E' = 0, and where E
 * has rank d it forces W_Q to be orthogonal.
 *
 * What needs a repair.  (1) Theta need not be W_Q.  Let W_Q = Omega diag(D_1 .. D_h) with Omega orthogonal and
 * D_a in GL(dk): not orthogonal in general, but its heads' column spaces are orthogonal to each other.
 * Proposition 3.2 moves D into the keys, W_K^a D_a'; what is left of W_Q is Omega, so Theta = Omega, and
 *     (E Omega)' = Omega' E' = Theta^-1 E':        the reduced head is the reduced embedding.
 * With one head every W_Q is so: Omega = I, K~ = K W_Q'.  (2) Where E has not rank d, even Theta = W_Q may do:
 * W_Q = diag(Omega, G), E = (E_1 | 0) is an example.
 *
 * So the head can stay tied if the heads' column spaces are orthogonal to each other; more in N13, where no such
 * condition is shown to be necessary.                                                                 */
#include "src/claim/reduce.h"

static void tied_head(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = sh->tied = true;
    sh->norm = NORM_NONE;
}

static void one_head(shape *sh)
{
    tied_head(sh);
    sh->h = sh->h_kv = 1;
    sh->dk = sh->scale_den = sh->d;
}

static shape two_heads(shape sh)                          /* where one head would make a control true */
{
    if (sh.h > 1) return sh;
    sh.h = sh.h_kv = sh.dk = 2;
    sh.d = 4;
    return sh;
}

/* W_Q = Omega D;  Q = Omega, K = W_K D' where D moved to the keys;  then the basis Theta. */
typedef struct { model M, R; } pair;

static pair reduce(trial *t, shape sh, bool diagonal, bool moved, norm_kind norm)
{
    scope *s = &t->s;
    const mat *block_of[MAX_HEADS];
    sh.norm = norm;
    pair p = { .M = model_random(s, sh) };
    const long d = p.M.s.d, dk = p.M.s.dk;
    for (long a = 0; a < p.M.s.h; a++) block_of[a] = mat_draw_at(s, "D", a, -1, dk, dk, mat_log2_fan_in(dk));
    const mat *Omega = mat_draw_orthogonal(s, "Omega", d);
    const mat *D = diagonal ? mat_blockdiag(s, p.M.s.h, block_of) : mat_draw_weight(s, "D", d, d);
    p.M.at[0].Q = mat_mul(s, Omega, D);
    model half = p.M;
    if (moved) {
        half.at[0].Q = Omega;
        half.at[0].K = mat_mul(s, p.M.at[0].K, mat_t(s, D));
    }
    p.R = gauge_uniform(s, &half, gauge_basis(s, half.at[0].Q));
    p.R.at[0].Q = mat_identity(s, d);
    return p;
}

/* The same in one layer of a model of any depth. */
static const mat *blocks_of(const layer_site *at)
{
    const mat *D[MAX_HEADS];
    for (long a = 0; a < at->sh.h; a++) D[a] = induction_layer_draw(at, "D", a, at->sh.dk, at->sh.dk);
    return mat_blockdiag(at->s, at->sh.h, D);
}
static void is_omega_D(const layer_site *at, layer *W) { W->Q = mat_mul(at->s, at->in.to, blocks_of(at)); }

static void D_to_keys(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    R->K = mat_mul(at->s, R->K, mat_t(at->s, blocks_of(at)));
}
static const layer_kind layers_of_kept[] = {
    { .name = "layer with W_Q = Omega D", .plant = is_omega_D, .reduce = D_to_keys,
      .facts = reduce_claim_query_identity }, OTHER_LAYER };
static const induction kept = {
    .kinds = layers_of_kept, .nkinds = 2, .bases = BASIS_ONE, .free = FREE_ORTHOGONAL };

static void not_orthogonal(trial *t, const mat *Q)
{
    claim_differs(t, "W_Q' W_Q and I", mat_mul(&t->s, mat_t(&t->s, Q), Q), mat_identity(&t->s, Q->rows));
}

static void witness(trial *t)
{
    const pair p = reduce(t, t->sh, true, true, NORM_NONE);
    not_orthogonal(t, p.M.at[0].Q);
    claim_decided(t, "the reduced model is tied", p.R.s.tied && !p.R.head);
    claim_same_function(t, &p.M, &p.R);
}

/* W_Q = diag(Omega, G) and E = (E_1 | 0): Theta = W_Q. */
static void low_rank(trial *t, bool low)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long d = M.s.d, r = d / 2;
    const mat *blocks[] = { mat_draw_orthogonal(s, "Omega", r), mat_draw_weight(s, "G", d - r, d - r) };
    M.at[0].Q = mat_blockdiag(s, 2, blocks);
    if (low) M.E = mat_hcat(s, 2, (const mat *const[]){ mat_cols(s, M.E, 0, r), mat_zero(s, M.s.V, d - r) });
    model R = gauge_uniform(s, &M, gauge_basis(s, M.at[0].Q));
    R.at[0].Q = mat_identity(s, d);
    not_orthogonal(t, M.at[0].Q);
    claim_decided(t, "the reduced model is tied", R.s.tied && !R.head);
    claim_same_function(t, &M, &R);
}

/* Theta = W_Q, and G in GL(d) are d independent rows of E: there the head W_Q^-1 E' and the embedding E W_Q differ by
 * (W_Q^-1 - W_Q') G', which gives back W_Q^-1 - W_Q'. */
static void head_of_query(trial *t, bool transposed)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *Q = mat_draw_weight(s, "W_Q", d, d), *G = mat_draw_weight(s, "G", d, d);
    const mat *head = mat_mul(s, mat_inv(s, Q), mat_t(s, G)), *embedding = mat_mul(s, G, Q);
    claim_reduced(t, 1, (const mat **[]){ &embedding });
    const mat *gap = mat_sub(s, head, transposed ? mat_t(s, embedding) : mat_mul(s, Q, mat_t(s, G)));
    claim_equal(t, "the gap of the head tells W_Q^-1 - W_Q'", mat_mul(s, gap, mat_inv(s, mat_t(s, G))),
                mat_sub(s, mat_inv(s, Q), mat_t(s, Q)));
}
static void exact_for_query(trial *t) { head_of_query(t, true); }
static void query_untransposed(trial *t) { head_of_query(t, false); }

/* One head: Theta = I. */
static void query_to_keys(const layer_site *at, const layer *W, layer *R)
{
    R->K = mat_mul(at->s, W->K, mat_t(at->s, W->Q));
    R->Q = mat_identity(at->s, at->sh.d);
}
static const layer_kind layers_of_single[] = {
    { .name = "layer with W_K W_Q'", .reduce = query_to_keys,
      .facts = reduce_claim_query_identity }, { .name = "layer left alone" } };
static const induction single = { .kinds = layers_of_single, .nkinds = 2, .bases = BASIS_NONE };

static void compare(trial *t, const pair p) { claim_same_function(t, &p.M, &p.R); }

static void rank_deficient(trial *t) { low_rank(t, true); }
static void full_rank(trial *t)      { low_rank(t, false); }
static void several_heads(trial *t)  { claim_built(t, two_heads(t->sh), &single); }
static void paper_theta(trial *t)    { compare(t, reduce(t, t->sh, true, false, NORM_NONE)); }
static void full_D(trial *t)         { compare(t, reduce(t, two_heads(t->sh), false, true, NORM_NONE)); }
static void layer_norm(trial *t)     { compare(t, reduce(t, t->sh, true, true, NORM_LAYER)); }

static const control theta[] = {
    { "theta-is-query", paper_theta, "$\\Theta = W_Q = \\Omega D$, as in the papers: $\\Theta\\Theta^\\top "
                                   "\\neq I$" },
    { "full-D",       full_D,      "$D$ mixes the heads: it cannot move to the keys" },
    { "layer-norm",   layer_norm,  "LayerNorm does not commute with $\\Omega$" },
};
static const control rank[]  = { { "full-rank-E", full_rank, "$E$ drawn, of full rank, and $\\Theta = W_Q$" } };
static const control heads[] = { { "two-heads", several_heads, "$W_QW_K^\\top$ is not one form but one per "
                                        "head" } };
static const control gap[]   = { { "untransposed", query_untransposed, "$W_QE^\\top$ for $(EW_Q)^\\top$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = witness, .no_large = true,
      .quantity = "the head", .shown_by = "the reduced model is tied",
      .statement = "the head need not be untied where $\\Theta$ is not $W_Q$: $W_Q = "
                   "\\Omega\\,\\mathrm{diag}(D_1,\\dots,D_h)$ is not orthogonal, and its reduced model is tied",
      .basis = "witness: tied models with equal logits", CONTROLS(theta),
      .without = "sym", .why_without = "sym never says that two matrices differ" },
    { .name = "as-stated-deficient-rank", .kind = PART_GAP, .run = rank_deficient, .no_large = true,
      .quantity = "\\Theta = W_Q", .shown_by = "the reduced model is tied",
      .no_minimal = true,                                 /* a head of low rank does not feel every entry */
      .statement = "nor with $\\Theta = W_Q$ where $\\mathrm{rank}\\,E < d$: $W_Q = "
                   "\\mathrm{diag}(\\Omega, G)$, $E = (E_1\\,|\\,0)$",
      .basis = "witness: tied models with equal logits", CONTROLS(rank),
      .without = "sym", .why_without = "sym never says that two matrices differ" },
    { .name = "corrected-query-basis", .kind = PART_IDENTITY, .run = exact_for_query, .no_large = true,
      .assumes = "invertible G; invertible W_Q",
      .statement = "with $\\Theta = W_Q$ and $\\mathrm{rank}\\,E = d$ the sentence is exact: any $d$ independent rows "
                   "$G$ of $E$ give $W_Q^{-1} - W_Q^\\top$ back from $W_Q^{-1}G^\\top - (GW_Q)^\\top$",
      CONTROLS(gap) },
    { .name = "corrected",
      .models = "d = h d_k; norm = none; h_kv = h; biases = 0; rope = 0; qk_norm = 0",
      .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &kept,
      .no_large = true,
      .assumes = "orthogonal Omega; constrained W_Q",
      .statement = "if $W_Q^j = \\Omega\\,\\mathrm{diag}(D_1,\\dots,D_h)$, $\\Omega$ orthogonal, as it is where the "
                   "heads' column spaces are mutually orthogonal, the reduced model with $\\tilde W_Q^j = I$ stays "
                   "tied",
      CONTROLS(theta) },
    { .name = "corrected-single-head",
      .models = "d = h d_k; biases = 0; rope = 0; qk_norm = 0",
      .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &single,
      .prepare = one_head, .no_large = true, .assumes = "h = 1",
      .statement = "with one head any $W_Q^j$: $\\Theta = I$, $\\tilde W_K^j = W_K^jW_Q^{j\\top}$",
      CONTROLS(heads) },
};
static const quotation quotes[] = {
    { TEXT_001, "Remark 2", "We note that in the case of tied LM head and embedding weights (), the "
      "single-layer reduced model must untie these weights to maintain functional equivalence. Specifically, "
      "the reduced model requires and , which satisfy unless is orthogonal." },
    { TEXT_003, "Remark 4", "With tied embedding/LM-head weights ($W_{LM} = E^\\top$), the reduced model must "
      "untie these weights to maintain equivalence, since $\\tilde{W}_{LM} = W_Q^{-1} E^\\top \\neq "
      "\\tilde{E}^\\top$ unless W_Q is orthogonal." },
    { TEXT_000, "Remark 4", "We note that in the case of tied LM head and embedding weights (), the "
      "single-layer reduced model must untie these weights to maintain functional equivalence. Specifically, "
      "the reduced model requires and , which satisfy unless is orthogonal." },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_R4 = {
    .id = "K-R4", .title = "untying the head",
    .where = "001 Remark 2; 003 Remark 4; 000 Remark 4",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no normalization; all skips; tied head",
    .construction = "$W_Q = \\Omega D$: $\\tilde W_K = \\Omega^\\top W_K D^\\top$, $\\Theta = \\Omega$",
    .why = "$\\Theta$ need not be $W_Q$: block-diagonal factors move to the keys first, and an orthogonal "
           "rest keeps $(E\\Theta)^\\top = \\Theta^{-1}E^\\top$.  For $\\Theta = W_Q$ and $\\mathrm{rank}\\,E = d$ "
           "the sentence is exact.",
    .prepare = tied_head, .parts = parts, .nparts = COUNT(parts), .depends = "K-T4.2 K-P3.2 N13",
};
THEOREM_PROGRAM(K_R4)
