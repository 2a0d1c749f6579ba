/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_e_disjoint.c - K-E-disjoint, do ReLU networks with and without a skip share functions?
 *
 * Statement.  ReLU MLPs and skip-ReLU-MLPs of the same width represent generically disjoint classes of
 * functions; skips do not give more expressivity, but access to a different region of function space.
 *
 * What is true.  At equal width, for generic weights, no function is in both classes (K-E-measure0).
 *
 * What the two qualifiers leave out.  (1) The classes meet, on a null set: any planted J gives a common function.
 * (2) At another width they do: where rank W1 = h, every network of width m with a skip is one of width m + h without
 *     V1 = (W1; -W1[K,:]), V2 = (W2 + C at K | -C), C = Z W1[K,:]^-1, K a set of h independent rows,
 * since C (ReLU(y) - ReLU(-y)) = C y.  So at larger widths the one class lies in the other.
 *
 * Exactly 2h - min(m, h) neurons more are needed and enough generically: h for m >= h, 2h - m for m < h.  In general
 * 2h - rank W1 more are enough, and m + h are not where rank W1 < h (h = m = 3, W1 of rank 2: 7, not 6).
 *
 * How it is decided.  The wider network beside the one with a skip, at drawn points in every arithmetic: ReLU in
 * doubles, MPFR, balls and over Q; symbolically any phi with phi(y) - phi(-y) = y.  The rest over Q: padding W with
 * zero neurons leaves the function as it is; src/methods/relu/relu_absorb.c decides whether the wider network absorbs
 * its skip.                                                                                                   */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_certificate.h"
#include "src/methods/relu/relu_turn.h"

static void small(shape *sh)
{
    if (sh->d > 3) sh->d = sh->dk = 3;
    if (sh->m > 5) sh->m = 5;
}

static truth absorbs_with(scope *s, const mat *W1, const mat *W2, long more)
{
    return relu_absorbable_with(s, W1, W2, mat_identity(s, W1->cols), more);
}

/* ---- beside the sentence: null sets, other widths ------------------------------------------------------ */

/* K = the first h rows of W1, which are independent */
static void contained(trial *t, const mat *W1, const mat *W2, bool minus)
{
    scope *s = &t->s;
    const long h = W1->cols, m = W1->rows;
    const mat *Z = mat_identity(s, h), *K = mat_rows(s, W1, 0, h), *C = mat_mul(s, Z, mat_inv(s, K));
    const mat *at_K = mat_hcat(s, 2, (const mat *const[]){ C, mat_zero(s, h, m - h) });
    const mat *V1 = mat_vcat(s, 2, (const mat *const[]){ W1, mat_neg(s, K) });
    const mat *last = minus ? mat_neg(s, C) : C;
    const mat *V2 = mat_hcat(s, 2, (const mat *const[]){ mat_add(s, W2, at_K), last });
    claim_decided(t, "width m with skip is width m + h without", relu_same_function(W1, W2, Z, V1, V2, NULL));
    certify_relu_equal(t, "wider", W1, W2, Z, V1, V2, NULL);
}

static void common(trial *t, bool minus)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m < h ? h : t->sh.m;
    const mat *I = mat_identity(s, h);
    const relu_weights w = relu_planted(s, h, m, h, mat_neg(s, I));
    const mat *V1 = mat_mul(s, relu_flip(s, m, w.J), w.W1);
    claim_decided(t, "one function in both classes", relu_same_function(w.W1, w.W2, I, V1, w.W2, NULL));
    certify_relu_equal(t, "planted", w.W1, w.W2, I, V1, w.W2, NULL);
    const mat *rows = relu_draw(s, "rows", h, h, 9), *K = mat_rank(s, rows) == h ? rows : I;
    contained(t, mat_vcat(s, 2, (const mat *const[]){ K, w.W1 }),
              mat_hcat(s, 2, (const mat *const[]){ relu_draw(s, "columns", h, h, 9), w.W2 }), minus);
}
static void both_classes(trial *t) { common(t, true); }
static void plus_C(trial *t)       { common(t, false); }

