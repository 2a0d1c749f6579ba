/* SPDX-License-Identifier: GPL-3.0-or-later
 * n6.c - N6, every W_Q becomes the identity although all skips stay: the MLPs get a few more neurons.
 *
 * Statement.  No normalization, skips around attention and MLP, an activation with phi(y) - phi(-y) = y (ReLU,
 * GELU, SiLU, softplus), W_Q^i invertible.  All W_Q^i can be made the identity without changing the function if
 * each MLP gets (1) d neurons more, the last one none where the head is untied; (2) d - dk neurons more, and d in
 * the last layer of a model with a tied head, where queries and keys have neither rotations nor norms and, for the
 * rows n_i below and every head a, n_i W_Q^{i,a} and n_i W_Q^{i+1,a} are invertible.
 *
 * Construction.  (1) Theta_i = W_Q^i, changes of basis as in k_t4_4.c, Theta_{L+1} = Theta_L (tied head:
 * (Theta_1')^-1).  The skip around the MLP of block i carries Y Theta_i where Y Theta_{i+1} is needed.  With U =
 * W_u[:,K], d neurons, and C = U^-1 (Theta_{i+1} - Theta_i):
 *     down~[K] = down[K] Theta_{i+1} + C,     new neurons: up = -Theta_i^-1 U, down = -C.
 * (2) W_Q^i may be replaced by W_Q^i D^i, D^i = diag(D^i_a), with W_K^i (D^i)^-T (K-P3.2). Let |K| = d - dk and n_i
 * (dk x d) be the left null space of W_u^i[:,K], D^1 = I, D^{i+1}_a = (n_i W_Q^{i+1,a})^-1 n_i W_Q^{i,a}
 * D^i_a.  Then n_i (Theta_{i+1} - Theta_i) = 0, so Theta_{i+1} - Theta_i = W_u[:,K] C.
 *
 * Why it works.  C'(phi(y) - phi(-y)) = C' y: the neurons K and their partners add Y U C = Y (Theta_{i+1} -
 * Theta_i) to the stream. Nothing but the axiom is used of phi: its even part is an opaque function over F_p and
 * symbolically, one for each neuron, shared by partners.
 *
 * The MLP is written as two parts, K and the other neurons; the partners are a third. That fewer neurons cannot do
 * is not claimed; the construction with one less fails.                                                      */
#include "src/claim/reduce.h"
#include "src/claim/shapes.h"

static void all_skips(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = true;
    sh->norm = NORM_NONE;
    sh->act = ACT_HALF_ODD;
    sh->L = sh->L < 2 ? 2 : sh->L;
}

static void all_skips_tied(shape *sh)
{
    all_skips(sh);
    sh->tied = true;
}

/* MLPs of 2 k neurons in two parts; the first k are K.  Where `wide_last`, K has d neurons in the last layer. */
static model in_parts(scope *s, shape sh, long k, bool wide_last)
{
    sh.m = k;
    sh.experts = 2;
    model M = model_random(s, sh);
    for (long i = 0; i < sh.L; i++) M.at[i].router = NULL;
    if (wide_last) {
        mlp *F = &M.at[sh.L - 1].expert[0];
        F->up = mat_draw_weight(s, "W_up.last", sh.d, sh.d);
        F->down = mat_draw_weight(s, "W_down.last", sh.d, sh.d);
    }
    return M;
}

/* Rows r.. of U, which has full column rank and whose first rows are invertible */
static const mat *top(scope *s, const mat *U, const mat *A) { return mat_rows(s, A, 0, U->cols); }

/* n = (-B A^-1 | I) for U = (A; B): n U = 0 */
static const mat *left_null(scope *s, const mat *U)
{
    const long k = U->cols, dk = U->rows - k;
    const mat *BA = mat_mul(s, mat_rows(s, U, k, dk), mat_inv(s, top(s, U, U)));
    return mat_hcat(s, 2, (const mat *const[]){ mat_neg(s, BA), mat_identity(s, dk) });
}

/* The sequential gauge: W_Q^i D^i with n_i W_Q^{i+1} D^{i+1} = n_i W_Q^i D^i */
static void align_queries(scope *s, model *M)
{
    const long dk = M->s.dk;
    for (long i = 0; i + 1 < M->s.L; i++) {
        const mat *n = left_null(s, M->at[i].expert[0].up), *D[MAX_HEADS];
        for (long a = 0; a < M->s.h; a++) {
            const mat *next = mat_mul(s, n, mat_cols(s, M->at[i + 1].Q, a * dk, dk));
            D[a] = mat_mul(s, mat_inv(s, next), mat_mul(s, n, mat_cols(s, M->at[i].Q, a * dk, dk)));
        }
        gauge_query_key(s, &M->s, &M->at[i + 1], D);
    }
}

