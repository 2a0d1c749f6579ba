/* SPDX-License-Identifier: GPL-3.0-or-later
 * run_line.h - the line that shows how far a run is: loss, validation, speed, share of the ceiling, time left.
 *
 * The ceiling (ceiling.h) is measured for a third of a second.  From it comes the first line, before the first step:
 * the time that all steps take at least.  All go to stderr, on a terminal and in a log (src/base/progress.h). */
#ifndef TRAIN_RUN_LINE_H
#define TRAIN_RUN_LINE_H
#include "src/base/progress.h"
#include "src/train/run.h"

typedef struct {
    progress line;
    double ceiling;                      /* flops per second of all processes; 0: not known             */
    long   first, steps;                 /* the step that this process began with, and the last         */
} run_line;

/* Measures the ceiling and shows the first line, when lines are shown: `first` of `steps` updates are made. */
run_line run_line_begin(const training_task *t, bool quiet, long first, long steps);
/* After `step` updates, which took step_seconds without evaluations; metric: of the last evaluation.  Shown when it is
 * due, and after the last. */
void run_line_show(run_line *l, const training_task *t, long step, double loss, double metric, double step_seconds);
#endif
