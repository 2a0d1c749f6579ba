/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_9.c - B-9, can attention without MLPs cover the nonlinearity?
 *
 * Statement (Section 2, a hypothesis).  A transformer without MLPs may be nonlinear enough for some tasks.
 *
 * The limit that the paper leaves out.  On one token, or on n equal tokens, a stack of attention layers without
 * norm and bias is exactly linear, whatever depth, heads, mask and weights.  Without softmax it would be cubic there,
 * so that softmax does not make every map "only more nonlinear".  All its nonlinearity comes from
 * differences between tokens; no function of a single token that is not linear (|x|, XOR) is representable.
 *
 * Why.  Equal tokens are X = 1 x.  Rows of weights sum to 1, A 1 = 1, so a layer sends 1 x to
 * sum_h A_h 1 x W_V^h W_O^h = 1 (x W_V W_O), and x(I + W_V W_O) with a skip.                               */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/model/stack.h"

typedef enum { NOTHING, WITH_MLP, WITH_NORM, TOKENS_DIFFER } broken;

static void stochastic(shape *sh)
{
    stack_multi_head(sh);
    sh->attention = ROWMAP_STOCHASTIC;
}

/* The stack on 1 x against 1 (x P), P = prod_s ([I +] W_V^s W_O^s). */
static void equal_tokens(trial *t, bool skips, broken what)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.norm = what == WITH_NORM ? NORM_LAYER : NORM_NONE;
    sh.attn_skip = skips;
    model M = model_random(s, sh);
    const mat *one = mat_ones(s, sh.n, 1), *x = mat_draw(s, "x", 1, sh.d, 0), *I = mat_identity(s, sh.d), *P = I;
    const mat *X = what == TOKENS_DIFFER ? mat_draw(s, "X", sh.n, sh.d, 0) : mat_mul(s, one, x);
    const mat *start = X, *VO[MAX_LAYERS], **at[MAX_LAYERS];
    for (long i = 0; i < sh.L; i++) {
        VO[i] = mat_mul(s, M.at[i].V, M.at[i].O);
        at[i] = &VO[i];
    }
    claim_reduced(t, sh.L, at);
    for (long i = 0; i < sh.L; i++) {
        P = mat_mul(s, P, skips ? mat_add(s, I, VO[i]) : VO[i]);
        X = stack_layer(s, &M, i, X);
        if (what == WITH_MLP) X = model_mlp(s, &M, i, X);
    }
    claim_whole(t, "the stack is X P", X, mat_mul(s, start, P));
}

static void plain(trial *t)     { equal_tokens(t, false, NOTHING); }
static void skips(trial *t)     { equal_tokens(t, true, NOTHING); }
static void with_mlp(trial *t)  { equal_tokens(t, false, WITH_MLP); }
static void with_norm(trial *t) { equal_tokens(t, true, WITH_NORM); }
static void differ(trial *t)    { equal_tokens(t, false, TOKENS_DIFFER); }
static void differ_2(trial *t)  { equal_tokens(t, true, TOKENS_DIFFER); }

/* One token: f(-x) = -f(x), but |-x| = |x|; f(x + y) = f(x) + f(y), but XOR is 0 on (1,1) and 1 on (1,0), (0,1). */
static void one_token(trial *t)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.n = 1;
    model M = model_random(s, sh);
    const mat *x = mat_draw(s, "x", 1, sh.d, 0), *y = mat_draw(s, "y", 1, sh.d, 0);
    const mat *f = stack_output(s, &M, x), *g = stack_output(s, &M, y), *minus = mat_scale(s, -1, 0, x);
    claim_equal(t, "f(-x) = -f(x)", mat_scale(s, -1, 0, f), stack_output(s, &M, minus));
    claim_equal(t, "f(x + y) = f(x) + f(y)", mat_add(s, f, g), stack_output(s, &M, mat_add(s, x, y)));
    claim_differs(t, "f is not 0", f, mat_zero(s, 1, sh.d));
}

/* n equal tokens, twice as large: one layer with softmax, and with the scores themselves. */
static void doubled(trial *t)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.mask = MASK_FULL;
    model M = model_random(s, sh), raw = M;
    raw.s.attention = ROWMAP_LINEAR;
    const mat *X = mat_mul(s, mat_ones(s, sh.n, 1), mat_draw(s, "x", 1, sh.d, 0)), *twice = mat_scale(s, 2, 0, X);
    const mat *soft = stack_layer(s, &M, 0, X), *cubic = stack_layer(s, &raw, 0, X);
    claim_equal(t, "softmax: f(2X) = 2 f(X)", stack_layer(s, &M, 0, twice), mat_scale(s, 2, 0, soft));
    claim_equal(t, "without: g(2X) = 8 g(X)", stack_layer(s, &raw, 0, twice), mat_scale(s, 8, 0, cubic));
    claim_differs(t, "g is not 0", cubic, mat_zero(s, sh.n, sh.d));
}

