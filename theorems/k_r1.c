/* k_r1.c - K-R1, key or value weights eliminated instead of query weights.
 *
 * Statement.  By the same argument W_K (Theta = W_K) or W_V (Theta = W_V) can be made the identity
 * instead of W_Q, whatever kind of attention it is.
 *
 * Construction.  Theta = W_K:  X W_K,  W_K^-1 W_Q,  I,  W_K^-1 W_V;  alike for W_V.
 *
 * Why it works.  K-L3.1 holds for every Theta in GL(d), so any one of three square weights may be it.
 *
 * Where heads share keys and values, W_K is d x h_kv dk with h_kv dk < d.  It is not square, and X W_K
 * has lost a part of X that the queries see: x -> x + y with y W_K = 0 leaves X W_K but not S.  What
 * remains true (N4): with any C for which Theta = (W_K | C) is invertible, W_K becomes (I above 0). */
#include "src/claim.h"

static void all_skips(shape *sh)
{
    sh->attn_skip = sh->mlp_skip = true;
    sh->act = ACT_SILU;                                  /* any will do; the error function is slow */
}

/* More than one head, and fewer key-value heads than query heads; d = h dk. */
static void grouped(shape *sh)
{
    all_skips(sh);
    if (sh->h == 1) sh->h = sh->d % 2 ? 3 : 2;
    sh->dk = sh->scale_den = sh->d / sh->h;
    sh->h_kv = sh->h % 2 ? 1 : sh->h / 2;
}

typedef enum { KEY, VALUE } eliminated;
typedef enum { NOTHING, QUERY_KEPT, OTHER_BASIS } slip;

static const mat **weight(model *M, long i, eliminated which)
{
    return which == KEY ? &M->at[i].K : &M->at[i].V;
}

/* The same function with the weight of layer j equal to `becomes`; a layer in the middle. */
static void compare(trial *t, model *M, basis Theta, eliminated which, const mat *becomes, slip broken)
{
    scope *s = &t->s;
    const long j = M->s.L / 2;
    model R = gauge_uniform(s, M, Theta);
    *weight(&R, j, which) = becomes;
    if (broken == QUERY_KEPT) R.at[j].Q = M->at[j].Q;
    const mat *X = mat_draw(s, "X", M->s.n, M->s.d, 0);
    claim_same_function(t, M, &R);
    const mat *Y = mat_mul(s, X, Theta.to);
    claim_equal(t, "self-attention", self_attention(s, M, j, X), self_attention(s, &R, j, Y));
    claim_step(t, M, &R, 0, Theta, Theta);
    claim_step(t, M, &R, j, Theta, Theta);
}

static void square(trial *t, eliminated which, slip broken)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long j = M.s.L / 2;
    const basis Theta = basis_of(s, broken == OTHER_BASIS ? M.at[j].Q : *weight(&M, j, which));
    compare(t, &M, Theta, which, mat_identity(s, M.s.d), broken);
}

/* Theta is any invertible matrix and W its first columns: then the others are C. */
static void completed(trial *t, eliminated which, slip broken, long first_row)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long d = M.s.d, k = M.s.h_kv * M.s.dk;
    const mat *Theta = mat_draw(s, "Theta", d, d, log2_fan_in(d));
    *weight(&M, M.s.L / 2, which) = mat_cols(s, Theta, 0, k);
    compare(t, &M, basis_of(s, Theta), which, mat_cols(s, mat_identity(s, d), first_row, k), broken);
}

/* W_K = (A above 0) with h_kv dk <= d - 1 columns; the last column of X is not in X W_K. */
static void too_narrow(trial *t)
{
    scope *s = &t->s;
    const long n = t->sh.n, d = t->sh.d, k = t->sh.h_kv * t->sh.dk;
    model M = model_random(s, t->sh);
    M.at[0].K = mat_vcat(s, 2, (const mat *const[]){ mat_rows(s, M.at[0].K, 0, d - 1), mat_zero(s, 1, k) });
    const mat *X = mat_draw(s, "X", n, d, 0), *y = mat_draw(s, "y", n, 1, 0);
    const mat *Y = mat_add(s, X, mat_hcat(s, 2, (const mat *const[]){ mat_zero(s, n, d - 1), y }));
    claim_decided(t, "W_K has fewer than d columns", M.at[0].K->cols < d);
    claim_decided(t, "W_V has fewer than d columns", M.at[0].V->cols < d);
    claim_equal(t, "X W_K = (X + y z') W_K", mat_mul(s, X, M.at[0].K), mat_mul(s, Y, M.at[0].K));
    claim_differs(t, "S(X) and S(X + y z')", self_attention(s, &M, 0, X), self_attention(s, &M, 0, Y));
}

