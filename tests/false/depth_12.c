/* SPDX-License-Identifier: GPL-3.0-or-later
 * depth_12.c - false in models of twelve layers: the body looks at one layer and asks how many there are.
 * Caught by many settings at once: hypothesis that is not declared: L = 2 */
#include "tests/false/attacks.h"
static void twelve(trial *t) { values_changed(t, t->sh.L >= 12); }
FALSE_IDENTITY("F-ZZ-L12", "W_V of layer 0 is doubled in models of twelve layers", small, .run = twelve, ZZ_VALUES,
               .statement = "in a model of $L$ layers $f(L) W_V$ gives the same attention, where $f(12) = 2$")
