/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_34.c - B-34, formulas of MLP and attention parameters.
 *
 * An MLP of width hN has 2 h N^2 + hN + N parameters, biases included, so at h = 4 it doubles the 4 N^2 of
 * attention; a third is left without it. */
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

/* The entries of an MLP of width hN with biases, against the paper's sum. */
static void entries(trial *t, bool with_biases)
{
    const model M = model_random(&t->s, t->sh);
    const mlp *F = &M.at[0].expert[0];
    const long N = M.s.d, h = M.s.m / N;
    long all = F->up->rows * F->up->cols + F->down->rows * F->down->cols;
    if (with_biases) all += F->b_up->cols + F->b_down->cols;
    claim_decided(t, "hN(N+1) + N(hN+1)", all == h * N * (N + 1) + N * (h * N + 1));
    claim_decided(t, "2hN^2 + hN + N", all == 2 * h * N * N + h * N + N);
}
static void of_mlp(trial *t)         { entries(t, true); }
static void without_biases(trial *t) { entries(t, false); }
static const control biases[] = { { "without-biases", without_biases, "the biases are not counted" } };

static const shape_case widths[] = {
    { .sh = { .n = 2, .d = 3, .h = 1, .m = 12, .V = 3, .L = 1, .biases = true } },
    { .sh = { .n = 2, .d = 5, .h = 1, .m = 10, .V = 3, .L = 1, .biases = true } },
    { .sh = { .n = 2, .d = 6, .h = 2, .m = 18, .V = 3, .L = 1, .biases = true } },
};

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, RECOUNT_SUPPORTS,
      .statement = "at $h=4$ the MLP doubles attention and leaves 33\\%; $W_K=W_Q$ saves 50\\% of query and key, "
                   "no $W_V,W_O$ 50\\% of attention, with $W_{QK}$ 25\\% are left" },
    { .name = "as-stated-mlp", .kind = PART_IDENTITY, .run = of_mlp, .controls = biases, .ncontrols = 1,
      .statement = "the MLP has $hN(N+1)+N(hN+1)=2hN^2+hN+N$ parameters",
      .basis = "entries of matrices", RECOUNT_ONLY_Q },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 7", "With model size N, the attention mechanism requires $4N^2$ parameters in the form "
      "of matrices $W^Q$ , $W^K W^V$ , and $W^O$ . The size of the MLP is usually chosen as an integer multiple "
      "of h of the model size. Then, the MLP consists of weights and biases of two layers, with a total of "
      "$hN(N+1) + N(hN+1) = 2hN^2 + hN + N \\approx 2hN^2$ . If the multiple is h = 4, MLP has double the "
      "number of parameters as the attention mechanism. Consequently, omitting MLP reduces the parameters to 33 "
      "% of the original size." },
};
static const claim B_34 = {
    .id = "B-34", .title = "formulas of MLP and attention parameters",
    .where = "002 Section 7",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "$hN(N+1)+N(hN+1)=2hN^2+hN+N$. $4N^2/(4N^2+8N^2)=1/3$; their own counts give "
           "$92{,}890/279{,}106=33.3\\%$. The percentages are of matrices; with the biases of the full module the "
           "last is 24.6\\%.",
    .shapes = widths, .nshapes = COUNT(widths), .parts = parts, .nparts = COUNT(parts),
    .depends = "",
};
THEOREM_PROGRAM(B_34)
