/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_c2.c - K-C2, basis transformation through LayerNorm.
 *
 * Statement.  If D' L(x + MLP'(x)) = Theta D L(x + MLP(x)) for all x, D and D' diagonal, then
 * MLP'(x) = back(M_0 L(x + MLP(x))) - x + h(x) 1 with the M_0 of Lemma C.1 for A = Theta D.
 *
 * Corrected.  If no entry of v = A^-T 1 is 0 and the L(x + MLP(x)) span H and come near its sphere, then
 * D' = (lambda diag(v))^-1 with some 0 < |lambda| <= lambda_0 and M_lambda = lambda diag(v) A in place of M_0;
 * each such lambda is one solution.  Why: 1'D'^-1 A must vanish on what the L(x + MLP(x)) span (k_c1.c).
 *
 * What is wrong.  lambda_0 is not forced.  Where x + MLP(x) stays on one ray through 0, neither is v:
 *     Theta = D = I, d = 3, MLP(x) = -x + a ReLU(x_1), a = (1, 2, -3),
 *     MLP'(x) = -x + w ReLU(x_1), w = (2, 1, -3), D' = diag(1/2, 2, 1)
 * is a solution: a and w have mean 0 and equal lengths, so L(a t) and L(w t) are a and w over the same number,
 * and D' w = a.  Here v = 1, so the theorem says D' = I / lambda.
 *
 * Signs.  001 and 000 want D > 0.  Turning row i of A over turns v_i over, so if the law of A is invariant
 * under signs of rows, all 2^d patterns are equally likely and D' has one sign with probability 2^(1-d).     */
#include <math.h>
#include "numerics/measure.h"
#include "src/claim/shapes.h"
#include "src/methods/norm/norm.h"

/* ---- as stated ----------------------------------------------------------------------------------------- */

/* L divides P y by sqrt(|P y|^2/d + eps): where the lengths are equal, so are the divisors, for every epsilon. */
static void ray(trial *t, const mat *w, const mat *gain)
{
    scope *s = &t->s;
    const mat *I = mat_identity(s, 3), *O = mat_neg(s, I);
    const mat *a = mat_from_si(s, 3, 1, (long[]){ 1, 2, -3 }), *first = mat_rows(s, I, 0, 1);
    const mat *W1 = mat_vcat(s, 3, (const mat *[]){ I, O, first });         /* -x = ReLU(-x) - ReLU(x) */
    const mat *x = mat_draw(s, "X", 8, 3, 0), *y[2], *out[] = { a, w };
    for (int k = 0; k < 2; k++) {
        const mat *W2 = mat_hcat(s, 3, (const mat *[]){ O, I, out[k] });
        y[k] = mat_add(s, x, norm_mlp(s, W1, W2, ACT_RELU, x));
    }
    const mat *P = mat_centering(s, 3), *stated = mat_mul(s, y[0], P), *other = mat_mul(s, y[1], P);
    claim_equal(t, "|P (x + MLP'(x))| = |P (x + MLP(x))|", mat_row_squares(s, other), mat_row_squares(s, stated));
    claim_equal(t, "D' P (x + MLP'(x)) = P (x + MLP(x))", norm_apply(s, mat_diag(s, gain), other), stated);
}

static const mat *swapped(scope *s)   { return mat_from_si(s, 3, 1, (long[]){ 2, 1, -3 }); }
static const mat *half(scope *s)      { return mat_dyadic(s, 3, 1, (int64_t[]){ 1, 4, 2 }, -1); }
static void one_ray(trial *t)         { ray(t, swapped(&t->s), half(&t->s)); }

static void longer(trial *t)
{
    ray(t, mat_from_si(&t->s, 3, 1, (long[]){ 4, 2, -6 }), mat_dyadic(&t->s, 3, 1, (int64_t[]){ 1, 4, 2 }, -2));
}

static void uncentred(trial *t)
{
    ray(t, mat_from_si(&t->s, 3, 1, (long[]){ 2, 1, 3 }), mat_dyadic(&t->s, 3, 1, (int64_t[]){ 1, 4, -2 }, -1));
}

