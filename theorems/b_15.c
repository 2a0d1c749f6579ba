/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_15.c - B-15, output embeddings in the space spanned by the input tokens.
 *
 * Statement (Section 3).  The output embeddings can be expected to come from the space spanned by the input words,
 * so it is questionable to transform them by W_VO at all.
 *
 * What it needs.  That W_VO is omitted: with W_VO, and fewer tokens than coordinates, outputs B X W_VO leave the span
 * of the rows of X.  Without it they stay, Z = B X; with skips too, Z = prod (I + A_s) X; but not with LayerNorm,
 * whose mean and gain change coordinates, nor with an output bias.
 *
 * In all that, "span" is weak: n >= N tokens span everything, and the hull (B-14) says more.               */
#include "src/claim/claim.h"
#include "src/model/stack.h"

typedef enum { NOTHING, VALUES, NORM, BIAS } extra;

/* Is the stack, W_V = W_O = I, X -> prod ([I +] A_s) X? */
static void spanned(trial *t, bool skip, extra what)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.attn_skip = skip;
    sh.norm = what == NORM ? NORM_LAYER : NORM_NONE;
    model M = model_random(s, sh);
    const mat *X = mat_draw(s, "X", sh.n, sh.d, 0), *I = mat_identity(s, sh.n), *Z = X, *B = I;
    for (long i = 0; i < sh.L; i++) {
        if (what != VALUES) M.at[i].V = M.at[i].O = mat_identity(s, sh.d);
        const mat *A = stack_weights(s, &M, i, 0, Z);
        B = mat_mul(s, skip ? mat_add(s, I, A) : A, B);
        Z = stack_layer(s, &M, i, Z);
    }
    if (what == BIAS) Z = mat_add_row(s, Z, mat_draw(s, "b", 1, sh.d, 0));
    claim_whole(t, "Z = B X", Z, mat_mul(s, B, X));
}

/* One token: its weight is 1, so z = x W_V W_O, no multiple of x. */
static void leaves(trial *t)
{
    scope *s = &t->s;
    shape sh = t->sh;
    sh.n = 1;
    model M = model_random(s, sh);
    const mat *x = mat_draw(s, "x", 1, sh.d, 0), *z = mat_mul3(s, x, M.at[0].V, M.at[0].O);
    const mat *x_1 = mat_cols(s, x, 0, 1), *x_2 = mat_cols(s, x, 1, 1);
    const mat *z_1 = mat_cols(s, z, 0, 1), *z_2 = mat_cols(s, z, 1, 1);
    claim_equal(t, "z = x W_V W_O", model_attention(s, &M, 0, x), z);
    claim_differs(t, "x_1 z_2 and x_2 z_1", mat_mul(s, x_1, z_2), mat_mul(s, x_2, z_1));
}

static void plain(trial *t)       { spanned(t, false, NOTHING); }
static void skips(trial *t)       { spanned(t, true, NOTHING); }
static void with_values(trial *t) { spanned(t, false, VALUES); }
static void with_norm(trial *t)   { spanned(t, true, NORM); }
static void with_bias(trial *t)   { spanned(t, true, BIAS); }

static const control of_plain[] = { { "values", with_values, "$W_V$ and $W_O$ present" } };
static const control of_skips[] = {
    { "norm", with_norm, "LayerNorm before attention" },
    { "bias", with_bias, "an output bias" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_INFORMAL, .run = leaves, .no_large = true, .no_minimal = true,
      .quantity = "xW_VW_O", .shown_by = "x_1 z_2 and x_2 z_1",
      .own_row_map = true,
      .statement = "with $W_V$, $W_O$ the output of a single token $x$ is $xW_VW_O$, no multiple of $x$: "
                   "$x_1z_2 \\ne x_2z_1$",
      .basis = "witness: one token",
      .without = "fp sym", .why_without = "the weight of a single token is 1 under softmax" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = plain, .no_large = true, .no_minimal = true,
      .statement = "$W_V = W_O = I$: every row of $Z = A_S \\cdots A_1X$ lies in the span of the rows of $X$",
      CONTROLS(of_plain) },
    { .name = "corrected-skip", .kind = PART_IDENTITY, .run = skips, .no_large = true, .no_minimal = true,
      .models = "d = h d_k; constrained W_V = I; constrained W_O = I; norm = none; attn_skip = 1; biases = 0; "
                "rope = 0; "
                "qk_norm = 0",
      .statement = "with skips as well: $Z = \\prod_s(I + A_s)\\,X$",
      CONTROLS(of_skips) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 3", "These output embeddings can be expected to come from the space spanned by the "
      "input words or tokens. From this viewpoint, it may appear questionable to transform the input embeddings "
      "by matrices $W_s^{VO}$ and to re-transform them back into the word embeddings." },
};
static const quotation standing[] = {
    { TEXT_002, "Section 3", "In many NLP applications, the output of the last transformer of the stack is "
      "expected to produce an embedding of a word or a language token." },
};
static const claim B_15 = {
    .id = "B-15", .title = "outputs stay in the span of the inputs", .where = "002 Section 3",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "corrected: $W_V = W_O = I$, any row map, no norm, no biases",
    .construction = "$Z = \\prod_s([I +] A_s)\\,X$",
    .why = "What can be expected of embeddings is no statement to decide.  Without $W_V$ and $W_O$ the outputs do "
           "stay in the span of the inputs, for attention weights act on tokens; $W_VW_O$ acts on coordinates and "
           "leaves it.  So the sentence describes the reduced model; of the model that it argues from it is a wish.",
    .assumes = "h = 1",
    .models = "d = h d_k; constrained W_V = I; constrained W_O = I; norm = none; attn_skip = 0; biases = 0; "
              "rope = 0; "
              "qk_norm = 0",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts),
    .depends = "B-11 B-14",
};
THEOREM_PROGRAM(B_15)
