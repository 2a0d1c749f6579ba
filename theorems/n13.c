/* SPDX-License-Identifier: GPL-3.0-or-later
 * n13.c - N13, a sufficient condition for keeping the head tied although a query matrix is eliminated.
 *
 * Statement.  Tied head, all skips, no normalization, h > 1.  If the spaces U_a = im(W_Q^a W_K^a'), a = 1..h,
 * of layer j are mutually orthogonal, the layer has a tied reduced model with W~_Q = I.  (Not the column
 * spaces of the W_Q^a: where W_K^a has not full rank, W_Q^a may be anything on its kernel.)
 *
 * Construction.  Take Omega orthogonal with U_a in the span of Omega_a, its a-th dk columns.  Then
 *     Theta = Omega,   Q~ = I,   K~^a = Theta^-1 K^a (E_a' Theta^-1 Q^a)',   the rest as in K-T4.2,
 * where E_a selects the columns of head a.  W_Q need not be invertible.
 *
 * Why it works.  The scores of head a are X A_a X' with A_a = W_Q^a W_K^a'.  In the reduced model they are
 * X Theta E_a K~^a' Theta' X', and Omega_a Omega_a' A_a = A_a.  The head stays tied since Omega' = Omega^-1.
 *
 * The condition is not necessary.  The scores of a head with W_V^a W_O^a = 0 do not matter, so only the others need
 * orthogonal U_a, and where W_V = 0, W_Q becomes I at no cost, for instance with W_Q = (1, 1; 0, 1) and W_K = I, where
 * A_1' A_2 = (0, 1; 0, 0).  What is shown in the other direction: the models that an orthogonal change of basis makes
 * of a tied model with W_Q = I have A_a' A_b = 0, for A_a = Omega E_a C_a and A_a' A_b = C_a' E_a' E_b C_b = 0.
 * Nothing says that all models with the same function are of that kind.  For weights in general position N9
 * counts, in the sizes that it has: with all skips and a tied head, W_Q = I loses dimensions of functions.
 *
 * Instances are planted: U_a = Omega_a im(g_a) for a Cayley Omega, since a Gram-Schmidt basis has square
 * roots.                                                                                                */
#include "src/claim/certificate/certificate.h"
#include "src/claim/reduce.h"
#include "src/claim/shapes.h"

static void tied_head(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = sh->tied = true;
    sh->norm = NORM_NONE;
    if (sh->h > 1) return;
    sh->h = sh->h_kv = sh->dk = sh->scale_den = 2;        /* with one head there is no condition: K-R4 */
    sh->d = 4;
}

static basis generic(scope *s, long d) { return gauge_basis(s, mat_draw_weight(s, "Theta", d, d)); }

/* W_Q^a = (Theta_a g | N) T and W_K^a = (B | 0) T'^-1, so that W_Q^a W_K^a' = Theta_a g B' has rank r <= dk. */
static void plant_spaces(const layer_site *at, layer *W, long r)
{
    scope *s = at->s;
    const long d = at->sh.d, dk = at->sh.dk;
    const mat *Q[MAX_HEADS], *K[MAX_HEADS];
    for (long a = 0; a < at->sh.h; a++) {
        const mat *T = induction_layer_draw(at, "T", a, dk, dk), *N = induction_layer_draw(at, "N", a, d, dk);
        const mat *B = induction_layer_draw(at, "B", a, d, r);
        const mat *g = mat_mul(s, mat_cols(s, at->in.to, a * dk, dk), induction_layer_draw(at, "g", a, dk, r));
        Q[a] = r == dk ? g : mat_hcat(s, 2, (const mat *const[]){ g, mat_cols(s, N, 0, dk - r) });
        K[a] = r == dk ? B : mat_hcat(s, 2, (const mat *const[]){ B, mat_zero(s, d, dk - r) });
        Q[a] = mat_mul(s, Q[a], T);
        K[a] = mat_mul(s, K[a], mat_t(s, mat_inv(s, T)));
    }
    W->Q = mat_hcat(s, at->sh.h, Q);
    W->K = mat_hcat(s, at->sh.h, K);
}
static long deficient(const shape *sh) { return sh->dk > 1 ? sh->dk - 1 : 1; }
static void full_rank(const layer_site *at, layer *W) { plant_spaces(at, W, at->sh.dk); }
static void low_rank(const layer_site *at, layer *W)  { plant_spaces(at, W, deficient(&at->sh)); }

static layer_site in_another_basis(const layer_site *at)              /* than the layer's */
{
    layer_site other = *at;
    other.in = generic(at->s, at->sh.d);
    return other;
}

