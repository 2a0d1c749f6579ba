/* witness_by_primes.c - x = 7 is refuted modulo primes alone.
 * Caught by the rule that fp shows no witness: excludes every arithmetic */
#include "tests/false/false.h"

static void differs(trial *t)
{
    scope *s = &t->s;
    claim_differs(t, "x and 7", mat_draw(s, "x", 1, 1, 0), mat_from_si(s, 1, 1, (long[]){ 7 }));
}
static const part parts[] = {
    { .name = "as-stated", .kind = PART_COUNTEREXAMPLE, .run = differs, .no_minimal = true,
      .without = "f64 mpfr arb q sym", .why_without = "primes are enough", .statement = "$x = 7$" },
};
FALSE_CLAIM("F-WITNESS", "x = 7 is refuted modulo primes alone", small, parts)
