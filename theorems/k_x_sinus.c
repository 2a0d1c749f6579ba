/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_sinus.c - K-X-sinus, query weight elimination with fixed sinusoidal positions.
 *
 * Statement.  Theorem 4.2 for an original with positions P_t = (cos t w_i, sin t w_i), i < d/2, that are no weights:
 * the reduced model needs positions of its own, P~ = P Theta, learned like a weight.  (The papers' positions are
 * weights; they say nothing of fixed ones.)
 *
 * Why it works.  P may be anything in the proof, so also sinusoidal.  P Theta costs nothing where positions are a
 * table; P W_P with one d x d matrix W_P = Theta costs what W_Q saved.
 *
 * Why positions must become free.  The reduced stream must begin with X_0 Theta = T E Theta + P Theta.  If P stays,
 * the embedding has to make up for it: E~_v + P_t = (E_v + P_t) Theta for every token v at every place t, so
 *     E~_v = E_v Theta + P_t (Theta - I)        must not depend on t:        (P_s - P_t)(Theta - I) = 0.
 * With d + 1 places the differences P_t - P_0 span R^d, hence Theta = I.  Shown here: the d differences are a basis
 * (their matrix has an inverse), W_Q is not block-diagonal, and the logits of the model with Theta = W_Q, P~ = P
 * and the E~ that fits place 0 differ.  It is not shown that no other model with P~ = P and W_Q = I is the
 * same function.  If all places had the same P, the logits would agree: the control same-place.              */
#include "src/claim/reduce.h"

static void one_layer(shape *sh) { reduce_switches(sh, ONE_LAYER); }

/* Row t: (cos t w_i, sin t w_i), as a rotation of (1, 0) by place; w_i = 10000^(-2i/d). */
static const mat *sinusoids(scope *s, long n, long d)
{
    const mat *pair = mat_cols(s, mat_identity(s, 2), 0, 1), **all = scope_alloc(s, (size_t)d * sizeof *all);
    for (long i = 0; i < d / 2; i++) all[i] = pair;
    return mat_rotate(s, mat_mul(s, mat_ones(s, n, 1), mat_t(s, mat_vcat(s, d / 2, all))));
}

static const mat *same_rows(scope *s, long n, const mat *row) { return mat_mul(s, mat_ones(s, n, 1), row); }

/* A model with positions P, reduced by Theta = W_Q^1. */
static model_pair reduce_with(scope *s, const shape *sh, const mat *P)
{
    model M = model_random(s, *sh);
    M.P = P;
    return reduce_model(s, &M, ONE_LAYER);
}

/* P~ = P and E~ = E Theta + P_0 (Theta - I) */
static void kept_positions(trial *t, const mat *P)
{
    scope *s = &t->s;
    model_pair r = reduce_with(s, &t->sh, P);
    const mat *P_0 = mat_rows(s, P, 0, 1), *change = mat_sub(s, mat_rows(s, r.R.P, 0, 1), P_0);
    r.R.P = P;
    r.R.E = mat_add(s, r.R.E, same_rows(s, r.M.s.V, change));
    claim_differs(t, "logits", model_forward(s, &r.M), model_forward(s, &r.R));
}

static void fixed(trial *t)
{
    scope *s = &t->s;
    const long n = t->sh.n, d = t->sh.d, dk = t->sh.dk;
    const mat *P = sinusoids(s, n, d), *block[MAX_HEADS];
    const mat *P_0 = same_rows(s, d, mat_rows(s, P, 0, 1)), *others = mat_rows(s, P, 1, d);
    const mat *back = mat_inv(s, mat_sub(s, others, P_0));
    claim_equal(t, "the P_t - P_0 are a basis", mat_mul(s, back, others),
                mat_add(s, mat_identity(s, d), mat_mul(s, back, P_0)));
    const model M = model_random(s, t->sh);
    for (long a = 0; a < t->sh.h; a++) block[a] = mat_rows(s, mat_cols(s, M.at[0].Q, a * dk, dk), a * dk, dk);
    claim_differs(t, "W_Q and its diagonal blocks", M.at[0].Q, mat_blockdiag(s, t->sh.h, block));
    kept_positions(t, P);
}

