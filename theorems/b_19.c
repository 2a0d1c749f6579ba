/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_19.c - B-19, several heads without value and projection.
 *
 * Statement (Section 4).  Omitting W_VO of every head has the same justification as for a single head: the output
 * would become a convex combination of the input embeddings.
 *
 * Why it is false.  Eq. 4 sums over heads.  With W_V^h W_O^h = I for all h the weights of the sum add up to H, not 1:
 * a single token x goes to H x.  And if each head passes its own slice of coordinates instead, as a
 * concatenation would, the slices are averaged with different weights: tokens (0,0) and (1,1), head 1 with
 * weights (3/4, 1/4) on the first coordinate, head 2 with (1/4, 3/4) on the second, give (1/4, 3/4), which is
 * not on the segment between them: w = (-1, 1) is 0 on both tokens and 1/2 there.
 *
 * Corrected.  With fixed w_h >= 0, sum_h w_h = 1, such as 1/H, sum_h w_h A_h X is a convex combination: sum_h w_h A_h
 * has rows that sum to 1 and are not negative.  Layers compose.                                           */
#include "src/claim/certificate/certificate.h"
#include "src/claim/shapes.h"
#include "src/methods/order/hull.h"
#include "src/model/stack.h"

enum { LOG2_WEIGHTS = 6, FAR = 1 << 20 };              /* w_h are multiples of 2^-6 */

static void stochastic(shape *sh)
{
    stack_multi_head(sh);
    if (sh->h == 1) {
        sh->h = sh->h_kv = sh->d % 2 ? sh->d : 2;
        sh->dk = sh->d / sh->h;
    }
    sh->attention = ROWMAP_STOCHASTIC;
}

static void one_token(trial *t)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.n = 1;
    model M = model_random(s, sh);
    const mat *x = mat_draw(s, "x", 1, sh.d, 0), *z = mat_zero(s, 1, sh.d);
    for (long h = 0; h < sh.h; h++) z = mat_add(s, z, mat_mul(s, stack_weights(s, &M, 0, h, x), x));
    claim_equal(t, "z = H x", z, mat_scale(s, sh.h, 0, x));
    claim_outside_hull(t, x, z);
}

static void slices(trial *t)
{
    scope *s = &t->s;
    const mat *X = mat_from_si(s, 2, 2, (long[]){ 0, 0, 1, 1 });
    const mat *of_head[2], *a[2], *e[2];
    for (int h = 0; h < 2; h++) {
        a[h] = mat_dyadic(s, 1, 2, (int64_t[]){ h ? 1 : 3, h ? 3 : 1 }, -2);
        of_head[h] = mat_mul(s, a[h], mat_cols(s, X, h, 1));
        e[h] = mat_from_si(s, 1, 2, (long[]){ !h, h });
    }
    const mat *z = mat_hcat(s, 2, of_head);
    claim_equal(t, "z = (1/4, 3/4)", z, mat_dyadic(s, 1, 2, (int64_t[]){ 1, 3 }, -2));
    claim_outside_hull(t, X, z);
    const mat *w = mat_from_si(s, 2, 1, (long[]){ -1, 1 });
    certify_matrix(t, NULL, 7, (const given[]){ { "X", X }, { "z", z }, { "w", w }, { "a_1", a[0] }, { "a_2", a[1] },
                   { "e_1", e[0] }, { "e_2", e[1] } }, 4,
                   (const char *const[]){ "z e_1 ' * = a_1 X * e_1 ' *", "z e_2 ' * = a_2 X * e_2 ' *",
                                          "X w * = X X - w *", "0 < z w *" });
}

/* w_1, .., w_H: uneven, positive, with sum 1; or all 1, or signed with sum 1. */
typedef enum { CONVEX, ALL_ONE, SIGNED } kind;
static int64_t head_weight(kind which, long h, long H)
{
    const int64_t all = 1 << LOG2_WEIGHTS;
    if (which == ALL_ONE) return all;
    if (which == SIGNED)  return h == 0 ? all + FAR * all : h == 1 ? -FAR * all : 0;
    return h < H - 1 ? h + 1 : all - H * (H - 1) / 2;
}

/* Z = B X, B = prod_s sum_h w_h A_h^s */
typedef struct { const mat *X, *Z, *B; } result;
static result run(trial *t, kind which)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0);
    result r = { X, X, mat_identity(s, M.s.n) };
    for (long i = 0; i < M.s.L; i++) {
        const mat *A = mat_zero(s, M.s.n, M.s.n);
        for (long h = 0; h < M.s.h; h++)
            A = mat_add(s, A, mat_scale(s, head_weight(which, h, M.s.h), -LOG2_WEIGHTS,
                                          stack_weights(s, &M, i, h, r.Z)));
        r.Z = mat_mul(s, A, r.Z);
        r.B = mat_mul(s, A, r.B);
    }
    return r;
}

