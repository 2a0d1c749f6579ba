/* n12.c - N12, which singular query matrices can be made the identity.
 *
 * Statement.  Let A_a = W_Q^a W_K^a' be the score form of head a and U_a = im A_a.  All forms of a layer can
 * be had with W~_Q = I in some basis Theta in GL(d) iff U_1, ..., U_h are linearly independent, that is,
 * dim (U_1 + .. + U_h) = dim U_1 + .. + dim U_h.  W_Q in GL(d) is enough and not necessary: a W_Q of
 * rank d - 1 may qualify (one head of rank dk - 1) or not (two heads that share a direction).
 *
 * Construction (if).  Theta_a = (a basis of U_a | anything), dk columns each, so that Theta = (Theta_1 | ..
 * | Theta_h) is invertible: possible iff the U_a are independent.  Then
 *     Q~ = I,   K~^a = Theta^-1 K^a (E_a' Theta^-1 Q^a)',   the rest as in K-T4.4.
 *
 * Why it works.  Theta E_a E_a' Theta^-1 projects onto the span of Theta_a, hence fixes A_a, and the scores
 * X Theta E_a K~^a' Theta' X' are X A_a X'.  Conversely (only if) the forms of any reduced layer with
 * W~_Q = I, written in a basis Theta, are A_a = Theta E_a C_a, so Pi_b = Theta E_b E_b' Theta^-1 fixes A_b
 * and kills the others: sum_a A_a Z_a = 0 implies each A_b Z_b = 0, the spaces are independent.  That a
 * model with the same function has the same forms, up to a basis, is by the ledger's proof (poles of the
 * softmax), not by a program: here forms are compared, and whole models where they are equal.           */
#include "src/certificate.h"

static void attention_skip_only(shape *sh)
{
    sh->attn_skip = true;
    sh->mlp_skip = false;
    sh->norm = NORM_NONE;
    if (sh->h > 1) return;
    sh->h = sh->h_kv = sh->dk = sh->scale_den = 2;        /* one space alone is independent: K-P4.1 */
    sh->d = 4;
}

static const mat *weight(scope *s, const char *what, long i, long a, long rows, long cols)
{
    char name[32];
    snprintf(name, sizeof name, "%s.%ld.%ld", what, i, a);
    return mat_draw(s, name, rows, cols, log2_fan_in(rows));
}

static const mat *head_of(scope *s, const model *M, const mat *W, long a)
{
    return mat_cols(s, W, a * M->s.dk, M->s.dk);
}

static const mat *form(scope *s, const model *M, long i, long a)                          /* A_a of layer i */
{
    return mat_mul(s, head_of(s, M, M->at[i].Q, a), mat_t(s, head_of(s, M, M->at[i].K, a)));
}

/* ---- if -------------------------------------------------------------------------------------------- */

typedef enum { KNOWN, FOUND, MISSED } choice;

/* Every layer reduced in its own basis; the last basis is I.  Where the basis was found, the coordinates C_a
 * of a head have no part in its scores, and the entries of Q~ there are free: they are not for `minimal`. */
static void reduce_and_compare(trial *t, const model *M, basis at[], choice how)
{
    scope *s = &t->s;
    const long L = M->s.L, dk = M->s.dk;
    at[2 * L] = basis_identity(s, M->s.d);
    model R = gauge_stream(s, M, at);
    for (long i = 0; i < L; i++) {
        const mat *K[MAX_HEADS];
        for (long a = 0; a < M->s.h; a++) {
            const mat *seen = mat_rows(s, head_of(s, M, R.at[i].Q, a), a * dk, dk);    /* E_a' Theta^-1 Q^a */
            K[a] = mat_mul(s, head_of(s, M, R.at[i].K, a), mat_t(s, seen));
        }
        R.at[i].K = mat_hcat(s, M->s.h, K);
        R.at[i].Q = mat_identity(s, M->s.d);
    }
    if (how == FOUND) claim_reduced(t, 3, (const mat **const[]){ &R.P, &R.at[0].V, &R.at[0].O });
    claim_same_function(t, M, &R);
    claim_step(t, M, &R, 0, at[0], at[2]);
}

