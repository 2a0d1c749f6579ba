/* primes_drawn.c - c x = 0, where c is the product of all primes that the runner draws for this seed and trial:
 * the body looks them up.
 * Stays below proved, for want of a derivation: no derivation for all sizes */
#include "tests/false/false.h"

#include "src/claim/runner.h"

static void product(trial *t, bool all)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", t->sh.n, 1, 0);
    for (long k = 0; k < (all ? 8 : 0); k++) x = mat_scale(s, (int64_t)runner_field_prime(t->seed, t->number, k), 0, x);
    claim_equal(t, "c x = 0", x, mat_zero(s, t->sh.n, 1));
}
static void every(trial *t) { product(t, true); }
static void none(trial *t)  { product(t, false); }
static const control controls[] = { { "none", none, "$c = 1$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .no_minimal = true, .without = "f64 mpfr arb q sym",
      .why_without = "only primes are large enough", .run = every, .statement = "$c x = 0$", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-DRAWN", "c x = 0", small, parts)
