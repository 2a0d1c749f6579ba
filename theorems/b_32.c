/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_32.c - B-32, value and projection fold into the MLP.
 *
 * Statement.  In a block of attention, then MLP, with one head, no skip and no norm between them, W_V and W_O
 * are redundant:   W1 <- W_V W_O W1,   b1 <- (b_V W_O + b_O) W1 + b1,   W_V <- I,   W_O <- I,   b_V, b_O <- 0.
 *
 * Why it is true.  The MLP reads A X W_V W_O + 1 (b_V W_O + b_O), for A 1 = 1, and multiplies it by W1 first.  A
 * skip around attention would bring X to the MLP unmultiplied, a skip around the MLP would carry A X past W1, a
 * norm stands between W_O and W1, and with more heads there is one W_V^h W_O^h for each A_h.
 *
 * So removing W_V and W_O costs nothing in such a block with an MLP, and expressive power without one.     */
#include "src/claim/claim.h"
#include "src/claim/induction.h"

typedef enum { FOLDED, NO_BIAS, PROJECTION_ONLY } fold;

static void one_head(shape *sh)
{
    sh->h = sh->h_kv = 1;
    sh->dk = sh->scale_den = sh->d;
    sh->attn_skip = sh->mlp_skip = false;
    sh->norm = NORM_NONE;
    sh->attention = ROWMAP_STOCHASTIC;
    sh->biases = true;
}

static void into_mlp(const layer_site *at, const layer *W, layer *R, fold how)
{
    scope *s = at->s;
    const mlp *F = &W->expert[0];
    const mat *VO = how == PROJECTION_ONLY ? W->O : mat_mul(s, W->V, W->O);
    const mat *b = mat_add(s, mat_mul(s, W->bV, W->O), W->bO);
    R->V = R->O = mat_identity(s, at->sh.d);
    R->bV = R->bO = mat_zero(s, 1, at->sh.d);
    R->expert[0].up = mat_mul(s, VO, F->up);
    if (how != NO_BIAS) R->expert[0].b_up = mat_add(s, mat_mul(s, b, F->up), F->b_up);
}
static void fold_all(const layer_site *at, const layer *W, layer *R)    { into_mlp(at, W, R, FOLDED); }
static void keep_bias(const layer_site *at, const layer *W, layer *R)   { into_mlp(at, W, R, NO_BIAS); }
static void forget_value(const layer_site *at, const layer *W, layer *R) { into_mlp(at, W, R, PROJECTION_ONLY); }

#define IN_PLACE(rewritten) \
    { .kinds = (const layer_kind[]){ { .name = "layer with W_V W_O in its MLP", .reduce = rewritten } }, \
      .nkinds = 1, .bases = BASIS_NONE }
static const induction folded = IN_PLACE(fold_all);
static const induction without_bias = IN_PLACE(keep_bias);
static const induction without_value = IN_PLACE(forget_value);

static shape with_skips(shape sh, bool around_attention, bool around_mlp)
{
    sh.attn_skip = around_attention;
    sh.mlp_skip = around_mlp;
    return sh;
}
static shape with_norm(shape sh) { sh.norm = NORM_RMS; return sh; }

static shape two_heads(shape sh)
{
    sh.h = sh.h_kv = sh.d;
    sh.dk = 1;
    return sh;
}

static void no_bias(trial *t)         { claim_built(t, t->sh, &without_bias); }
static void projection_only(trial *t) { claim_built(t, t->sh, &without_value); }
static void attention_skip(trial *t)  { claim_built(t, with_skips(t->sh, true, false), &folded); }
static void mlp_skip(trial *t)        { claim_built(t, with_skips(t->sh, false, true), &folded); }
static void norm_between(trial *t)    { claim_built(t, with_norm(t->sh), &folded); }
static void heads(trial *t)           { claim_built(t, two_heads(t->sh), &folded); }

static const control controls[] = {
    { "attention-skip",  attention_skip,  "a skip around attention brings $X$ to $W^{(1)}$ unmultiplied" },
    { "mlp-skip",        mlp_skip,        "a skip around the MLP carries $AX$ past $W^{(1)}$" },
    { "norm-between",    norm_between,    "a norm stands between $W_O$ and $W^{(1)}$" },
    { "heads",           heads,           "each head has its own $W_V^hW_O^h$" },
    { "no-bias",         no_bias,         "$b^{(1)}$ kept" },
    { "projection-only", projection_only, "$W_V$ forgotten" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = claim_by_induction, .no_large = true,
      .induction = &folded,
      .statement = "$W^{(1)} \\mapsto W_VW_OW^{(1)}$, $b^{(1)} \\mapsto (b_VW_O + b_O)W^{(1)} + b^{(1)}$, "
                   "$W_V, W_O \\mapsto I$, $b_V, b_O \\mapsto 0$: the same function",
      .without = "q", .why_without = "it has no row map whose weights sum to 1",
      CONTROLS(controls) },
};
static const claim B_32 = {
    .id = "B-32", .title = "value and projection fold into the MLP", .where = "new; for 002 Section 3 and Tables 2, 3",
    .hypotheses = "one head; no skips; no norm between attention and MLP; any activation; weights that do not change "
                  "when a constant is added to a row of scores, and that sum to 1",
    .assumes = "h = 1; rows sum to 1; shift-invariant row map",
    .construction = "$W^{(1)} \\mapsto W_VW_OW^{(1)}$, $b^{(1)} \\mapsto (b_VW_O + b_O)W^{(1)} + b^{(1)}$",
    .why = "The MLP begins with a matrix, and $W_VW_O$ stands right before it. So in this block leaving out $W_V$ and "
           "$W_O$ loses nothing with an MLP; without an MLP there is nothing to fold them into.",
    .models = "d = h d_k; norm = none; experts = 0; attn_skip = 0; mlp_skip = 0; parallel = 0; gated = 0; biases = 1",
    .prepare = one_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-10",
};
THEOREM_PROGRAM(B_32)
