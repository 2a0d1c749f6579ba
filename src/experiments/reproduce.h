/* reproduce.h - runs a preset: its parts one after the other, their runs side by side, each judged when it is done.
 *
 * Runs lie in OUT/PART-ROW-SEED, so that a preset that was stopped goes on where it was.  When all are finished the
 * figures are written to RESULTS/PRESET.csv, from where `provably report` takes them. */
#ifndef REPRODUCE_H
#define REPRODUCE_H
#include "src/experiments/results.h"
#include "src/experiments/sweep.h"

typedef struct {
    const char *out, *results;           /* folders; made when missing                                  */
    const char *data;                    /* NULL: none is given                                         */
    const char *more;                    /* options for every run, "" for none                          */
    const char *program;                 /* NULL: this one                                              */
    long seeds, jobs;                    /* 0: as the preset says                                       */
    const run_kind *kinds;
    bool   estimate;                     /* measures the machine for a second, to say how long it will take */
    double every;                        /* seconds between lines of progress; 0: see watch             */
} reproduce_options;

/* 0; 1 when runs failed, were stopped or are in other hands, or a check fails.  Dies on missing data. */
int reproduce_run(const preset *p, const reproduce_options *o);
/* Every preset with its size and its cost at so many products' FLOP a second; or one preset's rows. */
void reproduce_list(const reproduce_options *o, double flops);
void reproduce_rows(const preset *p, const reproduce_options *o, double flops);
/* What sgemm reaches here on all cores together, by a second of it. */
double machine_flops(void);

/* ---- its steps, for tests ----------------------------------------------------------------------------------- */

/* All runs of a part; seeds: 0 for the part's own. */
worklist reproduce_part_runs(const preset *p, const experiment *e, const reproduce_options *o);
/* A figure of a finished run, not yet times anything; false: its file has no such column or row. */
bool run_folder_metric(const char *folder, const metric *m, double *x);
/* The text after `# NAME ` in RUN/evals.csv, to be freed; "" where there is none. */
char *run_folder_header(const char *folder, const char *name);
/* Prints a part's figures and verdicts, and adds them to `all`; false: a check of a theorem fails. */
bool summarize_part(const preset *p, const experiment *e, const reproduce_options *o, results *all);
#endif
