/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_qknorm.c - K-X-qknorm, normed queries and keys.
 *
 * Statement.  The reduction extends to QK-normalization, where head a computes its scores from N(x W_Q^a) g_q and
 * N(x W_K^a) g_k, with N(v) = v / sqrt(|v|^2/dk + eps) and gains g_q, g_k.
 *
 * Construction.  As in Theorems 4.2, 4.3 and 4.4; the gains stay.
 *
 * Why it works.  N acts behind the projections (Observation 3.1), where Theta is gone.  So much holds for any N.
 *
 * What does not survive.  Proposition 3.2 keeps orthogonal D_a only (then D_a^-T = D_a, and N(v D_a) = N(v) D_a since
 * |v D_a| = |v|), and among them those that commute with the diagonal matrix G = diag(g_q g_k), because the
 * scores become N(q) D_a G D_a' N(k)'.  Nothing else: suppose N(qD) G (N(k D^-T))' = N(q) G N(k)' for all q, k.
 * Small q and k give D G D^-1 = G; then rho(|qD|^2) rho(|k D^-T|^2) = rho(|q|^2) rho(|k|^2) with rho(s) = (s/dk +
 * eps)^-1/2 where q G k' != 0, and k -> 0 gives rho(|qD|^2) = rho(|q|^2), |qD| = |q|.  So with unit gains it is
 * O(dk) per head, with different products g_q g_k only signs.  Proposition 4.1 fails (controls of K-P4.1).   */
#include "src/claim/reduce.h"
#include "src/claim/shapes.h"

static void one_layer(shape *sh)      { reduce_switches(sh, ONE_LAYER);      sh->qk_norm = true; }
static void shared_block(shape *sh)   { reduce_switches(sh, SHARED_BLOCK);   sh->qk_norm = true; }
static void attention_skip(shape *sh) { reduce_switches(sh, ATTENTION_SKIP); sh->qk_norm = true; }
static void plain(shape *sh)          { reduce_switches(sh, ONE_LAYER); }   /* norms are put in by the body */

/* N(X W^a) g for every head: a norm rho(|v|^2) v of which nothing else is known */
static const mat *normed(scope *s, const shape *sh, const mat *A, const mat *gain, int which)
{
    const mat *head[MAX_HEADS];
    for (long a = 0; a < sh->h; a++) {
        const mat *v = mat_cols(s, A, a * sh->dk, sh->dk);
        head[a] = mat_mul(s, mat_norm(s, v, NORM_RADIAL, -17, (place){ 0, which, (int)a }), gain);
    }
    return mat_hcat(s, sh->h, head);
}

static const mat *attend(scope *s, const model *M, const mat *X, const mat *gain)
{
    const layer *W = &M->at[0];
    const mat *Q = normed(s, &M->s, mat_mul(s, X, W->Q), gain, PLACE_QUERY);
    const mat *K = normed(s, &M->s, mat_mul(s, X, W->K), gain, PLACE_KEY);
    return model_attention_of(s, M, 0, Q, K, mat_mul(s, X, W->V));
}

typedef enum { ORTHOGONAL, COMMUTING, GENERIC } kind_of_D;

/* D_a orthogonal of size dk; or of two blocks, which commute with diag(2 I, 3 I); or any */
static const mat *draw_D(scope *s, long a, long dk, kind_of_D kind)
{
    char name[3][40];
    for (int k = 0; k < 3; k++) snprintf(name[k], sizeof name[k], "D%d.%ld", k, a);
    if (kind == GENERIC)    return mat_draw(s, name[2], dk, dk, mat_log2_fan_in(dk));
    if (kind == ORTHOGONAL) return mat_draw_orthogonal(s, name[2], dk);
    const mat *block[] = { mat_draw_orthogonal(s, name[0], dk / 2), mat_draw_orthogonal(s, name[1], dk - dk / 2) };
    return mat_blockdiag(s, 2, block);
}

static void turned(trial *t, kind_of_D kind, bool unit_gain)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    const long dk = M.s.dk, low = dk / 2;
    const mat *gain = mat_identity(s, dk), *D[MAX_HEADS];
    if (!unit_gain)
        gain = mat_blockdiag(s, 2, (const mat *[]){ mat_scalar(s, low, 2, 0), mat_scalar(s, dk - low, 3, 0) });
    model R = M;
    for (long a = 0; a < M.s.h; a++) D[a] = draw_D(s, a, dk, kind);
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *all = mat_blockdiag(s, M.s.h, D);
    R.at[0].Q = mat_mul(s, M.at[0].Q, all);
    R.at[0].K = kind == GENERIC ? mat_mul(s, M.at[0].K, mat_t(s, mat_inv(s, all))) : mat_mul(s, M.at[0].K, all);
    claim_reduced(t, 2, (const mat **const[]){ &R.at[0].Q, &R.at[0].K });
    claim_equal(t, "self-attention", attend(s, &M, X, gain), attend(s, &R, X, gain));
}
static void orthogonal(trial *t)       { turned(t, ORTHOGONAL, true); }
static void commuting(trial *t)        { turned(t, COMMUTING, false); }
static void generic(trial *t)          { turned(t, GENERIC, true); }
static void orthogonal_gains(trial *t) { turned(t, ORTHOGONAL, false); }

