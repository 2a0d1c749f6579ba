/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_l3_1.c - K-L3.1, Reparametrization Lemma.
 *
 * Statement.  If f(X, W_Q, W_K, W_V) = g(X W_Q, X W_K, X W_V), then f does not change under
 * (X Theta, Theta^-1 W_Q, Theta^-1 W_K, Theta^-1 W_V) for Theta in GL(d).  With Theta = W_Q:
 * f(X, W_Q, W_K, W_V) = f(X W_Q, I, W_Q^-1 W_K, W_Q^-1 W_V) for all X.
 *
 * Construction.  As stated.  The triple of products is itself such an f, with g the identity, and every
 * other f is a function of it; so the lemma is the equality of the triples.
 *
 * Why it works.  (X Theta)(Theta^-1 W) = X W.  Only the basis that the input is written in changes, so
 * W_K and W_V may have any number of columns.
 *
 * W_Q must be invertible.  If z' W_Q = 0, the right side cannot tell X from X + y z', but f can.    */
#include "src/claim/claim.h"

static void one_layer(shape *sh)
{
    sh->L = sh->m = sh->V = 1;
}

/* d x d queries, narrower keys and values; heads as they divide d. */
static void grouped(shape *sh)
{
    one_layer(sh);
    if (sh->h == 1) sh->h = sh->d % 2 ? 3 : 2;
    sh->dk = sh->scale_den = sh->d / sh->h;
    sh->h_kv = sh->h % 2 ? 1 : sh->h / 2;
}

static const mat *triple(scope *s, const model *M, const mat *X)
{
    const layer *W = &M->at[0];
    const mat *product[] = { mat_mul(s, X, W->Q), mat_mul(s, X, W->K), mat_mul(s, X, W->V) };
    return mat_hcat(s, 3, product);
}

typedef enum { NOTHING, THETA_FOR_INVERSE, VALUE_KEPT, WRONG_SIDE } slip;
typedef struct { model M, R; const mat *X, *Y; } pair;

static const mat *reparametrized(scope *s, basis Theta, const mat *W, slip broken)
{
    if (broken == WRONG_SIDE) return mat_mul(s, W, Theta.from);
    return mat_mul(s, broken == THETA_FOR_INVERSE ? Theta.to : Theta.from, W);
}

static pair reparametrize(trial *t, bool by_query, slip broken)
{
    scope *s = &t->s;
    const long d = t->sh.d;
    pair p = { .M = model_random(s, t->sh), .X = mat_draw(s, "X", t->sh.n, d, 0) };
    layer *W = &p.R.at[0];
    p.R = p.M;
    const basis Theta = gauge_basis(s, by_query ? W->Q : mat_draw_weight(s, "Theta", d, d));
    p.Y = mat_mul(s, p.X, Theta.to);
    W->Q = by_query ? mat_identity(s, d) : reparametrized(s, Theta, W->Q, broken);
    W->K = reparametrized(s, Theta, W->K, broken);
    if (broken != VALUE_KEPT) W->V = reparametrized(s, Theta, W->V, broken);
    return p;
}

static void compare(trial *t, pair *p)
{
    scope *s = &t->s;
    claim_reduced(t, 3, (const mat **[]){ &p->R.at[0].Q, &p->R.at[0].K, &p->R.at[0].V });
    claim_equal(t, "the three products", triple(s, &p->M, p->X), triple(s, &p->R, p->Y));
    claim_equal(t, "self-attention", model_self_attention(s, &p->M, 0, p->X), model_self_attention(s, &p->R, 0, p->Y));
}

static void lemma(trial *t, bool by_query, slip broken)
{
    pair p = reparametrize(t, by_query, broken);
    compare(t, &p);
}

static void any_basis(trial *t)         { lemma(t, false, NOTHING); }
static void query_basis(trial *t)       { lemma(t, true, NOTHING); }
static void theta_for_inverse(trial *t) { lemma(t, false, THETA_FOR_INVERSE); }
static void value_kept(trial *t)        { lemma(t, false, VALUE_KEPT); }
static void wrong_side(trial *t)        { lemma(t, false, WRONG_SIDE); }
static void query_value_kept(trial *t)  { lemma(t, true, VALUE_KEPT); }
static void query_for_inverse(trial *t) { lemma(t, true, THETA_FOR_INVERSE); }

/* The last row of W_Q is 0, so X W_Q, which is all that the right side reads, is the same at X and at X + y z'. */
static void singular_query(trial *t)
{
    scope *s = &t->s;
    const long n = t->sh.n, d = t->sh.d;
    pair p = { .M = model_random(s, t->sh), .X = mat_draw(s, "X", n, d, 0) };
    const mat *y = mat_draw(s, "y", n, 1, 0), *Q = p.M.at[0].Q;
    p.M.at[0].Q = mat_vcat(s, 2, (const mat *const[]){ mat_rows(s, Q, 0, d - 1), mat_zero(s, 1, d) });
    p.R = p.M;
    p.Y = mat_add(s, p.X, mat_hcat(s, 2, (const mat *const[]){ mat_zero(s, n, d - 1), y }));
    claim_equal(t, "X W_Q is the same", mat_mul(s, p.X, p.M.at[0].Q), mat_mul(s, p.Y, p.M.at[0].Q));
    compare(t, &p);
}

