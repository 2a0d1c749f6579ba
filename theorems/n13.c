/* n13.c - N13, when a tied head can stay tied although a query matrix is eliminated.
 *
 * Statement.  Tied head, all skips, no normalization, h > 1.  Layer j has a tied reduced model with
 * W~_Q = I iff the spaces U_a = im(W_Q^a W_K^a'), a = 1..h, are mutually orthogonal.  (Not the column
 * spaces of the W_Q^a: where W_K^a has not full rank, W_Q^a may be anything on its kernel.)
 *
 * Construction (if).  Take Omega orthogonal with U_a in the span of Omega_a, its a-th dk columns. Then
 *     Theta = Omega,   Q~ = I,   K~^a = Theta^-1 K^a (E_a' Theta^-1 Q^a)',   the rest as in K-T4.2,
 * where E_a selects the columns of head a.  W_Q need not be invertible.
 *
 * Why it works.  The scores of head a are X A_a X' with A_a = W_Q^a W_K^a'.  In the reduced model they are
 * X Theta E_a K~^a' Theta' X', and Omega_a Omega_a' A_a = A_a.  The head stays tied since Omega' = Omega^-1.
 * Conversely (only if) a tied reduced model in the basis Theta must have (E Theta)' = Theta^-1 E', so
 * Theta Theta' = I where E has rank d; its forms are A_a = Theta E_a C_a, so A_a' A_b = C_a' E_a' E_b C_b = 0
 * for a != b.  The part only-if decides that last sentence.  That every reduced model with the same function
 * is a change of basis Theta of the original is by the ledger's proof, not by a program.
 *
 * Instances are planted: U_a = Omega_a im(g_a) for a Cayley Omega, since a Gram-Schmidt basis has square
 * roots.                                                                                                */
#include "src/certificate.h"

static void tied_head(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = sh->tied = true;
    sh->norm = NORM_NONE;
    if (sh->h > 1) return;
    sh->h = sh->h_kv = sh->dk = sh->scale_den = 2;        /* with one head there is no condition: K-R4 */
    sh->d = 4;
}

static const mat *weight(scope *s, const char *name, long rows, long cols)
{
    return mat_draw(s, name, rows, cols, log2_fan_in(rows));
}

static basis generic(scope *s, long d) { return basis_of(s, weight(s, "Theta", d, d)); }

