/* small_n.c - n < 6 is decided at the sizes that are run, and claimed of all sizes.
 * Stays below proved, for the derivation at other sizes: no derivation for all sizes */
#include "tests/false/false.h"

static void small_n(trial *t) { claim_decided(t, "n < 6", t->sh.n < 6); }
static void large_n(trial *t) { claim_decided(t, "n < 6", t->sh.n < 0); }
static const control controls[] = { { "large-n", large_n, "$n < 0$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = small_n, .no_minimal = true, .statement = "$n < 6$",
      .controls = controls, .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-SMALL-N", "n < 6 is decided at the sizes that are run", small, parts)
