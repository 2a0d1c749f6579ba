/* layer_by_number.c - the table of layers breaks the third layer, whose number it reads though only the draws
 * may; no shape has three layers.
 * Not caught, for a table that reads the number of its layer: PROVED or SUPPORTED */
#include "tests/false/false.h"

static void third_breaks(const layer_site *at, const layer *W, layer *R)
{
    query_goes(at, W, R);
    if (at->number == 2) R->V = W->V;
}
static void values_kept(const layer_site *at, const layer *W, layer *R)
{
    query_goes(at, W, R);
    R->V = W->V;
}
static const layer_kind broken_kinds[] = { { .name = "layer", .chooses = query_chooses, .reduce = values_kept } };
static const layer_kind third_kinds[] = { { .name = "layer", .chooses = query_chooses, .reduce = third_breaks } };
static const induction broken = { .kinds = broken_kinds, .nkinds = 1, .bases = BASIS_EACH, .which = LAYER_ANY };
static const induction third = { .kinds = third_kinds, .nkinds = 1, .bases = BASIS_EACH, .which = LAYER_ANY };
static void kept(trial *t) { claim_built(t, t->sh, &broken); }
static const control controls[] = { { "values-kept", kept, "$W_V$ stays in the old basis" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .prepare = attention_skip_only, .assumes = "invertible W_Q",
      .run = claim_by_induction, .induction = &third, .statement = "$\\tilde W_Q = I$ in all layers",
      .controls = controls, .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-NUMBER", "the table of layers breaks the third layer", small, parts)
