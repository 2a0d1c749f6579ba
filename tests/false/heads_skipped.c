/* SPDX-License-Identifier: GPL-3.0-or-later
 * heads_skipped.c - W_V of every head but the first is doubled, and the body skips models with more than one head.
 * Caught by a number of heads: h = 1 (with h = 2 */
#include "tests/false/second_head.h"

static void skipped(trial *t)
{
    if (t->sh.h > 1) scope_not_here(&t->s, REASON_TOO_LARGE, NULL);
    else second(t);
}
FALSE_IDENTITY("F-HEADS-SKIPPED", "W_V of every head but the first is doubled, and several heads are skipped", one_head,
               SECOND_HEAD_OF(skipped))
