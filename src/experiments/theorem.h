/* theorem.h - Theorem 4.4 on a model that was trained here: all W_Q go, in double, and the loss stays. */
#ifndef THEOREM_H
#define THEOREM_H
#include "src/base.h"

typedef struct {
    bool   exact;                        /* the theorem speaks of this model                            */
    double before, after;                /* loss on a text that no run has seen                         */
    double gap;                          /* largest difference of the loss of one window                */
    bool   as_it_must;                   /* gap <= 1e-10 where the theorem holds, >= 1e-3 where it does not */
    const char *verdict;                 /* "holds", "refuted, as it must be", "FAILS"                  */
    char  *words;                        /* the same as a sentence; to be freed                         */
} theorem_check;
/* The model of a run on bytes; dies when the folder holds none. */
theorem_check theorem_on(const char *folder);
#endif
