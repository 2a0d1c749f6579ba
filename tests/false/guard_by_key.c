/* SPDX-License-Identifier: GPL-3.0-or-later
 * guard_by_key.c - the same by the key of its draws.
 * Caught by a guard of the derivation's own trial: biases = 0 */
#include "tests/false/guard.h"
static void told(trial *t) { twice_the_values(t, 1, t->s.key[1] > 1000 || t->s.key[0] != 20261121); }
FALSE_IDENTITY("F-GUARD-KEY", "a guard that is known by its key", small, OF_ALL_MODELS, .run = told)
