/* nowhere.c - a part excludes all six arithmetics.
 * Caught by the contract of a part: excludes every arithmetic */
#include "tests/false/false.h"

static void sums(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_add(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, mat_add(s, B, A));
}

static void swapped(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "sum", mat_mul(s, A, B), mat_mul(s, B, A));
}
static const control controls[] = { { "swapped", swapped, "the factors change places" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .without = "f64 mpfr arb fp q sym",
      .why_without = "none is needed", .statement = "$AB = BA$", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-NOWHERE", "a part excludes all six arithmetics", small, parts)
