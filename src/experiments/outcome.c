/* outcome.c - see outcome.h. */
#include <stdbool.h>
#include <string.h>
#include "src/experiments/outcome.h"

const char *const outcome_word[OUTCOMES] = {
    [OUTCOME_NONE] = "", [OUTCOME_AGREES] = "agrees", [OUTCOME_DIFFERS] = "differs",
    [OUTCOME_FEW_SEEDS] = "fewer than three seeds: not judged", [OUTCOME_NOT_FINITE] = "not measured in every run",
    [OUTCOME_AS_PRINTED] = "as printed", [OUTCOME_NOT_AS_PRINTED] = "not as printed",
    [OUTCOME_OPPOSITE] = "the opposite order",
    [OUTCOME_NOT_RESOLVED] = "not resolved at this size", [OUTCOME_ONE_SEED] = "one seed: not resolved",
    [OUTCOME_HOLDS] = "holds", [OUTCOME_REFUTED] = "refuted, as expected", [OUTCOME_ACCEPTED] = "accepted",
    [OUTCOME_FAILS] = "FAILS" };

outcome outcome_read(const char *text)
{
    for (int k = 0; k < OUTCOMES; k++) {
        const size_t n = strlen(outcome_word[k]);
        const bool more = k == OUTCOME_AS_PRINTED || k == OUTCOME_NOT_AS_PRINTED || k == OUTCOME_OPPOSITE;
        if (strncmp(text, outcome_word[k], n) == 0 && (!text[n] || (more && text[n] == ':'))) return (outcome)k;
    }
    return OUTCOMES;
}
