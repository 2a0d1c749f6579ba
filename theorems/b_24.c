/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_24.c - B-24, T T' as a parametrization of symmetric matrices.
 *
 * Statement (Eq. 11).  W_QK = T T' with T lower triangular; "This amounts to the well-known Cholesky decomposition
 * of a symmetric matrix".
 *
 * What is true.  T T' is symmetric, and it is in Cholesky's form.
 *
 * What the sentence leaves out.  A symmetric matrix has such a form only if it is positive semidefinite: x T T' x' =
 * |x T|^2 >= 0.  diag(1, -1) is symmetric and has none.
 *
 * Corrected.  M = T T' for a lower triangular T if and only if M is positive semidefinite, T = L D^(1/2) from
 * M = L D L'.  If M is definite, T with positive diagonal is unique: from T T' the program gets T back.  So
 * Eq. 11 has the effect of W_Q = W_K with one head, not that of a mirrored matrix (B-23).                  */
#include "src/claim/certificate/certificate.h"
#include "src/claim/shapes.h"
#include "src/methods/order/ldl.h"
#include "src/model/stack.h"

/* Lower triangular, drawn; diagonal 1 + (drawn)^2 > 0. */
static const mat *triangular(scope *s, long N)
{
    const mat *A = mat_draw(s, "A", N, N, 0), *I = mat_identity(s, N);
    long *below = scope_alloc(s, (size_t)(N * N) * sizeof *below);
    for (long i = 0; i < N; i++) for (long j = 0; j < i; j++) below[i * N + j] = 1;
    const mat *diagonal = mat_add(s, I, mat_hadamard(s, I, mat_hadamard(s, A, A)));
    return mat_add(s, mat_hadamard(s, A, mat_from_si(s, N, N, below)), diagonal);
}

static void witness(trial *t)
{
    scope *s = &t->s;
    const mat *M = mat_from_si(s, 2, 2, (long[]){ 1, 0, 0, -1 }), *x = mat_from_si(s, 1, 2, (long[]){ 0, 1 });
    const mat *T = triangular(s, 2), *TT = mat_mul(s, T, mat_t(s, T)), *xT = mat_mul(s, x, T);
    claim_equal(t, "symmetric", M, mat_t(s, M));
    claim_equal(t, "x M x' = -1", mat_mul3(s, x, M, mat_t(s, x)), mat_from_si(s, 1, 1, (long[]){ -1 }));
    claim_equal(t, "x T T' x' = |x T|^2", mat_mul3(s, x, TT, mat_t(s, x)), mat_mul(s, xT, mat_t(s, xT)));
    claim_not_semidefinite(t, M);
    certify_matrix(t, NULL, 2, (const given[]){ { "M", M }, { "x", x } }, 2,
                   (const char *const[]){ "M = M '", "x M * x ' * < 0" });
}

/* T T' is symmetric; T A is not. */
static void symmetric_product(trial *t, bool by_itself)
{
    scope *s = &t->s;
    const mat *T = triangular(s, t->sh.d), *other = by_itself ? T : mat_draw(s, "other", t->sh.d, t->sh.d, 0);
    claim_reduced(t, 1, (const mat **[]){ &other });
    const mat *M = mat_mul(s, T, mat_t(s, other));
    claim_equal(t, "M = M'", M, mat_t(s, M));
}
static void symmetric(trial *t)    { symmetric_product(t, true); }
static void two_factors(trial *t)  { symmetric_product(t, false); }

/* T -> T T' = L D L' -> L D^(1/2) = T: L times the diagonal of T is T, and D is the square of that diagonal. */
static void back_again(trial *t, bool lower)
{
    scope *s = &t->s;
    const mat *T = triangular(s, t->sh.d), *diagonal = mat_hadamard(s, T, mat_identity(s, t->sh.d));
    const mat *M = lower ? mat_mul(s, T, mat_t(s, T)) : mat_mul(s, mat_t(s, T), T);
    const ldl f = ldl_of(s, M);
    if (f.is != HOLDS) { claim_decided(t, "T T' is positive semidefinite", false); return; }
    claim_order(t, "the diagonal of T is positive", mat_mul(s, diagonal, mat_ones(s, t->sh.d, 1)), ABOVE_ZERO);
    claim_equal(t, "T T' = L D L'", M, mat_mul3(s, f.L, f.D, mat_t(s, f.L)));
    claim_equal(t, "D = diag(T)^2", f.D, mat_mul(s, diagonal, diagonal));
    claim_equal(t, "L diag(T) = T", mat_mul(s, f.L, diagonal), T);
}

