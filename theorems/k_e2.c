/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_e2.c - K-E2, is the skip matrix determined by the function?
 *
 * Statement.  phi(W1, W2, Z)(x) = W2 ReLU(W1 x) + Z x on columns of height h >= 2, with m = 4h neurons.  For almost
 * every (W1, W2, Z) the conditions of E.1 hold, and: if Z' != Z and Z - Z' is invertible, then
 * phi(W1, W2, Z) != phi(W1', W2', Z') for every (W1', W2').
 *
 * Why it is false.  W1' = -W1, W2' = W2, Z' = Z + W2 W1: ReLU(y) - ReLU(-y) = y makes the two functions equal, and
 * Z - Z' = -W2 W1 is invertible wherever det W2 W1 != 0, which is almost everywhere.  So the statement fails
 * almost everywhere, not only here.
 *
 * What the printed proof shows.  For one Z' that is fixed before the weights it removes a null set of (W1, W2, Z), and
 * for such a Z' the corollary is true (K-E-measure0).  As printed Z' comes after the weights, and the null sets of all
 * Z' together are not one.
 *
 * Corrected.  Under the conditions of E.1 on (W1, W2), for every Z, the Z' with phi(W1, W2, Z) =
 * phi(W1', W2', Z') for some (W1', W2') of the same width are exactly Z + W2[:,J] W1[J,:], J a set of neurons.
 * Each is reached by turning J over; there are no others, because a V of the same width has one neuron per
 * kink (k_e1_nec.c), so that L = Z' + sum_k s_k c_k u_k', as for E.1.  Generically they are 2^m.
 *
 * How it is decided.  Over Q by canonical forms and the decision of src/methods/relu/relu_absorb.c.  Both networks of
 * the witness, and of a set J, at drawn points in every arithmetic: ReLU in doubles, MPFR, balls and over Q;
 * symbolically any phi with phi(y) - phi(-y) = y, which proves that turning J over reaches Z + W2[:,J] W1[J,:],
 * for all sizes.                                                                                               */
#include <math.h>
#include "src/claim/certificate/certificate.h"
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_turn.h"

enum { OUTSIDE = 100, COUNTED = 6, INSTANCES = 34, COUNT_ALL = 12 };

/* ---- as stated ----------------------------------------------------------------------------------------- */

static const long explicit_W1[] = { 1, 0, 0, 1, 1, 1, 1, -1, 1, 2, 2, 1, 1, 3, 3, 1 };
static const long explicit_W2[] = { 1, 0, 1, 0, 1, 0, 1, 1,  0, 1, 0, 1, 0, 1, 1, 2 };
static const long explicit_Z[]  = { 7, 7, 10, 6 };              /* Z' = W2 W1, Z = 0 */

static void explicit_witness(trial *t)
{
    scope *s = &t->s;
    const mat *W1 = mat_from_si(s, 8, 2, explicit_W1), *W2 = mat_from_si(s, 2, 8, explicit_W2);
    relu_corollary_fails(t, "explicit", W1, W2, mat_zero(s, 2, 2));
    claim_equal(t, "Z' = [[7,7],[10,6]]", mat_mul(s, W2, W1), mat_from_si(s, 2, 2, explicit_Z));
}

static void random_witness(trial *t)
{
    scope *s = &t->s;
    const relu_weights w = relu_planted(s, t->sh.d, t->sh.m, 0, NULL);
    relu_corollary_fails(t, "random", w.W1, w.W2, relu_draw(s, "Z", t->sh.d, t->sh.d, 9));
}

static void refuted(trial *t)
{
    explicit_witness(t);
    random_witness(t);
}

/* (W1, W2, Z) and (V1, W2, other) at drawn points */
static void at_points(trial *t, const mat *W1, const mat *W2, const mat *Z, const mat *V1, const mat *other)
{
    scope *s = &t->s;
    const mat *X = relu_points(s, W1->cols, t->sh.n);
    const activation act = relu_or_half_odd(s);
    claim_equal(t, "both networks at drawn points",
                mat_add(s, relu_neurons(s, W2, W1, X, act, 0), mat_mul(s, Z, X)),
                mat_add(s, relu_neurons(s, W2, V1, X, act, 0), mat_mul(s, other, X)));
}

/* Drawn weights with Z' = Z + W2 W1 or Z, where W2 W1 has an inverse; and the explicit ones. */
static void witnesses_at_points(trial *t, bool same_Z)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const mat *W1 = mat_draw(s, "W1", m, h, mat_log2_fan_in(h)), *W2 = mat_draw(s, "W2", h, m, mat_log2_fan_in(m));
    const mat *Z = mat_draw_weight(s, "Z", h, h), *W21 = mat_mul(s, W2, W1);
    const mat *V1 = mat_scale(s, -1, 0, W1), *other = same_Z ? Z : mat_add(s, Z, W21);
    claim_reduced(t, 2, (const mat **const[]){ &V1, &other });
    at_points(t, W1, W2, Z, V1, other);
    if (!claim_over(t, OVER_ENTRIES)) return;                        /* that it is invertible is no identity */
    claim_equal(t, "Z - Z' = -W2 W1 is invertible", mat_mul(s, W21, mat_inv(s, W21)), mat_identity(s, h));
    const mat *A = mat_from_si(s, 8, 2, explicit_W1), *zero = mat_zero(s, 2, 2);
    at_points(t, A, mat_from_si(s, 2, 8, explicit_W2), zero, mat_scale(s, -1, 0, A),
              same_Z ? mat_zero(s, 2, 2) : mat_from_si(s, 2, 2, explicit_Z));
}

static void same_values(trial *t) { witnesses_at_points(t, false); }
static void same_Z(trial *t)      { witnesses_at_points(t, true); }

/* ---- corrected ----------------------------------------------------------------------------------------- */

/* W2 phi(W1 X) + Z X, and the network with J turned over and Z' = Z + sign W2[:,J] W1[J,:] */
static void reach(trial *t, long sign)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m, rest = t->sh.V;
    const int in = mat_log2_fan_in(h), out = mat_log2_fan_in(m);
    const mat *of_J = mat_draw(s, "W1_J", m, h, in), *to_J = mat_draw(s, "W2_J", h, m, out);
    const mat *others = mat_draw(s, "W1_rest", rest, h, in), *to_others = mat_draw(s, "W2_rest", h, rest, out);
    const mat *Z = mat_draw(s, "Z", h, h, in), *X = relu_points(s, h, t->sh.n);
    const mat *turned = mat_scale(s, -1, 0, of_J);
    const mat *other = mat_add(s, Z, mat_scale(s, sign, 0, mat_mul(s, to_J, of_J)));
    claim_reduced(t, 2, (const mat **const[]){ &turned, &other });
    const activation act = relu_or_half_odd(s);
    const mat *kept = relu_neurons(s, to_others, others, X, act, 1);
    const mat *left = mat_add(s, relu_neurons(s, to_J, of_J, X, act, 0), kept);
    const mat *right = mat_add(s, relu_neurons(s, to_J, turned, X, act, 0), kept);
    claim_equal(t, "both networks at drawn points", mat_add(s, left, mat_mul(s, Z, X)),
                mat_add(s, right, mat_mul(s, other, X)));
}

