/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_r1.c - K-R1, key or value weights eliminated instead of query weights.
 *
 * Statement.  By the same argument W_K (Theta = W_K) or W_V (Theta = W_V) can be made the identity
 * instead of W_Q.  The remark itself says that W_Q is the choice that is compatible with grouped queries.
 *
 * Construction.  Theta = W_K:  X W_K,  W_K^-1 W_Q,  I,  W_K^-1 W_V;  alike for W_V.
 *
 * Why it works.  K-L3.1 holds for every Theta in GL(d), so any one of three square weights may be it.
 *
 * Where heads share keys and values, W_K is d x h_kv dk with h_kv dk < d: not square, so it is no Theta.  There, too,
 * something is saved (N4): with any C for which Theta = (W_K | C) is invertible, W_K becomes (I above 0). */
#include "src/claim/reduce.h"

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

/* ---- the identity for a square W_K or W_V: Theta is the weight of a layer in the middle ------------------- */

#define TABLE(...) \
    { .kinds = (const layer_kind[]){ { .name = "layer that loses a weight", __VA_ARGS__ }, OTHER_LAYER }, \
      .nkinds = 2, .bases = BASIS_ONE, .which = LAYER_MIDDLE }
static const induction key = TABLE(.chooses = reduce_key_basis, .reduce = reduce_key_to_identity);
static const induction value = TABLE(.chooses = reduce_value_basis, .reduce = reduce_value_to_identity);
static const induction key_by_query = TABLE(.chooses = reduce_query_basis, .reduce = reduce_key_to_identity);
static const induction value_by_query = TABLE(.chooses = reduce_query_basis, .reduce = reduce_value_to_identity);

/* ---- narrow ones: Theta is any invertible matrix and W its first columns; then the others are C ------------ */

static const mat *some_columns(const layer_site *at, const mat *A, bool first)
{
    const long k = at->sh.h_kv * at->sh.dk;
    return mat_cols(at->s, A, first ? 0 : at->sh.d - k, k);
}

static const mat *units(const layer_site *at, bool first)
{
    return some_columns(at, mat_identity(at->s, at->sh.d), first);
}
static void begins_as_key  (const layer_site *at, layer *W) { W->K = some_columns(at, at->in.to, true); }
static void begins_as_value(const layer_site *at, layer *W) { W->V = some_columns(at, at->in.to, true); }
static void key_above  (const layer_site *at, const layer *W, layer *R) { (void)W; R->K = units(at, true); }
static void value_above(const layer_site *at, const layer *W, layer *R) { (void)W; R->V = units(at, true); }
static void key_below  (const layer_site *at, const layer *W, layer *R) { (void)W; R->K = units(at, false); }
static void value_below(const layer_site *at, const layer *W, layer *R) { (void)W; R->V = units(at, false); }
static const induction narrow_key = TABLE(.plant = begins_as_key, .reduce = key_above);
static const induction narrow_value = TABLE(.plant = begins_as_value, .reduce = value_above);
static const induction narrow_key_turned = TABLE(.plant = begins_as_key, .reduce = key_below);
static const induction narrow_value_turned = TABLE(.plant = begins_as_value, .reduce = value_below);

/* The models, and the self-attention of the layer alone. */
static void compare(trial *t)
{
    claim_chosen_attention(t);
    claim_by_induction(t);
}

static void query_kept(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    const long j = M.s.L / 2;
    model_pair r = induction_build(&t->s, &M, t->induction, j);
    r.R.at[j].Q = M.at[j].Q;
    claim_same_function(t, &r.M, &r.R);
}

static void key_query(trial *t)          { claim_built(t, t->sh, &key_by_query); }
static void value_query(trial *t)        { claim_built(t, t->sh, &value_by_query); }
static void narrow_key_below(trial *t)   { claim_built(t, t->sh, &narrow_key_turned); }
static void narrow_value_below(trial *t) { claim_built(t, t->sh, &narrow_value_turned); }

