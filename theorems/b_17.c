/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_17.c - B-17, one collapsed matrix per head is no saving.
 *
 * Statement (Section 4).  With H heads of width N/H, W_QK of a head is N x N and has N^2 parameters, while W_Q and
 * W_K together have 2 N^2 / H, which is smaller or equal for H > 1.
 *
 * Why it is true.  2 N^2 / H <= N^2 if and only if H >= 2, with equality at H = 2.  The N^2 numbers are not free: as
 * a product through N/H columns, W_QK has rank N/H at most, and N/H for almost all weights.  Nor is the
 * factored form: (W_Q G, W_K G^-T) is the same head for G in GL(N/H), so (N/H)^2 of its numbers are redundant. */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"
#include "src/model/stack.h"

static long entries(const mat *A) { return A->rows * A->cols; }

static const mat *head_product(scope *s, const model *M)
{
    return mat_mul(s, stack_columns(s, M, M->at[0].Q, 0), mat_t(s, stack_columns(s, M, M->at[0].K, 0)));
}

static void count(trial *t, bool strict, long heads)
{
    scope *s = &t->s;
    shape sh = t->sh;
    if (heads) {
        sh.h = sh.h_kv = heads;
        sh.dk = sh.d / heads;
    }
    model M = model_random(s, sh);
    const mat *Q = stack_columns(s, &M, M.at[0].Q, 0), *K = stack_columns(s, &M, M.at[0].K, 0);
    const long factored = entries(Q) + entries(K), collapsed = entries(head_product(s, &M));
    claim_decided(t, "2 N^2 / H parameters", factored * sh.h == 2 * sh.d * sh.d);
    claim_decided(t, "smaller or equal", strict ? factored < collapsed : factored <= collapsed);
    claim_decided(t, "equal for two heads only", (factored == collapsed) == (sh.h == 2));
}

static void rank(trial *t, long less)
{
    model M = model_random(&t->s, t->sh);
    claim_rank(t, "the product has rank N/H", head_product(&t->s, &M), M.s.dk - less);
}

static void stated(trial *t)   { count(t, false, 0); }
static void one_head(trial *t) { count(t, false, 1); }
static void strictly(trial *t) { count(t, true, 2); }
static void full_rank(trial *t){ rank(t, 0); }
static void less_rank(trial *t){ rank(t, 1); }

/* (W_Q G, W_K G^-T) */
static void inserted(trial *t, bool transposed)
{
    scope *s = &t->s;
    model M = model_random(s, t->sh);
    const mat *Q = stack_columns(s, &M, M.at[0].Q, 0), *K = stack_columns(s, &M, M.at[0].K, 0);
    const mat *G = mat_scale(s, 3, 0, mat_draw(s, "G", M.s.dk, M.s.dk, 0)), *back = mat_inv(s, G);   /* not +-1 */
    const mat *QG = mat_mul(s, Q, G), *KG = mat_mul(s, K, transposed ? mat_t(s, back) : mat_t(s, G));
    claim_reduced(t, 2, (const mat **[]){ &QG, &KG });
    claim_equal(t, "the same W_QK", mat_mul(s, Q, mat_t(s, K)), mat_mul(s, QG, mat_t(s, KG)));
}

static void redundant(trial *t)   { inserted(t, true); }
static void not_inverse(trial *t) { inserted(t, false); }

static const control of_count[] = {
    { "one-head", one_head, "$H = 1$: $2N^2 > N^2$" },
    { "strictly", strictly, "strictly smaller for $H = 2$" },
};
static const control of_rank[] = { { "less", less_rank, "rank $N/H - 1$" } };
static const control of_gauge[] = { { "not-inverse", not_inverse, "$W_KG^\\top$ in place of $W_KG^{-\\top}$" } };
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(3, 4, 2, 1, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(3, 6, 3, 1, MASK_CAUSAL) },
    { .sh = ATTENTION_SHAPE(3, 6, 2, 1, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(3, 6, 6, 1, MASK_CAUSAL) },
    { .sh = ATTENTION_SHAPE(3, 16, 4, 1, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(3, 60, 4, 1, MASK_CAUSAL) },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = stated, .no_minimal = true, .prepare = stack_multi_head,
      .statement = "$2N^2/H \\le N^2$ for $H > 1$, equal for $H = 2$ only",
      .basis = "recount: the entries of both",
      .without = "f64 mpfr arb sym", .why_without = "a count of entries is the same everywhere",
      CONTROLS(of_count) },
    { .name = "as-stated-rank", .kind = PART_IDENTITY, .run = full_rank, .no_minimal = true,
      .prepare = stack_multi_head, .statement = "$\\operatorname{rank} W_{QK} = N/H$ for almost all weights",
      .by_proof = "at most $N/H$ columns", .basis = "exact ranks",
      .without = "f64 mpfr arb fp sym", .why_without = "ranks are decided exactly",
      CONTROLS(of_rank) },
    { .name = "as-stated-gauge", .kind = PART_IDENTITY, .run = redundant, .prepare = stack_multi_head,
      .assumes = "invertible G",
      .statement = "the factored form is redundant, too: $(W_QG, W_KG^{-\\top})$, $G \\in \\mathrm{GL}(N/H)$",
      CONTROLS(of_gauge) },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 4", "Collapsing $W_{sh}^Q W_{sh}^{KT}$ to $W_{sh}^{QK}$ is then no longer efficient "
      "since $W_{sh}^{QK}$ is of dimension (N, N) and has thus $N^2$ parameters while $W_{sh}^Q$ and $W_{sh}^K$ "
      "together have $2N^2/H$ , which is a smaller or equal number for H > 1." },
};
static const quotation standing[] = {
    { TEXT_002, "Section 4", "it is common to map the embedding vector to a narrower vector of width N/H, "
      "assumed to be integer." },
};
static const claim B_17 = {
    .id = "B-17", .title = "one collapsed matrix per head is no saving", .where = "002 Section 4",
    .quotes = quotes, .nquotes = COUNT(quotes), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$H \\ge 2$ heads of width $N/H$",
    .why = "$2N^2/H$ against $N^2$. The full matrix would be worse than its count says, for it has rank $N/H$: its "
           "family has dimension $2N^2/H - (N/H)^2$, which is also $(N/H)^2$ less than the factored form stores.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "B-10",
};
THEOREM_PROGRAM(B_17)
