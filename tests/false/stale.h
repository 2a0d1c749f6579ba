/* SPDX-License-Identifier: GPL-3.0-or-later
 * stale.h - an induction over layers that stale(), which the program defines before, reduces wrongly from some layer on; its
 * control keeps W_V in all of them. */
#ifndef FALSE_STALE_H
#define FALSE_STALE_H
static void all_stale(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    R->V = W->V;
}
static const layer_kind kinds[] = { { .name = "layer whose W_Q becomes I", .chooses = reduce_query_basis, .reduce = stale,
                                      .facts = reduce_claim_query_identity } };
static const layer_kind broken_kinds[] = { { .name = "layer whose W_Q becomes I", .chooses = reduce_query_basis,
                                             .reduce = all_stale } };
static const induction table = { .kinds = kinds, .nkinds = 1, .bases = BASIS_EACH };
static const induction broken_table = { .kinds = broken_kinds, .nkinds = 1, .bases = BASIS_EACH };
static void broken(trial *t) { claim_built(t, t->sh, &broken_table); }
#endif
