/* SPDX-License-Identifier: GPL-3.0-or-later
 * prime_plus.c - x (1 + 2^61 - 1) = x, in every arithmetic.
 * Caught by the rationals: FAILED */
#include "tests/false/false.h"

static void plus(trial *t, int64_t c)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", t->sh.n, 1, 0);
    const mat *factor = mat_add(s, mat_identity(s, 1), mat_dyadic(s, 1, 1, &c, 0));
    claim_reduced(t, 1, (const mat **[]){ &factor });
    claim_equal(t, "x (1 + c) = x", mat_mul(s, x, factor), x);
}
static void mersenne(trial *t) { plus(t, ((int64_t)1 << 61) - 1); }
static void seven(trial *t)    { plus(t, 7); }
FALSE_IDENTITY("F-PRIME-PLUS", "x (1 + 2^61 - 1) = x", small,
               .run = mersenne, .statement = "$(1 + 2^{61} - 1) x = x$",
               BROKEN_BY("seven", seven, "$c = 7$"))
