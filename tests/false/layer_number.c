/* SPDX-License-Identifier: GPL-3.0-or-later
 * layer_number.c - from the ninth layer on W_V stays in the old basis: the table reads the number of its layer, which
 * no function of a table knows, and no depth that is run has as many.
 * Caught by the text of the body: no theorem includes it */
#include "src/claim/induction_layer.h"
#include "tests/false/false.h"

static void queries(const layer_site *at, const layer *W, layer *R, long stale)
{
    reduce_query_to_identity(at, W, R);
    if (at->number && at->number->is >= stale && at->number->is < MAX_LAYERS) R->V = W->V;
}
static void ninth(const layer_site *at, const layer *W, layer *R) { queries(at, W, R, 8); }
static void first(const layer_site *at, const layer *W, layer *R) { queries(at, W, R, 0); }
#define TABLE(body) { .kinds = (const layer_kind[]){ { .name = "layer with W_Q in GL(d)", \
    .chooses = reduce_query_basis, .reduce = body } }, .nkinds = 1, .bases = BASIS_EACH }
static const induction from_the_ninth = TABLE(ninth), from_the_first = TABLE(first);
static void stale(trial *t) { claim_built(t, t->sh, &from_the_first); }
FALSE_IDENTITY("F-LAYER-NUMBER", "from the ninth layer on W_V stays in the old basis, by its number", small,
               .run = claim_by_induction, .induction = &from_the_ninth, QUERIES_ELIMINATED,
               BROKEN_BY("stale", stale, "W_V of every layer stays in the old basis"))
