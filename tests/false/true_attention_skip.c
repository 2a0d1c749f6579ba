/* SPDX-License-Identifier: GPL-3.0-or-later
 * true_attention_skip.c - nothing: Theorem 4.4, by its table of layers.
 * True: SUPPORTED */
#include "tests/false/false.h"

static void values_kept(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    R->V = W->V;
}
static const layer_kind broken_kinds[] = {
    { .name = "layer whose W_V stays in the old basis", .chooses = reduce_query_basis, .reduce = values_kept },
};
static const induction broken = { .kinds = broken_kinds, .nkinds = 1, .bases = BASIS_EACH, .which = LAYER_ANY };
static void kept(trial *t) { claim_built(t, t->sh, &broken); }
FALSE_IDENTITY("F-TRUE-2", "attention-skip elimination", deeper,
               .run = claim_by_induction, QUERIES_ELIMINATED, .induction = &reduction_attention_skip,
               BROKEN_BY("values-kept", kept, "$W_V$ stays in the old basis"))
