/* SPDX-License-Identifier: GPL-3.0-or-later
 * presets.h - the experiments of the papers, and smaller versions of them: one table of plain data.
 *
 * A preset is a list of parts; a part is one table: a command, options that its rows share, the rows, and the
 * comparisons that were planned before anything was run.  presets.c is meant to be read next to the papers,
 * presets_small.c has what two cores can run.
 *
 * The rule of a planned comparison, first - second, seed by seed, fixed before the first run:
 *   consistent    BELOW: the 95 % interval lies below 0, and Holm's p over all BELOW of the part is at most 0.05;
 *                 SAME: two one-sided tests say at the 5 % level that the difference is within the margin
 *   inconsistent  BELOW: the interval lies above 0; SAME: it lies beyond the margin
 *   unresolved    anything else
 * Equalities and opposite orders are not corrected for their number.  The error of the evaluation, over validation
 * windows or test images, counts once in the interval and in p where all seeds share it; where each seed has windows of
 * its own, the spread of the seeds has it already.  Nothing is judged before every planned seed of both rows is
 * finished, with fewer than three seeds, on synthetic data, or where a row was run with other options than its own.
 * The words of the record are in outcome.h: "as printed"; "the opposite order" and "not as printed"; "not resolved". */
#ifndef PRESETS_H
#define PRESETS_H
#include "src/base/base.h"

typedef struct {                         /* a column of a run's evals.csv, its last row                 */
    const char *name, *shown;            /* "val_loss"; "validation loss", of no other metric of the part */
    double      times;                   /* factor of what is shown                                     */
    bool        share;                   /* right answers over the test images, which the run counts    */
    bool        over_images;             /* a mean over test images, whose error is that of its losses.csv; without one
                                            the interval is over seeds only, and no comparison of it is resolved */
    const char *model, *printed;         /* or of models.csv, the row of that name; its column in runs.c */
    const char *minus;                   /* less this column of evals.csv; NULL: nothing                */
} metric;

enum { PRESET_METRICS = 5 };
typedef struct {
    const char *name;                    /* "reduced"; also of folders                                  */
    const char *options;                 /* beyond those that all rows have                             */
    const char *paper[PRESET_METRICS];   /* printed, for each metric: "3.016", "4 to 6"; NULL: none     */
    const char *run;                     /* or its name in src/methods/counts/runs.c, which has the figures      */
    long        seeds;                   /* planned; 0: as many as the part                             */
} preset_row;

typedef enum { BELOW, SAME } planned_kind;
typedef struct {                         /* first - second, seed by seed                                */
    planned_kind kind;                   /* BELOW: the papers say that first is lower; SAME: within margin */
    const char  *first, *second;
    double       margin;
    long         metric;                 /* of the part                                                 */
    const char  *claim;                  /* that it is about; NULL: the part's                          */
    const char  *note;                   /* what of the paper it is held against, for readers; NULL: nothing to say */
} planned;

typedef struct { const char *option; const char *value[5]; } grid_axis; /* NULL ends the values            */

typedef struct {
    const char *name, *title;            /* "gpt": runs are gpt-ROW-SEED                                */
    const char *claim, *table;           /* ids of the index, separated by blanks; "003 Table 2"        */
    const char *command, *options;
    const char *data, *without_data;     /* options with --data=DIR, where DATA stands for it, and without; NULL:
                                            this part needs --data                                      */
    const char *get;                     /* how to get the data                                         */
    const preset_row *row;
    long        rows;
    const grid_axis *grid;                    /* each row with each combination of values                    */
    long        axes;
    const char *tuned_by;                /* a preset with a grid: each row has the options of its own best
                                            combination there, see tuning.h; NULL: none                 */
    const char *tuned_row, *tuned_axis;  /* or all rows this option alone, as this row of it has it     */
    const char *set;                     /* how its options were set, for readers; NULL: its name says it */
    const char *folders;                 /* runs are FOLDERS-ROW-SEED; NULL: the name of the part       */
    metric      shown[PRESET_METRICS];   /* up to the first without a name                              */
    const planned *plan;
    long        plans;
    long        seeds, seed, order;      /* how many; the first --seed and --data-seed, 0: not given    */
    bool        full;                    /* the paper's own size and length                             */
    double      least_median;            /* of the first metric, for acceptance; 0: none                */
    bool        eliminates;              /* afterwards all W_Q are eliminated: check_elimination.h      */
    bool        follows;                 /* and the way there is measured, into PRESET-gaps.csv: trained_gap.h */
    const char *cannot;                  /* what it cannot settle                                       */
} experiment;

typedef struct { const char *preset, *rows; long seeds; } preset_member; /* rows: "a,b", NULL: all; seeds: 0: all */
typedef struct {
    const char *name, *about, *scale;
    const experiment *part;
    long parts;
    const preset_member *member;         /* or, without parts, other presets one after the other        */
    long members;
    long jobs;                           /* at the same time, unless --jobs is given; 0: machine_jobs   */
    bool announces;                      /* ends with the full tables' counts and command lines         */
} preset;
extern const preset presets[];           /* ends with the one without a name                            */
const preset *preset_find(const char *name);             /* NULL: no such preset                        */
const experiment *preset_part(const preset *p, const char *name);            /* NULL: no such part      */

/* Row k of a part, 0 <= k < experiment_rows: its name and all its options but seed and folder, to be freed.
 * tuned: the options that the tuning gives, "" where e->tuned_by is NULL; see tuning.h. */
long  experiment_rows(const experiment *e);
long  experiment_row_seeds(const experiment *e, long k);                 /* planned                     */
long  experiment_metrics(const experiment *e);
bool  claim_among(const char *ids, const char *id);      /* ids: separated by blanks, or NULL           */
const preset_row *experiment_row(const experiment *e, long k);
long  experiment_row_named(const experiment *e, const char *name);       /* -1: none; of a grid, the first */
char *experiment_name   (const experiment *e, long k);
char *experiment_options(const experiment *e, long k, const char *tuned, const char *data);
/* " --rate=4e-3 --decay=0.1": what combination k of the grid adds, to be freed. */
char *experiment_combination(const experiment *e, long k);
char *experiment_place_data(const char *text, const char *data); /* the word DATA replaced, to be freed */
/* The paper's figure for metric m of a row, or NULL. */
const char *experiment_paper(const experiment *e, const preset_row *r, long m);
#endif
