/* SPDX-License-Identifier: GPL-3.0-or-later
 * only_corrected.c - a claim says nothing of its sentence, and passes with a repair of it.
 * Caught by the contract of a claim: no part that judges the sentence */
#include "tests/false/false.h"

static const part repair[] = {
    { .name = "corrected", .kind = PART_IDENTITY, .run = sums, .statement = "$A + B = B + A$", PRODUCT_FOR_SUM },
};
FALSE_CLAIM("F-CORRECTED", "AB = BA, corrected alone", small, repair)