static void exact_facts(trial *t)
{
    scope *s = &t->s;
    const mat *a = mat_from_si(s, 1, 3, (long[]){ 1, 2, -3 }), *w = mat_t(s, swapped(s)), *one = mat_ones(s, 3, 1);
    claim_equal(t, "|w| = |a|", mat_row_squares(s, w), mat_row_squares(s, a));
    claim_equal(t, "w has mean 0", mat_mul(s, w, one), mat_zero(s, 1, 1));
    claim_equal(t, "D' w = a", norm_apply(s, mat_diag(s, half(s)), w), a);
    claim_rank(t, "D' is no multiple of I", mat_hcat(s, 2, (const mat *[]){ half(s), one }), 2);
    const mat *A = mat_from_si(s, 3, 3, (long[]){ 1, 1, 1, 0, 1, 0, 0, 0, 1 }), *B = norm_plane(s, 3);
    const mat *singular = mat_diag(s, mat_from_si(s, 3, 1, (long[]){ 0, 1, 1 }));
    claim_equal(t, "a row of ones: D' = diag(0,1,1), MLP' = MLP", mat_mul(s, singular, B), mat_mul(s, A, B));
}

static void signs(trial *t, double chance)
{
    uint64_t seed[2];
    claim_seeds(t, seed);
    const long draws = 100000, seen = norm_one_signed(seed, t->sh.d, draws);
    const estimate at = measure_share(seen, draws);
    claim_decided(t, "the interval covers the chance", at.least <= chance && chance <= at.most);
}
static void one_sign(trial *t)        { signs(t, ldexp(1, 1 - (int)t->sh.d)); }
static void all_positive(trial *t)    { signs(t, ldexp(1, -(int)t->sh.d)); }

/* L(M L(y)'s preimage) = M L(y) without roots, y in H, M of norm below 1 (n x d rows each): back(M L(y)) = c M y with
 * the c^2 of norm_factor_square, and L(c M y) = M L(y) says c^2 r = c^2 |M y|^2/d + eps, r = |y|^2/d + eps.
 * What comes back is |c M y|^2, n x 1. */
static const mat *solved(trial *t, const mat *y, const mat *My)
{
    scope *s = &t->s;
    const long d = y->cols;
    const mat *y2 = mat_row_squares(s, y), *My2 = mat_row_squares(s, My), *one = mat_ones(s, y->rows, 1);
    const mat *eps = mat_scale_by(s, mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, NORM_LOG2_EPS), one);
    const mat *per_d = mat_ratio(s, 1, d), *r = mat_add(s, mat_scale_by(s, per_d, y2), eps);
    claim_less(t, "|M L(y)|^2 < d", mat_scale_by(s, per_d, My2), r);
    const mat *c2 = norm_factor_square(s, d, y2, My2), *length2 = mat_hadamard(s, c2, My2);
    claim_equal(t, "M y has mean 0", mat_mul(s, My, mat_ones(s, d, 1)), mat_zero(s, y->rows, 1));
    claim_equal(t, "|x + MLP'(x)| is right", mat_hadamard(s, c2, r), mat_add(s, mat_scale_by(s, per_d, length2), eps));
    return length2;
}

/* M = lambda diag(v) A for two lambda below 1/|diag(v) A|, the first 1/(1 + |diag(v) A|_F^2). */
static void two_lambdas(trial *t)
{
    scope *s = &t->s;
    const long d = t->sh.d, m = 2 * d;
    const mat *A = mat_mul(s, mat_draw_weight(s, "Theta", d, d), mat_diag(s, norm_near_one(s, "D", d)));
    const mat *v = norm_gain(s, A), *vA = mat_scale_rows(s, v, A), *ones = mat_ones(s, d, 1), *length2[2];
    const mat *W1 = mat_draw(s, "W1", m, d, mat_log2_fan_in(d)), *W2 = mat_draw(s, "W2", d, m, mat_log2_fan_in(m));
    const mat *X = norm_inputs(s, "X", d);
    const mat *y = mat_mul(s, mat_add(s, X, norm_mlp(s, W1, W2, ACT_RELU, X)), mat_centering(s, d));
    const mat *frobenius = mat_mul(s, mat_t(s, mat_row_squares(s, vA)), ones);
    const mat *lambda = mat_reciprocal(s, mat_add(s, mat_ratio(s, 1, 1), frobenius));
    for (int k = 0; k < 2; k++, lambda = mat_scale_by(s, mat_ratio(s, 1, 4), lambda)) {
        const mat *My = norm_apply(s, mat_scale_by(s, lambda, vA), y);
        const mat *gain = mat_mul(s, mat_inv(s, mat_scale_by(s, lambda, mat_diag(s, v))), ones);
        length2[k] = solved(t, y, My);
        claim_equal(t, "D' M = Theta D", norm_apply(s, mat_diag(s, gain), My), norm_apply(s, A, y));
    }
    claim_differs(t, "two different MLP'", length2[0], length2[1]);
}

/* ---- corrected ----------------------------------------------------------------------------------------- */

