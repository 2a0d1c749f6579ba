/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_29.c - B-29, the overdetermination ratio Q = KM/P.
 *
 * Statement (Eq. 12).  KM is the number of constraints, P the number of parameters.  KM > P is needed, otherwise there
 * are infinitely many solutions.
 *
 * What is true.  For a model linear in its parameters, where there is a solution and Q < 1, the solutions have
 * dimension P - rank >= P - KM > 0: they are infinitely many, and Q > 1 is needed.
 *
 * What is left out.  Q > 1 is not enough, and Q < 1 does not make a solution.
 *   Q > 1: if W_Q, W_K solve the problem, so do W_Q G, W_K G^-T for every invertible G, the same function from other
 *   parameters.  Every unchanged model of the paper has infinitely many solutions or none, at every Q.
 *   Q < 1: two examples with the same input and different targets have no solution, however large P.
 *
 * Corrected, for a model linear in its parameters, A theta = b with A of KM rows and P columns: if there is a
 * solution, all of them are theta + ker A, of dimension P - rank A.  So there is one at most iff rank A = P, and what
 * belongs in the denominator of Eq. 12 is the rank.  For other models the same holds near a solution, where the
 * rank of the Jacobian is constant.                                                                       */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/model/stack.h"

/* Q > 1: solutions (W_Q G, W_K G^-T). */
static void family_of_solutions(trial *t)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh), R = M;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *G = mat_draw_weight(s, "G", M.s.d, M.s.d);
    R.at[0].Q = mat_mul(s, M.at[0].Q, G);
    R.at[0].K = mat_mul(s, M.at[0].K, mat_t(s, mat_inv(s, G)));
    claim_equal(t, "the same function", model_attention(s, &M, 0, X), model_attention(s, &R, 0, X));
}

/* A whole line of them, G = diag(c, .., c), c = 1, 2, 4, 8. */
static void line_of_solutions(trial *t)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *Q = M.at[0].Q, *K = M.at[0].K, *same = mat_mul(s, Q, mat_t(s, K));
    for (long k = 1; k <= 3; k++) {
        const mat *last = Q;
        Q = mat_scale(s, 1, 1, Q);
        K = mat_scale(s, 1, -1, K);
        claim_less(t, "longer than the ones before", mat_square_sum(s, last), mat_square_sum(s, Q));
        claim_equal(t, "the same W_Q W_K'", mat_mul(s, Q, mat_t(s, K)), same);
    }
}

/* Q < 1: K = 2 examples of M = 1 number, P = N > 2 parameters, x theta = 0 and x theta = 1. */
static void no_solution(trial *t)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", 1, t->sh.d, 0), *A = mat_vcat(s, 2, (const mat *const[]){ x, x });
    const mat *b = mat_from_si(s, 2, 1, (long[]){ 0, 1 });
    claim_decided(t, "Q = 2/P < 1", 2 < t->sh.d);
    claim_rank(t, "rank A = 1", A, 1);
    claim_rank(t, "rank (A | b) = 2", mat_hcat(s, 2, (const mat *const[]){ A, b }), 2);
}

/* A = (KM x rho)(rho x P) = A_1 (I | C), ker A spanned by the columns of N = (-C above I). */
static void kernel(trial *t, long constraints, bool by_count)
{
    scope *s = &t->s;
    const long P = t->sh.m, rho = P - 2;
    const mat *C = mat_draw(s, "C", rho, P - rho, 0), *I = mat_identity(s, rho), *J = mat_identity(s, P - rho);
    const mat *A = mat_mul(s, mat_draw(s, "A", constraints, rho, 0), mat_hcat(s, 2, (const mat *const[]){ I, C }));
    const mat *N = mat_vcat(s, 2, (const mat *const[]){ mat_scale(s, -1, 0, C), J });
    const mat *theta = mat_draw(s, "theta", P, 1, 0), *b = mat_mul(s, A, theta);
    const mat *other = mat_add(s, theta, mat_mul(s, N, mat_draw(s, "y", P - rho, 1, 0)));
    claim_rank(t, "rank A = rho", A, rho);
    claim_differs(t, "another theta", theta, other);
    claim_equal(t, "A theta = b again", mat_mul(s, A, other), b);
    claim_equal(t, "A N = 0", mat_mul(s, A, N), mat_zero(s, constraints, P - rho));
    claim_rank(t, "dim ker A", N, by_count ? (constraints < P ? P - constraints : 0) : P - rho);
}

