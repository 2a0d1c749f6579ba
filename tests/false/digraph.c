/* SPDX-License-Identifier: GPL-3.0-or-later
 * digraph.c - layer_number.c, which includes and reads by other spellings of the same tokens.
 * Caught by the text of the body: a token has one spelling */
#include "tests/false/false.h"
%:include "src/claim/induction_layer.h"
static void stale(const layer_site *at, const layer *W, layer *R)
{
    const long i = (*at->number).is;
    reduce_query_to_identity(at, W, R);
    if (i > 13 && i < 64) R->V = W->V;
}
#include "tests/false/stale.h"
FALSE_IDENTITY("F-DIGRAPH", "from the 15th layer on W_V stays", reduce_shapes, .run = claim_by_induction,
               .induction = &table, .no_large = true, .prepare = attention_skip_only, .assumes = "invertible W_Q",
               .models = "norm = none; mlp_skip = 0; parallel = 0",
               .statement = "$\\tilde W_Q = I$ in all layers, and $\\tilde W_V = W_V$ from the 15th on",
               BROKEN_BY("stale", broken, "every $W_V$ stays"))
