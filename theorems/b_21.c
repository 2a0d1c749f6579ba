/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_21.c - B-21, a token need not be the most similar to itself.
 *
 * Statement (Section 5).  x_i is not the most similar to itself; W_Q W_K' is generally not positive definite, so it
 * is not even guaranteed that the similarity of x_i to itself is positive.
 *
 * Read as "need not be", this is true, and invertible W_Q, W_K show it in every width N >= 2: W_Q = I and
 * W_K = -I give s_ii = -|x_i|^2 < 0 < s_ij for x_j = -x_i.  A quarter turn, W_K = R, gives s_22 = 0 < s_21 = 5
 * for x_1 = (2,1), x_2 = (1,3).  Whether s_ii can be negative depends on the symmetric part
 * of W_Q W_K' alone, for x M x' = x (M + M') x' / 2.                                                        */
#include "src/claim/certificate/certificate.h"
#include "src/methods/order/order.h"
#include "src/model/stack.h"

/* s_11 < 0 < s_12 for W_Q = W_0, W_K = c W_0, x_2 = -x_1, W_0 and x_1 drawn */
static void dissimilar(trial *t, long c)
{
    scope *s = &t->s;
    const long N = t->sh.d;
    const mat *Q = mat_draw_weight(s, "W_0", N, N), *K = mat_scale(s, c, 0, Q);
    const mat *x = mat_draw(s, "x", 1, N, 0), *X = mat_vcat(s, 2, (const mat *const[]){ x, mat_scale(s, -1, 0, x) });
    const mat *S = mat_mul(s, mat_mul(s, X, Q), mat_t(s, mat_mul(s, X, K)));
    const mat *own = mat_rows(s, mat_cols(s, S, 0, 1), 0, 1), *other = mat_rows(s, mat_cols(s, S, 1, 1), 0, 1);
    claim_order(t, "s_11 < 0", own, BELOW_ZERO);
    claim_order(t, "s_12 > 0", other, ABOVE_ZERO);
    if (mat_ranks(s)) claim_rank(t, "W_Q is invertible", Q, N);
    certify_matrix(t, "negative", 6, (const given[]){ { "x_1", x }, { "x_2", mat_rows(s, X, 1, 1) }, { "W_Q", Q },
                   { "W_K", K }, { "W_Q_inv", mat_inv(s, Q) }, { "I", mat_identity(s, N) } }, 3,
                   (const char *const[]){ "x_1 W_Q * x_1 W_K * ' * < 0", "0 < x_1 W_Q * x_2 W_K * ' *",
                                          "W_Q W_Q_inv * = I" });
}

static void turned(trial *t)
{
    scope *s = &t->s;
    const mat *R = mat_from_si(s, 2, 2, (long[]){ 0, 1, -1, 0 });
    const mat *X = mat_from_si(s, 2, 2, (long[]){ 2, 1, 1, 3 });
    const mat *S = mat_mul(s, X, mat_t(s, mat_mul(s, X, R)));
    claim_equal(t, "S = [[0,-5],[5,0]]", S, mat_from_si(s, 2, 2, (long[]){ 0, -5, 5, 0 }));
    const mat *own = mat_cols(s, mat_rows(s, S, 1, 1), 1, 1), *other = mat_cols(s, mat_rows(s, S, 1, 1), 0, 1);
    claim_order(t, "s_22 < s_21", mat_sub(s, own, other), BELOW_ZERO);
    const mat *e_1 = mat_from_si(s, 1, 2, (long[]){ 1, 0 }), *e_2 = mat_from_si(s, 1, 2, (long[]){ 0, 1 });
    certify_matrix(t, "turned", 5, (const given[]){ { "X", X }, { "W_K", R }, { "S", S }, { "e_1", e_1 },
                   { "e_2", e_2 } }, 2,
                   (const char *const[]){ "X X W_K * ' * = S", "e_2 S * e_2 ' * < e_2 S * e_1 ' *" });
}

static void stated(trial *t)
{
    dissimilar(t, -1);
    turned(t);
}

/* sum of x M x' = x (M + M') x' / 2, exactly */
static void symmetric_part(trial *t, bool twice)
{
    scope *s = &t->s;
    const long N = t->sh.d;
    const mat *M = mat_draw_weight(s, "M", N, N), *x = mat_draw(s, "x", 1, N, 0);
    const mat *own = mat_mul3(s, x, M, mat_t(s, x)), *sum = mat_add(s, M, mat_t(s, M));
    claim_reduced(t, 1, (const mat **[]){ &sum });
    claim_equal(t, "symmetric", sum, mat_t(s, sum));
    claim_equal(t, "2 x M x' = x (M + M') x'", mat_scale(s, twice ? 1 : 2, 0, own), mat_mul3(s, x, sum, mat_t(s, x)));
}

static void halves(trial *t)    { symmetric_part(t, false); }
static void one_half(trial *t)  { symmetric_part(t, true); }
static void same_sign(trial *t) { dissimilar(t, 1); }

static const control of_witness[] = { { "equal", same_sign, "$W_K = W_Q$: $s_{ii} \\ge 0$" } };
static const control of_part[] = { { "half", one_half, "$xMx^\\top = x(M + M^\\top)x^\\top$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = stated, .no_large = true, .no_minimal = true,
      .certifies = true,
      .statement = "invertible $W_Q$, $W_K = -W_Q$ and $x_2 = -x_1 \\ne 0$: $s_{11} < 0 < s_{12}$",
      .basis = "witness: exact; almost all W_0 and x_1 serve",
      .without = "f64 mpfr arb fp sym", .why_without = "signs are decided exactly",
      CONTROLS(of_witness) },
    { .name = "as-stated-symmetric-part", .kind = PART_IDENTITY, .run = halves, .no_large = true,
      .statement = "$xMx^\\top = \\frac12 x(M + M^\\top)x^\\top$: the sign depends on the symmetric part alone",
      .without = "sym", .why_without = "it does not know that a $1 \\times 1$ matrix is its transpose",
      CONTROLS(of_part) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 5", "The vector $x_{si}$ is also not the most similar to itself. The matrix product "
      "$W_{sh}^Q W_{sh}^{KT}$ is generally not positive definite, so it is not even guaranteed that the "
      "similarity of $x_{si}$ to itself is positive." },
};
static const claim B_21 = {
    .id = "B-21", .title = "a token need not be the most similar to itself", .where = "002 Section 5",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one head; read as ``need not be''",
    .construction = "$W_K = -W_Q$; or $W_Q = I$ and $W_K$ a quarter turn",
    .why = "$W_K = -W_Q$ turns every similarity to itself negative. Only the symmetric part of $W_QW_K^\\top$ matters "
           "for that, and nothing makes it positive definite.",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "B-20",
};
THEOREM_PROGRAM(B_21)
