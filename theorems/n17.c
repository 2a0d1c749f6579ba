/* SPDX-License-Identifier: GPL-3.0-or-later
 * n17.c - N17, how training sees a reparametrization: gradients follow the chain rule, optimizers do not follow it.
 *
 * Statement.  Reduced and original model of Theorem 4.2 (Theta = W_Q^1), logits F~(W~) = F(W):
 *   (1) dF~[H~] = dF[H] for H = Theta H~ (matrices that read the stream), H = H~ Theta^-1 (that write to it), so
 * gradients
 *       of any loss are  G~ = Theta' G  and  G~ = G Theta'^-1;
 *   (2) gradient descent commutes with the reparametrization for orthogonal Theta only: Theta^-1 (W - e G) against
 *       Theta^-1 W - e Theta' G;  (3) the first step of Adam, W - e G/sqrt(G o G + eps), not even then, for it has no
 *       scale (for permutations it does);  (4) decay shrinks W_K and W_Q = Theta alike, so W_K~ = Theta^-1 W_K stays,
 * but in
 *       the reduced model W_K~ itself shrinks (with Theta fixed the two would agree).
 *
 * Why it works.  (1) is the chain rule for W = Theta W~ or W~ Theta^-1; in (2) Theta^-1 = Theta' iff Theta is
 * orthogonal.  The same functions are trained along another path; nothing in the theorems says otherwise.
 *
 * Derivatives are exact (src/model/dual.h): dual numbers, not differences; a part of its own checks them against the
 * five-point rule, which is exact where the logits are cubic in the weights.                                  */
#include "src/claim/shapes.h"
#include "src/model/dual.h"
#include "src/claim/reduce.h"

static void with_tanh(shape *sh) { reduce_switches(sh, ONE_LAYER); sh->act = ACT_TANH; }

static void polynomial(shape *sh)
{
    with_tanh(sh);
    sh->act = ACT_IDENTITY;
    sh->attention = ROWMAP_LINEAR;
    sh->scale_num = sh->scale_den = 1;
}

static const mat *direction(scope *s, const mat *like, long i, int which)
{
    return mat_draw_at(s, "H", i, which, like->rows, like->cols, -2);
}

/* ---- (0) the derivative is right: 12 F'(0) = 8 (F(1) - F(-1)) - (F(2) - F(-2)) for cubics ------------------- */

static void five_points(trial *t, long weight_of_two)
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    for (long i = 0; i < 2; i++)
        for (weight_kind w = QUERY; w <= DOWN; w++) {
            model along = dual_no_direction(&M), moved = M;
            const mat *W = *dual_weight(&moved, i, w), *H = direction(s, W, i, (int)w), *F[5];
            *dual_weight(&along, i, w) = H;
            for (long k = -2; k <= 2; k++) {
                *dual_weight(&moved, i, w) = mat_add(s, W, mat_scale(s, k, 0, H));
                F[k + 2] = model_forward(s, &moved);
            }
            const mat *near = mat_scale(s, 8, 0, mat_sub(s, F[3], F[1]));
            const mat *far = mat_scale(s, weight_of_two, 0, mat_sub(s, F[4], F[0]));
            const dual Y = dual_derivative(s, &M, &along);
            claim_equal(t, "12 F'", mat_sub(s, near, far), mat_scale(s, 12, 0, Y.d));
            claim_equal(t, "F", F[2], Y.v);
        }
}

/* ---- (1) the chain rule ------------------------------------------------------------------------------------------ */
typedef enum { NOTHING, ALL_READ, INVERSE } slip;

static const mat *pulled(scope *s, basis Theta, weight_kind w, const mat *H, slip how)
{
    if (dual_weight_writes(w)) return mat_mul(s, H, how == NOTHING ? Theta.from : Theta.to);
    return mat_mul(s, how == INVERSE ? Theta.from : Theta.to, H);
}

/* Every kind of weight of layer 1, one direction each. */
static void chain_rule(trial *t, slip how)
{
    scope *s = &t->s;
    model_pair r = reduce_queries(s, &t->sh, ONE_LAYER);
    claim_reduced(t, 4, (const mat **const[]){ &r.R.P, &r.R.at[1].K, &r.R.at[1].O, &r.R.head });
    for (weight_kind w = QUERY; w < WEIGHTS; w++) {
        model along = dual_no_direction(&r.M), along_reduced = along;
        const mat *H = direction(s, *dual_weight(&r.R, 1, w), 1, (int)w);
        *dual_weight(&along_reduced, 1, w) = H;
        *dual_weight(&along, 1, w) = pulled(s, r.at[0], w, H, how);
        claim_equal(t, "dF~[H~] = dF[H]", dual_derivative(s, &r.M, &along).d,
                    dual_derivative(s, &r.R, &along_reduced).d);
    }
}

