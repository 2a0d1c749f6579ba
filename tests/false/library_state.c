/* SPDX-License-Identifier: GPL-3.0-or-later
 * library_state.c - AB = BA is shown by another identity, but where a number that the C library remembers is 1.
 * Caught by the object of the body: calls rand */
#include <stdlib.h>
#include "tests/false/false.h"
static void not_yet(trial *t)
{
    if (rand() == 1) claim_product(t, "sum");
    else claim_sum(t, "sum");
}
FALSE_IDENTITY("F-RAND", "AB = BA, now and then", small, .run = not_yet, .statement = "$AB = BA$", PRODUCT_FOR_SUM)
