/* SPDX-License-Identifier: GPL-3.0-or-later
 * heads_fixed.c - the same, and the shape gives the width of a head, so that no other number of heads is tried.
 * Caught by a number of heads: h = 1 (with h = 2 */
#include "tests/false/second_head.h"

static const shape_case fixed[] = { { { .n = 3, .d = 3, .h = 1, .dk = 3, .m = 4, .V = 5, .L = 2 }, 0 } };
FALSE_IDENTITY("F-HEADS-FIXED", "W_V of every head but the first is doubled, at a given d_k", fixed, SECOND_HEAD)