static const control of_key[] = {
    { "query-basis", key_query, "$\\tilde W_K = I$ with $\\Theta = W_Q$" },
    { "query-kept",  query_kept,  "$W_Q$ of the layer is not transformed" },
};
static const control of_value[] = {
    { "query-basis", value_query, "$\\tilde W_V = I$ with $\\Theta = W_Q$" },
    { "query-kept",  query_kept,  "$W_Q$ of the layer is not transformed" },
};
static const control of_narrow_key[] = {
    { "identity-below", narrow_key_below, "(0 above I) in place of (I above 0)" },
    { "query-kept",     query_kept,  "$W_Q$ of the layer is not transformed" },
};
static const control of_narrow_value[] = {
    { "identity-below", narrow_value_below, "(0 above I) in place of (I above 0)" },
    { "query-kept",     query_kept,  "$W_Q$ of the layer is not transformed" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = compare, .induction = &key, .no_large = true,
      .assumes = "invertible W_K",
      .statement = "square weights: $\\Theta = W_K$ makes $\\tilde W_K = I$ in one layer, the function stays",
      CONTROLS(of_key) },
    { .name = "as-stated-value-basis", .kind = PART_IDENTITY, .run = compare, .induction = &value, .no_large = true,
      .assumes = "invertible W_V",
      .statement = "square weights: $\\Theta = W_V$ makes $\\tilde W_V = I$ in one layer, the function stays",
      CONTROLS(of_value) },
    { .name = "corrected",
      .models = "norm = none; tied = 0",
      .kind = PART_IDENTITY, .run = compare, .induction = &narrow_key, .no_large = true,
      .prepare = grouped,
      .assumes = "invertible Theta; constrained W_K",
      .statement = "grouped queries, beyond the remark: $\\Theta = (W_K\\,|\\,C) \\in \\mathrm{GL}(d)$ makes "
                   "$\\tilde W_K = (I, 0)^\\top$",
      CONTROLS(of_narrow_key) },
    { .name = "corrected-value-basis",
      .models = "norm = none; tied = 0", .kind = PART_IDENTITY, .run = compare, .induction = &narrow_value,
      .no_large = true,
      .prepare = grouped,
      .assumes = "invertible Theta; constrained W_V",
      .statement = "grouped queries, beyond the remark: $\\Theta = (W_V\\,|\\,C) \\in \\mathrm{GL}(d)$ makes "
                   "$\\tilde W_V = (I, 0)^\\top$",
      CONTROLS(of_narrow_value) },
};
static const quotation quotes[] = {
    { TEXT_001, "Section 6", "While any of the three matrices can theoretically be eliminated under our "
      "assumptions, we focus experimentally on due to its favorable propagation properties through (Section "
      "4.1)." },
    { TEXT_003, "Remark 1", "By the same argument, we can eliminate W_K (setting $\\Theta = W_K$) or W_V "
      "(setting $\\Theta = W_V$) instead, with the remaining matrices absorbing the basis change. We focus on "
      "Query weight elimination for its compatibility with KV caching and GQA." },
    { TEXT_000, "Section 3.2", "Note that the choice of above is arbitrary, and the same result under the "
      "analogous assumptions can be stated for or ." },
};
static const claim K_R1 = {
    .id = "K-R1", .title = "key or value weights instead of query weights",
    .where = "001 Section 6; 003 Remark 1; 000 Section 3.2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$W_K$ (or $W_V$) in $\\mathrm{GL}(d)$; for whole models: no normalization, untied",
    .construction = "$\\Theta = W_K$ (or $W_V$) in the whole stream; grouped heads: $\\Theta = (W_K\\,|\\,C)$",
    .why = "Any one of three square weights may serve as $\\Theta$ in the Reparametrization Lemma. A narrow "
           "$W_K$ is $\\Theta$ only after completion, and $\\Theta^{-1}W_K$ is then the first columns of $I$.",
    .models = "norm = none; h_kv = h; tied = 0",
    .prepare = all_skips, .parts = parts, .nparts = COUNT(parts), .depends = "K-L3.1 K-T4.2",
};
THEOREM_PROGRAM(K_R1)
