/* SPDX-License-Identifier: GPL-3.0-or-later
 * layer_3_unseen.c - the same, and no shape has three layers; one step of the first layer is shown, as if that
 * were an induction.
 * Caught by many settings at once: hypothesis that is not declared: L = 2 */
#include "tests/false/stale_layer.h"

static void third(trial *t) { stale_layer(t, 2); }
FALSE_IDENTITY("F-LAYER-3B", "from the third layer on W_V stays in the old basis, unseen", small,
               .run = third, QUERIES_ELIMINATED, FIRST_LAYER_STALE)