static void solutions(trial *t, size_t n, const long percent[], bool plain)
{
    scope *s = &t->s;
    const long d = t->sh.d, m = 2 * d;
    const mat *Theta = mat_draw_weight(s, "Theta", d, d), *ones = mat_ones(s, d, 1);
    const mat *D = mat_diag(s, norm_near_one(s, "D", d));
    const mat *A = mat_mul(s, Theta, D), *v = plain ? mat_mul(s, mat_inv(s, A), ones) : norm_gain(s, A);
    const mat *W1 = mat_draw(s, "W1", m, d, mat_log2_fan_in(d)), *W2 = mat_draw(s, "W2", d, m, mat_log2_fan_in(m));
    const mat *X = norm_inputs(s, "X", d), *Y = mat_add(s, X, norm_mlp(s, W1, W2, ACT_SILU, X));
    const mat *vA = mat_scale_rows(s, v, A), *P = mat_centering(s, d);
    const norm_top top = norm_largest(s, mat_mul(s, vA, P));
    claim_equal(t, "the top direction is in H", mat_mul(s, top.along, P), top.along);
    const mat *far = mat_scale_by(s, mat_ratio(s, 64, 1), top.along);  /* last, an x with this x + MLP(x) */
    const mat *L = norm_layer(s, mat_vcat(s, 2, (const mat *[]){ Y, far }));
    const mat *x = mat_vcat(s, 2, (const mat *[]){ X, mat_draw(s, "x", 1, d, 0) });
    for (size_t k = 0; k < n; k++) {
        const mat *lambda = mat_scale_by(s, mat_ratio(s, percent[k], 100), mat_rsqrt(s, top.square));
        const mat *gain = mat_mul(s, mat_inv(s, mat_scale_by(s, lambda, mat_diag(s, v))), ones);
        const mat *moved = mat_sub(s, norm_back(t, norm_apply(s, mat_scale_by(s, lambda, vA), L)), x);
        claim_reduced(t, 1, (const mat **[]){ &gain });
        claim_equal(t, "D' L(x + MLP'(x)) = Theta D L(x + MLP(x))",
                    norm_apply(s, mat_diag(s, gain), norm_layer(s, mat_add(s, x, moved))), norm_apply(s, A, L));
    }
}

static void three_lambdas(trial *t)   { solutions(t, 3, (long[]){ 100, 25, -60 }, false); }
static void larger(trial *t)          { if (t->sh.d < 5) t->sh.d = 5; }
static void too_long(trial *t)        { larger(t); solutions(t, 1, (long[]){ 150 }, false); }
static void untransposed(trial *t)    { larger(t); solutions(t, 1, (long[]){ 100 }, true); }

/* Rank d - 1 of A B: D'^-1 is determined up to a factor; rank d - 1 of P (x + MLP(x)): the images span H. */
static void necessity(trial *t, bool collapsed)
{
    scope *s = &t->s;
    const long d = t->sh.d = t->sh.d < 3 ? 3 : t->sh.d, m = 2 * d;
    const mat *W1 = mat_draw(s, "W1", m, d, 0), *W2 = mat_draw(s, "W2", d, m, 0), *X = mat_draw(s, "X", 2 * d, d, 0);
    const mat *Y = mat_add(s, X, norm_mlp(s, W1, W2, ACT_RELU, X)), *c = mat_draw(s, "c", 1, d, 0);
    if (collapsed) Y = mat_mul(s, mat_ones(s, 2 * d, 1), c);             /* MLP(x) = c - x */
    claim_rank(t, "one line of D'^-1", mat_mul(s, mat_draw(s, "A", d, d, 0), norm_plane(s, d)), d - 1);
    claim_rank(t, "x + MLP(x) spans H", mat_mul(s, Y, mat_centering(s, d)), d - 1);
}
static void spanning(trial *t)        { necessity(t, false); }
static void constant(trial *t)        { necessity(t, true); }

/* S from the left, or from the right, where (A S)^-T = A^-T S^-T. */
static void signed_by(trial *t, bool rows)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", t->sh.d, t->sh.d, 0), *S = mat_draw(s, "S", t->sh.d, t->sh.d, 0);
    const mat *v = norm_gain(s, A), *Sv = norm_gain(s, rows ? mat_mul(s, S, A) : mat_mul(s, A, S));
    claim_reduced(t, 1, (const mat **[]){ &v });
    claim_equal(t, "(S A)^-T 1 = S^-T A^-T 1", Sv, mat_mul(s, mat_t(s, mat_inv(s, S)), v));
}
static void row_signs(trial *t)       { signed_by(t, true); }
static void column_signs(trial *t)    { signed_by(t, false); }

