/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_x_gqa.c - K-X-gqa, query weight elimination where heads share keys and values.
 *
 * Statement.  Theorems 4.2, 4.3 and 4.4 hold for grouped-query (GQA) and multi-query attention (MQA).
 *
 * Construction.  One Theta in GL(d) for the whole stream, as in the theorems; W_K and W_V are d x h_kv dk, and
 * Theta^-1 W_K, Theta^-1 W_V have the same shape.
 *
 * Why it works.  Theta acts on the stream, so it does not know about heads: nothing is done "per query-head
 * group", as the papers put it.  Groups matter for Proposition 3.2: all query heads of one group read one key
 * head, so they share one D_g (h_kv dk^2 dimensions instead of h dk^2); with a D_a of its own per query
 * head the key would have to be multiplied by several D_a^-T at once.
 *
 * W_K itself cannot become I, for it is not square; that is K-R1 and N4.                                  */
#include "src/claim/reduce.h"

static void groups(shape *sh, reduction which)           /* h_kv = h / 2 groups of two heads */
{
    reduce_switches(sh, which);
    sh->h_kv = sh->h / 2;
}

static void one_layer(shape *sh)      { groups(sh, ONE_LAYER); }
static void shared_block(shape *sh)   { groups(sh, SHARED_BLOCK); }
static void attention_skip(shape *sh) { groups(sh, ATTENTION_SKIP); }
static void mqa(shape *sh)            { one_layer(sh); sh->h_kv = 1; }
static void mqa_skip(shape *sh)       { attention_skip(sh); sh->h_kv = 1; }

typedef enum { KEY, VALUE, QUERY_HEADS } slip;
static void broken(trial *t, slip which)
{
    model_pair r = reduce_by_table(t);
    layer *bad = &r.R.at[1];
    if (which == KEY)         bad->K = r.M.at[1].K;
    if (which == VALUE)       bad->V = r.M.at[1].V;
    if (which == QUERY_HEADS) reduce_turn_query_heads(&t->s, &r.R.s, bad);
    claim_same_function(t, &r.M, &r.R);
}
static void key_kept(trial *t)         { broken(t, KEY); }
static void value_kept(trial *t)       { broken(t, VALUE); }
static void own_blocks_added(trial *t) { broken(t, QUERY_HEADS); }

/* ---- Proposition 3.2: one D per key head, or one per query head ------------------------------------ */

static void turned_heads(trial *t, void (*turn)(scope *s, const shape *sh, layer *W))
{
    scope *s = &t->s;
    const model M = model_random(s, t->sh);
    model R = M;
    turn(s, &M.s, &R.at[0]);
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0);
    claim_reduced(t, 2, (const mat **const[]){ &R.at[0].Q, &R.at[0].K });
    claim_equal(t, "self-attention", model_self_attention(s, &M, 0, X), model_self_attention(s, &R, 0, X));
}
static void per_group(trial *t)      { turned_heads(t, reduce_turn_queries_and_keys); }
static void per_query_head(trial *t) { turned_heads(t, reduce_turn_query_heads); }