/* Every W W', of full rank or not, is some T T'. */
static void same_class(trial *t)
{
    scope *s = &t->s;
    const long N = t->sh.d;
    const mat *W = mat_draw(s, "W", N, N, 0), *w = mat_draw(s, "w", N, N > 1 ? N - 1 : 1, 0);
    claim_semidefinite(t, mat_mul(s, W, mat_t(s, W)));
    claim_semidefinite(t, mat_mul(s, w, mat_t(s, w)));
}

static void round_trip(trial *t) { back_again(t, true); same_class(t); }
static void upper(trial *t)      { back_again(t, false); }

static void mirrored(trial *t)
{
    scope *s = &t->s;
    const mat *A = mat_draw(s, "A", t->sh.d, t->sh.d, 0), *M = mat_add(s, A, mat_t(s, A));
    claim_semidefinite(t, mat_sub(s, M, mat_hadamard(s, M, mat_identity(s, t->sh.d))));
}

static const control of_symmetry[] = { { "two-factors", two_factors, "$TA^\\top$ with another $A$" } };
static const control controls[] = {
    { "transposed", upper,    "$T^\\top T$ in place of $TT^\\top$: not the same $T$ comes back" },
    { "mirrored",   mirrored, "a symmetric matrix of zero diagonal" },
};
#define ONLY_Q .no_large = true, .no_minimal = true, RATIONALS_ONLY("semidefiniteness is decided exactly")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = symmetric, .no_large = true,
      .statement = "$TT^\\top$ is symmetric", CONTROLS(of_symmetry) },
    { .name = "as-stated-sign", .kind = PART_GAP, .run = witness, .certifies = true, ONLY_Q,
      .quantity = "TT^\\top", .shown_by = "x M x' < 0",
      .statement = "$\\mathrm{diag}(1, -1)$ is symmetric and no $TT^\\top$: with $x = (0, 1)$ it has "
                   "$xMx^\\top = -1 < 0 \\le |xT|^2$",
      .basis = "witness: diag(1, -1)" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = round_trip, ONLY_Q,
      .statement = "$M = TT^\\top$ for a lower triangular $T$ if and only if $M$ is positive semidefinite; $T$ with "
                   "positive diagonal is unique if $M$ is definite",
      .by_proof = "$T = LD^{1/2}$", .basis = "exact instances",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Eq. (11)", "Another possibility is to parameterize a lower triangular matrix $T_s^{QK}$ and to "
      "multiply it by its transpose" },
    { TEXT_002, "Eq. (11)", "This amounts to the well-known *Cholesky decomposition* (Cholesky, 1924) of a "
      "symmetric matrix." },
};
static const claim B_24 = {
    .id = "B-24", .title = "the Cholesky form of a symmetric matrix", .where = "002 Eq. (11)",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$T$ lower triangular",
    .construction = "$M = LDL^\\top$, $T = LD^{1/2}$",
    .why = "Eq. (11) is Cholesky's form, and symmetric. What is left out is the sign: $xTT^\\top x^\\top = |xT|^2$ "
           "is never negative, so $TT^\\top$ reaches the positive semidefinite matrices and no others; a Cholesky "
           "program stops at $\\mathrm{diag}(1,-1)$, where it needs $\\sqrt{-1}$. Eq. (11) is therefore the class "
           "of $W_Q = W_K$, not that of a mirrored symmetric matrix one sentence before.",
    .assumes = "h = 1",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-22 B-23",
};
THEOREM_PROGRAM(B_24)
