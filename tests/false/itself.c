/* itself.c - a matrix is compared with itself.
 * Caught by the contract of a comparison: compared with itself */
#include "tests/false/false.h"

static void itself(trial *t)
{
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d);
    claim_equal(t, "AB = BA", A, A);
}

static void swapped(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
}
static const control controls[] = { { "swapped", swapped, "the factors change places" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = itself, .statement = "$AB = BA$", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-ITSELF", "a matrix is compared with itself", small, parts)
