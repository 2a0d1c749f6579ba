/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_23.c - B-23, a mirrored symmetric W_QK instead of W_Q = W_K.
 *
 * Statement (Section 5).  "In the single-head case, the same effect is reached by a symmetric matrix W_QK, with
 * identical parameters mirrored over the diagonal": the effect is that of W_Q = W_K, a similarity that is symmetric,
 * with half of the parameters.
 *
 * What is true.  M = M' makes S = X M X' symmetric.  Of N^2 parameters N(N+1)/2 remain (B-25).
 *
 * What the two do not share.  Section 7 counts "a token being dissimilar to itself" among the freedoms that symmetry
 * excludes (B-26).  W_Q = W_K excludes it, a mirrored matrix does not: diag(1, -1) is mirrored, and x = (0, 1) has
 * x M x' = -1, where x W W' x' = |x W|^2 >= 0 for every W.
 *
 * Corrected.  A mirrored M is some W W' if and only if it is positive semidefinite: M = L D L' with D >= 0 gives
 * W = L D^(1/2), and otherwise some x has x M x' < 0.  Both families have N(N+1)/2 dimensions (B-25); the first is
 * the cone in the second.                                                                                  */
#include "src/claim/certificate/certificate.h"
#include "src/claim/shapes.h"
#include "src/methods/order/ldl.h"
#include "src/model/stack.h"

static void witness(trial *t)
{
    scope *s = &t->s;
    const mat *M = mat_from_si(s, 2, 2, (long[]){ 1, 0, 0, -1 }), *x = mat_from_si(s, 1, 2, (long[]){ 0, 1 });
    const mat *W = mat_draw(s, "W", 2, 2, 0), *WW = mat_mul(s, W, mat_t(s, W)), *xW = mat_mul(s, x, W);
    claim_equal(t, "mirrored", M, mat_t(s, M));
    claim_equal(t, "x M x' = -1", mat_mul3(s, x, M, mat_t(s, x)), mat_from_si(s, 1, 1, (long[]){ -1 }));
    claim_equal(t, "x W W' x' = |x W|^2", mat_mul3(s, x, WW, mat_t(s, x)), mat_mul(s, xW, mat_t(s, xW)));
    claim_not_semidefinite(t, M);
    certify_matrix(t, NULL, 2, (const given[]){ { "M", M }, { "x", x } }, 2,
                   (const char *const[]){ "M = M '", "x M * x ' * < 0" });
}

static const mat *mirrored(scope *s, long N)                                  /* A + A' */
{
    const mat *A = mat_draw(s, "A", N, N, 0);
    return mat_add(s, A, mat_t(s, A));
}

static void symmetric_scores(trial *t, bool is_mirrored)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    const mat *M = is_mirrored ? mirrored(s, t->sh.d) : mat_draw(s, "A", t->sh.d, t->sh.d, 0);
    const mat *S = mat_mul3(s, X, M, mat_t(s, X));
    claim_equal(t, "S = S'", S, mat_t(s, S));
}
static void same_effect(trial *t)  { symmetric_scores(t, true); }
static void not_mirrored(trial *t) { symmetric_scores(t, false); }

/* W W' of every rank, and a drawn mirrored M: inside the cone with L, D, or outside with x. */
static void cone(trial *t)
{
    scope *s = &t->s;
    const long N = t->sh.d;
    for (long r = 1; r <= N; r++) {
        const mat *W = mat_draw_at(s, "W", r, -1, N, r, 0);
        claim_semidefinite(t, mat_mul(s, W, mat_t(s, W)));
    }
    const mat *M = mirrored(s, N);
    if (ldl_of(s, M).is == HOLDS) claim_semidefinite(t, M);
    else claim_not_semidefinite(t, M);
}

/* A zero diagonal, but not the zero matrix: never semidefinite. */
static void every_mirrored(trial *t)
{
    scope *s = &t->s;
    const mat *M = mirrored(s, t->sh.d);
    claim_semidefinite(t, mat_sub(s, M, mat_hadamard(s, M, mat_identity(s, t->sh.d))));
}

static void not_the_cone(trial *t)
{
    scope *s = &t->s;
    const mat *W = mat_draw(s, "W", t->sh.d, t->sh.d, 0);
    claim_not_semidefinite(t, mat_mul(s, W, mat_t(s, W)));
}

static const control of_symmetry[] = { { "not-mirrored", not_mirrored, "$W_{QK} \\ne W_{QK}^\\top$" } };
static const control controls[] = {
    { "every-mirrored", every_mirrored, "every mirrored matrix, too; here one of zero diagonal" },
    { "none",           not_the_cone,   "the conclusion negated: $WW^\\top$ is said to be none" },
};
#define ONLY_Q .no_large = true, .no_minimal = true, RATIONALS_ONLY("semidefiniteness is decided exactly")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = same_effect, .no_large = true, .no_minimal = true,
      .statement = "a mirrored $W_{QK}$ makes the similarity symmetric: $S = XW_{QK}X^\\top = S^\\top$",
      CONTROLS(of_symmetry) },
    { .name = "as-stated-sign", .kind = PART_BESIDE, .run = witness, .certifies = true, ONLY_Q,
      .quantity = "W_{QK}", .shown_by = "x M x' < 0",
      .statement = "$W_{QK} = \\mathrm{diag}(1, -1)$ is mirrored; $x = (0, 1)$ has similarity $-1$ to itself, but "
                   "$|xW|^2 \\ge 0$ under every $W_Q = W_K = W$",
      .basis = "witness: diag(1, -1)" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = cone, ONLY_Q,
      .statement = "a mirrored $M$ is $WW^\\top$ for some $W$ if and only if it is positive semidefinite",
      .by_proof = "$W = LD^{1/2}$, or $x^\\top M x < 0$ for some $x$", .basis = "exact instances",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 5", "In the single-head case, the same effect is reached by a symmetric matrix "
      "$W_s^{QK}$ , with identical parameters mirrored over the diagonal, i.e., $w_{sij}^{QK} = w_{sji}^{QK}$ ." },
};
static const quotation standing[] = {
    { TEXT_002, "Section 5", "The symmetry can be guaranteed by simply setting $W_{sh}^Q = W_{sh}^K$ . Then, "
      "half of the parameters dedicated to the query and key matrices can be economized." },
};
static const claim B_23 = {
    .id = "B-23", .title = "a mirrored symmetric matrix", .where = "002 Section 5",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "one head",
    .construction = "$M = LDL^\\top$, $W = LD^{1/2}$",
    .why = "Symmetry of the similarity, with half of the parameters, is reached either way, as the sentence says. The "
           "two ways differ in sign: $\\mathrm{diag}(1,-1)$ is mirrored, and the token $(0,1)$ is dissimilar to "
           "itself, which $W_Q = W_K$ excludes, since $xWW^\\top x^\\top = |xW|^2$. Mirroring gives all symmetric "
           "matrices, $W_Q = W_K$ the positive semidefinite ones; both have $N(N+1)/2$ free parameters.",
    .assumes = "h = 1",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-22",
};
THEOREM_PROGRAM(B_23)
