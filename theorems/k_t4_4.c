/* k_t4_4.c - K-T4.4, attention-skip-only query weight elimination.
 *
 * Statement.  Without normalization and with skips around attention only, every W_Q^i of an L-layer
 * transformer can be made the identity without changing its function, if all W_Q^i are invertible.
 *
 * Construction.  Theta_i = W_Q^i, Theta_{L+1} = I (tied head: (Theta_1')^-1), and
 *     E~ = E Theta_1          K~ = Theta_i^-1 K       V~ = Theta_i^-1 V       P~ = P Theta_1
 *     O~ = O Theta_i          up~ = Theta_i^-1 up     down~ = down Theta_{i+1}
 *
 * Why it works.  Block i maps X Theta_i to B_i(X) Theta_{i+1}: attention reads its input through
 * Theta_i^-1 and writes back in the same basis, so the skip around it adds like to like; the MLP has
 * no skip, so it may read in one basis and write in the next.  The changes of basis telescope.
 *
 * The paper's statement lacks the hypothesis W_Q^i in GL(d).  d = 2, h = 2, dk = 1, W_Q = [e1, e1],
 * W_K = I shows that it is needed; N12 has the criterion.                                          */
#include "src/claim.h"

static void attention_skip_only(shape *sh)
{
    sh->attn_skip = true;
    sh->mlp_skip = false;
    sh->norm = NORM_NONE;
}

static void attention_skip_only_tied(shape *sh)
{
    attention_skip_only(sh);
    sh->tied = true;
}

/* Theta_i for i = 1..L, then the basis the head reads. */
static void bases(scope *s, const model *M, basis last, basis at[])
{
    for (long i = 0; i < M->s.L; i++) at[2 * i] = at[2 * i + 1] = basis_of(s, M->at[i].Q);
    at[2 * M->s.L] = last;
}

static model eliminate(scope *s, const model *M, const basis at[])
{
    model R = gauge_stream(s, M, at);
    for (long i = 0; i < M->s.L; i++) R.at[i].Q = mat_identity(s, M->s.d);
    return R;
}

static void compare(trial *t, norm_kind norm, bool mlp_skip, const mat *(*last)(scope *, const model *))
{
    scope *s = &t->s;
    basis at[2 * MAX_LAYERS + 1];
    shape sh = t->sh;
    sh.norm = norm;
    sh.mlp_skip = mlp_skip;
    model M = model_random(s, sh);
    bases(s, &M, basis_of(s, last(s, &M)), at);
    model R = eliminate(s, &M, at);
    claim_same_function(t, &M, &R);
    claim_step(t, &M, &R, 0, at[0], at[2]);
}

static const mat *identity(scope *s, const model *M)     { return mat_identity(s, M->s.d); }
static const mat *any_basis(scope *s, const model *M)
{
    return mat_draw(s, "Theta", M->s.d, M->s.d, log2_fan_in(M->s.d));
}
static const mat *transposed(scope *s, const model *M)   { return mat_t(s, mat_inv(s, M->at[0].Q)); }
static const mat *untransposed(scope *s, const model *M) { return mat_inv(s, M->at[0].Q); }

static void untied(trial *t)   { compare(t, NORM_NONE, false, identity); }
static void any_last(trial *t) { compare(t, NORM_NONE, false, any_basis); }
static void tied(trial *t)     { compare(t, NORM_NONE, false, transposed); }

/* The identity for the query in layer 1, the key in layer 2, the value in layer 3, and so on. */
static void mixed(trial *t)
{
    scope *s = &t->s;
    basis at[2 * MAX_LAYERS + 1];
    model M = model_random(s, t->sh);
    for (long i = 0; i < M.s.L; i++) {
        const mat *chosen[] = { M.at[i].Q, M.at[i].K, M.at[i].V };
        at[2 * i] = at[2 * i + 1] = basis_of(s, chosen[i % 3]);
    }
    at[2 * M.s.L] = basis_identity(s, M.s.d);
    model R = gauge_stream(s, &M, at);
    for (long i = 0; i < M.s.L; i++) {
        const mat **chosen[] = { &R.at[i].Q, &R.at[i].K, &R.at[i].V };
        *chosen[i % 3] = mat_identity(s, M.s.d);
    }
    claim_same_function(t, &M, &R);
    for (long i = 0; i < M.s.L; i++) claim_step(t, &M, &R, i, at[2 * i], at[2 * i + 2]);
}

/* The head forms of a reduced model with W_Q = I live on disjoint blocks of coordinates, so their
 * spaces U_a = im(W_Q^a W_K^a') are independent; here U_1 = U_2 = span(e1). */