static void query_left(trial *t)
{
    model_pair r = reduce_by_table(t);
    r.R.at[1].Q = r.M.at[1].Q;
    claim_same_function(t, &r.M, &r.R);
}

static void turned_layer(trial *t)
{
    model_pair r = reduce_by_table(t);
    reduce_turn_queries_and_keys(&t->s, &r.R.s, &r.R.at[1]);
    claim_same_function(t, &r.M, &r.R);
}

static const control left[]  = { { "query-left-alone", query_left, "$\\tilde W_Q = W_Q$ in another layer" } };
static const control both[]  = {
    { "query-left-alone", query_left,   "$\\tilde W_Q = W_Q$ in another layer" },
    { "generic-D",        turned_layer, "$W_QD$ and $W_KD^{-\\top}$ in another layer: norms stand between them" } };
static const control unit[]  = { { "generic-D", generic, "$D_a$ and $D_a^{-\\top}$ not orthogonal: norms change" } };
static const control gains[] = { { "gains-mixed", orthogonal_gains, "$D_a$ mixes coordinates of different gains" } };
static const shape_case shapes[] = {
    { .sh = { .n = 4, .d = 4, .h = 1, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL } },
    { .sh = { .n = 5, .d = 8, .h = 2, .m = 9, .V = 7, .L = 2, .mask = MASK_FULL } },
    { .sh = { .n = 3, .d = 12, .h = 2, .m = 9, .V = 6, .L = 2, .mask = MASK_ARBITRARY } },
};
static const part parts[] = {
    INDUCTIVE_PART("as-stated", reduction_one_layer, one_layer, .models = "norm = none; tied = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(left), NO_ROOTS,
                 .statement = "Theorem 4.2 with normed queries and keys and any gains"),
    INDUCTIVE_PART("as-stated-theorem-4.3", reduction_shared_block, shared_block,
                   .models = "norm = none; shared = 1; tied = 0",
                   .assumes = "invertible W_Q",
                 NO_ROOTS, CONTROLS(both),
                 .statement = "Theorem 4.3 likewise"),
    INDUCTIVE_PART("as-stated-theorem-4.4", reduction_attention_skip, attention_skip,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   .assumes = "invertible W_Q",
                 NO_ROOTS, CONTROLS(left), .statement = "Theorem 4.4 likewise"),
    REDUCED_PART("as-stated-proposition-3.2", orthogonal, plain, .assumes = "orthogonal D2",
                 .models = "given attention; given norm; norm = radial; h_kv = h; rope = 0; qk_norm = 0",
                 NO_ROOTS, CONTROLS(unit),
                 .statement = "Proposition 3.2 for orthogonal $D_a$, with unit gains and any norm $\\rho(|v|^2)v$"),
    REDUCED_PART("as-stated-gain", commuting, plain, .assumes = "orthogonal D0; orthogonal D1; d_k >= 2",
                 .models = "given attention; given norm; norm = radial; h_kv = h; rope = 0; qk_norm = 0",
                 NO_ROOTS, CONTROLS(gains),
                 .statement = "Proposition 3.2 with gains $(2,..,2,3,..,3)$ for orthogonal $D_a$ of two blocks, which "
                              "commute with them"),
};
static const quotation quotes[] = {
    { TEXT_003, "Section 6", "Technical directions include untied embedding configurations and QK-normalization "
      "compatibility (Henry et al., 2020)." },
    { TEXT_000, "Section 6", "Mixture-of-Experts [jacobs1991adaptive, shazeer2017outrageously], as well as "
      "QK-normalization [henry2020querykey]." },
};
static const char *const judged[] = {
    "QK-normalization compatibility",
};
static const quotation standing[] = {
    { TEXT_000, "Section 6", "The reduction mechanism relies only on a linear projection structure and extends "
      "to:" },
};
static const claim K_X_QKNORM = {
    .id = "K-X-qknorm", .title = "normed queries and keys", .where = "003 Section 6; 000 Section 6",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .judged = judged, .njudged = COUNT(judged), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "as Theorems 4.2, 4.3, 4.4, the $W_Q$ that become $I$ in $\\mathrm{GL}(d)$; scores of "
                  "$N(xW_Q^a)g_q$ and $N(xW_K^a)g_k$",
    .construction = "as in the theorems; the gains stay",
    .why = "The norms act behind the projections, where $\\Theta$ is gone.  Proposition 3.2 keeps orthogonal $D_a$ "
           "only, which leave $|v|$ alone, and of these the ones that commute with $\\mathrm{diag}(g_qg_k)$: the "
           "scores become $N(q)D_aGD_a^\\top N(k)^\\top$.  For small $q$ and $k$ invariance says $D_aGD_a^{-1} = G$; "
           "letting $k$ alone go to 0 it says $|qD_a| = |q|$, so there are no others.  Proposition 4.1 fails.",
    .models = "h_kv = h; rope = 0; qk_norm = 0",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-O3.1 K-T4.2 K-T4.3 K-T4.4 K-P3.2",
};
THEOREM_PROGRAM(K_X_QKNORM)
