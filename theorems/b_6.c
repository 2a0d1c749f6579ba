/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_6.c - B-6, do the MLPs contain most of the parameters?
 *
 * Statement (Abstract, Sections 1, 2).  The MLP requires the majority of the parameters.
 *
 * What it needs.  Attention of width N has 4 N^2 + 4 N parameters with biases, an MLP of hidden width m has
 * 2 m N + m + N.  The MLP has more if and only if m (2N + 1) > 4 N^2 + 3 N, that is, m >= 2N + 1; without biases
 * 2 m N > 4 N^2, again m >= 2N + 1.  At m = N it has about half as many as attention.  At the usual m = 4N it
 * has two thirds of a block, in the paper's models (N = 60, m = 256) 31,036 of 45,676.  Embeddings are not counted:
 * with a vocabulary they may outweigh both.                                                                */
#include "src/claim/claim.h"
#include "src/claim/shapes.h"

static long entries(const mat *A) { return A ? A->rows * A->cols : 0; }

typedef struct { long attention, mlp; } counts;
static counts count(trial *t, long N, long m, bool biases)
{
    shape sh = t->sh;
    sh.d = sh.dk = N;
    sh.h = sh.h_kv = 1;
    sh.m = m;
    sh.biases = biases;
    model M = model_random(&t->s, sh);
    const layer *W = &M.at[0];
    const mlp *F = &W->expert[0];
    return (counts){ entries(W->Q) + entries(W->K) + entries(W->V) + entries(W->O) + entries(W->bQ) + entries(W->bK)
                     + entries(W->bV) + entries(W->bO),
                     entries(F->up) + entries(F->down) + entries(F->b_up) + entries(F->b_down) };
}

static void narrow(trial *t)
{
    const long N = t->sh.d;
    const counts at_N = count(t, N, N, true), at_2N = count(t, N, 2 * N, true);
    claim_decided(t, "m = N: fewer than attention", at_N.mlp < at_N.attention);
    claim_decided(t, "m = 2N: fewer than attention", at_2N.mlp < at_2N.attention);
}

/* Six layers of N = 60, m = 256 in the printed counts of the originals: 279,106 on MNIST, 287,686 on CIFAR-10. */
static void printed(trial *t)
{
    const long of_MLPs = 6 * count(t, 60, 256, true).mlp;
    claim_decided(t, "MNIST: 186,216 of 279,106", of_MLPs == 186216 && 2 * of_MLPs > 279106);
    claim_decided(t, "CIFAR-10: 186,216 of 287,686", 2 * of_MLPs > 287686);
}

/* Is `threshold` + 2N the least m at which the MLP has more? */
static void from(trial *t, long threshold)
{
    const long N = t->sh.d;
    for (int biases = 0; biases < 2; biases++)
        for (long m = 1; m <= 5 * N; m++) {
            const counts c = count(t, N, m, biases);
            claim_decided(t, "more than attention iff m > 2 N", (c.mlp > c.attention) == (m >= 2 * N + threshold));
        }
    const counts usual = count(t, N, 4 * N, false);
    claim_decided(t, "m = 4N: two thirds of a block", 3 * usual.mlp == 2 * (usual.mlp + usual.attention));
}

static void exact_bound(trial *t) { from(t, 1); }
static void at_2N(trial *t)       { from(t, 0); }
static void later(trial *t)       { from(t, 2); }

static const control controls[] = {
    { "m>=2N",   at_2N, "already at $m = 2N$" },
    { "m>=2N+2", later, "only from $m = 2N + 2$ on" },
};
static const shape_case shapes[] = {
    { .sh = ATTENTION_SHAPE(2, 2, 1, 1, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(2, 3, 1, 1, MASK_CAUSAL) },
    { .sh = ATTENTION_SHAPE(2, 8, 1, 1, MASK_CAUSAL) }, { .sh = ATTENTION_SHAPE(2, 17, 1, 1, MASK_CAUSAL) },
};
#define COUNTED .no_minimal = true, EXACT_ONLY("a count of entries is the same everywhere")
static const part parts[] = {
    { .name = "as-stated", .kind = PART_BESIDE, .run = narrow, .no_minimal = true, .without = "f64 mpfr arb sym",
      .quantity = "parameters", .shown_by = "m = N: fewer than attention",
      .why_without = "a count of entries is the same everywhere",
      .statement = "with biases, $m = N$ and $m = 2N$: the MLP has fewer parameters than attention",
      .basis = "recount: the entries of all matrices" },
    { .name = "as-stated-printed", .kind = PART_BESIDE, .run = printed, .no_minimal = true,
      .without = "f64 mpfr arb sym", .why_without = "whole numbers",
      .quantity = "parameters", .shown_by = "MNIST: 186,216 of 279,106",
      .statement = "in the printed counts of the whole models the MLPs have 186,216 of 279,106 parameters (MNIST) and "
                   "of 287,686 (CIFAR-10)",
      .basis = "recount: whole numbers" },
    { .name = "corrected", .kind = PART_IDENTITY, .run = exact_bound, COUNTED,
      .statement = "the MLP has more parameters than attention if and only if $m \\ge 2N + 1$, with biases or "
                   "without; without biases, two thirds of a block at $m = 4N$",
      .by_proof = "$m(2N+1) > 4N^2+3N$ for every larger $m$", .basis = "recount of all m <= 5N",
      CONTROLS(controls) },
};
static const quotation quotes[] = {
    { TEXT_002, "abstract", "As the MLPs usually contain the most trainable parameters of the whole model, "
      "their omission would substantially reduce the parameter set size." },
    { TEXT_002, "Section 2", "The MLP requires the majority of the parameters to be fitted." },
};
static const claim B_6 = {
    .id = "B-6", .title = "MLPs contain most of the parameters", .where = "002 Abstract, Sections 1, 2",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "square attention of width $N$; one hidden layer of width $m$; biases in both or in neither; "
                  "embeddings not counted",
    .why = "$2mN + m + N$ against $4N^2 + 4N$: the MLP has more from $m = 2N + 1$ on, hence for the usual $m = 4N$ "
           "and for the paper's $m = 256$, $N = 60$ ($31{,}036$ against $14{,}640$; $256/60$ is not the integer "
           "multiple $h$ of Section 7).  In the printed counts, embeddings included, the MLPs have two thirds (MNIST) "
           "and 65 \\% (CIFAR-10).  With biases a hidden layer of width $N$ or $2N$, which is not usual, has "
           "fewer parameters than attention.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "B-5",
};
THEOREM_PROGRAM(B_6)
