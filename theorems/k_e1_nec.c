/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_e1_nec.c - K-E1-nec, Theorem E.1, necessity: without a set J the skip cannot be absorbed.
 *
 * Statement.  Columns of height h >= 2, W1 (m x h), W2 (h x m), m = 4h, both of rank h, no zero row or collinear
 * rows in W1, no zero column in W2.  If W2 ReLU(W1 x) + x = V2 ReLU(V1 x) for all x, with V1, V2 of the same
 * shapes, then W2[:,J] W1[J,:] = -I for some J, and |J| >= h.
 *
 * Why it is true.  Equal functions have equal canonical forms sum_k c_k |u_k.x| + L x (relu.h).  The left
 * side has m kinks u_k, one per neuron, since the rows are not collinear and the columns not zero; so V has one
 * neuron per kink, and that is 2 c_k ReLU(s_k u_k.x) with a sign s_k.  Equal linear parts mean
 *     I + 1/2 W2 W1 = sum_k s_k c_k u_k',     where 1/2 w2_k w1_k = e_k c_k u_k', e_k the sign of W1's row,
 * and J = {k : s_k != e_k} fulfils the equation.  Its left side has rank at most |J|, so |J| >= h.  The ranks
 * of W1, W2 and h >= 2 follow or are not used.
 *
 * How it is decided, per instance.  The decision of relu_absorb.c (a linear system modulo a prime, its free
 * columns enumerated, the answer verified over Q) is compared with two brute forces: over all 2^m subsets J,
 * and over all 2^m sign patterns of the canonical form, each of which is a V.  Generic instances have no J;
 * the certificate is a matrix Y with <Y, w2_j w1_j> = 0 for all j and <Y, I> != 0, or the enumeration.     */
#include "src/claim/certificate/certificate.h"
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/methods/relu/relu.h"
#include "src/methods/relu/relu_certificate.h"

enum { MOST_SIGNS = 12 };                                       /* 2^m canonical forms are compared up to here */

static const mat *minus_identity(scope *s, long h) { return mat_neg(s, mat_identity(s, h)); }

/* How many sign patterns (s_k) of V1 = diag(s) W1, V2 = W2, whose canonical form is that of the left side? */
static long count_signs(scope *s, const mat *W1, const mat *W2, const mat *Z)
{
    const long m = W1->rows;
    long count = 0;
    relu_net f = relu_net_of(W1, W2, Z);
    relu_form F = relu_form_of(&f);
    unsigned char *flip = scope_alloc(s, (size_t)m);
    for (uint64_t bits = 0; bits < (uint64_t)1 << m; bits++) {
        relu_net g = relu_net_of(W1, W2, NULL);
        for (long j = 0; j < m; j++) {
            flip[j] = bits >> j & 1;
            for (long l = 0; flip[j] && l < W1->cols; l++)
                fmpq_neg(fmpq_mat_entry(g.W1, j, l), fmpq_mat_entry(g.W1, j, l));
        }
        relu_form G = relu_form_of(&g);
        count += relu_form_equal(&F, &G);
        relu_form_clear(&G);
        relu_net_clear(&g);
    }
    relu_form_clear(&F);
    relu_net_clear(&f);
    return count;
}

typedef const mat *skip_of(scope *s, long h);

/* The decision about W2 ReLU(W1 x) + x, and brute force about the skip of `other`. */
static void compare(trial *t, const relu_weights *w, skip_of *other)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = w->W1->rows;
    const mat *Z = other(s, h);
    const long subsets = relu_count_subsets(w->W1, w->W2, mat_neg(s, Z));
    const truth is = relu_absorbable(w->W1, w->W2, mat_identity(s, h));
    claim_decided(t, "the decision is the brute force over J", is == (subsets ? HOLDS : REFUTED));
    if (m <= MOST_SIGNS && t->number == 0)
        claim_decided(t, "as many sign patterns as J", count_signs(s, w->W1, w->W2, Z) == subsets);
}

static void decide(trial *t, skip_of *other)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    for (long q = h; q <= m; q += (m - h + 2) / 3) {
        const relu_weights w = relu_planted(s, h, m, q, minus_identity(s, h));
        compare(t, &w, other);
    }
    const relu_weights generic = relu_planted(s, h, m, 0, NULL);
    compare(t, &generic, other);
}

