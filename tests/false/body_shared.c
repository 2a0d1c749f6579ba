/* SPDX-License-Identifier: GPL-3.0-or-later
 * body_shared.c - with all skips every W_Q becomes I, at every depth: the body lets all layers share their weights, after
 * the guards have set the switch otherwise.
 * Caught by the settings of the models that it evaluates: hypothesis that is not declared: shared = 1 */
#include "tests/false/false.h"
static void all_skips(shape *sh) { reduce_switches(sh, SHARED_BLOCK); sh->shared = 0; }
static void shared(trial *t)
{
    t->sh.shared = 1;
    claim_by_induction(t);
}
static void kept(trial *t)
{
    t->sh.shared = 1;
    model_pair r = reduce_by_table(t);
    r.R.at[0].V = r.M.at[0].V;
    claim_same_function(t, &r.M, &r.R);
}
FALSE_IDENTITY("F-ZZ-SHARED", "with all skips all W_Q become I", reduce_shapes, .run = shared,
               .induction = &reduction_shared_block, .prepare = all_skips, .assumes = "invertible W_Q", .no_large = true,
               .models = "norm = none; tied = 0",
               .statement = "with all skips, $\\tilde W_Q^i = I$ in all layers $i$, if the $W_Q^i$ are invertible",
               BROKEN_BY("values-kept", kept, "$W_V$ of layer 1 stays"))
