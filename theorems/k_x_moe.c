/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_moe.c - K-X-moe, query weight elimination with a mixture of experts.
 *
 * Statement.  "since gating operates outside attention" (001), "elimination applies per-expert" (003); 000 says that
 * the reduction extends to them.
 *
 * What is true.  It does extend, with every expert rewritten as in the theorems.
 *
 * What the texts leave out.  The router has to be rewritten, too.  It reads the stream, as queries do: its scores are
 * Y W_r.  In the basis Theta it sees Y Theta, so with W_r left alone the experts get other weights.  Smallest case: one
 * token Y = (1, 0), two experts, W_r = I, Theta = (0, 1; 1, 0): the scores (1, 0) become (0, 1), the experts are
 * exchanged.  Nor is anything done per expert: all experts read and write one stream, so one Theta serves all, and an
 * expert in a basis of its own breaks the sum.
 *
 * Corrected.  With W_r~ = Theta^-1 W_r, and W_u, W_d of every expert as in the theorems, Theorems 4.2, 4.3 and
 * 4.4 hold for any number of experts, gated or not, and for any rule that turns scores into weights.        */
#include "src/claim/reduce.h"

static void experts(shape *sh, reduction which)
{
    reduce_switches(sh, which);
    sh->experts = 3;
}

static void one_layer(shape *sh)      { experts(sh, ONE_LAYER); }
static void shared_block(shape *sh)   { experts(sh, SHARED_BLOCK); }
static void attention_skip(shape *sh) { experts(sh, ATTENTION_SKIP); }
static void gated(shape *sh)          { one_layer(sh); sh->gated = true; }

static model_pair router_alone(trial *t)
{
    model_pair r = reduce_queries(&t->s, &t->sh, ONE_LAYER);
    r.R.at[0].router = r.M.at[0].router;
    return r;
}

/* The case by hand, and whole models: the logits differ. */
static void router_matters(trial *t)
{
    scope *s = &t->s;
    const mat *Y = mat_from_si(s, 1, 2, (long[]){ 1, 0 }), *Theta = mat_from_si(s, 2, 2, (long[]){ 0, 1, 1, 0 });
    const mat *I = mat_identity(s, 2), *seen = mat_mul3(s, Y, Theta, I);
    claim_equal(t, "Y Theta W_r = (0, 1)", seen, mat_from_si(s, 1, 2, (long[]){ 0, 1 }));
    claim_differs(t, "router scores", mat_mul(s, Y, I), seen);
    const model_pair r = router_alone(t);
    claim_differs(t, "logits", model_forward(s, &r.M), model_forward(s, &r.R));
}

static void router_changed(trial *t)
{
    const model_pair r = reduce_queries(&t->s, &t->sh, ONE_LAYER);
    claim_differs(t, "logits", model_forward(&t->s, &r.M), model_forward(&t->s, &r.R));
}

static void router_left(trial *t)
{
    model_pair r = reduce_by_table(t);
    r.R.at[0].router = r.M.at[0].router;
    claim_same_function(t, &r.M, &r.R);
}

/* Expert 1 of layer 0 in a basis of its own: it reads and writes what the others do not. */
static void own_basis(trial *t)
{
    scope *s = &t->s;
    model_pair r = reduce_by_table(t);
    const basis own = gauge_basis(s, mat_draw_weight(s, "own", r.M.s.d, r.M.s.d));
    mlp *bad = &r.R.at[0].expert[1];
    bad->up = mat_mul(s, own.from, r.M.at[0].expert[1].up);
    bad->down = mat_mul(s, r.M.at[0].expert[1].down, own.to);
    claim_same_function(t, &r.M, &r.R);
}

static void expert_left(trial *t)
{
    model_pair r = reduce_by_table(t);
    r.R.at[0].expert[2] = r.M.at[0].expert[2];
    claim_same_function(t, &r.M, &r.R);
}

static void gate_left(trial *t)
{
    model_pair r = reduce_by_table(t);
    r.R.at[0].expert[1].gate = r.M.at[0].expert[1].gate;
    claim_same_function(t, &r.M, &r.R);
}

