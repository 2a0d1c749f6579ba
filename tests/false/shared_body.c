/* SPDX-License-Identifier: GPL-3.0-or-later
 * shared_body.c - the same by a body, which draws models of one block.
 * Caught by what its body sets: hypothesis that is not declared: shared = 1 */
#include "tests/false/false.h"
static void all_skips(shape *sh)
{
    reduce_switches(sh, SHARED_BLOCK);
    sh->shared = 0;
}
static void whole(trial *t, bool broken)
{
    shape sh = t->sh;
    sh.shared = 1;
    const model M = model_random(&t->s, sh);
    model_pair r = reduce_model(&t->s, &M, SHARED_BLOCK);
    if (broken) r.R.head = M.head;
    for (long i = 0; i < sh.L; i++) claim_eliminated(t, "W_Q = I", r.R.at[i].Q);
    claim_same_function(t, &r.M, &r.R);
}
static void good(trial *t) { whole(t, false); }
static void bad(trial *t)  { whole(t, true); }
FALSE_IDENTITY("F-SHARED-2", "with all skips all W_Q become I, at L = 2", small, .run = good, .prepare = all_skips,
               .assumes = "invertible W_Q", .models = "norm = none; tied = 0", .no_large = true,
               .statement = "with all skips, $\\tilde W_Q^i = I$ in both layers, if the $W_Q^i$ are invertible",
               BROKEN_BY("head", bad, "the head stays"))