static void patterns(trial *t, long expected)
{
    const mat *A = mat_draw(&t->s, "A", t->sh.d, t->sh.d, 0), *v = norm_gain(&t->s, A);
    if (mat_positive(mat_hadamard(&t->s, v, v)) != HOLDS) scope_undecided(&t->s, REASON_DRAW, "an entry of v is 0");
    claim_decided(t, "patterns of one sign", norm_one_signed_flips(&t->s, A) == expected);
}
static void two_patterns(trial *t)    { patterns(t, 2); }
static void one_pattern(trial *t)     { patterns(t, 1); }
static void up_to_16(shape *sh) { if (sh->d > 16) sh->d = sh->dk = 16; }
static void up_to_8(shape *sh)  { if (sh->d > 6) sh->d = sh->dk = sh->d == 16 ? 7 : 8; }

static const control ray_controls[]  = { { "longer", longer, "$w$ twice as long, $D'$ half as large" },
                                         { "uncentred", uncentred, "$w = (2,1,3)$ has the length but a mean" } };
static const control sign_controls[] = { { "half-of-it", all_positive, "the chance $2^{-d}$" } };
static const control controls[]      = { { "too-long", too_long, "$\\lambda = \\frac32\\lambda_0$ leaves the ball" },
                                         { "untransposed", untransposed, "$v = A^{-1}\\mathbf 1$" } };
static const control nec_controls[]  = { { "constant", constant, "$\\mathrm{MLP}(x) = c - x$" } };
static const control flip_controls[] = { { "columns", column_signs, "$AS$ in place of $SA$" } };
static const control two_controls[]  = { { "one-pattern", one_pattern, "one pattern in place of two" } };
#define EXACTLY .no_large = true, .no_minimal = true, RATIONALS_ONLY("ranks and signs are decided exactly")
#define BITS .no_large = true, .without = "f64 fp q sym", \
    .why_without = "$x$ of length $10^4$ beside MLP' of size $10^{-2}$ cancels 21 bits; the others have no roots"
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = exact_facts, EXACTLY,
      .quantity = "D'", .shown_by = "D' is no multiple of I",
      .statement = "$\\Theta = D = I$, $a = (1,2,-3)$, $w = (2,1,-3)$, $D' = \\mathrm{diag}(\\frac12,2,1)$: $|w| = "
                   "|a|$, $D'w = a$, both of mean 0", .basis = "witness: integers" },
    { .name = "as-stated-ray", .kind = PART_GAP, .run = one_ray, .no_large = true, .no_minimal = true,
      .quantity = "D' \\ne I/\\lambda", .shown_by = "D' P (x + MLP'(x)) = P (x + MLP(x))",
      .without = "fp sym", .why_without = "ReLU needs an order",
      .statement = "$D'L_\\varepsilon(w\\,\\mathrm{ReLU}(x_1)) = L_\\varepsilon(a\\,\\mathrm{ReLU}(x_1))$ although "
                   "$D' \\ne I/\\lambda$: both sides are divided by the same root, and agree before",
      CONTROLS(ray_controls) },
    { .name = "as-stated-two-solutions", .kind = PART_GAP, .run = two_lambdas, EXACTLY, .prepare = up_to_8,
      .quantity = "two different MLP'", .shown_by = "two different MLP'",
      .basis = "witness: both solve the squared equation, exactly; their lengths differ",
      .statement = "$\\lambda$ and $\\frac14\\lambda$ below $\\lambda_0$ give two different MLP' for one MLP" },
    { .name = "as-stated-sign", .kind = PART_IDENTITY, .run = one_sign, .no_large = true, .no_minimal = true,
      .statement = "$D'$ has one sign with probability $2^{1-d}$ for Gaussian $\\Theta$, $d \\le 8$",
      .basis = "10^5 draws; Clopper-Pearson interval that misses with chance 10^-6", .prepare = up_to_8,
      .without = "mpfr arb fp q sym", .why_without = "signs of normal draws are counted in doubles",
      CONTROLS(sign_controls) },
    { .name = "corrected", .kind = PART_IDENTITY, .run = three_lambdas, BITS, .prepare = up_to_16,
      .statement = "$D' = (\\lambda\\,\\mathrm{diag}\\,v)^{-1}$, $M_\\lambda$ for $\\lambda = \\lambda_0$ (from "
                   "below), $\\lambda_0/4$, $-0.6\\lambda_0$", CONTROLS(controls) },
    { .name = "corrected-only", .kind = PART_IDENTITY, .run = spanning, EXACTLY,
      .statement = "no other $D'$ where $x + \\mathrm{MLP}(x)$ spans $H$ (modulo $\\mathbf 1$)",
      .by_proof = "K-C1 carried through the block", .basis = "exact ranks of instances",
      CONTROLS(nec_controls) },
    { .name = "corrected-flip", .kind = PART_IDENTITY, .run = row_signs, .no_large = true,
      .assumes = "invertible A; invertible S",
      .statement = "$(SA)^{-\\top}\\mathbf 1 = S^{-\\top}A^{-\\top}\\mathbf 1$: row signs of $A$ are signs of $v$ "
                   "($A$, $S$ invertible)", CONTROLS(flip_controls) },
    { .name = "corrected-sign", .kind = PART_IDENTITY, .run = two_patterns, EXACTLY,
      .statement = "of the $2^d$ matrices $SA$, $S$ a diagonal of signs, two have a $D'$ of one sign",
      .prepare = up_to_8, CONTROLS(two_controls) },
};
static const shape_case shapes[] = { NORM_SIZE(3), NORM_SIZE(2), NORM_SIZE(4), NORM_SIZE(5), NORM_SIZE(6),
                                     NORM_SIZE(16), NORM_SIZE(64) };
