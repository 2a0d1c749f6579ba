/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r3.c - K-R3, why not all layers at once.
 *
 * Statement.  The MLP's skip connection forces the bases on its two sides to be equal; that "admits two
 * solutions": share the weights, or remove the MLP skip.
 *
 * What is true.  Both are solutions (K-T4.3, K-T4.4).
 *
 * What is left out.  There are more.  What forces equal bases is a stream that no sublayer interrupts.  Remove the
 * attention skip and keep the MLP skip: W_O^i may write in another basis than W_Q^i reads,
 *     E~ = E Theta_1,   K~ = Theta_i^-1 K,   V~ = Theta_i^-1 V,   O~ = O Theta_{i+1},
 *     up~ = Theta_{i+1}^-1 up,   down~ = down Theta_{i+1},
 * and with Theta_i = W_Q^i all W_Q are the identity, no weight is shared and every MLP keeps its skip.
 * Another way out is a wider MLP (N6): d more neurons absorb the change of basis across a skip.
 *
 * Corrected.  With all skips, no sharing and the same width, weights in general position: the functions with
 * W_Q = I in all layers have codimension exactly (L-1)(d^2 - h dk^2) among all functions of the model.  For
 * h > 1 and L > 1 that is not 0; for h = 1 it is (Proposition 4.1).  */
#include "src/claim/shapes.h"
#include "src/methods/rank/dimension_claim.h"
#include "src/claim/reduce.h"

static void unshared(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = true;
    sh->norm = NORM_NONE;
    sh->tied = false;
    sh->shared = 0;
}

/* All W_Q = I although every MLP keeps its skip: the bases change across the attention. */
static void without_attention_skip(shape *sh)
{
    unshared(sh);
    sh->attn_skip = false;
}

static void codimension(trial *t, dimension_of full, long error)
{
    const shape *sh = &full.sh;
    const long lost = (sh->L - 1) * (sh->d * sh->d - sh->h * sh->dk * sh->dk);
    claim_deficit(t, "(L-1)(d^2 - h dk^2)", &full, ((uint64_t)1 << sh->L) - 1, lost + error);
}

static void exact_codimension(trial *t) { codimension(t, (dimension_of){ .sh = t->sh }, 0); }
static void one_off(trial *t)           { codimension(t, (dimension_of){ .sh = t->sh }, 1); }

/* Either of the two solutions, or the third, makes the loss 0: one a trial.  With all skips kept and nothing shared
 * (taken = false) it is not 0. */
static void solution(trial *t, bool taken)
{
    static const char *const name[] = { "no MLP skip", "no attention skip", "shared" };
    const long k = t->number % 3;
    shape sh = t->sh;
    sh.mlp_skip = !(taken && k == 0);
    sh.attn_skip = !(taken && k == 1);
    sh.shared = taken && k == 2;
    const uint64_t all = ((uint64_t)1 << sh.L) - 1;
    claim_deficit(t, name[k], &(dimension_of){ .sh = sh }, all, 0);
}
static void three_solutions(trial *t) { solution(t, true); }

static void no_solution(trial *t)
{
    if (t->sh.h == 1) scope_not_here(&t->s, REASON_NO_QUESTION, "one head loses nothing");
    else solution(t, false);
}

static const control wrong[] = { { "one-more", one_off, "the codimension plus 1" } };
static const control kept[]  = { { "all-skips", no_solution, "all skips kept, nothing shared, $h > 1$" } };
#define FIELD_ONLY .no_minimal = true, RANKS_OVER_FIELD, .basis = BY_TWO_RANKS
static const shape_case shapes[] = {
    { .sh = RANK_SHAPE(4, 2, 2) }, { .sh = RANK_SHAPE(3, 1, 2) }, { .sh = RANK_SHAPE(4, 4, 2) },
    { .sh = RANK_SHAPE(4, 2, 3), .large = true },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = claim_by_induction, .no_large = true,
      .quantity = "\\tilde W_Q^i", .shown_by = "logits",
      .prepare = without_attention_skip, .induction = &reduction_attention_skip,
      .assumes = "invertible W_Q",
      .statement = "a third solution: no attention skip, every MLP with its skip, no weight shared, all $W_Q^i \\in "
                   "\\mathrm{GL}(d)$: all $\\tilde W_Q^i = I$",
      .basis = "witness: the same function, exact" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = exact_codimension, FIELD_ONLY,
      .statement = "all skips, unshared, same width: $\\{W_Q^l = I\\ \\forall l\\}$ has codimension "
                   "$(L-1)(d^2-hd_k^2)$ in function space", CONTROLS(wrong) },
    { .name = "corrected-zero", .kind = PART_IDENTITY, .run = three_solutions, FIELD_ONLY,
      .statement = "without MLP skip, without attention skip, or shared: codimension $0$",
      CONTROLS(kept) },
};
static const quotation quotes[] = {
    { TEXT_003, "Remark 3", "However, the MLP skip connection forces same-basis intertwining: "
      "$\\widetilde{\\text{MLP}}_i(Z\\Theta) + Z\\Theta = (\\text{MLP}_i(Z) + Z)\\Theta$. This admits two "
      "solutions: (i) share weights so $\\Theta_i = \\Theta$ for all i (Theorem 4.3), or (ii) remove the MLP "
      "skip, allowing $W_{\\text{MLP}_d}^i$ to transform between bases (Theorem 4.4)." },
    { TEXT_000, "Remark 1", "However, the MLP skip connection forces intertwining (same basis in and out): This "
      "constraint admits two solutions: (i) remove the MLP skip, allowing to transform between bases (Theorem "
      "4.2), or (ii) share weights so for all (Theorem 4.3)." },
    { TEXT_000, "Remark 3", "We can extend the result to the model without normalization but with all the skip "
      "connections (around the Attention and around the MLP) but then we can only reliably fix a single" },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_R3 = {
    .id = "K-R3", .title = "why not all layers: more than two solutions",
    .where = "003 Remark 3; 000 Remarks 1 and 3",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "no normalization; untied head; as corrected: MLPs of the same width, weights in general position",
    .construction = "$\\Theta_i = W_Q^i$: $\\tilde W_O^i = W_O^i\\Theta_{i+1}$, $\\tilde W_u^i = "
                    "\\Theta_{i+1}^{-1}W_u^i$, $\\tilde W_d^i = W_d^i\\Theta_{i+1}$",
    .why = "The remark names two ways out, and both are (K-T4.3, K-T4.4).  There is a third that it does not name "
           "(N2): without the attention skip $\\tilde W_O^i = W_O^i\\Theta_{i+1}$ changes the basis where attention "
           "writes, so that both sides of the MLP skip have the same basis $\\Theta_{i+1}$; nothing is shared and no "
           "MLP skip is removed.  With all skips, $d=4$, $h=2$, $L=2$, imposing $W_Q=I$ twice loses "
           "$(L-1)(d^2-hd_k^2) = 16 - 8 = 8$ dimensions: with several heads one layer and no second, as Remark 3 of "
           "000 says.",
    .prepare = unshared, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-T4.3 K-T4.4 K-P4.1 N9",
};
THEOREM_PROGRAM(K_R3)