static const control weights[] = {
    { "key-left-alone",   key_kept,   "$\\tilde W_K = W_K$ in another layer" },
    { "value-left-alone", value_kept, "$\\tilde W_V = W_V$ in another layer" },
};
static const control one_key_head[] = {
    { "key-left-alone",   key_kept,         "$\\tilde W_K = W_K$ in another layer" },
    { "D-per-query-head", own_blocks_added, "query heads take different $D_a$ in another layer" },
};
static const control blocks[] = {
    { "D-per-query-head", per_query_head, "query heads of one group take different $D_a$" },
};
static const shape_case shapes[] = {
    { .sh = { .n = 4, .d = 4, .h = 2, .m = 8, .V = 7, .L = 2, .mask = MASK_CAUSAL } },
    { .sh = { .n = 4, .d = 4, .h = 4, .m = 8, .V = 7, .L = 2, .mask = MASK_FULL } },
    { .sh = { .n = 5, .d = 8, .h = 4, .m = 9, .V = 6, .L = 2, .mask = MASK_ARBITRARY } },
};
static const part parts[] = {
    INDUCTIVE_PART("as-stated", reduction_one_layer, one_layer, .assumes = "invertible W_Q",
                 CONTROLS(weights),
                 .statement = "Theorem 4.2 with two query heads for each key head; one $\\Theta$ for all groups"),
    INDUCTIVE_PART("as-stated-theorem-4.3", reduction_shared_block, shared_block,
                   .models = "norm = none; shared = 1; tied = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(weights),
                 .statement = "Theorem 4.3 with grouped queries"),
    INDUCTIVE_PART("as-stated-theorem-4.4", reduction_attention_skip, attention_skip,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
                   .assumes = "invertible W_Q",
                 CONTROLS(weights), .statement = "Theorem 4.4 with grouped queries"),
    INDUCTIVE_PART("as-stated-multi-query", reduction_one_layer, mqa, .assumes = "invertible W_Q",
                 CONTROLS(one_key_head),
                 .statement = "Theorem 4.2 with one key-value head"),
    INDUCTIVE_PART("as-stated-theorem-4.4-multi-query", reduction_attention_skip, mqa_skip,
                   .models = "norm = none; mlp_skip = 0; parallel = 0",
      .assumes = "invertible W_Q",
                 CONTROLS(one_key_head),
                 .statement = "Theorem 4.4 with one key-value head"),
    REDUCED_PART("as-stated-proposition-3.2", per_group, one_layer, .models = "rope = 0; qk_norm = 0",
                 .assumes = "invertible D",
                 CONTROLS(blocks),
                 .statement = "Proposition 3.2 with one $D_g \\in \\mathrm{GL}(d_k)$ for each key head, shared by "
                              "its query heads"),
};
static const quotation quotes[] = {
    { TEXT_001, "Section 6", "For Grouped-Query Attention [ALTdJ+23, Sha19], transformations act independently "
      "per Query head group." },
    { TEXT_001, "Section 7", "The results extend naturally to Grouped-Query Attention, Mixture-of-Experts, and "
      "RoPE (except Section 4.1)" },
    { TEXT_003, "Section 2", "Query weight elimination applies to standard, GQA, and MQA architectures alike, "
      "enabling multiplicative savings." },
    { TEXT_003, "Section 6", "Grouped-Query Attention (Ainslie et al., 2023) (transformations act per "
      "query-head group)" },
    { TEXT_000, "Section 2", "Query weight elimination applies to standard, GQA, and MQA architectures alike, "
      "enabling multiplicative savings." },
    { TEXT_000, "Section 6", "Grouped-Query Attention [ALTdJ+23] (transformations act per query-head group)" },
};
static const char *const judged[] = {
    "Query weight elimination applies to standard, GQA, and MQA architectures alike",
    "The results extend naturally to Grouped-Query Attention",
};
static const quotation standing[] = {
    MECHANISM_EXTENDS,
};
static const claim K_X_GQA = {
    .id = "K-X-gqa", .title = "grouped-query and multi-query attention",
    .where = "001 Sections 6 and 7; 003 Sections 2 and 6; 000 Sections 2 and 6",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .judged = judged, .njudged = COUNT(judged), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "as Theorems 4.2, 4.3, 4.4, the $W_Q$ that become $I$ in $\\mathrm{GL}(d)$; $W_K, W_V \\in "
                  "\\mathbb R^{d \\times h_{kv}d_k}$",
    .construction = "one $\\Theta \\in \\mathrm{GL}(d)$, as in the theorems; $D_g$ common to a group in Proposition "
                    "3.2",
    .why = "$\\Theta$ acts on the stream and does not know about heads; the papers' wording, transformations per "
           "query-head group, describes Proposition 3.2 only, where the query heads of a group must share one $D_g$: "
           "their common key head can be multiplied by one $D_g^{-\\top}$.",
    .models = "norm = none; tied = 0",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-T4.2 K-T4.3 K-T4.4 K-P3.2",
};
THEOREM_PROGRAM(K_X_GQA)