/* W_Q^a = (Theta_a g | N) T and W_K^a = (B | 0) T'^-1, so that W_Q^a W_K^a' = Theta_a g B' has rank r <= dk. */
static void plant_spaces(const layer_site *at, layer *W, long r)
{
    scope *s = at->s;
    const long d = at->sh.d, dk = at->sh.dk;
    const mat *Q[MAX_HEADS], *K[MAX_HEADS];
    for (long a = 0; a < at->sh.h; a++) {
        const mat *T = layer_draw(at, "T", a, dk, dk), *N = layer_draw(at, "N", a, d, dk);
        const mat *B = layer_draw(at, "B", a, d, r);
        const mat *g = mat_mul(s, mat_cols(s, at->in.to, a * dk, dk), layer_draw(at, "g", a, dk, r));
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
static void spaces_missed(const layer_site *at, layer *W)             /* planted in another basis than the layer's */
{
    layer_site other = *at;
    other.in = generic(at->s, at->sh.d);
    full_rank(&other, W);
}

/* K~^a = Theta^-1 K^a (E_a' Theta^-1 Q^a)' */
static void query_to_keys(const layer_site *at, const layer *W, layer *R)
{
    scope *s = at->s;
    const long dk = at->sh.dk;
    const mat *K[MAX_HEADS];
    (void)W;
    for (long a = 0; a < at->sh.h; a++) {
        const mat *seen = mat_rows(s, mat_cols(s, R->Q, a * dk, dk), a * dk, dk);        /* E_a' Theta^-1 Q^a */
        K[a] = mat_mul(s, mat_cols(s, R->K, a * dk, dk), mat_t(s, seen));
    }
    R->K = mat_hcat(s, at->sh.h, K);
    R->Q = mat_identity(s, at->sh.d);
}

#define TABLE(table, basis, ...) \
    static const layer_kind table##_layers[] = { { .name = "layer with its U_a in Omega_a", __VA_ARGS__ }, \
                                                 { .name = "layer that follows the basis" } }; \
    static const induction table = { .kinds = table##_layers, .nkinds = 2, .bases = BASIS_ONE, .free = basis }
TABLE(full,    FREE_ORTHOGONAL, .plant = full_rank, .reduce = query_to_keys);
TABLE(low,     FREE_ORTHOGONAL, .plant = low_rank, .reduce = query_to_keys);
TABLE(oblique, FREE_ANY,        .plant = full_rank, .reduce = query_to_keys);
TABLE(elsewhere, FREE_ORTHOGONAL, .plant = spaces_missed, .reduce = query_to_keys);

static const mat *form(scope *s, const model *M, long a)                              /* A_a */
{
    const long dk = M->s.dk;
    return mat_mul(s, mat_cols(s, M->at[0].Q, a * dk, dk), mat_t(s, mat_cols(s, M->at[0].K, a * dk, dk)));
}

static const mat *gram(scope *s, const mat *A, const mat *B) { return mat_mul(s, mat_t(s, A), B); }

/* A'B = 0, said without comparing to 0, which has no scale: (A + B)' B = B' B. */
static void claim_orthogonal(trial *t, const mat *A, const mat *B)
{
    scope *s = &t->s;
    claim_equal(t, "U_a and U_b are orthogonal", gram(s, mat_add(s, A, B), B), gram(s, B, B));
}

static void images_differ(trial *t)
{
    scope *s = &t->s;
    const long dk = t->sh.dk;
    const model drawn = model_random(s, t->sh);
    const model_pair r = induction_build(s, &drawn, &low, 0);
    const model *M = &r.M;
    const mat *Q1 = mat_cols(s, M->at[0].Q, 0, dk), *Q2 = mat_cols(s, M->at[0].Q, dk, dk);
    claim_orthogonal(t, form(s, M, 0), form(s, M, 1));
    claim_differs(t, "im W_Q^1 and im W_Q^2 are not", gram(s, mat_add(s, Q1, Q2), Q2), gram(s, Q2, Q2));
    claim_same_function(t, M, &r.R);
    certify_matrix(t, "images", 5, (const given[]){ { "A_1", form(s, M, 0) }, { "A_2", form(s, M, 1) }, { "Q_1", Q1 },
                   { "Q_2", Q2 }, { "O", mat_zero(s, Q1->rows, Q1->rows) } },
                   2, (const char *const[]){ "A_1 ' A_2 * = O", "Q_1 ' Q_2 * != Q_1 ' O * Q_2 *" });
}

/* Any tied model with W_Q = I, written in any other basis that leaves it tied: there its forms are orthogonal. */
static void query_is_unit(const layer_site *at, layer *W) { W->Q = mat_identity(at->s, at->sh.d); }
static void orthogonal_forms(trial *t, const layer_site *at, const layer *R)
{
    model M = { .s = at->sh };
    M.at[0] = *R;
    for (long b = 1; b < at->sh.h; b++) claim_orthogonal(t, form(&t->s, &M, 0), form(&t->s, &M, b));
}
TABLE(reduced_layer, FREE_ORTHOGONAL, .plant = query_is_unit, .facts = orthogonal_forms);
TABLE(oblique_layer, FREE_ANY,        .plant = query_is_unit);

static void only_independent(trial *t) { claim_built(t, t->sh, &oblique); }
static void missed(trial *t)           { claim_built(t, t->sh, &elsewhere); }
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
static const control necessity[] = {
    { "oblique-basis", oblique_basis, "$\\Theta\\Theta^\\top \\neq I$" },
    { "random-layer",  random_layer, "the forms of a random layer, which hence has no tied reduced model" },
};
static const part parts[] = {
    { .name = "as-stated-if", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &full,
      .no_large = true,
      .assumes = "invertible T; orthogonal Omega",
      .statement = "if the $U_a$ are mutually orthogonal, $U_a$ in the span of $\\Omega_a$, $\\Omega$ orthogonal, "
                   "the model with $\\tilde W_Q = I$ stays tied (all $W_K^a$ of full rank; $W_Q^a = "
                   "\\Omega_ag_aT_a$, $T_a \\in \\mathrm{GL}(d_k)$)",
      .controls = sufficiency, .ncontrols = COUNT(sufficiency) },
    { .name = "as-stated-low", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &low,
      .no_large = true,
      .assumes = "invertible T; orthogonal Omega",
      .statement = "the same where $\\mathrm{rank}\\,W_K^a < d_k$ and $W_Q^a$ is arbitrary on the kernel: "
                   "$W_Q^a = (\\Omega_ag_a\\,|\\,N_a)T_a$, $T_a \\in \\mathrm{GL}(d_k)$" },
    { .name = "as-stated-U", .kind = PART_IDENTITY, .run = images_differ, .certifies = true, .no_large = true,
      .statement = "there the $U_a$ are mutually orthogonal although the column spaces of the $W_Q^a$ are not",
      .without = "sym", .why_without = "sym never says that two matrices differ" },
    { .name = "as-stated-only", .kind = PART_IDENTITY, .run = claim_by_induction, .induction = &reduced_layer,
      .no_large = true,
      .assumes = "orthogonal Omega",
      .statement = "every tied model with $W_Q = I$, in any orthogonal basis $\\Omega$ (where it is tied), has "
                   "$A_a^\\top A_b = 0$ for $a \\neq b$, $A_a = W_Q^aW_K^{a\\top}$",
      .by_proof = "reduced models are changes of basis", .basis = "their forms by program",
      .controls = necessity, .ncontrols = COUNT(necessity) },
};
static const claim N13 = {
    .id = "N13", .title = "when a tied head can stay tied", .where = "new; corrects 003 Remark 4",
    .hypotheses = "no normalization; all skips; tied head; for necessity $\\mathrm{rank}\\,E = d$",
    .construction = "$\\Omega$ orthogonal, $U_a = \\mathrm{im}(W_Q^aW_K^{a\\top})$ in the span of its "
                    "columns $\\Omega_a$: "
                    "$\\Theta = \\Omega$, $\\tilde W_K^a = \\Omega^\\top W_K^aW_Q^{a\\top}\\Omega_a$",
    .why = "A tied head allows orthogonal $\\Theta$ only, and $\\Theta$ must put each $U_a$ into the "
           "coordinates of its head.",
    .prepare = tied_head, .parts = parts, .nparts = COUNT(parts), .depends = "K-T4.2",
};
THEOREM_PROGRAM(N13)
