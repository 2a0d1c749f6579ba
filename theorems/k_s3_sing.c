/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s3_sing.c - K-S3-sing, near-singular query matrices.
 *
 * Statement (Section 3).  W_Q in GL(d) "holds for almost every square matrix"; a near-singular one means that some
 * directions contribute little to the queries, and "replacing W_Q with identity restores these directions".
 *
 * Where it is a fact.  det W_Q is a polynomial in the entries that is not 0 at I, so its zeros have measure 0.  And
 * with W_Q = A diag(1, .., 1, delta) B', A and B orthogonal, u and v their last columns,
 *     u' W_Q = delta v',    so |u' W_Q| = delta:
 * a token that moves by u moves its scores by delta times v' W_K' y' for every other token y.
 *
 * Where it says nothing that can be decided.  "Replacing" may be two things.  In the theorem, Theta = W_Q, and the
 * scores are those of the given model: the factor delta sits in X~ = X Theta now, and nothing is restored.  With
 * W_Q = I and the other weights as they are, u' is as long as any other direction (1 and not delta), but the model is
 * another one; whether that one is better is a matter of training, and the text names no figure.              */
#include "src/claim/shapes.h"
#include "src/model/balanced.h"
#include "src/claim/claim.h"
#include "src/model/gauge.h"

enum { LOG2_DELTA = -10 };

typedef struct { const mat *W, *u, *v; } near_singular;                         /* u' W = delta v', both 1 x d */
static near_singular planted(scope *s, long d, int log2delta)
{
    const mat *A = mat_draw_orthogonal(s, "A", d), *B = mat_draw_orthogonal(s, "B", d);
    const mat *one = mat_identity(s, 1), *diagonal[] = { mat_identity(s, d - 1), mat_scale(s, 1, log2delta, one) };
    return (near_singular){ mat_mul3(s, A, mat_blockdiag(s, 2, diagonal), mat_t(s, B)),
                            mat_t(s, mat_cols(s, A, d - 1, 1)), mat_t(s, mat_cols(s, B, d - 1, 1)) };
}

static const mat *score(scope *s, const mat *x, const mat *Q, const mat *K, const mat *Y)       /* x W_Q (Y W_K)' */
{
    return mat_mul(s, mat_mul(s, x, Q), mat_t(s, mat_mul(s, Y, K)));
}

typedef enum { AS_PLANTED, WELL_CONDITIONED, KEPT_KEY } slip;
static void direction(trial *t, slip how)
{
    scope *s = &t->s;
    const long n = t->sh.n, d = t->sh.d;
    const near_singular w = planted(s, d, how == WELL_CONDITIONED ? 0 : LOG2_DELTA);
    const basis Theta = gauge_basis(s, w.W);
    const mat *I = mat_identity(s, d), *K = balanced_weight(s, "W_K", 0, d, d), *reduced_K = mat_mul(s, Theta.from, K);
    const mat *x = mat_draw(s, "x", 1, d, 0), *Y = mat_draw(s, "Y", n, d, 0), *moved = mat_add(s, x, w.u);
    const mat *given = score(s, moved, w.W, K, Y);
    const mat *step = mat_sub(s, given, score(s, x, w.W, K, Y));
    claim_equal(t, "u' W_Q = delta v'", mat_mul(s, w.u, w.W), mat_scale(s, 1, LOG2_DELTA, w.v));
    claim_equal(t, "the scores move by delta v' (Y W_K)'", step, mat_scale(s, 1, LOG2_DELTA, score(s, w.v, I, K, Y)));
    claim_equal(t, "theorem: the same scores", given,
                score(s, mat_mul(s, moved, Theta.to), I, how == KEPT_KEY ? K : reduced_K, mat_mul(s, Y, Theta.to)));
    claim_equal(t, "W_Q = I: u' is as long as v'", mat_square_sum(s, w.u), mat_square_sum(s, w.v));
    claim_differs(t, "W_Q = I: other scores", given, score(s, moved, I, K, Y));
}
static void near_singular_query(trial *t) { direction(t, AS_PLANTED); }
static void well_conditioned(trial *t)    { direction(t, WELL_CONDITIONED); }
static void kept_key(trial *t)            { direction(t, KEPT_KEY); }

static void full_rank(trial *t)
{
    claim_rank(t, "rank W_Q = d", balanced_weight(&t->s, "W_Q", 0, t->sh.d, t->sh.d), t->sh.d);
}

static void product(trial *t)                                                   /* through d - 1 dimensions */
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *thin = balanced_weight(s, "thin", 0, d, d - 1), *flat = balanced_weight(s, "flat", 0, d - 1, d);
    claim_rank(t, "rank W_Q = d", mat_mul(s, thin, flat), d);
}

static const control of_direction[] = {
    { "well-conditioned", well_conditioned, "$\\delta = 1$" },
    { "kept-key",  kept_key,         "the theorem's $\\Theta = W_Q$ with $\\tilde W_K = W_K$" },
};
static const control of_rank[] = { { "product", product, "products of $d \\times (d-1)$ and $(d-1) \\times d$" } };
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(3, 3, 1, 1, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(4, 5, 1, 1, MASK_CAUSAL) },
    { .sh = ATTENTION_SHAPE(4, 6, 1, 1, MASK_CAUSAL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_INFORMAL, .run = near_singular_query, .no_minimal = true, .no_large = true,
      .quantity = "W_Q = I", .shown_by = "W_Q = I: other scores",
      .statement = "$u^\\top W_Q = \\delta v^\\top$, $\\delta = 2^{-10}$: elimination with $\\Theta = W_Q$ has the "
                   "same scores, so restores nothing; $W_Q = I$ alone gives $u$ the length 1, and another model",
      .basis = "facts beside it; ``restores'' has no measure",
      .without = "sym", .why_without = "orthogonal matrices have no columns there",
      CONTROLS(of_direction) },
    { .name = "as-stated-almost-everywhere", .kind = PART_IDENTITY, .run = full_rank, .no_minimal = true,
      .no_large = true,
      .statement = "$W_Q \\in \\mathrm{GL}(d)$ for almost all $W_Q$",
      .by_proof = "almost all: $\\det$ is a polynomial and not 0", .basis = "ranks of random instances",
      .without = "f64 mpfr arb fp sym", .why_without = "q decides ranks; fp only without an error bound",
      CONTROLS(of_rank) },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 3", "near-singular W_Q implies that certain directions contribute minimally to "
      "queries, and replacing W_Q with identity restores these directions." },
    { TEXT_000, "Section 3.1", "Furthermore, near-singular implies that certain directions contribute minimally "
      "to queries; replacing with identity restores these directions." },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_S3_SING = {
    .id = "K-S3-sing", .title = "near-singular query matrices", .where = "003 Section 3; 000 Section 3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "one head; $W_Q = A\\,\\mathrm{diag}(1, \\ldots, 1, \\delta)B^\\top$, $A$, $B$ orthogonal; $u$, $v$ "
                  "their last columns",
    .why = "$u^\\top W_Q = \\delta v^\\top$, so a token that moves by $u$ moves its scores by $\\delta$ times what $v$ "
           "would.  The exact elimination keeps every score: $\\delta$ goes into $\\tilde X = XW_Q$, and $1/\\delta$ "
           "into $\\tilde W_K = W_Q^{-1}W_K$.  Only a model with $W_Q = I$ and other weights as they were has $u$ at "
           "full length, and that is another function.  Whether it is a better one is not said in numbers, so there is "
           "nothing to decide.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1",
};
THEOREM_PROGRAM(K_S3_SING)
