/* SPDX-License-Identifier: GPL-3.0-or-later
 * check_elimination.h - Theorem 4.4 on a trained model, in double: eliminating all W_Q leaves the loss unchanged.
 *
 * Where a hypothesis of the theorem is missing, the same construction must change the loss, so that the check can
 * fail. */
#ifndef CHECK_ELIMINATION_H
#define CHECK_ELIMINATION_H
#include <stdbool.h>
#include "src/experiments/outcome.h"

typedef struct {
    bool   exact;                        /* the theorem applies to this model                           */
    double before, after;                /* loss on a text that was not trained on                      */
    double gap;                          /* largest change of the loss of one window                    */
    bool   meets_expectation;            /* gap <= 1e-10 where the theorem applies, >= 1e-3 where it does not */
    outcome verdict;                     /* OUTCOME_HOLDS, OUTCOME_REFUTED, OUTCOME_FAILS               */
    char  *words;                        /* the same as a sentence; to be freed                         */
} elimination_result;
/* Checks the model of a run on bytes; dies if the folder contains none. */
elimination_result elimination_check(const char *folder);
outcome elimination_outcome(double gap, bool exact);
/* Sets verdict and words from before, after and gap; why_not: NULL, or why the theorem does not apply. */
void elimination_judge(elimination_result *t, const char *why_not);
#endif