static const control of_stack[] = {
    { "with-mlp",      with_mlp, "an MLP between the layers: not linear" },
    { "tokens-differ", differ,   "the tokens are not equal" },
};
static const control of_skips[] = {
    { "layer-norm",    with_norm, "LayerNorm before each layer: not linear" },
    { "tokens-differ", differ_2,  "the tokens are not equal" },
};
#define NO_Q NOT_RATIONALS("it has no row map whose weights sum to 1")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_INFORMAL, .run = one_token, .no_large = true, .no_minimal = true,
      .quantity = "f(x+y)", .shown_by = "f(x + y) = f(x) + f(y)",
      .own_row_map = true,
      .statement = "on a single token every stack without skips has $f(-x) = -f(x)$ and $f(x+y) = f(x)+f(y)$, so "
                   "$|x|$ and XOR "
                   "are out of reach at any depth",
      .basis = "a fact beside the hypothesis",
      .without = "fp sym", .why_without = "where functions are opaque a difference shows nothing" },
    { .name = "as-stated-growth", .kind = PART_INFORMAL, .run = doubled, .no_large = true, .no_minimal = true,
      .quantity = "f(2X)", .shown_by = "softmax: f(2X) = 2 f(X)",
      .own_row_map = true,
      .statement = "on $n$ equal tokens one layer with softmax has $f(2X) = 2f(X)$, and without $g(2X) = 8g(X)$: there "
                   "softmax takes the nonlinearity away",
      .basis = "facts beside it; ``more nonlinear'' has no measure",
      .without = "fp sym", .why_without = "where functions are opaque a difference shows nothing" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = plain, .no_large = true, NO_Q,
      .assumes = "rows sum to 1; shift-invariant row map",
      .statement = "on $n$ equal tokens $x$: output $x\\prod_s W_V^sW_O^s$, linear, for any depth, heads, mask",
      CONTROLS(of_stack) },
    { .name = "corrected-skip", .kind = PART_IDENTITY, .run = skips, .no_large = true, NO_Q,
      .models = "norm = none; h_kv = h; attn_skip = 1; biases = 0",
      .assumes = "rows sum to 1; shift-invariant row map",
      .statement = "the same with skips: $x\\prod_s(I + W_V^sW_O^s)$",
      CONTROLS(of_skips) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 2", "The nonlinearity of Softmax() makes this mapping only more nonlinear." },
    { TEXT_002, "Section 2", "This makes clear that subsequent processing by an MLP is not the only nonlinear "
      "element of the processing." },
    { TEXT_002, "Section 2", "Still, the hypothesis that a reduced transformer without an MLP may cover the "
      "nonlinearity needs for some tasks is justified and can be validated by appropriate tests." },
};
static const char *const judged[] = {
    "The nonlinearity of Softmax() makes this mapping only more nonlinear.",
    "Still, the hypothesis that a reduced transformer without an MLP may cover the "
    "nonlinearity needs for some tasks is justified and can be validated by appropriate tests.",
};
static const claim B_9 = {
    .id = "B-9", .title = "nonlinearity of attention without MLPs", .where = "002 Section 2",
    .quotes = quotes, .nquotes = COUNT(quotes), .judged = judged, .njudged = COUNT(judged),
    .hypotheses = "no norm, no biases; the weights of a row sum to 1, and do not change when a constant is added to "
                  "its scores",
    .construction = "$X = \\mathbf{1}x$: $A\\mathbf{1}x = \\mathbf{1}x$",
    .why = "Attention averages tokens. Where all tokens are equal there is nothing to choose from, every average is "
           "$x$, and what is left of a layer is the matrix $W_VW_O$. So attention is linear where there are no "
           "differences between tokens; a task that needs a nonlinear function of one token needs an MLP or a norm. "
           "Nor does softmax make the map ``only more nonlinear'' in every sense: on equal tokens its outputs grow "
           "as $X$, those of the cubic form as its third power.",
    .models = "norm = none; h_kv = h; attn_skip = 0; biases = 0",
    .prepare = stochastic, .parts = parts, .nparts = COUNT(parts), .depends = "B-1 B-4",
};
THEOREM_PROGRAM(B_9)
