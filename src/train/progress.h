/* progress.h - the line that shows how far a run is: loss, validation, speed, share of the ceiling, time left.
 *
 * The ceiling is what a matrix product of the model's own size reaches on this machine, measured for a third of a
 * second before the first step.  A terminal shows one line that changes; elsewhere a line comes with every
 * evaluation.  Both go to stderr.                                                                        */
#ifndef TRAIN_PROGRESS_H
#define TRAIN_PROGRESS_H
#include "src/train/run.h"

typedef struct {
    bool   shown, terminal;
    double ceiling;                      /* flops per second of all processes; 0: not known             */
    double begun, last;                  /* seconds of monotonic_seconds: the first step, the last line         */
    long   first;                        /* step that this process began with                           */
} progress;

/* Measures the ceiling when the line will be shown. */
progress progress_begin(const training_task *t, bool quiet, long first);
/* After `step` of `steps` updates, which took step_seconds without evaluations; `evaluated`: metric is of this step. */
void progress_show(progress *p, const training_task *t, long step, long steps, double loss, double metric,
                   double step_seconds, bool evaluated);
/* The flops per second of one process's products y = x W', W the largest matrix of t. */
double progress_ceiling(const training_task *t, double seconds);
#endif
