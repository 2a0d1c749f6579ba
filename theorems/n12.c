/* SPDX-License-Identifier: GPL-3.0-or-later
 * n12.c - N12, which singular query matrices can be made the identity.
 *
 * Statement.  Let A_a = W_Q^a W_K^a' be the score form of head a and U_a = im A_a.  All forms of a layer can
 * be reached with W~_Q = I in some basis Theta in GL(d) iff U_1, ..., U_h are linearly independent, that is,
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
 * model with the same function has the same forms, up to a basis, no program shows, and where heads do not
 * matter (W_V^a W_O^a = 0) it is false: here forms are compared, and whole models where they are equal.           */
#include "src/claim/certificate/certificate.h"
#include "src/claim/reduce.h"

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
    return mat_draw_at(s, what, i, a, rows, cols, mat_log2_fan_in(rows));
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

/* Independent U_a of dimension dk, but dk - 1 in one head, which one is the layer's kind: W_Q^a = T_a g_a, as every
 * such W_Q is. */
static long rank_of(const layer_site *at, long a)
{
    return a == at->kind && at->sh.dk > 1 ? at->sh.dk - 1 : at->sh.dk;
}

static void plant_spaces(const layer_site *at, layer *W, const mat *T)
{
    scope *s = at->s;
    const long dk = at->sh.dk, h = at->sh.h;
    const mat *Q[MAX_HEADS];
    for (long a = 0; a < h; a++) {
        const long r = rank_of(at, a);
        const mat *g = mat_mul(s, induction_layer_draw(at, "g", a, dk, r), induction_layer_draw(at, "g'", a, r, dk));
        Q[a] = mat_mul(s, mat_cols(s, T, a * dk, dk), g);
    }
    W->Q = mat_hcat(s, h, Q);
}
static void in_known_basis(const layer_site *at, layer *W) { plant_spaces(at, W, at->in.to); }

static void in_some_basis(const layer_site *at, layer *W)
{
    plant_spaces(at, W, induction_layer_draw(at, "T", 0, at->sh.d, at->sh.d));
}

/* A basis found from the forms alone: (A_a R_a | C_a) with random R_a, C_a. */
static const mat *found_basis(const layer_site *at, const layer *W)
{
    scope *s = at->s;
    const long d = at->sh.d, dk = at->sh.dk;
    const mat *span[2 * MAX_HEADS];
    long n = 0;
    for (long a = 0; a < at->sh.h; a++) {
        const long r = rank_of(at, a);
        const mat *A = mat_mul(s, mat_cols(s, W->Q, a * dk, dk), mat_t(s, mat_cols(s, W->K, a * dk, dk)));
        span[n++] = mat_mul(s, A, induction_layer_draw(at, "R", a, d, r));
        if (r < dk) span[n++] = induction_layer_draw(at, "C", a, d, dk - r);
    }
    return mat_hcat(s, n, span);
}

static long one_for_each_head(const shape *sh)       { return sh->h; }
static long heads_in_turn(const shape *sh, long i)   { return i % sh->h; }
#define LAYER(...) { .name = "layer with independent U_a", __VA_ARGS__, .reduce = reduce_queries_into_keys }
#define FOUR(...)  LAYER(__VA_ARGS__), LAYER(__VA_ARGS__), LAYER(__VA_ARGS__), LAYER(__VA_ARGS__)
#define TABLE(...) \
    { .kinds = (const layer_kind[]){ FOUR(__VA_ARGS__), FOUR(__VA_ARGS__) }, .nkinds = 8, .bases = BASIS_EACH, \
      .count = one_for_each_head, .kind_of = heads_in_turn }
static const induction known_basis = TABLE(.plant = in_known_basis);
static const induction other_basis = TABLE(.plant = in_some_basis);
static const induction basis_found = TABLE(.plant = in_some_basis, .chooses = found_basis);

/* Where ranks are decided: no W_Q is invertible. */
static void claim_singular(trial *t)
{
    scope *s = &t->s;
    const model drawn = model_random(s, t->sh);
    const model_pair r = induction_build(s, &drawn, t->induction, 0);
    for (long i = 0; i < t->sh.L && mat_ranks(s) && t->sh.dk > 1; i++)
        claim_rank_at_most(t, "W_Q is singular", r.M.at[i].Q, t->sh.d - 1);
}

/* ---- only if --------------------------------------------------------------------------------------- */

/* Any model with W_Q = I in a layer, written in any basis: its forms there, and the projections. */
static void query_is_unit(const layer_site *at, layer *W) { W->Q = mat_identity(at->s, at->sh.d); }

