/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_14.c - B-14, without value and projection the outputs lie in the convex hull of the inputs.
 *
 * Statement (Eq. 10).  Without W_V and W_O, z_i = sum_j a_ij x_j; the output z_S of the stack is a convex
 * combination of the input embeddings.
 *
 * Why it is true.  Z_S = B X with B = A_S .. A_1.  Rows of each A_s sum to 1 and are not negative; so are the
 * rows of a product of such matrices.
 *
 * Needed, and not stated: one head, no skip, no norm, no output bias.  With any of them outputs leave the hull: an
 * exact linear program (src/methods/order/hull.c) finds a w with (z - x_j) w > 0 for all j.  With skips and no norm
 * B = prod (I + A_s) >= 0 has rows that sum to 2^S, so Z_S / 2^S lies in the hull.
 *
 * Consequence.  Layer by layer the outputs come closer to each other, in each coordinate by the Dobrushin
 * coefficient of A_s at least: after enough layers all tokens are the same.
 *
 * Over q every A_s is a random positive rational matrix with rows that sum to 1 (each is the softmax of its
 * logarithms); over arb it is the softmax of the layer's own scores.                                      */
#include "src/claim/shapes.h"
#include "src/methods/order/hull.h"
#include "src/methods/order/spread.h"
#include "src/model/stack.h"

typedef enum { NOTHING, SKIP, BIAS, NORM } extra;

static void stochastic(shape *sh)
{
    stack_single_head(sh);
    sh->attention = ROWMAP_STOCHASTIC;
}

/* diag(P 1)^-1 P with P_ij = 1 + (drawn integer)^2 where token i sees token j, else 0 */
static const mat *rational_weights(scope *s, const model *M, long i)
{
    const long n = M->s.n;
    const mat *D = mat_scale(s, 1, 5, mat_draw_at(s, "P", i, -1, n, n, 0)), *one = mat_ones(s, n, 1);
    const mat *P = mat_add(s, mat_hadamard(s, D, D), mat_ones(s, n, n));
    if (M->visible) {
        long *seen = scope_alloc(s, (size_t)(n * n) * sizeof *seen);
        for (long k = 0; k < n * n; k++) seen[k] = M->visible[k];
        P = mat_hadamard(s, P, mat_from_si(s, n, n, seen));
    }
    const mat *sums = mat_mul(s, mat_mul(s, P, one), mat_t(s, one));
    return mat_mul(s, mat_inv(s, mat_hadamard(s, sums, mat_identity(s, n))), P);
}

/* Z_S, and B with Z_S = B X where nothing but a skip was added. */
typedef struct { const mat *X, *Z, *B; } result;
static result run(trial *t, extra what)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.norm = what == NORM ? NORM_LAYER : NORM_NONE;
    sh.attn_skip = what == SKIP;
    model M = model_random(s, sh);
    const mat *I = mat_identity(s, sh.n), *X = mat_draw(s, "X", sh.n, sh.d, 0);
    const mat *shift = mat_mul(s, mat_ones(s, sh.n, 1), mat_draw(s, "b", 1, sh.d, 0));
    result r = { X, X, I };
    for (long i = 0; i < sh.L; i++) {
        M.at[i].V = M.at[i].O = mat_identity(s, sh.d);
        const bool own = claim_over(t, OVER_FUNCTIONS);
        const mat *A = own ? stack_weights(s, &M, i, 0, r.Z) : rational_weights(s, &M, i);
        const mat *mean = mat_mul(s, A, stack_input(s, &M, i, r.Z));
        r.Z = what == SKIP ? mat_add(s, r.Z, mean) : what == BIAS ? mat_add(s, mean, shift) : mean;
        r.B = mat_mul(s, what == SKIP ? mat_add(s, I, A) : A, r.B);
    }
    return r;
}

/* ---- the weights, in every arithmetic -------------------------------------------------------------------- */

static void weights(trial *t, extra what)
{
    scope *s = &t->s;
    const result r = run(t, what);
    const mat *one = mat_ones(s, r.X->rows, 1);
    claim_whole(t, "Z_S = B X", r.Z, mat_mul(s, r.B, r.X));
    claim_whole(t, "B 1 = 1", mat_mul(s, r.B, one), one);
}

static void sums(trial *t)      { weights(t, NOTHING); }
static void sums_skip(trial *t) { weights(t, SKIP); }
static void sums_bias(trial *t) { weights(t, BIAS); }
static void sums_norm(trial *t) { weights(t, NORM); }

/* ---- the hull, over q and arb ---------------------------------------------------------------------------- */

static void lies_in_hull(trial *t, extra what, long log2_divisor)
{
    scope *s = &t->s;
    const result r = run(t, what);
    claim_in_hull(t, r.X, mat_scale(s, 1, -log2_divisor, r.Z), mat_scale(s, 1, -log2_divisor, r.B));
}

static void inside(trial *t)      { lies_in_hull(t, NOTHING, 0); }
static void with_skip(trial *t)   { lies_in_hull(t, SKIP, 0); }
static void with_bias(trial *t)   { lies_in_hull(t, BIAS, 0); }
static void with_norm(trial *t)   { lies_in_hull(t, NORM, 0); }
static void skip_scaled(trial *t) { lies_in_hull(t, SKIP, t->sh.L); }
static void skip_less(trial *t)   { lies_in_hull(t, SKIP, t->sh.L - 1); }

/* ---- outputs come closer --------------------------------------------------------------------------------- */

