/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_e1_suff.c - K-E1-suff, Theorem E.1, sufficiency: a set J lets a ReLU MLP absorb its skip.
 *
 * Statement.  Columns x of height h >= 2, W1 (m x h), W2 (h x m), m = 4h, both of rank h, no zero row or
 * collinear rows in W1, no zero column in W2.  If W2[:,J] W1[J,:] = -I for some J with |J| >= h, there are V1, V2
 * of the same shapes with W2 ReLU(W1 x) + x = V2 ReLU(V1 x) for all x.
 *
 * Construction.  V1 = (I - 2 Pi_J) W1, V2 = W2, with Pi_J the projection onto the coordinates in J.
 *
 * Why it works.  ReLU(y) - ReLU(-y) = y: the difference of the two networks is
 *     W2 Pi_J (ReLU(W1 x) - ReLU(-W1 x)) = W2 Pi_J W1 x = -x.
 * No hypothesis on the weights is used.
 *
 * All networks.  -I has rank h, so W1[J,:] has h independent rows U.  Permute the neurons: W1 = (U; B; R), W2 = (C |
 * Y | Q), J = the first two, and then C = (-I - Y B) U^-1.  So drawn U, B, R, Y, Q are every network that meets the
 * hypothesis (a set J of h neurons: Y = 0), and the derivation is for all of them, of any height and widths.
 *
 * How it is decided.  Both networks at drawn points, in every arithmetic: with ReLU in doubles, MPFR, balls, in which
 * the sign of each neuron must be certain, and over Q; with any phi, phi(y) - phi(-y) = y, modulo primes and
 * symbolically, which proves it for all sizes.  Over Q also by the canonical form (src/methods/relu/relu.h), which
 * decides equality for all x, on planted integer weights with |J| = h, .., m, and with zero columns and
 * collinear rows.                                                                                    */
#include "src/claim/certificate/certificate.h"
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_certificate.h"
#include "src/methods/relu/relu_turn.h"

typedef struct { const mat *W1, *W2; unsigned char *J; } instance;

static void both_sides(trial *t, const instance *w)
{
    scope *s = &t->s;
    const long h = w->W1->cols, m = w->W1->rows;
    const mat *V1 = mat_mul(s, relu_flip(s, m, w->J), w->W1), *V2 = w->W2, *I = mat_identity(s, h);
    claim_reduced(t, 2, (const mat **const[]){ &V1, &V2 });
    claim_decided(t, "equal canonical forms", relu_same_function(w->W1, w->W2, I, V1, V2, NULL));
}

/* W2[:,J] W1[J,:] = sign I for every size of J */
static void all_sizes(trial *t, long sign, void (*change)(scope *s, instance *w))
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const mat *I = mat_identity(s, h), *T = sign < 0 ? mat_neg(s, I) : I;
    for (long q = h; q <= m; q++) {
        const relu_weights planted = relu_planted(s, h, m, q, T);
        instance w = { planted.W1, planted.W2, planted.J };
        if (change) change(s, &w);
        else {
            claim_rank(t, "rank W1 = h", w.W1, h);
            claim_rank(t, "rank W2 = h", w.W2, h);
            claim_decided(t, "no zero row or column, no collinear rows", relu_regular(w.W1, w.W2));
        }
        both_sides(t, &w);
        if (q > h && q < m) continue;
        const mat *V1 = mat_mul(s, relu_flip(s, w.W1->rows, w.J), w.W1);
        const char *const name = change ? q == h ? "bare-least-J" : "bare-all-J" : q == h ? "least-J" : "all-J";
        certify_relu_equal(t, name, w.W1, w.W2, I, V1, w.W2, NULL);
    }
}

static long first_of(const unsigned char *J)
{
    long j = 0;
    while (!J[j]) j++;
    return j;
}

static void one_entry_of_W2(scope *s, instance *w)
{
    w->W2 = mat_add(s, w->W2, mat_unit(s, w->W2->rows, w->W2->cols, 0, first_of(w->J)));
}

static void one_missing_in_J(scope *s, instance *w)
{
    (void)s;
    w->J[first_of(w->J)] = 0;
}

