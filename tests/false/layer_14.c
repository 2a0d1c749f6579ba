/* SPDX-License-Identifier: GPL-3.0-or-later
 * layer_14.c - from the 14th layer on W_V stays in the old basis, and no shape has 14 layers.
 * Stays below proved, for want of an induction: no induction on the depth or no certificate */
#include "tests/false/stale_layer.h"

static void fourteenth(trial *t) { stale_layer(t, 13); }
FALSE_IDENTITY("F-LAYER-14", "from the 14th layer on W_V stays in the old basis", deeper,
               .run = fourteenth, QUERIES_ELIMINATED, FIRST_LAYER_STALE)