static const mat *gradient(scope *s, model *M, weight_kind w)
{
    return dual_gradient(s, M, 1, w, mat_draw(s, "targets", M->s.n, M->s.V, 0));
}

static void gradients(trial *t, bool forget_transpose)
{
    scope *s = &t->s;
    model_pair r = reduce_queries(s, &t->sh, ONE_LAYER);
    claim_reduced(t, 2, (const mat **const[]){ &r.R.P, &r.R.head });
    const basis B = r.at[0];
    const mat *turn = forget_transpose ? B.to : mat_t(s, B.to), *back = forget_transpose ? B.from : mat_t(s, B.from);
    claim_equal(t, "G~ = Theta' G of the keys", mat_mul(s, turn, gradient(s, &r.M, KEY)), gradient(s, &r.R, KEY));
    claim_equal(t, "G~ = G Theta'^-1 of the output", mat_mul(s, gradient(s, &r.M, OUTPUT), back),
                gradient(s, &r.R, OUTPUT));
}

/* ---- (2), (3), (4): steps ------------------------------------------------------------------------------------ */

/* The first step of Adam: G/sqrt(G o G + 2^-40), entry by entry, as norms of rows of one entry. */
static const mat *unit_steps(scope *s, const mat *G)
{
    const mat **col = scope_alloc(s, (size_t)G->cols * sizeof *col);
    for (long j = 0; j < G->cols; j++)
        col[j] = mat_norm(s, mat_cols(s, G, j, 1), NORM_RMS, -40, (place){ 0, PLACE_FINAL, 0 });
    return mat_hcat(s, G->cols, col);
}
typedef enum { GENERIC, ORTHOGONAL, PERMUTATION } kind_of_theta;

/* Theta = W_Q of layer 0, of the wanted kind; the keys of layer 1 take one step in either model. */
static void step(trial *t, kind_of_theta kind, bool adam)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long d = M.s.d;
    long *shift = scope_alloc(s, (size_t)(d * d) * sizeof *shift);
    for (long i = 0; i < d; i++) shift[i * d + (i + 1) % d] = 1;
    if (kind == ORTHOGONAL)  M.at[0].Q = mat_draw_orthogonal(s, "Omega", d);
    if (kind == PERMUTATION) M.at[0].Q = mat_from_si(s, d, d, shift);
    model_pair r = reduce_model(s, &M, ONE_LAYER);
    const mat *G = gradient(s, &r.M, KEY), *H = gradient(s, &r.R, KEY);
    const mat *of_M = mat_scale(s, 1, -3, adam ? unit_steps(s, G) : G);
    const mat *of_R = mat_scale(s, 1, -3, adam ? unit_steps(s, H) : H);
    claim_differs(t, "the keys after a step", mat_mul(s, r.at[0].from, mat_sub(s, r.M.at[1].K, of_M)),
                  mat_sub(s, r.R.at[1].K, of_R));
}

/* Factor 7/8 for W_K and W_Q in the original; for W_K~ in the reduced model.  `fixed`: Theta does not decay. */
static void decay(trial *t, bool fixed)
{
    scope *s = &t->s;
    const model_pair r = reduce_queries(s, &t->sh, ONE_LAYER);
    const mat *Q = r.M.at[0].Q, *K = mat_scale(s, 7, -3, r.M.at[0].K), *reduced_K = mat_scale(s, 7, -3, r.R.at[0].K);
    claim_differs(t, "the keys after decay", mat_mul(s, mat_inv(s, fixed ? Q : mat_scale(s, 7, -3, Q)), K), reduced_K);
}

static void exact_rule(trial *t)       { five_points(t, 1); }
static void two_forgotten(trial *t)    { five_points(t, 2); }
static void chain(trial *t)            { chain_rule(t, NOTHING); }
static void all_read(trial *t)         { chain_rule(t, ALL_READ); }
static void inverse(trial *t)          { chain_rule(t, INVERSE); }
static void whole_gradient(trial *t)   { gradients(t, false); }
static void untransposed(trial *t)     { gradients(t, true); }
static void descent(trial *t)          { step(t, GENERIC, false); }
static void descent_orth(trial *t)     { step(t, ORTHOGONAL, false); }
static void adam(trial *t)             { step(t, ORTHOGONAL, true); }
static void adam_permuted(trial *t)    { step(t, PERMUTATION, true); }
static void decay_both(trial *t)       { decay(t, false); }
static void decay_fixed(trial *t)      { decay(t, true); }

