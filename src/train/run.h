/* SPDX-License-Identifier: GPL-3.0-or-later
 * run.h - one training run of anything that has a loss: a folder that can be killed and resumed at any moment.
 *
 * The folder holds last.ckpt (weights, the optimizer's means, what must agree for a run to resume), steps.csv
 * (step, rate, loss of the batch, norm of the gradient), evals.csv (step, metrics) and what else the trainer logs,
 * all after lines `# NAME VALUE` with configuration, seeds, machine and commit.  A run that resumes after kill -9 ends
 * with the same bits as one that was left alone, with the same number of threads on the same kind of BLAS core; both
 * are recorded and a change is announced.
 *
 * A run diverges at the first step whose loss or gradient is not finite.  It is finished then: that step is the last
 * row of steps.csv and of evals.csv, where the first metric is inf and the others are nan; last.ckpt holds the weights
 * of before and says `diverged`.  The run is neither measured nor trained again.                          */
#ifndef TRAIN_RUN_H
#define TRAIN_RUN_H
#include <stdio.h>
#include "src/train/checkpoint.h"
#include "src/train/net.h"
#include "src/train/optim.h"
#include "src/train/tally.h"

enum { METRICS = 8 };

typedef struct {                         /* what is trained                                             */
    net  *net;                           /* run.c changes its weights and refreshes it                  */
    void *self;                          /* of the trainer, for step and evaluate                       */
    double (*step)    (void *self, long step);   /* adds the gradient of step 0, 1, ... to the net's; the batch's mean
                                                    loss */
    bool   split;                        /* step takes the rows of the batch that are world_rank() mod world_size(),
                                            and gradients and losses of the processes sum up to the batch's */
    void   (*evaluate)(void *self, double *metric);      /* fills metric[metrics]                       */
    const char *const *metric;           /* their names: the columns of evals.csv                       */
    long   metrics;                      /* up to METRICS; the first is in the progress line            */
    /* A log of the trainer's own, beside evals.csv; none where the file's name is NULL.  At each evaluation, after
     * `evaluate`, write_rows adds rows that begin with the step. */
    struct { const char *file, *columns; void (*write_rows)(void *self, FILE *f, long step); } log;
    /* Sums of the trainer's that go on from step to step: checkpoints keep them, by names of their own. */
    struct { const char *const *name; double *value; long n; } sums;
    attn_shape  attention;               /* of a full batch; B = 0: the model has none                  */
    const char *unit;                    /* "tokens", "images"                                          */
    double units_per_step, flops_per_step;
} training_task;

typedef struct {
    optim_config optim;
    long         eval_every, save_every; /* steps                                                       */
    const char  *out;                    /* the folder; made when missing                               */
    bool         quiet;                  /* no progress on the terminal                                 */
    uint64_t     alphabet;               /* of text at char level (tokens.h); 0: none; in checkpoints   */
    char        *model, *sources;        /* what must agree for a run to resume, up to 479 bytes each:  */
    char        *recipe;                 /* configuration; seeds and data; batches (run.c adds the optimizer's) */
} run_config;
const char *run_config_check(const run_config *c);            /* NULL, or what is wrong                 */
void run_config_free(run_config *c);     /* model, sources and recipe                                   */

typedef struct {
    bool   finished;                     /* false: stopped by INT, TERM or HUP after a checkpoint       */
    long   steps;                        /* that changed the weights                                    */
    long   diverged;                     /* finished at this step, whose loss is not finite; 0: it is not so */
    double metric[METRICS];              /* of the last evaluation; diverged: inf, then nan              */
    double units_per_second;             /* of this process's steps, without evaluations; 0: none made  */
} run_result;
/* Trains; resumes what the folder holds, and returns at once when that run is finished.  Says on stderr which GPU it is
 * on and how that does attention, and when the run has diverged, now or before.  Dies when the folder holds another
 * run, or a finished one (`done`, sweep.h) without its checkpoint, and on a full disk. */
run_result run_training(const run_config *c, const training_task *t);
/* One step: the gradient, its sum over the processes, the update.  mean: of the batch's losses; norm: the gradient's,
 * NaN where the loss is not finite.  Unless both are finite nothing changes.  stopped: `stop` in any process. */
typedef struct { double mean, norm; bool stopped; } training_step;
training_step run_step(const optim_config *c, const training_task *t, optim *s, bool stop);
/* What a step costs of a task whose net is on tally_ops, just made; no folder is touched. */
tally run_tally(const optim_config *c, const training_task *t);
/* Dies where a run would begin beside weights of another model; one that is there may resume. */
void run_require_folder(const char *out);
/* How a run ended, in a word and as the exit status of its command. */
enum { RUN_FINISHED, RUN_STOPPED, RUN_DIVERGED = 3 };           /* 2: bad input                          */
const char *run_ended (const run_result *r);                  /* "finished", "stopped", "diverged"      */
int         run_status(const run_result *r);

/* How many rows at a time the run in folder `out` takes through its model, if its batch is `batch` and it has a
 * checkpoint or, killed before its first one, an evals.csv; else 0.  What a trainer takes when none is asked for,
 * before what is usual on its machine: so a run that was begun on a GPU resumes on the CPU, and the other way round.
 * Dies when the checkpoint is damaged. */
long run_micro(const char *out, long batch);

/* The text after `# NAME ` in a file of the run, as evals.csv, to be freed; "" where there is none. */
char *run_folder_header(const char *folder, const char *file, const char *name);

/* Text `name` of a checkpoint that was read from path; dies when it is not there. */
const char *run_text(const checkpoint *k, const char *name, const char *path);
#endif
