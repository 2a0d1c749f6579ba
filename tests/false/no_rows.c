/* SPDX-License-Identifier: GPL-3.0-or-later
 * no_rows.c - the only part is run at no shape of the plan.
 * Caught by the program: no trial was run */
#include "tests/false/false.h"

FALSE_IDENTITY("F-NO-ROWS", "the only part is run at no shape of the plan", never_run,
               .run = sums, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
