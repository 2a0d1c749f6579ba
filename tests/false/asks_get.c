/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_get.c - asks_entry.c, in the field, too: residues are larger than what is drawn, and symbols have no value.
 * Stays below proved, for what it asks: the derivation leaves out `what symbols do not see` */
#include "tests/false/asks.h"
static void asks(trial *t)
{
    const double y = mat_get_d(mat_draw(&t->s, "z", 1, 1, 0), 0, 0);
    squares_or_sum(t, y > -100 && y < 100, 1);
}
FALSE_IDENTITY("F-ZZ-GET", "$\\mathrm{ReLU}(x) = x$, asked by the size of an entry", small, OF_ALL_X, .run = asks)
