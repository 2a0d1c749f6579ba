/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_1.c - B-1, the output of a head is linear in its input while the weights stay fixed.
 *
 * Statement (Eq. 1).  For given attention weights a, the output z_i = (sum_j a_ij x_j W_V) W_O equals
 * (sum_j a_ij x_j) W_V W_O, a linear function of the input.
 *
 * Why it is true.  In matrices Z = (A X W_V) W_O = (A X) (W_V W_O); X stands once in it, between fixed factors.
 *
 * The words "for given weights" cannot be left out: A = A(X) depends on X, and with it Z is not linear.  Nor may there
 * be biases: with them Z is affine.                                                                       */
#include "src/claim/claim.h"
#include "src/model/stack.h"

typedef enum { FROZEN, RECOMPUTED } weights;

static void is_linear(trial *t, weights which, bool biases)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.biases = biases;
    model M = model_random(s, sh);
    const mat *X[3] = { mat_draw(s, "X", sh.n, sh.d, 0), mat_draw(s, "Y", sh.n, sh.d, 0), NULL };
    X[2] = mat_sub(s, mat_scale(s, 3, 0, X[0]), X[1]);
    const mat *A = stack_weights(s, &M, 0, 0, X[0]), *VO = mat_mul(s, M.at[0].V, M.at[0].O), *Z[3];
    claim_reduced(t, 1, (const mat **[]){ &VO });
    for (int k = 0; k < 3; k++) {
        const mat *A_k = which == FROZEN ? A : stack_weights(s, &M, 0, 0, X[k]);
        Z[k] = mat_mul3(s, A_k, X[k], VO);
        if (biases) Z[k] = mat_add_row(s, Z[k], M.at[0].bO);
    }
    claim_equal(t, "z(3 X - Y) = 3 z(X) - z(Y)", mat_sub(s, mat_scale(s, 3, 0, Z[0]), Z[1]), Z[2]);
    if (!biases) claim_equal(t, "z is the head's output", model_attention(s, &M, 0, X[0]), Z[0]);
}

static void frozen(trial *t)     { is_linear(t, FROZEN, false); }
static void recomputed(trial *t) { is_linear(t, RECOMPUTED, false); }
static void biased(trial *t)     { is_linear(t, FROZEN, true); }

static const control controls[] = {
    { "recomputed", recomputed, "the weights are computed from each input: $Z$ is not linear" },
    { "biases",     biased,     "with a bias $Z$ is affine" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = frozen,
      .statement = "for fixed $A$: $Z = (AXW_V)W_O = (AX)(W_VW_O)$, and $Z(3X - Y) = 3Z(X) - Z(Y)$",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Eq. (1)", "Each of them is, for given weights, a formally linear transformation" },
    { TEXT_002, "Eq. (1)", "a weighted average of input embeddings $x_{si}$ , linearly transformed by matrix "
      "$W_s^V W_s^O$ ." },
};
static const claim B_1 = {
    .id = "B-1", .title = "the output of a head is linear for fixed attention weights", .where = "002 Eq. (1)",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one head; $A$ fixed; no biases",
    .construction = "$W_V, W_O \\mapsto W_VW_O$",
    .why = "With $A$ fixed, $X$ stands once in $Z = (AX)(W_VW_O)$. With $A = A(X)$ it stands three times.",
    .assumes = "h = 1",
    .models = "norm = none; biases = 0; rope = 0; qk_norm = 0",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(B_1)
