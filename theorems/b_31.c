/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_31.c - B-31, no significant loss in NLP.
 *
 * Statement (Section 7).  To omit W_V and W_O, which halves attention, "has also been proposed by (He and Hofmann,
 * 2024), with the observation of no significant performance loss in NLP benchmarks".
 *
 * Why there is nothing to decide.  It reports another paper; no benchmark, model or figure is given, and none of the 35
 * printed runs is one of text.  Their blocks are not the ones used here (B-30): shaped attention, and an MLP.
 *
 * What stands beside it.  W_V and W_O are 2 d^2 of the 4 d^2 of attention: 1/6 of a block with an MLP of width 4 d,
 * half of one without.  In the paper's own tables the step from wqk to min is that omission.  Of 10,000 test images k
 * and l are recognised; two independent counts differ by more than z standard deviations where
 *     10,000 (k - l)^2 > z^2 (k (10,000 - k) + l (10,000 - l)).
 * With MLP on MNIST (9,843 and 9,827) they do not for z = 2; without MLP they do for z = 5 on both data sets (9,760 and
 * 9,532; 5,370 and 3,917).                                                                                   */
#include <stdlib.h>
#include <string.h>
#include "src/claim/shapes.h"
#include "src/methods/counts/recount.h"

enum { IMAGES = 10000 };

/* Test images that a run recognises: its accuracy in per cent, times 100; -1 where none is printed. */
static long recognised(const char *name)
{
    char *column = must_format("%s.acc", name);
    mpq_t share;
    mpq_init(share);
    const bool known = printed_name(share, column);
    mpz_mul_ui(mpq_numref(share), mpq_numref(share), IMAGES / 100);
    mpq_canonicalize(share);
    const long count = known && mpz_cmp_ui(mpq_denref(share), 1) == 0 ? mpz_get_si(mpq_numref(share)) : -1;
    mpq_clear(share);
    free(column);
    return count;
}

/* Do two runs differ by more than z standard deviations? */
static void apart(trial *t, const char *what, const char *with, const char *without, long z, bool are)
{
    const long k = recognised(with), l = recognised(without);
    const long spread = k * (IMAGES - k) + l * (IMAGES - l);
    claim_decided(t, what, k > l && l >= 0 && (IMAGES * (k - l) * (k - l) > z * z * spread) == are);
}

static void beside(trial *t, const char *kept, const char *data)
{
    long images = 0;
    for (size_t k = 0; k < printed_runs_count; k++)
        images += !strncmp(printed_runs[k].name, "mnist", 5) || !strncmp(printed_runs[k].name, data, strlen(data));
    const mat *runs = recount_given(t, (long)printed_runs_count);
    claim_decided(t, "35 runs are printed", printed_runs_count == 35);
    claim_equal(t, "all 35 printed runs are of images", recount_given(t, images), runs);
    apart(t, "MNIST, MLP: within 2 deviations", "mnist_6_1_mlp_wqk", "mnist_6_1_mlp_min", 2, false);
    apart(t, "MNIST, no MLP: beyond 5", kept, "mnist_6_1_no_min", 5, true);
    apart(t, "CIFAR-10, no MLP: beyond 5", "cifar_6_1_no_wqk", "cifar_6_1_no_min", 5, true);
}
static void own_runs(trial *t)   { beside(t, "mnist_6_1_no_wqk", "cifar"); }
static void mnist_only(trial *t) { beside(t, "mnist_6_1_no_wqk", "text"); }
static void same_run(trial *t)   { beside(t, "mnist_6_1_no_min", "cifar"); }

static long entries(const mat *A) { return A->rows * A->cols; }

/* W_V and W_O in attention and in the whole block. */
static void share(trial *t, bool output)
{
    const model M = model_random(&t->s, t->sh);
    const layer *W = &M.at[0];
    const long omitted = entries(W->V) + (output ? entries(W->O) : 0);
    const long all = entries(W->Q) + entries(W->K) + entries(W->V) + entries(W->O);
    const long wide = entries(W->expert[0].up) + entries(W->expert[0].down);
    claim_decided(t, "half of attention", 2 * omitted == all);
    claim_decided(t, "1/6 of a block with an MLP", 6 * omitted == all + wide);
}
static void both(trial *t)       { share(t, true); }
static void value_only(trial *t) { share(t, false); }

static const control of_runs[] = {
    { "mnist-only", mnist_only, "all of them are of MNIST" },
    { "same-run",   same_run,   "a run against itself" },
};
static const control of_share[] = { { "value-only", value_only, "$W_V$ alone is omitted" } };
static const shape_case shapes[] = {
    { .sh = { .n = 2, .d = 4, .h = 1, .m = 16, .V = 3, .L = 1 } },
    { .sh = { .n = 2, .d = 4, .h = 2, .m = 16, .V = 3, .L = 1 } },
    { .sh = { .n = 2, .d = 6, .h = 3, .m = 24, .V = 3, .L = 1 } },
};
static const part parts[] = {
    { .name = "as-stated", .kind = PART_INFORMAL, .run = own_runs, CONTROLS(of_runs),
      .quantity = "printed runs", .shown_by = "all 35 printed runs are of images",
      .statement = "no loss in NLP: none of the 35 printed runs is of text; on images the same omission is within 2 "
                   "standard deviations with MLP (MNIST), beyond 5 without (MNIST, CIFAR-10)",
      .basis = "recount; the report of another paper is not decided", RECOUNT_ONLY_Q },
    { .name = "as-stated-share", .kind = PART_IDENTITY, .run = both, .controls = of_share, .ncontrols = 1,
      .statement = "$W_V$ and $W_O$ are half of attention, 1/6 of a block with an MLP of width $4d$",
      .basis = "entries of matrices", RECOUNT_ONLY_Q },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 7", "Omitting the value matrix $W^V$ and the projection matrix $W^O$ reduces the "
      "parameters of the whole attention module by 50%. This variant has also been proposed by (He and Hofmann, "
      "2024), with the observation of no significant performance loss in NLP benchmarks." },
};
static const claim B_31 = {
    .id = "B-31", .title = "no significant loss in NLP", .where = "002 Section 7, third last point of the list",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .hypotheses = "test sets of 10,000 images; counts of two runs taken as independent",
    .why = "The sentence reports what others observed and gives no figure, so nothing here can decide it.  Beside it: "
           "9,843 against 9,827 of 10,000 on MNIST with MLP, a difference of 16 where one standard deviation is 18; "
           "but 9,760 against 9,532 without MLP, 228 where it is 26, and 5,370 against 3,917 on CIFAR-10.  (With MLP "
           "CIFAR-10 falls from 6,024 to 5,498, but there the step is from full to min.)  Where no skip is between, an "
           "MLP can take over $W_VW_O$ exactly (B-32); without MLP the omission takes half of all weights of a block.",
    .shapes = shapes, .nshapes = COUNT(shapes), .parts = parts, .nparts = COUNT(parts), .depends = "B-30 B-32",
};
THEOREM_PROGRAM(B_31)
