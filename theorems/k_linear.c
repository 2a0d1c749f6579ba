/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_linear.c - K-linear, attention scores linear in the learned weights.
 *
 * Statement.  With W_Q = I (or W_K = I) the attention scores are linear in the learned weights; with both
 * learned they are quadratic.
 *
 * Construction.  For fixed X, head by head:  l(A, B) = (X A)^a ((X B)^a)'.
 *
 * Why it works.  l is linear in A and linear in B.  With A = I only B is left; with both it is a quadratic
 * form: its second difference l(W + D) - 2 l(W) + l(W - D) is 2 l(D), a constant, and not 0.
 *
 * X itself depends on the weights of earlier layers and of the embedding, in which the scores are not
 * linear.  Values are no factor of the scores, so W_V = I leaves both of theirs.                    */
#include "src/claim/claim.h"

static void one_layer(shape *sh)
{
    sh->L = sh->m = sh->V = 1;
}

/* l(A, B), n x h n; the factor dk^-1/2 changes nothing here */
static const mat *scores(scope *s, const shape *sh, const mat *X, const mat *A, const mat *B)
{
    const mat *Q = mat_mul(s, X, A), *K = mat_mul(s, X, B), *head[MAX_HEADS];
    for (long a = 0; a < sh->h; a++)
        head[a] = mat_mul(s, mat_cols(s, Q, a * sh->dk, sh->dk), mat_t(s, mat_cols(s, K, a * sh->dk, sh->dk)));
    return mat_hcat(s, sh->h, head);
}

/* S of the model from these scores: what the model's attention makes of them. */
static const mat *attend(scope *s, const model *M, const mat *X, const mat *l)
{
    const mat *V = mat_mul(s, X, M->at[0].V), *head[MAX_HEADS];
    const rowmap how = { .kind = M->s.attention, .visible = M->visible,
                         .scale_num = M->s.scale_num, .scale_den = M->s.scale_den };
    for (long a = 0; a < M->s.h; a++) {
        const mat *of_head = mat_cols(s, l, a * X->rows, X->rows);
        const mat *A = mat_rowmap(s, of_head, &how, (place){ 0, PLACE_ATTENTION, (int)a });
        head[a] = mat_mul(s, A, mat_cols(s, V, a * M->s.dk, M->s.dk));
    }
    return mat_hcat(s, M->s.h, head);
}

static const mat *combine(scope *s, const mat *U, const mat *W)      /* 3 U - 2 W */
{
    return mat_sub(s, mat_scale(s, 3, 0, U), mat_scale(s, 2, 0, W));
}

static const mat *draw(scope *s, const shape *sh, const char *name)
{
    return mat_draw_weight(s, name, sh->d, sh->d);
}

/* Is l(3 U - 2 W) = 3 l(U) - 2 l(W), where the weights that were not eliminated are learned? */
typedef enum { QUERY, KEY, VALUE, NONE } eliminated;
static void is_linear(trial *t, eliminated which, bool stream_learned)
{
    scope *s = &t->s;
    const shape *sh = &t->sh;
    const mat *X[3], *A[3], *B[3], *I = mat_identity(s, sh->d), *l[3];
    static const char *const name[2][2] = { { "W_Q", "W_Q too" }, { "W_K", "W_K too" } };
    const mat *V = which == VALUE ? draw(s, sh, "W_V") : I;                          /* Theta = W_V */
    X[0] = mat_draw(s, "X", sh->n, sh->d, 0);
    X[1] = stream_learned ? mat_draw(s, "X too", sh->n, sh->d, 0) : X[0];
    for (int k = 0; k < 2; k++) {
        if (which == VALUE) X[k] = mat_mul(s, X[k], V);
        A[k] = which == QUERY ? I : draw(s, sh, name[0][k]);
        B[k] = which == KEY   ? I : draw(s, sh, name[1][k]);
    }
    X[2] = stream_learned ? combine(s, X[0], X[1]) : X[0];
    A[2] = which == QUERY ? I : combine(s, A[0], A[1]);
    B[2] = which == KEY   ? I : combine(s, B[0], B[1]);
    claim_reduced(t, 1, (const mat **[]){ which == QUERY ? &B[2] : &A[2] });
    for (int k = 0; k < 3; k++) l[k] = scores(s, sh, X[k], A[k], B[k]);
    claim_equal(t, "l(3 U - 2 W) = 3 l(U) - 2 l(W)", combine(s, l[0], l[1]), l[2]);
    claim_reduced(t, 1, (const mat **[]){ &l[0] });
    model M = model_random(s, *sh);
    M.at[0].Q = A[0];
    M.at[0].K = B[0];
    claim_equal(t, "l are the scores of the model", model_self_attention(s, &M, 0, X[0]), attend(s, &M, X[0], l[0]));
}

