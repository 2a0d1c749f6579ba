/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_20.c - B-20, the similarity of query and key is asymmetric in general.
 *
 * Statement (Section 5).  x_i W_Q W_K' x_j' is asymmetric, because W_Q and W_K are potentially different.
 *
 * Why it is true.  S - S' = X (M - M') X' with M = W_Q W_K'.  Its entries are polynomials in the weights; one point
 * at which they are not all 0 is enough for almost all weights.  Each drawn instance is such a point.
 * W_Q != W_K alone is not enough: W_K = 2 W_Q is symmetric.                                                */
#include "src/claim/certificate/certificate.h"
#include "src/claim/claim.h"
#include "src/model/stack.h"

typedef enum { DIFFERENT, EQUAL, DOUBLED } keys;

static void asymmetric(trial *t, keys which)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *X = mat_draw(s, "X", M.s.n, M.s.d, 0), *Q = M.at[0].Q;
    const mat *K = which == DIFFERENT ? M.at[0].K : mat_scale(s, which == EQUAL ? 1 : 2, 0, Q);
    const mat *S = mat_mul(s, mat_mul(s, X, Q), mat_t(s, mat_mul(s, X, K)));
    claim_differs(t, "S and S'", S, mat_t(s, S));
    certify_matrix(t, NULL, 3, (const given[]){ { "X", X }, { "W_Q", Q }, { "W_K", K } }, 1,
                   (const char *const[]){ "X W_Q * X W_K * ' * != X W_K * X W_Q * ' *" });
}

static void stated(trial *t)  { asymmetric(t, DIFFERENT); }
static void equal(trial *t)   { asymmetric(t, EQUAL); }
static void doubled(trial *t) { asymmetric(t, DOUBLED); }

static const control controls[] = {
    { "equal",   equal,   "$W_K = W_Q$: symmetric" },
    { "doubled", doubled, "$W_K = 2W_Q \\ne W_Q$: symmetric all the same" },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = stated, .no_large = true, .no_minimal = true,
      .certifies = true,
      .statement = "$S \\ne S^\\top$ for $S = (XW_Q)(XW_K)^\\top$ and almost all $W_Q$, $W_K$",
      .by_proof = "a polynomial that is not 0 at a point is not 0 almost everywhere",
      .basis = "exact values at the drawn points",
      .without = "sym", .why_without = "it proves no difference",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 5", "However, the similarity between a key and a query evaluated with the help of "
      "$x_{si}W_{sh}^{Q}W_{sh}^{KT}x_{sj}^{T}$ is asymmetric. This is because the matrices $W_{sh}^{Q}$ and "
      "$W_{sh}^{K}$ are potentially different." },
};
static const claim B_20 = {
    .id = "B-20", .title = "the similarity is asymmetric in general", .where = "002 Section 5",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "one head; tokens that are not all multiples of one",
    .why = "$S - S^\\top = X(M - M^\\top)X^\\top$ with $M = W_QW_K^\\top$, not symmetric for almost all "
           "weights.",
    .prepare = stack_single_head, .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(B_20)
