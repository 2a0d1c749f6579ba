/* SPDX-License-Identifier: GPL-3.0-or-later
 * silu.c - tanh.c, of an activation that no guard tries.
 * Caught by another activation: hypothesis that is not declared: act = gelu */
#include "tests/false/false.h"
static void by_act(trial *t)
{
    if (t->sh.act == ACT_SILU) claim_product(t, "sum");
    else claim_sum(t, "sum");
}
FALSE_IDENTITY("F-SILU", "AB = BA of SiLU", small, .run = by_act, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
