/* theorem.h - Theorem 4.4 on a model that was trained here: all W_Q go, in double, and the loss stays. */
#ifndef THEOREM_H
#define THEOREM_H
#include "src/experiments/outcome.h"

typedef struct {
    bool   exact;                        /* the theorem speaks of this model                            */
    double before, after;                /* loss on a text that no run has seen                         */
    double gap;                          /* largest difference of the loss of one window                */
    bool   meets_expectation;            /* gap <= 1e-10 where the theorem holds, >= 1e-3 where it does not */
    outcome verdict;                     /* OUTCOME_HOLDS, OUTCOME_REFUTED, OUTCOME_FAILS               */
    char  *words;                        /* the same as a sentence; to be freed                         */
} elimination_result;
/* The model of a run on bytes; dies when the folder holds none. */
elimination_result elimination_check(const char *folder);
outcome elimination_outcome(double gap, bool exact);
/* From before, after and gap to a verdict; why_not: NULL, or why the theorem does not speak of the model. */
void elimination_judge(elimination_result *t, const char *why_not);
#endif
