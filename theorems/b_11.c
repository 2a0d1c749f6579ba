/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_11.c - B-11, the recursion of stacked layers.
 *
 * Statement (Eqs. 8, 9).  y_2i = sum_k a_2ik sum_j a_1kj x_j  W_1^VO W_2^VO, and so on: the matrices W_s^VO of S
 * stacked layers concatenate to their product.
 *
 * Why it is true.  Y_1 = A_1 X O_1 and Y_2 = A_2 Y_1 O_2 = (A_2 A_1) X (O_1 O_2): what acts on tokens stands on
 * the left, what acts on coordinates on the right, and the two do not meet.  A_2 belongs to Y_1, not to X.
 *
 * A slip in print: the last line of Eq. 8 has W_1^VO W_2^VO to the left of the sum.  x_j are rows (Eq. 3 has x W),
 * so an N x N matrix does not fit there; read as acting on columns it would be x_j (W_1^VO W_2^VO)'.      */
#include "src/claim/claim.h"
#include "src/model/stack.h"

typedef enum { RIGHT, AS_PRINTED, REVERSED, OF_THE_INPUT } side;

static const mat *output_matrix(scope *s, const mat *const O[], long S, side how)
{
    const mat *P = O[0];
    for (long i = 1; i < S; i++) P = how == REVERSED ? mat_mul(s, O[i], P) : mat_mul(s, P, O[i]);
    return how == AS_PRINTED ? mat_t(s, P) : P;
}

static void recursion(trial *t, bool skip, side how)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    M.s.attn_skip = skip;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *Y = X, *B = NULL, *O[MAX_LAYERS], **at[MAX_LAYERS];
    for (long i = 0; i < M.s.L; i++) {
        O[i] = mat_mul(s, M.at[i].V, M.at[i].O);
        at[i] = &O[i];
    }
    claim_reduced(t, M.s.L, at);
    for (long i = 0; i < M.s.L; i++) {
        const mat *A = stack_weights(s, &M, i, 0, how == OF_THE_INPUT ? X : Y);
        B = B ? mat_mul(s, A, B) : A;
        Y = stack_layer(s, &M, i, Y);
    }
    claim_whole(t, "y_S = A_S .. A_1 X O_1 .. O_S", Y, mat_mul3(s, B, X, output_matrix(s, O, M.s.L, how)));
}

static void stated(trial *t)       { recursion(t, false, RIGHT); }
static void as_printed(trial *t)   { recursion(t, false, AS_PRINTED); }
static void reversed(trial *t)     { recursion(t, false, REVERSED); }
static void of_the_input(trial *t) { recursion(t, false, OF_THE_INPUT); }
static void with_skip(trial *t)    { recursion(t, true, RIGHT); }

static const control controls[] = {
    { "as-printed",   as_printed,   "$W_1^{VO}W_2^{VO}$ on the left, as in the last line of Eq. (8): its transpose" },
    { "reversed",     reversed,     "$O_S \\cdots O_1$" },
    { "of-the-input", of_the_input, "all weights computed from $X$ in place of $Y_{s-1}$" },
    { "with-skip",    with_skip,    "skips add $2^S - 1$ more terms" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = stated, .no_large = true,
      .statement = "$Y_S = A_S \\cdots A_1\\,X\\,O_1 \\cdots O_S$ with $O_s = W_s^VW_s^O$, $A_s = A(Y_{s-1})$",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 3", "Concatenating the transformer-encoder layers without MLP leads to the following "
      "recursion:" },
    { TEXT_002, "Section 3", "When stacking the attention modules, the matrices $W_s^{VO}$ concatenate to their "
      "product" },
};
static const quotation standing[] = {
    { TEXT_002, "Section 3", "in the case of a single head, these matrices are square" },
};
static const claim B_11 = {
    .id = "B-11", .title = "recursion of stacked layers", .where = "002 Eqs. (8), (9)",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "one head; no skip, norm, bias or MLP; the $O_s$ on the right of the rows (the last line of Eq. (8) "
                  "prints them on the left, a slip)",
    .construction = "$Y_s = A_sY_{s-1}O_s$",
    .why = "$A_s$ acts on tokens from the left, $O_s$ on coordinates from the right. With $x_j$ a row, the product of "
           "the $O_s$ stands on its right; the last line of Eq. (8) prints it on the left. That the weights $A_s$ "
           "see $Y_{s-1}$, and with it $O_1 \\cdots O_{s-1}$, is claim B-12.",
    .assumes = "h = 1",
    .models = "norm = none; attn_skip = 0; biases = 0; rope = 0; qk_norm = 0",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-1",
};
THEOREM_PROGRAM(B_11)
