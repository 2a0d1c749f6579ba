/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s6_slices.c - K-S6-slices, does every coordinate slice take part in attention with W_Q = I?
 *
 * Statement (003 Section 6).  With W_Q = I "every coordinate slice directly participates in attention, potentially
 * encouraging more uniform gradient flow".
 *
 * What is true.  The query of head a is slice a of the token, x_a, so that each coordinate is part of one query.
 *
 * What stands beside it.  With W_Q in general position every coordinate is part of the query of every head, x W_Q^a.
 * A score of head a is (x W_Q^a)(y W_K^a)', linear in x: moved by the unit vector e_k it changes by its derivative
 * there.  With W_Q = I that is 0 in all heads but the one of coordinate k; of h d derivatives d are left.  So the
 * gradient that a head sends into the queries is 0 in d - d_k coordinates, which is less uniform, not more; that of all
 * heads together reaches all coordinates either way.  Whether training gains, the text leaves open ("potentially"). */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"

/* Scores of every head between tokens x and y, 1 x h. */
static const mat *scores(scope *s, const shape *sh, const mat *x, const mat *Q, const mat *K, const mat *y)
{
    const mat *q = mat_mul(s, x, Q), *k = mat_mul(s, y, K), *head[MAX_HEADS];
    for (long a = 0; a < sh->h; a++)
        head[a] = mat_mul(s, mat_cols(s, q, a * sh->dk, sh->dk), mat_t(s, mat_cols(s, k, a * sh->dk, sh->dk)));
    return mat_hcat(s, sh->h, head);
}

/* The scores of x + e_k less those of x, in the head of slice `at` and in another one. */
static void coordinate(trial *t, const mat *Q, long k, long at)
{
    scope *s = &t->s;
    const shape *sh = &t->sh;
    const mat *x = mat_draw(s, "x", 1, sh->d, 0), *y = mat_draw(s, "y", 1, sh->d, 0), *I = mat_identity(s, sh->d);
    const mat *K = mat_draw_weight(s, "W_K", sh->d, sh->d), *moved = mat_add(s, x, mat_unit(s, 1, sh->d, 0, k));
    const mat *reduced = mat_sub(s, scores(s, sh, moved, I, K, y), scores(s, sh, x, I, K, y));
    const mat *general = mat_sub(s, scores(s, sh, moved, Q, K, y), scores(s, sh, x, Q, K, y));
    const mat *zero = mat_zero(s, 1, 1);
    for (long a = 0; a < sh->h; a++) {
        const mat *here = mat_cols(s, reduced, a, 1);
        if (a == at) claim_differs(t, "W_Q = I: the head of the slice sees it", here, zero);
        else         claim_equal(t, "W_Q = I: no other head sees it", here, zero);
        claim_differs(t, "with W_Q every head sees it", mat_cols(s, general, a, 1), zero);
    }
}

static void every_coordinate(trial *t, const mat *Q, long shift)
{
    for (long k = 0; k < t->sh.d; k++) coordinate(t, Q, k, (k / t->sh.dk + shift) % t->sh.h);
}
static const mat *drawn(trial *t)        { return mat_draw_weight(&t->s, "W_Q", t->sh.d, t->sh.d); }
static void own_slice(trial *t)          { every_coordinate(t, drawn(t), 0); }
static void next_slice(trial *t)         { every_coordinate(t, drawn(t), 1); }
static void identity_for_query(trial *t) { every_coordinate(t, mat_identity(&t->s, t->sh.d), 0); }

static const control controls[] = {
    { "next-slice",         next_slice,         "the head after that of the slice" },
    { "identity-for-query", identity_for_query, "$I$ for the general $W_Q$" },
};
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(2, 4, 2, 1, MASK_FULL) }, { .sh = ATTENTION_SHAPE(2, 6, 3, 1, MASK_FULL) },
    { .sh = ATTENTION_SHAPE(2, 6, 2, 1, MASK_FULL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_INFORMAL, .run = own_slice, .no_large = true, .no_minimal = true,
      .quantity = "W_Q = I", .shown_by = "W_Q = I: no other head sees it", CONTROLS(controls),
      .basis = "facts beside it; ``more uniform'' has no measure", RATIONALS_ONLY("derivatives of linear functions"),
      .statement = "$W_Q = I$: a coordinate of a token moves the scores of its own head as a query, and of no other "
                   "one; with a general $W_Q$ those of all heads" },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 6", "Setting $W_Q = \\text{Id}$ provides implicit regularization: attention logits become "
      "linear rather than quadratic in learned parameters, and every coordinate slice directly participates in "
      "attention, potentially encouraging more uniform gradient flow." },
};
static const char *const judged[] = {
    "every coordinate slice directly participates in attention, potentially encouraging more uniform gradient flow",
};
static const claim K_S6_SLICES = {
    .id = "K-S6-slices", .title = "every coordinate slice takes part in attention", .where = "003 Section 6",
    .quotes = quotes, .nquotes = COUNT(quotes), .judged = judged, .njudged = COUNT(judged),
    .hypotheses = "$h > 1$; scores before the softmax, no norm of queries, no RoPE",
    .construction = "$\\ell_a(x + e_k) - \\ell_a(x)$, the derivative, for $\\ell_a(x) = (xW_Q^a)(yW_K^a)^\\top$",
    .why = "``Directly'' is right: with $W_Q = I$ slice $a$ is the query of head $a$. But each coordinate is then part "
           "of one query, where a general $W_Q$ makes it part of all $h$. What a head's scores send back into its "
           "queries is 0 in $d - d_k$ of the $d$ coordinates of the query's token; through its keys it reaches all "
           "of the "
           "key's token, and summed over heads every coordinate of both, with $W_Q$ and without. The text says "
           "``potentially'' and gives no "
           "figure.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-linear",
};
THEOREM_PROGRAM(K_S6_SLICES)
