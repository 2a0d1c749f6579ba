/* SPDX-License-Identifier: GPL-3.0-or-later
 * f4.c - F4, when a ReLU MLP with biases absorbs its skip.
 *
 * Statement.  f(x) = W2 ReLU(W1 x + b1) + b2 + Z x on all of R^h.
 * (1) Let no row w_i of W1 and no column of W2 be 0, and let the hyperplanes w_i.x + b_i = 0 be pairwise different
 * (parallel ones are allowed).  Then f is V2 ReLU(V1 x + c1) + c2 at the same width if and only if some J has
 * W2[:,J] W1[J,:] = -Z.
 * (2) In general let sum_k c_k |u_k.x + beta_k| + L_0 x + d_0 be the canonical form, k = 1..p.  The least width is
 *     p + min |K| + 2 rank (L_0 - sum_{k not in K} s_k c_k u_k'  modulo  span u_K),     K kinks, s signs.
 * (3) Without an output bias, c2 = 0: the same with [L_0 | d_0] and rows (u_k | beta_k), and (0 | 1) as one more row
 * of cost 1; in (1) also b2 + W2[:,J] b1[J] = 0.
 *
 * Construction for (1).  D = I - 2 Pi_J: V1 = D W1, c1 = D b1, V2 = W2, c2 = b2 + W2[:,J] b1[J].
 *
 * Why it works.  ReLU(y) - ReLU(-y) = y: turning J over changes f by -W2[:,J] (W1[J,:] x + b1[J]).  The canonical form
 * is unique (src/methods/relu/relu_affine.h), so at width m V has one neuron on each hyperplane, that of W or its
 * negative: no other way.  (2), (3): src/methods/relu/relu_affine_least.c.  The hypothesis is weaker than E.1's:
 * h = 1, m >= 2 is possible.
 *
 * How it is decided.  The construction at drawn points, in every arithmetic, and symbolically for all sizes: ReLU, or
 * any phi with phi(y) - phi(-y) = y.  The rest over Q: (1) by all 2^m subsets and by the least width; (2) for networks
 * without biases by src/methods/relu/relu_absorb.c, whose answer must not change under a translation x + a,
 * although that makes biases.                                                                                  */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu_affine.h"
#include "src/methods/relu/relu_certificate.h"
#include "src/methods/relu/relu_turn.h"

/* Biases multiply a coordinate x_0 more: networks equal for all (x, x_0) are equal at x_0 = 1. */
static const mat *beside(scope *s, const mat *W, const mat *b) { return mat_hcat(s, 2, (const mat *const[]){ W, b }); }

static const mat *network(scope *s, const mat *W1, const mat *b1, const mat *W2, const mat *b2, const mat *X)
{
    const mat *ones = mat_ones(s, 1, X->cols), *a = mat_add(s, mat_mul(s, W1, X), mat_mul(s, b1, ones));
    return mat_add(s, mat_mul(s, W2, mat_phi(s, a, ACT_RELU, (place){ 0, PLACE_MLP, 0 })), mat_mul(s, b2, ones));
}

/* ---- (1) ----------------------------------------------------------------------------------------------- */

typedef struct { bool b1_stays, b2_stays; } slip;

static void construct(trial *t, const relu_affine_weights *w, const unsigned char *J, const mat *Z, slip e)
{
    scope *s = &t->s;
    const long h = w->W1->cols, m = w->W1->rows;
    const mat *D = relu_flip(s, m, J), *moved = mat_mul(s, w->W2, mat_mul(s, relu_pick(s, m, J), w->b1));
    const mat *V1 = mat_mul(s, D, w->W1), *c1 = e.b1_stays ? w->b1 : mat_mul(s, D, w->b1);
    const mat *V2 = w->W2, *c2 = e.b2_stays ? w->b2 : mat_add(s, w->b2, moved);
    claim_reduced(t, 3, (const mat **const[]){ &V1, &c1, &V2 });
    relu_affine f = relu_affine_of(w->W1, w->W2, Z, w->b1, w->b2), g = relu_affine_of(V1, V2, NULL, c1, c2);
    claim_decided(t, "equal canonical forms", relu_affine_same(&f, &g));
    relu_affine_clear(&f);
    relu_affine_clear(&g);
    certify_relu_equal(t, "lifted", beside(s, w->W1, w->b1), w->W2, beside(s, Z, w->b2),
                       beside(s, V1, c1), V2, beside(s, mat_zero(s, h, h), c2));
}

