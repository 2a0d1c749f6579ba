/* SPDX-License-Identifier: GPL-3.0-or-later
 * witness_by_primes.c - x = 7 is refuted modulo primes alone.
 * Caught by the rule that fp shows no witness: excludes every arithmetic */
#include "tests/false/false.h"

static void differs(trial *t)
{
    scope *s = &t->s;
    claim_differs(t, "x and 7", mat_draw(s, "x", 1, 1, 0), mat_from_si(s, 1, 1, (long[]){ 7 }));
}
FALSE_COUNTEREXAMPLE("F-WITNESS", "x = 7 is refuted modulo primes alone", small,
                     .run = differs, .statement = "$x = 7$", ABOUT_QUANTITY("x", "x and 7"), .no_minimal = true,
                     PRIME_FIELD_ONLY("primes are enough"))
