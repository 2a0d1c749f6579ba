/* SPDX-License-Identifier: GPL-3.0-or-later
 * deep_equal.c - from the 14th layer on W_V stays in the old basis.  The logits are compared as two matrices, not as
 * two functions, and beside them stands a true induction, which would lend them its depth.
 * Stays below proved, for a model that was evaluated at one depth: no induction on the depth */
#include "tests/false/deep.h"

static const mat *logits(scope *s, const model *M) { return model_forward(s, M); }
static void fourteenth(trial *t) { beside_induction(t, 13, logits); }
static void first(trial *t) { beside_induction(t, 0, logits); }
FALSE_IDENTITY("F-DEEP-EQUAL", "from the 14th layer on W_V stays in the old basis", small,
               .run = fourteenth, QUERIES_BY_INDUCTION, BROKEN_BY("first", first, "W_V of layer 1 stays in the old basis"))
