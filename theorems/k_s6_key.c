/* SPDX-License-Identifier: GPL-3.0-or-later
 * k_s6_key.c - K-S6-key, is W_K an even better candidate than W_Q?
 *
 * Statement (003 and 000 Section 6).  Studies of fine-tuning find that W_K matters least, which makes it "potentially"
 * (000: "theoretically") "an even better candidate for structural simplification".
 *
 * What theory says.  The theorems do not prefer either: one layer's W_K becomes I as W_Q does (K-R1), and both at once
 * cannot go for free (K-R1-two).  What is saved differs: with grouped queries W_K has h_kv/h of the weights of W_Q, so
 * that it is the smaller saving, and is not square; without groups it has as many.
 *
 * Why nothing is decided.  The sentence passes on what others found in fine-tuning, and is a "may be". */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

/* W_K against W_Q of a random model, in weights. */
static void share(trial *t, bool equal_heads)
{
    const model M = model_random(&t->s, t->sh);
    const long Q = M.at[0].Q->rows * M.at[0].Q->cols, K = M.at[0].K->rows * M.at[0].K->cols;
    const long kv = equal_heads ? M.s.h : M.s.h_kv;
    claim_equal(t, "h |W_K| = h_kv |W_Q|", recount_given(t, M.s.h * K), recount_given(t, kv * Q));
}
static void of_keys(trial *t)       { share(t, false); }
static void as_many_heads(trial *t) { share(t, true); }

static const control controls[] = { { "as-many-heads", as_many_heads, "$|W_K| = |W_Q|$, where queries share keys" } };
static const shape_case grouped[] = {
    { .sh = { .n = 2, .d = 4, .h = 2, .m = 4, .V = 3, .L = 1, .h_kv = 1 } },
    { .sh = { .n = 2, .d = 6, .h = 6, .m = 4, .V = 3, .L = 1, .h_kv = 2 } },
    { .sh = { .n = 2, .d = 6, .h = 6, .m = 4, .V = 3, .L = 1, .h_kv = 3 } },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_INFORMAL, .run = of_keys, CONTROLS(controls),
      .quantity = "|W_K|", .shown_by = "h |W_K| = h_kv |W_Q|",
      .basis = "entries of matrices; which of the two training misses less is not decided", RECOUNT_ONLY_Q,
      .statement = "$|W_K| = (h_{kv}/h)\\,|W_Q|$ weights: without grouped queries $W_K$ saves as much as $W_Q$, with "
                   "them less" },
};
static const quotation quotes[] = {
    { TEXT_003, "Section 6", "insights from parameter-efficient fine-tuning suggest the Key matrix has the smallest "
      "effect on performance (Hu et al., 2021), making W_K potentially an even better candidate for structural "
      "simplification." },
    { TEXT_000, "Section 6", "Specifically, studies often observe that the Key matrix has the smallest effect on "
      "performance, suggesting may theoretically be an even better candidate for structural simplification." },
};
static const char *const judged[] = {
    "making W_K potentially an even better candidate for structural simplification",
    "suggesting may theoretically be an even better candidate for structural simplification",
};
static const claim K_S6_KEY = {
    .id = "K-S6-key", .title = "W_K as an even better candidate", .where = "003 and 000 Section 6",
    .quotes = quotes, .nquotes = COUNT(quotes), .judged = judged, .njudged = COUNT(judged),
    .why = "For exact elimination in one layer without norms $W_K$ is as good as $W_Q$ (K-R1), and no better: either "
           "goes at no cost. With grouped queries there is less of $W_K$ to save, and it is not square, so that it "
           "cannot be $I$. Whether training misses it less is for experiments, of which the papers print none; "
           "small ones that are recorded here stand beside this claim.",
    .shapes = grouped, .nshapes = COUNT(grouped), .parts = parts, .nparts = COUNT(parts),
    .depends = "K-R1 K-R1-two",
};
THEOREM_PROGRAM(K_S6_KEY)
