/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_o3_1.c - K-O3.1, factorization of self-attention.
 *
 * Statement.  There is a function g with S(X, W_Q, W_K, W_V) = g(X W_Q, X W_K, X W_V).
 *
 * Construction.  g(A, B, C) takes the columns of A, B and C that belong to each head, and of these the
 * scores, the row map and the weighted sum.  Such a g exists if and only if S is the same for all
 * arguments with the same three products, such as X and X Theta, W and Theta^-1 W.
 *
 * Why it works.  Head a reads X only in X W_Q^a = (X W_Q)^a, and alike for K and V (K-LA.1).  What acts
 * after the projections belongs to g: mask, scale, biases, rotations by position, norms of
 * queries and keys, keys and values shared by groups of heads.                                     */
#include "src/claim/claim.h"

static void one_layer(shape *sh) { sh->L = sh->m = sh->V = 1; }

static void grouped(shape *sh)
{
    one_layer(sh);
    sh->h_kv = sh->h % 2 ? 1 : sh->h / 2;                /* h = 4 groups, the other h share all */
}

static void biased_rescaled(shape *sh)
{
    one_layer(sh);
    sh->biases = true;
    sh->scale_num = 3;
    sh->scale_den = 7;
}

static void rotated(shape *sh)
{
    one_layer(sh);
    sh->rope = true;
    sh->dk += sh->dk % 2;
    sh->scale_den = sh->dk;
}

static void normed(shape *sh)
{
    one_layer(sh);
    sh->qk_norm = true;
}

/* g(X W_Q, X W_K, X W_V); the biases belong to g */
static const mat *g(scope *s, const model *M, const mat *X)
{
    const layer *W = &M->at[0];
    const mat *A = mat_mul(s, X, W->Q), *B = mat_mul(s, X, W->K), *C = mat_mul(s, X, W->V);
    return model_attention_of(s, M, 0, mat_add_row(s, A, W->bQ), mat_add_row(s, B, W->bK), mat_add_row(s, C, W->bV));
}

/* Two arguments with the same products. */
typedef struct { model M, R; const mat *X, *Y; } pair;

static pair equal_products(trial *t)
{
    scope *s = &t->s;
    pair p = { .M = model_random(s, t->sh), .X = mat_draw(s, "X", t->sh.n, t->sh.d, 0) };
    const basis Theta = gauge_basis(s, mat_draw_weight(s, "Theta", t->sh.d, t->sh.d));
    layer *W = &p.R.at[0];
    p.R = p.M;
    p.Y = mat_mul(s, p.X, Theta.to);
    W->Q = mat_mul(s, Theta.from, W->Q);
    W->K = mat_mul(s, Theta.from, W->K);
    W->V = mat_mul(s, Theta.from, W->V);
    return p;
}

/* What is claimed to factor: S; in controls diag(X w) S, a gate that reads X itself, or S + X W, a term that does. */
typedef enum { ALONE, GATED, PLUS_TERM } outside;
static const mat *attend(trial *t, const model *M, const mat *X, outside what)
{
    scope *s = &t->s;
    const mat *S = model_self_attention(s, M, 0, X);
    if (what == ALONE) return S;
    const mat *W = mat_draw_weight(s, "outside", X->cols, what == GATED ? 1 : S->cols);
    const mat *XW = mat_mul(s, X, W);
    return what == GATED ? mat_scale_rows(s, XW, S) : mat_add(s, XW, S);
}

static void compare(trial *t, pair *p, outside what)
{
    scope *s = &t->s;
    claim_reduced(t, 3, (const mat **[]){ &p->R.at[0].Q, &p->R.at[0].K, &p->R.at[0].V });
    const mat *S = attend(t, &p->M, p->X, what);
    claim_equal(t, "S = g(products)", S, g(s, &p->M, p->X));
    claim_equal(t, "S at equal products", S, attend(t, &p->R, p->Y, what));
}

static void at_equal_products(trial *t, outside what)
{
    pair p = equal_products(t);
    compare(t, &p, what);
}
static void factors(trial *t)      { at_equal_products(t, ALONE); }
static void gate_outside(trial *t) { at_equal_products(t, GATED); }
static void term_outside(trial *t) { at_equal_products(t, PLUS_TERM); }

static void other_value(trial *t)
{
    pair p = equal_products(t);
    p.R.at[0].V = p.M.at[0].V;
    compare(t, &p, ALONE);
}

static const control more[] = {
    { "gate-outside", gate_outside, "S is gated by X w, which is none of the three products" },
    { "term-outside", term_outside, "X W is added to S, with a fourth weight" },
    { "other-value",  other_value,  "the products with $W_V$ differ" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = factors,
      .statement = "$\\mathcal S(X,W_Q,W_K,W_V) = g(XW_Q,XW_K,XW_V)$ with every mask: equal products, equal "
                   "attention",
      CONTROLS(more) },
    { .name = "as-stated-grouped-queries", .kind = PART_IDENTITY, .run = factors, .no_large = true,
      .prepare = grouped,
      .statement = "the same where groups of heads, or all heads, share keys and values",
      .controls = more, .ncontrols = 1 },
    { .name = "as-stated-bias", .kind = PART_IDENTITY, .run = factors, .no_large = true,
      .statement = "the same with biases on the projections and another scale, $\\sqrt{3/7}$",
      .prepare = biased_rescaled, .controls = more, .ncontrols = 1 },
    { .name = "as-stated-rope", .kind = PART_IDENTITY, .run = factors, .no_large = true, .prepare = rotated,
      .statement = "the same with rotary positions",
      .controls = more, .ncontrols = 1 },
    { .name = "as-stated-with-qk-norm", .kind = PART_IDENTITY, .run = factors, .no_large = true,
      .prepare = normed,
      .statement = "the same with normed queries and keys", .controls = more, .ncontrols = 1 },
};
static const quotation quotes[] = {
    { TEXT_001, "Section 3.2", "A key observation enabling our results is that the attention mechanism depends "
      "on only through the projections , , and . Formally, we can write for some function ." },
    { TEXT_003, "Observation 3.1", "There exists a function g such that $\\mathcal{S}_c(X, W_Q, W_K, W_V) = "
      "g(XW_Q, XW_K, XW_V)$." },
    { TEXT_000, "Observation 3.1", "The attention mechanism depends on the input matrix only through the "
      "projections , , and , or, more formally: Observation 3.1. There exists a function such that:" },
};
static const claim K_O3_1 = {
    .id = "K-O3.1", .title = "factorization of self-attention",
    .where = "001 Section 3.2; 003 Observation 3.1; 000 Observation 3.1",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "none; the pair of inputs with equal products is $X$ and $X\\Theta$, $\\Theta \\in \\mathrm{GL}(d)$",
    .assumes = "invertible Theta",
    .models = "given attention",
    .construction = "$X' = X\\Theta$, $W' = \\Theta^{-1}W$ have the products of $X$ and $W$",
    .why = "Each head reads $X$ only in the columns of $XW_Q$, $XW_K$ and $XW_V$ that are its own; all else "
           "acts after the projections.",
    .prepare = one_layer, .parts = parts, .nparts = COUNT(parts), .depends = "K-LA.1",
};
THEOREM_PROGRAM(K_O3_1)
