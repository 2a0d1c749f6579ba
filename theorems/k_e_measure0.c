/* k_e_measure0.c - K-E-measure0, the weights whose skip can be absorbed are a null set.
 *
 * Statement.  For ReLU networks of width m, the set of (W1, W2) for which W2 ReLU(W1 x) + x is some
 * V2 ReLU(V1 x) of the same width has Lebesgue measure zero.  The same for any fixed skip T != 0 instead of I, in
 * particular T = Z - Z' with Z' chosen before the weights.
 *
 * Why it is true.  Zero rows or columns and collinear rows are null sets.  Elsewhere (K-E1-nec) absorbable means
 * P_J(W1, W2) = |W2[:,J] W1[J,:] + T|^2 = 0 for one of the 2^m sets J.  Each P_J is a polynomial; where one
 * point is known at which it is not 0, its zeros are a null set; and a finite union of null sets is one.
 *
 * How it is decided.  One certified point serves all J at once: integer weights that fulfil the conditions and
 * have no J, by the exact decision.  So each shape that is run is proved for that (h, m), and only T that do not
 * depend on the weights qualify: T = -W2 W1 is always absorbed (K-E2).                                       */
#include "src/certificate.h"
#include "src/claim.h"
#include "src/relu/relu.h"

static void a_point_without_J(trial *t, const relu_weights *w, const mat *T)
{
    scope *s = &t->s;
    claim_decided(t, "the point fulfils the conditions of E.1", relu_regular(w->W1, w->W2));
    claim_decided(t, "no P_J vanishes there", relu_absorbable(w->W1, w->W2, T) == REFUTED);
    certify_no_j(t, "point", w->W1, w->W2, T);
    claim_decided(t, "T is not 0", mat_compare(T, mat_zero(s, T->rows, T->cols), 0).is == REFUTED);
}

static relu_weights generic(trial *t) { return relu_planted(&t->s, t->sh.d, t->sh.m, 0, NULL); }

static void skip_x(trial *t)
{
    const relu_weights w = generic(t);
    a_point_without_J(t, &w, mat_identity(&t->s, t->sh.d));
}

/* T = e_1 e_1' and a drawn T, both fixed before the weights: their names do not depend on W */
static void fixed_skip(trial *t)
{
    scope *s = &t->s;
    const long h = t->sh.d;
    const relu_weights w = generic(t);
    long *one = scope_alloc(s, (size_t)(h * h) * sizeof *one);
    one[0] = 1;
    a_point_without_J(t, &w, mat_from_si(s, h, h, one));
    a_point_without_J(t, &w, relu_draw(s, "T", h, h, 9));
}

static void planted(trial *t)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const mat *I = mat_identity(s, h);
    const relu_weights w = relu_planted(s, h, m, m, mat_sub(s, mat_zero(s, h, h), I));
    a_point_without_J(t, &w, I);
}

static void after_the_weights(trial *t)
{
    scope *s = &t->s;
    const relu_weights w = generic(t);
    const mat *W21 = mat_mul(s, w.W2, w.W1);
    a_point_without_J(t, &w, mat_sub(s, mat_zero(s, W21->rows, W21->cols), W21));
}

static const control on_the_null_set[] = { { "planted", planted, "weights with $W_2W_1 = -I$" } };
static const control not_fixed[] = { { "T-after-W", after_the_weights, "$T = -W_2W_1$ depends on the weights" } };
#define SIZE(height, width) { { .n = 1, .d = height, .h = 1, .m = width, .V = 1, .L = 1 }, false }
static const shape_case shapes[] = { SIZE(2, 2), SIZE(2, 8), SIZE(3, 12), SIZE(4, 16), SIZE(5, 20), SIZE(6, 24) };
#define ONLY_Q .certifies = true, .no_large = true, .no_minimal = true, .without = "f64 mpfr arb fp sym", \
    .why_without = "existence is decided exactly over the rationals", \
    .by_proof = "a polynomial that is not 0 at a point is not 0 almost everywhere", .basis = "a certified point"
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = skip_x, ONLY_Q,
      .statement = "absorbable weights are a null set, skip $x$",
      .controls = on_the_null_set, .ncontrols = COUNT(on_the_null_set) },
    { .name = "as-stated-fixed", .kind = PART_IDENTITY, .run = fixed_skip, ONLY_Q,
      .statement = "the same for each $T = Z - Z' \\ne 0$ that is fixed before the weights",
      .controls = not_fixed, .ncontrols = COUNT(not_fixed) },
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
    .hypotheses = "$T \\ne 0$ does not depend on the weights",
    .why = "The absorbable weights lie in finitely many zero sets of polynomials, none of which vanishes at the "
           "certified point.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-E1-nec K-E2",
};
THEOREM_PROGRAM(K_E_MEASURE0)
