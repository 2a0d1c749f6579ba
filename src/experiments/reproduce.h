/* SPDX-License-Identifier: GPL-3.0-or-later
 * reproduce.h - runs a preset: part after part, the runs of a part in parallel, and judges each part when it is done.
 *
 * The folders of the runs are OUT/PART-ROW-SEED, so that an interrupted preset can be resumed.  A run that diverged is
 * finished: its figures are inf or nan, and no comparison with them is judged.  When all runs are finished the figures
 * are written to RESULTS/PRESET.csv, where `provably report` reads them, and the curves to
 * RESULTS/curves/PRESET-PART.csv.  A preset of other presets runs them one after the other, each in OUT/MEMBER and with
 * files of its own. */
#ifndef REPRODUCE_H
#define REPRODUCE_H
#include "src/experiments/results.h"
#include "src/experiments/sweep.h"
#include "src/train/ops.h"

typedef struct {
    const char *out, *results;           /* folders; created if they do not exist                       */
    const char *recorded;                /* the folder of the records, read where results has no tuning; NULL: none */
    const char *data;                    /* NULL: none is given                                         */
    const char *found;                   /* where data may lie that nobody gave: used by the parts that do without and
                                            find all their files there; NULL: nowhere                   */
    const char *rows;                    /* "a,b": only these; NULL: all                                */
    bool   record;                       /* starts nothing, records what is finished                    */
    bool   list;                         /* nothing will run: a tuning need not be recorded             */
    const char *more;                    /* options for every run, "" for none                          */
    const char *program;                 /* NULL: this one                                              */
    long seeds, jobs;                    /* 0: as the preset says                                       */
    const run_kind *kinds;
    bool   estimate;                     /* measures the machine for a second, to say how long it will take */
} reproduce_options;

/* 0; 1 if runs failed, were stopped or are running elsewhere, or a check fails.  Dies if data are missing, and where
 * the recorded file holds seeds that would be lost: before anything is started, of a preset of presets for all of them.
 * A member that gives 1 does not stop those after it, unless its runs were stopped (Ctrl-C); one whose tuning is
 * missing is left out, and gives 1.  Nothing is written while no run is finished. */
int reproduce_run(const preset *p, const reproduce_options *o);
/* Prints all presets with their sizes and costs at machine_flops; or the rows of one preset. */
void reproduce_list(const reproduce_options *o);
void reproduce_rows(const preset *p, const reproduce_options *o);
/* FLOP per second of the matrix products that runs of a command will use, measured for a second: of the backend that
 * o->more names, else of the command's default one, on the GPU or on all cores. */
double machine_flops(const reproduce_options *o, const char *command);
/* Runs at the same time where nobody says how many: one per core; on a GPU at most GPU_JOBS, which take turns there, or
 * share it under MPS. */
enum { GPU_JOBS = 4 };
long jobs_on(const ops *o, long cores);
long machine_jobs(const reproduce_options *o, const char *command);
/* "310 GFLOP/s by cpu-f32 on 2 cores", to be freed: of all commands; on a GPU with the commands that use each one. */
char *machine_speeds(const reproduce_options *o);

/* ---- its steps, for tests ----------------------------------------------------------------------------------- */

/* The runs of a part that the options ask for, seed by seed. */
worklist reproduce_part_runs(const preset *p, const experiment *e, const reproduce_options *o);
/* All that it may have: run [seed * rows + row] for *seeds seeds. */
worklist reproduce_part_table(const preset *p, const experiment *e, const reproduce_options *o, long *seeds);
/* The command of a run as it is recorded, to be freed: "provably train --data=bytes:DATA/train.txt ..."; data: the
 * folder that is called DATA, or NULL. */
char *reproduce_command(const work *w, const char *data);
/* Dies if RESULTS/PRESET.csv holds finished seeds that neither OUT has nor this command is to run, or has planned runs
 * on real data of a row, and this command has other options or synthetic data. */
void reproduce_keep_record(const preset *p, const reproduce_options *o);
/* Row `name` is one of those that the options ask for. */
bool reproduce_row_asked(const char *name, const reproduce_options *o);
/* What is recorded of the tuning of a part, or nothing; to be freed. */
results reproduce_tuning(const experiment *e, const reproduce_options *o);
/* The folder of data that a part is run with, or NULL. */
const char *reproduce_data(const experiment *e, const reproduce_options *o);
/* Dies unless evals.csv of a finished run ends at that step and is of the seeds that its command gives: the folder may
 * have been trained in again since. */
void run_folder_need_whole(const char *folder, const work *w, long steps);
/* Dies unless the checkpoint is of that step, and of the same run as evals.csv. */
void run_folder_need_weights(const char *folder, long steps);
/* A figure of a finished run, unscaled; false: its file has no such column or row. */
bool run_folder_metric(const char *folder, const metric *m, double *x);
/* How far a figure, or the difference of two models, is uncertain because the validation set is finite: of a column of
 * losses.csv (`loss`, `right`), window by window or image by image, the mean and its standard error; of first - second,
 * or of the first alone where second is NULL.  *n: how many; 0: a file or the column is missing.  Not NULL: why they
 * cannot be compared, to be freed. */
char *run_folder_error(const char *first, const char *second, const char *column, long *n, double *mean, double *error);
/* Both have a losses.csv, of the same windows or images in the same order. */
bool run_folder_same_windows(const char *one, const char *other);
/* Writes the validations of all finished runs of a part to FOLDER/PRESET-PART.csv; nothing if there are none. */
void curves_write(const preset *p, const experiment *e, const reproduce_options *o, const char *folder);
/* Prints a part's figures and verdicts, and adds them to `all`; false: a check of a theorem fails. */
bool summarize_part(const preset *p, const experiment *e, const reproduce_options *o, results *all);
/* Of a part that follows its models on the way to W_Q = I (trained_gap.h): measures, prints and judges the curves of
 * those whose first seed is finished, and writes RESULTS/PRESET-gaps.csv; source: a line of the part that has seeds,
 * which says where the runs are from.  Models that diverged are left out.  false: a check fails. */
bool follow_part(const preset *p, const experiment *e, const reproduce_options *o, const result *source);
#endif
