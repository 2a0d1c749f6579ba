/* SPDX-License-Identifier: GPL-3.0-or-later
 * heads_four.c - false for four heads, and for six and more.
 * Caught by a number of heads: h = 2 (with h = 4 */
#include "tests/false/second_head.h"
static void heads(trial *t)
{
    const long h = t->sh.h;
    compare(t, h == 4 || h > 5 ? twice : halves);
}
FALSE_IDENTITY("F-H-4", "W_V is doubled where there are four heads", small, SECOND_HEAD_OF(heads))
