/* SPDX-License-Identifier: GPL-3.0-or-later
 * last_layer.c - the last layer keeps its W_V wherever there are more than three: false at L = 4, and L = 2, 3
 * are run.
 * Caught by many settings at once: hypothesis that is not declared: L = 2 */
#include "tests/false/stale_layer.h"

static void last(trial *t) { stale_layer(t, t->sh.L > 3 ? t->sh.L - 1 : MAX_LAYERS); }
FALSE_IDENTITY("F-LAST", "the last layer keeps its W_V wherever there are more than three", deeper,
               .run = last, QUERIES_ELIMINATED, FIRST_LAYER_STALE)
