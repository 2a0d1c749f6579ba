/* SPDX-License-Identifier: GPL-3.0-or-later
 * wide.c - false where d is not h d_k.
 * Caught by another width: hypothesis that is not declared: d = h d_k */
#include "tests/false/attacks.h"
static void wide(trial *t) { values_changed(t, t->sh.d != t->sh.h * t->sh.dk); }
FALSE_IDENTITY("F-ZZ-WIDE", "W_V is doubled where h d_k is not d", small, .run = wide, ZZ_VALUES,
               .statement = "$f(d, h d_k) W_V$ is as good for all widths, where $f(5, 4) = 2$")
