/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_rope_001.c - K-X-rope-001, does the rotation commute with the change of basis?
 *
 * Statement (001 only).  For rotary positions "the fixed rotation commutes with our basis transformation".
 *
 * What is true.  The conclusion: rotary positions are no obstacle, and 000 and 003 say why (the Reparametrization
 * Lemma holds for them).  Nothing needs to commute: Theta is undone by Theta^-1 W_Q before the rotation acts
 * (K-X-rope),
 *     rot((X Theta)(Theta^-1 W_Q)) = rot(X W_Q).
 *
 * What is wrong with the word.  Theta is d x d and acts on the stream, a rotation R_t is dk x dk and acts on queries
 * and keys of one head: R_t Theta has no meaning unless h = 1.  Where it has, it is not Theta R_t: with a quarter turn
 *     R = (0, 1; -1, 0),  Theta = (1, 1; 0, 1):      R Theta = (0, 1; -1, -1),   Theta R = (-1, 1; -1, 0),
 * and for the rotations of the model rot(X Theta) != rot(X) Theta.  Only Theta of blocks (a, b; -b, a) commute.
 *
 * If rotations acted on the stream, before the projections, commuting would be needed, and it would fail:
 * the control rotated-first.                                                                            */
#include "src/claim/reduce.h"

static void rotary(shape *sh)
{
    reduce_switches(sh, ONE_LAYER);
    sh->rope = true;
}

static void rotary_one_head(shape *sh)
{
    rotary(sh);
    sh->h = sh->h_kv = 1;
    sh->dk = sh->scale_den = sh->d;
}

static void by_hand(trial *t)
{
    scope *s = &t->s;
    const mat *R = mat_from_si(s, 2, 2, (long[]){ 0, 1, -1, 0 }), *Theta = mat_from_si(s, 2, 2, (long[]){ 1, 1, 0, 1 });
    claim_equal(t, "R Theta", mat_mul(s, R, Theta), mat_from_si(s, 2, 2, (long[]){ 0, 1, -1, -1 }));
    claim_equal(t, "Theta R", mat_mul(s, Theta, R), mat_from_si(s, 2, 2, (long[]){ -1, 1, -1, 0 }));
    claim_differs(t, "R Theta and Theta R", mat_mul(s, R, Theta), mat_mul(s, Theta, R));
}

/* rot(X Theta) and rot(X) Theta, Theta any or one of the few that commute: all blocks (1, 2; -2, 1) */
static void rotate_and_turn(trial *t, bool any)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *X = mat_draw(s, "X", t->sh.n, d, 0), *block[MAX_HEADS];
    for (long k = 0; k < d / 2; k++) block[k] = mat_from_si(s, 2, 2, (long[]){ 1, 2, -2, 1 });
    const mat *Theta = any ? mat_draw_weight(s, "Theta", d, d) : mat_blockdiag(s, d / 2, block);
    claim_differs(t, "rot(X Theta) and rot(X) Theta", mat_rotate(s, mat_mul(s, X, Theta)),
                  mat_mul(s, mat_rotate(s, X), Theta));
}

static void witness(trial *t)
{
    by_hand(t);
    rotate_and_turn(t, true);
}
static void conformal(trial *t) { rotate_and_turn(t, false); }

/* rot(X W_Q) from X Theta; or, in the control, a projection that comes after the rotation */
static void project(trial *t, bool rotated_first)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *X = mat_draw(s, "X", t->sh.n, d, 0), *W = mat_draw_weight(s, "W_Q", d, d);
    const basis Theta = gauge_basis(s, mat_draw_weight(s, "Theta", d, d));
    const mat *Y = mat_mul(s, X, Theta.to), *reduced = mat_mul(s, Theta.from, W);
    claim_reduced(t, 1, (const mat **const[]){ &reduced });
    const mat *there = rotated_first ? mat_mul(s, mat_rotate(s, X), W) : mat_rotate(s, mat_mul(s, X, W));
    const mat *here  = rotated_first ? mat_mul(s, mat_rotate(s, Y), reduced) : mat_rotate(s, mat_mul(s, Y, reduced));
    claim_equal(t, "rot(X W)", there, here);
}
static void behind(trial *t) { project(t, false); }
static void first(trial *t)  { project(t, true); }

static const control commuting[] = { { "conformal-theta", conformal, "$\\Theta$ of blocks $(1, 2; -2, 1)$ commutes" } };
static const control order[] = { { "rotated-first", first, "the rotation acts on the stream, before $W_Q$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = witness, .prepare = rotary_one_head,
      .quantity = "R\\Theta", .shown_by = "R Theta and Theta R",
      .no_large = true, .no_minimal = true,
        .statement = "$R = (0, 1; -1, 0)$ and $\\Theta = (1, 1; 0, 1)$: $R\\Theta = (0, 1; -1, -1)$, $\\Theta R = "
                     "(-1, 1; -1, 0)$; nor do the rotations of the model commute with a random $\\Theta$",
        .basis = "witness", CONTROLS(commuting),
        .without = "sym", .why_without = "sym never says that two matrices differ" },
    REDUCED_PART("corrected", behind, rotary, .assumes = "invertible Theta", .models = "d = h d_k",
                 .statement = "no commuting is needed: $\\mathrm{rot}((X\\Theta)(\\Theta^{-1}W_Q)) = "
                              "\\mathrm{rot}(XW_Q)$ for every $\\Theta \\in \\mathrm{GL}(d)$",
                 CONTROLS(order)),
};
static const quotation quotes[] = {
    { TEXT_001, "Section 6", "For Rotary Position Embeddings [SLP+21], the fixed rotation commutes with our "
      "basis transformation." },
};
static const quotation standing[] = {
    MECHANISM_EXTENDS_001,
};
static const claim K_X_ROPE_001 = {
    .id = "K-X-rope-001", .title = "the rotation is said to commute with the change of basis",
    .where = "001 Section 6",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "queries and keys are rotated by position",
    .construction = "$R = (0, 1; -1, 0)$, $\\Theta = (1, 1; 0, 1)$",
    .why = "As matrices the two do not commute: $\\Theta$ is $d \\times d$ and acts on the stream, $R_t$ is $d_k "
           "\\times d_k$ and acts on queries and keys of one head, so that $R_t\\Theta = \\Theta R_t$ has no "
           "meaning for $h > 1$.  For $h = 1$ it is false: with a quarter turn $R$ the rows of $R\\Theta$ are $(0, "
           "1), (-1, -1)$, those of $\\Theta R$ $(-1, 1), (-1, 0)$.  Nor need they: $\\Theta$ is undone by "
           "$\\Theta^{-1}W_Q$ before the rotation acts, so that rotary positions are no obstacle for any $\\Theta$, "
           "and 000 and 003 no longer speak of commuting.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-X-rope",
};
THEOREM_PROGRAM(K_X_ROPE_001)
