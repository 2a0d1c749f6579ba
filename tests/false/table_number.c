/* SPDX-License-Identifier: GPL-3.0-or-later
 * table_number.c - from the ninth layer on W_V stays in the old basis: the table copies the bytes behind the pointer to the
 * number of its layer.
 * Caught by many settings at once: hypothesis that is not declared: L = 2 */
#include <string.h>
#include "tests/false/false.h"
static void stale(const layer_site *at, const layer *W, layer *R)
{
    long i;
    memcpy(&i, at->number, sizeof i);
    reduce_query_to_identity(at, W, R);
    if (i > 7 && i < 64) R->V = W->V;
}
#include "tests/false/stale.h"
FALSE_IDENTITY("F-ZZ-NUMBER", "from the ninth layer on W_V stays", reduce_shapes, .run = claim_by_induction,
               .induction = &table, .no_large = true, .prepare = attention_skip_only, .assumes = "invertible W_Q",
               .models = "norm = none; mlp_skip = 0; parallel = 0",
               .statement = "$\\tilde W_Q = I$ in all layers, and $\\tilde W_V = W_V$ from the ninth on",
               BROKEN_BY("stale", broken, "every $W_V$ stays"))
