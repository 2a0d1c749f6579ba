/* results.h - reports/results/NAME.csv: what a preset gave, as text, one line a figure; nothing else is recorded.
 *
 * A line is of kind
 *   run         one metric of one row, over its seeds:  mean and 95 % interval, beside what the paper prints
 *   comparison  first - second, seed by seed, with its interval; the verdict says whether it is resolved
 *   check       a theorem on trained weights: the difference, and whether it is as it must be; or an acceptance
 * The file appears whole, at the end of a preset of which every run is finished.  It is believed for the values in
 * its lines alone: whoever reads it recomputes the rest.                                                  */
#ifndef RESULTS_H
#define RESULTS_H
#include "src/experiments/outcome.h"
#include "src/experiments/presets.h"

typedef enum {
    R_PRESET, R_PART, R_KIND, R_ROW, R_CLAIM, R_TABLE, R_METRIC, R_PAPER, R_MEAN, R_LOW, R_HIGH, R_N, R_VALUES,
    R_VERDICT, R_SEEDS, R_SCALE, R_PARAMETERS, R_STEPS, R_UNITS, R_UNIT, R_HARDWARE, R_DATE, R_COMMIT, R_DATA,
    R_COMMAND, RESULT_COLUMNS
} result_cell;
extern const char *const result_cell_name[RESULT_COLUMNS];
typedef struct { char *cell[RESULT_COLUMNS]; } result;     /* none is NULL once it is in a list          */
typedef struct { result *at; long n; } results;

void results_add  (results *all, result r);                /* takes the cells; NULL becomes ""           */
void results_write(const results *all, const char *path);
/* Adds the lines of a file PRESET.csv, each of which must follow from the values in it and be one of the preset's,
 * in its order, none missing.  A file that begins with # is another record (of PyTorch, of peers) and left alone.
 * Dies, naming file, line and what is wrong, where it is something else. */
void results_read (results *all, const char *path);
/* The two halves of it: the lines as text (false: another record); and whether they are those of this preset. */
bool results_parse(results *all, const char *path);
void results_check(const results *all, const preset *p, const char *path);
/* All *.csv of a folder in the order of their names; a folder that is not there holds none. */
results results_folder(const char *folder);
void results_free (results *all);
void result_free  (result *r);                             /* its cells                                 */
bool result_is(const result *r, result_cell c, const char *text);

/* What each line of a part says, recomputed from its values, to be freed; NULL: *wrong is why not, to be freed, and
 * *at the line that is wrong. */
outcome *results_part_outcomes(const preset *p, const experiment *e, const result *line, long n, long *at,
                               char **wrong);

/* ---- what recorded results say about a claim that only runs can decide ------------------------------------ */
typedef enum {
    UNRECORDED,
    RECORDED,                            /* there are figures, and they decide nothing                    */
    SHOWN_FULL                           /* every part about it at full size, with the preset's own commands, three
                                            seeds or more; every printed figure agrees, every planned comparison is
                                            as printed                                                     */
} standing;
/* Believes no word of a line: all is recomputed from its values, as in results_part_outcomes. */
standing results_standing(const results *all, const char *id);
/* "provably reproduce gpt-100k", or NULL: no preset is about this claim.  To be freed. */
char *results_claim_command(const char *id);
/* What is recorded of a claim, as a sentence: "" when nothing is.  To be freed. */
char *results_claim_words(const results *all, const char *id);
#endif