static void spaces_missed(const layer_site *at, layer *W)
{
    const layer_site other = in_another_basis(at);
    full_rank(&other, W);
}

static void low_missed(const layer_site *at, layer *W)
{
    const layer_site other = in_another_basis(at);
    low_rank(&other, W);
}

#define TABLE(basis, ...) \
    { .kinds = (const layer_kind[]){ { .name = "layer with its U_a in Omega_a", __VA_ARGS__ }, \
      { .name = "layer that follows the basis" } }, .nkinds = 2, .bases = BASIS_ONE, .free = basis }
static const induction full = TABLE(FREE_ORTHOGONAL, .plant = full_rank, .reduce = reduce_queries_into_keys,
                                    .facts = reduce_claim_query_identity);
static const induction low = TABLE(FREE_ORTHOGONAL, .plant = low_rank, .reduce = reduce_queries_into_keys,
                                   .facts = reduce_claim_query_identity);
static const induction oblique = TABLE(FREE_ANY, .plant = full_rank, .reduce = reduce_queries_into_keys);
static const induction low_oblique = TABLE(FREE_ANY, .plant = low_rank, .reduce = reduce_queries_into_keys);
static const induction low_elsewhere = TABLE(FREE_ORTHOGONAL, .plant = low_missed, .reduce = reduce_queries_into_keys);
static const induction elsewhere = TABLE(FREE_ORTHOGONAL, .plant = spaces_missed, .reduce = reduce_queries_into_keys);

static const mat *form(scope *s, const model *M, long a)                              /* A_a */
{
    const long dk = M->s.dk;
    return mat_mul(s, mat_cols(s, M->at[0].Q, a * dk, dk), mat_t(s, mat_cols(s, M->at[0].K, a * dk, dk)));
}

static const mat *gram(scope *s, const mat *A, const mat *B) { return mat_mul(s, mat_t(s, A), B); }

/* A'B = 0, stated without comparing to 0, which has no scale: (A + B)' B = B' B. */
static void claim_orthogonal(trial *t, const mat *A, const mat *B)
{
    scope *s = &t->s;
    claim_equal(t, "U_a and U_b are orthogonal", gram(s, mat_add(s, A, B), B), gram(s, B, B));
}

/* W_Q^1 = (e_1, e_1 + e_3) and W_Q^2 = (e_3, e_1 + e_4); the second column of W_K^a is 0, or is not. */
static void given_heads(trial *t, long second)
{
    scope *s = &t->s;
    const mat *Q_1 = mat_from_si(s, 4, 2, (long[]){ 1, 1, 0, 0, 0, 1, 0, 0 });
    const mat *Q_2 = mat_from_si(s, 4, 2, (long[]){ 0, 1, 0, 0, 1, 0, 0, 1 });
    const mat *K_1 = mat_from_si(s, 4, 2, (long[]){ 1, 0, 2, second, 0, 0, 1, 0 });
    const mat *K_2 = mat_from_si(s, 4, 2, (long[]){ 0, 0, 1, 0, 1, second, 0, 0 });
    const mat *A_1 = mat_mul(s, Q_1, mat_t(s, K_1)), *A_2 = mat_mul(s, Q_2, mat_t(s, K_2)), *O = mat_zero(s, 4, 4);
    claim_equal(t, "A_1' A_2 = 0", gram(s, A_1, A_2), O);
    claim_differs(t, "Q_1' Q_2 and 0", gram(s, Q_1, Q_2), mat_zero(s, 2, 2));
    certify_matrix(t, "images", 5, (const given[]){ { "A_1", A_1 }, { "A_2", A_2 }, { "Q_1", Q_1 }, { "Q_2", Q_2 },
                   { "O", O } }, 2, (const char *const[]){ "A_1 ' A_2 * = O", "Q_1 ' Q_2 * != Q_1 ' O * Q_2 *" });
}
static void images_differ(trial *t) { given_heads(t, 0); }
static void full_keys(trial *t)     { given_heads(t, 1); }

/* A tied model with W_Q = I, written in any orthogonal basis: there its forms are orthogonal. */
static void query_is_unit(const layer_site *at, layer *W) { W->Q = mat_identity(at->s, at->sh.d); }

static void orthogonal_forms(trial *t, const layer_site *at, const layer *R)
{
    model M = { .s = at->sh };
    M.at[0] = *R;
    for (long b = 1; b < at->sh.h; b++) claim_orthogonal(t, form(&t->s, &M, 0), form(&t->s, &M, b));
}
static const induction reduced_layer = TABLE(FREE_ORTHOGONAL, .plant = query_is_unit,
                                             .facts = orthogonal_forms);
