/* outcome.h - what is said of a recorded figure: its kinds, their words, and the rules that choose among them.
 *
 * A line of results shows its outcome as text.  The words are written and read here and nowhere else. */
#ifndef OUTCOME_H
#define OUTCOME_H
#include "src/experiments/presets.h"

typedef enum {
    OUTCOME_NONE,                        /* nothing is printed that can be compared, or not at this scale */
    OUTCOME_AGREES, OUTCOME_DIFFERS,     /* a figure beside the printed one                             */
    OUTCOME_FEW_SEEDS, OUTCOME_NOT_FINITE, /* a figure that cannot be judged                            */
    OUTCOME_AS_PRINTED, OUTCOME_NOT_AS_PRINTED, OUTCOME_OPPOSITE, /* a planned comparison               */
    OUTCOME_NOT_RESOLVED, OUTCOME_ONE_SEED,
    OUTCOME_HOLDS, OUTCOME_REFUTED, OUTCOME_ACCEPTED, OUTCOME_FAILS, /* a check                         */
    OUTCOMES                             /* none of them: unknown words                                 */
} outcome;

/* "agrees", "as printed: reduced is lower (p = 0.01)", ..., to be freed.  plan and p: of a comparison, else NULL. */
char   *outcome_text(outcome is, const planned *plan, double p);
/* The kind that a text begins with; OUTCOMES: none. */
outcome outcome_read(const char *text);

#define FIGURE_LEVEL 0.95                /* of all intervals                                            */
enum { LEAST_SEEDS = 3 };                /* fewer decide nothing                                        */
/* x: n seeds of a metric, as shown, beside what the paper prints (NULL: nothing). */
outcome paper_outcome(const char *paper, const metric *m, const double *x, long n);
/* first - second, n seeds: what is said of a planned comparison.  p: its p-value, corrected for how many were asked. */
outcome planned_outcome(const planned *plan, const double *difference, long n, double p);
#endif
