/* SPDX-License-Identifier: GPL-3.0-or-later
 * n5b.c - N5b, Theorem E.1 for GELU and SiLU: fewer hypotheses than for ReLU.
 *
 * Statement.  Columns x, W1 (m x h), W2 (h x m), phi(y) = g(y) + y/2 with g even (GELU, SiLU, ReLU; for ReLU g(y) =
 * |y|/2).  (1) If W2[:,J] W1[J,:] = -I, then V1 = (I - 2 Pi_J) W1, V2 = W2 absorb the skip x, for every such phi.
 * (2) Let g be analytic and no polynomial, as for GELU and SiLU. If the rows w_i of W1 are not 0 and w_i != w_j,
 * -w_j, and no column of W2 is 0, there is no other way at width m. For ReLU rows that are collinear have to be
 * excluded as well.
 *
 * Why it is true.  (1) W2 Pi_J (phi(W1 x) - phi(-W1 x)) = W2 Pi_J W1 x.  (2) Along a line x = t v on which the
 * |a_i| = |w_i.v| are different and not 0, sum c_i g(a_i t) = sum_k g_2k t^2k sum_i c_i a_i^2k, and infinitely many
 * g_2k are not 0; the matrices (a_i^2k) for any m different exponents are generalized Vandermonde matrices and
 * invertible: so the functions g(w_i.x) are linearly independent. Equal functions have equal even parts, so each
 * w_i is a row of V1 or its negative, with the same column of V2: V1 = D P W1, V2 = W2 P', D a diagonal of signs;
 * the odd parts V2 V1 = W2 W1 + 2 I give W2[:,J] W1[J,:] = -I.
 *
 * How it is decided.  (1) symbolically and in every arithmetic.  The independence in (2) on instances: the matrix
 * g(w_i.x_k), i, k <= m, has a determinant that is not 0, certified in balls, although w_2 = 2 w_1.  With |.| for g
 * the same matrix has determinant exactly 0.  The determinant is computed without divisions (Bird): X_1 = A, X_k+1
 * = mu(X_k) A, det A = (-1)^(m-1) (X_m)_11, where mu keeps what is above the diagonal and has -sum_{j>i} x_jj at
 * (i, i).                                                                                                    */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_turn.h"

/* ---- (1) ----------------------------------------------------------------------------------------------- */

/* J are the first two groups of neurons: W2[:,J] W1[J,:] = sign I */
static void turn_over(trial *t, activation act, long sign, bool all_of_J)
{
    scope *s = &t->s;
    const mat *I = mat_identity(s, t->sh.d), *X = relu_points(s, t->sh.d, t->sh.n);
    const relu_groups w = relu_groups_with(s, t->sh.d, t->sh.m, t->sh.V, sign < 0 ? mat_neg(s, I) : I);
    relu_groups v = relu_turned(s, &w);
    if (!all_of_J) v.rows[1] = w.rows[1];
    claim_reduced(t, 3, (const mat **const[]){ &v.rows[0], &v.rows[1], &v.rows[2] });
    claim_equal(t, "the skip is absorbed", mat_add(s, relu_groups_at(s, &w, X, act), X),
                relu_groups_at(s, &v, X, act));
}

static void every_phi(trial *t)   { turn_over(t, ACT_HALF_ODD, -1, true); }
static void of_gelu(trial *t)     { turn_over(t, ACT_GELU, -1, true); }
static void of_silu(trial *t)     { turn_over(t, ACT_SILU, -1, true); }
static void plus_I(trial *t)      { turn_over(t, ACT_HALF_ODD, 1, true); }
static void plus_gelu(trial *t)   { turn_over(t, ACT_GELU, 1, true); }
static void plus_silu(trial *t)   { turn_over(t, ACT_SILU, 1, true); }
static void part_of_J(trial *t)   { turn_over(t, ACT_HALF_ODD, -1, false); }
static void odd_phi(trial *t)     { turn_over(t, ACT_TANH, -1, true); }

/* ---- (2) ----------------------------------------------------------------------------------------------- */

static const mat *mu(scope *s, const mat *X)
{
    const long n = X->rows;
    long *x = scope_alloc(s, (size_t)(n * n) * sizeof *x);
    for (long i = 0; i < n; i++)
        for (long j = i + 1; j < n; j++) x[i * n + j] = 1;
    const mat *above = mat_from_si(s, n, n, x), *I = mat_identity(s, n);
    const mat *diagonal = mat_mul(s, mat_hadamard(s, X, I), mat_ones(s, n, 1));
    return mat_sub(s, mat_hadamard(s, X, above), mat_scale_rows(s, mat_mul(s, above, diagonal), I));
}

static const mat *determinant(scope *s, const mat *A)            /* 1 x 1 */
{
    const mat *X = A;
    for (long k = 1; k < A->rows; k++) X = mat_mul(s, mu(s, X), A);
    const mat *det = mat_cols(s, mat_rows(s, X, 0, 1), 0, 1);
    return A->rows % 2 ? det : mat_neg(s, det);
}

/* g(W1 X) = (phi(W1 X) + phi(-W1 X)) / 2, twice */
static const mat *even_part(scope *s, const mat *W1, const mat *X, activation act)
{
    const mat *A = mat_mul(s, W1, X);
    const place at = { 0, PLACE_MLP, 0 };
    return mat_add(s, mat_phi(s, A, act, at), mat_phi(s, mat_neg(s, A), act, at));
}