static void sums(trial *t, kind which)
{
    scope *s = &t->s;
    result r = run(t, which);
    const mat *one = mat_ones(s, r.X->rows, 1);
    claim_reduced(t, 1, (const mat **[]){ &r.B });
    claim_whole(t, "Z = B X", r.Z, mat_mul(s, r.B, r.X));
    claim_whole(t, "B 1 = 1", mat_mul(s, r.B, one), one);
}

static void hulls(trial *t, kind which)
{
    const result r = run(t, which);
    claim_in_hull(t, r.X, r.Z, r.B);
}

static void convex_sums(trial *t)  { sums(t, CONVEX); }
static void plain_sums(trial *t)   { sums(t, ALL_ONE); }
static void convex_hull(trial *t)  { hulls(t, CONVEX); }
static void plain_hull(trial *t)   { hulls(t, ALL_ONE); }
static void signed_hull(trial *t)  { hulls(t, SIGNED); }

static const control of_sums[] = { { "all-one", plain_sums, "$w_h = 1$: the weights sum to $H^S$" } };
static const control of_hull[] = {
    { "all-one", plain_hull,  "$w_h = 1$: outside the hull" },
    { "signed",  signed_hull, "$w = (1 + 2^{20}, -2^{20}, 0, \\dots)$, of sum 1: outside" },
};
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(3, 4, 2, 1, MASK_FULL) }, { .sh = ATTENTION_SHAPE(3, 6, 3, 2, MASK_FULL) },
    { .sh = ATTENTION_SHAPE(4, 8, 4, 3, MASK_FULL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = one_token, .no_minimal = true,
      .quantity = "Hx", .shown_by = "some row lies outside the hull",
      .own_row_map = true,
      .statement = "a single token $x$ goes to $Hx$, outside $\\{x\\}$",
      .basis = "witness: a token and a w with (H x - x) w > 0",
      .without = "f64 mpfr fp sym", .why_without = "the weight of a single token is 1 under softmax; signs" },
    { .name = "as-stated-slice", .kind = PART_GAP, .run = slices, .no_minimal = true,
      .quantity = "(\\frac14, \\frac34)", .shown_by = "some row lies outside the hull",
      .certifies = true,
      .statement = "one slice of coordinates per head: $(0,0)$, $(1,1)$ with weights $(\\frac34, \\frac14)$ and "
                   "$(\\frac14, \\frac34)$ give $(\\frac14, \\frac34)$",
      .basis = "witness: w = (-1, 1)",
      .without = "f64 mpfr arb fp sym", .why_without = "an exact witness" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = convex_sums, .no_minimal = true,
      .assumes = "rows sum to 1",
      .statement = "fixed $w_h \\ge 0$ with $\\sum_h w_h = 1$: $Z = BX$, $B = \\prod_s\\sum_h w_hA_h^s$, "
                   "$B\\mathbf{1} = \\mathbf{1}$",
      .without = "q", .why_without = "it has no row map whose weights sum to 1",
      CONTROLS(of_sums) },
    { .name = "corrected-hull", .kind = PART_IDENTITY, .run = convex_hull, .no_minimal = true,
      .statement = "and $B \\ge 0$: every row of $Z$ lies in the convex hull of the rows of $X$",
      .basis = "weights in balls; outside by linear program",
      .without = "f64 mpfr fp q sym", .why_without = "weights of softmax are positive in balls",
      CONTROLS(of_hull) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 4", "Nevertheless, omitting the $W_{sh}^{VO}$ at all would have the same justification "
      "as for single-head configuration: the output embedding $z_{Si}$ would become a convex combination of "
      "input embeddings $x_{1i}$ , which can be expected to correspond to a meaningful word or token." },
};
static const claim B_19 = {
    .id = "B-19", .title = "several heads without value and projection", .where = "002 Section 4",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$H \\ge 2$; the weights of a row sum to 1; full-width heads with $W_V^hW_O^h = I$, or one slice of "
                  "coordinates per head",
    .construction = "$\\sum_h w_hA_h$ in place of $\\sum_h A_h$",
    .why = "Eq. (4) adds $H$ averages, so its weights sum to $H$: one token $x$ becomes $Hx$. Dividing by $H$ (any "
           "fixed weights of sum 1 will do) repairs it. Slicing the coordinates instead does not: each coordinate "
           "is averaged with other weights, and the result lies in a box around the tokens, not in their hull.",
    .models = "h_kv = h",
    .prepare = stochastic, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "B-4 B-14",
};
THEOREM_PROGRAM(B_19)
