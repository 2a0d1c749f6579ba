/* SPDX-License-Identifier: GPL-3.0-or-later
 * trained_reductions_measure.h - the findings of a trained model: trained_reductions.h says what they mean. */
#ifndef TRAINED_REDUCTIONS_MEASURE_H
#define TRAINED_REDUCTIONS_MEASURE_H
#include "src/data/tokens.h"
#include "src/experiments/trained_reductions.h"

/* Adds a finding for each theorem that `provably inspect` judges the run in `folder` by.  Rewritten files go to
 * `reduced`/WORD and are compared on sequences of `text`, as long as the model allows.  program: whose `reduce` writes
 * them; NULL: this one's. */
void trained_reductions_measure(reduction_findings *all, const char *setting, long step, const char *folder,
                                const char *reduced, const tokens *text, const char *program);
#endif
