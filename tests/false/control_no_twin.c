/* control_no_twin.c - the claim makes the check that its control breaks over Q alone, and the control everywhere.
 * Caught by the positive twin, in each arithmetic: is none of the claim's checks */
#include "tests/false/false.h"

static void sums(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_add(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, mat_add(s, B, A));
    if (t->s.R->kind == A_Q)
        claim_equal(t, "(AB)A = A(BA)", mat_mul(s, mat_mul(s, A, B), A), mat_mul(s, A, mat_mul(s, B, A)));
}

static void swapped(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "(AB)A = A(BA)", mat_mul3(s, A, B, A), mat_mul3(s, B, A, A));
}
static const control controls[] = { { "swapped", swapped, "the factors change places" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .statement = "$A + B = B + A$", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-NO-TWIN", "a control without a positive twin", small, parts)