static void reached(trial *t)       { reach(t, 1); }
static void reached_minus(trial *t) { reach(t, -1); }

static void countable(shape *sh)
{
    if (sh->d > 3) sh->d = sh->dk = 3;
    sh->m = COUNTED;
}

/* Z + sign W2[:,J] W1[J,:] for all 2^m sets J, each with its V; the claim has sign = 1. */
static const mat **all_reached(trial *t, const relu_weights *w, const mat *Z, long sign)
{
    scope *s = &t->s;
    const long m = w->W1->rows;
    const mat **reached = scope_alloc(s, ((size_t)1 << m) * sizeof *reached);
    for (uint64_t bits = 0; bits < (uint64_t)1 << m; bits++) {
        unsigned char *J = scope_alloc(s, (size_t)m);
        for (long j = 0; j < m; j++) J[j] = bits >> j & 1;
        const mat *change = mat_mul(s, w->W2, mat_mul(s, relu_pick(s, m, J), w->W1));
        reached[bits] = sign > 0 ? mat_add(s, Z, change) : mat_sub(s, Z, change);
        const mat *V1 = mat_mul(s, relu_flip(s, m, J), w->W1);
        claim_decided(t, "turning J over reaches Z + W2[:,J] W1[J,:]",
                      relu_same_function(w->W1, w->W2, Z, V1, w->W2, reached[bits]));
    }
    return reached;
}

