/* SPDX-License-Identifier: GPL-3.0-or-later
 * marked_layers.c - from the ninth layer on W_V stays in the old basis: the table asks by two draws which layer it is.
 * Caught by bodies.sh: no function of a table compares */
#include <math.h>
#include "tests/false/false.h"
static bool is_late(const layer_site *at)
{
    const mat *own = induction_layer_draw(at, "mark", 0, 4, 4);
    bool late = false;
    for (long i = 8; i < MAX_LAYERS && !late; i++)
        late = mat_compare(own, mat_draw_at(at->s, "mark", i, 0, 4, 4, mat_log2_fan_in(4)), -INFINITY).is == HOLDS;
    return late;
}
static void ninth(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    if (is_late(at)) R->V = W->V;
}
static void first(const layer_site *at, const layer *W, layer *R)
{
    reduce_query_to_identity(at, W, R);
    R->V = W->V;
}
#define TABLE(body) { .kinds = (const layer_kind[]){ { .name = "layer with W_Q in GL(d)", \
    .chooses = reduce_query_basis, .reduce = body } }, .nkinds = 1, .bases = BASIS_EACH }
static const induction from_the_ninth = TABLE(ninth), from_the_first = TABLE(first);
static void stale(trial *t) { claim_built(t, t->sh, &from_the_first); }
FALSE_IDENTITY("F-MARKED", "from the ninth layer on W_V stays in the old basis, by marks", small,
               .run = claim_by_induction, .induction = &from_the_ninth, QUERIES_ELIMINATED,
               BROKEN_BY("stale", stale, "W_V of every layer stays in the old basis"))