/* <Y, w2_j w1_j> = 0 for all j and <Y, I> = -1, computed from the weights */
static bool certificate_holds(const absorption *a, const relu_net *f)
{
    bool good = true;
    fmpq_t sum, x;
    fmpq_init(sum);
    fmpq_init(x);
    for (long j = 0; j <= fmpq_mat_nrows(f->W1); j++) {
        const bool last = j == fmpq_mat_nrows(f->W1);
        fmpq_set_si(sum, last, 1);
        for (long i = 0; i < fmpq_mat_nrows(f->W2); i++)
            for (long l = 0; l < fmpq_mat_ncols(f->W1); l++) {
                if (last) fmpq_set_si(x, i == l, 1);
                else fmpq_mul(x, fmpq_mat_entry(f->W2, i, j), fmpq_mat_entry(f->W1, j, l));
                fmpq_addmul(sum, x, fmpq_mat_entry(a->y, i, l));
            }
        good = good && fmpq_is_zero(sum);
    }
    fmpq_clear(sum);
    fmpq_clear(x);
    return good;
}

/* No J: by Y where h^2 > m; else -I is in the span of the w2_j w1_j, and the free columns were enumerated. */
static void no_J(trial *t, long q)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const relu_weights w = relu_planted(s, h, m, q, minus_identity(s, h));
    relu_net f = relu_net_of(w.W1, w.W2, mat_identity(s, h));
    absorption a = relu_absorb(&f);
    claim_decided(t, "the conditions of E.1", a.regular);
    claim_decided(t, "no J", a.is == REFUTED);
    if (a.has_y) claim_decided(t, "Y kills all w2_j w1_j and not I", certificate_holds(&a, &f));
    else claim_decided(t, "none of all 2^m subsets", relu_count_subsets(w.W1, w.W2, minus_identity(s, h)) == 0);
    if (h * h > m) claim_decided(t, "there is a Y", a.has_y);
    certify_no_j(t, "generic", w.W1, w.W2, mat_identity(s, h));
    absorption_clear(&a);
    relu_net_clear(&f);
}

/* 2h zero columns: the skip fits into the spare neurons, x = ReLU(x) - ReLU(-x), though no J is there. */
static void zero_columns(trial *t)
{
    scope *s = &t->s;
    const long h = t->sh.d, m = t->sh.m;
    const relu_weights w = relu_planted(s, h, m, 0, NULL);
    relu_weights thin = { w.W1, NULL, NULL };
    thin.W2 = mat_hcat(s, 2, (const mat *const[]){ mat_cols(s, w.W2, 0, m - 2 * h), mat_zero(s, h, 2 * h) });
    compare(t, &thin, mat_identity);
}

static void decided(trial *t)  { decide(t, mat_identity); }
static void other(trial *t)    { decide(t, minus_identity); }
static void generic(trial *t)  { no_J(t, 0); }
static void planted(trial *t)  { no_J(t, t->sh.d); }

static const control wrong[] = {
    { "minus-x",      other,        "brute force looks for $W_2[:,J]W_1[J,:] = +I$, the skip $-x$" },
    { "zero-columns", zero_columns, "$2h$ columns of $W_2$ are zero: absorbable without any $J$" },
};
static const control has_J[] = { { "planted", planted, "weights with $W_2[:,J]W_1[J,:] = -I$" } };
static const shape_case shapes[] = {
    { .sh = { .n = 1, .d = 2, .h = 1, .m = 8, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 3, .h = 1, .m = 12, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 4, .h = 1, .m = 16, .V = 1, .L = 1 } },
    { .sh = { .n = 1, .d = 5, .h = 1, .m = 20, .V = 1, .L = 1 } },
};
#define ONLY_Q .no_large = true, .no_minimal = true, \
    RATIONALS_ONLY("existence is decided exactly over the rationals")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = decided, ONLY_Q,
      .statement = "absorbable if and only if some $J$ has $W_2[:,J]W_1[J,:] = -I$",
      .by_proof = "$V$ has one neuron per kink",
      .basis = "exact decision of instances, with which all 2^m subsets and all 2^m sign patterns agree",
      CONTROLS(wrong) },
    { .name = "as-stated-no-J", .kind = PART_IDENTITY, .run = generic, ONLY_Q, .certifies = true,
      .statement = "generic weights: there is no $J$",
      .basis = "certificate: Y, or enumeration", CONTROLS(has_J) },
};
static const quotation quotes[] = {
    ABSORPTION_THEOREM,
};
static const quotation standing[] = {
    VECTORS_ARE_COLUMNS,
};
static const claim K_E1_NEC = {
    .id = "K-E1-nec", .title = "residual-free representability: necessity",
    .where = "001 Theorem 8.3; 003 Theorem E.1; 000 Theorem 8.4",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "rows of $W_1$ not zero and pairwise not collinear; columns of $W_2$ not zero",
    .why = "Equal functions have the same kinks, even coefficients and linear part. With $m$ kinks and $m$ neurons, "
           "each neuron of $V$ is one of $W$ or that one turned over; those turned over are $J$.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-E1-suff",
};
THEOREM_PROGRAM(K_E1_NEC)
