/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_51.c - B-51, square matrices in several heads.
 *
 * Statement (Section 4).  The relationships of Section 3 are valid wherever the matrices are square; "this may also
 * apply to multiple heads".
 *
 * What is true.  Head by head the pairs collapse as those of one head do: for N x N matrices
 *     (X W_Q)(X W_K)' = X (W_Q W_K') X',        sum_h A_h X W_V^h W_O^h = sum_h A_h X (W_V^h W_O^h).
 *
 * What is not.  Eqs. 8 and 9 have one product of the W^VO at the end, Y = B X P.  With two square heads a layer has no
 * such P.  Weights sum to 1, so a single token x demands P = O_1 + O_2, O_h = W_V^h W_O^h.  Two tokens x and y with
 * u = x - y then demand that token 1 of the output less y P is a multiple of u P.  It is a u O_1 + b u O_2, a and b the
 * weights of x in the two heads: where these differ, it is none unless u O_1 and u O_2 are parallel. */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"

enum { HEADS = 2 };
typedef struct { const mat *Q, *K, *V, *O; } square;

static const mat *drawn(scope *s, const char *name, long a, long d) { return mat_draw_at(s, name, a, -1, d, d, -1); }
static square head_of(scope *s, long a, long d)
{
    return (square){ drawn(s, "W_Q", a, d), drawn(s, "W_K", a, d), drawn(s, "W_V", a, d), drawn(s, "W_O", a, d) };
}

static const mat *weights(scope *s, const mat *scores, const shape *sh, long a)
{
    const rowmap how = { .kind = sh->attention, .scale_num = 1, .scale_den = 1 };
    return mat_rowmap(s, scores, &how, (place){ 0, PLACE_ATTENTION, (int)a });
}
static const mat *scores(scope *s, const mat *X, const mat *Q, const mat *K)
{
    return mat_mul(s, mat_mul(s, X, Q), mat_t(s, mat_mul(s, X, K)));
}

typedef enum { COLLAPSED, KEY_KEPT, ONE_MATRIX } slip;
static void collapse(trial *t, slip how)
{
    scope *s = &t->s;
    const long n = t->sh.n, d = t->sh.d;
    const mat *X = mat_draw(s, "X", n, d, 0), *I = mat_identity(s, d);
    const mat *given = mat_zero(s, n, d), *reduced = given, *QK[HEADS], *VO[HEADS], **at[2 * HEADS];
    square W[HEADS];
    for (long a = 0; a < HEADS; a++) {
        W[a] = head_of(s, a, d);
        QK[a] = mat_mul(s, W[a].Q, mat_t(s, W[a].K));
        VO[a] = mat_mul(s, W[a].V, W[a].O);
        at[a] = &QK[a];
        at[HEADS + a] = &VO[a];
    }
    claim_reduced(t, 2 * HEADS, at);
    for (long a = 0; a < HEADS; a++) {
        const mat *A = weights(s, scores(s, X, W[a].Q, W[a].K), &t->sh, a);
        const mat *B = weights(s, scores(s, X, QK[a], how == KEY_KEPT ? W[a].K : I), &t->sh, a);
        given = mat_add(s, given, mat_mul(s, mat_mul3(s, A, X, W[a].V), W[a].O));
        reduced = mat_add(s, reduced, mat_mul3(s, B, X, VO[how == ONE_MATRIX ? 0 : a]));
    }
    claim_equal(t, "the layer", given, reduced);
}
static void collapsed(trial *t)  { collapse(t, COLLAPSED); }
static void key_kept(trial *t)   { collapse(t, KEY_KEPT); }
static void one_matrix(trial *t) { collapse(t, ONE_MATRIX); }

/* Token 1 of two, N = 2: r = y_1 - y P against u P, by their determinant. */
static void no_product(trial *t)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", 2, 2, 0), *y = mat_rows(s, X, 1, 1), *u = mat_sub(s, mat_rows(s, X, 0, 1), y);
    const mat *out = mat_zero(s, 1, 2), *P = mat_zero(s, 2, 2);
    for (long a = 0; a < HEADS; a++) {
        const square W = head_of(s, a, 2);
        const mat *VO = mat_mul(s, W.V, W.O);
        const mat *A = mat_rows(s, weights(s, scores(s, X, W.Q, W.K), &t->sh, a), 0, 1);
        out = mat_add(s, out, mat_mul3(s, A, X, VO));
        P = mat_add(s, P, VO);
    }
    const mat *r = mat_sub(s, out, mat_mul(s, y, P)), *v = mat_mul(s, u, P);
    const mat *turned = mat_from_si(s, 2, 2, (long[]){ 0, 1, -1, 0 });
    claim_differs(t, "the output is on no line of means", mat_mul3(s, r, turned, mat_t(s, v)), mat_zero(s, 1, 1));
}

static void softmax(shape *sh)
{
    sh->attention = ROWMAP_SOFTMAX;
    sh->mask = MASK_FULL;
}

static const control of_collapse[] = {
    { "key-kept",   key_kept,   "$W_K$ is left beside $W_QW_K^\\top$" },
    { "one-matrix", one_matrix, "the matrix $W_V^1W_O^1$ for both heads" },
};
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(3, 2, 1, 1, MASK_FULL) }, { .sh = ATTENTION_SHAPE(4, 3, 1, 1, MASK_FULL) },
    { .sh = ATTENTION_SHAPE(5, 5, 1, 1, MASK_FULL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = no_product, .prepare = softmax, .no_large = true,
      .no_minimal = true, .quantity = "B X P", .shown_by = "the output is on no line of means",
      .basis = "witness: two heads, two tokens, $N = 2$, in balls", BALLS_ONLY("softmax of scores that differ"),
      .statement = "with two square heads no matrix $P$ has $Y = B X P$ with weights $B$ whose rows sum to 1, as "
                   "Eqs. (8), (9) have it for one" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = collapsed, .no_large = true, CONTROLS(of_collapse),
      .statement = "two heads of $N \\times N$ matrices, in each head one matrix for $W_QW_K^\\top$ and one for "
                   "$W_VW_O$: the same layer", NOT_SYMBOLIC("decided over the rationals and a prime field") },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 4", "The relationships of Section 3 are valid wherever the matrices $W_{sh}^V$ , $W_{sh}^O$ , "
      "$W_{sh}^Q$ , and $W_{sh}^K$ are square. This may also apply to multiple heads." },
};
static const claim B_51 = {
    .id = "B-51", .title = "square matrices in several heads", .where = "002 Section 4",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "no skip, norm, bias, MLP or mask",
    .construction = "$W_{QK}^h = W_Q^hW_K^{h\\top}$, $W_{VO}^h = W_V^hW_O^h$",
    .why = "A head's own matrices collapse, whatever the other heads are. What does not carry over is that all "
           "$W^{VO}$ end in one product (Eqs. 8, 9, and the count $(S+1)N^2$): heads weigh tokens differently, so "
           "each $W_{VO}^h$ acts on another mean. The text says as much of narrow heads two paragraphs on; it holds "
           "for square ones as well. ``This may also apply'' is cautious, rightly.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "B-10 B-11 B-18",
};
THEOREM_PROGRAM(B_51)
