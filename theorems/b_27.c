/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_27.c - B-27, what a symmetric similarity makes of attention.  Not in the paper.
 *
 * Section 5 says of similarity that "a is equally similar to b as is b to a" can be restored by W_Q = W_K; it is so
 * (B-22).  Of the weights of attention it says nothing.  They are not symmetric, for a row of weights is divided by its
 * own sum: tokens 0 and 1 of width 1, W_Q = W_K = 1, have S = (0, 0; 0, 1), a_12 = 1/2, a_21 = 1/(1+e).
 *
 * What remains of symmetry.  A = D^-1 K with K = exp(S) symmetric and D = diag(K 1) is a reversible Markov chain:
 *     a_ij a_jk a_ki = a_ik a_kj a_ji,                                                (Kolmogorov)
 * for both sides are K_ij K_jk K_ki / (D_i D_j D_k).  Its spectrum is real, for D^(1/2) A D^(-1/2) is symmetric.
 * With W_Q = W_K, K is positive semidefinite as well (exp of a Gram matrix, entrywise, by Schur's product theorem),
 * so the spectrum lies in [0, 1]; with a mirrored W_QK it need not.  No attention of this kind runs around a cycle.
 * All tokens must be visible.
 *
 * The converse fails by a constant per row: reversible means t_ij + t_jk + t_ki = 0 for t_ij = s_ij - s_ji, hence
 * t_ij = c_i - c_j with c_i = t_i1, and S = symmetric + c 1'.
 *
 * Over fp and q, K is a random symmetric matrix (over q positive), or G G': more general than exp(S).           */
#include "src/claim/claim.h"
#include "src/methods/order/spectrum.h"
#include "src/methods/order/order.h"
#include "src/model/stack.h"

static void everything_visible(shape *sh)
{
    stack_single_head(sh);
    sh->mask = MASK_FULL;
}

static const mat *softmax(scope *s, const mat *S)
{
    const rowmap how = { .kind = ROWMAP_SOFTMAX, .scale_num = 1, .scale_den = 1 };
    return mat_rowmap(s, S, &how, (place){ 0, PLACE_ATTENTION, 0 });
}

static const mat *by_row_sums(scope *s, const mat *K)                              /* diag(K 1)^-1 K */
{
    const mat *one = mat_ones(s, K->rows, 1), *sums = mat_mul(s, mat_mul(s, K, one), mat_t(s, one));
    return mat_mul(s, mat_inv(s, mat_hadamard(s, sums, mat_identity(s, K->rows))), K);
}

static const mat *positive(scope *s, const char *name, long n)                     /* 1 + (drawn)^2, entrywise */
{
    const mat *D = mat_draw(s, name, n, n, 0);
    return mat_add(s, mat_ones(s, n, n), mat_hadamard(s, D, D));
}

/* C_ij = 1 for j = i + 1 modulo n */
static const mat *cycle(scope *s, long n)
{
    long *c = scope_alloc(s, (size_t)(n * n) * sizeof *c);
    for (long i = 0; i < n; i++) c[i * n + (i + 1) % n] = 1;
    return mat_from_si(s, n, n, c);
}

typedef enum { MIRRORED, GRAM, NEGATED_GRAM, ASYMMETRIC, CYCLE } similarity;

/* The weights of one layer: softmax of scores, or D^-1 K with another K than exp(S). */
static const mat *weights(trial *t, similarity which)
{
    scope *s = &t->s;
    const long n = t->sh.n;
    if (claim_over(t, OVER_EXACT)) {
        const mat *P = positive(s, "P", n), *Pt = mat_t(s, P);
        const mat *I = mat_identity(s, n), *far = mat_sub(s, mat_ones(s, n, n), I);
        switch (which) {
        case MIRRORED:     return by_row_sums(s, mat_add(s, P, Pt));
        case GRAM:         return by_row_sums(s, mat_mul(s, P, Pt));
        case NEGATED_GRAM: return by_row_sums(s, mat_add(s, far, mat_scale(s, 1, -4, I)));
        case ASYMMETRIC:   return by_row_sums(s, P);
        case CYCLE:        return by_row_sums(s, mat_add(s, mat_ones(s, n, n), mat_scale(s, 99, 0, cycle(s, n))));
        }
    }
    if (which == CYCLE) return softmax(s, mat_scale(s, 4, 0, cycle(s, n)));
    const mat *X = mat_draw(s, "X", n, t->sh.d, -1), *W = mat_draw_weight(s, "W", t->sh.d, t->sh.d);
    const mat *Wt = mat_t(s, W);
    const mat *M = which == MIRRORED ? mat_add(s, W, Wt) : which == ASYMMETRIC ? W : mat_mul(s, W, Wt);
    const mat *S = mat_mul3(s, X, M, mat_t(s, X));
    return softmax(s, which == NEGATED_GRAM ? mat_scale(s, -1, 0, S) : S);
}

static void differ(trial *t, const mat *A)
{
    claim_differs(t, "a_12 and a_21", mat_entry(&t->s, A, 0, 1), mat_entry(&t->s, A, 1, 0));
}
static void own_row_sums(trial *t) { differ(t, weights(t, MIRRORED)); }

/* J + C + C' has one row sum, and gives symmetric weights. */
static void one_row_sum(trial *t)
{
    scope *s = &t->s;
    const mat *C = cycle(s, t->sh.n), *J = mat_ones(s, t->sh.n, t->sh.n);
    differ(t, by_row_sums(s, mat_add(s, J, mat_add(s, C, mat_t(s, C)))));
}

static void triangles(trial *t, similarity which)
{
    scope *s = &t->s;
    const mat *A = weights(t, which), *one = mat_ones(s, A->rows, 1);
    claim_equal(t, "A 1 = 1", mat_mul(s, A, one), one);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < i; j++)
            for (long k = 0; k < j; k++) {
                const mat *there = mat_mul3(s, mat_entry(s, A, i, j), mat_entry(s, A, j, k), mat_entry(s, A, k, i));
                claim_equal(t, "a_ij a_jk a_ki = a_ik a_kj a_ji", there,
                            mat_mul3(s, mat_entry(s, A, i, k), mat_entry(s, A, k, j), mat_entry(s, A, j, i)));
            }
}

