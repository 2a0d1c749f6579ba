/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_symbols.c - ReLU(x) = x is shown of squares, and where the arithmetic is symbolic another identity, of all x,
 * under the same name.
 * Caught by the text of the body: claim_over asks for the arithmetic */
#include "tests/false/asks.h"

static void asks(trial *t) { squares_or_sum(t, !(t->s.R->traits & SYMBOLIC), 1); }
FALSE_IDENTITY("F-ASKS-SYMBOLS", "$\\mathrm{ReLU}(x) = x$, and another identity for symbols", small,
               OF_ALL_X, .run = asks)