/* Integers in -31..31 over 16: they fulfil the hypothesis whatever --corner says. */
static const mat *sixteenths(scope *s, const char *name, long rows, long cols)
{
    return mat_scale(s, 1, -4, relu_draw(s, name, rows, cols, 31));
}

/* W1, m > 2, with its second row `times` the first */
static const mat *related_rows(scope *s, long m, long d, long times)
{
    const mat *W1 = sixteenths(s, "W1", m, d), *first = mat_rows(s, W1, 0, 1);
    const mat *second = mat_scale_rows(s, mat_from_si(s, 1, 1, &times), first);
    return mat_vcat(s, 3, (const mat *const[]){ first, second, mat_rows(s, W1, 2, m - 2) });
}

static void independent(trial *t, activation act, long times)
{
    scope *s = &t->s;
    const long d = t->sh.d, m = t->sh.m;
    const mat *W1 = related_rows(s, m, d, times), *X = sixteenths(s, "X", d, m);
    const mat *even = even_part(s, W1, X, act);
    claim_equal(t, "g is even", even, even_part(s, mat_neg(s, W1), X, act));
    const mat *A = mat_from_si(s, 3, 3, (long[]){ 2, 1, 3, 0, 4, 5, 6, 7, 8 });
    claim_equal(t, "a determinant known by hand", determinant(s, A), mat_from_si(s, 1, 1, (long[]){ -48 }));
    claim_differs(t, "det g(w_i.x_k) is not 0", determinant(s, even), mat_zero(s, 1, 1));
}

static void gelu_rows(trial *t)      { independent(t, ACT_GELU, 2); }
static void silu_rows(trial *t)      { independent(t, ACT_SILU, 2); }
static void abs_collinear(trial *t)  { independent(t, ACT_RELU, 2); }
static void abs_opposite(trial *t)   { independent(t, ACT_RELU, -1); }

#define PLUS(body) { "plus-I", body, "$W_2[:,J]W_1[J,:] = +I$" }
static const control of_every[] = { PLUS(plus_I), { "part-of-J", part_of_J, "only some of $J$ are turned over" },
                                    { "odd-phi", odd_phi, "$\\tanh(y) - \\tanh(-y)$ is not linear" } };
static const control gelu_plus[] = { PLUS(plus_gelu) }, silu_plus[] = { PLUS(plus_silu) };
static const control collinear[] = { { "abs-collinear", abs_collinear, "$g = |\\cdot|$, $w_2 = 2w_1$: determinant 0" },
                                     { "abs-opposite", abs_opposite, "$g = |\\cdot|$, $w_2 = -w_1$: determinant 0" } };
static const shape_case shapes[] = {
    { .sh = RELU_SHAPE(3, 2, 4, 4) }, { .sh = RELU_SHAPE(3, 2, 6, 4) }, { .sh = RELU_SHAPE(3, 3, 5, 4) },
    { .sh = RELU_SHAPE(3, 4, 8, 4) },
};
#define EVERYWHERE .kind = PART_IDENTITY, .no_large = true
#define REAL REALS_ONLY("the activation is opaque there")
#define BALLS .without = "f64 mpfr fp q sym", .no_minimal = true, \
    .why_without = "only balls certify that a determinant of real values is not 0", \
    .by_proof = "a generalized Vandermonde determinant is not 0", .basis = "determinants of instances in balls"
static const part parts[] = {
    { .name = "as-stated", .run = every_phi, EVERYWHERE, CONTROLS(of_every),
      .assumes = "half-odd activation; invertible U",
      .statement = "$W_2[:,J]W_1[J,:] = -I$ and $\\varphi(y) - \\varphi(-y) = y$: turning $J$ over absorbs the skip "
                   "(some $h$ rows $U$ of $W_1[J,:]$ are independent)" },
    { .name = "as-stated-gelu", .run = of_gelu, EVERYWHERE, REAL, .controls = gelu_plus, .ncontrols = 1,
      .statement = "the same for GELU (with the error function) itself" },
    { .name = "as-stated-silu", .run = of_silu, EVERYWHERE, REAL, .controls = silu_plus, .ncontrols = 1,
      .statement = "the same for SiLU itself" },
    { .name = "as-stated-independent-GELU", .run = gelu_rows, EVERYWHERE, BALLS, CONTROLS(collinear),
      .statement = "even parts of GELU at rows with $w_i \\ne \\pm w_j$, collinear ones among them, are independent" },
    { .name = "as-stated-independent-SiLU", .run = silu_rows, EVERYWHERE, BALLS, CONTROLS(collinear),
      .statement = "the same for SiLU" },
};
static const claim N5B = {
    .id = "N5b", .title = "Theorem E.1 for GELU and SiLU", .where = "",
    .hypotheses = "(1) none; (2) $w_i \\ne 0$, $w_i \\ne \\pm w_j$, columns of $W_2$ not 0, $V$ of width $m$",
    .construction = "$V_1 = (I - 2\\Pi_J)W_1$, $V_2 = W_2$",
    .why = "The odd part of $\\varphi$ is $y/2$, so a neuron turned over changes the network by a linear map. The "
           "even parts $g(w_i \\cdot x)$ are independent if $g$ is analytic and no polynomial: there is no other way.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-E1-suff K-E1-nec",
};
THEOREM_PROGRAM(N5B)
