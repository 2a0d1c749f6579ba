/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_e_measure0.c - K-E-measure0, the weights whose skip can be absorbed are a null set.
 *
 * Statement.  For ReLU networks of width m, the set of (W1, W2) for which W2 ReLU(W1 x) + x is some
 * V2 ReLU(V1 x) of the same width has Lebesgue measure zero.  The same for any fixed skip T != 0 instead of I, in
 * particular T = Z - Z' with Z' chosen before the weights.
 *
 * Why it is true.  Zero rows or columns and collinear rows are null sets.  Elsewhere (K-E1-nec) absorbable means
 * F_J(W1, W2) = W2[:,J] W1[J,:] + T = 0 for one of the 2^m sets J.  Along a line (c W1, W2), for any h, m and J,
 *     F_J(c W1, W2) - c F_J(W1, W2) = (1 - c) T,     in general F_J(W1 A, W2) - F_J(W1, W2) A = T (I - A),
 * so that F_J vanishes at one c at most: of each of these lines, which fill the space, at most 2^m points are
 * absorbable.  What each line meets in finitely many points is null (Fubini).  In particular no polynomial |F_J|^2 is
 * 0, for any h, m and J; at W1 = 0 they are |T|^2.  With h = 1 all rows are collinear, and two neurons absorb every
 * skip: f(x) = f(1) ReLU(x) + f(-1) ReLU(-x).  Only T that do not depend on the weights qualify: T = -W2 W1 is
 * always absorbed (K-E2).
 *
 * How it is decided.  The identity symbolically, for all sizes, and in every arithmetic; where m <= 8, no F_J vanishes
 * at drawn weights, in doubles, MPFR, balls, modulo primes and over Q.  Over Q moreover integer weights without J, by
 * the exact decision and with a certificate, and planted ones that are absorbable at c = 1 and at none of c = -2 .. 3.
 * That a set is null is no identity: the last step is by proof, and so is K-E1-nec.                              */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_certificate.h"

static void a_point_without_J(trial *t, const relu_weights *w, const mat *T)
{
    scope *s = &t->s;
    claim_decided(t, "the point fulfils the conditions of E.1", relu_regular(w->W1, w->W2));
    claim_decided(t, "no F_J vanishes there", relu_absorbable(w->W1, w->W2, T) == REFUTED);
    certify_no_j(t, "point", w->W1, w->W2, T);
    claim_decided(t, "T is not 0", mat_compare(T, mat_zero(s, T->rows, T->cols), 0).is == REFUTED);
}

/* The planted weights are absorbable; others on their line are not. */
static void a_line(trial *t, const mat *T)
{
    scope *s = &t->s;
    const relu_weights w = relu_planted(s, t->sh.d, t->sh.m, t->sh.d, mat_scale(s, -1, 0, T));
    claim_decided(t, "absorbable at c = 1", relu_absorbable(w.W1, w.W2, T) == HOLDS);
    for (long c = -2; c <= 3; c++)
        if (c && c != 1)
            claim_decided(t, "and nowhere else", relu_absorbable(mat_scale(s, c, 0, w.W1), w.W2, T) == REFUTED);
}

/* W2 has no more than 8 columns: F_J is not 0 for any J. */
static void no_J_at(trial *t, const mat *W1, const mat *W2, const mat *T)
{
    scope *s = &t->s;
    const mat *minus_T = mat_scale(s, -1, 0, T);
    const long m = W1->rows;
    for (long bits = 0; m <= 8 && bits < 1L << m; bits++) {
        unsigned char *J = scope_alloc(s, (size_t)m);
        for (long j = 0; j < m; j++) J[j] = bits >> j & 1;
        claim_differs(t, "no J at drawn weights", mat_mul(s, W2, mat_mul(s, relu_pick(s, m, J), W1)), minus_T);
    }
}

typedef enum { LINE, T_MOVES, SCALED_BACK } variant;

/* F_J at (W1, W2) and at (W1 A, W2); W1, W2 are the neurons of J, however many.  Variants: T = -W2 W1 at both; A = 2
 * and W2/2, which is the same network. */
static void lines(trial *t, const mat *T, variant v)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const mat *W1 = mat_draw(s, "W1_J", m, h, mat_log2_fan_in(h)), *W2 = mat_draw(s, "W2_J", h, m, mat_log2_fan_in(m));
    const mat *I = mat_identity(s, h), *A = v == SCALED_BACK ? mat_scale(s, 2, 0, I) : mat_draw(s, "A", h, h, 0);
    const mat *here = mat_mul(s, W2, W1);
    const mat *there = mat_mul(s, v == SCALED_BACK ? mat_scale(s, 1, -1, W2) : W2, mat_mul(s, W1, A));
    const mat *T_here = v == T_MOVES ? mat_scale(s, -1, 0, here) : T;
    const mat *T_there = v == T_MOVES ? mat_scale(s, -1, 0, there) : T;
    claim_equal(t, "F(W1 A, W2) - F(W1, W2) A = T (I - A)",
                mat_sub(s, mat_add(s, there, T_there), mat_mul(s, mat_add(s, here, T_here), A)),
                mat_sub(s, T, mat_mul(s, T, A)));
    if (v == LINE && claim_over(t, OVER_ENTRIES)) no_J_at(t, W1, W2, T);
}

static bool over_q(trial *t) { return claim_over(t, OVER_RATIONALS); }
static relu_weights generic(trial *t) { return relu_planted(&t->s, t->sh.d, t->sh.m, 0, NULL); }

