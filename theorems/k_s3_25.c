/* k_s3_25.c - K-S3-25, eliminating W_Q saves 25 per cent of attention.
 *
 * W_Q is one of four equal matrices, if keys and values have as many heads as queries. With h_kv of them it is 1
 * of 2 + 2 h_kv/h parts, which is more; the text claims the theory for grouped queries, too. */
#include "src/audit/recount.h"

/* The entries of the four matrices of a layer of the model that the theorems speak of. */
static void share(trial *t, bool equal_heads)
{
    const model M = model_random(&t->s, t->sh);
    const layer *W = &M.at[0];
    const long h = M.s.h, kv = equal_heads ? h : M.s.h_kv, Q = W->Q->rows * W->Q->cols;
    const long all = Q + W->K->rows * W->K->cols + W->V->rows * W->V->cols + W->O->rows * W->O->cols;
    claim_decided(t, "W_Q is 1/(2 + 2 h_kv/h) of attention", (2 * h + 2 * kv) * Q == h * all);
}
static void of_matrices(trial *t) { share(t, false); }
static void a_quarter(trial *t)   { share(t, true); }
static const control quarter[] = { { "a-quarter", a_quarter, "$1/4$, where queries share keys" } };

static const shape_case grouped[] = {
    { .sh = { .n = 2, .d = 4, .h = 2, .m = 4, .V = 3, .L = 1, .h_kv = 1 } },
    { .sh = { .n = 2, .d = 6, .h = 6, .m = 4, .V = 3, .L = 1, .h_kv = 2 } },
    { .sh = { .n = 2, .d = 6, .h = 6, .m = 4, .V = 3, .L = 1, .h_kv = 3 } },
};

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_SUPPORTS,
      .statement = "$W_Q$ is 25\\% of the attention weights (equal heads)" },
    { .name = "as-stated-gap", .kind = PART_GAP, RECOUNT_SLIPS,
      .statement = "the same with grouped queries, to which the theory is said to apply" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_SUPPORTS,
      .statement = "it is $1/(2+2h_{kv}/h)$: 33.3, 40.0, 44.4, 46.2\\% for 2, 4, 8, 12 query heads to a key" },
    { .name = "corrected-count", .kind = PART_IDENTITY, .run = of_matrices, .controls = quarter, .ncontrols = 1,
      .statement = "the entries of the matrices of a random model have this share",
      .basis = "entries of matrices", RECOUNT_ONLY_Q },
};
static const claim K_S3_25 = {
    .id = "K-S3-25", .title = "eliminating W_Q saves 25 per cent of attention",
    .where = "003, 000, 001 abstract; 003 3",
    .hypotheses = "$h_{kv}=h$",
    .why = "With $h d_k=d$ the matrices have $d^2$, $2\\,d\\,h_{kv}d_k$ and $d^2$ entries: $W_Q$ is "
           "$1/(2+2h_{kv}/h)$ of them. That is $1/4$ only for $h_{kv}=h$ and up to $1/2$ otherwise, so the saving "
           "is larger, not smaller, than printed.",
    .shapes = grouped, .nshapes = COUNT(grouped), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(K_S3_25)