static void singular_query(trial *t)
{
    scope *s = &t->s;
    const mat *Q = mat_from_si(s, 2, 2, (long[]){ 1, 1, 0, 0 }), *K = mat_identity(s, 2), *U[2];
    for (long a = 0; a < 2; a++) U[a] = mat_mul(s, mat_cols(s, Q, a, 1), mat_t(s, mat_cols(s, K, a, 1)));
    claim_equal(t, "U_1 = e1 e1'", U[0], mat_from_si(s, 2, 2, (long[]){ 1, 0, 0, 0 }));
    claim_equal(t, "U_2 = e1 e2'", U[1], mat_from_si(s, 2, 2, (long[]){ 0, 1, 0, 0 }));
    claim_rank(t, "W_Q is singular", Q, 1);
    claim_rank(t, "dim U_1 = 1", U[0], 1);
    claim_rank(t, "dim U_2 = 1", U[1], 1);
    claim_rank(t, "dim (U_1 + U_2) = 1 < 1 + 1", mat_hcat(s, 2, U), 1);
}

static void mlp_skip_kept(trial *t)      { compare(t, NORM_NONE, true, identity); }
static void norm_present(trial *t)       { compare(t, NORM_RMS, false, identity); }
static void tied_untransposed(trial *t)  { compare(t, NORM_NONE, false, untransposed); }
static void tied_last_identity(trial *t) { compare(t, NORM_NONE, false, identity); }

static const control hypotheses[] = {
    { "mlp-skip-kept", mlp_skip_kept, "an MLP skip forces equal bases on its two sides" },
    { "norm-present",  norm_present,  "a norm does not commute with $\\Theta$" },
};
static const control tying[] = {
    { "tied-untransposed",  tied_untransposed,  "$\\Theta_{L+1} = \\Theta_1^{-1}$, without the transpose" },
    { "tied-last-identity", tied_last_identity, "$\\Theta_{L+1} = I$ although the head is tied" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = singular_query, .no_large = true, .no_minimal = true,
      .statement = "without the hypothesis $W_Q^i \\in \\mathrm{GL}(d)$: $d=2$, $h=2$, $d_k=1$, "
                   "$W_Q=(e_1\\,|\\,e_1)$, $W_K=I$ has no reduced form",
      .by_proof = "that no reduced model exists (N12)", .basis = "witness: exact ranks",
      .without = "f64 mpfr arb sym", .why_without = "ranks are decided exactly" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = untied,
      .assumes = "invertible W_Q",
      .statement = "if all $W_Q^i \\in \\mathrm{GL}(d)$: the reduced model with $\\tilde W_Q^i = I$ is the same "
                   "function (untied head, $\\Theta_{L+1}=I$)",
      .controls = hypotheses, .ncontrols = COUNT(hypotheses) },
    { .name = "corrected-any", .kind = PART_IDENTITY, .run = any_last, .no_large = true,
      .assumes = "invertible Theta; invertible W_Q",
      .statement = "the same, all $W_Q^i \\in \\mathrm{GL}(d)$, with any $\\Theta_{L+1} \\in \\mathrm{GL}(d)$" },
    { .name = "corrected-tied", .kind = PART_IDENTITY, .run = tied, .no_large = true,
      .prepare = attention_skip_only_tied,
      .assumes = "invertible W_Q",
      .statement = "all $W_Q^i \\in \\mathrm{GL}(d)$: a tied head stays tied with $\\Theta_{L+1} = "
                   "(\\Theta_1^\\top)^{-1}$",
      .controls = tying, .ncontrols = COUNT(tying) },
    { .name = "corrected-mixed", .kind = PART_IDENTITY, .run = mixed, .no_large = true,
      .assumes = "invertible W_K; invertible W_Q; invertible W_V",
      .statement = "$W_Q^i$, $W_K^i$ or $W_V^i$ may be chosen layer by layer, if the chosen one is in "
                   "$\\mathrm{GL}(d)$" },
};
static const claim K_T4_4 = {
    .id = "K-T4.4", .title = "attention-skip-only elimination in all layers",
    .where = "003 Theorem 4.4; 000 Theorem 4.2; 001 Theorem 4.1",
    .hypotheses = "no normalization; skips around attention only; all $W_Q^i \\in \\mathrm{GL}(d)$",
    .construction = "$\\Theta_i = W_Q^i$: $\\tilde E = E\\Theta_1$, $\\tilde E_P = E_P\\Theta_1$, "
                    "$\\tilde W_{K,V,u}^i = \\Theta_i^{-1}W_{K,V,u}^i$, $\\tilde W_O^i = W_O^i\\Theta_i$, "
                    "$\\tilde W_d^i = W_d^i\\Theta_{i+1}$",
    .why = "Block $i$ sends $X\\Theta_i$ to $B_i(X)\\Theta_{i+1}$; the changes of basis telescope, the embedding "
           "absorbs the first and the head the last.",
    .prepare = attention_skip_only, .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1 K-L-intertwine",
};
THEOREM_PROGRAM(K_T4_4)
