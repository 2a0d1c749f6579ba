/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_far.c - relu(x) = relu(x) + relu(x - 1000): false for x > 1000 alone, far beyond what is drawn.
 * Stays below proved, for want of a derivation: no derivation for all sizes */
#include "tests/false/false.h"

static void far(trial *t, long by)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", t->sh.n, 1, 0), *shift = mat_from_si(s, 1, 1, &by);
    const mat *beyond = relu(t, mat_sub(s, x, mat_mul(s, mat_ones(s, t->sh.n, 1), shift)));
    claim_equal(t, "relu", relu(t, x), mat_add(s, relu(t, x), beyond));
}
static void thousand(trial *t) { far(t, 1000); }
static void below_all(trial *t) { far(t, -1000); }
FALSE_IDENTITY("F-RELU-FAR", "relu(x) = relu(x) + relu(x - 1000)", small,
               .run = thousand,
               .statement = "$\\mathrm{relu}(x) = \\mathrm{relu}(x) + \\mathrm{relu}(x - 1000)$",
               .no_minimal = true, .without = "fp", .why_without = "ReLU needs an order",
               BROKEN_BY("below-all", below_all, "$x + 1000$"))
