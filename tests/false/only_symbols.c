/* SPDX-License-Identifier: GPL-3.0-or-later
 * only_symbols.c - only symbols decide: a derivation without a number beside it.
 * Caught by the verdict: no arithmetic decided every trial */
#include "tests/false/false.h"

FALSE_IDENTITY("F-ONLY-SYM", "only symbols decide", small,
               .run = sums, .statement = "$AB = BA$", .without = "f64 mpfr arb fp q",
               .why_without = "none is needed", PRODUCT_FOR_SUM)
