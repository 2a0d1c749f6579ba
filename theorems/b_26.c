/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_26.c - B-26, what a symmetric similarity excludes.
 *
 * Statement (Sections 5, 7).  Symmetric similarity excludes undesirable freedoms, such as a token being dissimilar to
 * itself; of the asymmetric one it was deplored that a token is not the most similar to itself.
 *
 * What it needs.  W_Q = W_K = W: then s_ii = |x_i W|^2 >= 0.  Symmetry alone does not give that, and one of the
 * paper's three forms is a matrix mirrored over the diagonal: W_QK = ((1,2),(2,1)), x = (1,-1) has s = -2.  And "most
 * similar to itself" does not follow from W_Q = W_K either: W = I, x_1 = (1,0), x_2 = (2,0) has s_11 = 1 < s_12 = 2.
 *
 * Corrected.  s_ij^2 <= s_ii s_jj (Cauchy-Schwarz), for with u = s_jj x_i - s_ij x_j
 *     0 <= |u W|^2 = s_jj (s_ii s_jj - s_ij^2).
 * So the token with the largest s_ii has no key more similar than itself, and if all s_ii are equal no token has. */
#include "src/claim/certificate/certificate.h"
#include "src/claim/shapes.h"
#include "src/methods/order/order.h"
#include "src/model/stack.h"

static void witness(trial *t)
{
    scope *s = &t->s;
    const mat *W = mat_from_si(s, 2, 2, (long[]){ 1, 2, 2, 1 }), *x = mat_from_si(s, 1, 2, (long[]){ 1, -1 });
    const mat *zero = mat_zero(s, 1, 1);
    claim_equal(t, "W_QK is symmetric", W, mat_t(s, W));
    claim_order(t, "x W_QK x' < 0", mat_mul(s, x, mat_mul(s, W, mat_t(s, x))), BELOW_ZERO);
    const mat *X = mat_from_si(s, 2, 2, (long[]){ 1, 0, 2, 0 }), *S = mat_mul(s, X, mat_t(s, X));
    claim_equal(t, "S = [[1,2],[2,4]]", S, mat_from_si(s, 2, 2, (long[]){ 1, 2, 2, 4 }));
    claim_order(t, "s_11 < s_12", mat_sub(s, mat_entry(s, S, 0, 0), mat_entry(s, S, 0, 1)), BELOW_ZERO);
    const mat *e_1 = mat_from_si(s, 1, 2, (long[]){ 1, 0 }), *e_2 = mat_from_si(s, 1, 2, (long[]){ 0, 1 });
    certify_matrix(t, NULL, 7, (const given[]){ { "W", W }, { "x", x }, { "zero", zero }, { "X", X }, { "S", S },
                                                { "e_1", e_1 }, { "e_2", e_2 } }, 4,
                   (const char *const[]){ "W ' = W", "x W * x ' * < zero", "X X ' * = S",
                                          "e_1 S * e_1 ' * < e_1 S * e_2 ' *" });
}

static void identity(trial *t, bool own_key)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *X = mat_draw(s, "X", 2, M.s.d, 0), *Q = mat_mul(s, X, M.at[0].Q);
    const mat *K = own_key ? mat_mul(s, X, M.at[0].K) : Q;
    claim_reduced(t, 1, (const mat **[]){ &K });
    const mat *S = mat_mul(s, Q, mat_t(s, K));
    const mat *ii = mat_entry(s, S, 0, 0), *ij = mat_entry(s, S, 0, 1), *jj = mat_entry(s, S, 1, 1);
    const mat *u = mat_sub(s, mat_mul(s, jj, mat_rows(s, X, 0, 1)), mat_mul(s, ij, mat_rows(s, X, 1, 1)));
    const mat *uW = mat_mul(s, u, M.at[0].Q);
    const mat *gap = mat_sub(s, mat_mul(s, ii, jj), mat_mul(s, ij, ij));
    claim_equal(t, "|u W|^2 = s_jj (s_ii s_jj - s_ij^2)", mat_mul(s, jj, gap), mat_mul(s, uW, mat_t(s, uW)));
}

static long largest(scope *s, const mat *S)
{
    long best = 0;
    for (long i = 1; i < S->rows; i++)
        if (order_sign(s, mat_sub(s, mat_entry(s, S, i, i), mat_entry(s, S, best, best)), 0, 0) > 0) best = i;
    return best;
}

/* s_ii >= s_ij for all j */
static void own_maximum(trial *t, const mat *S, long i)
{
    scope *s = &t->s;
    const mat *own = mat_mul(s, mat_entry(s, S, i, i), mat_ones(s, 1, S->rows));
    claim_order(t, "s_ii >= s_ij", mat_sub(s, own, mat_rows(s, S, i, 1)), AT_LEAST_ZERO);
}

typedef enum { GRAM, NEGATED, EXCHANGED } similarity;

static const mat *scores(trial *t, similarity which)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *Q = mat_mul(s, X, M.at[0].Q);
    if (which == EXCHANGED) return mat_from_si(s, 3, 3, (long[]){ 0, 0, 1, 0, 1, 0, 1, 0, 0 });   /* X = I */
    return mat_mul(s, Q, mat_t(s, which == NEGATED ? mat_scale(s, -1, 0, Q) : Q));
}

