/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite_random.c - every natural number is below 1000, of numbers that the generator makes.
 * Caught by the draws: speaks of finitely many cases and draws */
#include "numerics/random.h"
#include "tests/false/finite.h"

static void by_generator(trial *t) { claim_decided(t, ONE_FACT, random_below(t->s.key, 0, 999) < 1000); }
FINITE("F-RANDOM", "every natural number is below 1000", by_generator, OVER_Q)
