/* paper_compare.h - the rules that compare recorded figures with the papers. */
#ifndef PAPER_COMPARE_H
#define PAPER_COMPARE_H
#include "src/experiments/outcome.h"
#include "src/experiments/presets.h"

#define FIGURE_LEVEL 0.95                /* confidence level of all intervals                           */
enum { LEAST_SEEDS = 3 };                /* with fewer, nothing is judged                               */

/* x: n seeds of a metric, as shown.  paper: the printed figure, or NULL. */
outcome outcome_of_paper(const char *paper, const metric *m, const double *x, long n);
/* difference: first - second for n seeds.  p: the p-value, corrected for the number of comparisons. */
outcome outcome_of_plan(const planned *plan, const double *difference, long n, double p);
/* "agrees", "as printed: reduced is lower (p = 0.01)", ..., to be freed.  plan: NULL unless it is a comparison. */
char   *outcome_text(outcome is, const planned *plan, double p);
#endif
