/* SPDX-License-Identifier: GPL-3.0-or-later
 * later_trial.c - AB = BA from the hundredth trial on.
 * Stays below proved, for a later trial of the guards: no derivation for all sizes */
#include "tests/false/false.h"
static void by_number(trial *t)
{
    if (t->number < 99) claim_sum(t, "sum");
    else claim_product(t, "sum");
}
FALSE_IDENTITY("F-TRIAL-NUMBER", "AB = BA from the hundredth trial on", small, .run = by_number, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
