/* SPDX-License-Identifier: GPL-3.0-or-later
 * heads_eight.c - false for eight heads and more.
 * Caught by many settings at once: refuted */
#include "tests/false/attacks.h"
static void eight(trial *t) { values_changed(t, t->sh.h > 7); }
FALSE_IDENTITY("F-ZZ-H8", "W_V is doubled from eight heads on", small, .run = eight, ZZ_VALUES,
               .statement = "the same attention for any number of heads, from eight on with $2W_V$")
