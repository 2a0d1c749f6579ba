/* SPDX-License-Identifier: GPL-3.0-or-later
 * forgets.c - every natural number is below 1000, of numbers that are drawn and then forgotten by the body itself.
 * Caught by the text of the body: what a body drew or asked is the runner's */
#include "numerics/random.h"
#include "tests/false/finite.h"

static void by_generator(trial *t)
{
    const bool below = random_below(t->s.key, 0, 999) < 1000;
    random_forget();
    claim_decided(t, ONE_FACT, below);
}
FINITE("F-FORGETS", "every natural number is below 1000", by_generator, OVER_Q)
