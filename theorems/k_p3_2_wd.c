/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_p3_2_wd.c - K-P3.2-wd, does weight decay select a representative?
 *
 * Statement (000 4.1.2).  The pairs (W_Q D, W_K D^-T) are one class (Proposition 3.2); weight decay is said to bias
 * "the optimizer toward a particular representative within each equivalence class".
 *
 * What is missing.  (1) The least decay of a class is had by more than one pair: (A, B) and (A O, B O), O orthogonal,
 * are of one class and of one length.  (2) The optimizer is AdamW, which divides each entry of the gradient by a
 * number of its own.  It drives a pair of least decay away from it, in a direction that the loss chooses.
 *
 * What is true.  With A = W_Q D, B = W_K D^-T and W_Q^a W_K^a' = U_a S_a^2 V_a' (src/model/balanced.h),
 *     |A|^2 + |B|^2 = sum over heads of 2 tr S_a^2 + |A_a - U_a V_a' B_a|^2,
 * so the least decay is twice the sum of nuclear norms (N15 is one head).  The last term is |S (T - T^-T)|^2 at D = 1,
 * zero just where T is orthogonal: the pairs of least decay are one orbit of O(dk) per head.  And decay leads there
 * under gradient flow: L depends on P = W_Q W_K' alone, so with G = dL/dP
 *     W_Q. = -G W_K - c W_Q,   W_K. = -G' W_Q - c W_K,   (W_Q'W_Q - W_K'W_K). = -2 c (W_Q'W_Q - W_K'W_K),
 * since W_Q'G W_K and its transpose come from both matrices and cancel: what is not balanced dies out as e^(-2ct),
 * whatever the loss is, and without decay it stays as it was at the start.                                        */
#include "src/claim/shapes.h"
#include "src/model/balanced.h"
#include "src/claim/claim.h"

static const mat *inverse_t(scope *s, const mat *D) { return mat_t(s, mat_inv(s, D)); }
static const mat *gram(scope *s, const mat *A)      { return mat_mul(s, mat_t(s, A), A); }

/* ---- two pairs of least decay -------------------------------------------------------------------------- */

typedef enum { TURNED, ANY, SAME } second;
static void two_minima(trial *t, second how)
{
    scope *s = &t->s;
    const long r = t->sh.dk;
    const balanced_head w = balanced_planted(s, 0, t->sh.d, r);
    const mat *A = mat_mul(s, w.U, w.S), *B = mat_mul(s, w.V, w.S);
    const mat *O = how == TURNED ? mat_draw_orthogonal(s, "O", r)
                 : how == ANY ? balanced_weight(s, "O", 0, r, r) : mat_identity(s, r);
    const mat *AO = mat_mul(s, A, O), *BO = mat_mul(s, B, inverse_t(s, O));
    const mat *P = mat_mul(s, w.Q, mat_t(s, w.K));
    claim_equal(t, "A B' = W_Q W_K'", mat_mul(s, A, mat_t(s, B)), P);
    claim_equal(t, "(A O)(B O)' = W_Q W_K'", mat_mul(s, AO, mat_t(s, BO)), P);
    claim_equal(t, "decay of (A, B) = 2 |P|_*", balanced_decay(s, A, B), w.nuclear);
    claim_equal(t, "decay of (A O, B O) = 2 |P|_*", balanced_decay(s, AO, BO), w.nuclear);
    claim_differs(t, "A is not A O", A, AO);
}
static void two_turned(trial *t) { two_minima(t, TURNED); }
static void any_O(trial *t)      { two_minima(t, ANY); }
static void same_pair(trial *t)  { two_minima(t, SAME); }

/* ---- all heads ------------------------------------------------------------------------------------------ */

typedef enum { ALL_HEADS, ONE_NORM, FULL_D } slip;
static void heads(trial *t, slip how)
{
    scope *s = &t->s;
    const long d = t->sh.d, h = t->sh.h, r = t->sh.dk;
    const mat *Q[MAX_HEADS], *K[MAX_HEADS], *D[MAX_HEADS], *turned[MAX_HEADS], *norm = NULL;
    balanced_head w[MAX_HEADS];
    for (long a = 0; a < h; a++) {
        w[a] = balanced_planted(s, a, d, r);
        Q[a] = w[a].Q;
        K[a] = w[a].K;
        D[a] = balanced_weight(s, "D", a, r, r);
        norm = !norm ? w[a].nuclear : how == ONE_NORM ? norm : mat_add(s, norm, w[a].nuclear);
    }
    const mat *all_Q = mat_hcat(s, h, Q), *all_K = mat_hcat(s, h, K);
    claim_reduced(t, 2, (const mat **const[]){ &all_Q, &all_K });
    const mat *all_D = how == FULL_D ? balanced_weight(s, "full D", 0, h * r, h * r) : mat_blockdiag(s, h, D);
    const mat *A = mat_mul(s, all_Q, all_D), *B = mat_mul(s, all_K, inverse_t(s, all_D));
    for (long a = 0; a < h; a++)
        turned[a] = mat_mul3(s, w[a].U, mat_t(s, w[a].V), mat_cols(s, B, a * r, r));
    const mat *rest = mat_square_sum(s, mat_sub(s, A, mat_hcat(s, h, turned)));
    claim_equal(t, "decay = 2 sum |P_a|_* + a square", balanced_decay(s, A, B), mat_add(s, norm, rest));
}
static void all_heads(trial *t) { heads(t, ALL_HEADS); }
static void one_norm(trial *t)  { heads(t, ONE_NORM); }
static void full_D(trial *t)    { heads(t, FULL_D); }

