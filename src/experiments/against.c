/* against.c - our figures against what was printed, and planned comparisons, in words: see reproduce.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/reproduce.h"
#include "src/experiments/statistics.h"

/* "3.016" is from half a last digit below to half above; "4 to 6"; "above 0.009".  false: no number. */
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

/* The claims' rule: the printed figure lies within two standard deviations of our mean, or, for a share of test
 * pictures, within three standard errors of what was printed. */
const char *paper_verdict(const char *paper, const metric *m, const double *x, long n)
{
    double low, high;
    if (!paper || !range_of(paper, &low, &high)) return "";
    if (n < 3) return "fewer than three seeds: not judged";
    for (long k = 0; k < n; k++) if (!isfinite(x[k])) return "not measured in every run";
    const double share = fmin(1, fmax(0, low / m->times));
    const double sampling = m->of ? 3 * m->times * binomial_error(share, (double)m->of) : 0;
    const double about = fmax(2 * sd_of(x, n), sampling), mean = mean_of(x, n);
    return low - about <= mean && mean <= high + about ? "agrees" : "differs";
}

char *planned_verdict(const planned *plan, const double *difference, long n, double p)
{
    const double alpha = 1 - FIGURE_LEVEL;
    if (n < 2) return must_strdup("one seed: not resolved");
    const mean_interval i = interval_of(difference, n, FIGURE_LEVEL);
    if (plan->kind == SAME) {
        if (p <= alpha) return must_format("as printed: the same within %g (p = %.2g)", plan->margin, p);
        if (i.low > plan->margin || i.high < -plan->margin)
            return must_format("not as printed: they differ by more than %g", plan->margin);
        return must_strdup("not resolved at this size");
    }
    if (i.high < 0 && p <= alpha) return must_format("as printed: %s is lower (p = %.2g)", plan->first, p);
    if (i.low > 0) return must_format("the opposite order: %s is higher", plan->first);
    return must_strdup("not resolved at this size");
}
