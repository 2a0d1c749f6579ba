/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_rope.c - K-X-rope, rotary positions and the Reparametrization Lemma.
 *
 * Statement.  "fixed rotations satisfy the condition of the Reparametrization Lemma": with RoPE, Theorems
 * 4.2, 4.3 and 4.4 hold as they are.
 *
 * Construction.  As in the theorems; the rotations are not touched.
 *
 * Why it works.  The rotation R_t of token t acts on x_t W_Q^a and x_t W_K^a, behind the projections:
 * attention is g(X W_Q, X W_K, X W_V) with another g (Observation 3.1).  Theta acts before the
 * projections and is gone when R_t comes.
 *
 * What does not survive are the statements about the pair W_Q, W_K.  In the scores x_i W_Q^a R_i R_j' W_K^a' x_j' a
 * block D_a of Proposition 3.2 stands on the other side of the rotations: it must commute with all R_t.
 * With distinct frequencies these D_a are exactly the matrices of blocks (a, b; -b, a), dk real
 * numbers instead of dk^2: D R = R D says that the 2x2 blocks B of D satisfy B R(p) = R(q) B, which forces
 * B = 0 where the angles p, q of the two pairs are not equal up to sign (spectra e^{+-ip}, e^{+-iq}), and
 * B in C where they are the same pair.  Proposition 4.1 fails likewise (controls of K-P4.1), but its half
 * about W_V and W_O stays.
 *
 * The last part decides the commutant: the matrix of D -> D R - R D (dk^2 x dk^2) has rank dk^2 - dk, for a
 * rational rotation with different angles, exactly.                                                      */
#include "src/claim/reduce.h"

static void one_layer(shape *sh)      { reduce_switches(sh, ONE_LAYER);      sh->rope = true; }
static void shared_block(shape *sh)   { reduce_switches(sh, SHARED_BLOCK);   sh->rope = true; }
static void attention_skip(shape *sh) { reduce_switches(sh, ATTENTION_SKIP); sh->rope = true; }

static void wide_heads(shape *sh)                        /* three pairs of columns, or two */
{
    one_layer(sh);
    sh->h = sh->h_kv = 1;
    sh->d = sh->dk = sh->scale_den = sh->d > 4 ? 6 : 4;
}

/* ---- the lemma: S(X Theta, Theta^-1 W) = S(X, W) for every Theta ------------------------------------------ */

typedef enum { BEHIND, BEFORE } turned;                  /* rotations behind or before the projections */

static void any_theta(trial *t, turned where)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const basis Theta = gauge_basis(s, mat_draw_weight(s, "Theta", M.s.d, M.s.d));
    model R = gauge_uniform(s, &M, Theta);
    layer *W = &R.at[0];
    claim_reduced(t, 3, (const mat **const[]){ &W->Q, &W->K, &W->V });
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *Y = mat_mul(s, X, Theta.to);
    if (where == BEFORE) {
        M.s.rope = R.s.rope = false;
        X = mat_rotate(s, X);
        Y = mat_rotate(s, Y);
    }
    claim_equal(t, "self-attention", model_self_attention(s, &M, 0, X), model_self_attention(s, &R, 0, Y));
}

/* ---- the commutant of the rotations ------------------------------------------------------------------------ */

/* A (x) B: block (i, j) is A_ij B. */
static const mat *kronecker(scope *s, const mat *A, const mat *B)
{
    const mat **row = scope_alloc(s, (size_t)A->rows * sizeof *row), *ones = mat_ones(s, B->rows, 1);
    const mat **at = scope_alloc(s, (size_t)A->cols * sizeof *at);
    for (long i = 0; i < A->rows; i++) {
        for (long j = 0; j < A->cols; j++) at[j] = mat_scale_rows(s, mat_mul(s, ones, mat_entry(s, A, i, j)), B);
        row[i] = mat_hcat(s, A->cols, at);
    }
    return mat_vcat(s, A->rows, row);
}

/* R_1 of width dk: row 1 of a rotated matrix with rows 0, e_j is e_j R_1. */
static const mat *rotation(scope *s, long dk)
{
    const mat **row = scope_alloc(s, (size_t)dk * sizeof *row), *I = mat_identity(s, dk), *zero = mat_zero(s, 1, dk);
    for (long j = 0; j < dk; j++) {
        const mat *both = mat_vcat(s, 2, (const mat *const[]){ zero, mat_rows(s, I, j, 1) });
        row[j] = mat_rows(s, mat_rotate(s, both), 1, 1);
    }
    return mat_vcat(s, dk, row);
}

static void commutant(trial *t, bool distinct)
{
    scope *s = &t->s;
    const long dk = t->sh.dk;
    const mat *R = rotation(s, dk), *I = mat_identity(s, dk);
    if (!distinct) R = kronecker(s, mat_identity(s, dk / 2), rotation(s, 2));
    claim_equal(t, "R is orthogonal", mat_mul(s, R, mat_t(s, R)), I);
    const mat *C = mat_sub(s, kronecker(s, I, R), kronecker(s, mat_t(s, R), I));
    const mat *D = mat_draw(s, "D", dk, dk, 0), *bracket = mat_sub(s, mat_mul(s, D, R), mat_mul(s, R, D));
    claim_equal(t, "C is the matrix of D -> D R - R D", mat_mul(s, mat_as_row(s, D), C), mat_as_row(s, bracket));
    claim_rank(t, "only dk dimensions of D commute with R", C, dk * dk - dk);
}

