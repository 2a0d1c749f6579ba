/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s3_25.c - K-S3-25, eliminating W_Q saves 25 per cent of attention.
 *
 * W_Q is one of the four d x d matrices of Section 3. With grouped queries, h_kv heads of keys and values, it is 1 of
 * 2 + 2 h_kv/h parts, which is more: the printed figure is the smallest. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

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
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_AGREES,
      .statement = "in GPT-2 small $W_Q$ is 25\\% of the attention weights" },
    { .name = "corrected", .kind = PART_IDENTITY, RECOUNT_SUPPORTS,
      .statement = "with grouped queries, of which the sentence does not speak, it is $1/(2+2h_{kv}/h)$: 33.3, "
                   "40.0, 44.4, 46.2\\% for 2, 4, 8, 12 query heads to a key" },
    { .name = "corrected-count", .kind = PART_IDENTITY, .run = of_matrices, .controls = quarter, .ncontrols = 1,
      .statement = "the entries of the matrices of a random model have this share",
      .basis = "entries of matrices", RECOUNT_ONLY_Q },
};
static const quotation quotes[] = {
    { TEXT_001, "Section 1", "removing 25% of attention parameters per layer (8.3% of transformer block "
      "parameters)" },
    { TEXT_003, "abstract", "we prove that Query, Key or Value weights are redundant and can be replaced with "
      "the identity matrix, reducing attention parameters by 25%." },
    { TEXT_003, "Section 3", "Eliminating W_Q reduces the four attention weight matrices to three, saving 25% "
      "of attention parameters." },
    { TEXT_000, "abstract", "we prove that one of the Query, Key or Value weights are redundant and can be "
      "replaced with the identity matrix, reducing attention parameters by 25%." },
    { TEXT_000, "Section 3.1", "We consider as the attention parameters, and reducing one of them to removes "
      "the claimed of the attention parameters." },
};
static const char *const judged[] = {
    "reducing attention parameters by 25%",
    "saving 25% of attention parameters",
    "removing 25% of attention parameters per layer",
};
static const quotation standing[] = {
    { TEXT_003, "Section 3", "For each head $i \\in \\{1, \\dots, h\\}$, we define head-specific weight "
      "matrices $W_Q^i, W_K^i, W_V^i \\in \\mathbb{R}^{d_{\\text{model}} \\times d_k}$, assembled into "
      "full-layer parameters $W_Q, W_K, W_V \\in \\mathbb{R}^{d_{\\text{model}} \\times d_{\\text{model}}}$ by "
      "concatenation: $W_Q = (W_Q^1 \\mid \\dots \\mid W_Q^h)$, and similarly for W_K, W_V ." },
    { TEXT_003, "Section 3", "The output projection is $W_O \\in \\mathbb{R}^{d_{\\text{model}} \\times "
      "d_{\\text{model}}}$." },
};
static const claim K_S3_25 = {
    .id = "K-S3-25", .title = "eliminating W_Q saves 25 per cent of attention",
    .where = "001 Section 1; 003 abstract and Section 3; 000 abstract and Section 3.1",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .judged = judged, .njudged = COUNT(judged), .standing = standing, .nstanding = COUNT(standing),
    .hypotheses = "$h_{kv}=h$",
    .why = "With $h d_k=d$ the matrices have $d^2$, $2\\,d\\,h_{kv}d_k$ and $d^2$ entries: $W_Q$ is "
           "$1/(2+2h_{kv}/h)$ of them. That is $1/4$ only for $h_{kv}=h$ and up to $1/2$ otherwise, so the saving "
           "is larger, not smaller, than printed.",
    .shapes = grouped, .nshapes = COUNT(grouped), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(K_S3_25)