static void inequality(trial *t, similarity which)
{
    scope *s = &t->s;
    const mat *S = scores(t, which);
    for (long i = 0; i < S->rows; i++) claim_order(t, "s_ii >= 0", mat_entry(s, S, i, i), AT_LEAST_ZERO);
    for (long i = 0; i < S->rows; i++)
        for (long j = 0; j < S->rows; j++) {
            const mat *square = mat_mul(s, mat_entry(s, S, i, j), mat_entry(s, S, i, j));
            const mat *gap = mat_sub(s, mat_mul(s, mat_entry(s, S, i, i), mat_entry(s, S, j, j)), square);
            claim_order(t, "s_ij^2 <= s_ii s_jj", gap, AT_LEAST_ZERO);
        }
    own_maximum(t, S, largest(s, S));
}

/* x_i = y U_i W^-1, U_i orthogonal: all s_ii = |y|^2.  Or with the tokens i y U_i W^-1. */
static void on_the_sphere(trial *t, bool stretched)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *back = mat_inv(s, M.at[0].Q), *y = mat_draw(s, "y", 1, M.s.d, 0), *x[3];
    for (long i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "U.%ld", stretched ? 0 : i);
        const mat *turned = mat_mul(s, y, mat_draw_orthogonal(s, name, M.s.d));
        x[i] = mat_mul(s, mat_scale(s, stretched ? i + 1 : 1, 0, turned), back);
    }
    if (!stretched) claim_differs(t, "x_1 and x_2", x[0], x[1]);
    const mat *Q = mat_mul(s, mat_vcat(s, 3, x), M.at[0].Q), *S = mat_mul(s, Q, mat_t(s, Q));
    for (long i = 0; i < 3; i++) own_maximum(t, S, i);
}

static void lagrange(trial *t)  { identity(t, false); }
static void own_key(trial *t)   { identity(t, true); }
static void cauchy(trial *t)    { inequality(t, GRAM); }
static void negated(trial *t)   { inequality(t, NEGATED); }
static void exchanged(trial *t) { inequality(t, EXCHANGED); }
static void sphere(trial *t)    { on_the_sphere(t, false); }
static void stretched(trial *t) { on_the_sphere(t, true); }

static const control of_identity[] = { { "own-key", own_key, "$W_K \\ne W_Q$" } };
static const control of_order[] = {
    { "negated",   negated,   "$W_K = -W_Q$: symmetric, but $s_{ii} < 0$" },
    { "exchanged", exchanged, "three unit tokens and a mirrored $W_{QK}$ that exchanges coordinates: $s_{13} = 1$, "
                               "$s_{11} = 0$" },
};
static const control of_sphere[] = { { "stretched", stretched, "tokens $y$, $2y$, $3y$: not on one sphere" } };
#define ONLY_Q .no_large = true, .no_minimal = true, RATIONALS_ONLY("order is decided exactly")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = witness, ONLY_Q, .certifies = true,
      .quantity = "W_{QK}", .shown_by = "x W_QK x' < 0",
      .statement = "the mirrored $W_{QK} = ((1,2),(2,1))$ is symmetric, and $x = (1,-1)$ has "
                   "$xW_{QK}x^\\top = -2 < 0$; $W_Q = W_K = I$, $x_1 = (1,0)$, $x_2 = (2,0)$: "
                   "$s_{11} = 1 < s_{12} = 2$",
      .basis = "witness: three tokens" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = lagrange, .no_large = true,
      .statement = "$W_Q = W_K = W$: $|uW|^2 = s_{jj}(s_{ii}s_{jj} - s_{ij}^2)$, $u = s_{jj}x_i - s_{ij}x_j$",
      .without = "sym", .why_without = "sym does not know that numbers commute",
      CONTROLS(of_identity) },
    { .name = "corrected-order", .kind = PART_IDENTITY, .run = cauchy, ONLY_Q,
      .statement = "so $s_{ii} \\ge 0$, $s_{ij}^2 \\le s_{ii}s_{jj}$, and the token of largest $s_{ii}$ has "
                   "$s_{ii} \\ge s_{ij}$ for all $j$",
      .by_proof = "the Cauchy-Schwarz inequality", .basis = "exact instances",
      CONTROLS(of_order) },
    { .name = "corrected-equal", .kind = PART_IDENTITY, .run = sphere, ONLY_Q,
      .statement = "if all $s_{ii}$ are equal, every token has $s_{ii} \\ge s_{ij}$ for all $j$",
      .by_proof = "the Cauchy-Schwarz inequality", .basis = "exact instances",
      CONTROLS(of_sphere) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 7", "This improvement may be reached by excluding undesirable freedoms, such as a "
      "token being dissimilar to itself." },
    { TEXT_002, "Section 5", "The vector $x_{si}$ is also not the most similar to itself. The matrix product "
      "$W_{sh}^Q W_{sh}^{KT}$ is generally not positive definite, so it is not even guaranteed that the "
      "similarity of $x_{si}$ to itself is positive." },
};
static const claim B_26 = {
    .id = "B-26", .title = "symmetry excludes dissimilarity to itself", .where = "002 Sections 5 and 7",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "corrected: one head, $W_Q = W_K$",
    .construction = "$u = s_{jj}x_i - s_{ij}x_j$",
    .why = "A matrix mirrored over its diagonal, the third form of symmetry in Section 5, allows a token to be "
           "dissimilar to itself.  With $W_Q = W_K$, which the experiments use, and with $TT^\\top$ a similarity is "
           "an inner product, so it is not.  The other complaint of Section 5 is not met by $W_Q = W_K$: a token "
           "can be more similar to a longer one in the same direction, $(1,0)$ to $(2,0)$.  It is certain to be the "
           "most similar to itself only if no token has a larger $|xW|$.",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-22 B-23",
};
THEOREM_PROGRAM(B_26)
