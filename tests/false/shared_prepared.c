/* SPDX-License-Identifier: GPL-3.0-or-later
 * shared_prepared.c - with all skips every W_Q becomes I: the part's switches make all layers share their weights.
 * Caught by a switch: shared = 1 */
#include "tests/false/false.h"
static void all_skips(shape *sh) { reduce_switches(sh, SHARED_BLOCK); }
static void kept(trial *t)
{
    model_pair r = reduce_by_table(t);
    r.R.at[0].V = r.M.at[0].V;
    claim_same_function(t, &r.M, &r.R);
}
FALSE_IDENTITY("F-SHARED", "with all skips all W_Q become I", reduce_shapes, .run = claim_by_induction,
               .induction = &reduction_shared_block, .prepare = all_skips, .assumes = "invertible W_Q", .no_large = true,
               .statement = "with all skips, $\\tilde W_Q^i = I$ in all layers $i$, if the $W_Q^i$ are invertible",
               BROKEN_BY("values-kept", kept, "$W_V$ of layer 1 stays"))