static const quotation quotes[] = {
    { TEXT_001, "Theorem 8.2", "Let be a basis transformation, a multilayer perceptron, and a diagonal matrix "
      "with positive entries representing the learned LayerNorm scaling." },
    { TEXT_003, "Theorem C.2", "Let $\\Theta \\in \\text{GL}(d)$ be a basis transformation, $\\text{MLP} : "
      "\\mathbb{R}^d \\rightarrow \\mathbb{R}^d$ a multilayer perceptron, and D the learned LayerNorm scaling. "
      "If there exist MLP' and D' such that $$D' L_\\varepsilon(x + \\text{MLP}'(x)) = \\Theta D "
      "L_\\varepsilon(x + \\text{MLP}(x)) \\quad \\forall x,$$ then by Lemma C.1, MLP' must satisfy: "
      "$$\\text{MLP}'(x) = L_\\varepsilon^{-1}(M_0 L_\\varepsilon(x + \\text{MLP}(x))) - x + h(x)\\mathbf{1}$$ "
      "where M_0 is constructed as above for $A = \\Theta D$." },
    { TEXT_000, "Theorem 8.3", "Let be a basis transformation, a multilayer perceptron, and a diagonal matrix "
      "with positive entries representing the learned LayerNorm scaling." },
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_C2 = {
    .id = "K-C2", .title = "basis transformation through LayerNorm",
    .where = "001 Theorem 8.2; 003 Theorem C.2; 000 Theorem 8.3",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$A = \\Theta D$, no entry of $v = A^{-\\top}\\mathbf 1$ is 0, the $L_\\varepsilon(x + "
                  "\\mathrm{MLP}(x))$ span $H$ and come near its sphere",
    .construction = "$D' = (\\lambda\\,\\mathrm{diag}\\,v)^{-1}$, $\\mathrm{MLP}'(x) = "
                    "L_\\varepsilon^{-1}(\\lambda\\,\\mathrm{diag}(v)A L_\\varepsilon(x + \\mathrm{MLP}(x))) - x + "
                    "h(x)\\mathbf 1$, $0 < |\\lambda| \\le \\lambda_0$",
    .why = "The theorem says that MLP' must be built from $M_0$.  First, $M_0$ may be replaced by $M_\\lambda$ with "
           "any $0 < |\\lambda| \\le \\lambda_0$.  Second, not even $v$ is forced where $x + \\mathrm{MLP}(x)$ stays "
           "on a line.  Take $d = 3$, $\\Theta = D = I$, $\\mathrm{MLP}(x) = -x + (1,2,-3)\\,\\mathrm{ReLU}(x_1)$ "
           "and $\\mathrm{MLP}'(x) = -x + (2,1,-3)\\,\\mathrm{ReLU}(x_1)$.  Both vectors have mean 0 and squared "
           "length 14, so LayerNorm divides both by the same number, and $D' = \\mathrm{diag}(\\frac12,2,1)$ maps "
           "the second to the first; but the theorem asks for $D' = I/\\lambda$.  Under the hypotheses given here "
           "$D'$ is the inverse of a multiple of $\\mathrm{diag}\\,v$.  If gains are to be positive (001, 000) "
           "that has, for Gaussian $\\Theta$, probability $2^{1-d}$ up to a common sign.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-C1",
};
THEOREM_PROGRAM(K_C2)
