/* opaque_identity.c - the same difference as an identity: GELU(x) - GELU(-x) is not x.
 * Caught by the runner, which counts no error of it: UNDECIDED */
#include "tests/false/false.h"

/* GELU(x) - GELU(-x) = x is true: the body shows that a formal function in GELU's place does otherwise. */
static void odd_part(trial *t)
{
    scope *s = &t->s;
    const place at = { 0, PLACE_MLP, 0 };
    const mat *x = mat_draw(s, "x", 1, 1, 0), *minus_x = mat_scale(s, -1, 0, x);
    const mat *plus = mat_phi(s, x, ACT_GELU, at), *minus = mat_phi(s, minus_x, ACT_GELU, at);
    claim_differs(t, "GELU(x) - GELU(-x) and x", mat_sub(s, plus, minus), x);
}
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = odd_part, .no_minimal = true,
      .without = "f64 mpfr arb q sym", .why_without = "the function is formal",
      .statement = "$\\mathrm{GELU}(x) - \\mathrm{GELU}(-x) \\ne x$" },
};
FALSE_CLAIM("F-OPAQUE-2", "the same difference as an identity", small, parts)
