/* SPDX-License-Identifier: GPL-3.0-or-later
 * own_record.c - AB = BA fails, and the body takes the check back from the runner's record.
 * Caught by the text of the body: what was checked is the runner's */
#include "tests/false/false.h"

static void taken_back(trial *t)
{
    claim_sum(t, "sum");
    claim_product(t, "AB = BA");
    t->record.nchecks--;
}
FALSE_IDENTITY("F-OWN-RECORD", "AB = BA, taken back", small,
               .run = taken_back, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