static void claim_projections(trial *t, const layer_site *at, const layer *R)
{
    scope *s = &t->s;
    const long d = at->sh.d, dk = at->sh.dk, h = at->sh.h;
    model M = { .s = at->sh };
    const mat *AZ[MAX_HEADS], *sum = mat_zero(s, d, d);
    M.at[0] = *R;
    for (long a = 0; a < h; a++) {
        AZ[a] = mat_mul(s, form(s, &M, 0, a), induction_layer_draw(at, "Z", a, d, d));
        sum = mat_add(s, sum, AZ[a]);
    }
    for (long b = 0; b < h; b++)                          /* Theta_b is from, as R = Theta^-1 .. with `in` = Theta^-1 */
        claim_equal(t, "Pi_b sum A_a Z_a = A_b Z_b", AZ[b],
                    mat_mul3(s, mat_cols(s, at->in.from, b * dk, dk), mat_rows(s, at->in.to, b * dk, dk), sum));
}
static const layer_kind reduced_layers[] = {
    { .name = "layer with W_Q = I", .plant = query_is_unit, .facts = claim_projections }, { .name = "any layer" } };
static const induction reduced_layer = { .kinds = reduced_layers, .nkinds = 2, .bases = BASIS_ONE };

static void not_reduced(trial *t)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    layer_site at = { .s = s, .sh = M.s, .in = gauge_basis(s, weight(s, "Theta", 0, 0, M.s.d, M.s.d)) };
    claim_projections(t, &at, &M.at[0]);
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

static void known(trial *t)
{
    claim_singular(t);
    claim_by_induction(t);
}

/* Where the basis was found, the coordinates C_a of a head have no part in its scores, and the entries of Q~ there
 * are free: they are not for `minimal`. */
static void found(trial *t)
{
    claim_singular(t);
    const model drawn = model_random(&t->s, t->sh);
    model_pair r = induction_build(&t->s, &drawn, &basis_found, 0);
    claim_reduced(t, 3, (const mat **const[]){ &r.R.P, &r.R.at[0].V, &r.R.at[0].O });
    claim_same_function(t, &r.M, &r.R);
}

static void missed(trial *t)     { claim_built(t, t->sh, &other_basis); }
static void no_sharing(trial *t) { heads_share(t, 0); }

static const control bases[] = { { "U-missed", missed, "$U_a$ not in the span of $\\Theta_a$" } };
static const control forms[] = { { "not-reduced", not_reduced, "a layer whose $W_Q$ is not $I$ in this basis" } };
static const control ranks[] = { { "independent", no_sharing, "heads that share nothing" } };
#define IDENTITY(body, table) .kind = PART_IDENTITY, .run = body, \
    .no_large = true, CONTROLS(table)
static const part parts[] = {
    { .name = "as-stated-if",
      .models = "d = h d_k; norm = none; h_kv = h; mlp_skip = 0; parallel = 0; biases = 0; rope = 0; qk_norm = 0",
      IDENTITY(known, bases), .induction = &known_basis,
      .statement = "if the $U_a$ are independent, so that $U_a$ is in the span of $\\Theta_a$ for some $\\Theta = "
                   "(\\Theta_1|\\dots|\\Theta_h) \\in \\mathrm{GL}(d)$, $\\tilde W_Q = I$ in every layer, though "
                   "$W_Q$ has rank $d-1$",
      .assumes = "invertible Theta; constrained W_Q" },
    { .name = "as-stated-found", IDENTITY(found, bases), .induction = &basis_found,
      .statement = "the same with $\\Theta_a = (A_aR_a\\,|\\,C_a)$ found from $A_a = W_Q^aW_K^{a\\top}$ alone",
      .without = "sym",
      .why_without = "no inverse of columns put together" },
    { .name = "as-stated-only",
      .models = "d = h d_k; norm = none; h_kv = h; tied = 0",
      IDENTITY(claim_by_induction, forms), .induction = &reduced_layer,
      .statement = "the forms of any layer with $\\tilde W_Q = I$, in any basis $\\Theta \\in \\mathrm{GL}(d)$, have "
                   "independent images: $\\Pi_b\\sum_a A_aZ_a = A_bZ_b$ for all $Z_a$",
      .assumes = "invertible Theta; constrained W_Q = I" },
    { .name = "as-stated-dependent-heads", IDENTITY(dependent_spaces, ranks), .certifies = true, .no_minimal = true,
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
                    "$\\Theta_a$: $\\tilde W_Q = I$, $\\tilde W_K^a = "
                    "\\Theta^{-1}W_K^a(E_a^\\top\\Theta^{-1}W_Q^a)^\\top$",
    .why = "In the basis $\\Theta$ head $a$ may use the coordinates of its own block only: the $U_a$ must be "
           "put into complementary blocks.",
    .prepare = attention_skip_only, .parts = parts, .nparts = COUNT(parts), .depends = "K-T4.4 K-P3.2",
};
THEOREM_PROGRAM(N12)
