/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s3_mask.c - K-S3-mask, the causal mask is strictly lower triangular.
 *
 * Statement (000 Section 3.1).  In the causal variant the mask "is strictly lower-triangular".
 *
 * Why it cannot be checked.  The formulas around the words are lost in our copy: with entries that say who is seen from
 * where, or in another order of the indices, they may be right.  Read as which tokens are seen, j < i, it hides
 * every token from the first one, whose weights
 * would be exp(s) over an empty sum, and each token from itself.  Read as the entries -infinity that are added to the
 * scores, those stand where j > i, strictly above the diagonal.  003 has it right: -infinity for j > i.
 *
 * Corrected.  Seen are j <= i, a lower triangle with its diagonal: every row of softmax is defined and sums to 1. */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/model/stack.h"

/* 1 where token i sees token j: j < i, or j <= i. */
static const mat *seen(scope *s, long n, bool itself)
{
    long *entry = scope_alloc(s, (size_t)(n * n) * sizeof *entry);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) entry[i * n + j] = j < i || (itself && j == i);
    return mat_from_si(s, n, n, entry);
}

/* w stands for exp of the scores: what the weights of a row are divided by is a sum over what it sees. */
static void printed(trial *t)
{
    scope *s = &t->s;
    const long n = t->sh.n;
    const mat *w = mat_hadamard(s, mat_draw(s, "w", n, n, 0), seen(s, n, false));
    const mat *sums = mat_mul(s, w, mat_ones(s, n, 1));
    claim_equal(t, "the sum of token 1 is 0", mat_rows(s, sums, 0, 1), mat_zero(s, 1, 1));
    claim_differs(t, "the sum of token 2 is not", mat_rows(s, sums, 1, 1), mat_zero(s, 1, 1));
}

static void attends(trial *t, bool itself)
{
    scope *s = &t->s;
    const long n = t->sh.n;
    unsigned char *visible = scope_alloc(s, (size_t)(n * n));
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) visible[i * n + j] = j < i || (itself && j == i);
    model M = model_random(s, t->sh);
    M.visible = visible;
    const mat *A = stack_weights(s, &M, 0, 0, mat_draw(s, "X", n, M.s.d, 0)), *one = mat_ones(s, n, 1);
    claim_equal(t, "A 1 = 1", mat_mul(s, A, one), one);
    claim_equal(t, "0 where j > i", A, mat_hadamard(s, A, seen(s, n, true)));
}
static void with_itself(trial *t) { attends(t, true); }
static void strictly(trial *t)    { attends(t, false); }

static const control controls[] = { { "strictly", strictly, "seen are $j < i$: the first row is not 1" } };
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(3, 4, 1, 1, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(4, 4, 2, 1, MASK_CAUSAL) },
    { .sh = ATTENTION_SHAPE(5, 6, 2, 1, MASK_CAUSAL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_UNCHECKABLE, .run = printed, .no_large = true, .no_minimal = true,
      .quantity = "\\sum_{j < i} e^{s_{ij}}", .shown_by = "the sum of token 1 is 0",
      .statement = "strictly lower triangular, read as what is seen, $j < i$: $\\sum_{j < i} e^{s_{ij}}$ is empty "
                   "for the first "
                   "token, whatever the scores",
      .basis = "witness: the first row of a drawn matrix", RATIONALS_ONLY("a drawn matrix decides it exactly") },
    { .name = "corrected", .kind = PART_IDENTITY, .run = with_itself, .no_large = true, .no_minimal = true,
      .statement = "lower triangular with its diagonal: seen are $j \\le i$, each row of weights sums to 1",
      CONTROLS(controls), REALS_ONLY("sums of exponentials") },
};
static const quotation quotes[] = {
    { TEXT_000, "Section 3.1", "In the Bidirectional (Encoder-only) variant we have: and in the Causal (Decoder-only) "
      "one we have: is strictly lower-triangular where if and otherwise." },
};
static const char *const judged[] = { "is strictly lower-triangular" };
static const claim K_S3_MASK = {
    .id = "K-S3-mask", .title = "the causal mask is strictly lower triangular", .where = "000 Section 3.1",
    .quotes = quotes, .nquotes = COUNT(quotes), .judged = judged, .njudged = COUNT(judged),
    .why = "A token of a decoder sees itself. With $j < i$ the first one sees nothing, and its softmax divides by an "
           "empty sum. The entries that are $-\\infty$ are those with $j > i$, strictly upper triangular, as the "
           "middle version says. Neither reading is right, but our text has lost the formulas around the words, which "
           "may give it another; nothing that follows depends on the word.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "K-X-mask B-2",
};
THEOREM_PROGRAM(K_S3_MASK)
