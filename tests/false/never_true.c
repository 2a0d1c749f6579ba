/* never_true.c - AB = BA is under a condition that is never true, beside a sum that is true.
 * Caught by the control, which breaks a check that is never made: is none of the claim's checks */
#include "tests/false/false.h"

static void sums(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_add(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "A + B = B + A", left, mat_add(s, B, A));
    if (t->sh.n > 1000) claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
}

static void swapped(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
}
static const control controls[] = { { "swapped", swapped, "the factors change places" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .statement = "$AB = BA$", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-NEVER", "AB = BA stands behind a condition that is never true", small, parts)
