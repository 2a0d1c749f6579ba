/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_22.c - B-22, equal query and key matrices.
 *
 * Statement (Section 5).  W_Q = W_K makes the similarity symmetric and saves half of the parameters of query and
 * key; W_Q W_K' is then positive (semi)definite.
 *
 * Why it is true.  S = (X W)(X W)' = S', and v S v' = (v X W)(v X W)', a sum of squares, for every row v.
 * One shared bias changes nothing: X W + 1 b in place of X W.
 *
 * Semidefinite, not definite: x W = 0 for some x != 0 as soon as rank W < N, and W of one of H heads is
 * N x N/H.  So H > 1 heads have tokens x != 0 whose similarity to every token is 0.                        */
#include "src/claim/claim.h"
#include "src/methods/order/order.h"
#include "src/model/stack.h"

typedef enum { SHARED, OWN_KEY, NEGATED, OWN_BIAS } keys;
typedef struct { const mat *Q, *K, *S; } scores;                               /* both n x dk, n x n */

static scores of_head(trial *t, const model *M, keys which)
{
    scope *s = &t->s;
    const layer *W = &M->at[0];
    const mat *X = mat_draw(s, "X", M->s.n, M->s.d, 0), *one = mat_ones(s, M->s.n, 1);
    const mat *Q = stack_columns(s, M, W->Q, 0), *b = stack_columns(s, M, W->bQ, 0);
    const mat *K = which == OWN_KEY ? stack_columns(s, M, W->K, 0) : which == NEGATED ? mat_scale(s, -1, 0, Q) : Q;
    const mat *c = which == OWN_BIAS ? stack_columns(s, M, W->bK, 0) : which == NEGATED ? mat_scale(s, -1, 0, b) : b;
    scores r = { mat_add(s, mat_mul(s, X, Q), mat_mul(s, one, b)), mat_add(s, mat_mul(s, X, K), mat_mul(s, one, c)),
                 NULL };
    claim_reduced(t, 1, (const mat **[]){ &r.K });
    r.S = mat_mul(s, r.Q, mat_t(s, r.K));
    return r;
}

static void symmetric(trial *t, keys which)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const scores r = of_head(t, &M, which);
    const mat *v = mat_draw(s, "v", 1, M.s.n, 0), *vQ = mat_mul(s, v, r.Q);
    claim_equal(t, "S = S'", r.S, mat_t(s, r.S));
    claim_equal(t, "v S v' = |v (X W + 1 b)|^2", mat_mul3(s, v, r.S, mat_t(s, v)), mat_mul(s, vQ, mat_t(s, vQ)));
}

static void psd(trial *t, keys which)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *v = mat_draw(s, "v", 1, M.s.n, 0);
    claim_order(t, "v S v' >= 0", mat_mul3(s, v, of_head(t, &M, which).S, mat_t(s, v)), AT_LEAST_ZERO);
}

/* x = (-y W_low W_top^-1 | y) has x W = 0, where W_top is dk x dk, the top of head 1's W.  Is x W W' X' = 0, or for
 * the W of all heads? */
static void null_token(trial *t, bool all_heads)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const long N = M.s.d, dk = M.s.dk;
    const mat *W = stack_columns(s, &M, M.at[0].Q, 0), *X = mat_draw(s, "X", M.s.n, N, 0);
    const mat *y = mat_draw(s, "y", 1, N - dk, 0), *low = mat_mul(s, y, mat_rows(s, W, dk, N - dk));
    const mat *first = mat_mul(s, mat_scale(s, -1, 0, low), mat_inv(s, mat_rows(s, W, 0, dk)));
    const mat *x = mat_hcat(s, 2, (const mat *const[]){ first, y }), *seen = all_heads ? M.at[0].Q : W;
    claim_differs(t, "x is not 0", x, mat_zero(s, 1, N));
    claim_equal(t, "x W W' X' = 0", mat_mul3(s, x, seen, mat_t(s, mat_mul(s, X, seen))), mat_zero(s, 1, M.s.n));
}

static void shared(trial *t)      { symmetric(t, SHARED); }
static void own_key(trial *t)     { symmetric(t, OWN_KEY); }
static void own_bias(trial *t)    { symmetric(t, OWN_BIAS); }
static void shared_psd(trial *t)  { psd(t, SHARED); }
static void negated_psd(trial *t) { psd(t, NEGATED); }
static void null_of_head(trial *t){ null_token(t, false); }
static void null_of_all(trial *t) { null_token(t, true); }

static void biased(shape *sh)
{
    stack_multi_head(sh);
    sh->biases = true;
}

static void two_heads(shape *sh)
{
    biased(sh);
    if (sh->h > 1) return;
    sh->h = sh->h_kv = sh->d % 2 ? sh->d : 2;
    sh->dk = sh->d / sh->h;
}

static const control of_symmetry[] = {
    { "own-key",  own_key,  "$W_K \\ne W_Q$" },
    { "own-bias", own_bias, "$W_K = W_Q$, but $b_K \\ne b_Q$" },
};
static const control of_sign[] = {
    { "negated", negated_psd, "$W_K = -W_Q$, $b_K = -b_Q$: symmetric, but not positive" },
};
static const control of_null[] = {
    { "all-heads", null_of_all, "the columns of all heads together: $W$ is invertible" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = shared, .no_large = true, .prepare = biased,
      .statement = "$W_K = W_Q$, $b_K = b_Q$: $S = S^\\top$ and $vSv^\\top = |v(XW + \\mathbf{1}b)|^2$",
      CONTROLS(of_symmetry) },
    { .name = "as-stated-sign", .kind = PART_IDENTITY, .run = shared_psd, .no_large = true, .prepare = biased,
      .no_minimal = true, .by_proof = "a sum of squares is not negative", .basis = "exact instances",
      .statement = "so $vSv^\\top \\ge 0$",
      .without = "f64 mpfr arb fp sym", .why_without = "signs are decided exactly",
      CONTROLS(of_sign) },
    { .name = "as-stated-null", .kind = PART_IDENTITY, .run = null_of_head, .no_large = true, .prepare = two_heads,
      .no_minimal = true, .statement = "$H > 1$, $b = 0$: some $x \\ne 0$ has similarity 0 to every token",
      .without = "f64 mpfr arb sym", .why_without = "that a product is 0 is decided exactly",
      CONTROLS(of_null) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 5", "The symmetry can be guaranteed by simply setting $W_{sh}^Q = W_{sh}^K$ . Then, "
      "half of the parameters dedicated to the query and key matrices can be economized." },
};
static const claim B_22 = {
    .id = "B-22", .title = "equal query and key: symmetric and positive semidefinite", .where = "002 Section 5",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "$W_K = W_Q$, and one bias for both",
    .construction = "$S = (XW + \\mathbf{1}b)(XW + \\mathbf{1}b)^\\top$",
    .why = "A Gram matrix. The similarity of a token to itself is a squared length, which is 0 on the null space of "
           "$W^\\top$; with $H > 1$ heads that space has dimension $N - N/H$, so ``definite'' would be wrong.",
    .models = "biases = 1",
    .parts = parts, .nparts = COUNT(parts), .depends = "B-20",
};
THEOREM_PROGRAM(B_22)
