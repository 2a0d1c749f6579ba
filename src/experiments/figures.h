/* SPDX-License-Identifier: GPL-3.0-or-later
 * figures.h - the figures of a part of a preset, and the lines of results that follow from them.
 *
 * Both the summary of finished runs and the check of a recorded file make their lines here, from the same digits:
 * every cell of a line must follow from the values in it. */
#ifndef FIGURES_H
#define FIGURES_H
#include "src/experiments/paper_compare.h"
#include "src/experiments/results.h"

typedef enum { RUN, COMPARISON, CHECK } line_kind;
typedef struct { line_kind kind; long metric, row, plan; } figures_place;

typedef struct {
    const preset *p;
    const experiment *e;
    long    metrics, rows, seeds;        /* seeds: from the part's first one, so many at most           */
    bool   *missing;                     /* [row][seed]: not finished                                   */
    bool    made_up;                     /* the data are: nothing is compared with the papers           */
    bool   *other;                       /* [row]: not of the row's own command: nothing is judged      */
    double *x;                           /* [metric][row][seed], as shown                               */
    double *difference;                  /* [plan][seed]: first - second                                */
    long   *images;                      /* [row]: test images of an accuracy; 0: not known             */
    double *images_error;                /* [metric][row]: of a mean over test images, measured; 0: not known */
    long   *pairs;                       /* [plan]: windows or test images on which both were seen; 0: not known */
    double *pairs_error;                 /* [plan]: standard error of the difference over these, within a seed */
    bool   *own_windows;                 /* [plan]: each seed has windows of its own                    */
    double *gap;                         /* [row]: where all W_Q are eliminated, see check_elimination.h         */
    bool   *exact;                       /* [row]: the theorem applies to the row's model               */
} figures;
figures figures_new (const preset *p, const experiment *e, long seeds);      /* zeros, all finished; to be freed */
void    figures_free(figures *f);
double *figures_row (const figures *f, long m, long row);                     /* metric m: its seeds     */
double *figures_named(const figures *f, const char *row);                    /* of the first metric     */
long    figures_finished(const figures *f, long row);                        /* its seeds               */
bool    figures_has(const figures *f, figures_place at, long seed);          /* that of a line          */
/* Computes the differences from x, then rounds all figures to the six digits that their lines show. */
void    figures_round(figures *f);
/* Whether the data are made up, and which rows were not run by their own command; command: of row 0, 1, ... */
void    figures_commands(figures *f, const char *const *command);
/* The number after val_n= among the words that name a run's data: its test images; 0: not known. */
long    figures_images(const char *words);
/* Half a unit of the sixth digit of a number. */
double  figures_rounding(double x);

/* Lines of a part: metric by metric its rows, then the planned comparisons, then its checks. */
long    figures_lines(const experiment *e);
figures_place figures_line_place(const experiment *e, long k);
/* The values of a line, those of its finished seeds; to has room for all seeds.  Returns how many. */
long    figures_values(const figures *f, figures_place at, double *to);
/* "1337 to 1339", "1337 1339", "": the finished seeds of a line, to be freed. */
char   *figures_seeds(const figures *f, figures_place at);
/* Line k: preset, part, kind, row, claim, table, metric and scale; the other cells are NULL. */
result  figures_line_named(const preset *p, const experiment *e, long k);
/* The same with paper and all cells from mean to eval_of; *is: the verdict. */
result  figures_line_judged(const figures *f, long k, outcome *is);
#endif