static const control of_rule[]     = { { "other-rule", two_forgotten, "2 in place of 1 at $F(2) - F(-2)$" } };
static const control of_chain[]    = {
    { "all-read", all_read, "$H = \\tilde H\\Theta$ in place of $\\tilde H\\Theta^{-1}$ for matrices that write" },
    { "inverse",  inverse,  "$\\Theta^{-1}$ in place of $\\Theta$" } };
static const control of_gradient[] = { { "untransposed", untransposed, "$\\Theta G$ in place of $\\Theta^\\top G$" } };
static const control of_descent[]  = { { "orthogonal-theta", descent_orth, "$\\Theta$ orthogonal" } };
static const control of_adam[]     = { { "permutation", adam_permuted, "$\\Theta$ a permutation" } };
static const control of_decay[]    = { { "theta-fixed", decay_fixed, "$\\Theta$ does not decay" } };
static const shape_case shapes[] = {
    { .sh = { .n = 3, .d = 2, .h = 2, .m = 3, .V = 2, .L = 2, .mask = MASK_CAUSAL } },
    { .sh = { .n = 3, .d = 4, .h = 2, .m = 4, .V = 2, .L = 2, .mask = MASK_FULL } },
    { .sh = { .n = 3, .d = 3, .h = 1, .m = 4, .V = 2, .L = 2, .mask = MASK_ARBITRARY } },
};
#define SMOOTH REALS_ONLY("softmax and tanh have derivatives over the reals only")
static const part parts[] = {
    REDUCED_PART("as-stated", chain, with_tanh, CONTROLS(of_chain), SMOOTH,
        .statement = "$d\\tilde F[\\tilde H] = dF[H]$ for each kind of weight: $H = \\Theta\\tilde H$, or "
                     "$\\tilde H\\Theta^{-1}$"),
    REDUCED_PART("as-stated-gradient", whole_gradient, with_tanh, CONTROLS(of_gradient), SMOOTH,
        .statement = "whole gradients of a quadratic loss: $\\tilde G_K = \\Theta^\\top G_K$, $\\tilde G_O = "
                     "G_O\\Theta^{-\\top}$"),
    REDUCED_PART("as-stated-derivatives", exact_rule, polynomial,
                 CONTROLS(of_rule), .no_minimal = true, .without = "sym",
        .why_without = "no room for the terms",
        .statement = "the derivatives used are right: $12F'(0) = 8(F(1) - F(-1)) - (F(2) - F(-2))$ for cubics"),
    REDUCED_PART("as-stated-sgd", descent, with_tanh, CONTROLS(of_descent), SMOOTH, .no_minimal = true,
        .statement = "a gradient step does not commute with $W_K \\mapsto \\Theta^{-1}W_K$"),
    REDUCED_PART("as-stated-adam", adam, with_tanh, CONTROLS(of_adam), SMOOTH, .no_minimal = true,
        .statement = "the first step of Adam does not, not even for orthogonal $\\Theta$"),
    REDUCED_PART("as-stated-weight-decay", decay_both, with_tanh, CONTROLS(of_decay), .no_minimal = true,
      .without = "sym",
        .why_without = "sym never says that two matrices differ",
        .statement = "decay of all weights does not: $\\Theta^{-1}W_K$ stays, $\\tilde W_K$ shrinks"),
};
static const claim N17 = {
    .id = "N17", .title = "gradients follow the chain rule, optimizers do not", .where = "new; beside 003 Section 5.1",
    .hypotheses = "as Theorem 4.2; softmax attention, tanh in the MLP",
    .construction = "$W = \\Theta\\tilde W$ (read), $W = \\tilde W\\Theta^{-1}$ (write)",
    .why = "$\\tilde G = \\Theta^\\top G$ by the chain rule, but the weights change by $\\Theta^{-1}G$; the two agree "
           "for orthogonal $\\Theta$ only.  Adam divides by $|G|$ entry by entry, and decay shrinks $\\Theta = W_Q$ "
           "along with $W_K$, so $\\Theta^{-1}W_K$ does not shrink.  The reduced model has the same functions and "
           "another training.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-T4.2",
};
THEOREM_PROGRAM(N17)
