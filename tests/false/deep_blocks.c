/* SPDX-License-Identifier: GPL-3.0-or-later
 * deep_blocks.c - the same, and the layers are evaluated one after another by the body itself.
 * Stays below proved, for layers that were evaluated at one depth: no induction on the depth */
#include "tests/false/deep.h"

static const mat *logits(scope *s, const model *M)
{
    const mat *X = model_embed(s, M);
    for (long i = 0; i < M->s.L; i++) X = model_block(s, M, i, X);
    return model_head(s, M, X);
}
static void fourteenth(trial *t) { beside_induction(t, 13, logits); }
static void first(trial *t) { beside_induction(t, 0, logits); }
FALSE_IDENTITY("F-DEEP-BLOCKS", "from the 14th layer on W_V stays in the old basis, block by block", small,
               .run = fourteenth, QUERIES_BY_INDUCTION, BROKEN_BY("first", first, "W_V of layer 1 stays in the old basis"))
