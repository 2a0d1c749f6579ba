/* SPDX-License-Identifier: GPL-3.0-or-later
 * outcome.c - see outcome.h. */
#include <stdbool.h>
#include <string.h>
#include "src/base/base.h"
#include "src/experiments/outcome.h"

const char *const outcome_word[OUTCOMES] = {
    [OUTCOME_NONE] = "", [OUTCOME_AGREES] = "agrees", [OUTCOME_DIFFERS] = "differs",
    [OUTCOME_FEW_SEEDS] = "fewer than three seeds: not judged", [OUTCOME_NOT_FINITE] = "not measured in every run",
    [OUTCOME_NOT_RUN] = "not run", [OUTCOME_PARTIAL] = "seeds: not judged",
    [OUTCOME_MADE_UP] = "synthetic data: not judged", [OUTCOME_OTHER_OPTIONS] = "other options: not judged",
    [OUTCOME_AS_PRINTED] = "as printed", [OUTCOME_NOT_AS_PRINTED] = "not as printed",
    [OUTCOME_OPPOSITE] = "the opposite order",
    [OUTCOME_NOT_RESOLVED] = "not resolved at this size", [OUTCOME_ONE_SEED] = "one seed: not judged",
    [OUTCOME_SEEDS_ONLY] = "not resolved: interval over seeds only, without that of the test images",
    [OUTCOME_HOLDS] = "holds", [OUTCOME_REFUTED] = "refuted, as expected", [OUTCOME_ACCEPTED] = "accepted",
    [OUTCOME_FAILS] = "FAILS" };

char *outcome_partial(long k, long n) { return must_format("%ld of %ld %s", k, n, outcome_word[OUTCOME_PARTIAL]); }

/* How long "2 of 3 " is at the beginning of a text; 0: it begins with something else. */
static int count_length(const char *text)
{
    long k, n;
    int read = 0;
    const bool count = sscanf(text, "%ld of %ld %n", &k, &n, &read) == 2 && 0 < k && k < n;
    return count ? read : 0;
}

outcome outcome_read(const char *text)
{
    const int after = count_length(text);
    if (after) return strcmp(text + after, outcome_word[OUTCOME_PARTIAL]) == 0 ? OUTCOME_PARTIAL : OUTCOMES;
    for (int k = 0; k < OUTCOMES; k++) {
        if (k == OUTCOME_PARTIAL) continue;
        const size_t n = strlen(outcome_word[k]);
        const bool more = k == OUTCOME_AS_PRINTED || k == OUTCOME_NOT_AS_PRINTED || k == OUTCOME_OPPOSITE;
        if (strncmp(text, outcome_word[k], n) == 0 && (!text[n] || (more && text[n] == ':'))) return (outcome)k;
    }
    return OUTCOMES;
}