/* Is l(c W) = c^degree l(W), and the second difference 2 l(D)?  W and D are pairs. */
static void is_quadratic(trial *t, bool degree_one, bool no_curvature)
{
    scope *s = &t->s;
    const shape *sh = &t->sh;
    const mat *X = mat_draw(s, "X", sh->n, sh->d, 0), *Q = draw(s, sh, "W_Q"), *K = draw(s, sh, "W_K");
    const mat *D = draw(s, sh, "D_Q"), *F = draw(s, sh, "D_K"), *l = scores(s, sh, X, Q, K);
    const mat *up = scores(s, sh, X, mat_add(s, Q, D), mat_add(s, K, F));
    const mat *down = scores(s, sh, X, mat_sub(s, Q, D), mat_sub(s, K, F));
    const mat *second = mat_sub(s, mat_add(s, up, down), mat_scale(s, 2, 0, l));
    const mat *curvature = no_curvature ? mat_zero(s, l->rows, l->cols) : mat_scale(s, 2, 0, scores(s, sh, X, D, F));
    const mat *tripled = mat_scale(s, 3, 0, Q);
    claim_reduced(t, 1, (const mat **[]){ &tripled });
    const mat *at_3W = scores(s, sh, X, tripled, mat_scale(s, 3, 0, K));
    claim_equal(t, "l(3 W) = 9 l(W)", mat_scale(s, degree_one ? 3 : 9, 0, l), at_3W);
    claim_equal(t, "second difference", second, curvature);
}

static void query_eliminated(trial *t) { is_linear(t, QUERY, false); }
static void key_eliminated(trial *t)   { is_linear(t, KEY, false); }
static void value_eliminated(trial *t) { is_linear(t, VALUE, false); }
static void full_pair(trial *t)        { is_linear(t, NONE, false); }
static void stream_learned(trial *t)   { is_linear(t, QUERY, true); }
static void key_stream(trial *t)       { is_linear(t, KEY, true); }
static void quadratic(trial *t)        { is_quadratic(t, false, false); }
static void degree_one(trial *t)       { is_quadratic(t, true, false); }
static void no_curvature(trial *t)     { is_quadratic(t, false, true); }

static const control of_query[] = {
    { "full-pair",        full_pair,        "$W_Q$ and $W_K$ are both learned" },
    { "value-eliminated", value_eliminated, "$\\tilde W_V = I$: queries and keys are both learned still" },
    { "stream-learned",   stream_learned,   "X is learned as well, as the layers before make it" },
};
static const control of_key[] = {
    { "full-pair",      full_pair,  "$W_Q$ and $W_K$ are both learned" },
    { "stream-learned", key_stream, "X is learned as well, as the layers before make it" },
};
static const control of_pair[] = {
    { "degree-one",   degree_one,   "$\\ell(3W) = 3\\ell(W)$" },
    { "no-curvature", no_curvature, "the second difference is 0" },
};
static const part parts[] = {
    { .name = "as-stated", .models = "d = h d_k; constrained W_Q = I; h_kv = h; biases = 0; rope = 0; qk_norm = 0",
      .kind = PART_IDENTITY, .run = query_eliminated,
      .statement = "$W_Q = I$ and fixed $X$: the scores of every head are linear in $W_K$",
      CONTROLS(of_query) },
    { .name = "as-stated-key", .models = "d = h d_k; constrained W_K = I; h_kv = h; biases = 0; rope = 0; qk_norm = 0",
      .kind = PART_IDENTITY, .run = key_eliminated, .no_large = true,
      .statement = "$W_K = I$ and fixed $X$: the scores of every head are linear in $W_Q$",
      CONTROLS(of_key) },
    { .name = "as-stated-both", .models = "d = h d_k", .kind = PART_IDENTITY, .run = quadratic, .no_large = true,
      .statement = "$\\ell(3W) = 9\\ell(W)$ and $\\ell(W+D) - 2\\ell(W) + \\ell(W-D) = 2\\ell(D)$ for pairs "
                   "$W = (W_Q, W_K)$ and $D$: quadratic",
      CONTROLS(of_pair) },
};
static const quotation quotes[] = {
    { TEXT_003, "abstract", "If applied to the Query or Key weights, this also simplifies optimization: "
      "attention logits become linear rather than quadratic in learned weights." },
    { TEXT_003, "Section 6", "Setting $W_Q = \\text{Id}$ provides implicit regularization: attention logits become "
      "linear rather than quadratic in learned parameters, and every coordinate slice directly participates in "
      "attention, potentially encouraging more uniform gradient flow." },
    { TEXT_000, "abstract", "If applied to the Query or Key weights, this also simplifies optimization: "
      "attention logits depend on a single learned weight matrix rather than on a product of two." },
    { TEXT_000, "Section 5.1", "In the standard architecture, attention logits depend on the product , "
      "quadratic in the learned weight matrices; in the reduced architecture, the logits are linear in alone, "
      "which admits higher learning rates." },
};
static const char *const judged[] = {
    "attention logits become linear rather than quadratic in learned weights",
    "attention logits become linear rather than quadratic in learned parameters",
    "attention logits depend on a single learned weight matrix rather than on a product of two",
    "in the reduced architecture, the logits are linear in alone",
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_LINEAR = {
    .id = "K-linear", .title = "scores linear instead of quadratic in the learned weights",
    .where = "003 abstract, Sections 1 and 6; 000 abstract, Sections 5.1 and 6",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .judged = judged, .njudged = COUNT(judged), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "the scores of one layer, its input $X$ fixed",
    .construction = "$\\ell(W_Q, W_K) = (XW_Q^a)(XW_K^a)^\\top$ for each head $a$",
    .why = "$\\ell$ is bilinear. With one of its two arguments the identity, it is linear in the other; with "
           "both learned it is a quadratic form.",
    .prepare = one_layer, .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1",
};
THEOREM_PROGRAM(K_LINEAR)
