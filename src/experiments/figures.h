/* figures.h - the figures of a part, and the lines of results that follow from them.
 *
 * What judges finished runs and what checks a recorded file make their lines here, from the same digits, so that
 * nothing in a line is believed that does not follow from the values in it. */
#ifndef FIGURES_H
#define FIGURES_H
#include "src/experiments/paper_compare.h"
#include "src/experiments/results.h"

typedef struct {
    const preset *p;
    const experiment *e;
    long    metrics, rows, seeds;
    double *x;                           /* [metric][row][seed], as shown                               */
    double *difference;                  /* [plan][seed]: first - second, of the first metric           */
    double *gap;                         /* [row]: where all W_Q are eliminated, see check_elimination.h         */
    bool   *exact;                       /* [row]: the theorem speaks of the row's model                */
} figures;
figures figures_new (const preset *p, const experiment *e, long seeds);      /* all 0; to be freed      */
void    figures_free(figures *f);
double *figures_row (const figures *f, long m, long row);                     /* metric m: its seeds     */
double *figures_named(const figures *f, const char *row);                    /* of the first metric     */
/* The differences from x; then all figures become what their lines will say, six digits. */
void    figures_round(figures *f);
/* Half a unit of the sixth digit of a number. */
double  figures_rounding(double x);

typedef enum { RUN, COMPARISON, CHECK } line_kind;
typedef struct { line_kind kind; long metric, row, plan; } figures_place;
/* Lines of a part: metric by metric its rows, then the planned comparisons, then its checks. */
long    figures_lines(const experiment *e);
figures_place figures_line_place(const experiment *e, long k);
/* Line k: preset, part, kind, row, claim, table, metric and scale; the other cells are NULL. */
result  figures_line_named(const preset *p, const experiment *e, long k);
/* The same with paper, mean, low, high, n, values, verdict and seeds; *is: what the verdict says. */
result  figures_line_judged(const figures *f, long k, outcome *is);
#endif
