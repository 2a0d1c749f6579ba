/* SPDX-License-Identifier: GPL-3.0-or-later
 * norm_in_body.c - Theorem 4.4 with any norm: the body leaves the norm out, after the guards have set it.
 * Caught by the settings that its body sets: hypothesis that is not declared: norm = none */
#include "tests/false/false.h"
static void skip_only(shape *sh) { attention_skip_only(sh); }
static void without(trial *t) { t->sh.norm = NORM_NONE; claim_by_induction(t); }
static void kept(trial *t)
{
    t->sh.norm = NORM_NONE;
    model_pair r = reduce_by_table(t);
    r.R.at[0].V = r.M.at[0].V;
    claim_same_function(t, &r.M, &r.R);
}
FALSE_IDENTITY("F-ZZ-NORMLESS", "Theorem 4.4 with any norm", reduce_shapes, .run = without,
               .induction = &reduction_attention_skip, .prepare = skip_only, .assumes = "invertible W_Q", .no_large = true,
               .models = "mlp_skip = 0; parallel = 0",
               .statement = "$\\tilde W_Q = I$ in all layers, whatever the norm", BROKEN_BY("values-kept", kept, "$W_V$ of layer 1 stays"))