static const induction oblique_layer = TABLE(FREE_ANY, .plant = query_is_unit);

/* The first head is anything, and dead: without values its scores do not matter. */
static const mat *first_head(scope *s, const mat *W, const mat *head)
{
    return mat_hcat(s, 2, (const mat *const[]){ head, mat_cols(s, W, head->cols, W->cols - head->cols) });
}

static void any_first_head(const layer_site *at, layer *W)
{
    const long d = at->sh.d, dk = at->sh.dk;
    full_rank(at, W);
    W->Q = first_head(at->s, W->Q, induction_layer_draw(at, "Q", 0, d, dk));
    W->K = first_head(at->s, W->K, induction_layer_draw(at, "K", 0, d, dk));
}

static void dead_first_head(const layer_site *at, layer *W)
{
    any_first_head(at, W);
    W->V = first_head(at->s, W->V, mat_zero(at->s, at->sh.d, at->sh.dk));
}
static const induction dead = TABLE(FREE_ORTHOGONAL, .plant = dead_first_head, .reduce = reduce_queries_into_keys,
                                    .facts = reduce_claim_query_identity);
static const induction alive = TABLE(FREE_ORTHOGONAL, .plant = any_first_head, .reduce = reduce_queries_into_keys);

/* The forms of d = h = 2, dk = 1, W_K = I are the columns of W_Q in a column of their own. */
static void small_forms(trial *t, const long query[4])
{
    scope *s = &t->s;
    const mat *Q = mat_from_si(s, 2, 2, query), *I = mat_identity(s, 2), *A[2];
    for (long a = 0; a < 2; a++) A[a] = mat_mul(s, mat_cols(s, Q, a, 1), mat_t(s, mat_cols(s, I, a, 1)));
    const mat *product = gram(s, A[0], A[1]);
    claim_equal(t, "A_1' A_2 = (0, 1; 0, 0)", product, mat_from_si(s, 2, 2, (long[]){ 0, 1, 0, 0 }));
    claim_differs(t, "A_1' A_2 and 0", product, mat_zero(s, 2, 2));
}
static void sheared(trial *t)      { small_forms(t, (long[]){ 1, 1, 0, 1 }); }
static void unit_query(trial *t)   { small_forms(t, (long[]){ 1, 0, 0, 1 }); }
static void with_values(trial *t)  { claim_built(t, t->sh, &alive); }

static void only_independent(trial *t) { claim_built(t, t->sh, &oblique); }
static void missed(trial *t)           { claim_built(t, t->sh, &elsewhere); }
static void low_independent(trial *t)  { claim_built(t, t->sh, &low_oblique); }
static void low_U_missed(trial *t)     { claim_built(t, t->sh, &low_elsewhere); }

static void oblique_basis(trial *t)
{
    const model drawn = model_random(&t->s, t->sh);
    const model_pair r = induction_build(&t->s, &drawn, &oblique_layer, 0);
    claim_same_function(t, &r.M, &r.R);
    claim_orthogonal(t, form(&t->s, &r.R, 0), form(&t->s, &r.R, 1));
}

static void random_layer(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    claim_orthogonal(t, form(&t->s, &M, 0), form(&t->s, &M, 1));
}

