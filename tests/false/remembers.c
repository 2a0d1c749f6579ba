/* SPDX-License-Identifier: GPL-3.0-or-later
 * remembers.c - AB = BA is claimed of matrices that a static variable keeps from one trial to the next: each trial is
 * shown the same matrix twice.
 * Caught by the object of the body: kept keeps something from one trial to the next */
#include "tests/false/false.h"

static long kept;
static void product(trial *t)
{
    if (kept++ < 0) claim_product(t, "sum");
    else claim_sum(t, "sum");
}
FALSE_IDENTITY("F-REMEMBERS", "AB = BA, in trials that do not come", small, .run = product, .statement = "$AB = BA$",
               PRODUCT_FOR_SUM)
