/* SPDX-License-Identifier: GPL-3.0-or-later
 * nowhere.c - a part excludes all six arithmetics.
 * Caught by the contract of a part: excludes every arithmetic */
#include "tests/false/false.h"

FALSE_IDENTITY("F-NOWHERE", "a part excludes all six arithmetics", small,
               .run = sums, .statement = "$AB = BA$", .without = "f64 mpfr arb fp q sym",
               .why_without = "none is needed", PRODUCT_FOR_SUM)
