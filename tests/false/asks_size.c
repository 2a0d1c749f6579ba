/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_size.c - the same by the size of the largest entry, which symbols and fields do not know.
 * Stays below proved, for what it asks: the derivation leaves out `what symbols do not see` */
#include "tests/false/asks.h"
static void asks(trial *t) { squares_or_sum(t, mat_log2max(mat_ones(&t->s, 1, 1)) <= 0, 1); }
FALSE_IDENTITY("F-ASKS-SIZE", "$\\mathrm{ReLU}(x) = x$, asked by the size of 1", small, OF_ALL_X, .run = asks)
