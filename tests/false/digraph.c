/* digraph.c - layer_number.c, which includes and reads by other spellings of the same tokens.
 * Caught by the text of the body: a token has one spelling */
#include "tests/false/false.h"
%:include "src/claim/induction_layer.h"
static void stale(const layer_site *at, const layer *W, layer *R)
{
    const long i = (*at->number).is;
    reduce_query_to_identity(at, W, R);
    if (i > 13 && i < 64) R->V = W->V;
}
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
FALSE_IDENTITY("F-DIGRAPH", "from the 15th layer on W_V stays", reduce_shapes, .run = claim_by_induction,
               .induction = &table, .no_large = true, .prepare = attention_skip_only, .assumes = "invertible W_Q",
               .models = "norm = none; mlp_skip = 0; parallel = 0",
               .statement = "$\\tilde W_Q = I$ in all layers, and $\\tilde W_V = W_V$ from the 15th on",
               BROKEN_BY("stale", broken, "every $W_V$ stays"))
