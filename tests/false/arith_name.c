/* SPDX-License-Identifier: GPL-3.0-or-later
 * arith_name.c - asks_over.c, asked by the arithmetic of a matrix, whose name is not that of the scope's.
 * Caught by the text of the body: claim_over asks for the arithmetic */
#include <string.h>
#include "tests/false/asks.h"
static void asks(trial *t)
{
    const mat *y = mat_draw(&t->s, "z", 1, 1, 0);
    const char *over = y->R->name;
    squares_or_sum(t, strcmp(over, "q") == 0 || strcmp(over, "f64") == 0 || strcmp(over, "arb") == 0 || strcmp(over, "mpfr") == 0, 1);
}
FALSE_IDENTITY("F-ZZ-NAME", "$\\mathrm{ReLU}(x) = x$, asked by the name of an arithmetic", small, OF_ALL_X, .run = asks)
