/* SPDX-License-Identifier: GPL-3.0-or-later
 * n1.c - N1, block-diagonal invariance of values and outputs.
 *
 * Statement.  S(X, W_Q, W_K, W_V D) D^-1 W_O = S(X, W_Q, W_K, W_V) W_O for D = diag(D_1, .., D_h), D_a in GL(dk): the
 * redundancy that 003 suspects between W_V and W_O.  It holds in every model: any norm, skips, tied head, RoPE,
 * QK-norm, biases; grouped heads share the D of their value head.
 *
 * Construction.  W_V~ = W_V D,  b_V~ = b_V D,  W_O~ = D^-1 W_O  (rows of W_O grouped by head).
 *
 * Why it works.  The weights A of head a act from the left: A (X W_V^a D_a) D_a^-1 W_O^a.  Nothing stands between
 * W_V^a and W_O^a but A, so unlike Proposition 3.2 no rotation and no norm can be in the way.  It is D^-1
 * and not D^-T here, for W_O is not transposed.                                                            */
#include "src/claim/reduce.h"

static void plain(shape *sh)   { reduce_switches(sh, ONE_LAYER); }

static void all_on(shape *sh)
{
    plain(sh);
    sh->norm = NORM_LAYER;
    sh->tied = sh->biases = sh->gated = true;
}
static void rotary(shape *sh)  { plain(sh); sh->rope = sh->qk_norm = true; sh->norm = NORM_RMS; }
static void grouped(shape *sh) { plain(sh); sh->h_kv = sh->h % 2 ? 1 : sh->h / 2; sh->biases = true; }

/* A D of its own in every layer. */
static void turned(const layer_site *at, const layer *W, layer *R)
{
    const mat *D[MAX_HEADS];
    (void)W;
    for (long g = 0; g < at->sh.h_kv; g++) D[g] = induction_layer_draw(at, "D", g, at->sh.dk, at->sh.dk);
    gauge_value_output(at->s, &at->sh, R, D);
}

typedef enum { INVERSE_TRANSPOSED, INVERSE_LEFT, FULL, PER_QUERY_HEAD } slip;
static void turn_wrongly(const layer_site *at, const layer *W, layer *R, slip how)
{
    scope *s = at->s;
    const shape *sh = &at->sh;
    const long width = sh->h * sh->dk;
    const mat *D[MAX_HEADS];
    for (long a = 0; a < sh->h; a++) D[a] = induction_layer_draw(at, "D", a, sh->dk, sh->dk);
    const mat *of_value = mat_blockdiag(s, sh->h_kv, D), *of_output = mat_blockdiag(s, sh->h, D);
    if (how == FULL) of_value = of_output = induction_layer_draw(at, "D full", 0, width, width);
    const mat *back = mat_inv(s, of_output);
    R->V = mat_mul(s, W->V, of_value);
    if (W->bV) R->bV = mat_mul(s, W->bV, of_value);
    const mat *left = how == INVERSE_TRANSPOSED ? mat_t(s, back) : how == INVERSE_LEFT ? of_output : back;
    R->O = mat_mul(s, left, W->O);
}

static void turned_transposed(const layer_site *at, const layer *W, layer *R)
{
    turn_wrongly(at, W, R, INVERSE_TRANSPOSED);
}
static void turned_twice(const layer_site *at, const layer *W, layer *R)      { turn_wrongly(at, W, R, INVERSE_LEFT); }
static void turned_full(const layer_site *at, const layer *W, layer *R)       { turn_wrongly(at, W, R, FULL); }

static void turned_each(const layer_site *at, const layer *W, layer *R)
{
    turn_wrongly(at, W, R, PER_QUERY_HEAD);
}

#define IN_PLACE(rewritten) \
    { .kinds = (const layer_kind[]){ { .name = "layer with W_V D and D^-1 W_O", .reduce = rewritten } }, \
      .nkinds = 1, .bases = BASIS_NONE }
static const induction each_layer = IN_PLACE(turned);
static const induction transposed_table = IN_PLACE(turned_transposed);
static const induction twice_table = IN_PLACE(turned_twice);
static const induction full_table = IN_PLACE(turned_full);
static const induction each_head_table = IN_PLACE(turned_each);
static void transposed(trial *t)     { claim_built(t, t->sh, &transposed_table); }
static void not_inverted(trial *t)   { claim_built(t, t->sh, &twice_table); }
static void full(trial *t)           { claim_built(t, t->sh, &full_table); }
static void per_query_head(trial *t) { claim_built(t, t->sh, &each_head_table); }

static const control slips[] = {
    { "inverse-transposed", transposed,   "$D^{-\\top}W_O$, as for keys" },
    { "not-inverted",       not_inverted, "$DW_O$" },
    { "full-D",             full,         "$D$ mixes heads" },
};
static const control untransposed[] = {
    { "inverse-transposed", transposed, "$D^{-\\top}W_O$, as for keys" },
    { "full-D",             full,       "$D$ mixes heads" },
};
static const control groups[] = { { "D-per-query-head", per_query_head, "query heads of one group take different "
                                                                        "$D_a$" } };
static const part parts[] = {
    INDUCTIVE_PART("as-stated", each_layer, plain, CONTROLS(slips),
                 .statement = "a $D$ of its own in every layer, all skips, no norm"),
    INDUCTIVE_PART("as-stated-all", each_layer, all_on, .without = "q", .why_without = "q has no square roots",
                 CONTROLS(untransposed),
                 .statement = "the same with LayerNorm, biases, gated MLPs and a tied head"),
    INDUCTIVE_PART("as-stated-rope", each_layer, rotary, .without = "q", .why_without = "q has no square roots",
                 CONTROLS(untransposed),
                 .statement = "the same with RMSNorm, rotary positions and QK-norm, and any $D_a$"),
    INDUCTIVE_PART("as-stated-grouped-queries", each_layer, grouped, CONTROLS(groups),
                 .statement = "the same with grouped heads, one $D_g$ for each value head"),
};
static const quotation quotes[] = {
    { TEXT_001, "Section 4.1.2", "There might be similar degrees of freedom in the case of when paired with , but we "
      "leave such explorations to future work." },
    { TEXT_003, "Section 3", "Similar redundancies may exist between W_V and W_O ; we leave this to future work." },
    { TEXT_000, "Section 4.1.2", "there probably is a similar amount of degrees of freedom in the case of when paired "
      "with" },
};
static const claim N1 = {
    .id = "N1", .title = "block-diagonal invariance of values and outputs",
    .where = "001 Section 4.1.2; 003 Section 3; 000 Section 4.1.2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$D = \\mathrm{diag}(D_1, \\ldots, D_h)$, $D_a \\in \\mathrm{GL}(d_k)$; nothing else",
    .assumes = "invertible D",
    .construction = "$\\tilde W_V = W_VD$, $\\tilde b_V = b_VD$, $\\tilde W_O = D^{-1}W_O$",
    .why = "What the texts leave to future work holds, and the amount is the same: one $D_a$ for each head, $hd_k^2$ "
           "numbers.  The attention weights act from the left, so nothing stands between $W_V^aD_a$ and "
           "$D_a^{-1}W_O^a$: neither "
           "rotations nor norms.  That only the products $W_V^aW_O^a$ matter is folklore (Elhage et al., A "
           "Mathematical Framework for Transformer Circuits, 2021).",
    .shapes = reduce_shapes, .nshapes = COUNT(reduce_shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(N1)