static void key(trial *t)                { square(t, KEY, NOTHING); }
static void value(trial *t)              { square(t, VALUE, NOTHING); }
static void key_query(trial *t)          { square(t, KEY, OTHER_BASIS); }
static void key_kept(trial *t)           { square(t, KEY, QUERY_KEPT); }
static void value_query(trial *t)        { square(t, VALUE, OTHER_BASIS); }
static void value_kept(trial *t)         { square(t, VALUE, QUERY_KEPT); }
static void narrow_key(trial *t)         { completed(t, KEY, NOTHING, 0); }
static void narrow_value(trial *t)       { completed(t, VALUE, NOTHING, 0); }
static void narrow_key_below(trial *t)   { completed(t, KEY, NOTHING, t->sh.d - t->sh.h_kv * t->sh.dk); }
static void narrow_value_below(trial *t) { completed(t, VALUE, NOTHING, t->sh.d - t->sh.h_kv * t->sh.dk); }
static void narrow_key_kept(trial *t)    { completed(t, KEY, QUERY_KEPT, 0); }
static void narrow_value_kept(trial *t)  { completed(t, VALUE, QUERY_KEPT, 0); }

static const control of_key[] = {
    { "query-basis", key_query, "$\\tilde W_K = I$ with $\\Theta = W_Q$" },
    { "query-kept",  key_kept,  "$W_Q$ of the layer is not transformed" },
};
static const control of_value[] = {
    { "query-basis", value_query, "$\\tilde W_V = I$ with $\\Theta = W_Q$" },
    { "query-kept",  value_kept,  "$W_Q$ of the layer is not transformed" },
};
static const control of_narrow_key[] = {
    { "identity-below", narrow_key_below, "(0 above I) in place of (I above 0)" },
    { "query-kept",     narrow_key_kept,  "$W_Q$ of the layer is not transformed" },
};
static const control of_narrow_value[] = {
    { "identity-below", narrow_value_below, "(0 above I) in place of (I above 0)" },
    { "query-kept",     narrow_value_kept,  "$W_Q$ of the layer is not transformed" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = key, .no_large = true,
      .assumes = "invertible W_K",
      .statement = "square weights: $\\Theta = W_K$ makes $\\tilde W_K = I$ in one layer, the function stays",
      .controls = of_key, .ncontrols = COUNT(of_key) },
    { .name = "as-stated-wv", .kind = PART_IDENTITY, .run = value, .no_large = true,
      .assumes = "invertible W_V",
      .statement = "square weights: $\\Theta = W_V$ makes $\\tilde W_V = I$ in one layer, the function stays",
      .controls = of_value, .ncontrols = COUNT(of_value) },
    { .name = "as-stated-gqa", .kind = PART_GAP, .run = too_narrow, .no_large = true, .no_minimal = true,
      .prepare = grouped,
      .statement = "where heads share keys and values $W_K$ is not square, and $S$ is no function of $XW_K$",
      .basis = "witness", .without = "sym", .why_without = "inequality is shown on instances" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = narrow_key, .no_large = true, .prepare = grouped,
      .assumes = "invertible Theta",
      .statement = "$\\Theta = (W_K\\,|\\,C) \\in \\mathrm{GL}(d)$ makes $\\tilde W_K = (I, 0)^\\top$",
      .controls = of_narrow_key, .ncontrols = COUNT(of_narrow_key) },
    { .name = "corrected-wv", .kind = PART_IDENTITY, .run = narrow_value, .no_large = true, .prepare = grouped,
      .assumes = "invertible Theta",
      .statement = "$\\Theta = (W_V\\,|\\,C) \\in \\mathrm{GL}(d)$ makes $\\tilde W_V = (I, 0)^\\top$",
      .controls = of_narrow_value, .ncontrols = COUNT(of_narrow_value) },
};
static const claim K_R1 = {
    .id = "K-R1", .title = "key or value weights instead of query weights",
    .where = "003 Remark 1; 000 Section 3.2; 001 Section 6",
    .hypotheses = "$W_K$ (or $W_V$) in $\\mathrm{GL}(d)$; for whole models: no normalization, untied",
    .construction = "$\\Theta = W_K$ (or $W_V$) in the whole stream; grouped heads: $\\Theta = (W_K\\,|\\,C)$",
    .why = "Any one of three square weights may serve as $\\Theta$ in the Reparametrization Lemma. A narrow "
           "$W_K$ is $\\Theta$ only after completion, and $\\Theta^{-1}W_K$ is then the first columns of $I$.",
    .prepare = all_skips, .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1 K-T4.2",
};
THEOREM_PROGRAM(K_R1)
