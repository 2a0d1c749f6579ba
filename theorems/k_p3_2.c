/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_p3_2.c - K-P3.2, block-diagonal invariance of queries and keys.
 *
 * Statement.  S(X, W_Q D, W_K D^-T, W_V) = S(X, W_Q, W_K, W_V) for D = diag(D_1, .., D_h), D_a in GL(dk).
 *
 * Construction.  As stated; in a model every layer takes its own D.
 *
 * Why it works.  The scores of head a are X W_Q^a D_a D_a^-1 (X W_K^a)'.  Nothing else changes, so norms,
 * skips and the head of the model may be any.  Query heads that share a key head must share its D_a.
 * Rotary positions stand between D_a and D_a^-1: there D_a must commute with the rotations, (a, b; -b, a)
 * for each frequency.  Norms of queries and keys (with unit gains) leave only orthogonal D_a.      */
#include "src/claim/reduce.h"

static void one_layer(shape *sh) { sh->L = sh->m = sh->V = 1; }

static void all_skips(shape *sh)
{
    sh->act = ACT_SILU;                                  /* any will do; the error function is slow */
    sh->attn_skip = sh->mlp_skip = sh->tied = true;
    sh->norm = NORM_LAYER;
}

static void grouped(shape *sh)
{
    sh->act = ACT_SILU;
    sh->h_kv = sh->h % 2 ? 1 : sh->h / 2;
}

static void rotated(shape *sh)
{
    one_layer(sh);
    sh->rope = true;
    sh->dk += sh->dk % 2;
    sh->scale_den = sh->dk;
}

static const mat *draw(scope *s, const char *what, long i, long a, long rows, long cols)
{
    return mat_draw_at(s, what, i, a, rows, cols, mat_log2_fan_in(cols));
}

/* (a, b; -b, a) for every pair of columns: commutes with every rotation of the pairs */
static const mat *draw_commuting(scope *s, long a, long dk)
{
    const mat *J = mat_from_si(s, 2, 2, (long[]){ 0, 1, -1, 0 });
    const mat **pair = scope_alloc(s, (size_t)dk * sizeof *pair);
    for (long k = 0; k < dk / 2; k++) {
        const mat *top = draw(s, "turn", a, k, 1, 2);
        pair[k] = mat_vcat(s, 2, (const mat *const[]){ top, mat_mul(s, top, J) });
    }
    return mat_blockdiag(s, dk / 2, pair);
}

/* M with layer 0 in other bases of its heads */
static void change_heads(scope *s, model *M, bool commuting)
{
    const mat *D[MAX_HEADS];
    for (long g = 0; g < M->s.h_kv; g++)
        D[g] = commuting ? draw_commuting(s, g, M->s.dk) : draw(s, "D", 0, g, M->s.dk, M->s.dk);
    gauge_query_key(s, &M->s, &M->at[0], D);
}

static void compare_attention(trial *t, const model *M, model *R)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", M->s.n, M->s.d, 0);
    claim_reduced(t, 2, (const mat **[]){ &R->at[0].Q, &R->at[0].K });
    claim_equal(t, "self-attention", model_self_attention(s, M, 0, X), model_self_attention(s, R, 0, X));
}

static void one_attention(trial *t, bool commuting)
{
    const model M = model_random(&t->s, t->sh);
    model R = M;
    change_heads(&t->s, &R, commuting);
    compare_attention(t, &M, &R);
}

/* Every layer takes its own D. */
static void turned(const layer_site *at, const layer *W, layer *R)
{
    const mat *D[MAX_HEADS];
    (void)W;
    for (long g = 0; g < at->sh.h_kv; g++) D[g] = induction_layer_draw(at, "D", g, at->sh.dk, at->sh.dk);
    gauge_query_key(at->s, &at->sh, R, D);
}
static const layer_kind turned_layers[] = { { .name = "layer with W_Q D and W_K D^-T", .reduce = turned } };
static const induction whole_model = { .kinds = turned_layers, .nkinds = 1, .bases = BASIS_NONE };

/* The same with W_K D^-1, or with a D_a for each query head, of which a shared key head undoes one. */
static void not_transposed(const layer_site *at, const layer *W, layer *R)
{
    const mat *D[MAX_HEADS];
    for (long g = 0; g < at->sh.h_kv; g++) D[g] = induction_layer_draw(at, "D", g, at->sh.dk, at->sh.dk);
    gauge_query_key(at->s, &at->sh, R, D);
    R->K = mat_mul(at->s, W->K, mat_inv(at->s, mat_blockdiag(at->s, at->sh.h_kv, D)));
}

static void each_query_head(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    reduce_turn_query_heads(at->s, &at->sh, R);
}
static const layer_kind inverse_layers[] = { { .name = "layer with W_K D^-1", .reduce = not_transposed } };
static const layer_kind query_layers[]   = { { .name = "layer with W_Q^a D_a", .reduce = each_query_head } };
static const induction inverse_model = { .kinds = inverse_layers, .nkinds = 1, .bases = BASIS_NONE };
static const induction query_model   = { .kinds = query_layers, .nkinds = 1, .bases = BASIS_NONE };

static void inverse_all(trial *t) { claim_built(t, t->sh, &inverse_model); }

static void own_blocks(trial *t)
{
    shape sh = t->sh;
    if (sh.h == 1) sh.h = 2;                             /* of one key head; then h dk = 2 d */
    claim_built(t, sh, &query_model);
}

