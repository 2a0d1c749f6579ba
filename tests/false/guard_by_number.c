/* SPDX-License-Identifier: GPL-3.0-or-later
 * guard_by_number.c - twice W_V is twice the attention, of all models: a body knows the guards by the number of their trial.
 * Caught by a guard of the derivation's own trial: biases = 0 */
#include "tests/false/guard.h"
static void told(trial *t) { twice_the_values(t, 1, t->number >= 1000); }
FALSE_IDENTITY("F-GUARD-NUMBER", "a guard that is known by its number", small, OF_ALL_MODELS, .run = told)