/* The decision, all subsets, and the least width agree about the skip Z; brute force looks for sign Z. */
static void decide(trial *t, const relu_affine_weights *w, const mat *Z, long sign, bool planted)
{
    scope *s = &t->s;
    relu_affine f = relu_affine_of(w->W1, w->W2, Z, w->b1, w->b2), V;
    const long subsets = relu_count_subsets(w->W1, w->W2, sign < 0 ? mat_neg(s, Z) : Z);
    subset S = relu_affine_J(&f, true);
    claim_decided(t, "absorbable if and only if there is a J", S.is == (subsets ? HOLDS : REFUTED));
    const long least = relu_affine_least(&f, true, &V);
    claim_decided(t, "the least width is m if and only if so", (least == w->W1->rows) == (subsets > 0));
    if (planted) claim_decided(t, "the planted J is found", subsets > 0);
    subset_clear(&S);
    relu_affine_clear(&f);
    relu_affine_clear(&V);
}

static void nondegenerate(trial *t, long sign, slip e)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const relu_affine_weights w = relu_affine_drawn(s, h, m);
    if (!relu_affine_regular_weights(&w)) return;
    claim_decided(t, "different hyperplanes", true);
    const unsigned char *J = relu_drawn_J(s, "J", m);
    const mat *Z = mat_neg(s, mat_mul(s, w.W2, mat_mul(s, relu_pick(s, m, J), w.W1)));
    construct(t, &w, J, Z, e);
    decide(t, &w, Z, sign, true);
    decide(t, &w, w.Z, sign, false);
    decide(t, &w, mat_identity(s, h), sign, false);
}

static void as_stated(trial *t)    { nondegenerate(t, -1, (slip){ false, false }); }
static void plus_Z(trial *t)       { nondegenerate(t, 1, (slip){ false, false }); }
static void bias_stays(trial *t)   { nondegenerate(t, -1, (slip){ true, false }); }
static void output_stays(trial *t) { nondegenerate(t, -1, (slip){ false, true }); }

/* cols phi(rows X + b 1') */
static const mat *biased(scope *s, const mat *cols, const mat *rows, const mat *b, const mat *X, activation act, int k)
{
    const mat *lifted = mat_vcat(s, 2, (const mat *const[]){ X, mat_ones(s, 1, X->cols) });
    return relu_neurons(s, cols, beside(s, rows, b), lifted, act, k);
}

/* Far from 0 a bias turns no neuron off at x and -x both. */
static const mat *far_points(scope *s, long h, long n) { return mat_scale(s, 1, 8, relu_points(s, h, n)); }

/* At drawn points, in every arithmetic: J is the first group of neurons, Z = -W2[:,J] W1[J,:], all else is drawn. */
static void at_points(trial *t, slip e)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m, rest = t->sh.V;
    const int in = mat_log2_fan_in(h), out = mat_log2_fan_in(m);
    const mat *W1 = mat_draw(s, "W1_J", m, h, in), *W2 = mat_draw(s, "W2_J", h, m, out);
    const mat *R1 = mat_draw(s, "W1_rest", rest, h, in), *R2 = mat_draw(s, "W2_rest", h, rest, out);
    const mat *b1 = mat_draw(s, "b1_J", m, 1, in), *r1 = mat_draw(s, "b1_rest", rest, 1, in);
    const mat *b2 = mat_draw(s, "b2", h, 1, in), *X = far_points(s, h, t->sh.n), *ones = mat_ones(s, 1, X->cols);
    const mat *Z = mat_neg(s, mat_mul(s, W2, W1)), *V1 = mat_neg(s, W1), *c1 = e.b1_stays ? b1 : mat_neg(s, b1);
    const mat *c2 = e.b2_stays ? b2 : mat_add(s, b2, mat_mul(s, W2, b1));
    claim_reduced(t, 3, (const mat **const[]){ &V1, &c1, &c2 });
    const activation act = relu_or_half_odd(s);
    const mat *kept = biased(s, R2, R1, r1, X, act, 1);
    const mat *left = mat_add(s, biased(s, W2, W1, b1, X, act, 0), mat_mul(s, b2, ones));
    const mat *right = mat_add(s, biased(s, W2, V1, c1, X, act, 0), mat_mul(s, c2, ones));
    claim_equal(t, "both networks at drawn points", mat_add(s, mat_add(s, left, kept), mat_mul(s, Z, X)),
                mat_add(s, right, kept));
}

