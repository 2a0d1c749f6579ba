/* results.h - reports/results/NAME.csv: what a preset gave, as text, one line a figure; nothing else is recorded.
 *
 * A line is of kind
 *   run         one metric of one row, over its seeds:  mean and 95 % interval, beside what the paper prints
 *   comparison  first - second, seed by seed, with its interval; the verdict says whether it is resolved
 *   check       a theorem on trained weights: the difference, and whether it is as it must be
 * The file appears whole, at the end of a preset of which every run is finished.                          */
#ifndef RESULTS_H
#define RESULTS_H
#include "src/experiments/presets.h"

typedef enum {
    R_PRESET, R_PART, R_KIND, R_ROW, R_CLAIM, R_TABLE, R_METRIC, R_PAPER, R_MEAN, R_LOW, R_HIGH, R_N, R_VALUES,
    R_VERDICT, R_SEEDS, R_SCALE, R_PARAMETERS, R_STEPS, R_UNITS, R_UNIT, R_HARDWARE, R_DATE, R_COMMIT, R_DATA,
    R_COMMAND, COLUMNS
} result_cell;
extern const char *const cell_name[COLUMNS];
typedef struct { char *cell[COLUMNS]; } result;            /* none is NULL once it is in a list          */
typedef struct { result *at; long n; } results;

void results_add  (results *all, result r);                /* takes the cells; NULL becomes ""           */
void results_write(const results *all, const char *path);
/* Adds the lines of a file; a file that begins with # is another record (of PyTorch, of peers) and left alone.
 * Dies, naming the line, where it is something else. */
void results_read (results *all, const char *path);
/* All *.csv of a folder in the order of their names; a folder that is not there holds none. */
results results_folder(const char *folder);
void results_free (results *all);
bool result_is(const result *r, result_cell c, const char *text);
bool result_names_claim(const result *r, const char *id);  /* R_CLAIM holds several, apart by blanks     */

/* ---- what recorded results say about a claim that only runs can decide ------------------------------------ */
typedef enum {
    UNRECORDED,
    RECORDED,                            /* there are figures, but not all rows, or not all of them agree */
    SHOWN_SCALED,                        /* a scaled form of all rows, every planned comparison in the papers' order */
    SHOWN_FULL                           /* every row at full size, three seeds each, in agreement       */
} standing;
standing results_standing(const results *all, const char *id);
/* "provably reproduce gpt-100k", or NULL: no preset is about this claim.  To be freed. */
char *claim_command(const char *id);
/* What is recorded of a claim, as a sentence: "" when nothing is.  To be freed. */
char *claim_words(const results *all, const char *id);
#endif