/* W_Q - U V' W_K = U S (T - T^-T) */
static void excess(trial *t, bool inverted)
{
    scope *s = &t->s;
    balanced_head w = balanced_planted(s, 0, t->sh.d, t->sh.dk);
    claim_reduced(t, 2, (const mat **const[]){ &w.Q, &w.K });
    const mat *rest = mat_sub(s, w.Q, mat_mul3(s, w.U, mat_t(s, w.V), w.K));
    const mat *T = mat_mul(s, w.S, mat_sub(s, w.T, inverted ? inverse_t(s, w.T) : mat_t(s, w.T)));
    claim_equal(t, "W_Q - U V' W_K = U S (T - T^-T)", rest, mat_mul(s, w.U, T));
    claim_equal(t, "as long as S (T - T^-T)", mat_square_sum(s, rest), mat_square_sum(s, T));
}
static void orbit(trial *t)        { excess(t, true); }
static void not_inverted(trial *t) { excess(t, false); }

/* ---- the flow ------------------------------------------------------------------------------------------- */

typedef enum { PLAIN, RESCALED, UNTRANSPOSED, KEY_ONLY } flow;
typedef struct { const mat *Q, *K; } pair;

static const mat *decayed(scope *s, const mat *gradient, const mat *W, bool decays)    /* -(gradient + 3/32 W) */
{
    return mat_scale(s, -1, 0, decays ? mat_add(s, gradient, mat_scale(s, 3, -5, W)) : gradient);
}

/* Each entry times 1 + x^2, as by one over the root of AdamW's second moment. */
static const mat *rescaled(scope *s, const char *name, const mat *G)
{
    const mat *x = mat_draw(s, name, G->rows, G->cols, 0);
    return mat_hadamard(s, G, mat_add(s, mat_ones(s, G->rows, G->cols), mat_hadamard(s, x, x)));
}

static pair velocity(scope *s, pair w, flow how)
{
    const mat *G = mat_draw(s, "G", w.Q->rows, w.Q->rows, 0), *Gt = how == UNTRANSPOSED ? G : mat_t(s, G);
    pair g = { mat_mul(s, G, w.K), mat_mul(s, Gt, w.Q) };
    if (how == RESCALED) g = (pair){ rescaled(s, "x.Q", g.Q), rescaled(s, "x.K", g.K) };
    return (pair){ decayed(s, g.Q, w.Q, how != KEY_ONLY), decayed(s, g.K, w.K, true) };
}

static const mat *gram_velocity(scope *s, const mat *W, const mat *dW)                   /* (W'W). */
{
    const mat *half = mat_mul(s, mat_t(s, W), dW);
    return mat_add(s, half, mat_t(s, half));
}

static void dies_out(trial *t, flow how)
{
    scope *s = &t->s;
    const long d = t->sh.d, r = t->sh.dk;
    const pair w = { balanced_weight(s, "Q", 0, d, r), balanced_weight(s, "K", 0, d, r) };
    pair v = velocity(s, w, how);
    claim_reduced(t, 2, (const mat **const[]){ &v.Q, &v.K });
    const mat *change = mat_sub(s, gram_velocity(s, w.Q, v.Q), gram_velocity(s, w.K, v.K));
    const mat *defect = mat_sub(s, gram(s, w.Q), gram(s, w.K));
    claim_equal(t, "(W_Q'W_Q - W_K'W_K). = -2c (..)", change, mat_scale(s, -3, -4, defect));
}
static void gradient_flow(trial *t) { dies_out(t, PLAIN); }
static void untransposed(trial *t)  { dies_out(t, UNTRANSPOSED); }
static void key_only(trial *t)      { dies_out(t, KEY_ONLY); }
static void entrywise(trial *t)     { dies_out(t, RESCALED); }

static void leaves_balance(trial *t, flow how)
{
    scope *s = &t->s;
    const balanced_head b = balanced_planted(s, 0, t->sh.d, t->sh.dk);
    const pair w = { mat_mul(s, b.U, b.S), mat_mul(s, b.V, b.S) }, v = velocity(s, w, how);
    claim_equal(t, "balanced: W_Q'W_Q = W_K'W_K", gram(s, w.Q), gram(s, w.K));
    claim_differs(t, "and not for long", gram_velocity(s, w.Q, v.Q), gram_velocity(s, w.K, v.K));
}
static void adamw(trial *t)      { leaves_balance(t, RESCALED); }
static void plain_flow(trial *t) { leaves_balance(t, PLAIN); }