/* Every neuron once more with a zero column, every row of W1 twice: none of the hypotheses is left. */
static void doubled(scope *s, instance *w)
{
    const long h = w->W1->cols, m = w->W1->rows;
    unsigned char *J = scope_alloc(s, (size_t)(2 * m));
    for (long j = 0; j < m; j++) J[j] = w->J[j];
    w->J = J;
    w->W1 = mat_vcat(s, 2, (const mat *const[]){ w->W1, w->W1 });
    w->W2 = mat_hcat(s, 2, (const mat *const[]){ w->W2, mat_zero(s, h, m) });
}

static void doubled_and_mutated(scope *s, instance *w)
{
    doubled(s, w);
    one_entry_of_W2(s, w);
}

/* In every arithmetic: W2 phi(W1 X) + X and the network of which J, or a part of it, is turned over. */
static void at_points(trial *t, long sign, bool part_of_J)
{
    scope *s = &t->s;
    const long h = t->sh.d;
    const mat *X = relu_points(s, h, t->sh.n);
    const relu_groups w = relu_groups_with(s, h, t->sh.m, t->sh.V, mat_scale(s, sign, 0, mat_identity(s, h)));
    relu_groups v = relu_turned(s, &w);
    if (part_of_J) v.rows[1] = w.rows[1];
    claim_reduced(t, 3, (const mat **const[]){ &v.rows[0], &v.rows[1], &v.rows[2] });
    const activation act = relu_or_half_odd(s);
    claim_equal(t, "both networks at drawn points", mat_add(s, relu_groups_at(s, &w, X, act), X),
                relu_groups_at(s, &v, X, act));
}

static bool over_q(trial *t) { return claim_over(t, OVER_RATIONALS); }

static void absorbed(trial *t)
{
    at_points(t, -1, false);
    if (!over_q(t)) return;
    all_sizes(t, -1, NULL);
    all_sizes(t, -1, doubled);
}

static void plus_I(trial *t)
{
    at_points(t, 1, false);
    if (over_q(t)) all_sizes(t, 1, NULL);
}

static void smaller_J(trial *t)
{
    at_points(t, -1, true);
    if (over_q(t)) all_sizes(t, -1, one_missing_in_J);
}

static void mutated(trial *t)     { if (over_q(t)) all_sizes(t, -1, one_entry_of_W2); }
static void bare_broken(trial *t) { if (over_q(t)) all_sizes(t, -1, doubled_and_mutated); }

static const control broken[] = {
    { "plus-I",       plus_I,      "$W_2[:,J]W_1[J,:] = +I$" },
    { "part-of-J",    smaller_J,   "only some of $J$ are turned over" },
    { "mutated-W2",   mutated,     "one entry of $W_2$ in $J$ plus 1: $W_2[:,J]W_1[J,:] \\ne -I$" },
    { "mutated-bare", bare_broken, "the same with zero columns and collinear rows" },
};
static const shape_case shapes[] = {
    { .sh = RELU_SHAPE(3, 2, 8, 5) }, { .sh = RELU_SHAPE(3, 3, 12, 5) }, { .sh = RELU_SHAPE(3, 4, 16, 5) },
    { .sh = RELU_SHAPE(3, 5, 20, 5) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = absorbed, .no_large = true, .certifies = true,
      .assumes = "half-odd activation; invertible U",
      .statement = "if $W_2[:,J]W_1[J,:] = -I$, then $V_1 = (I-2\\Pi_J)W_1$, $V_2 = W_2$ absorb the skip: any $h$, "
                   "$m$, $J$, and nothing else about the weights ($U$: some $h$ rows of $W_1[J,:]$, independent "
                   "because $-I$ has rank $h$; ReLU is half-odd: $\\mathrm{ReLU}(y) - \\mathrm{ReLU}(-y) = y$)",
      CONTROLS(broken) },
};
static const quotation quotes[] = {
    ABSORPTION_THEOREM,
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_E1_SUFF = {
    .id = "K-E1-suff", .title = "residual-free representability: sufficiency",
    .where = "001 Theorem 8.3; 003 Theorem E.1; 000 Theorem 8.4",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$W_2[:,J]W_1[J,:] = -I_h$; the other hypotheses of the theorem are not needed here",
    .construction = "$V_1 = (I - 2\\Pi_J)W_1$, $V_2 = W_2$",
    .why = "$\\mathrm{ReLU}(y) - \\mathrm{ReLU}(-y) = y$: turning the rows in $J$ over changes the network by "
           "$-W_2\\Pi_JW_1x = x$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(K_E1_SUFF)