static const control sufficiency[] = {
    { "only-independent", only_independent, "$U_a$ in the span of $\\Theta_a$, but $\\Theta\\Theta^\\top "
                                        "\\neq I$" },
    { "U-missed",         missed,           "$\\Omega$ orthogonal, but $U_a$ not in the span of $\\Omega_a$" },
};
static const control of_low_rank[] = {
    { "low-independent", low_independent, "$U_a$ in the span of $\\Theta_a$, but $\\Theta\\Theta^\\top "
                                          "\\neq I$" },
    { "low-U-missed",    low_U_missed,    "$\\Omega$ orthogonal, but $U_a$ not in the span of $\\Omega_a$" },
};
static const control necessity[] = {
    { "oblique-basis", oblique_basis, "$\\Theta\\Theta^\\top \\neq I$" },
    { "random-layer",  random_layer, "the forms of a random layer" },
};
static const control values[] = { { "with-values", with_values, "$W_V^1 \\ne 0$: the scores of that head matter" } };
static const control shear[]  = { { "unit-query",  unit_query,  "$W_Q = I$, whose forms are orthogonal" } };
static const control kernel[] = { { "full-keys", full_keys, "$W_K^a$ of full rank" } };
#define GIVEN RATIONALS_ONLY("given whole numbers are decided over q")
static const part parts[] = {
    { .name = "as-stated-if", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &full,
      .no_large = true,
      .assumes = "invertible T; orthogonal Omega; constrained W_Q; constrained W_K",
      .statement = "if the $U_a$ are mutually orthogonal, $U_a$ in the span of $\\Omega_a$, $\\Omega$ orthogonal, "
                   "the model with $\\tilde W_Q = I$ stays tied (all $W_K^a$ of full rank; $W_Q^a = "
                   "\\Omega_ag_aT_a$, $T_a \\in \\mathrm{GL}(d_k)$)",
      CONTROLS(sufficiency) },
    { .name = "as-stated-deficient-rank", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &low,
      .no_large = true,
      .assumes = "invertible T; orthogonal Omega; constrained W_Q; constrained W_K",
      .statement = "the same where $\\mathrm{rank}\\,W_K^a < d_k$ and $W_Q^a$ is arbitrary on the kernel: "
                   "$W_Q^a = (\\Omega_ag_a\\,|\\,N_a)T_a$, $T_a \\in \\mathrm{GL}(d_k)$",
      CONTROLS(of_low_rank) },
    { .name = "as-stated-orthogonal-U", .kind = PART_IDENTITY, .run = images_differ, .about = ABOUT_FINITE,
      .certifies = true,
      .no_large = true, .no_minimal = true,
      .statement = "$W_Q^1 = (e_1, e_1 + e_3)$, $W_Q^2 = (e_3, e_1 + e_4)$ and $W_K^a$ of the first columns "
                   "$(1,2,0,1)$ and $(0,1,1,0)$, the second ones 0: the $U_a$ are orthogonal although the column "
                   "spaces of the $W_Q^a$ are not",
      CONTROLS(kernel), GIVEN },
    { .name = "as-stated-only",
      .models = "d = h d_k; norm = none; h_kv = h",
      .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &reduced_layer,
      .no_large = true,
      .assumes = "orthogonal Omega; constrained W_Q = I",
      .statement = "the models that an orthogonal change of basis $\\Omega$ makes of a tied model with $W_Q = I$ are "
                   "the same function, tied, and have $A_a^\\top A_b = 0$ for $a \\neq b$, $A_a = W_Q^aW_K^{a\\top}$",
      CONTROLS(necessity) },
    { .name = "as-stated-zero-value-head",
      .models = "d = h d_k; h >= 2; norm = none; h_kv = h; biases = 0; rope = 0; qk_norm = 0",
      .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &dead,
      .no_large = true,
      .no_minimal = true,                                   /* nothing feels the weights of a dead head */
      .assumes = "invertible T; orthogonal Omega; constrained W_Q; constrained W_K; constrained W_V",
      .statement = "not necessary: a head with $W_V^a = 0$ may have any $W_Q^a$, $W_K^a$; if the $U_a$ of the others "
                   "are mutually orthogonal, the model with $\\tilde W_Q = I$ stays tied",
      CONTROLS(values) },
    { .name = "as-stated-2x2", .kind = PART_IDENTITY, .run = sheared, .about = ABOUT_FINITE, .no_large = true,
      .no_minimal = true,
      .statement = "$W_Q = (1, 1; 0, 1)$, $W_K = I$, $h = 2$: $A_1^\\top A_2 = (0, 1; 0, 0)$, and no orthogonality",
      CONTROLS(shear), GIVEN },
};
static const claim N13 = {
    .id = "N13", .title = "a tied head can stay tied where the heads' images are orthogonal", .where = "new",
    .hypotheses = "no normalization; all skips; tied head; $U_a = \\mathrm{im}(W_Q^aW_K^{a\\top})$ mutually "
                  "orthogonal",
    .construction = "$\\Omega$ orthogonal, $U_a = \\mathrm{im}(W_Q^aW_K^{a\\top})$ in the span of its columns "
                    "$\\Omega_a$: $\\Theta = \\Omega$, $\\tilde W_K^a = \\Omega^\\top W_K^aW_Q^{a\\top}\\Omega_a$",
    .why = "An orthogonal $\\Theta$ leaves a tied head tied, and this one puts each $U_a$ into the coordinates of its "
           "head.  The condition is not necessary: the scores of a head with $W_V^aW_O^a = 0$ do not matter.",
    .models = "d = h d_k; norm = none; h_kv = h; biases = 0; rope = 0; qk_norm = 0",
    .prepare = tied_head, .parts = parts, .nparts = COUNT(parts), .depends = "K-T4.2",
};
THEOREM_PROGRAM(N13)
