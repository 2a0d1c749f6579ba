/* SPDX-License-Identifier: GPL-3.0-or-later
 * decided_prefix.c - AB = BA, said by a word beside a derivation whose equation has the name of a decided fact.
 * Caught by the names of checks: makes a check by a name of the runner's */
#include "tests/false/false.h"
static void said(trial *t, bool so)
{
    if (claim_over(t, OVER_ENTRIES)) claim_decided(t, "AB = BA", so);
    claim_sum(t, "decided by the body: AB = BA");
}
static void yes(trial *t) { said(t, true); }
static void swap(trial *t) { claim_product(t, "decided by the body: AB = BA"); }
FALSE_IDENTITY("F-PREFIX", "AB = BA", small, .run = yes, .statement = "$AB = BA$", BROKEN_BY("swapped", swap, "swapped"))
