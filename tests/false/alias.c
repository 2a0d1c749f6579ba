/* SPDX-License-Identifier: GPL-3.0-or-later
 * alias.c - all W_V become I, if the W_Q are invertible: the values are drawn under the name of a query matrix.
 * Caught by the slot, whatever the name: hypothesis that is not declared: constrained W_V */
#include "tests/false/false.h"

static void values_called_queries(const layer_site *at, layer *W)
{
    W->V = induction_layer_draw(at, "W_Q", 77, at->sh.d, at->sh.d);
}
static const layer_kind kinds[] = { { .name = "layer whose W_V becomes I", .plant = values_called_queries,
                                      .chooses = reduce_value_basis, .reduce = reduce_value_to_identity } };
static const induction table = { .kinds = kinds, .nkinds = 1, .bases = BASIS_EACH };

static void values_kept(trial *t)
{
    model_pair r = reduce_by_table(t);
    r.R.at[0].V = r.M.at[0].V;
    claim_same_function(t, &r.M, &r.R);
}

FALSE_IDENTITY("F-ALIAS", "all W_V become I if the W_Q are invertible", reduce_shapes, .run = claim_by_induction,
               .induction = &table, .no_large = true, .prepare = attention_skip_only, .assumes = "invertible W_Q",
               .statement = "$\\tilde W_V^i = I$ in all layers, if the $W_Q^i$ are invertible",
               BROKEN_BY("values-kept", values_kept, "$W_V$ of layer 1 stays"))