static const control slips[] = {
    { "theta-for-inverse", theta_for_inverse, "$\\Theta W$ in place of $\\Theta^{-1}W$" },
    { "wrong-side",        wrong_side,        "$W\\Theta^{-1}$ in place of $\\Theta^{-1}W$" },
    { "value-kept",        value_kept,        "X is transformed, $W_V$ is not" },
};
static const control query_slips[] = {
    { "singular-query",    singular_query,    "$W_Q$ is singular: equal $XW_Q$, other values of f" },
    { "query-for-inverse", query_for_inverse, "$W_QW_K$, $W_QW_V$ in place of $W_Q^{-1}W_K$, $W_Q^{-1}W_V$" },
    { "value-kept",        query_value_kept,  "X is transformed, $W_V$ is not" },
};
static const control grouped_slips[] = {
    { "theta-for-inverse", theta_for_inverse, "$\\Theta W$ in place of $\\Theta^{-1}W$" },
    { "value-kept",        value_kept,        "X is transformed, $W_V$ is not" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = any_basis,
      .assumes = "invertible Theta",
      .statement = "$f$ is the same at $(X\\Theta, \\Theta^{-1}W_Q, \\Theta^{-1}W_K, \\Theta^{-1}W_V)$ "
                   "for every $\\Theta \\in \\mathrm{GL}(d)$",
      CONTROLS(slips) },
    { .name = "as-stated-query-basis", .kind = PART_IDENTITY, .run = query_basis,
      .assumes = "invertible W_Q",
      .statement = "$f(X,W_Q,W_K,W_V) = f(XW_Q, I, W_Q^{-1}W_K, W_Q^{-1}W_V)$ for $W_Q \\in \\mathrm{GL}(d)$ "
                   "and all $X$",
      CONTROLS(query_slips) },
    { .name = "as-stated-grouped-queries", .kind = PART_IDENTITY, .run = any_basis, .no_large = true,
      .prepare = grouped,
      .assumes = "invertible Theta",
      .statement = "the same where $W_K$ and $W_V$ are $d \\times h_{kv}d_k$, not square",
      CONTROLS(grouped_slips) },
    { .name = "as-stated-grouped-queries-query-basis", .kind = PART_IDENTITY, .run = query_basis, .no_large = true,
      .prepare = grouped,
      .assumes = "invertible W_Q",
      .statement = "$\\Theta = W_Q$ where $W_K$ and $W_V$ are $d \\times h_{kv}d_k$, not square",
      CONTROLS(query_slips) },
};
static const quotation quotes[] = {
    { TEXT_001, "Lemma 3.1", "Then for any invertible and any , there exist matrices such that Moreover, the "
      "choice , , satisfies this property." },
    { TEXT_003, "Lemma 3.1", "Let $f : \\text{Mat}(n, d) \\times \\text{Mat}(d, d)^3 \\rightarrow \\Omega$ "
      "satisfy $f(X, W_Q, W_K, W_V) = g(XW_Q, XW_K, XW_V)$ for some function g . Then f is invariant under $(X, "
      "W_Q, W_K, W_V) \\mapsto (X\\Theta, \\Theta^{-1}W_Q, \\Theta^{-1}W_K, \\Theta^{-1}W_V)$ for any $\\Theta "
      "\\in \\text{GL}(d)$. In particular, for any (W_Q, W_K, W_V) with $W_Q \\in \\text{GL}(d)$, there exist "
      "$\\widetilde{W}_K, \\widetilde{W}_V \\in \\text{Mat}(d, d)$ such that* $$f(X, W_Q, W_K, W_V) = f(XW_Q, "
      "I_d, \\widetilde{W}_K, \\widetilde{W}_V) \\quad \\forall X \\in \\text{Mat}(n, d).$$ Explicitly, "
      "$\\widetilde{W}_K = W_Q^{-1}W_K$ and $\\widetilde{W}_V = W_Q^{-1}W_V$." },
    { TEXT_000, "Lemma 3.1", "Then is invariant under for any . In particular, if , then there exist such that "
      "Explicitly, and ." },
};
static const quotation standing[] = {
    W_Q_IS_INVERTIBLE,
};
static const claim K_L3_1 = {
    .id = "K-L3.1", .title = "Reparametrization Lemma",
    .where = "001 Lemma 3.1; 003 Lemma 3.1; 000 Lemma 3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$f$ depends on $XW_Q$, $XW_K$ and $XW_V$ alone; $\\Theta \\in \\mathrm{GL}(d)$",
    .construction = "$(X\\Theta, \\Theta^{-1}W_Q, \\Theta^{-1}W_K, \\Theta^{-1}W_V)$; $\\Theta = W_Q$ leaves "
                    "$\\tilde W_Q = I$, $\\tilde W_K = W_Q^{-1}W_K$, $\\tilde W_V = W_Q^{-1}W_V$",
    .why = "$(X\\Theta)(\\Theta^{-1}W) = XW$: the three products stay, and every such $f$ is a function "
           "of them.",
    .prepare = one_layer, .parts = parts, .nparts = COUNT(parts), .depends = "K-O3.1",
};
THEOREM_PROGRAM(K_L3_1)
