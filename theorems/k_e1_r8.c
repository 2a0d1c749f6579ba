/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_e1_r8.c - K-E1-R8, Theorem E.1 and Corollary E.2 for other widths.
 *
 * Statement (003 Remark 8).  Theorem E.1 and Corollary E.2 hold without modification for any m >= h.
 *
 * What is true.  The theorem's half: neither direction of its proof uses m (k_e1_suff.c, k_e1_nec.c), so it holds for
 * every m >= 1.  For m < h the skip is never absorbable: W2[:,J] W1[J,:] has rank at most |J| <= m < h, and -I has
 * rank h.  V must have the same width: with 2h more neurons every skip is absorbed, ReLU(x) - ReLU(-x) = x.
 *
 * What needs repair.  The corollary's half: Corollary E.2 is false at m = 4h (k_e2.c), and for every m >= h by the
 * same witness, (-W1, W2, Z + W2 W1), which needs det W2 W1 != 0 and nothing else of m.
 *
 * How it is decided.  Over Q, per instance: the decision of relu_absorb.c against all 2^m subsets; the witness
 * by canonical forms and ranks, at h = 2, .., 6 and widths from h to 2h + 1.                                    */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_certificate.h"
#include "src/methods/relu/relu_turn.h"

static void at_least_h(shape *sh)  { if (sh->m < sh->d) sh->m = sh->d; }
static void less_than_h(shape *sh) { if (sh->m >= sh->d) sh->m = sh->d - 1; }

/* The network with `more` zero neurons. */
static relu_weights wider(scope *s, const relu_weights *w, long more)
{
    const long h = w->W1->cols;
    if (!more) return *w;
    relu_weights wide = { NULL, NULL, NULL };
    wide.W1 = mat_vcat(s, 2, (const mat *const[]){ w->W1, mat_zero(s, more, h) });
    wide.W2 = mat_hcat(s, 2, (const mat *const[]){ w->W2, mat_zero(s, h, more) });
    return wide;
}

static void compare(trial *t, const relu_weights *w, long more)
{
    scope *s = &t->s;
    const long h = t->sh.d, subsets = relu_count_subsets(w->W1, w->W2, mat_neg(s, mat_identity(s, h)));
    const relu_weights wide = wider(s, w, more);
    const truth is = relu_absorbable(wide.W1, wide.W2, mat_identity(s, h));
    claim_decided(t, "absorbable if and only if there is a J", is == (subsets ? HOLDS : REFUTED));
    if (!subsets && !more) certify_no_j(t, "generic", w->W1, w->W2, mat_identity(s, h));
    if (w->W1->rows < h) claim_decided(t, "m < h: not absorbable", is == REFUTED);
}

static void widths(trial *t, long more)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    for (long q = h; q <= m; q++) {
        const relu_weights w = relu_planted(s, h, m, q, mat_neg(s, mat_identity(s, h)));
        compare(t, &w, more);
    }
    const relu_weights generic = relu_planted(s, h, m, 0, NULL);
    compare(t, &generic, more);
}

static void same_width(trial *t)      { widths(t, 0); }
static void more_neurons(trial *t)    { widths(t, 2 * t->sh.d); }

/* ---- the corollary ------------------------------------------------------------------------------------- */

static void corollary(trial *t, bool dependent)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const relu_weights w = relu_planted(s, h, m, 0, NULL);
    const mat *W2 = w.W2, *last = mat_rows(s, W2, 0, 1), *above = mat_rows(s, W2, 0, h - 1);
    if (dependent) W2 = mat_vcat(s, 2, (const mat *const[]){ above, last });
    relu_corollary_fails(t, "corollary", w.W1, W2, relu_draw(s, "Z", h, h, 9));
}

static void no_corollary(trial *t) { corollary(t, false); }
static void singular(trial *t)     { corollary(t, true); }

static const control flat[] = { { "rank-less", singular, "two equal rows in $W_2$: $Z - Z'$ is not invertible" } };
static const control wide[] = { { "wider", more_neurons, "$V$ may have $2h$ neurons more" } };
static const shape_case shapes[] = {
    { .sh = MLP_SHAPE(1, 2, 1, 1) }, { .sh = MLP_SHAPE(1, 2, 2, 1) }, { .sh = MLP_SHAPE(1, 2, 3, 1) },
    { .sh = MLP_SHAPE(1, 3, 2, 1) }, { .sh = MLP_SHAPE(1, 3, 4, 1) }, { .sh = MLP_SHAPE(1, 3, 7, 1) },
    { .sh = MLP_SHAPE(1, 4, 5, 1) },
    { .sh = MLP_SHAPE(1, 4, 9, 1) }, { .sh = MLP_SHAPE(1, 5, 3, 1) },
    { .sh = MLP_SHAPE(1, 5, 11, 1) }, { .sh = MLP_SHAPE(1, 6, 6, 1) },
};
#define ONLY_Q .no_large = true, .no_minimal = true, .without = "f64 mpfr arb fp sym", .certifies = true
#define BY_DECISION .kind = PART_IDENTITY, .run = same_width, ONLY_Q, .basis = "exact decision of instances", \
    .why_without = "existence is decided exactly over the rationals", CONTROLS(wide)
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = no_corollary, ONLY_Q, .prepare = at_least_h,
      .quantity = "Z - Z'", .shown_by = "Z - Z' = -W2 W1",
      .statement = "the corollary's half fails for $m \\ge h$ as it does for $m = 4h$: $(-W_1, W_2, Z + W_2W_1)$ is "
                   "the same function, and $Z - Z' = -W_2W_1$ is invertible",
      .why_without = "equality of functions is decided by the canonical form, exactly over the rationals",
      .basis = "witness: canonical forms and ranks, for integer weights",
      CONTROLS(flat) },
    { .name = "corrected", BY_DECISION, .prepare = at_least_h,
      .statement = "Theorem E.1 for $m \\ge h$: absorbable at width $m$ if and only if some $J$ has "
                   "$W_2[:,J]W_1[J,:] = -I$",
      .by_proof = "the proof of Theorem E.1 does not use $m$" },
    { .name = "corrected-m-below-h", BY_DECISION, .prepare = less_than_h,
      .statement = "and for $1 \\le m < h$, where nothing is absorbable",
      .by_proof = "the rank of $W_2[:,J]W_1[J,:]$ is below $h$" },
};
static const quotation quotes[] = {
    { TEXT_003, "Remark 8", "Theorem E.1 and Corollary E.2 hold without modification for any $m \\geq h$." },
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_E1_R8 = {
    .id = "K-E1-R8", .title = "Theorem E.1 and Corollary E.2 for every width", .where = "003 Remark 8",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "rows of $W_1$ not zero and pairwise not collinear; columns of $W_2$ not zero; $m \\ge 1$",
    .why = "The remark counts the corollary in, and its half fails for other widths as it does for $4h$: its "
           "counterexample (K-E2) needs $\\det W_2W_1 \\ne 0$ alone, which is so for almost all weights of every "
           "width $m \\ge h$. With $Z'$ fixed before the weights the corollary holds for those widths, too "
           "(K-E-measure0).  The theorem's half is true: the proof of E.1 does not use the width, and for $m < h$ no "
           "$W_2[:,J]W_1[J,:]$ has the rank of $-I$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-E1-suff K-E1-nec K-E2",
};
THEOREM_PROGRAM(K_E1_R8)
