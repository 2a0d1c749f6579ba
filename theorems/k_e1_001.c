/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_e1_001.c - K-E1-001, the first version of Theorem E.1, without its conditions on the weights.
 *
 * Statement (001 Theorem 8.3).  h >= 2, m = 4h, W1 (m x h) and W2 (h x m) of rank h.  There are V1, V2 of the same
 * shapes with W2 ReLU(W1 x) + x = V2 ReLU(V1 x) for all x if and only if W2[:,J] W1[J,:] = -I for some J, |J| >= h.
 *
 * Why it is false.  A neuron with a zero column, a zero row or a collinear partner is free to carry a linear
 * map.  Three counterexamples with h = 2, m = 8 below: zero rows and columns; zero columns only; collinear
 * rows only.  For instance ReLU(x) + x = 2 ReLU(x) - ReLU(-x).  The printed proof takes the kinks of W for all rows.
 * The later versions repaired this themselves: 003 Theorem E.1 and 000 Theorem 8.4 ask for rows that are not zero and
 * pairwise not collinear, and for columns that are not zero.
 *
 * Corrected.  Let sum_k c_k |u_k.x| + L x, k = 1..p, be the canonical form of W2 ReLU(W1 x) + Z x and s = m - p.  V
 * exists if and only if for some set K of kinks and signs s_k
 *     |K| + 2 rank (L - sum_{k not in K} s_k c_k u_k' modulo span(u_K)) <= s.
 * V has a neuron per kink; one alone is 2 c_k ReLU(s_k u_k.x), with linear part s_k c_k u_k'; a second one lets it
 * carry any l u_k'; every other kink must cancel, which takes two neurons and carries a map of rank one.
 *
 * How it is decided.  The left side's least value n is computed from all K and signs by exact ranks; then
 * src/methods/relu/relu_absorb.c must refuse n - 1 spare neurons and absorb with n; the canonical form verifies V.  */
#include "src/claim/certificate/certificate.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_certificate.h"
#include "src/methods/relu/relu_turn.h"

/* ---- as stated ----------------------------------------------------------------------------------------- */

enum { M = 8 };
typedef struct { const char *name, *no_J; long W1[2 * M], W2[2 * M], V1[2 * M], V2[2 * M]; } counterexample;
static const counterexample three[] = {
    { "rows", "rows-no-J",                                                      /* zero rows and columns      */
      { 1, 0, 0, 1 }, { 1, 0, 0, 0, 0, 0, 0, 0,  0, 1 },
      { 1, 0, 0, 1, -1, 0, 0, -1 }, { 2, 0, -1, 0, 0, 0, 0, 0,  0, 2, 0, -1 } },
    { "columns", "columns-no-J",                                                /* zero columns only          */
      { 1, 0, 0, 1, 1, 1, 1, -1, 1, 2, 2, 1, 1, 3, 3, 1 }, { 1, 0, 0, 0, 0, 0, 0, 0,  0, 1 },
      { 1, 0, 0, 1, -1, 0, 0, -1 }, { 2, 0, -1, 0, 0, 0, 0, 0,  0, 2, 0, -1 } },
    { "lines", "lines-no-J",                                                    /* collinear rows only        */
      { 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 1, -1, 1, 2, 2, 1 }, { 1, 2, 3, 1, 2, 1, 1, 3,  1, 1, 2, 2, 1, 3, 2, 1 },
      { 1, 0, -1, 0, 0, 1, 0, -1, 1, 1, 1, -1, 1, 2, 2, 1 },
      { 4, -1, 4, 0, 2, 1, 1, 3,  2, 0, 5, -1, 1, 3, 2, 1 } },
};

static void refuted(trial *t)
{
    scope *s = &t->s;
    for (const counterexample *w = three; w < three + COUNT(three); w++) {
        const mat *W1 = mat_from_si(s, M, 2, w->W1), *W2 = mat_from_si(s, 2, M, w->W2), *I = mat_identity(s, 2);
        const mat *V1 = mat_from_si(s, M, 2, w->V1), *V2 = mat_from_si(s, 2, M, w->V2);
        claim_rank(t, "rank W1 = h", W1, 2);
        claim_rank(t, "rank W2 = h", W2, 2);
        claim_decided(t, "absorbed by V", relu_same_function(W1, W2, I, V1, V2, NULL));
        certify_relu_equal(t, w->name, W1, W2, I, V1, V2, NULL);
        certify_no_j(t, w->no_J, W1, W2, I);
        claim_decided(t, "no J of all 2^8", relu_count_subsets(W1, W2, mat_neg(s, I)) == 0);
    }
}

/* Both networks at drawn points, in doubles, MPFR and balls, too; `unchanged`: W2 for V2 */
static void at_points(trial *t, bool unchanged)
{
    scope *s = &t->s;
    const mat *X = relu_points(s, 2, 8);
    for (const counterexample *w = three; w < three + COUNT(three); w++) {
        const mat *W1 = mat_from_si(s, M, 2, w->W1), *W2 = mat_from_si(s, 2, M, w->W2);
        const mat *V1 = mat_from_si(s, M, 2, w->V1), *V2 = mat_from_si(s, 2, M, unchanged ? w->W2 : w->V2);
        claim_equal(t, "both networks at drawn points", mat_add(s, relu_neurons(s, W2, W1, X, ACT_RELU, 0), X),
                    relu_neurons(s, V2, V1, X, ACT_RELU, 0));
    }
}

static void same_values(trial *t)  { at_points(t, false); }
static void W2_for_V2(trial *t)    { at_points(t, true); }

/* ---- corrected ----------------------------------------------------------------------------------------- */

/* p kinks by u (p x h), c (h x p), and a skip Z */
typedef struct { const mat *u, *c, *Z; } network;

/* K by 1, the others by the signs: 3^p choices, digit 0: in K. */
static long least_spare(scope *s, const network *f, bool pairs_only)
{
    const long p = f->u->rows, h = f->u->cols;
    long least = 2 * h, choices = 1;
    for (long k = 0; k < p; k++) choices *= 3;
    const mat *L = mat_add(s, f->Z, mat_mul(s, f->c, f->u));
    for (long choice = 0; choice < choices; choice++) {
        int64_t sign[8] = { 0 }, in_K[8] = { 0 };
        long size = 0;
        for (long k = 0, rest = choice; k < p; k++, rest /= 3) {
            in_K[k] = rest % 3 == 0;
            sign[k] = rest % 3 == 0 ? 0 : rest % 3 == 1 ? 1 : -1;
            size += in_K[k];
        }
        if (pairs_only && size) continue;
        const mat *left = mat_sub(s, L, mat_mul3(s, f->c, mat_diag_dyadic(s, p, sign, 0), f->u));
        const mat *span = mat_mul(s, mat_diag_dyadic(s, p, in_K, 0), f->u);
        const long rank = mat_rank(s, mat_vcat(s, 2, (const mat *const[]){ span, left })) - mat_rank(s, span);
        if (size + 2 * rank < least) least = size + 2 * rank;
    }
    return least;
}

/* W1, W2 with the kinks of f and `spare` more neurons: in turn a zero column, and a second neuron on the first
 * kink that takes a part of its column. */
static void weights_of(scope *s, const network *f, long spare, const mat **W1, const mat **W2)
{
    const long p = f->u->rows, h = f->u->cols;
    *W1 = f->u;
    *W2 = mat_add(s, f->c, f->c);
    if (!spare) return;
    long *first = scope_alloc(s, (size_t)(spare * p) * sizeof *first);
    int64_t even[16] = { 0 }, odd[16] = { 0 };
    for (long j = 0; j < spare; j++) {
        first[j * p] = odd[j] = j % 2;
        even[j] = 1 - odd[j];
    }
    const mat *onto = mat_from_si(s, spare, p, first);
    const mat *taken = mat_mul(s, relu_draw(s, "taken", h, spare, 5), mat_diag_dyadic(s, spare, odd, 0));
    const mat *any = mat_mul(s, mat_diag_dyadic(s, spare, even, 0), relu_draw(s, "any", spare, h, 9));
    *W1 = mat_vcat(s, 2, (const mat *const[]){ *W1, mat_add(s, mat_mul(s, onto, f->u), any) });
    *W2 = mat_hcat(s, 2, (const mat *const[]){ mat_sub(s, *W2, mat_mul(s, taken, onto)), taken });
}

typedef enum { CRITERION, PAIRS_ONLY, BY_J } rule;

/* Which numbers of spare neurons absorb the skip, and which do those of the rule? */
static void threshold(trial *t, const network *f, rule by)
{
    scope *s = &t->s;
    const long n = least_spare(s, f, by == PAIRS_ONLY);
    const mat *minus_Z = mat_neg(s, f->Z);
    for (long spare = n > 1 ? n - 2 : 0; spare <= n + 1; spare++) {
        const mat *W1, *W2;
        weights_of(s, f, spare, &W1, &W2);
        const truth is = relu_absorbable(W1, W2, f->Z);
        const bool expected = by == BY_J ? relu_count_subsets(W1, W2, minus_Z) > 0 : spare >= n;
        claim_decided(t, "absorbed if and only if the spare neurons reach", is == (expected ? HOLDS : REFUTED));
    }
}

static network drawn(trial *t, const mat *Z)
{
    scope *s = &t->s;
    const long h = t->sh.d, p = t->sh.m;
    network f = { relu_draw(s, "u", p, h, 5), relu_draw(s, "c", h, p, 5), Z };
    for (int more = 0; more < 32 && !relu_regular(f.u, f.c); more++) {
        char name[2][16];
        snprintf(name[0], sizeof name[0], "u %d", more);
        snprintf(name[1], sizeof name[1], "c %d", more);
        f.u = relu_draw(s, name[0], p, h, 5);
        f.c = relu_draw(s, name[1], h, p, 5);
    }
    if (!relu_regular(f.u, f.c)) scope_undecided(s, REASON_DRAW, "no regular kinks were drawn");
    return f;
}

/* The skip x of the theorem, and skips that are planted: all kinks but one or two turned over, a map carried by
 * the first kink, a map of rank one. */
static void skips(trial *t, rule by)
{
    scope *s = &t->s;
    const long h = t->sh.d, p = t->sh.m;
    int64_t minus[8] = { 0 }, second[8] = { 1 };
    for (long k = 1; k < p; k++) minus[k] = -2 * (k % 2);
    network f = drawn(t, mat_identity(s, h));
    threshold(t, &f, by);
    const mat *turned = mat_mul3(s, f.c, mat_diag_dyadic(s, p, minus, 0), f.u);
    const mat *carried = mat_mul3(s, relu_draw(s, "l", h, p, 5), mat_diag_dyadic(s, p, second, 0), f.u);
    const mat *one = mat_mul(s, relu_draw(s, "e", h, 1, 5), relu_draw(s, "g", 1, h, 5));
    const mat *planted[] = { turned, mat_add(s, turned, carried), mat_add(s, turned, one),
                             mat_add(s, mat_add(s, turned, carried), one) };
    static const long enough[] = { 0, 1, 2, 3 };
    for (int k = 0; k < (int)COUNT(planted); k++) {
        f.Z = planted[k];
        claim_decided(t, "planted: as many spare neurons are enough", least_spare(s, &f, false) <= enough[k]);
        threshold(t, &f, by);
    }
}

static void corrected(trial *t)  { skips(t, CRITERION); }
static void pairs_only(trial *t) { skips(t, PAIRS_ONLY); }
static void by_J(trial *t)       { skips(t, BY_J); }

static const control columns[] = { { "W2-unchanged", W2_for_V2, "$V_2 = W_2$" } };
static const control wrong[] = {
    { "needs-J",    by_J,       "the criterion as printed: some $J$ with $W_2[:,J]W_1[J,:] = -Z$" },
    { "pairs-only", pairs_only, "$K = \\emptyset$: no kink has two neurons" },
};
static const shape_case shapes[] = {
    { .sh = MLP_SHAPE(1, 2, 1, 1) }, { .sh = MLP_SHAPE(1, 2, 2, 1) }, { .sh = MLP_SHAPE(1, 2, 3, 1) },
    { .sh = MLP_SHAPE(1, 3, 2, 1) }, { .sh = MLP_SHAPE(1, 3, 3, 1) }, { .sh = MLP_SHAPE(1, 3, 4, 1) },
};
#define ONLY_Q .no_large = true, .no_minimal = true, \
    RATIONALS_ONLY("equality of functions and existence are decided exactly over the rationals")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_COUNTEREXAMPLE, .run = refuted, ONLY_Q, .certifies = true,
      .quantity = "any $J$", .shown_by = "no J of all 2^8",
      .statement = "three absorbable networks of rank $h$ without any $J$",
      .basis = "witness: canonical forms; all subsets J" },
    { .name = "as-stated-drawn-points", .kind = PART_COUNTEREXAMPLE, .run = same_values, .no_large = true,
      .quantity = "the three networks", .shown_by = "both networks at drawn points",
      .no_minimal = true,
      .statement = "at drawn points the three networks with their skip equal networks of the same width without it",
      .without = "fp sym", .why_without = "equal for ReLU and these weights, by its values",
      .basis = "witness: values", CONTROLS(columns) },
    { .name = "corrected", .kind = PART_IDENTITY, .run = corrected, ONLY_Q,
      .statement = "absorbable if and only if $|K| + 2\\,\\mathrm{rank}(L - \\sum_{k\\notin K}s_kc_ku_k^\\top \\bmod "
                   "u_K) \\le m - p$ for some $K$ and signs; $p$ is the shape's $m$",
      .by_proof = "the step from instances to all weights",
      .basis = "exact decision of instances; V by the canonical form",
      CONTROLS(wrong) },
};
static const quotation quotes[] = {
    { TEXT_001, "Theorem 8.3", "There exist matrices such that the identity if and only if there exists an "
      "index set with for which" },
};
static const claim K_E1_001 = {
    .id = "K-E1-001", .title = "the first version without non-collinearity", .where = "001 Theorem 8.3",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "as stated: $\\mathrm{rank}\\,W_1 = \\mathrm{rank}\\,W_2 = h$; corrected: none",
    .construction = "$2c_k\\mathrm{ReLU}(s_ku_k x)$; $(c_k+l)\\mathrm{ReLU}(u_kx) + (c_k-l)\\mathrm{ReLU}(-u_kx)$; "
                    "$e\\,\\mathrm{ReLU}(gx) - e\\,\\mathrm{ReLU}(-gx)$",
    .why = "Neurons that make no kink of their own can carry the skip: $\\mathrm{ReLU}(x) + x = "
           "2\\,\\mathrm{ReLU}(x) - \\mathrm{ReLU}(-x)$. The authors repaired this themselves: Theorem E.1 of 003 "
           "and Theorem 8.4 of 000 have the conditions that exclude such neurons (K-E1-suff, K-E1-nec).",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-E1-nec",
};
THEOREM_PROGRAM(K_E1_001)
