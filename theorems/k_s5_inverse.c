/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s5_inverse.c - K-S5-inverse, inverses can have substantially larger entries.
 *
 * Statement (001 5.2.2).  Among the reasons for a smaller weight decay: "the basis transformation involves matrix
 * inverses, which can have substantially larger entries than the original weights".
 *
 * True, and the factor has no limit.  With delta = 2^-k,
 *     W_Q = (1, 1; 1, 1 + delta),  W_K = I:    W_Q^-1 W_K = 2^k (1 + delta, -1; -1, 1),
 * all entries of W_Q and W_K are at most 2 and those of the reduced W_K are 2^k.
 *
 * It is no rarity.  Row i of W_Q^-1 is orthogonal to all columns of W_Q but the i-th, so its length is 1 over the
 * distance of column i from the span of the others:
 *     |z_i|^2 r^2 = 1,     r = w_i - B (B'B)^-1 B' w_i,  B the other columns.
 * For Gaussian entries of variance s^2 this distance is s |g| with one g of N(0, 1), since the normal of the span does
 * not depend on w_i; and the mean of 1/g^2 is infinite.  So E |W_Q^-1|^2 and, W_K being independent, E |W_Q^-1 W_K|^2
 * are infinite at every width.  */
#include "src/claim/shapes.h"
#include "src/methods/counts/recount.h"

static const char entries[] = "W_Q^-1 W_K = 2^k (1 + 2^-k, -1; -1, 1)";
static void near_singular(trial *t, int k, int of)
{
    scope *s = &t->s;
    const int64_t one = (int64_t)1 << k;
    const mat *Q = mat_dyadic(s, 2, 2, (int64_t[]){ one, one, one, one + 1 }, -k), *K = mat_identity(s, 2);
    const mat *reduced = mat_mul(s, mat_inv(s, Q), K), *two = mat_scale(s, 2, 0, mat_ones(s, 2, 2));
    const int64_t top = (int64_t)1 << of;
    claim_less(t, "entries of W_Q below 2", Q, two);
    claim_equal(t, entries, reduced, mat_dyadic(s, 2, 2, (int64_t[]){ top + 1, -top, -top, top }, 0));
    claim_equal(t, "W_Q (W_Q^-1 W_K) = W_K", mat_mul(s, Q, reduced), K);
}

static void larger_entries(trial *t)
{
    for (int k = 10; k <= 30; k += 10) near_singular(t, k, k);
}
static void well_conditioned(trial *t) { near_singular(t, 1, 10); }

/* Row i of W^-1 against what is left of column i, for i the last. */
static void distance(trial *t, bool all_columns)
{
    scope *s = &t->s;
    const long d = t->sh.d, kept = all_columns ? d - 1 : d - 2;
    const mat *W = mat_draw(s, "W_Q", d, d, 0), *Z = mat_inv(s, W);
    const mat *B = mat_cols(s, W, 0, kept), *w = mat_cols(s, W, d - 1, 1), *z = mat_rows(s, Z, d - 1, 1);
    const mat *on_B = mat_mul3(s, B, mat_inv(s, mat_mul(s, mat_t(s, B), B)), mat_mul(s, mat_t(s, B), w));
    const mat *r = mat_sub(s, w, on_B);
    claim_equal(t, "|z|^2 = 1/r^2", mat_mul(s, z, mat_t(s, z)), mat_inv(s, mat_mul(s, mat_t(s, r), r)));
    claim_equal(t, "B' w = B' (w - r)", mat_mul(s, mat_t(s, B), w), mat_mul(s, mat_t(s, B), on_B));
}
static void of_all_columns(trial *t) { distance(t, true); }
static void one_forgotten(trial *t)  { distance(t, false); }

static const control of_entries[] = {
    { "well-conditioned", well_conditioned, "$k = 1$, and the entries of $k = 10$" },
};
static const control of_distance[] = { { "one-forgotten", one_forgotten, "one column is left out of the span" } };
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(1, 3, 1, 1, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(1, 4, 1, 1, MASK_CAUSAL) },
    { .sh = ATTENTION_SHAPE(1, 6, 1, 1, MASK_CAUSAL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .about = ABOUT_FINITE, .run = larger_entries,
      CONTROLS(of_entries), .basis = "given matrices", RECOUNT_ONLY_Q,
      .shapes = recount_shapes, .nshapes = COUNT(recount_shapes),
      .statement = "$W_Q = (1, 1; 1, 1+2^{-k})$, $W_K = I$: entries at most 2, those of $W_Q^{-1}W_K$ up to $2^k+1$, "
                   "$k = 10, 20, 30$" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = of_all_columns,
      CONTROLS(of_distance), .no_minimal = true, .no_large = true, .without = "sym",
      .why_without = "a column has no symbol there",
      .by_proof = "the distance is s|g|, g of N(0, 1), and E 1/g^2 is infinite",
      .statement = "a row of $W_Q^{-1}$ is as long as 1 over the distance of a column of $W_Q$ from the span of the "
                   "others; for Gaussian weights $E\\|W_Q^{-1}W_K\\|^2 = \\infty$" },
};
static const quotation quotes[] = {
    { TEXT_001, "Section 5.2.2", "(i) the basis transformation involves matrix inverses, which can have substantially "
                                 "larger entries than the original weights, making the transformed parameters more "
                                 "sensitive to decay;" },
};
static const char *const judged[] = {
    "which can have substantially larger entries than the original weights",
};
static const claim K_S5_INVERSE = {
    .id = "K-S5-inverse", .title = "inverses can have substantially larger entries",
    .where = "001 Section 5.2.2", .quotes = quotes, .nquotes = COUNT(quotes),
    .judged = judged, .njudged = COUNT(judged),
    .hypotheses = "as corrected: $W_Q \\in \\mathrm{GL}(d)$; for the mean, independent Gaussian entries",
    .why = "``Can'' asks for one matrix: $W_Q^{-1} = 2^k(1+2^{-k}, -1; -1, 1)$ for $W_Q = (1,1;1,1+2^{-k})$. That it "
           "is the rule rather than the exception shows the mean. The normal of the span of $d-1$ columns is "
           "independent of the remaining one, so the distance is $s|g|$, and $1/g^2$ has no mean because the density "
           "of $g$ is positive at 0. What decay does to such weights is a matter of training.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1",
};
THEOREM_PROGRAM(K_S5_INVERSE)
