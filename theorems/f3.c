/* SPDX-License-Identifier: GPL-3.0-or-later
 * f3.c - F3, a linear skip Z x around an MLP is an identity skip in other coordinates.
 *
 * Statement.  Columns x, W1 (m x h), W2 (h x m), Z (h x h).  (1) For invertible Z and any activation,
 *     W2 phi(W1 x) + Z x = W2 phi(W1 Z^-1 y) + y,     y = Z x,
 * so that (W1, W2) absorbs Z at width m if and only if (W1 Z^-1, W2) absorbs I.  (2) For every Z, singular ones
 * included, and every phi with phi(y) - phi(-y) = y: if W2[:,J] W1[J,:] = -Z, turning J over absorbs the skip.  (3)
 * For ReLU, where no row of W1 is zero or collinear with another and no column of W2 is zero, there is no other
 * way.
 *
 * Why it is true.  (1) is a substitution, and x -> Z x is one to one.  (2) W2 Pi_J (phi(W1 x) - phi(-W1 x)) = W2
 * Pi_J W1 x. (3) for invertible Z is (1) and K-E1-nec with W2[:,J] W1[J,:] Z^-1 = -I; for all Z, the argument of
 * K-E1-nec with Z for I.
 *
 * How it is decided.  (1) and (2) symbolically, and in every arithmetic; (3) over Q, on drawn and planted networks,
 * with invertible Z and with Z of rank 1: decision, all 2^m subsets, and the decision about (W1 Z^-1, W2, I) agree. */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_certificate.h"
#include "src/methods/relu/relu_turn.h"

/* ---- (1) ----------------------------------------------------------------------------------------------- */

static void substitute(trial *t, bool inverse)
{
    scope *s = &t->s;
    const long d = t->sh.d, m = t->sh.m;
    const mat *W1 = mat_draw(s, "W1", m, d, mat_log2_fan_in(d)), *W2 = mat_draw(s, "W2", d, m, mat_log2_fan_in(m));
    const mat *Z = mat_draw_weight(s, "Z", d, d), *X = relu_points(s, d, t->sh.n), *Y = mat_mul(s, Z, X);
    const mat *V1 = mat_mul(s, W1, inverse ? mat_inv(s, Z) : Z), *V2 = mat_t(s, mat_t(s, W2));
    claim_reduced(t, 2, (const mat **const[]){ &V1, &V2 });
    const place at = { 0, PLACE_MLP, 0 };
    const mat *before = mat_phi(s, mat_mul(s, W1, X), t->sh.act, at);
    const mat *after = mat_phi(s, mat_mul(s, V1, Y), t->sh.act, at);
    claim_equal(t, "W2 phi(W1 x) + Z x", mat_add(s, mat_mul(s, W2, before), Y), mat_add(s, mat_mul(s, V2, after), Y));
}

static void substituted(trial *t)  { substitute(t, true); }
static void not_inverse(trial *t)  { substitute(t, false); }

/* ---- (2) ----------------------------------------------------------------------------------------------- */

/* J are the first two groups of neurons, with W2[:,J] W1[J,:] = T; the others are as they were. */
static void turn_over(trial *t, bool singular, long sign, activation act)
{
    scope *s = &t->s;
    const long d = t->sh.d, r = singular ? d - 1 : d;
    const int in = mat_log2_fan_in(d);
    const mat *Z = mat_mul(s, mat_draw(s, "left", d, r, in), mat_draw(s, "right", r, d, in));
    const mat *X = relu_points(s, d, t->sh.n);
    const relu_groups w = relu_groups_with(s, d, t->sh.m, t->sh.V, sign < 0 ? mat_neg(s, Z) : Z);
    relu_groups v = relu_turned(s, &w);
    claim_reduced(t, 3, (const mat **const[]){ &v.rows[0], &v.rows[1], &v.rows[2] });
    claim_equal(t, "the skip is absorbed", mat_add(s, relu_groups_at(s, &w, X, act), mat_mul(s, Z, X)),
                relu_groups_at(s, &v, X, act));
    certify_relu_equal(t, NULL, relu_rows_of(s, &w), relu_cols_of(s, &w), Z,
                       relu_rows_of(s, &v), relu_cols_of(s, &v), NULL);                              /* phi = ReLU */
}

static void regular_Z(trial *t)  { turn_over(t, false, -1, ACT_HALF_ODD); }
static void singular_Z(trial *t) { turn_over(t, true, -1, ACT_HALF_ODD); }
static void plus_Z(trial *t)     { turn_over(t, false, 1, ACT_HALF_ODD); }
static void plus_Z_s(trial *t)   { turn_over(t, true, 1, ACT_HALF_ODD); }
static void odd_phi(trial *t)    { turn_over(t, false, -1, ACT_TANH); }

