/* layer_3.c - from the third layer on W_V stays in the old basis: false at every depth of three and more.
 * Caught by the run at L = 3: INCONSISTENT */
#include "tests/false/false.h"

static void compare(trial *t, long broken)
{
    scope *s = &t->s;
    model_pair r = reduce_queries(s, &t->sh, ATTENTION_SKIP);
    if (broken < r.M.s.L) r.R.at[broken].V = r.M.at[broken].V;             /* stays in the old basis */
    claim_same_function(t, &r.M, &r.R);
    claim_step(t, &r.M, &r.R, 0, r.at[0], r.at[1]);
}
static void first_layer(trial *t) { compare(t, 0); }
static void third(trial *t) { compare(t, 2); }
static const control controls[] = { { "first-layer", first_layer, "W_V of layer 1 stays in the old basis" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .prepare = attention_skip_only, .assumes = "invertible W_Q",
      .run = third, .statement = "$\\tilde W_Q = I$ in all layers", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-LAYER-3", "from the third layer on W_V stays in the old basis", deeper, parts)
