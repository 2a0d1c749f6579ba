/* SPDX-License-Identifier: GPL-3.0-or-later
 * not_a_number.c - infinity minus infinity in doubles is claimed to be equal to itself; what has no infinity is
 * left out.
 * Caught by the runner: no trial was decided */
#include "tests/false/false.h"

static void infinite(trial *t)
{
    scope *s = &t->s;
    const mat *huge = mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, 1 << 30), *nan = mat_sub(s, huge, huge);
    claim_equal(t, "inf - inf", mat_mul(s, nan, huge), mat_mul(s, huge, nan));
}
static void finite(trial *t) { claim_equal(t, "inf - inf", mat_identity(&t->s, 1), mat_zero(&t->s, 1, 1)); }
FALSE_IDENTITY("F-NAN", "infinity minus infinity in doubles is equal to itself", small,
               .run = infinite, .statement = "$\\infty - \\infty = \\infty - \\infty$", .no_minimal = true,
               .without = "mpfr arb fp q sym", .why_without = "they have no infinity",
               BROKEN_BY("finite", finite, "$1 = 0$"))