/* Independent U_a of dimension dk, but dk - 1 in one head: W_Q^a = T_a g_a, as every such W_Q is.  The basis
 * is the T of the plan, or one found from the forms alone, (A_a R_a | C_a) with random R_a, C_a, or neither. */
static void independent_spaces(trial *t, choice how)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long d = M.s.d, dk = M.s.dk, h = M.s.h;
    basis at[2 * MAX_LAYERS + 1];
    for (long i = 0; i < M.s.L; i++) {
        const mat *Q[MAX_HEADS], *span[2 * MAX_HEADS], *T = weight(s, "T", i, 0, d, d);
        long n = 0;
        for (long a = 0; a < h; a++) {
            const long r = a == i % h && dk > 1 ? dk - 1 : dk;
            const mat *g = mat_mul(s, weight(s, "g", i, a, dk, r), weight(s, "g'", i, a, r, dk));
            Q[a] = mat_mul(s, head_of(s, &M, T, a), g);
            const mat *A = mat_mul(s, Q[a], mat_t(s, head_of(s, &M, M.at[i].K, a)));
            span[n++] = mat_mul(s, A, weight(s, "R", i, a, d, r));
            if (r < dk) span[n++] = weight(s, "C", i, a, d, dk - r);
        }
        M.at[i].Q = mat_hcat(s, h, Q);
        if (mat_ranks(s) && dk > 1) claim_rank_at_most(t, "W_Q is singular", M.at[i].Q, d - 1);
        const mat *Theta = how == KNOWN ? T : how == FOUND ? mat_hcat(s, n, span) : weight(s, "T", i, 1, d, d);
        at[2 * i] = at[2 * i + 1] = basis_of(s, Theta);
    }
    reduce_and_compare(t, &M, at, how);
}

/* ---- only if --------------------------------------------------------------------------------------- */

/* Any model R with W_Q = I in layer 1, written in the basis Theta: its forms and the projections. */
static void projections(trial *t, bool reduced)
{
    scope *s = &t->s;
    model R = model_random(s, t->sh);
    const long d = R.s.d, dk = R.s.dk, h = R.s.h;
    const basis Theta = basis_of(s, weight(s, "Theta", 0, 0, d, d)), back = { Theta.from, Theta.to };
    if (reduced) R.at[0].Q = mat_identity(s, d);
    const model M = gauge_uniform(s, &R, back);
    claim_same_function(t, &R, &M);
    claim_step(t, &R, &M, 0, back, back);
    const mat *AZ[MAX_HEADS], *sum = mat_zero(s, d, d);
    for (long a = 0; a < h; a++) {
        AZ[a] = mat_mul(s, form(s, &M, 0, a), weight(s, "Z", 0, a, d, d));
        sum = mat_add(s, sum, AZ[a]);
    }
    for (long b = 0; b < h; b++)
        claim_equal(t, "Pi_b sum A_a Z_a = A_b Z_b", AZ[b],
                    mat_mul3(s, head_of(s, &M, Theta.to, b), mat_rows(s, Theta.from, b * dk, dk), sum));
}

/* By exact ranks: every U_a has dimension dk, their sum less than h dk. */
static void claim_dependent(trial *t, long h, const mat *const A[], long dk)
{
    for (long a = 0; a < h; a++) claim_rank(t, "dim U_a = dk", A[a], dk);
    claim_rank_at_most(t, "dim sum U_a < sum dim U_a", mat_hcat(&t->s, h, A), h * dk - 1);
}

/* W_Q^2 repeats the first `common` columns of W_Q^1. */
static void heads_share(trial *t, long common)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *A[MAX_HEADS], *Q[2] = { head_of(s, &M, M.at[0].Q, 0), head_of(s, &M, M.at[0].Q, 1) };
    for (long a = 0; a < M.s.h; a++) A[a] = form(s, &M, 0, a);
    if (common) {
        const mat *own = mat_cols(s, Q[1], common, M.s.dk - common);
        const mat *second = mat_hcat(s, 2, (const mat *const[]){ mat_cols(s, Q[0], 0, common), own });
        A[1] = mat_mul(s, second, mat_t(s, head_of(s, &M, M.at[0].K, 1)));
    }
    claim_dependent(t, M.s.h, A, M.s.dk);
}