static const control repaired[] = { { "router-changed", router_changed, "with $\\tilde W_r = \\Theta^{-1}W_r$ the "
                                                                        "logits are equal" } };
static const control slips[] = {
    { "router-left-alone", router_left, "$\\tilde W_r = W_r$" },
    { "own-basis",         own_basis,   "one expert in a basis of its own" },
    { "expert-left-alone", expert_left, "one expert is not rewritten" },
};
static const control gated_slips[] = {
    { "router-left-alone", router_left, "$\\tilde W_r = W_r$" },
    { "own-basis",         own_basis,   "one expert in a basis of its own, but for its gate" },
    { "gate-left-alone",   gate_left,   "the gate of one expert is not rewritten" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = router_matters, .prepare = one_layer,
      .quantity = "\\tilde W_r", .shown_by = "logits",
      .no_large = true, .no_minimal = true,
      .statement = "the router must be rewritten, too: with $\\tilde W_r = W_r$ the logits differ; "
                   "$Y = (1, 0)$, $W_r = I$, $\\Theta = (0, 1; 1, 0)$ exchanges two experts",
      .basis = "witness: with the router left alone the function is another one",
      CONTROLS(repaired),
      .without = "sym", .why_without = "sym never says that two matrices differ" },
    INDUCTIVE_PART("corrected", reduction_one_layer, one_layer, .assumes = "invertible W_Q",
                 CONTROLS(slips),
                 .statement = "Theorem 4.2 with one $\\Theta$ for all experts and $\\tilde W_r = \\Theta^{-1}W_r$"),
    INDUCTIVE_PART("corrected-theorem-4.3", reduction_shared_block, shared_block,
                   .models = "norm = none; shared = 1; tied = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(slips),
                 .statement = "Theorem 4.3 likewise"),
    INDUCTIVE_PART("corrected-theorem-4.4", reduction_attention_skip, attention_skip,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(slips),
                 .statement = "Theorem 4.4 likewise, $\\tilde W_r^i = \\Theta_i^{-1}W_r^i$"),
    INDUCTIVE_PART("corrected-with-gated-mlp", reduction_one_layer, gated, .assumes = "invertible W_Q",
                 CONTROLS(gated_slips),
                 .statement = "Theorem 4.2 likewise, with gated experts"),
};
static const quotation quotes[] = {
    { TEXT_001, "Section 6", "For Mixture-of-Experts [JJNH91, SMM+17, LLX+21, FZS21, DHD+22, Mis23, OAA+25, "
      "Tea25], elimination applies per-expert since gating operates outside attention." },
    { TEXT_003, "Section 6", "and Mixture-of-Experts (elimination applies per-expert)." },
    { TEXT_000, "Section 6", "Mixture-of-Experts [jacobs1991adaptive, shazeer2017outrageously], as well as "
      "QK-normalization" },
};
static const quotation standing[] = {
    MECHANISM_EXTENDS,
};
static const claim K_X_MOE = {
    .id = "K-X-moe", .title = "mixture of experts",
    .where = "001 Sections 6 and 7; 003 Section 6; 000 Section 6",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "as Theorems 4.2, 4.3, 4.4, the $W_Q$ that become $I$ in $\\mathrm{GL}(d)$; MLPs weighed by a "
                  "router that reads the stream",
    .construction = "$\\tilde W_r = \\Theta^{-1}W_r$; every expert $\\tilde W_u = \\Theta^{-1}W_u$, $\\tilde W_d = "
                    "W_d\\Theta'$",
    .why = "What the texts do not say is that the router is rewritten, as well.  It reads the stream as queries do: "
           "in the basis $\\Theta$ its scores are $Y\\Theta W_r$ instead of $YW_r$.  One token $Y = (1, 0)$, $W_r = "
           "I$ and $\\Theta = (0, 1; 1, 0)$: the scores $(1, 0)$ become $(0, 1)$ and two experts are exchanged.  "
           "$\\tilde W_r = \\Theta^{-1}W_r$, as for every matrix that reads the stream, and one $\\Theta$ serves all "
           "experts: with that the elimination extends to any number of them.",
    .models = "norm = none; tied = 0",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-T4.3 K-T4.4",
};
THEOREM_PROGRAM(K_X_MOE)