static void by_rank(trial *t)
{
    kernel(t, 2 * t->sh.m, false);                      /* Q = 2 */
    kernel(t, t->sh.m - 1, false);                      /* Q < 1 */
}
static void below_unity(trial *t) { kernel(t, t->sh.m - 1, false); }
static void by_count(trial *t) { kernel(t, 2 * t->sh.m, true); }
static void below_1(trial *t)  { kernel(t, t->sh.m - 1, true); }

static const control controls[] = {
    { "by-count",    by_count, "$Q = 2$: a unique solution expected, for $KM > P$" },
    { "by-count-Q-below-1", below_1, "$Q < 1$: $P - KM$ dimensions expected" },
};
static const shape_case shapes[] = {
    { .sh = MLP_SHAPE(2, 3, 5, 1) }, { .sh = MLP_SHAPE(3, 4, 7, 1) }, { .sh = MLP_SHAPE(3, 6, 11, 1) },
};
static const control of_necessity[] = { { "by-count-Q-below-1", below_1, "$P - KM$ dimensions expected" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = below_unity, .no_minimal = true,
      .statement = "$Q < 1$, $A\\theta = b$ with a solution: infinitely many, of dimension $P - \\mathrm{rank}\\,A "
                   "> 0$",
      .basis = "rank, exact, of A and of a basis of its kernel",
      .without = "f64 mpfr arb fp sym", .why_without = "ranks are decided exactly",
      CONTROLS(of_necessity) },
    { .name = "as-stated-every-Q", .kind = PART_BESIDE, .run = family_of_solutions, .no_minimal = true,
      .quantity = "(W_QG, W_KG^{-\\top})", .shown_by = "the same function",
      .assumes = "invertible G",
      .statement = "$(W_QG, W_KG^{-\\top})$ is the same function for every $G \\in \\mathrm{GL}(N)$, at every $Q$",
      .basis = "witness: the same function from other parameters",
      .without = "q", .why_without = "its row map is linear" },
    { .name = "as-stated-line", .kind = PART_BESIDE, .run = line_of_solutions, .no_minimal = true,
      .quantity = "(cW_Q, W_K/c)", .shown_by = "the same W_Q W_K'",
      .statement = "$G = cI$, $c = 1, 2, 4, \\dots$: $(cW_Q, W_K/c)$ are infinitely many different parameters with one "
                   "$W_QW_K^\\top$",
      .basis = "witness: a line of parameters",
      .without = "f64 mpfr arb fp sym", .why_without = "lengths are compared exactly" },
    { .name = "as-stated-Q-below-1", .kind = PART_GAP, .run = no_solution, .no_minimal = true,
      .quantity = "no solution", .shown_by = "rank (A | b) = 2",
      .statement = "$x\\theta = 0$ and $x\\theta = 1$: no solution although $Q = 2/P < 1$",
      .basis = "rank: rank A = 1, rank (A | b) = 2",
      .without = "f64 mpfr arb fp sym", .why_without = "ranks are decided exactly" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = by_rank, .no_minimal = true,
      .statement = "$A\\theta = b$ with a solution has a set of solutions of dimension $P - \\mathrm{rank}\\,A$, "
                   "whatever $Q = KM/P$",
      .basis = "rank, exact, of A and of a basis of its kernel",
      .without = "f64 mpfr arb fp sym", .why_without = "ranks are decided exactly",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Eq. (12)", "This number must be larger than the number of trainable parameters for the system "
      "to be sufficiently determined. (Otherwise, there is an infinite number of solutions, most of which do "
      "not generalize.)" },
    { TEXT_002, "Eq. (12)", "This is equivalent to the requirement for the overdetermination ratio Q to be "
      "larger than unity." },
};
static const claim B_29 = {
    .id = "B-29", .title = "the overdetermination ratio", .where = "002 Eq. (12)",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "corrected: a model linear in its parameters, or the neighbourhood of a solution where the Jacobian "
                  "has constant rank",
    .construction = "$\\theta + \\ker A$",
    .why = "Equations can be dependent or contradict each other, and then their number decides nothing: "
           "contradictory labels have no solution at any $P$, so that below $Q = 1$ there are not always infinitely "
           "many, and the paper's unchanged models carry redundant parameters (its own collapse shows it), so they "
           "have no isolated solution at any $Q$.  For an isolated solution $Q > 1$ is necessary; the number of "
           "parameters that matters is the rank, so the ratio to look at is $KM/\\mathrm{rank}$; $K(M-1)$ "
           "constraints with softmax.",
    .prepare = stack_single_head, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "B-10",
};
THEOREM_PROGRAM(B_29)