static bool among(const mat *A, const mat **list, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++) if (mat_compare(A, list[k], -INFINITY).is == HOLDS) return true;
    return false;
}

/* Reached or not, the decision about the skip Z - Z' says the same; drawn Z' are as large as the reached ones. */
static void set_of_skips(trial *t, long sign)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    relu_weights w = { relu_draw(s, "W1", m, h, 99), relu_draw(s, "W2", h, m, 99), NULL };
    if (!relu_regular(w.W1, w.W2)) {
        scope_undecided(s, REASON_DRAW, "the drawn weights violate the conditions of E.1");
        return;
    }
    const mat *Z = relu_draw(s, "Z", h, h, 99), **reached = all_reached(t, &w, Z, sign);
    const uint64_t all = (uint64_t)1 << m;
    uint64_t distinct = 0;
    for (uint64_t k = 0; k < all; k++) {
        distinct += !among(reached[k], reached, k);
        const truth is = relu_absorbable(w.W1, w.W2, mat_sub(s, Z, reached[k]));
        claim_decided(t, "the decision reaches it, too", is == HOLDS);
    }
    claim_decided(t, "2^m of them are different", distinct == all);
    long outside = 0;
    for (long k = 0; k < OUTSIDE; k++) {
        char name[32];
        snprintf(name, sizeof name, "Z' %ld", k);
        const mat *other = mat_add(s, Z, relu_draw(s, name, h, h, k % 2 ? 3 : 9999));
        const truth is = relu_absorbable(w.W1, w.W2, mat_sub(s, Z, other));
        const bool inside = among(other, reached, all);
        outside += !inside;
        claim_decided(t, "any other Z' is refused", is == (inside ? HOLDS : REFUTED));
    }
    claim_decided(t, "most drawn Z' lie outside", 2 * outside > OUTSIDE);
}

static const mat *named(scope *s, const char *what, long number, long rows, long cols, long bound)
{
    char name[32];
    snprintf(name, sizeof name, "%s %ld", what, number);
    return relu_draw(s, name, rows, cols, bound);
}

/* At m = 4h: one drawn Z' of the set and one outside it, for each of INSTANCES drawn networks. */
static void one_instance(trial *t, long number, long sign)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const mat *W1 = named(s, "W1", number, m, h, 99), *W2 = named(s, "W2", number, h, m, 99);
    for (long again = INSTANCES; !relu_regular(W1, W2) && again < 9 * INSTANCES; again += INSTANCES) {
        W1 = named(s, "W1", number + again, m, h, 99);
        W2 = named(s, "W2", number + again, h, m, 99);
    }
    claim_decided(t, "the conditions of E.1", relu_regular(W1, W2));
    const mat *coins = named(s, "J", number, 1, m, 1 << 20), *outside = named(s, "Z'", number, h, h, 9999);
    unsigned char *J = scope_alloc(s, (size_t)m);
    for (long j = 0; j < m; j++) J[j] = mat_get_d(coins, 0, j) > 0;
    const mat *change = mat_mul(s, W2, mat_mul(s, relu_pick(s, m, J), W1)), *zero = mat_zero(s, h, h);
    const mat *skip = sign > 0 ? mat_sub(s, zero, change) : change, *V1 = mat_mul(s, relu_flip(s, m, J), W1);
    claim_decided(t, "turning J over reaches it", relu_same_function(W1, W2, skip, V1, W2, NULL));
    claim_decided(t, "the decision reaches it", relu_absorbable(W1, W2, skip) == HOLDS);
    claim_decided(t, "outside is refused", relu_absorbable(W1, W2, outside) == REFUTED);
    if (m > COUNT_ALL) return;
    claim_decided(t, "outside, by all 2^m sets", relu_count_subsets(W1, W2, mat_sub(s, zero, outside)) == 0);
    claim_decided(t, "2^m of them are different", relu_count_sums(W1, W2) == 1L << m);
}

