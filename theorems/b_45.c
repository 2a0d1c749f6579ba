/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_45.c - B-45, the trials with ImageNet.
 *
 * 002 6.3 says that with MLP no run improved, that without MLP some converged, and concludes that discarding
 * the MLP helps convergence.  There is no setup and no figure: no size, no learning rate, no loss, no accuracy.
 * Nothing can be recounted and nothing re-run; what a program can show is that none of the paper's 35 printed
 * runs is one of ImageNet. */
#include <string.h>
#include "src/claim/claim.h"
#include "src/methods/counts/recount.h"

static long printed_runs_of(const char *data)
{
    long n = 0;
    for (size_t k = 0; k < printed_runs_count; k++) n += strncmp(printed_runs[k].name, data, strlen(data)) == 0;
    return n;
}

static void no_runs_of(trial *t, const char *data)
{
    claim_decided(t, "35 runs are printed", printed_runs_count == 35);
    claim_decided(t, "all are of MNIST or CIFAR-10", printed_runs_of("mnist") + printed_runs_of("cifar") == 35);
    claim_equal(t, "none is of ImageNet", recount_given(t, printed_runs_of(data)), mat_zero(&t->s, 1, 1));
}
static void no_figures(trial *t) { no_runs_of(t, "imagenet"); }
static void of_cifar(trial *t)   { no_runs_of(t, "cifar"); }

static const control controls[] = { { "CIFAR-10", of_cifar, "the same of CIFAR-10, which has 17 runs" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_UNCHECKABLE, .run = no_figures, .controls = controls, .ncontrols = 1,
      .quantity = "printed runs", .shown_by = "none is of ImageNet",
      .statement = "that on ImageNet the model with MLP did not train, and without MLP did: none of the 35 printed "
                   "runs is one of ImageNet", .basis = "recount", RECOUNT_ONLY_Q },
};
static const quotation quotes[] = {
    { TEXT_002, "Section 6.3", "Unfortunately, the baseline run with the original transformer architecture, "
      "including MLP, has not been successful. In all trials, *Adam* failed to find a substantial improvement "
      "in the initial parameter state. By contrast, without MLP, it has been converging at least to a state "
      "with a moderate classification performance." },
    { TEXT_002, "Section 6.3", "It can only be concluded that discarding MLP is helpful for convergence." },
    { TEXT_002, "abstract", "MNIST, CIFAR-10, and, with restrictions, ImageNet." },
};
static const claim B_45 = {
    .id = "B-45", .title = "trials with ImageNet", .where = "002 Section 6.3 and abstract",
    .quotes = quotes, .nquotes = COUNT(quotes),
    .why = "No size, learning rate, batch, number of epochs, loss or accuracy is given, so there is no number to "
           "recount and no run to repeat; ``failed to find a substantial improvement'' may be any of these. The text "
           "itself calls it no serious study. The abstract's ``with restrictions, ImageNet'' therefore rests on "
           "nothing that can be checked.",
    .shapes = recount_shapes, .nshapes = COUNT(recount_shapes), .parts = parts, .nparts = COUNT(parts), .depends = "",
};
THEOREM_PROGRAM(B_45)
