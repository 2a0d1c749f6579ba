/* prime_product.c - (2^61 - 1)(2^61 - 31) x = 0, over two fields alone.
 * Caught by primes that are drawn: FAILED */
#include "tests/false/false.h"

static void multiple(trial *t, int64_t first, int64_t second)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", t->sh.n, 1, 0), *cx = mat_scale(s, second, 0, mat_scale(s, first, 0, x));
    claim_equal(t, "c x = 0", cx, mat_zero(s, t->sh.n, 1));
}
static void seven(trial *t) { multiple(t, 7, 1); }
static void both(trial *t) { multiple(t, ((int64_t)1 << 61) - 1, ((int64_t)1 << 61) - 31); }
static const control controls[] = { { "seven", seven, "$c = 7$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .no_minimal = true, .without = "f64 mpfr arb q sym",
      .why_without = "only primes are large enough", .run = both, .statement = "$(2^{61} - 1)(2^{61} - 31) x = 0$",
      .controls = controls, .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-PRIMES", "(2^61 - 1)(2^61 - 31) x = 0", small, parts)
