/* theorem.h - Theorem 4.4 on a model that was trained here: all W_Q go, in double, and the loss stays. */
#ifndef THEOREM_H
#define THEOREM_H
#include "src/experiments/outcome.h"

typedef struct {
    bool   exact;                        /* the theorem speaks of this model                            */
    double before, after;                /* loss on a text that no run has seen                         */
    double gap;                          /* largest difference of the loss of one window                */
    bool   as_it_must;                   /* gap <= 1e-10 where the theorem holds, >= 1e-3 where it does not */
    outcome verdict;                     /* O_HOLDS, O_REFUTED, O_FAILS                                 */
    char  *words;                        /* the same as a sentence; to be freed                         */
} theorem_check;
/* The model of a run on bytes; dies when the folder holds none. */
theorem_check theorem_on(const char *folder);
outcome theorem_outcome(double gap, bool exact);
/* From before, after and gap to a verdict; why_not: NULL, or why the theorem does not speak of the model. */
void theorem_judge(theorem_check *t, const char *why_not);
#endif