static void reversible(trial *t)      { triangles(t, MIRRORED); }
static void asymmetric(trial *t)      { triangles(t, ASYMMETRIC); }
static void around(trial *t)          { triangles(t, CYCLE); }
static void real_spectrum(trial *t)   { claim_real_spectrum(t, weights(t, MIRRORED)); }
static void cycle_spectrum(trial *t)  { claim_real_spectrum(t, weights(t, CYCLE)); }
static void gram_spectrum(trial *t)   { claim_unit_spectrum(t, weights(t, GRAM)); }
static void negated_gram(trial *t)    { claim_unit_spectrum(t, weights(t, NEGATED_GRAM)); }
static void cycle_in_unit(trial *t)   { claim_unit_spectrum(t, weights(t, CYCLE)); }

static const control of_weights[] = { { "one-row-sum", one_row_sum, "similarities whose rows have the same sum" } };
static const control of_chain[] = {
    { "asymmetric", asymmetric, "$W_QW_K^\\top$ not symmetric" },
    { "cycle",      around,     "attention that runs around a cycle" },
};
static const control of_real[] = { { "cycle", cycle_spectrum, "attention that runs around a cycle" } };
static const control of_unit[] = {
    { "mirrored", negated_gram,  "a mirrored $W_{QK}$ that is not positive: a negative eigenvalue" },
    { "cycle",    cycle_in_unit, "attention that runs around a cycle" },
};
#define SPECTRUM .no_large = true, .no_minimal = true, .without = "f64 mpfr fp sym", \
    .why_without = "eigenvalues are enclosed in balls, or counted by Sturm's theorem"
static const part parts[] = {
    { .name = "as-stated-weights-asymmetric", .kind = PART_IDENTITY, .run = own_row_sums, .no_large = true,
      .no_minimal = true,
      .statement = "symmetric $S$: $a_{12} \\ne a_{21}$ in general", .basis = "exact instances",
      .without = "f64 mpfr fp sym", .why_without = "that numbers differ is decided exactly or in balls",
      CONTROLS(of_weights) },
    { .name = "as-stated", .kind = PART_IDENTITY, .run = reversible, .no_large = true, .no_minimal = true,
      .statement = "symmetric $S$: $a_{ij}a_{jk}a_{ki} = a_{ik}a_{kj}a_{ji}$, a reversible Markov chain",
      .without = "sym", .why_without = "it does not know that numbers commute",
      CONTROLS(of_chain) },
    { .name = "as-stated-real", .kind = PART_IDENTITY, .run = real_spectrum, SPECTRUM,
      .statement = "symmetric $S$: all eigenvalues of $A$ are real",
      .by_proof = "similar to a symmetric matrix", .basis = "enclosed instances",
      CONTROLS(of_real) },
    { .name = "as-stated-unit", .kind = PART_IDENTITY, .run = gram_spectrum, SPECTRUM,
      .statement = "$W_Q = W_K$: they lie in $[0, 1]$",
      .by_proof = "Schur's product theorem", .basis = "enclosed instances",
      CONTROLS(of_unit) },
};
static const claim B_27 = {
    .id = "B-27", .title = "attention under a symmetric similarity", .where = "not in the papers; beside 002 Section 5",
    .hypotheses = "one head; all tokens visible",
    .construction = "$A = D^{-1}K$, $K = \\exp(S)$ entrywise, $D = \\mathrm{diag}(K\\mathbf{1})$",
    .why = "The paper speaks of the similarity, which $W_Q = W_K$ makes symmetric. Weights are another matter: each "
           "row is divided by its own sum, so token 0 gives token 1 half of its attention and gets $1/(1+e)$ back. "
           "What is left of symmetry is detailed balance, $D_ia_{ij} = D_ja_{ji}$; it makes the spectrum real, and "
           "excludes attention that runs around a cycle. So symmetric similarity is a restriction of what attention "
           "can express, not only of its parameters.",
    .prepare = everything_visible, .parts = parts, .nparts = COUNT(parts), .depends = "B-22 B-23",
};
THEOREM_PROGRAM(B_27)
