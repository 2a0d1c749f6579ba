/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_pa_2.c - K-PA.2, block Hadamard form of multi-head attention.
 *
 * Statement.  Softmax_M( dk^-1/2 (X W_Q) [x]^t (X W_K)' ) [x] (X W_V), with block products and a softmax
 * block by block, is the concatenation of the heads.
 *
 * Construction.  For F = (F_1 | .. | F_h), G = (G_1 above .. above G_h) and A = (A_1 | .. | A_h),
 *     F [x]^t G = (F_1 G_1 | .. | F_h G_h), n x h n        A [x] F = (A_1 F_1 | .. | A_h F_h), n x h dk
 *
 * Why it works.  (X W_Q)_a = X W_Q^a and the a-th block of rows of (X W_K)' is (X W_K^a)' by K-LA.1, so
 * block a of the logits is that of head a; softmax and the product with (X W_V)_a stay in the block. */
#include "src/claim/claim.h"

static void one_layer(shape *sh)
{
    sh->L = sh->m = sh->V = 1;
}

typedef enum { BLOCKS, ORDINARY, SHIFTED, TURNED } product;

/* F [x]^t G; the others are wrong on purpose */
static const mat *times_transposed(scope *s, long h, const mat *F, const mat *G, product how)
{
    const mat *block[MAX_HEADS];
    const long dk = F->cols / h;
    for (long a = 0; a < h; a++) {
        const long b = how == SHIFTED ? (a + 1) % h : a;
        const mat *FG = mat_mul(s, mat_cols(s, F, a * dk, dk), mat_rows(s, G, b * dk, dk));
        block[a] = how == ORDINARY ? mat_mul(s, F, G) : how == TURNED ? mat_t(s, FG) : FG;
    }
    return mat_hcat(s, h, block);
}

/* A [x] F */
static const mat *times(scope *s, long h, const mat *A, const mat *F)
{
    const mat *block[MAX_HEADS];
    const long n = A->cols / h, dk = F->cols / h;
    for (long a = 0; a < h; a++) block[a] = mat_mul(s, mat_cols(s, A, a * n, n), mat_cols(s, F, a * dk, dk));
    return mat_hcat(s, h, block);
}

static const mat *softmax(scope *s, const model *M, const mat *scores, long a)
{
    const rowmap how = { .kind = M->s.attention, .visible = M->visible,
                         .scale_num = M->s.scale_num, .scale_den = M->s.scale_den };
    return mat_rowmap(s, scores, &how, (place){ 0, PLACE_ATTENTION, (int)a });
}

static const mat *block_softmax(scope *s, const model *M, const mat *A)
{
    const mat *block[MAX_HEADS];
    const long n = A->rows;
    for (long a = 0; a < M->s.h; a++) block[a] = softmax(s, M, mat_cols(s, A, a * n, n), a);
    return mat_hcat(s, M->s.h, block);
}

/* (head_1 | .. | head_h), each from its own columns of the weights */
static const mat *concatenation(scope *s, const model *M, const mat *X)
{
    const layer *W = &M->at[0];
    const mat *head[MAX_HEADS];
    for (long a = 0; a < M->s.h; a++) {
        const long at = a * M->s.dk;
        const mat *q = mat_mul(s, X, mat_cols(s, W->Q, at, M->s.dk));
        const mat *k = mat_mul(s, X, mat_cols(s, W->K, at, M->s.dk));
        const mat *v = mat_mul(s, X, mat_cols(s, W->V, at, M->s.dk));
        head[a] = mat_mul(s, softmax(s, M, mat_mul(s, q, mat_t(s, k)), a), v);
    }
    return mat_hcat(s, M->s.h, head);
}

static void compare(trial *t, shape sh, product how)
{
    scope *s = &t->s;
    const model M = model_random(s, sh);
    const mat *X = mat_draw(s, "X", sh.n, sh.d, 0), *Q = M.at[0].Q, *K = M.at[0].K, *V = M.at[0].V;
    claim_reduced(t, 3, (const mat **[]){ &Q, &K, &V });
    const mat *F = mat_mul(s, X, Q), *G = mat_t(s, mat_mul(s, X, K));
    const mat *A = block_softmax(s, &M, times_transposed(s, sh.h, F, G, how));
    const mat *S = times(s, sh.h, A, mat_mul(s, X, V));
    claim_equal(t, "block form = concatenated heads", concatenation(s, &M, X), S);
    claim_equal(t, "times W_O: the attention", model_attention(s, &M, 0, X), mat_mul(s, S, M.at[0].O));
}

static shape two_heads_at_least(shape sh)
{
    if (sh.h == 1) sh.h = sh.h_kv = 2;                   /* then h dk = 2 d, which changes nothing */
    return sh;
}

static void literal(trial *t)          { compare(t, t->sh, BLOCKS); }
static void ordinary_product(trial *t) { compare(t, two_heads_at_least(t->sh), ORDINARY); }
static void next_key(trial *t)         { compare(t, two_heads_at_least(t->sh), SHIFTED); }
static void turned_scores(trial *t)    { compare(t, t->sh, TURNED); }

static const control misread[] = {
    { "ordinary-product", ordinary_product, "the matrix product, the sum over heads, for the block product" },
    { "next-key",         next_key,         "queries of head a meet keys of head a + 1" },
    { "turned-scores",    turned_scores,    "each block of scores transposed: keys attend to queries" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = literal,
      .statement = "$\\mathrm{Softmax}_M\\left(\\frac{1}{\\sqrt{d_k}}(XW_Q) \\boxtimes^t (XW_K)^\\top\\right) "
                   "\\boxtimes (XW_V) = (\\mathrm{head}_1 | \\cdots | \\mathrm{head}_h)$ with every mask",
      CONTROLS(misread) },
};
static const quotation quotes[] = {
    { TEXT_001, "Section 3.1", "Multi-head causal self-attention is: where and . This notation makes explicit "
      "that attention scores are computed independently per head, while mixes information across heads." },
    { TEXT_003, "Proposition A.2", "The block-notation expression (2) for \\mathcal{S}_c coincides with the "
      "standard concatenation of heads:* $$\\mathcal{S}_c(X, W_Q, W_K, W_V) = \\text{Concat}(\\text{head}_1, "
      "\\dots, \\text{head}_h).$$" },
    { TEXT_000, "Proposition 8.1", "The block-notation expression (4) for coincides with the standard "
      "concatenation of heads:" },
};
static const claim K_PA_2 = {
    .id = "K-PA.2", .title = "block Hadamard form of the heads",
    .where = "001 Section 3.1; 003 Proposition A.2; 000 Proposition 8.1",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "none",
    .construction = "$F \\boxtimes^t G = (F_1G_1 | \\cdots | F_hG_h)$, "
                    "$A \\boxtimes F = (A_1F_1 | \\cdots | A_hF_h)$",
    .why = "By the interchange of head weights block $a$ of each factor is that of head $a$; block products "
           "and the softmax of blocks never mix heads.",
    .models = "given attention; h_kv = h; biases = 0; rope = 0; qk_norm = 0",
    .prepare = one_layer, .parts = parts, .nparts = COUNT(parts), .depends = "K-LA.1",
};
THEOREM_PROGRAM(K_PA_2)
