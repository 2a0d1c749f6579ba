/* SPDX-License-Identifier: GPL-3.0-or-later
 * not_reduced.h - a reduced model from which nothing was eliminated. */
#ifndef FALSE_NOT_REDUCED_H
#define FALSE_NOT_REDUCED_H
#include "tests/false/false.h"

static inline void other_values(trial *t)
{
    const model M = model_random(&t->s, t->sh);
    model R = M;
    R.at[0].V = drawn(t, "other", M.at[0].V->rows, M.at[0].V->cols);
    claim_same_function(t, &M, &R);
}
#define OTHER_VALUES BROKEN_BY("other-values", other_values, "another $W_V$")
#endif
