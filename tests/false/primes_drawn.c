/* SPDX-License-Identifier: GPL-3.0-or-later
 * primes_drawn.c - c x = 0, where c is the product of all primes that the runner draws for this seed and trial:
 * the body looks them up.
 * Caught by the text of the body: no theorem includes it */
#include "tests/false/false.h"
#include "src/claim/runner/runner.h"

static void product(trial *t, bool all)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", t->sh.n, 1, 0);
    for (long k = 0; k < (all ? 8 : 0); k++) x = mat_scale(s, (int64_t)runner_field_prime(t->seed, t->number, k), 0, x);
    claim_equal(t, "c x = 0", x, mat_zero(s, t->sh.n, 1));
}
static void every(trial *t) { product(t, true); }
static void none(trial *t)  { product(t, false); }
FALSE_IDENTITY("F-DRAWN", "c x = 0", small,
               .run = every, .statement = "$c x = 0$", .no_minimal = true,
               PRIME_FIELD_ONLY("only primes are large enough"), BROKEN_BY("none", none, "$c = 1$"))