static void closer(trial *t, bool skip)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *Z = mat_draw(s, "X", M.s.n, M.s.d, 0);
    M.visible = NULL;
    for (long i = 0; i < M.s.L; i++) {
        const mat *A = rational_weights(s, &M, i), *delta = spread_dobrushin(s, A), *next = mat_mul(s, A, Z);
        if (skip) next = mat_add(s, next, Z);
        claim_order(t, "delta < 1", mat_sub(s, delta, mat_identity(s, 1)), BELOW_ZERO);
        for (long c = 0; c < M.s.d; c++) {
            const mat *bound = mat_mul(s, delta, spread_of(s, Z, c)), *now = spread_of(s, next, c);
            claim_order(t, "spread of Z_s <= delta spread of Z_(s-1)", mat_sub(s, bound, now), AT_LEAST_ZERO);
            if (M.s.n == 2) claim_equal(t, "equal for two tokens", now, bound);
        }
        Z = next;
    }
}

static void collapse(trial *t)  { closer(t, false); }
static void kept_open(trial *t) { closer(t, true); }

static const control of_spread[] = { { "skip", kept_open, "a skip keeps the tokens apart" } };
static const control of_weights[] = {
    { "skip", sums_skip, "with skips the weights sum to $2^S$" },
    { "bias", sums_bias, "an output bias is no combination" },
    { "norm", sums_norm, "LayerNorm before attention" },
};
static const control of_hull[] = {
    { "skip", with_skip, "with skips: outside the hull, by a separating $w$" },
    { "bias", with_bias, "with an output bias: outside" },
    { "norm", with_norm, "with LayerNorm before attention: outside" },
};
static const control of_skip[] = { { "2^(S-1)", skip_less, "divided by $2^{S-1}$: outside" } };
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(3, 4, 1, 2, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(3, 5, 1, 3, MASK_FULL) },
    { .sh = ATTENTION_SHAPE(4, 6, 1, 4, MASK_ARBITRARY) },
    { .sh = ATTENTION_SHAPE(2, 2, 1, 6, MASK_FULL) },
};
#define ORDERED_ONLY .no_minimal = true, \
    .by_proof = "a product of such $A_s$ is such a $B$", .basis = "linear programs, or balls"
#define ORDERED_ONLY_Q .no_minimal = true, RATIONALS_ONLY("order is decided exactly")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .no_minimal = true,
      .models = "constrained W_V = I; constrained W_O = I; norm = none; attn_skip = 0",
      .assumes = "h = 1; rows sum to 1",
      .statement = "$Z_S = BX$ with $B = A_S \\cdots A_1$ and $B\\mathbf{1} = \\mathbf{1}$",
      .without = "q", .why_without = "it has no row map whose weights sum to 1",
      CONTROLS(of_weights) },
    { .name = "as-stated-hull", .kind = PART_IDENTITY, .run = inside, ORDERED_ONLY,
      .statement = "for any weights $A_s \\ge 0$, $A_s\\mathbf{1} = \\mathbf{1}$: every row of $Z_S$ lies in the "
                   "convex hull of the rows of $X$",
      .without = "f64 mpfr arb fp sym", .why_without = "membership is decided by an exact linear program",
      .controls = of_hull, .ncontrols = COUNT(of_hull) - 1 },
    { .name = "corrected", .kind = PART_IDENTITY, .run = inside, ORDERED_ONLY,
      .statement = "the same for the softmax of the layer's scores, with no skip, norm or output bias",
      .without = "f64 mpfr fp q sym", .why_without = "weights of softmax are positive in balls",
      CONTROLS(of_hull) },
    { .name = "corrected-near", .kind = PART_IDENTITY, .run = collapse, ORDERED_ONLY_Q,
      .statement = "all tokens visible: in each coordinate $\\max - \\min$ of $Z_s$ is at most $\\delta(A_s) < 1$ "
                   "times that of $Z_{s-1}$, $\\delta(A) = \\max_{i,k}\\frac12\\sum_j|a_{ij} - a_{kj}|$",
      .by_proof = "Dobrushin's inequality", .basis = "exact instances",
      CONTROLS(of_spread) },
    { .name = "corrected-skip", .kind = PART_IDENTITY, .run = skip_scaled, ORDERED_ONLY,
      .statement = "with skips, no norm: $Z_S / 2^S$ lies in the hull",
      .without = "f64 mpfr fp sym", .why_without = "membership is decided by an exact linear program, or in balls",
      CONTROLS(of_skip) },
};
static const quotation quotes[] = {
    { TEXT_002, "Eq. (10)", "The output embedding $z_{Si}$ is a convex combination of input embeddings $x_{1i}$ "
      ". In other words, it is a member of the convex set spanned by $x_{1i}$ ." },
};
static const quotation standing[] = {
    { TEXT_002, "Section 3", "in the case of a single head, these matrices are square" },
};
static const claim B_14 = {
    .id = "B-14", .title = "outputs lie in the convex hull of the inputs", .where = "002 Eq. (10)",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "one head; $W_V = W_O = I$; the weights of a row sum to 1; no skip, norm or output bias (not "
                  "stated in the paper)",
    .construction = "$B = A_S \\cdots A_1$; with skips $B = \\prod_s(I + A_s)$",
    .why = "An average of averages is an average. A skip adds the input once more in every layer, so the weights "
           "sum to $2^S$; a norm or a bias adds what is no average at all. The paper's own blocks have two norms "
           "each (claim B-P), so the statement does not describe its trained models.",
    .prepare = stochastic, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "B-11",
};
THEOREM_PROGRAM(B_14)