static const control of_minima[] = {
    { "any-O",     any_O,     "$O$ not orthogonal: of one class, but longer" },
    { "same-pair", same_pair, "$O = I$" },
};
static const control of_adamw[] = { { "plain-flow", plain_flow, "the gradient itself keeps a pair balanced" } };
static const control of_heads[] = {
    { "one-norm", one_norm, "the nuclear norm of the first head alone" },
    { "full-d",   full_D,   "$D$ mixes the heads" },
};
static const control of_orbit[] = { { "not-inverted", not_inverted, "$T - T^\\top$ in place of $T - T^{-\\top}$" } };
static const control of_flow[] = {
    { "untransposed", untransposed, "$\\dot W_K = -GW_Q - cW_K$" },
    { "key-only",     key_only,     "$W_K$ alone decays" },
    { "entrywise",    entrywise,    "every entry of the gradient has a factor of its own" },
};
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(1, 4, 2, 1, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(1, 6, 2, 1, MASK_CAUSAL) },
    { .sh = ATTENTION_SHAPE(1, 6, 3, 1, MASK_CAUSAL) },
};
#define NOT_SYM .no_large = true, NOT_SYMBOLIC("entrywise squares are opaque there")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = two_turned, .no_minimal = true, NOT_SYM,
      .quantity = "2\\|P\\|_*", .shown_by = "decay of (A O, B O) = 2 |P|_*",
      .statement = "one representative: $(A, B)$ and $(AO, BO)$, $O$ orthogonal, are two of one class, and both have "
                   "the least decay $2\\|P\\|_*$", .basis = "witness: random $O$",
      CONTROLS(of_minima) },
    { .name = "as-stated-adamw", .kind = PART_GAP, .run = adamw, .no_minimal = true, NOT_SYM,
      .quantity = "a pair of least decay", .shown_by = "and not for long",
      .statement = "chosen by decay: where each entry of the gradient is divided by a number of its own, as in AdamW, "
                   "a pair of least decay does not stay one", .basis = "witness: random factors",
      CONTROLS(of_adamw) },
    { .name = "corrected", .kind = PART_IDENTITY, .run = all_heads, NOT_SYM,
      .statement = "$|W_QD|^2 + |W_KD^{-\\top}|^2 = 2\\sum_a\\|W_Q^aW_K^{a\\top}\\|_* + \\sum_a|A_a - U_aV_a^\\top "
                   "B_a|^2$ for every $D = \\mathrm{diag}(D_1, \\ldots, D_h)$",
      .basis = "exact identity; that a square is not negative gives the bound",
      CONTROLS(of_heads) },
    { .name = "corrected-orthogonal-orbit", .kind = PART_IDENTITY, .run = orbit, NOT_SYM,
      .statement = "the square is $|S(T - T^{-\\top})|^2$, zero for orthogonal $T$ only: an orbit of $O(d_k)$",
      CONTROLS(of_orbit) },
    { .name = "corrected-flow", .kind = PART_IDENTITY, .run = gradient_flow, .no_large = true,
      .statement = "gradient flow with decay $c$: $\\dot\\Delta = -2c\\Delta$ for $\\Delta = W_Q^\\top W_Q - W_K^\\top "
                   "W_K$, whatever the loss ($c = 3/32$)", CONTROLS(of_flow) },
};
static const quotation quotes[] = {
    { TEXT_000, "Section 4.1.2", "In practice, weight decay partly addresses these degrees of freedom by "
      "biasing the optimizer toward a particular representative within each equivalence class." },
};
static const claim K_P3_2_WD = {
    .id = "K-P3.2-wd", .title = "weight decay selects a representative", .where = "000 Section 4.1.2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$W_Q^a$, $W_K^a$ of full rank; for the flow, a loss of $P = W_QW_K^\\top$ alone, and decay of both "
                  "matrices with one coefficient",
    .construction = "$W_Q^aW_K^{a\\top} = U_aS_a^2V_a^\\top$, $W_Q^a = U_aS_aT_a$, $W_K^a = V_aS_aT_a^{-\\top}$",
    .why = "Turn both matrices of a pair by one orthogonal $O$: $(AO)(BO)^\\top = AB^\\top$ and $|AO| = |A|$, so "
           "neither the function nor the decay changes, and no decay can prefer one of the two.  What decay fixes is "
           "the orbit $A^\\top A = B^\\top B$ with the least value $2\\|P\\|_*$.  Gradient flow approaches it like "
           "$e^{-2ct}$, for $W_Q^\\top GW_K$ and its transpose cancel.  AdamW, which the papers use, rescales entries, "
           "and the cancellation is lost.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-P3.2 N15",
};
THEOREM_PROGRAM(K_P3_2_WD)