static void skip_x(trial *t)
{
    const mat *I = mat_identity(&t->s, t->sh.d);
    lines(t, I, LINE);
    if (!over_q(t)) return;
    const relu_weights w = generic(t);
    a_point_without_J(t, &w, I);
    a_line(t, I);
}

/* T = e_1 e_1' and drawn T, all fixed before the weights: their names do not depend on W */
static void fixed_skip(trial *t)
{
    scope *s = &t->s;
    const long h = t->sh.d;
    lines(t, mat_draw(s, "T any", h, h, 0), LINE);
    if (!over_q(t)) return;
    const relu_weights w = generic(t);
    long *one = scope_alloc(s, (size_t)(h * h) * sizeof *one);
    one[0] = 1;
    a_point_without_J(t, &w, mat_from_si(s, h, h, one));
    a_point_without_J(t, &w, relu_draw(s, "T", h, h, 9));
}

static void scaled_back(trial *t) { lines(t, mat_identity(&t->s, t->sh.d), SCALED_BACK); }

/* J = the first h neurons: W2[:,J] W1[J,:] = -I */
static void planted(trial *t)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m, n = m > h ? 2 : 1;
    const mat *I = mat_identity(s, h), *U = mat_draw_weight(s, "U", h, h);
    const mat *rows[2] = { U, n > 1 ? mat_draw(s, "W1 rest", m - h, h, mat_log2_fan_in(h)) : NULL };
    const mat *cols[2] = { mat_scale(s, -1, 0, mat_inv(s, U)), n > 1 ? mat_draw(s, "W2 rest", h, m - h, 0) : NULL };
    if (claim_over(t, OVER_ENTRIES)) no_J_at(t, mat_vcat(s, n, rows), mat_hcat(s, n, cols), I);
    if (!over_q(t)) return;
    const relu_weights w = relu_planted(s, h, m, m, mat_scale(s, -1, 0, I));
    a_point_without_J(t, &w, I);
}

static void after_the_weights(trial *t)
{
    scope *s = &t->s;
    lines(t, mat_draw(s, "T any", t->sh.d, t->sh.d, 0), T_MOVES);
    if (!over_q(t)) return;
    const relu_weights w = generic(t);
    a_point_without_J(t, &w, mat_scale(s, -1, 0, mat_mul(s, w.W2, w.W1)));
}

static const control of_x[] = {
    { "scaled-back", scaled_back, "$(2W_1, W_2/2)$: the same network, which stays absorbable if it is" },
    { "planted",     planted,     "some $J$ has $W_2[:,J]W_1[J,:] = -I$" },
};
static const control not_fixed[] = { { "T-after-W", after_the_weights, "$T = -W_2W_1$ depends on the weights" } };
static const shape_case shapes[] = {
    { .sh = RELU_SHAPE(1, 2, 2, 1) }, { .sh = RELU_SHAPE(1, 2, 8, 1) }, { .sh = RELU_SHAPE(1, 3, 12, 1) },
    { .sh = RELU_SHAPE(1, 4, 16, 1) }, { .sh = RELU_SHAPE(1, 5, 20, 1) }, { .sh = RELU_SHAPE(1, 6, 24, 1) },
};
#define ALL_SIZES .kind = PART_IDENTITY, .certifies = true, .no_large = true, .no_minimal = true, \
    .by_proof = "K-E1-nec; almost all: what each line meets in finitely many points is null (Fubini)"
static const part parts[] = {
    { .name = "as-stated", .run = skip_x, ALL_SIZES,
      .statement = "absorbable weights are a null set, skip $x$, any $h \\ge 2$ and $m$: $F_J(cW_1, W_2) - "
                   "cF_J(W_1, W_2) = (1-c)I$ for $F_J = W_2[:,J]W_1[J,:] + I$, so each line $(cW_1, W_2)$ has at most "
                   "$2^m$ of them that fulfil the conditions of Theorem E.1",
      CONTROLS(of_x) },
    { .name = "as-stated-fixed", .run = fixed_skip, ALL_SIZES,
      .statement = "the same for each $T = Z - Z' \\ne 0$ that is fixed before the weights, with $(1-c)T$",
      CONTROLS(not_fixed) },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 1", "We prove that for ReLU MLPs at fixed width, the set of weights for which the skip "
      "connection $W_2 \\text{ReLU}(W_1 x) + x$ can be exactly represented as $V_2 \\text{ReLU}(V_1 x)$ has "
      "Lebesgue measure zero." },
    { TEXT_003, "Appendix E", "it fails with probability 1 under continuous weight distributions" },
    { TEXT_000, "Section 8.5", "The condition in Theorem 8.4 is non-generic: it fails with probability 1 under "
      "continuous weight distributions." },
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_E_MEASURE0 = {
    .id = "K-E-measure0", .title = "absorbable weights have measure zero",
    .where = "003 Section 1 and Appendix E; 000 Section 8.5; 001 does not have it",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$h \\ge 2$ (or one neuron); $T \\ne 0$ does not depend on the weights",
    .why = "Absorbable means $F_J = W_2[:,J]W_1[J,:] + T = 0$ for some $J$ (K-E1-nec). On a line $(cW_1, W_2)$, "
           "$F_J(cW_1, W_2) - cF_J(W_1, W_2) = (1-c)T \\ne 0$: no $F_J$ vanishes twice, so a line has at most $2^m$ "
           "absorbable points that fulfil its conditions. A set that meets each of these lines in finitely many "
           "points is null.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-E1-nec",
};
THEOREM_PROGRAM(K_E_MEASURE0)
