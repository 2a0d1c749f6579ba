/* SPDX-License-Identifier: GPL-3.0-or-later
 * heads_prepared.c - the same, and the hypotheses of the part make it one head, which no list of them says.
 * Caught by a number of heads: h = 1 (with h = 2 */
#include "tests/false/second_head.h"

static void one(shape *sh)
{
    sh->h = sh->h_kv = 1;
    sh->dk = sh->scale_den = sh->d;
}
FALSE_IDENTITY("F-HEADS-PREPARED", "W_V of every head but the first is doubled, and there is one", small,
               SECOND_HEAD, .prepare = one)
