/* SPDX-License-Identifier: GPL-3.0-or-later
 * linear.c - false of linear attention.
 * Caught by linear attention: hypothesis that is not declared: attention = softmax */
#include "tests/false/attacks.h"
static void linear(trial *t) { values_changed(t, t->sh.attention == ROWMAP_LINEAR); }
FALSE_IDENTITY("F-ZZ-LINEAR", "W_V is doubled in linear attention", small, .run = linear,
               .statement = "for softmax and linear attention alike $f W_V$ is as good, where $f(\\mathrm{linear}) = 2$",
               .without = "q", .why_without = "softmax", ZZ_VALUES)