static void turned_over(trial *t)  { at_points(t, (slip){ false, false }); }
static void b1_unturned(trial *t)  { at_points(t, (slip){ true, false }); }
static void b2_unchanged(trial *t) { at_points(t, (slip){ false, true }); }

/* ---- (2) ----------------------------------------------------------------------------------------------- */

/* W2 ReLU(W1 x) + Z x, and the same at x + a: b1 = W1 a, b2 = Z a. */
static void translated(trial *t, const mat *W1, const mat *W2, const mat *Z, long off)
{
    scope *s = &t->s;
    const long m = W1->rows, h = W1->cols;
    const mat *a = relu_draw(s, "a", h, 1, 99), *b1 = mat_mul(s, W1, a), *b2 = mat_mul(s, Z, a);
    const mat *X = mat_draw(s, "X", h, 4, 4), *moved = mat_add(s, X, mat_mul(s, a, mat_ones(s, 1, 4)));
    const mat *at_a = network(s, W1, mat_zero(s, m, 1), W2, mat_zero(s, h, 1), moved);
    claim_equal(t, "g(x) = f(x + a)", mat_add(s, at_a, mat_mul(s, Z, moved)),
                mat_add(s, network(s, W1, b1, W2, b2, X), mat_mul(s, Z, X)));
    relu_affine f = relu_affine_of(W1, W2, Z, NULL, NULL), g = relu_affine_of(W1, W2, Z, b1, b2), V, U;
    const long width = relu_affine_least(&f, true, &V);
    claim_decided(t, "translated: the same least width", relu_affine_least(&g, true, &U) == width);
    claim_decided(t, "as many neurons are enough", relu_absorbable_with(s, W1, W2, Z, width - m + off) == HOLDS);
    claim_decided(t, "one less is not", relu_absorbable_with(s, W1, W2, Z, width - m + off - 1) == REFUTED);
    relu_affine_clear(&f);
    relu_affine_clear(&g);
    relu_affine_clear(&V);
    relu_affine_clear(&U);
}

static void least_width(trial *t, long off)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    if (h > 1) {
        const mat *I = mat_identity(s, h);
        const relu_weights w = relu_planted(s, h, m, 0, NULL), planted = relu_planted(s, h, m, h, mat_neg(s, I));
        translated(t, w.W1, w.W2, relu_draw(s, "Z", h, h, 9), off);
        translated(t, planted.W1, planted.W2, I, off);
    }
    const long e1[] = { 1, 0 }, column[] = { 3, 1 };
    translated(t, mat_from_si(s, 1, 2, e1), mat_from_si(s, 2, 1, column), mat_identity(s, 2), off);         /* 4 */
    translated(t, mat_from_si(s, 1, 1, e1), mat_from_si(s, 1, 1, column), mat_from_si(s, 1, 1, column), off);
}

static void exact_width(trial *t) { least_width(t, 0); }
static void one_less(trial *t)    { least_width(t, -1); }
static void one_more(trial *t)    { least_width(t, 1); }

/* ---- (3) ----------------------------------------------------------------------------------------------- */

/* Z and b2 from J: absorbed without an output bias; b2 + shift e_1: one neuron more, a constant. */
static void no_output_bias(trial *t, long shift)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const relu_affine_weights w = relu_affine_drawn(s, h, m);
    if (!relu_affine_regular_weights(&w)) return;
    const mat *in_J = mat_mul(s, w.W2, relu_pick(s, m, relu_drawn_J(s, "J", m)));
    const mat *Z = mat_neg(s, mat_mul(s, in_J, w.W1)), *b2 = mat_neg(s, mat_mul(s, in_J, w.b1));
    for (long k = 0; k < 2; k++) {
        long *e1 = scope_alloc(s, (size_t)h * sizeof *e1);
        e1[0] = k ? 1 + shift : shift;
        relu_affine f = relu_affine_of(w.W1, w.W2, Z, w.b1, mat_add(s, b2, mat_from_si(s, h, 1, e1))), V;
        subset S = relu_affine_J(&f, false);
        claim_decided(t, "at width m, if b2 + W2[:,J] b1[J] = 0", S.is == (k ? REFUTED : HOLDS));
        subset_clear(&S);
        claim_decided(t, "else one constant neuron more", relu_affine_least(&f, false, &V) == m + k);
        relu_affine_clear(&V);
        claim_decided(t, "with an output bias at width m", relu_affine_least(&f, true, &V) == m);
        relu_affine_clear(&f);
        relu_affine_clear(&V);
    }
}

