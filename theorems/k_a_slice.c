/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_a_slice.c - K-A-slice, the indices of the slice operator.
 *
 * Statement.  With m = a dk, p = (a + 1) dk and 0 < a < h, the slice P_[m,p], which sends
 * (x_1, .., x_d) to (x_m, .., x_p), cuts out the heads.
 *
 * Construction.  P_[m,p] is the d x (p - m + 1) matrix whose columns are the unit vectors m, .., p.
 *
 * A misprint.  Both ends are included, so the slice has dk + 1 entries; a takes h - 1 values, so
 * one head is missing; no slice begins before x_dk, so x_1, .., x_{dk-1} are in none; neighbours
 * share an entry.  P_a = P_[(a-1) dk + 1, a dk] with 1 <= a <= h, which the next sentence of the
 * papers uses, is right: (P_1 | .. | P_h) = I.  Nothing that follows depends on the slip.          */
#include "src/claim/certificate/certificate.h"
#include "src/claim/claim.h"

/* The slip shows for at least two heads of width at least two. */
static void two_by_two(shape *sh)
{
    if (sh->h < 2) sh->h = sh->h_kv = 2;
    if (sh->dk < 2) sh->dk = 2;
    sh->d = sh->h * sh->dk;
    sh->scale_den = sh->dk;
    sh->L = sh->m = sh->V = 1;
}

/* P_[m,p], numbered from 1, both ends included */
static const mat *slice(scope *s, long d, long m, long p)
{
    const long width = p - m + 1;
    REQUIRE(0 < m && m <= p && p <= d, "P_[%ld,%ld] of %ld", m, p, d);
    long *entry = scope_alloc(s, (size_t)(d * width) * sizeof *entry);
    for (long j = 0; j < width; j++) entry[(m - 1 + j) * width + j] = 1;
    return mat_from_si(s, d, width, entry);
}

/* Row vectors: what does each literal slice do to them? */
static void literal(trial *t)
{
    scope *s = &t->s;
    const long d = t->sh.d, h = t->sh.h, dk = t->sh.dk;
    const mat *x = mat_draw(s, "x", 1, d, 0), *before = NULL;
    const mat *first = mat_rows(s, mat_identity(s, d), 0, dk - 1);
    long slices = 0;
    bool too_wide = true;
    for (long a = 1; a < h; a++) {
        const mat *P = slice(s, d, a * dk, (a + 1) * dk), *xP = mat_mul(s, x, P);
        slices++;
        too_wide &= P->cols == dk + 1;
        claim_equal(t, "x_1 .. x_(dk-1) are in no slice", mat_mul(s, first, P), mat_zero(s, dk - 1, P->cols));
        const mat *O = mat_zero(s, dk - 1, P->cols);
        certify_matrix(t, "outside", 3, (const given[]){ { "first", first }, { "P", P }, { "O", O } }, 1,
                       (const char *const[]){ "first P * = O" });
        if (before)
            claim_equal(t, "neighbours share an entry", mat_cols(s, before, dk, 1), mat_cols(s, xP, 0, 1));
        before = xP;
    }
    claim_decided(t, "every slice has dk + 1 entries", too_wide);
    claim_decided(t, "there are h - 1 slices", slices == h - 1);
}

/* Compares the slices from (a - 1) dk + 1 + shift on, for the a where they exist, with the heads. */
static void heads(trial *t, long shift)
{
    scope *s = &t->s;
    const long d = t->sh.d, h = t->sh.h, dk = t->sh.dk;
    const mat *X = mat_draw(s, "X", t->sh.n, d, 0), *P[MAX_HEADS] = { NULL };
    for (long a = 1; a <= h; a++) {
        const long m = (a - 1) * dk + 1 + shift, p = m + dk - 1;
        if (m < 1 || p > d) continue;
        P[a - 1] = slice(s, d, m, p);
        claim_reduced(t, 1, (const mat **[]){ &P[a - 1] });
        const mat *head = mat_cols(s, X, (a - 1) * dk, dk);
        claim_equal(t, "X P_a is the block of head a", mat_mul(s, X, P[a - 1]), head);
    }
    if (shift == 0) claim_equal(t, "(P_1 | .. | P_h) = I", mat_hcat(s, h, P), mat_identity(s, d));
}

static void corrected(trial *t)     { heads(t, 0); }
static void from_a_dk(trial *t)     { heads(t, t->sh.dk - 1); }
static void counts_from_0(trial *t) { heads(t, -1); }

static const control off[] = {
    { "from-a-dk",     from_a_dk,     "the papers' first index m = a dk, cut to dk entries" },
    { "counts-from-0", counts_from_0, "(a-1) dk to a dk - 1, counted from 0, in entries counted from 1" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_SLIP, .run = literal, .no_large = true, .no_minimal = true,
      .quantity = "(x_m, \\ldots, x_p)", .shown_by = "every slice has dk + 1 entries",
      .certifies = true,
      .statement = "$m = ad_k$, $p = (a+1)d_k$, $0 < a < h$: the $(x_m, \\ldots, x_p)$ are not the heads",
      .basis = "finite exact check of all slices", .without = "f64 mpfr arb sym",
      .why_without = "integers are compared exactly; size by size" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = corrected, .no_minimal = true, .models = "d = h d_k",
      .statement = "$m = (a-1)d_k+1$, $p = ad_k$, $1 \\le a \\le h$: the slices are the heads, and partition "
                   "the entries",
      CONTROLS(off) },
};
static const quotation quotes[] = {
    { TEXT_003, "Appendix A", "Let m, p be two integers such that $0 < m < p \\leq d_{\\text{model}}$, and in "
      "what follows, we will select them to be of the form $m = a \\times d_k, p = (a + 1) \\times d_k$ for $0 "
      "< a < h$. We define the slice operator as the canonical projection $P_{[m,p]} : "
      "\\mathbb{R}^{d_{\\text{model}}} \\ni x = (x_1, \\dots, x_{d_{\\text{model}}}) \\mapsto P_{[m,p]}(x) = "
      "xP_{[m,p]} = (x_m, x_{m+1}, \\dots, x_p)$, and we remind the reader that we consider vectors as row "
      "vectors here. For head i we write $P_i = P_{[(i-1) \\times d_k + 1, i \\times d_k]}$." },
    { TEXT_000, "Section 8.1", "Let be two integers such that , and in what follows, we will select them to be "
      "of the form , for . We define the slice operator as the canonical projection , and we remind the reader "
      "that we consider vectors as row vectors here. For the head we will write ." },
};
static const claim K_A_SLICE = {
    .id = "K-A-slice", .title = "slice operator indices",
    .where = "003 Appendix A; 000 Section 8.1",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$h \\ge 2$, $d_k \\ge 2$ (the slip shows there)",
    .construction = "$P_{[m,p]}$ has the unit vectors $m, \\ldots, p$ as columns",
    .why = "From $ad_k$ to $(a+1)d_k$ are $d_k+1$ entries, and the first head would need $a = 0$. With "
           "$m = (a-1)d_k+1$, $p = ad_k$ the slices stand side by side: $(P_1 | \\cdots | P_h) = I$.",
    .prepare = two_by_two, .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(K_A_SLICE)
