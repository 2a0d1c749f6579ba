/* SPDX-License-Identifier: GPL-3.0-or-later
 * trained_gap_measure.h - the curves of a trained model: what they mean is in trained_gap.h. */
#ifndef TRAINED_GAP_MEASURE_H
#define TRAINED_GAP_MEASURE_H
#include "src/data/tokens.h"
#include "src/experiments/trained_gap.h"
#include "src/train/gpt.h"

/* Measures the curves of a model, one or two, on B whole windows of text, in double, and adds them.
 * M: its model in double with room for B windows.  Dies where a W_Q is singular. */
void trained_gap_measure(gap_curves *all, const char *setting, long step, gpt *M, const gpt_config *c,
                         const tokens *text, long B);

#endif
