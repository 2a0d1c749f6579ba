/* layer_8.c - from the eighth layer on W_V stays in the old basis, and no shape has eight layers.
 * Stays below proved, for want of an induction: no induction on the depth or no certificate */
#include "tests/false/stale_layer.h"

static void eighth(trial *t) { stale_layer(t, 7); }
FALSE_IDENTITY("F-LAYER-8", "from the eighth layer on W_V stays in the old basis", deeper,
               .run = eighth, QUERIES_ELIMINATED, FIRST_LAYER_STALE)