static void many(trial *t)        { for (long k = 0; k < INSTANCES; k++) one_instance(t, k, 1); }
static void many_minus(trial *t)  { one_instance(t, 0, -1); }
static void corrected(trial *t)   { set_of_skips(t, 1); }
static void wrong_sign(trial *t)  { set_of_skips(t, -1); }

/* As printed: no Z' with Z - Z' invertible is reached.  It is, by J = all. */
static void as_printed(trial *t)
{
    scope *s = &t->s;
    const relu_weights w = relu_planted(s, t->sh.d, t->sh.m, 0, NULL);
    const mat *W21 = mat_mul(s, w.W2, w.W1), *skip = mat_neg(s, W21);
    claim_decided(t, "any other Z' is refused", relu_absorbable(w.W1, w.W2, skip) == REFUTED);
}

static const control wrong[] = {
    { "minus",      wrong_sign, "$Z' = Z - W_2[:,J]W_1[J,:]$" },
    { "as-printed", as_printed, "no $Z'$ with $Z - Z'$ invertible is reached" },
};
static const control unchanged[] = { { "same-Z", same_Z, "$Z' = Z$: the skip does not change" } };
static const control minus[] = { { "minus", reached_minus, "$Z' = Z - W_2[:,J]W_1[J,:]$" } };
static const control wrong_m[] = { { "minus", many_minus, "$Z' = Z - W_2[:,J]W_1[J,:]$" } };
static const shape_case shapes[] = {
    { .sh = RELU_SHAPE(3, 2, 8, 4) }, { .sh = RELU_SHAPE(3, 3, 12, 4) }, { .sh = RELU_SHAPE(3, 4, 16, 4) },
    { .sh = RELU_SHAPE(3, 5, 20, 4) }, { .sh = RELU_SHAPE(3, 6, 24, 4) },
};
#define ONLY_Q .no_large = true, .no_minimal = true, \
    RATIONALS_ONLY("equality of functions is decided by the canonical form, exactly over the rationals")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_COUNTEREXAMPLE, .run = refuted, ONLY_Q, .certifies = true,
      .quantity = "Z - Z'", .shown_by = "Z - Z' = -W2 W1",
      .statement = "for two networks $(-W_1, W_2, Z + W_2W_1)$ is the same function, and $Z - Z' = -W_2W_1$ is "
                   "invertible, as where the polynomial $\\det W_2W_1$ is not 0",
      .basis = "witness: canonical forms and ranks, for integer weights" },
    { .name = "as-stated-drawn-points", .kind = PART_COUNTEREXAMPLE, .run = same_values, .no_large = true,
      .quantity = "Zx", .shown_by = "both networks at drawn points",
      .assumes = "half-odd activation",
      .statement = "both networks at drawn points: $W_2\\mathrm{ReLU}(W_1x) + Zx = W_2\\mathrm{ReLU}(-W_1x) + (Z + "
                   "W_2W_1)x$, with $W_2W_1$ invertible; the equality symbolically for all sizes",
      .basis = "witness: values and an inverse", CONTROLS(unchanged) },
    { .name = "corrected", .kind = PART_IDENTITY, .run = corrected, ONLY_Q, .prepare = countable,
      .statement = "the reachable $Z'$ are $\\{Z + W_2[:,J]W_1[J,:]\\}$, generically $2^m$ of them; so the corollary "
                   "is true for each $Z'$ that is fixed before the weights (K-E-measure0), which is what the paper's "
                   "proof shows",
      .by_proof = "as Theorem E.1",
      .basis = "exact decision of instances, all J", CONTROLS(wrong) },
    { .name = "corrected-reach", .kind = PART_IDENTITY, .run = reached, .no_large = true,
      .assumes = "half-odd activation",
      .statement = "turning $J$ over reaches $Z' = Z + W_2[:,J]W_1[J,:]$: any $h$, $m$, $J$ and weights (ReLU is "
                   "half-odd: $\\mathrm{ReLU}(y) - \\mathrm{ReLU}(-y) = y$)",
      CONTROLS(minus) },
    { .name = "corrected-width-4h", .kind = PART_IDENTITY, .run = many, ONLY_Q,
      .statement = "the same at $m = 4h$: a drawn member is reached, a drawn matrix outside is not, for 34 networks "
                   "in each trial; all $2^m$ members are counted where $m \\le 12$",
      .by_proof = "as Theorem E.1",
      .basis = "exact decision of instances", CONTROLS(wrong_m) },
};
static const quotation quotes[] = {
    { TEXT_001, "Corollary 8.3.1", "Then for Lebesgue-almost every , the following holds: If satisfies and is "
      "invertible, then for every ," },
    { TEXT_003, "Corollary E.2", "For Lebesgue-almost every $(W_1, W_2, Z) \\in \\mathcal{W}$, the matrices "
      "satisfy the conditions of Theorem E.1 (pairwise non-collinear non-zero rows for W_1 , non-zero columns "
      "for W_2), and the following holds: If $Z' \\neq Z$ with $Z - Z'$ invertible, then for every (W'_1, W'_2) "
      ": $\\phi_{W_1, W_2, Z} \\neq \\phi_{W'_1, W'_2, Z'}$." },
    { TEXT_000, "Corollary 8.4.1", "For Lebesgue-almost every , the matrices satisfy the conditions of Theorem "
      "8.4 (pairwise non-collinear non-zero rows for , non-zero columns for ), and the following holds: If "
      "satisfies and is invertible, then for every ," },
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_E2 = {
    .id = "K-E2", .title = "uniqueness under invertible residual perturbations",
    .where = "001 Corollary 8.3.1; 003 Corollary E.2; 000 Corollary 8.4.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "rows of $W_1$ not zero and pairwise not collinear; columns of $W_2$ not zero; $V$ of the same width",
    .construction = "$W_1' = (I - 2\\Pi_J)W_1$, $W_2' = W_2$, $Z' = Z + W_2[:,J]W_1[J,:]$",
    .why = "$\\mathrm{ReLU}(y) - \\mathrm{ReLU}(-y) = y$, so $W_2\\mathrm{ReLU}(W_1x) + Zx = "
           "W_2\\mathrm{ReLU}(-W_1x) + (Z + W_2W_1)x$: the weights $(-W_1, W_2)$ with $Z' = Z + W_2W_1$ are the same "
           "function, and $Z - Z' = -W_2W_1$ is invertible for almost all weights, not for a few.  By hand, $h = 2$, "
           "$m = 8$, $Z = 0$: let $W_1$ have the rows $(1,0)$, $(0,1)$, $(1,1)$, $(1,-1)$, $(1,2)$, $(2,1)$, "
           "$(1,3)$, $(3,1)$ and $W_2$ the columns $(1,0)$, $(0,1)$, $(1,0)$, $(0,1)$, $(1,0)$, $(0,1)$, $(1,1)$, "
           "$(1,2)$; then $Z' = W_2W_1$ has the rows $(7,7)$ and $(10,6)$, determinant $-28$.  What is true: for "
           "each $Z'$ that is fixed before the weights, the corollary holds for almost all of them (K-E-measure0), "
           "since the proof removes one null set for that $Z'$.  As printed, $Z'$ is chosen after the weights, and "
           "the null sets of all $Z'$ together are not one.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-E1-nec K-E-measure0",
};
THEOREM_PROGRAM(K_E2)
