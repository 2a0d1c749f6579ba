/* SPDX-License-Identifier: GPL-3.0-or-later
 * paper_compare.h - the rules that compare recorded figures with the papers. */
#ifndef PAPER_COMPARE_H
#define PAPER_COMPARE_H
#include "src/experiments/outcome.h"
#include "src/experiments/presets.h"
#include "src/experiments/statistics.h"

#define FIGURE_LEVEL 0.95                /* confidence level of all intervals                           */
enum { LEAST_SEEDS = 3 };                /* with fewer, neither figures nor comparisons are judged      */

/* The rule of a printed figure or range: our mean is within two standard deviations of the seeds of it or, if that is
 * more, within `sampling`, for an accuracy three standard errors over the test images.  false, too: not a number. */
bool paper_holds(const char *paper, double mean, double sd, double sampling);
/* x: n seeds of a metric, as shown.  paper: the printed figure, or NULL.  images: over which an accuracy was measured,
 * 0: not an accuracy. */
outcome outcome_of_paper(const char *paper, const metric *m, const double *x, long n, long images);
/* difference: of first - second.  p: the p-value, corrected for the number of comparisons.  The rule: presets.h. */
outcome outcome_of_plan(const planned *plan, stats_estimate difference, double p);
/* "agrees", "as printed: reduced is lower (p = 0.01)", ..., to be freed.  plan: NULL unless it is a comparison. */
char   *outcome_text(outcome is, const planned *plan, double p);
/* A p-value as a number, "0.0386", to be freed: "< 1e-300" where it is smaller, "" for NaN. */
char   *p_value_text(double p, int digits);
#endif
