/* SPDX-License-Identifier: GPL-3.0-or-later
 * trained_reductions.h - which constructions apply to trained weights, setting by setting, what each removes, and how
 * far the file that `provably reduce` writes is from the model.
 *
 * A construction whose hypotheses hold is applied alone, with --untie where the tied head is all that is in its way,
 * and the gap of the logits must be within what rounding to the file's type explains (compare.h).  One whose hypotheses
 * do not hold is forced where matrices of those shapes can be made at all, to see what comes out: another function, or
 * the same one, because hypotheses are sufficient and another theorem may cover the case. */
#ifndef TRAINED_REDUCTIONS_H
#define TRAINED_REDUCTIONS_H
#include "src/base/base.h"
#include "src/experiments/outcome.h"
#include "src/experiments/record_notes.h"

typedef struct {
    char   setting[64];
    long   step;
    char   what[96], claims[48], why[320];       /* in words; ids; one sentence                             */
    bool   applies, untied;                      /* the head had to become a matrix of its own              */
    char   word[16];                             /* of `reduce --apply`; "": it has no such construction    */
    double parameters, of;                       /* numbers that go, of the model's                         */
    double bits;                                 /* log2 of the condition number met; NAN: none, or unknown */
    double gap, rounding, largest;               /* max |difference of a logit|, what rounding explains, max |logit|;
                                                    NAN: nothing was written, reduce refused                */
    long   tokens, same_first;                   /* compared; with the same most likely token               */
} reduction_finding;
typedef struct { reduction_finding *at; long n; } reduction_findings;

/* HOLDS, REFUTED (forced, and told from rounding), FAILS; *why: static text, or NULL.  Contract: gap is not NAN. */
outcome trained_reduction_judge(const reduction_finding *f, const char **why);

/* The record.  Reading dies on what is no such file; an absent file has no findings. */
void trained_reductions_write(const reduction_findings *all, const record_note *notes, long n, const char *path);
reduction_findings trained_reductions_read(const char *path);
void trained_reductions_free(reduction_findings *all);
#endif
