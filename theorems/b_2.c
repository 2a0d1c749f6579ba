/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_2.c - B-2, attention weights by softmax over the tokens up to the present one.
 *
 * Statement (Eqs. 1, 2).  a_i = Softmax(s_i), over j = 1 .. i: positive weights that sum to 1.
 *
 * What is missing.  That the sums run to i makes the attention causal: token 1 sees itself alone, and what it becomes
 * does not depend on the other tokens, at any depth.  If it is a class token that is read off at the end, as in a
 * vision transformer, the answer does not depend on the image.  So Eqs. 1, 4, 8 and 10 cannot be what the experiments
 * on images ran, unless the read-out is at the end or a mean; sums over all tokens are meant.
 *
 * Corrected.  For any mask that lets each token see at least one, the weights are positive where it sees, 0
 * elsewhere, and sum to 1.  All the algebra of the paper needs no more than that.                          */
#include "src/claim/claim.h"
#include "src/methods/order/order.h"
#include "src/model/stack.h"

/* Token 1 through all layers; at each of them the other tokens are any, so also those of a stack. */
static const mat *first_output(scope *s, const model *M, const mat *x, const char *others)
{
    for (long i = 0; i < M->s.L; i++) {
        const mat *rest = mat_draw_at(s, others, i, -1, M->s.n - 1, M->s.d, 0);
        x = stack_token(s, M, i, 0, mat_vcat(s, 2, (const mat *const[]){ x, rest }));
    }
    return x;
}

/* It sees itself alone: its weight is exp(s)/exp(s) = 1, and z = x W_V W_O in each layer. */
static void first_token(trial *t)
{
    scope *s = &t->s;
    t->sh.mask = MASK_CAUSAL;
    model M = model_random(s, t->sh);
    const mat *x = mat_draw(s, "x", 1, M.s.d, 0), *z = x;
    for (long i = 0; i < M.s.L; i++) z = mat_mul3(s, z, M.at[i].V, M.at[i].O);
    claim_equal(t, "z is a function of x", first_output(s, &M, x, "X"), z);
    claim_equal(t, "and the same among other tokens", first_output(s, &M, x, "X'"), z);
}

/* Tokens X and X' share the first row only. */
static void all_visible(trial *t)
{
    scope *s = &t->s;
    t->sh.mask = MASK_FULL;
    model M = model_random(s, t->sh);
    const mat *x = mat_draw(s, "x", 1, M.s.d, 0), *out[2];
    for (int k = 0; k < 2; k++) {
        const mat *rest = mat_draw(s, k ? "X'" : "X", M.s.n - 1, M.s.d, 0);
        const mat *X = mat_vcat(s, 2, (const mat *const[]){ x, rest });
        out[k] = mat_rows(s, stack_output(s, &M, X), 0, 1);
    }
    claim_differs(t, "another first output", out[0], out[1]);
}

typedef enum { SOFTMAX, NO_SOFTMAX, ALL_POSITIVE } variant;

static void weights(trial *t, variant which)
{
    scope *s = &t->s;
    shape sh = t->sh;
    if (which == NO_SOFTMAX) sh.attention = ROWMAP_LINEAR;
    if (which == ALL_POSITIVE) sh.mask = MASK_CAUSAL;
    model M = model_random(s, sh);
    const long n = sh.n;
    const mat *A = stack_weights(s, &M, 0, 0, mat_draw(s, "X", n, sh.d, 0)), *one = mat_ones(s, n, 1);
    long *seen = scope_alloc(s, (size_t)(n * n) * sizeof *seen);
    long *unseen = scope_alloc(s, (size_t)(n * n) * sizeof *unseen);
    for (long k = 0; k < n * n; k++) {
        seen[k] = !M.visible || M.visible[k];
        unseen[k] = !seen[k];
    }
    const mat *hidden = mat_hadamard(s, A, mat_from_si(s, n, n, seen));
    claim_equal(t, "A 1 = 1", mat_mul(s, A, one), one);
    claim_equal(t, "0 where it does not see", A, hidden);
    claim_order(t, "positive where it sees", which == ALL_POSITIVE ? A : mat_add(s, A, mat_from_si(s, n, n, unseen)),
                ABOVE_ZERO);
}

static void stated(trial *t)     { weights(t, SOFTMAX); }
static void no_softmax(trial *t) { weights(t, NO_SOFTMAX); }
static void everywhere(trial *t) { weights(t, ALL_POSITIVE); }

static const control controls[] = {
    { "no-softmax", no_softmax, "the scores themselves" },
    { "everywhere", everywhere, "positive also where a token does not see" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_GAP, .run = first_token, .no_large = true, .no_minimal = true,
      .quantity = "x\\prod_s W_V^sW_O^s", .shown_by = "and the same among other tokens",
      .own_row_map = true,
      .statement = "sums over $j \\le i$: token 1 sees itself alone, so its output is $x\\prod_s W_V^sW_O^s$, "
                   "whatever the other tokens are in each layer",
      .basis = "witness: the weight of a single visible token is 1",
      .without = "fp sym", .why_without = "the witness is one of softmax itself" },
    { .name = "as-stated-all", .kind = PART_GAP, .run = all_visible, .no_large = true, .no_minimal = true,
      .quantity = "the output of token 1", .shown_by = "another first output",
      .statement = "sums over all $j$: the output of token 1 depends on the other tokens",
      .basis = "witness: two inputs with the same first token, in balls",
      .without = "fp q sym", .why_without = "softmax of scores that differ has no rational value" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = stated, .no_large = true, .no_minimal = true,
      .statement = "for any mask with a visible token in each row: $a_{ij} > 0$ where visible, else 0, and "
                   "$\\sum_j a_{ij} = 1$",
      .without = "f64 mpfr fp q sym", .why_without = "signs are decided in balls",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Eqs. (1), (2)", "The vector argument of the Softmax() function measures the similarity between "
      "a present token $x_Q$ , \"the query\" and another token $x_K$ , \"the key\"." },
    { TEXT_002, "Section 3", "Since every sum $\\sum_{j=1}^{i} a_{sij}$ is equal to unity (as a result of the "
      "softmax operation), every successive transformer layer performs a weighted mean of stacked inputs "
      "$x_{1j}$ ." },
};
static const claim B_2 = {
    .id = "B-2", .title = "the range of the sums in attention", .where = "002 Eqs. (1), (2)",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one head; corrected: any mask",
    .why = "With $j \\le i$, as Eq. (2) is printed, the first token has only itself to attend to, so that a class "
           "token in front of the image patches would never learn anything about the image, unless the read-out is "
           "at the end or a mean.  For every mask that lets each token see one, the weights are positive and sum to "
           "1, and the algebra of the paper needs no more.",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-1",
};
THEOREM_PROGRAM(B_2)
