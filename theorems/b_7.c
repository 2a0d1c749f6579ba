/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_7.c - B-7, attention without softmax is cubic.
 *
 * Statement (Section 2).  The argument of the softmax is a quadratic function of the tokens; were the softmax
 * linear, attention would be a cubic function of them.
 *
 * Why it is true.  Scores S(X) = X M X' with S(3X) = 9 S(X), and Z(X) = (X M X') X O with Z(3X) = 27 Z(X).
 * That decides the degree: let Z = sum_k Z_k be the parts of degree k of the polynomial Z.  Then
 * sum_k (3^k - 27) Z_k = 0, and parts of different degree do not cancel, so only Z_3 is left.  It is not 0. */
#include "src/claim/claim.h"
#include "src/model/stack.h"

static void no_softmax(shape *sh)
{
    stack_single_head(sh);
    sh->attention = ROWMAP_LINEAR;
    sh->mask = MASK_FULL;
}

static void scaled_by_3(trial *t, bool frozen_weights, bool frozen_value)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    M.s.scale_num = M.s.scale_den = 1;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *X3 = mat_scale(s, 3, 0, X);
    const mat *QK = mat_mul(s, M.at[0].Q, mat_t(s, M.at[0].K)), *VO = mat_mul(s, M.at[0].V, M.at[0].O);
    claim_reduced(t, 2, (const mat **[]){ &QK, &VO });
    const mat *S = mat_mul3(s, X, QK, mat_t(s, X)), *S3 = mat_mul3(s, X3, QK, mat_t(s, X3));
    claim_reduced(t, 1, (const mat **[]){ &S3 });
    const mat *Z = mat_mul3(s, S, X, VO), *weights = frozen_weights ? S : S3, *value = frozen_value ? X : X3;
    claim_equal(t, "s(3 X) = 9 s(X)", mat_scale(s, 9, 0, S), S3);
    claim_equal(t, "z(3 X) = 27 z(X)", mat_scale(s, 27, 0, Z), mat_mul3(s, weights, value, VO));
    if (claim_over(t, OVER_ENTRIES)) claim_differs(t, "z is not 0", Z, mat_zero(s, M.s.n, M.s.d));
    claim_equal(t, "z is attention without softmax", model_attention(s, &M, 0, X), Z);
}

static void cubic(trial *t)          { scaled_by_3(t, false, false); }
static void frozen_weights(trial *t) { scaled_by_3(t, true, false); }
static void frozen_value(trial *t)   { scaled_by_3(t, false, true); }

static const control controls[] = {
    { "frozen-weights", frozen_weights, "the weights do not see the new input: degree 1" },
    { "frozen-value",   frozen_value,   "the values do not see the new input: degree 2" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = cubic, .no_large = true,
      .statement = "$s(3X) = 9s(X)$ and $Z(3X) = 27Z(X) \\ne 0$: homogeneous of degree 2 and 3",
      .basis = "equality; Z is not 0 for almost all weights",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 2", "Even if the Softmax() were linear, the multiplication of input tokens by the "
      "weights $a_{sij}$ (which are quadratic in these tokens) would result in a cubic function of input tokens." },
};
static const claim B_7 = {
    .id = "B-7", .title = "attention without softmax is cubic", .where = "002 Section 2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one head; scores in place of their softmax",
    .construction = "$Z(X) = (XMX^\\top)XO$",
    .why = "Of a polynomial $Z = \\sum_k Z_k$, $Z(3X) = 27Z(X)$ leaves only $Z_3$, for $3^k \\ne 27$ elsewhere.",
    .assumes = "h = 1",
    .models = "scale = 1; mask = full; attention = linear; biases = 0; rope = 0; qk_norm = 0",
    .prepare = no_softmax, .parts = parts, .nparts = COUNT(parts), .depends = "B-1",
};
THEOREM_PROGRAM(B_7)
