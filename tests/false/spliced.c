/* SPDX-License-Identifier: GPL-3.0-or-later
 * spliced.c - own_record.c, whose words are cut in two at the ends of lines.
 * Caught by the text of the body: a token has one spelling */
#include "tests/false/false.h"
static void taken_back(trial *t)
{
    claim_product(t, "sum");
    t->rec\
ord.nchecks = 0;
    claim_sum(t, "sum");
}
FALSE_IDENTITY("F-SPLICED", "AB = BA", small, .run = taken_back, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
