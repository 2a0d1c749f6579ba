/* step_by_hand.c - A + B = B + A is shown, AB = BA is claimed to follow by a step that no program checks.
 * Stays below proved, for a step that no program checks: by proof, unchecked */
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
    { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .by_proof = "that products do as sums do",
      .statement = "$AB = BA$", .controls = controls, .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-BY-HAND", "A + B = B + A is shown", small, parts)
