/* SPDX-License-Identifier: GPL-3.0-or-later
 * results.h - reports/results/NAME.csv: the results of a preset as text, one line per figure.
 *
 * A line is of kind
 *   run         one metric of one row, over its seeds:  mean and 95 % interval, and the printed figure
 *   comparison  first - second, seed by seed, with its interval; the verdict says whether it is resolved
 *   check       a theorem on trained weights: the difference, and whether it is as expected; or an acceptance
 * The file has every line of the preset, also of what has not run, and can be written at any time:
 *   seeds     the finished ones, "1 to 3" or "1 4"; values has one number for each, n is how many, planned how many
 *             there will be.  A comparison has the seeds that both rows have.  inf and nan: the run diverged, or,
 *             nan of a running figure, an earlier version had resumed it in its last epoch; then the mean is inf or
 *             empty, low and high are empty, and no comparison is judged
 *   verdict   "not run"; "2 of 3 seeds: not judged"; "synthetic data: not judged"; "other options: not judged", of a
 *             command that is not the row's own (commands.h); else see outcome.h
 *   p, p_holm of a comparison: alone, and as it decides: by Holm's method over all BELOW of the part; SAME: p.  A
 *             number, or "< 1e-300"; empty on synthetic data, which are compared with nothing
 *   interval  what low and high, ends of a 95 % interval, are of: "seeds" (Student), "test images" or "windows" (one
 *             seed), "seeds and test images", "seeds and windows".  Equality is decided by p: by the 90 % interval
 *   se_seeds, se_eval, eval_n, eval_of  standard errors over seeds, and of the evaluation on eval_n windows (losses of
 *             language models: of the paired differences of windows within a seed) or test images.  Where all seeds
 *             share them, this error enters the interval and p once; `windows of each seed`: not at all.  `paired
 *             test images`: measured image by image; a comparison of accuracies that has `test images` takes the
 *             images of the two as independent
 *   flops, parameters, steps, units, command  of one run; date: when the first of the line ended
 * Taken as they are: values, gaps, errors that were measured, numbers of test images, commands, costs, and where, when
 * and on which data the runs were made.  Whoever reads it recomputes everything else. */
#ifndef RESULTS_H
#define RESULTS_H
#include "src/claim/judge/recorded.h"
#include "src/experiments/outcome.h"
#include "src/experiments/presets.h"

typedef enum {
    R_PRESET, R_PART, R_KIND, R_ROW, R_CLAIM, R_TABLE, R_METRIC, R_PAPER, R_MEAN, R_LOW, R_HIGH, R_N, R_VALUES,
    R_VERDICT, R_SEEDS, R_PLANNED, R_P, R_P_HOLM, R_INTERVAL, R_SE_SEEDS, R_SE_EVAL, R_EVAL_N, R_EVAL_OF, R_SCALE,
    R_PARAMETERS, R_STEPS, R_UNITS, R_UNIT, R_FLOPS, R_HARDWARE, R_DATE, R_COMMIT, R_DATA, R_COMMAND, RESULT_COLUMNS
} result_cell;
extern const char *const result_cell_name[RESULT_COLUMNS];
typedef struct {
    char *cell[RESULT_COLUMNS];                            /* none is NULL once it is in a list          */
    const preset *p;                                       /* what results_add reads in the cells: NULL: there is no
                                                              such preset, or part                       */
    const experiment *e;
    long    line;                                          /* of its part, from 0: figures_line_place    */
    long    seeds;                                         /* finished; 0: not run                       */
    outcome is;                                            /* the verdict                                */
    bool    made_up;                                       /* its data are                               */
} result;
typedef struct { result *at; long n; } results;

void results_add  (results *all, result r);                /* takes the cells; NULL becomes ""           */
void results_write(const results *all, const char *path);
/* Adds the lines of a file PRESET.csv.  They must be the lines of the preset, complete and in its order, and each must
 * follow from its values; otherwise dies with file, line and reason.  A file that begins with # (of trained weights) or
 * whose first column is `date` (of PyTorch, of other programs) is a different record and is skipped. */
void results_read (results *all, const char *path);
/* Its two halves: reads the lines as text (false: a different record); checks that they are those of this preset. */
bool results_parse(results *all, const char *path);
void results_check(const results *all, const preset *p, const char *path);
/* All *.csv of a folder in the order of their names; an empty list if the folder does not exist. */
results results_folder(const char *folder);
/* The same of a folder of the user's own runs, whose tuning may be a recorded one. */
results results_folder_own(const char *folder, const results *recorded);
void results_free (results *all);
void result_free  (result *r);                             /* its cells                                 */
bool result_is(const result *r, result_cell c, const char *text);

/* "0.0149 [0.0077, 0.0222]", to be freed: mean and interval to a thirtieth of half its width or finer, finer still
 * where an end that is not 0 would be shown as 0, never finer than the line has them, and with exponents where all are
 * below 1e-4; as it has them where there is no interval or it has no width.  Of a figure the interval ends at 0, of an
 * accuracy at 100. */
char *result_interval_text(const result *r);
/* The same, to be freed, with ", of the seeds alone" behind it where the seeds share test images whose error is not
 * known, so that the interval is too short. */
char *result_shown_text(const result *r);

enum { MANY_SEEDS = 10000 };
/* The seeds of a line, "1 to 3", "1 4" or "", of a part whose first seed is `from`: sets seen[k] for seed from + k,
 * where seen[MANY_SEEDS] is not NULL; returns one more than the largest k, 0 for none, -1: they are no such seeds. */
long results_seeds(const char *text, long from, bool *seen);
/* The verdict of each line of a part, recomputed from its values, to be freed; NULL: *wrong is the reason, to be freed,
 * and *at the line. */
outcome *results_part_outcomes(const preset *p, const experiment *e, const result *line, long n, long *at,
                               char **wrong);

/* ---- what recorded results say about a claim that only runs can decide ------------------------------------ */
/* Believes no word of a line: all is recomputed from its values, as in results_part_outcomes. */
recorded_standing results_standing(const results *all, const char *id);
/* "provably reproduce gpt-100k --data=DIR", or NULL: no preset is about this claim.  To be freed. */
char *results_claim_command(const char *id);
/* What is recorded of a claim, as a sentence: "" when nothing is.  To be freed. */
char *results_claim_words(const results *all, const char *id);
#endif
