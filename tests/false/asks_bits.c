/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks_bits.c - ReLU(x) = x of squares where numbers have a precision, another identity where they have none.
 * Stays below proved, for what it asks: the derivation leaves out `what symbols do not see` */
#include "tests/false/asks.h"
static void asks(trial *t) { squares_or_sum(t, claim_bits(t) > 0, 1); }
FALSE_IDENTITY("F-ASKS-BITS", "$\\mathrm{ReLU}(x) = x$, asked by the precision", small, .run = asks,
               .statement = "$\\mathrm{ReLU}(x) = x$", .no_minimal = true, .without = "fp q",
               .why_without = "ReLU of doubles and balls", BROKEN_BY("negative", negative, "$-x^2$"))
