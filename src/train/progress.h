/* progress.h - the line that shows how far a run is: loss, validation, speed, share of the ceiling, time left.
 *
 * The ceiling is what a matrix product of the model's own size reaches on this machine, measured for a third of a
 * second.  From it comes the first line, before the first step: the time that all steps take at least.  A terminal
 * shows one line that changes; elsewhere a line comes after 1 s, 9 s and then about every minute, and at the end.  All
 * go to stderr. */
#ifndef TRAIN_PROGRESS_H
#define TRAIN_PROGRESS_H
#include "src/train/run.h"

typedef struct {
    bool   shown, terminal;
    double ceiling;                      /* flops per second of all processes; 0: not known             */
    double begun;                        /* seconds of monotonic_seconds: the first step, for the time left */
    double next, wait;                   /* when the next line is due, and the seconds from it to the one after */
    long   first;                        /* step that this process began with                           */
} progress;

/* Measures the ceiling and shows the first line, when lines are shown: `first` of `steps` updates are made. */
progress progress_begin(const training_task *t, bool quiet, long first, long steps);
void progress_first_step(progress *p);   /* the time left is counted from here                          */
/* After `step` of `steps` updates, which took step_seconds without evaluations; metric: of the last evaluation. */
void progress_show(progress *p, const training_task *t, long step, long steps, double loss, double metric,
                   double step_seconds);
bool progress_due(progress *p, double now);      /* whether a line comes now, and then when the next one does */
/* The flops per second of one process's products y = x W', W [N,K]: the best of those that fit into `seconds`. */
double progress_products(const ops *o, long N, long K, double seconds);
/* The same where W is the largest matrix of t, each side cut to 8,192. */
double progress_ceiling(const training_task *t, double seconds);
#endif
