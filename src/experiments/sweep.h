/* SPDX-License-Identifier: GPL-3.0-or-later
 * sweep.h - executes a list of runs: each process takes the next run that is free.
 *
 * A run is a line NAME COMMAND OPTION..., its words separated by blanks; # begins a comment.  COMMAND is a command of
 * this program that trains into a folder; its folder is OUT/NAME, and there
 *     done   written when the run has finished: its command line, the machine, and of a run that diverged (run.h) at
 *            which step.  Such a run is skipped
 *     lock   held by the process that executes the run; released by the kernel when that process dies, so that a
 *            crashed run is taken up again and resumes from its checkpoint
 *     log    the output of the run
 * So a list can be executed by one process, by an array of a batch system or under make -j, on one machine or
 * on several that share the folder. */
#ifndef SWEEP_H
#define SWEEP_H
#include "src/base/progress.h"

typedef struct {                         /* what a run will cost, all its steps together                */
    double parameters, flops, units;
    long   steps;
    const char *unit;                    /* "tokens", "images", "samples"                               */
} run_cost;

typedef struct {                         /* a command that a list may name                              */
    const char *command;
    run_cost (*cost)(int argc, char **argv);       /* argv[0] is the command; dies on bad options        */
} run_kind;
const run_kind *run_kind_find(const run_kind *kinds, const char *command); /* a NULL command ends them  */

typedef struct { char *name, **word; int words; } work;                    /* word[0]: the command      */
typedef struct { work *at; long n; } worklist;

/* Adds the run of `line` (COMMAND OPTION...).  NULL, or what is wrong (to be freed): an unknown command, a name that is
 * taken or cannot name a folder, --out, or what the command says about its options. */
char *worklist_add(worklist *w, const run_kind *kinds, const char *name, const char *line) MUST_USE;
worklist worklist_read(const char *path, const run_kind *kinds);           /* dies with path:line       */
void worklist_free(worklist *w);

/* Progress: a line on stdout when a run starts, and on stderr how far the runs are, on a terminal and in a log
 * (src/base/progress.h).  Several lists may share it. */
typedef struct {
    const run_kind *kinds;
    double speed;                        /* FLOP a second that are expected; 0: not known               */
    /* filled as runs come and go: */
    long   runs, before, taken, finished;    /* of all lists; finished before; taken here; finished here    */
    double flops, made;                  /* left for unfinished runs; made by runs finished here        */
    double begun_flops;                  /* of unfinished runs, made before                             */
    double begun;                        /* time of the first run                                       */
    progress line;
} watch;
typedef struct { const char *name; long number, first, step; run_cost cost; } watched;        /* one run */

void watch_add(watch *a, const worklist *list, const char *out);           /* before any list is swept  */
/* made: FLOP of the runs in progress, each as watch_made reads it from the folder of the run. */
watched watch_start(watch *a, const work *w, const char *out, double made);
double watch_made(watched *r, const char *out);
void watch_skip(watch *a, const work *w, bool elsewhere);                  /* done, or running elsewhere */
void watch_show(watch *a, const watched *r, long n, double made);          /* the line, which is due    */
void watch_end(watch *a, watched *r, const char *out, bool finished);
long run_folder_step(const char *out, const char *name); /* the last step in OUT/NAME/steps.csv; 0: none */
run_cost work_cost(const run_kind *kinds, const work *w);
void duration_text(char *to, size_t size, double seconds); /* "41 s", "12 min", "7.5 h", "3.0 days"      */

typedef struct {
    const char *out;                     /* contains the folders; created if it does not exist          */
    const char *program;                 /* NULL: this one                                              */
    long jobs;                           /* runs at the same time; they share the cores                 */
    bool quiet;
    watch *watch;                        /* NULL: no progress; else the list was added to it            */
} sweep_options;
typedef struct {
    long before, here, elsewhere, failed, stopped;
    long diverged;                       /* of those finished before and here                           */
} sweep_result;
/* Tries each run once.  A failed run does not affect the others.  Ctrl-C: each run stops after a checkpoint.
 * Dies before anything starts if a folder contains a different run. */
sweep_result sweep_run(const worklist *w, const sweep_options *o);
/* Whether the run is finished in OUT.  Dies if a different run was finished there (command_same_run). */
bool sweep_done(const char *out, const work *w);
/* The step at which a finished run diverged; 0: it did not, or is not finished. */
long sweep_diverged(const char *out, const work *w);
long machine_cores(void);                 /* that this process may use                                   */
char *machine_name(void);                 /* "AMD EPYC, 2 cores", to be freed                            */
#endif