static void planted_bias(trial *t) { no_output_bias(t, 0); }
static void shifted_bias(trial *t) { no_output_bias(t, 1); }

static const control of_1[] = {
    { "plus-Z",       plus_Z,       "brute force looks for $W_2[:,J]W_1[J,:] = +Z$" },
    { "b1-unturned",  bias_stays,   "$c_1 = b_1$: the biases of $J$ are not turned over" },
    { "b2-unchanged", output_stays, "$c_2 = b_2$" },
};
static const control at_x[] = {
    { "b1-unturned",  b1_unturned,  "$c_1 = b_1$: the biases of $J$ are not turned over" },
    { "b2-unchanged", b2_unchanged, "$c_2 = b_2$" },
};
static const control of_2[] = { { "one-less", one_less, "one neuron less" },
                                { "one-more", one_more, "one neuron more is not needed" } };
static const control of_3[] = { { "b2-shifted", shifted_bias, "$b_2 + W_2[:,J]b_1[J] = e_1$" } };
static const shape_case shapes[] = {
    { .sh = RELU_SHAPE(3, 1, 2, 4) }, { .sh = RELU_SHAPE(3, 1, 4, 4) }, { .sh = RELU_SHAPE(3, 2, 3, 4) },
    { .sh = RELU_SHAPE(3, 2, 5, 4) }, { .sh = RELU_SHAPE(3, 3, 5, 4) },
};
#define ONLY_Q .kind = PART_IDENTITY, .no_large = true, \
    RATIONALS_ONLY("equality of functions is decided by the canonical form, exactly over the rationals")
static const part parts[] = {
    { .name = "as-stated", .run = as_stated, ONLY_Q, .certifies = true, CONTROLS(of_1),
      .statement = "different hyperplanes: absorbable at width $m$ if and only if $W_2[:,J]W_1[J,:] = -Z$ for some $J$",
      .by_proof = "the affine form is unique", .basis = "exact decision of instances" },
    { .name = "as-stated-turn", .run = turned_over, .kind = PART_IDENTITY, .no_large = true,
      .assumes = "half-odd activation",
      .statement = "one direction, for any $h$, $m$, $J$ and weights: with $Z = -W_2[:,J]W_1[J,:]$, turning $J$ over "
                   "absorbs the skip (ReLU is half-odd: $\\mathrm{ReLU}(y) - \\mathrm{ReLU}(-y) = y$)",
      CONTROLS(at_x) },
    { .name = "as-stated-least", .run = exact_width, ONLY_Q, .no_minimal = true, CONTROLS(of_2),
      .statement = "the least width is $p + \\min |K| + 2\\,\\mathrm{rank}(L_0 - \\sum_{k\\notin K} s_kc_ku_k^\\top)$, "
                   "ranks modulo the span of the $u_k$, $k \\in K$", .basis = "exact decision, instances" },
    { .name = "as-stated-no-output-bias", .run = planted_bias, ONLY_Q, .no_minimal = true, CONTROLS(of_3),
      .statement = "without an output bias: also $b_2 + W_2[:,J]b_1[J] = 0$; else a constant costs one neuron",
      .basis = "exact decision, instances" },
};
static const claim F4 = {
    .id = "F4", .title = "skip absorption with biases", .where = "",
    .hypotheses = "ReLU; (1) $w_i \\ne 0$, columns of $W_2$ not 0, hyperplanes $w_i \\cdot x + b_i = 0$ different",
    .construction = "$D = I - 2\\Pi_J$: $V_1 = DW_1$, $c_1 = Db_1$, $V_2 = W_2$, $c_2 = b_2 + W_2[:,J]b_1[J]$",
    .why = "A neuron turned over changes $f$ by an affine map. Hyperplanes, kinks and the affine part are "
           "determined by the function, so at width $m$ every neuron of $V$ is one of $W$ or its negative; $c_2$ takes "
           "the constants.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-E1-nec K-E1-001",
};
THEOREM_PROGRAM(F4)
