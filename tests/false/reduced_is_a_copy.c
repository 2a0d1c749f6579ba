/* SPDX-License-Identifier: GPL-3.0-or-later
 * reduced_is_a_copy.c - every weight of the reduced model is the original's times I: nothing was eliminated.
 * Caught by comparing the weights: the reduced model is the original */
#include "tests/false/not_reduced.h"

static void copied(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    model R = M;
    R.at[0].Q = mat_mul(&t->s, M.at[0].Q, mat_identity(&t->s, M.at[0].Q->cols));
    claim_same_function(t, &M, &R);
}
FALSE_IDENTITY("F-COPY", "every weight of the reduced model is the original's times I", small,
               .run = copied, QUERIES_ELIMINATED, OTHER_VALUES)