/* Z drawn and rows K first: both networks at drawn points, in every arithmetic; `twin`: the sign of the neurons -K */
static void at_points(trial *t, long twin)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const int in = mat_log2_fan_in(h), out = mat_log2_fan_in(m);
    const mat *K = mat_draw(s, "K", h, h, in), *others = mat_draw(s, "W1 rest", m, h, in);
    const mat *W2 = mat_draw(s, "W2 at K", h, h, out), *rest = mat_draw(s, "W2 rest", h, m, out);
    const mat *Z = mat_draw(s, "Z", h, h, in), *X = relu_points(s, h, t->sh.n), *C = mat_mul(s, Z, mat_inv(s, K));
    const mat *at_K = mat_add(s, W2, C), *turned = mat_scale(s, -1, 0, K), *of_turned = mat_scale(s, twin, 0, C);
    claim_reduced(t, 3, (const mat **const[]){ &at_K, &turned, &of_turned });
    const activation act = relu_or_half_odd(s);
    const mat *kept = relu_neurons(s, rest, others, X, act, 1);
    const mat *left = mat_add(s, relu_neurons(s, W2, K, X, act, 0), kept);
    const mat *right = mat_add(s, relu_neurons(s, at_K, K, X, act, 0), kept);
    claim_equal(t, "both networks at drawn points", mat_add(s, left, mat_mul(s, Z, X)),
                mat_add(s, right, relu_neurons(s, of_turned, turned, X, act, 0)));
}

static void same_values(trial *t) { at_points(t, -1); }
static void equal_signs(trial *t) { at_points(t, 1); }

/* ---- corrected ----------------------------------------------------------------------------------------- */

static void equal_width(trial *t, long q)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m < q ? q : t->sh.m;
    const relu_weights w = relu_planted(s, h, m, q, mat_neg(s, mat_identity(s, h)));
    claim_decided(t, "no common function", absorbs_with(s, w.W1, w.W2, 0) == REFUTED);
    for (long bits = 0; !q && m <= 2 && bits < 1 << m; bits++) {     /* V has the kinks of W: only signs to choose */
        unsigned char J[2] = { bits & 1, bits >> 1 & 1 };
        const mat *V1 = mat_mul(s, relu_flip(s, m, J), w.W1);
        certify_relu_differ(t, "signs", w.W1, w.W2, mat_identity(s, h), V1, w.W2, NULL);
    }
}

static void disjoint(trial *t) { equal_width(t, 0); }
static void planted(trial *t)  { equal_width(t, t->sh.d); }

/* `extra` more neurons absorb, one less does not. */
static void exactly(trial *t, const mat *W1, const mat *W2, long extra)
{
    scope *s = &t->s;
    claim_decided(t, "enough neurons", absorbs_with(s, W1, W2, extra) == HOLDS);
    claim_decided(t, "one less is not enough", absorbs_with(s, W1, W2, extra - 1) == REFUTED);
}

static void width(trial *t, long off)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const relu_weights w = relu_planted(s, h, m, 0, NULL);
    exactly(t, w.W1, w.W2, (m < h ? 2 * h - m : h) + off);
    const mat *W1 = mat_from_si(s, 3, 3, (long[]){ 1, 0, 0, 0, 1, 0, 1, 1, 0 });
    const mat *W2 = mat_from_si(s, 3, 3, (long[]){ 1, 0, 2, 0, 1, 1, 1, 1, 3 });
    exactly(t, W1, W2, 4 + off);                                /* h = m = 3, rank W1 = 2: width 7, not 6 */
    exactly(t, mat_from_si(s, 1, 2, (long[]){ 1, 2 }), mat_from_si(s, 2, 1, (long[]){ 3, 1 }), 3 + off);
}

static void exact_width(trial *t) { width(t, 0); }
static void one_less(trial *t)    { width(t, -1); }
static void one_more(trial *t)    { width(t, 1); }

