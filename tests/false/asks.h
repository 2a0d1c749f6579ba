/* SPDX-License-Identifier: GPL-3.0-or-later
 * asks.h - ReLU(x) = x: of squares, which is true, where a body sees numbers; where it does not, a sum in two orders,
 * under the same name.  The control takes what is not positive. */
#ifndef FALSE_ASKS_H
#define FALSE_ASKS_H
#include "tests/false/false.h"

static inline void squares_or_sum(trial *t, bool numbers, long sign)
{
    scope *s = &t->s;
    const mat *y = drawn(t, "y", t->sh.n, t->sh.d), *x = mat_scale(s, sign, 0, mat_hadamard(s, y, y));
    if (numbers) claim_equal(t, "ReLU(x) = x", relu(t, x), x);
    else claim_equal(t, "ReLU(x) = x", mat_add(s, x, y), mat_add(s, y, x));
}
static inline void negative(trial *t) { squares_or_sum(t, true, -1); }
#define OF_ALL_X .statement = "$\\mathrm{ReLU}(x) = x$", .no_minimal = true, NOT_FORMAL, \
                 BROKEN_BY("negative", negative, "$-x^2$")
#define NOT_FORMAL .without = "fp", .why_without = "ReLU is a formal function there"
#endif
