/* SPDX-License-Identifier: GPL-3.0-or-later
 * layer_3.c - from the third layer on W_V stays in the old basis: false at every depth of three and more.
 * Caught by the run at L = 3: INCONSISTENT */
#include "tests/false/stale_layer.h"

static void third(trial *t) { stale_layer(t, 2); }
FALSE_IDENTITY("F-LAYER-3", "from the third layer on W_V stays in the old basis", deeper,
               .run = third, QUERIES_ELIMINATED, FIRST_LAYER_STALE)