static const control other_sign[] = { { "plus-C", plus_C, "$+C$ instead of $-C$ for the rows $-W_1[K,:]$" } };
static const control signs[] = { { "equal-signs", equal_signs, "$+C$ instead of $-C$ for the rows $-W_1[K,:]$" } };
static const control meets[] = { { "planted", planted, "weights with $W_2[:,J]W_1[J,:] = -I$" } };
static const control widths[] = {
    { "one-less", one_less, "one neuron less" },
    { "one-more", one_more, "one neuron more is not needed" },
};
static const shape_case shapes[] = {
    { .sh = RELU_SHAPE(3, 2, 1, 1) }, { .sh = RELU_SHAPE(3, 2, 2, 1) }, { .sh = RELU_SHAPE(3, 2, 4, 1) },
    { .sh = RELU_SHAPE(3, 3, 2, 1) }, { .sh = RELU_SHAPE(3, 3, 3, 1) }, { .sh = RELU_SHAPE(3, 3, 5, 1) },
};
#define ONLY_Q .no_large = true, .no_minimal = true, .without = "f64 mpfr arb fp sym", .prepare = small, \
    .why_without = "existence is decided exactly over the rationals"
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = disjoint, ONLY_Q, .certifies = true,
      .statement = "equal width, generic weights: no common function",
      .by_proof = "K-E-measure0",
      .basis = "exact decision of instances", CONTROLS(meets) },
    { .name = "corrected", .kind = PART_IDENTITY, .run = both_classes, ONLY_Q, .certifies = true,
      .statement = "beside the sentence: on a null set of weights a function is in both classes, and width $m$ with a "
                   "skip lies in width $m+h$ without (rank $W_1 = h$)",
      .basis = "canonical forms of instances", CONTROLS(other_sign) },
    { .name = "corrected-drawn-points", .kind = PART_IDENTITY, .run = same_values, .no_large = true,
      .no_minimal = true,
      .assumes = "half-odd activation; invertible K",
      .statement = "the same at drawn points: width $m + h$ without a skip is width $m$ with the skip $Z$, rank "
                   "$W_1 = h$; symbolically for all sizes (N5)", CONTROLS(signs) },
    { .name = "corrected-width", .kind = PART_IDENTITY, .run = exact_width, ONLY_Q,
      .statement = "generically exactly $2h - \\min(m,h)$ neurons more make the skip superfluous; at rank $W_1 < h$, "
                   "$m + h$ are not enough",
      .basis = "exact decision, instances", CONTROLS(widths) },
};
static const quotation quotes[] = {
    { TEXT_003, "abstract", "skip connections push MLPs into a generically disjoint function class at fixed "
      "width" },
    { TEXT_003, "Appendix E", "This reveals that ReLU MLPs and Skip-ReLU-MLPs of the same width represent "
      "*generically disjoint* function classes. The algebraic condition characterizes exactly when these "
      "classes intersect. This clarifies the role of skip connections: they do not provide strictly “more” "
      "expressivity, but rather access to a *different* region of function space." },
    { TEXT_000, "abstract", "skip connections push MLPs into a generically disjoint function class at fixed "
      "width" },
    { TEXT_000, "Section 8.5", "This reveals that ReLU MLPs and Skip-ReLU-MLPs of the same width represent "
      "generically disjoint function classes. The algebraic condition characterizes exactly when these classes "
      "intersect." },
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_E_DISJOINT = {
    .id = "K-E-disjoint", .title = "skip and non-skip MLPs of equal width are generically disjoint",
    .where = "003 abstract and Appendix E; 000 abstract and Section 8.5",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$h \\ge 2$; equal width; weights outside a null set",
    .construction = "$V_1 = (W_1; -W_1[K,:])$, $V_2 = (W_2 + C \\text{ at } K \\,|\\, {-C})$, $C = Z\\,W_1[K,:]^{-1}$",
    .why = "At equal width a common function needs one of finitely many polynomial equations. With $h$ neurons more, "
           "$C(\\mathrm{ReLU}(y) - \\mathrm{ReLU}(-y)) = Cy$ carries any skip.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-E-measure0 K-E1-001 N5",
};
THEOREM_PROGRAM(K_E_DISJOINT)