/* W_Q diag(D_a) and W_K times something that is wrong for it. */
typedef enum { INVERSE, TRANSPOSE, FULL, ONE_KEY } slip;
static void broken(trial *t, slip how)
{
    scope *s = &t->s;
    shape sh = t->sh;
    if (sh.h == 1 && (how == FULL || how == ONE_KEY)) sh.h = sh.h_kv = 2;        /* then h dk = 2 d */
    if (how == ONE_KEY) sh.h_kv = 1;
    const long width = sh.h * sh.dk;
    const model M = model_random(s, sh);
    model R = M;
    const mat *block[MAX_HEADS];
    for (long a = 0; a < sh.h; a++) block[a] = draw(s, "D", 0, a, sh.dk, sh.dk);
    const mat *D = how == FULL ? draw(s, "D full", 0, 0, width, width) : mat_blockdiag(s, sh.h, block);
    const mat *F = how == TRANSPOSE ? mat_t(s, D) : mat_inv(s, how == ONE_KEY ? block[0] : D);
    R.at[0].Q = mat_mul(s, M.at[0].Q, D);
    R.at[0].K = mat_mul(s, M.at[0].K, how == FULL || how == ONE_KEY ? mat_t(s, F) : F);
    compare_attention(t, &M, &R);
}

static void any_blocks(trial *t)       { one_attention(t, false); }
static void commuting_blocks(trial *t) { one_attention(t, true); }
static void inverse(trial *t)          { broken(t, INVERSE); }
static void transpose(trial *t)        { broken(t, TRANSPOSE); }
static void full(trial *t)             { broken(t, FULL); }
static void one_key(trial *t)          { broken(t, ONE_KEY); }
static void rotary(trial *t)           { rotated(&t->sh);      any_blocks(t); }
static void qk_normed(trial *t)        { t->sh.qk_norm = true; any_blocks(t); }

enum { ROPE = 4 };
static const control hypotheses[] = {
    { "inverse",      inverse,   "$W_KD^{-1}$, without the transpose" },
    { "transpose",    transpose, "$W_KD^\\top$, without the inverse" },
    { "full-d",       full,      "D mixes heads" },
    { "one-key-head", one_key,   "query heads that share a key head take different $D_a$" },
    [ROPE] = { "rope", rotary,   "rotations by position do not commute with $D_a$" },
    { "qk-norm",      qk_normed, "norms of queries and keys do not commute with $D_a$" },
};
static const control of_models[] = { { "inverse", inverse_all, "$W_KD^{-1}$ in every layer, without the transpose" } };
static const control of_groups[] = {
    { "inverse",      inverse_all, "$W_KD^{-1}$ in every layer, without the transpose" },
    { "one-key-head", own_blocks,  "query heads that share a key head take different $D_a$" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = any_blocks,
      .assumes = "invertible D",
      .statement = "$\\mathcal S(X, W_QD, W_KD^{-\\top}, W_V) = \\mathcal S(X, W_Q, W_K, W_V)$ for every "
                   "block-diagonal $D \\in \\mathrm{GL}(d)$",
      CONTROLS(hypotheses) },
    { .name = "as-stated-all", .kind = PART_IDENTITY, .run = claim_by_induction, .no_large = true,
      .induction = &whole_model,
      .prepare = all_skips, .assumes = "invertible D",
      .statement = "models with LayerNorm, all skips, a tied head, a $D$ per layer",
      CONTROLS(of_models) },
    { .name = "as-stated-grouped-queries", .kind = PART_IDENTITY, .run = claim_by_induction, .no_large = true,
      .induction = &whole_model, .prepare = grouped,
      .assumes = "invertible D",
      .statement = "the same without norms and skips, untied; query heads that share keys share $D_a$",
      CONTROLS(of_groups) },
    { .name = "corrected-rope", .kind = PART_IDENTITY, .run = commuting_blocks, .no_large = true,
      .statement = "with rotary positions: $D_a$ of blocks $(a, b; -b, a)$, one for each frequency",
      .without = "sym", .why_without = "rotations are opaque there, so nothing commutes with them",
      .prepare = rotated, .controls = hypotheses + ROPE, .ncontrols = 1 },
};
static const quotation quotes[] = {
    { TEXT_001, "Proposition 4.2", "Let be any block-diagonal invertible matrix with blocks . Then:" },
    { TEXT_003, "Proposition 3.2", "Let $D = \\text{diag}(D_1, \\dots, D_h) \\in \\text{GL}(d_{\\text{model}})$ "
      "be block-diagonal with $D_i \\in \\text{Mat}(d_k, d_k)$. Then:* $$\\mathcal{S}_c(X, W_Q, W_K, W_V) = "
      "\\mathcal{S}_c(X, W_Q D, W_K (D^\\top)^{-1}, W_V).$$" },
    { TEXT_000, "Proposition 4.2", "Let be any block-diagonal invertible matrix with blocks . Then:" },
};
static const claim K_P3_2 = {
    .id = "K-P3.2", .title = "block-diagonal invariance of queries and keys",
    .where = "001 Proposition 4.2; 003 Proposition 3.2; 000 Proposition 4.2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$D = \\mathrm{diag}(D_1, \\ldots, D_h)$, $D_a \\in \\mathrm{GL}(d_k)$; no RoPE, no QK-norm",
    .construction = "$\\tilde W_Q = W_QD$, $\\tilde W_K = W_KD^{-\\top}$",
    .why = "In the scores of head $a$ the factor $D_a$ of the queries meets $D_a^{-1}$ of the keys.",
    .models = "rope = 0; qk_norm = 0",
    .prepare = one_layer, .parts = parts, .nparts = COUNT(parts), .depends = "K-LA.1",
};
THEOREM_PROGRAM(K_P3_2)
