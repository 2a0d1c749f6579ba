/* SPDX-License-Identifier: GPL-3.0-or-later
 * three_d.c - false wherever m = 3 d, or V = 2 d: relations that the guards do not have.
 * Stays below proved, for small sizes or want of a reader: no derivation for all sizes or nobody is on record as having read */
#include "tests/false/attacks.h"
static void sometimes(trial *t) { with_mlp(t, t->sh.m == 3 * t->sh.d || 3 * t->sh.m == 8 * t->sh.d); }
static const shape_case plain[] = { { { .n = 3, .d = 4, .h = 2, .m = 5, .V = 5, .L = 2 }, 0 } };
FALSE_IDENTITY("F-ZZ-3D", "W_down is doubled where m = 3 d or m = 8 d / 3, as in Llama", plain, .run = sometimes, ZZ_MLP,
               .statement = "$f(m, d) W_{down}$ is as good for all $m$, $d$, where $f(3d, d) = f(8d/3, d) = 2$")
