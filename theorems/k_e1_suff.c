/* k_e1_suff.c - K-E1-suff, Theorem E.1, sufficiency: a set J lets a ReLU MLP absorb its skip.
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
 * How it is decided.  By the canonical form (src/relu/relu.h), which decides equality for all x, on planted
 * integer weights with |J| = h, h + 1, .., m; and the two sides are compared at drawn points.            */
#include "src/certificate.h"
#include "src/claim.h"
#include "src/relu/relu.h"

typedef struct { const mat *W1, *W2; unsigned char *J; } instance;

static void both_sides(trial *t, const instance *w)
{
    scope *s = &t->s;
    const long h = w->W1->cols, m = w->W1->rows;
    const mat *V1 = mat_mul(s, relu_flip(s, m, w->J), w->W1), *V2 = w->W2, *I = mat_identity(s, h);
    claim_reduced(t, 2, (const mat **const[]){ &V1, &V2 });
    claim_decided(t, "equal canonical forms", relu_same_function(w->W1, w->W2, I, V1, V2, NULL));
    const mat *X = mat_draw(s, "X", h, 8, 3);
    const mat *before = mat_mul(s, w->W2, mat_phi(s, mat_mul(s, w->W1, X), ACT_RELU, (place){ 0 }));
    const mat *after = mat_mul(s, V2, mat_phi(s, mat_mul(s, V1, X), ACT_RELU, (place){ 0 }));
    claim_equal(t, "values at drawn points", mat_add(s, before, X), after);
}

/* W2[:,J] W1[J,:] = sign I for every size of J */
static void all_sizes(trial *t, long sign, void (*change)(scope *s, instance *w))
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const mat *I = mat_identity(s, h), *T = sign < 0 ? mat_sub(s, mat_zero(s, h, h), I) : I;
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
        certify_relu_equal(t, q == h ? "least-J" : "all-J", w.W1, w.W2, I, V1, w.W2, NULL);
    }
}

static long first_of(const unsigned char *J)
{
    long j = 0;
    while (!J[j]) j++;
    return j;
}

static const mat *unit(scope *s, long rows, long cols, long i, long j)              /* e_i e_j' */
{
    long *x = scope_alloc(s, (size_t)(rows * cols) * sizeof *x);
    x[i * cols + j] = 1;
    return mat_from_si(s, rows, cols, x);
}

static void one_entry_of_W2(scope *s, instance *w)
{
    w->W2 = mat_add(s, w->W2, unit(s, w->W2->rows, w->W2->cols, 0, first_of(w->J)));
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

static void planted(trial *t)     { all_sizes(t, -1, NULL); }
static void bare(trial *t)        { all_sizes(t, -1, doubled); }
static void mutated(trial *t)     { all_sizes(t, -1, one_entry_of_W2); }
static void plus_I(trial *t)      { all_sizes(t, 1, NULL); }
static void smaller_J(trial *t)   { all_sizes(t, -1, one_missing_in_J); }
static void bare_broken(trial *t) { all_sizes(t, -1, doubled_and_mutated); }

static const control broken[] = {
    { "mutated-W2", mutated,   "one entry of $W_2$ in $J$ plus 1: $W_2[:,J]W_1[J,:] \\ne -I$" },
    { "plus-I",     plus_I,    "$W_2[:,J]W_1[J,:] = +I$" },
    { "J-less-one", smaller_J, "one element of $J$ is left out" },
};
static const control bare_controls[] = { { "mutated-W2", bare_broken, "one entry of $W_2$ in $J$ plus 1" } };
static const shape_case shapes[] = {
    { { .n = 1, .d = 2, .h = 1, .m = 8, .V = 1, .L = 1 }, false },
    { { .n = 1, .d = 3, .h = 1, .m = 12, .V = 1, .L = 1 }, false },
    { { .n = 1, .d = 4, .h = 1, .m = 16, .V = 1, .L = 1 }, false },
    { { .n = 1, .d = 5, .h = 1, .m = 20, .V = 1, .L = 1 }, false },
};
#define ONLY_Q .certifies = true, .without = "f64 mpfr arb fp sym", \
    .why_without = "equality of functions is decided by the canonical form, exactly over the rationals"
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = planted, .no_large = true, ONLY_Q,
      .statement = "if $W_2[:,J]W_1[J,:] = -I$, then $V_1 = (I-2\\Pi_J)W_1$, $V_2 = W_2$ absorb the skip",
      .basis = "canonical form: equal for all x", .controls = broken, .ncontrols = COUNT(broken) },
    { .name = "as-stated-bare", .kind = PART_IDENTITY, .run = bare, .no_large = true, .no_minimal = true, ONLY_Q,
      .statement = "the same without the hypotheses: with zero columns and collinear rows",
      .basis = "canonical form: equal for all x", .controls = bare_controls, .ncontrols = COUNT(bare_controls) },
};
static const quotation quotes[] = {
    { TEXT_001, "Theorem 8.3", "There exist matrices such that the identity if and only if there exists an "
      "index set with for which" },
    { TEXT_003, "Theorem E.1", "Let $h \\geq 2$ and set $m = 4h$." },
    { TEXT_003, "Theorem E.1", "be given matrices with $\\text{rank} W_1 = \\text{rank} W_2 = h$, where W_1 "
      "consists of pairwise non-collinear, non-zero rows, and W_2 consists of non-zero columns. Denote ReLU "
      "coordinatewise. There exist matrices $$V_1 \\in \\mathbb{R}^{m \\times h}, \\quad V_2 \\in "
      "\\mathbb{R}^{h \\times m}$$ such that the identity $$W_2 \\text{ReLU}(W_1 x) + x = V_2 \\text{ReLU}(V_1 "
      "x) \\quad \\text{holds for all } x \\in \\mathbb{R}^h$$ if and only if there exists an index set $J "
      "\\subset \\{1, \\dots, m\\}$ with $|J| \\geq h$ for which $$W_2[:, J] W_1[J, :] = -I_h.$$" },
    { TEXT_000, "Theorem 8.4", "be given matrices with , where consists of pairwise non-collinear, non-zero "
      "rows, and consists of non-zero columns. Denote coordinatewise. There exist matrices such that the "
      "identity if and only if there exists an index set with for which" },
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
