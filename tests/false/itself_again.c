/* itself_again.c - the same product twice, in place of AB and BA.
 * Caught by the certificate, which has nothing to state: the same steps */
#include "tests/false/false.h"

static void itself(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d), *C = B;
    claim_reduced(t, 1, (const mat **[]){ &C });
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, A, C));
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
FALSE_CLAIM("F-ITSELF-2", "the same product twice", small, parts)
