/* SPDX-License-Identifier: GPL-3.0-or-later
 * one_part_no_rows.c - the false part is run at no shape of the plan, the part beside it is true.
 * Caught by the program: no trial was run */
#include "tests/false/false.h"

static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .statement = "$A + B = B + A$", PRODUCT_FOR_SUM },
    { .name = "as-stated-b", .kind = PART_IDENTITY, .run = product_for_sum, .no_minimal = true, .shapes = never_run,
      .nshapes = COUNT(never_run), .statement = "$AB = BA$" },
};
FALSE_CLAIM("F-NO-ROWS-2", "the false part is run at no shape of the plan", small, parts)
