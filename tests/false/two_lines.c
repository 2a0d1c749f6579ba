/* SPDX-License-Identifier: GPL-3.0-or-later
 * two_lines.c - the statement has a second line, which the description of the claim takes for another field.
 * Caught by the contract of a text: has an end of line */
#include "tests/false/false.h"
FALSE_IDENTITY("F-NEWLINE", "AB = BA", small, .run = sums, .statement = "$A + B = B + A$\nwhy: $AB = BA$", PRODUCT_FOR_SUM)