/* ---- (3) ----------------------------------------------------------------------------------------------- */

static void decide(trial *t, const mat *Z, long q, long sign)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const relu_weights w = relu_planted(s, h, m, q, mat_neg(s, Z));
    const mat *looked_for = sign < 0 ? mat_neg(s, Z) : Z;
    const truth found = relu_count_subsets(w.W1, w.W2, looked_for) ? HOLDS : REFUTED;
    claim_decided(t, "absorbable if and only if there is a J", relu_absorbable(w.W1, w.W2, Z) == found);
    if (q) claim_decided(t, "the planted J is found", found == HOLDS);
    if (mat_rank(s, Z) < h) return;
    const truth moved = relu_absorbable(mat_mul(s, w.W1, mat_inv(s, Z)), w.W2, mat_identity(s, h));
    claim_decided(t, "(W1 Z^-1, W2) and the skip x", moved == found);
}

static void both_kinds(trial *t, long sign)
{
    scope *s = &t->s;
    const long h = t->sh.d;
    const mat *Z = relu_draw(s, "Z", h, h, 3);
    const mat *thin = mat_mul(s, relu_draw(s, "column", h, 1, 3), relu_draw(s, "row", 1, h, 3));
    for (long q = 0; q <= t->sh.m; q += q ? 1 : h) {
        decide(t, Z, q, sign);
        decide(t, thin, q, sign);
    }
}

static void decided(trial *t)    { both_kinds(t, -1); }
static void plus_Z_q(trial *t)   { both_kinds(t, 1); }

static const control of_1[] = { { "not-inverse", not_inverse, "$W_1Z$ instead of $W_1Z^{-1}$" } };
static const control of_2[] = { { "plus-Z", plus_Z, "$W_2[:,J]W_1[J,:] = +Z$" },
                                { "odd-phi", odd_phi, "$\\tanh(y) - \\tanh(-y) \\ne y$" } };
static const control of_2s[] = { { "plus-Z", plus_Z_s, "$W_2[:,J]W_1[J,:] = +Z$" } };
static const control of_3[] = { { "plus-Z", plus_Z_q, "brute force looks for $W_2[:,J]W_1[J,:] = +Z$" } };
static const shape_case shapes[] = {
    { .sh = RELU_SHAPE(3, 2, 8, 4) }, { .sh = RELU_SHAPE(3, 3, 5, 4) }, { .sh = RELU_SHAPE(3, 4, 7, 4) },
};
#define EVERYWHERE .kind = PART_IDENTITY, .no_large = true
static const part parts[] = {
    { .name = "as-stated", .run = substituted, EVERYWHERE, CONTROLS(of_1),
      .assumes = "invertible Z",
      .statement = "$Z$ invertible, any $\\varphi$: $W_2\\varphi(W_1x) + Zx = W_2\\varphi(W_1Z^{-1}y) + y$, "
                   "$y = Zx$" },
    { .name = "as-stated-turned-subset", .run = regular_Z, EVERYWHERE, .certifies = true,
      CONTROLS(of_2),
      .assumes = "half-odd activation; invertible U",
      .statement = "$W_2[:,J]W_1[J,:] = -Z$ and $\\varphi(y) - \\varphi(-y) = y$: turning $J$ over absorbs $Z$ "
                   "(where some $h$ rows $U$ of $W_1[J,:]$ are independent)" },
    { .name = "as-stated-singular", .run = singular_Z, EVERYWHERE, .certifies = true,
      CONTROLS(of_2s),
      .assumes = "half-odd activation; invertible U; d >= 2",
      .statement = "the same for singular $Z$, $U$ invertible as before" },
    { .name = "as-stated-only", .run = decided, EVERYWHERE, CONTROLS(of_3),
      .no_minimal = true,
      .statement = "ReLU under the conditions of E.1, any $Z$: absorbable only by such a $J$",
      .by_proof = "(1) and K-E1-nec", .basis = "exact decision of instances", .without = "f64 mpfr arb fp sym",
      .why_without = "existence is decided exactly over the rationals" },
};
static const claim F3 = {
    .id = "F3", .title = "linear skips reduce to identity skips", .where = "arXiv 2604.23705",
    .hypotheses = "no biases; $V$ of the same width; (1) $Z$ invertible; (3) ReLU, E.1's conditions on $W_1$, $W_2$",
    .construction = "$y = Zx$; $V_1 = (I - 2\\Pi_J)W_1$, $V_2 = W_2$",
    .why = "The substitution $y = Zx$ turns the skip into the identity and $W_1$ into $W_1Z^{-1}$; the equation "
           "$W_2[:,J]W_1[J,:]Z^{-1} = -I$ is $W_2[:,J]W_1[J,:] = -Z$, which decides singular $Z$ as well.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-E1-suff K-E1-nec",
};
THEOREM_PROGRAM(F3)
