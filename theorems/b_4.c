/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_4.c - B-4, several heads: the sum over heads is the concatenation times W_O.
 *
 * Statement (Eqs. 4-6).  z_i = sum_h (sum_j a_hij x_j) W_V^h W_O^h.
 *
 * Why it is the usual multi-head attention.  With W_V = (W_V^1 | .. | W_V^H), of columns, and W_O made of the
 * W_O^h one below the other, (A_1 X W_V^1 | .. | A_H X W_V^H) W_O = sum_h A_h X W_V^h W_O^h, block by block.
 *
 * A slip in print: Section 4 gives all four matrices of a head the dimension (N, N/H).  W_O^h has (N/H, N);
 * with (N, N/H) the product W_V^h W_O^h of Eq. 4 is not defined.                                          */
#include "src/claim/claim.h"
#include "src/model/stack.h"

/* Which head's rows of W_O, and whose weights, does head h take? */
typedef struct { long rows, weights; } choice;

static void sum_of_heads(trial *t, choice shift)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long H = M.s.h;
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *VO[MAX_HEADS], *sum = mat_zero(s, M.s.n, M.s.d);
    const mat **at[MAX_HEADS];
    for (long h = 0; h < H; h++) {
        const mat *V = stack_columns(s, &M, M.at[0].V, h), *O = stack_rows(s, &M, M.at[0].O, (h + shift.rows) % H);
        VO[h] = mat_mul(s, V, O);
        at[h] = &VO[h];
    }
    claim_reduced(t, H, at);
    for (long h = 0; h < H; h++) {
        const mat *A = stack_weights(s, &M, 0, (h + shift.weights) % H, X);
        sum = mat_add(s, sum, mat_mul3(s, A, X, VO[h]));
    }
    claim_equal(t, "concatenation times W_O = sum", model_attention(s, &M, 0, X), sum);
}

static void as_stated(trial *t)    { sum_of_heads(t, (choice){ 0, 0 }); }
static void rows_moved(trial *t)   { sum_of_heads(t, (choice){ 1, 0 }); }
static void weights_moved(trial *t){ sum_of_heads(t, (choice){ 0, 1 }); }

static void two_heads_or_more(shape *sh)
{
    stack_multi_head(sh);
    if (sh->h > 1) return;
    sh->h = sh->h_kv = sh->d % 2 ? sh->d : 2;
    sh->dk = sh->d / sh->h;
}

static const control controls[] = {
    { "rows-moved",    rows_moved,    "head $h$ takes the rows of $W_O$ of head $h+1$" },
    { "weights-moved", weights_moved, "head $h$ takes the attention weights of head $h+1$" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = as_stated, .no_large = true,
      .statement = "$(A_1XW_V^1 | \\dots | A_HXW_V^H)\\,W_O = \\sum_h A_hXW_V^hW_O^h$",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Eqs. (4)-(6)", "A popular variant consists of an extension to multiple heads indexed by" },
    { TEXT_002, "Section 1", "Each head has its separate matrices $W_h^Q$ , $W_h^K$ , $W_h^V$ , and $W_h^O$ ." },
    { TEXT_002, "Section 4", "In such cases, the matrices $W_{sh}^V$ , $W_{sh}^O$ , $W_{sh}^Q$ , and $W_{sh}^K$ "
      "are not square but of dimension (N, N/H)." },
};
static const claim B_4 = {
    .id = "B-4", .title = "sum over heads is concatenation times the projection", .where = "002 Eqs. (4)-(6)",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$H \\ge 2$ heads; $W_O^h$ is $N/H \\times N$ (Section 4 prints $(N, N/H)$, a slip)",
    .construction = "$W_O$ split into blocks of rows, $W_V$ into blocks of columns",
    .why = "A product of a row of blocks and a column of blocks is the sum of the products of the blocks.",
    .models = "norm = none; h_kv = h; biases = 0; rope = 0; qk_norm = 0",
    .prepare = two_heads_or_more, .parts = parts, .nparts = COUNT(parts), .depends = "B-1",
};
THEOREM_PROGRAM(B_4)