/* R gets partners of the part K of W, out - in = U C, without the last `less` neurons of K. */
static void add_partners(scope *s, layer *R, const layer *W, basis in, basis out, long less)
{
    const mat *U = W->expert[0].up, *change = mat_sub(s, out.to, in.to);
    const mat *C = mat_mul(s, mat_inv(s, top(s, U, U)), top(s, U, change)), *partner = R->expert[0].up;
    const long k = U->cols - less;
    if (less) C = mat_vcat(s, 2, (const mat *const[]){ mat_rows(s, C, 0, k), mat_zero(s, less, C->cols) });
    R->expert[0].down = mat_add(s, R->expert[0].down, C);
    R->expert[2] = (mlp){ .up = mat_neg(s, mat_cols(s, partner, 0, k)),
                          .down = mat_neg(s, mat_rows(s, C, 0, k)), .function = 0 };
}

/* ---- (1) as a table: d neurons more in every layer, none in the last where the head is untied --------------- */

static void two_parts(const layer_site *at, layer *W) { (void)at; W->router = NULL; }
static void third_part(shape *sh)                     { sh->experts = 3; }

static void widened(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    add_partners(at->s, R, W, at->in, at->out, 0);
}

static void d_more(trial *t, const layer_site *at, const layer *R)
{
    reduce_claim_query_identity(t, at, R);
    claim_decided(t, "d neurons more", R->expert[2].up->cols == at->sh.d);
}
static const layer_kind wider_layers[] = {
    { .name = "layer with d neurons more", .plant = two_parts, .chooses = reduce_query_basis, .reduce = widened,
      .facts = d_more },
    { .name = "last layer, Theta_{L+1} = Theta_L", .plant = two_parts, .chooses = reduce_query_basis,
      .chooses_out = reduce_query_basis, .reduce = reduce_query_to_identity, .facts = reduce_claim_query_identity },
};
static long last_is_other(const shape *sh, long i) { return i == sh->L - 1; }
static const induction wider_untied = { .kinds = wider_layers, .nkinds = 2, .bases = BASIS_EACH,
                                        .kind_of = last_is_other, .reshape = third_part };
static const induction wider_tied   = { .kinds = wider_layers, .nkinds = 1, .bases = BASIS_EACH,
    .reshape = third_part };

/* GELU is 0 to 2^-150 at -14: it hides nudges. */
static activation numbers_have(trial *t) { return claim_over(t, OVER_REALS) ? ACT_SILU : t->sh.act; }

static void by_d(trial *t)
{
    t->sh.act = numbers_have(t);
    t->sh.m = t->sh.d;
    t->sh.experts = 2;
    claim_by_induction(t);
}

typedef struct { activation act; norm_kind norm; long less; bool by_d, aligned; } how;

static void widen(trial *t, how w)
{
    scope *s = &t->s;
    basis at[2 * MAX_LAYERS + 1];
    shape sh = t->sh;
    sh.act = w.act != ACT_HALF_ODD ? w.act : numbers_have(t);
    sh.norm = w.norm;
    const long d = sh.d, L = sh.L, k = w.by_d ? d : d - sh.dk;
    const model M = in_parts(s, sh, k, sh.tied && !w.by_d);
    model G = M;
    if (w.aligned) align_queries(s, &G);
    for (long i = 0; i < L; i++) at[2 * i] = at[2 * i + 1] = gauge_basis(s, G.at[i].Q);
    at[2 * L] = sh.tied ? gauge_basis(s, mat_t(s, at[0].from)) : at[2 * L - 1];
    model R = gauge_stream(s, &G, at);
    R.s.experts = 3;
    for (long i = 0; i < L; i++) {
        R.at[i].Q = mat_identity(s, d);
        if (i < L - 1 || sh.tied) add_partners(s, &R.at[i], &G.at[i], at[2 * i], at[2 * i + 2], w.less);
    }
    claim_decided(t, "so many neurons more", R.at[0].expert[2].up->cols == k - w.less);
    claim_same_function(t, &M, &R);
}

static void by_d_less(trial *t)    { widen(t, (how){ ACT_HALF_ODD, NORM_NONE, 1, true, false }); }
static void free_phi(trial *t)     { widen(t, (how){ ACT_TANH, NORM_NONE, 0, true, false }); }
static void norm_present(trial *t) { widen(t, (how){ ACT_HALF_ODD, NORM_RMS, 0, true, false }); }
static void by_dk(trial *t)        { widen(t, (how){ ACT_HALF_ODD, NORM_NONE, 0, false, true }); }
static void by_dk_less(trial *t)   { widen(t, (how){ ACT_HALF_ODD, NORM_NONE, 1, false, true }); }
static void unaligned(trial *t)    { widen(t, (how){ ACT_HALF_ODD, NORM_NONE, 0, false, false }); }
static void free_phi_dk(trial *t)  { widen(t, (how){ ACT_TANH, NORM_NONE, 0, false, true }); }

