/* SPDX-License-Identifier: GPL-3.0-or-later
 * interface.c - with all skips each layer may have a basis of its own: the table draws the basis by the name that the
 * induction has for the one behind the layer, so that all bases are one.
 * Stays below proved, for its names: no derivation for all sizes */
#include "tests/false/false.h"
static void all_skips(shape *sh) { reduce_switches(sh, ONE_LAYER); }
static const mat *same(const layer_site *at, const layer *W)
{
    (void)W;
    return mat_draw_weight(at->s, "interface.1", at->sh.d, at->sh.d);
}
static const mat *last(scope *s, const shape *sh, basis first) { (void)first; return mat_draw_weight(s, "interface.1", sh->d, sh->d); }
static const layer_kind kinds[] = { { .name = "layer in a basis of its own", .chooses = same } };
static const layer_kind own[]   = { { .name = "layer in a basis of its own" } };
static const induction table = { .kinds = kinds, .nkinds = 1, .bases = BASIS_EACH, .last = last };
static const induction of_own = { .kinds = own, .nkinds = 1, .bases = BASIS_EACH };
static void others(trial *t) { claim_built(t, t->sh, &of_own); }
FALSE_IDENTITY("F-ZZ-INTERFACE", "with all skips each layer has a basis of its own", reduce_shapes, .run = claim_by_induction,
               .induction = &table, .prepare = all_skips, .no_large = true,
               .models = "norm = none; tied = 0",
               .statement = "with all skips each layer $i$ may be written in a basis $\\Theta_i$ of its own, all invertible",
               BROKEN_BY("others", others, "the bases differ"))