static void behind(trial *t)   { any_theta(t, BEHIND); }
static void before(trial *t)   { any_theta(t, BEFORE); }
static void distinct(trial *t) { commutant(t, true); }
static void equal_angles(trial *t) { commutant(t, false); }

static void query_kept(trial *t)
{
    model_pair r = reduce_by_table(t);
    r.R.at[0].Q = r.M.at[0].Q;
    claim_same_function(t, &r.M, &r.R);
}

static void turned_layer(trial *t)
{
    model_pair r = reduce_by_table(t);
    reduce_turn_queries_and_keys(&t->s, &r.R.s, &r.R.at[1]);
    claim_same_function(t, &r.M, &r.R);
}

static const control lemma[] = {
    { "rotated-stream", before, "the rotation acts on the stream, before the projections" },
};
static const control kept[]   = { { "query-kept", query_kept, "$\\tilde W_Q = W_Q$ instead of $I$" } };
static const control both[] = {
    { "query-kept",      query_kept,   "$\\tilde W_Q = W_Q$ instead of $I$" },
    { "D-not-commuting", turned_layer, "$W_QD$ and $W_KD^{-\\top}$ in a layer: rotations stand between them" } };
static const control angles[] = { { "equal-angles", equal_angles, "all pairs turn by the same angle" } };
static const part parts[] = {
    REDUCED_PART("as-stated", behind, one_layer, .assumes = "invertible Theta",
                 .statement = "with RoPE $\\mathcal S(X\\Theta, \\Theta^{-1}W_Q, \\Theta^{-1}W_K, \\Theta^{-1}W_V) = "
                     "\\mathcal S(X, W_Q, W_K, W_V)$ for every $\\Theta \\in \\mathrm{GL}(d)$",
        CONTROLS(lemma)),
    INDUCTIVE_PART("as-stated-theorem-4.2", reduction_one_layer, one_layer, .models = "norm = none; tied = 0",
                   .assumes = "invertible W_Q",
                 .statement = "Theorem 4.2 with RoPE",
                 CONTROLS(kept)),
    INDUCTIVE_PART("as-stated-theorem-4.3", reduction_shared_block, shared_block,
                   .models = "norm = none; shared = 1; tied = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(both), .statement = "Theorem 4.3 with RoPE"),
    INDUCTIVE_PART("as-stated-theorem-4.4", reduction_attention_skip, attention_skip,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(both), .statement = "Theorem 4.4 with RoPE"),
    REDUCED_PART("corrected-commuting", distinct, wide_heads, .no_minimal = true,
        .statement = "what is left of Proposition 3.2: the $D_a$ that commute with the rotations form a space of "
                     "dimension $d_k$, not $d_k^2$ (they are the blocks $(a, b; -b, a)$ of K-P3.2, corrected-rope)",
        .basis = "rank of $D \\mapsto DR - RD$, for rational rotations", CONTROLS(angles),
        .without = "f64 mpfr arb fp sym", .why_without = "q decides ranks exactly"),
};
static const quotation quotes[] = {
    { TEXT_001, "Section 7", "The results extend naturally to Grouped-Query Attention, Mixture-of-Experts, and "
      "RoPE (except Section 4.1)" },
    { TEXT_003, "Section 6", "(fixed rotations satisfy the condition of the Reparametrization Lemma 3.1)" },
    { TEXT_000, "Section 6", "(fixed rotations satisfy the condition of the Reparametrization Lemma)" },
};
static const quotation standing[] = {
    MECHANISM_EXTENDS,
};
static const claim K_X_ROPE = {
    .id = "K-X-rope", .title = "rotary positions", .where = "001 Sections 6 and 7; 003 Section 6; 000 Section 6",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "as Theorems 4.2, 4.3, 4.4, the $W_Q$ that become $I$ in $\\mathrm{GL}(d)$; queries and keys are "
                  "rotated by position",
    .construction = "as in the theorems; the rotations stay as they are",
    .why = "The rotations act behind the projections, so attention is still a function of $XW_Q$, $XW_K$, $XW_V$.  "
           "Statements about the pair $(W_Q, W_K)$ do not survive: in the scores $x_iW_Q^aR_iR_j^\\top "
           "W_K^{a\\top}x_j^\\top$ the rotations stand between the two, so Proposition 3.2 keeps only $D_a$ that "
           "commute with them, and Proposition 4.1 keeps only its half about $W_VW_O$.",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-O3.1 K-L3.1 K-T4.2 K-T4.3 K-T4.4",
};
THEOREM_PROGRAM(K_X_ROPE)