/* Random heads with 1 .. dk - 1 common columns, and d = 2, h = 2, dk = 1, W_Q = (e1 | e1), W_K = I. */
static void dependent_spaces(trial *t)
{
    const mat *e11 = mat_from_si(&t->s, 2, 2, (long[]){ 1, 0, 0, 0 });
    heads_share(t, 1 + t->number % (t->sh.dk > 2 ? t->sh.dk - 1 : 1));
    claim_dependent(t, 2, (const mat *const[]){ e11, e11 }, 1);
    certify_matrix(t, "same-image", 2, (const given[]){ { "A_1", e11 }, { "A_2", e11 } }, 2,
                   (const char *const[]){ "A_1 = A_2", "A_1 != A_2 A_1 -" });
}

static void known(trial *t)   { independent_spaces(t, KNOWN); }
static void found(trial *t)   { independent_spaces(t, FOUND); }
static void only_if(trial *t) { projections(t, true); }

static void missed(trial *t)      { independent_spaces(t, MISSED); }
static void not_reduced(trial *t) { projections(t, false); }
static void no_sharing(trial *t)  { heads_share(t, 0); }

static const control bases[] = { { "U-missed", missed, "$U_a$ not in the span of $\\Theta_a$" } };
static const control forms[] = { { "not-reduced", not_reduced, "a layer whose $W_Q$ is not $I$ in this basis" } };
static const control ranks[] = { { "independent", no_sharing, "heads that share nothing" } };
#define IDENTITY(title, body, table) .name = "as-stated-" title, .kind = PART_IDENTITY, .run = body, \
    .no_large = true, .controls = table, .ncontrols = COUNT(table)
static const part parts[] = {
    { IDENTITY("if", known, bases),
      .statement = "if the $U_a$ are independent, so that $U_a$ is in the span of $T_a$ for some $T = (T_1|\\dots|T_h) "
                   "\\in \\mathrm{GL}(d)$, $\\tilde W_Q = I$ in every layer, though $W_Q$ has rank $d-1$",
      .assumes = "invertible T" },
    { IDENTITY("found", found, bases),
      .statement = "the same with $\\Theta_a = (A_aR_a\\,|\\,C_a)$ found from $A_a = W_Q^aW_K^{a\\top}$ alone",
      .without = "sym",
      .why_without = "no inverse of columns put together" },
    { IDENTITY("only", only_if, forms),
      .statement = "the forms of any layer with $\\tilde W_Q = I$, in any basis $\\Theta \\in \\mathrm{GL}(d)$, have "
                   "independent images: "
                   "$\\Pi_b\\sum_a A_aZ_a = A_bZ_b$ for all $Z_a$",
      .assumes = "invertible Theta",
      .by_proof = "equal functions have equal forms", .basis = "the rest by program" },
    { IDENTITY("not", dependent_spaces, ranks), .certifies = true, .no_minimal = true,
      .statement = "heads that share a direction: $\\dim\\sum_a U_a < \\sum_a\\dim U_a$, no reduced "
                   "layer has these forms",
      .basis = "exact ranks; that no reduced layer has these forms is as-stated-only",
      .without = "f64 mpfr arb fp sym",
      .why_without = "q decides ranks exactly; fp only without an error bound" },
};
static const claim N12 = {
    .id = "N12", .title = "which singular query matrices can be eliminated",
    .where = "new; completes 003 Theorem 4.4",
    .hypotheses = "no normalization; skips around attention only; untied head; "
                  "$U_a = \\mathrm{im}(W_Q^aW_K^{a\\top})$",
    .construction = "$\\Theta = (\\Theta_1|\\dots|\\Theta_h) \\in \\mathrm{GL}(d)$ with $U_a$ in the span of "
                    "$\\Theta_a$: $\\tilde W_Q = I$, "
                    "$\\tilde W_K^a = \\Theta^{-1}W_K^a(E_a^\\top\\Theta^{-1}W_Q^a)^\\top$",
    .why = "In the basis $\\Theta$ head $a$ may use the coordinates of its own block only: the $U_a$ must be "
           "put into complementary blocks.",
    .prepare = attention_skip_only, .parts = parts, .nparts = COUNT(parts), .depends = "K-T4.4 K-P3.2",
};
THEOREM_PROGRAM(N12)
