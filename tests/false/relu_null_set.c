/* SPDX-License-Identifier: GPL-3.0-or-later
 * relu_null_set.c - relu(x) > 0 or relu(-x) > 0: false at x = 0 alone, and claimed of all x.
 * Stays below proved, for want of a derivation: no derivation for all sizes */
#include "tests/false/false.h"

static void either(trial *t, bool both)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", 1, 1, 0), *plus = relu(t, x), *minus = relu(t, mat_scale(s, -1, 0, x));
    if (both) claim_positive(t, "a sign", mat_hadamard(s, plus, minus));
    else      claim_positive(t, "a sign", mat_add(s, plus, minus));
}
static void some_sign(trial *t) { either(t, false); }
static void two_signs(trial *t) { either(t, true); }
FALSE_IDENTITY("F-RELU-NULL", "relu(x) > 0 or relu(-x) > 0", small,
               .run = some_sign, .statement = "$\\mathrm{relu}(x) + \\mathrm{relu}(-x) > 0$",
               .no_minimal = true, .without = "fp sym mpfr", .why_without = "ReLU needs an order",
               BROKEN_BY("two-signs", two_signs, "both signs"))
