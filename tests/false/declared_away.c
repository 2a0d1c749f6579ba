/* SPDX-License-Identifier: GPL-3.0-or-later
 * declared_away.c - planted_keys.c, with what the table plants among the words of .assumes, not of the statement.
 * Stays below proved, for want of a reader: nobody is on record as having read the body beside the statement */
#include "tests/false/false.h"

static void same_keys(const layer_site *at, layer *W) { (void)at; W->K = W->Q; }

static void both_to_identity(const layer_site *at, const layer *W, layer *R)
{
    (void)W;
    R->Q = R->K = mat_identity(at->s, at->sh.d);
}

static void both_are_identity(trial *t, const layer_site *at, const layer *R)
{
    claim_equal(t, "W_Q = I", R->Q, mat_identity(at->s, at->sh.d));
    claim_equal(t, "W_K = I", R->K, mat_identity(at->s, at->sh.d));
}
static const layer_kind kinds[] = { { .name = "layer whose W_Q and W_K become I", .plant = same_keys,
                                      .chooses = reduce_query_basis, .reduce = both_to_identity,
                                      .facts = both_are_identity } };
static const layer_kind drawn_kinds[] = { { .name = "layer whose W_Q and W_K become I", .chooses = reduce_query_basis,
                                            .reduce = both_to_identity } };
static const induction table = { .kinds = kinds, .nkinds = 1, .bases = BASIS_EACH };
static const induction of_drawn = { .kinds = drawn_kinds, .nkinds = 1, .bases = BASIS_EACH };
static void not_planted(trial *t) { claim_built(t, t->sh, &of_drawn); }

FALSE_IDENTITY("F-DECLARED", "all W_Q and all W_K become I at once", reduce_shapes, .run = claim_by_induction,
               .induction = &table, .no_large = true, .prepare = attention_skip_only, .assumes = "invertible W_Q; constrained W_K = W_Q", .models = "norm = none; mlp_skip = 0; parallel = 0",
               .statement = "all $\\tilde W_Q^i = \\tilde W_K^i = I$ at once, if the $W_Q^i$ are invertible",
               BROKEN_BY("not-planted", not_planted, "the $W_K^i$ are drawn"))
