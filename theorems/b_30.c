/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_30.c - B-30, the simplified blocks of He and Hofmann and Eq. 10.
 *
 * Statement (Section 3).  Deleting the value transformations "has also been the proposal of (He and Hofmann, 2024),
 * resulting in a simple weighted mean" z_i = sum_j a_ij x_j.
 *
 * What is true.  They do propose to leave out value and projection.
 *
 * What the sentence leaves out.  Their blocks (arXiv:2311.01906; their code is bobby-he/simplified_transformers
 * on GitHub, see config/model/skipless.yaml) put the shaped attention alpha I + beta A - gamma C in the place of A,
 * C the weights at equal scores, alpha = beta = gamma = 1 and W_Q = 0 at the start, and keep the MLP.  That is no
 * mean of tokens:
 *   at the start A = C, so the matrix is I and z_i = x_i, where Eq. 10 has the mean of the tokens;
 *   later, A = (1/4, 3/4) in the second row of two tokens gives (0,1) + (1/4, 3/4) - (1/2, 1/2) = (-1/4, 5/4), and
 *   z_2 lies beyond x_2 on the line, outside the segment.
 * Corrected: its rows sum to alpha + beta - gamma, entries may be negative, and it is Eq. 10 at alpha = gamma = 0,
 * beta = 1.                                                                                                */
#include "src/claim/claim.h"
#include "src/methods/order/hull.h"
#include "src/model/stack.h"

static void causal(shape *sh)
{
    stack_single_head(sh);
    sh->mask = MASK_CAUSAL;
    sh->attention = ROWMAP_STOCHASTIC;
}

/* C_ij = 1/i for j <= i */
static const mat *uniform(scope *s, long n)
{
    long *size = scope_alloc(s, (size_t)(n * n) * sizeof *size), *seen = scope_alloc(s, (size_t)(n * n) * sizeof *seen);
    for (long i = 0; i < n; i++) {
        size[i * n + i] = i + 1;
        for (long j = 0; j <= i; j++) seen[i * n + j] = 1;
    }
    return mat_mul(s, mat_inv(s, mat_from_si(s, n, n, size)), mat_from_si(s, n, n, seen));
}

/* alpha I + beta A - gamma C, for whole numbers */
typedef struct { long alpha, beta, gamma; } gains;
static const mat *shaped(scope *s, gains g, const mat *A, const mat *C)
{
    const mat *I = mat_identity(s, A->rows);
    return mat_sub(s, mat_add(s, mat_scale(s, g.alpha, 0, I), mat_scale(s, g.beta, 0, A)),
                   mat_scale(s, g.gamma, 0, C));
}

static const gains at_the_start = { 1, 1, 1 }, of_Eq_10 = { 0, 1, 0 };

static void start(trial *t)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long n = M.s.n;
    M.at[0].Q = mat_zero(s, M.s.d, M.s.d);
    const mat *X = mat_draw(s, "X", n, M.s.d, 0), *A = stack_weights(s, &M, 0, 0, X), *C = uniform(s, n);
    claim_equal(t, "W_Q = 0: A = C", A, C);
    claim_equal(t, "shaped attention: Z = X", X, mat_mul(s, shaped(s, at_the_start, A, C), X));
    claim_differs(t, "Eq. 10: Z is not X", X, mat_mul(s, A, X));
}

static void beyond(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_dyadic(s, 2, 2, (int64_t[]){ 4, 0, 1, 3 }, -2), *X = mat_draw(s, "X", 2, t->sh.d, 0);
    const mat *B = shaped(s, at_the_start, A, uniform(s, 2));
    claim_equal(t, "(1, 0; -1/4, 5/4)", B, mat_dyadic(s, 2, 2, (int64_t[]){ 4, 0, -1, 5 }, -2));
    claim_outside_hull(t, X, mat_mul(s, B, X));
}

static void sums(trial *t, bool centred)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long n = M.s.n;
    const gains g = { 3, 5, 2 };
    const mat *X = mat_draw(s, "X", n, M.s.d, 0), *one = mat_ones(s, n, 1), *A = stack_weights(s, &M, 0, 0, X);
    const mat *C = uniform(s, n), *B = shaped(s, (gains){ g.alpha, g.beta, centred ? g.gamma : 0 }, A, C);
    claim_equal(t, "rows sum to alpha + beta - gamma", mat_mul(s, B, one),
                mat_scale(s, g.alpha + g.beta - g.gamma, 0, one));
    M.at[0].V = M.at[0].O = mat_identity(s, M.s.d);
    claim_equal(t, "alpha = gamma = 0, beta = 1: Eq. 10", stack_layer(s, &M, 0, X),
                mat_mul(s, shaped(s, of_Eq_10, A, C), X));
}

static void centred(trial *t)    { sums(t, true); }
static void no_centring(trial *t){ sums(t, false); }

static const control controls[] = { { "not-centred", no_centring, "$\\gamma C$ not subtracted" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = start, .no_large = true, .no_minimal = true,
      .quantity = "Z = (I + A - C)X", .shown_by = "Eq. 10: Z is not X",
      .own_row_map = true,
      .statement = "$\\alpha = \\beta = \\gamma = 1$, $W_Q = 0$: their $Z = (I + A - C)X = X$, Eq. (10) has "
                   "$Z = AX \\ne X$",
      .basis = "text: their shaped attention; witness: its start",
      .without = "fp sym", .why_without = "equal weights at equal scores are softmax's own" },
    { .name = "as-stated-hull", .kind = PART_GAP, .run = beyond, .no_large = true, .no_minimal = true,
      .quantity = "z_2", .shown_by = "some row lies outside the hull",
      .statement = "$A = (1, 0;\\ \\frac14, \\frac34)$: $z_2 = -\\frac14x_1 + \\frac54x_2$ lies outside the segment",
      .basis = "text: their shaped attention; witness: exact",
      .without = "f64 mpfr arb fp sym", .why_without = "an exact witness" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = centred, .no_large = true, .no_minimal = true,
      .statement = "$(\\alpha I + \\beta A - \\gamma C)\\mathbf{1} = (\\alpha + \\beta - \\gamma)\\mathbf{1}$; "
                   "Eq. (10) at $\\alpha = \\gamma = 0$, $\\beta = 1$",
      .without = "q sym", .why_without = "q has no row map whose weights sum to 1, sym no sums of constants",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 3", "This has also been the proposal of (He and Hofmann, 2024), resulting in a simple "
      "weighted mean" },
};
static const claim B_30 = {
    .id = "B-30", .title = "the proposal of He and Hofmann", .where = "002 Section 3",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "identity value and projection, causal mask, one head",
    .construction = "$\\alpha I + \\beta A - \\gamma C$, $C$ the weights at equal scores",
    .why = "The result is no simple weighted mean: what He and Hofmann propose is to remove value and projection, but "
           "they add the identity and subtract the uniform weights, so that a block starts as the identity map, and "
           "keep the MLP. The weighted mean of Eq. (10) is what they avoid: without skips its outputs can only come "
           "closer to each other (B-14). So their results say nothing about Eq. (10).",
    .prepare = causal, .parts = parts, .nparts = COUNT(parts), .depends = "B-14",
};
THEOREM_PROGRAM(B_30)
