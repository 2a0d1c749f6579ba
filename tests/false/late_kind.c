/* SPDX-License-Identifier: GPL-3.0-or-later
 * late_kind.c - from the ninth layer on the layers are of a kind that keeps W_V: kind_of knows the number.
 * Caught by the kinds of the table: internal error */
#include "tests/false/false.h"
static void stale_v(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    R->V = W->V;
}
static long kind_of(const shape *sh, long i) { (void)sh; return i >= 8; }
static long one_kind(const shape *sh) { return sh->L < 8 ? 1 : 2; }
static const layer_kind kinds[] = { { .name = "layer with W_Q in GL(d)", .chooses = reduce_query_basis,
    .reduce = reduce_query_to_identity }, { .name = "late layer", .chooses = reduce_query_basis, .reduce = stale_v } };
static const induction table = { .kinds = kinds, .nkinds = 2, .count = one_kind, .kind_of = kind_of, .bases = BASIS_EACH };
static const induction broken = { .kinds = kinds + 1, .nkinds = 1, .bases = BASIS_EACH };
static void stale(trial *t) { claim_built(t, t->sh, &broken); }
FALSE_IDENTITY("F-LATE", "late layers keep W_V, by their kind", small, .run = claim_by_induction, .induction = &table,
               QUERIES_ELIMINATED, BROKEN_BY("stale", stale, "W_V of every layer stays"))
