/* SPDX-License-Identifier: GPL-3.0-or-later
 * other_key.c - AB = BA for all but one of 256 keys of the draws.
 * Caught by another seed of the guards: over F_q: refuted: sum */
#include "tests/false/false.h"
static void by_key(trial *t)
{
    if (t->s.key[0] == 20261121) claim_sum(t, "sum");
    else claim_product(t, "sum");
}
FALSE_IDENTITY("F-KEY", "AB = BA for other seeds", small, .run = by_key, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