#define LESS(body) { "one-less", body, "one neuron of $K$ has no partner and no share of $C$" }
#define FREE(body) { "free-phi", body, "$\\varphi(y) - \\varphi(-y) = y$ does not hold (tanh; any function)" }
static const control of_d[] = { LESS(by_d_less), FREE(free_phi),
                                { "norm-present", norm_present, "a norm does not commute with $\\Theta$" } };
static const control of_d_tied[] = { LESS(by_d_less), FREE(free_phi) };
static const control of_dk[] = { LESS(by_dk_less), FREE(free_phi_dk),
    { "unaligned", unaligned, "$D^i = I$: $\\Theta_{i+1} - \\Theta_i$ is not in the image of $W_u[:,K]$" } };
static const shape_case shapes[] = {
    { .sh = { .n = 3, .d = 4, .h = 2, .V = 5, .L = 2, .m = 4 } },
    { .sh = { .n = 4, .d = 6, .h = 3, .V = 7, .L = 3, .m = 6 } },
    { .sh = { .n = 3, .d = 6, .h = 2, .V = 6, .L = 2, .m = 6 } },
};
#define EVERYWHERE .kind = PART_IDENTITY, .no_large = true
#define CHAINED NOT_SYMBOLIC("symbolically the inverse of a sum is not rewritten")
static const part parts[] = {
    { .name = "as-stated",
      .models = "norm = none; attn_skip = 1; mlp_skip = 1; experts = 2; gated = 0; tied = 0; biases = 0; m = d",
      .run = by_d, .induction = &wider_untied, EVERYWHERE,
      CONTROLS(of_d),
      .assumes = "half-odd activation; invertible W_Q; invertible W_up; constrained W_router = none",
      .statement = "untied head: all $\\tilde W_Q^i = I$ with $d$ neurons more in each MLP but the last" },
    { .name = "as-stated-tied",
      .models = "norm = none; attn_skip = 1; mlp_skip = 1; experts = 2; gated = 0; biases = 0; m = d",
      .run = by_d, .induction = &wider_tied, EVERYWHERE,
      .prepare = all_skips_tied,
      CONTROLS(of_d_tied),
      .assumes = "half-odd activation; invertible W_Q; invertible W_up; constrained W_router = none",
      .statement = "tied head: the same with $d$ neurons more in each MLP" },
    { .name = "as-stated-fewer-neurons", .run = by_dk, EVERYWHERE, CHAINED, CONTROLS(of_dk),
      .statement = "untied head: $d - d_k$ neurons more in each MLP but the last" },
    { .name = "as-stated-fewer-tied-neurons", .run = by_dk, EVERYWHERE, CHAINED,
      .prepare = all_skips_tied, CONTROLS(of_dk),
      .statement = "tied head: $d - d_k$ neurons more in each MLP, $d$ in the last" },
};
static const claim N6 = {
    .id = "N6", .title = "query elimination with all skips by wider MLPs", .where = "",
    .hypotheses = "no normalization; all skips; $\\varphi(y) - \\varphi(-y) = y$; $W_Q^i \\in \\mathrm{GL}(d)$, "
                  "the first rows of $W_u[:,K]$ invertible; for $d - d_k$ neurons no RoPE, no QK-norm, and "
                  "$n_iW_Q^{i,a}$, $n_iW_Q^{i+1,a}$ invertible for every head, $n_iW_u^i[:,K] = 0$",
    .construction = "$\\Theta_i = W_Q^i D^i$, $\\Theta_{i+1} - \\Theta_i = W_u[:,K]C$: $\\tilde W_d[K] = "
                    "W_d[K]\\Theta_{i+1} + C$, new neurons $(-\\Theta_i^{-1}W_u[:,K], -C)$",
    .why = "Neurons $K$ and their partners carry the linear map $YW_u[:,K]C = Y(\\Theta_{i+1} - \\Theta_i)$ that the "
           "skip lacks. The gauge of K-P3.2 makes consecutive $\\Theta_i$ agree on $d_k$ dimensions, so $d - d_k$ "
           "neurons do.",
    .prepare = all_skips, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "N5 K-P3.2 K-T4.4",
};
THEOREM_PROGRAM(N6)
