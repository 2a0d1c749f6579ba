/* SPDX-License-Identifier: GPL-3.0-or-later
 * paper_compare.c - see paper_compare.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/paper_compare.h"

/* The range that a printed figure stands for: "3.016" is half a unit of its last digit wide on either side; "4 to 6";
 * "above 0.009".  false: not a number. */
static bool range_of(const char *text, double *low, double *high)
{
    const bool above = strncmp(text, "above ", 6) == 0;
    const char *from = above ? text + 6 : text, *to = strstr(text, " to "), *point = strchr(from, '.');
    char *end;
    *low = strtod(from, &end);
    if (end == from) return false;
    const double half = point && !to ? 0.5 * pow(10, -(double)strspn(point + 1, "0123456789")) : 0;
    *high = above ? INFINITY : to ? strtod(to + 4, NULL) : *low + half;
    if (!above) *low -= half;
    return true;
}

bool paper_holds(const char *paper, double mean, double sd, double sampling)
{
    double low, high;
    const double about = fmax(2 * sd, sampling);
    return range_of(paper, &low, &high) && low - about <= mean && mean <= high + about;
}

outcome outcome_of_paper(const char *paper, const metric *m, const double *x, long n, long images)
{
    double low, high;
    if (!paper || !range_of(paper, &low, &high)) return OUTCOME_NONE;
    if (n < LEAST_SEEDS) return OUTCOME_FEW_SEEDS;
    for (long k = 0; k < n; k++) if (!isfinite(x[k])) return OUTCOME_NOT_FINITE;
    const double share = fmin(1, fmax(0, low / m->times));
    const double sampling = images ? 3 * m->times * stats_binomial_error(share, (double)images) : 0;
    return paper_holds(paper, stats_mean(x, n), stats_sd(x, n), sampling) ? OUTCOME_AGREES : OUTCOME_DIFFERS;
}

outcome outcome_of_plan(const planned *plan, stats_estimate difference, double p)
{
    const double alpha = 1 - FIGURE_LEVEL;
    if (!isfinite(difference.mean)) return OUTCOME_NOT_FINITE;
    if (isnan(difference.error)) return OUTCOME_ONE_SEED;
    const stats_interval i = stats_estimate_interval(difference, FIGURE_LEVEL);
    if (plan->kind == SAME) {
        if (p <= alpha) return OUTCOME_AS_PRINTED;
        return i.low > plan->margin || i.high < -plan->margin ? OUTCOME_NOT_AS_PRINTED : OUTCOME_NOT_RESOLVED;
    }
    if (i.high < 0 && p <= alpha) return OUTCOME_AS_PRINTED;
    return i.low > 0 ? OUTCOME_OPPOSITE : OUTCOME_NOT_RESOLVED;
}

char *p_value_text(double p, int digits)
{
    if (isnan(p)) return must_strdup("");
    return p < 1e-300 ? must_strdup("< 1e-300") : must_format("%.*g", digits, p);
}

/* Equality is decided by the 90 % interval, which is narrower than the one beside it: so the text says how. */
static char *as_printed_text(const planned *plan, double p)
{
    const char *word = outcome_word[OUTCOME_AS_PRINTED];
    char *number = p_value_text(p, 2);
    const char *is = *number == '<' ? "" : "= ";
    char *text = plan->kind == SAME
        ? must_format("%s: the same within %g by two one-sided tests (p %s%s)", word, plan->margin, is, number)
        : must_format("%s: %s is lower (p %s%s)", word, plan->first, is, number);
    free(number);
    return text;
}

char *outcome_text(outcome is, const planned *plan, double p)
{
    const char *word = outcome_word[is];
    if (plan && is == OUTCOME_AS_PRINTED) return as_printed_text(plan, p);
    if (plan && is == OUTCOME_NOT_AS_PRINTED)
        return must_format("%s: they differ by more than %g", word, plan->margin);
    if (plan && is == OUTCOME_OPPOSITE) return must_format("%s: %s is higher", word, plan->first);
    return must_strdup(word);
}
