/* against.c - our figures against what was printed, planned comparisons, and the words for both: see outcome.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/experiments/outcome.h"
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
outcome paper_verdict(const char *paper, const metric *m, const double *x, long n)
{
    double low, high;
    if (!paper || !range_of(paper, &low, &high)) return O_NONE;
    if (n < LEAST_SEEDS) return O_FEW_SEEDS;
    for (long k = 0; k < n; k++) if (!isfinite(x[k])) return O_NOT_FINITE;
    const double share = fmin(1, fmax(0, low / m->times));
    const double sampling = m->of ? 3 * m->times * binomial_error(share, (double)m->of) : 0;
    const double about = fmax(2 * sd_of(x, n), sampling), mean = mean_of(x, n);
    return low - about <= mean && mean <= high + about ? O_AGREES : O_DIFFERS;
}

outcome planned_verdict(const planned *plan, const double *difference, long n, double p)
{
    const double alpha = 1 - FIGURE_LEVEL;
    if (n < 2) return O_ONE_SEED;
    const mean_interval i = interval_of(difference, n, FIGURE_LEVEL);
    if (plan->kind == SAME) {
        if (p <= alpha) return O_AS_PRINTED;
        return i.low > plan->margin || i.high < -plan->margin ? O_NOT_AS_PRINTED : O_NOT_RESOLVED;
    }
    if (i.high < 0 && p <= alpha) return O_AS_PRINTED;
    return i.low > 0 ? O_OPPOSITE : O_NOT_RESOLVED;
}

/* ---- words --------------------------------------------------------------------------------------------- */

/* A word of a comparison is followed by a colon and what it says of these two rows. */
static const char *const word[OUTCOMES] = {
    [O_NONE] = "", [O_AGREES] = "agrees", [O_DIFFERS] = "differs",
    [O_FEW_SEEDS] = "fewer than three seeds: not judged", [O_NOT_FINITE] = "not measured in every run",
    [O_AS_PRINTED] = "as printed", [O_NOT_AS_PRINTED] = "not as printed", [O_OPPOSITE] = "the opposite order",
    [O_NOT_RESOLVED] = "not resolved at this size", [O_ONE_SEED] = "one seed: not resolved",
    [O_HOLDS] = "holds", [O_REFUTED] = "refuted, as it must be", [O_ACCEPTED] = "accepted", [O_FAILS] = "FAILS" };

char *outcome_text(outcome is, const planned *plan, double p)
{
    if (plan && plan->kind == SAME && is == O_AS_PRINTED)
        return must_format("%s: the same within %g (p = %.2g)", word[is], plan->margin, p);
    if (plan && is == O_AS_PRINTED) return must_format("%s: %s is lower (p = %.2g)", word[is], plan->first, p);
    if (plan && is == O_NOT_AS_PRINTED)
        return must_format("%s: they differ by more than %g", word[is], plan->margin);
    if (plan && is == O_OPPOSITE) return must_format("%s: %s is higher", word[is], plan->first);
    return must_strdup(word[is]);
}

outcome outcome_read(const char *text)
{
    for (int k = 0; k < OUTCOMES; k++) {
        const size_t n = strlen(word[k]);
        const bool more = k == O_AS_PRINTED || k == O_NOT_AS_PRINTED || k == O_OPPOSITE;
        if (strncmp(text, word[k], n) == 0 && (!text[n] || (more && text[n] == ':'))) return (outcome)k;
    }
    return OUTCOMES;
}