static void same_place(trial *t)
{
    kept_positions(t, same_rows(&t->s, t->sh.n, mat_draw(&t->s, "p", 1, t->sh.d, 0)));
}

static void sinusoidal(scope *s, model *M) { M->P = sinusoids(s, M->s.n, M->s.d); }
static const layer_kind layers[] = { QUERY_LAYER, OTHER_LAYER };
static const induction free_positions = {
    .kinds = layers, .nkinds = 2, .bases = BASIS_ONE, .plant_ends = sinusoidal };

static void positions_left(trial *t)
{
    model_pair r = reduce_with(&t->s, &t->sh, sinusoids(&t->s, t->sh.n, t->sh.d));
    r.R.P = r.M.P;
    claim_same_function(t, &r.M, &r.R);
}

static const shape_case shapes[] = {
    { .sh = { .n = 5, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL } },
    { .sh = { .n = 7, .d = 6, .h = 3, .m = 9, .V = 7, .L = 2, .mask = MASK_FULL } },
    { .sh = { .n = 9, .d = 8, .h = 2, .m = 9, .V = 6, .L = 2, .mask = MASK_ARBITRARY } },
};
static const control equal_places[] = { { "same-place", same_place, "all places have the same vector" } };
static const control left[] = { { "P-left-alone", positions_left, "$\\tilde E_P = E_P$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = claim_by_induction, .no_large = true,
      .induction = &free_positions, .assumes = "invertible W_Q",
      .statement = "sinusoidal positions in the original, free positions $\\tilde E_P = E_P\\Theta$ in the reduced "
                   "model: the same function",
      CONTROLS(left), .without = "sym",
      .why_without = "sinusoids are opaque there; for any positions it is K-T4.2" },
    { .name = "as-stated-fixed", .kind = PART_IDENTITY, .run = fixed, .no_large = true, .no_minimal = true,
      .statement = "with $\\Theta = W_Q$, $\\tilde E_P = E_P$ sinusoidal and the $\\tilde E$ that fits place 0 the "
                   "logits differ; the $d$ differences $P_t - P_0$ are a basis, so that $(P_s - P_t)(\\Theta - I) = 0$ "
                   "for all places only if $\\Theta = I$",
      CONTROLS(equal_places),
      .without = "fp q sym",
      .why_without = "sinusoids are opaque to fp; q has room for three tokens; sym never says that matrices differ" },
};
static const claim K_X_SINUS = {
    .id = "K-X-sinus", .title = "fixed sinusoidal positions must become free",
    .where = "new; the papers' positions are weights",
    .hypotheses = "no normalization; all skips; untied head; $P_t = (\\cos t\\omega_i, \\sin t\\omega_i)_{i < d/2}$; "
                  "$W_Q^j \\in \\mathrm{GL}(d)$",
    .construction = "$\\Theta = W_Q^j$; $\\tilde E_P = E_P\\Theta$ is free",
    .why = "The proof of Theorem 4.2 takes any positions.  If $P$ stays, the embedding must make up for it: "
           "$\\tilde E_v + P_t = (E_v + P_t)\\Theta$ for every token $v$ at every place $t$, so $\\tilde E_v = "
           "E_v\\Theta + P_t(\\Theta - I)$ must not depend on $t$.  The differences of $d + 1$ sinusoidal places span "
           "$\\mathbb R^d$ (shown for $d = 4, 6, 8$), hence $\\Theta = I$.  A learned $\\tilde E_P$ is what the "
           "theorem means.",
    .prepare = one_layer, .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-P3.2",
};
THEOREM_PROGRAM(K_X_SINUS)
