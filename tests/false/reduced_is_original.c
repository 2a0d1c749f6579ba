/* SPDX-License-Identifier: GPL-3.0-or-later
 * reduced_is_original.c - the reduced model is the original: nothing was eliminated.
 * Caught by comparing the weights: the reduced model is the original */
#include "tests/false/not_reduced.h"

static void nothing(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    claim_same_function(t, &M, &M);
}
FALSE_IDENTITY("F-ORIGINAL", "the reduced model is the original", small,
               .run = nothing, QUERIES_ELIMINATED, OTHER_VALUES)
