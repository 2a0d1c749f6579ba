/* no_rows.c - the only part is run at no shape of the plan.
 * Caught by the program: no trial was run */
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
static const shape_case never[] = { { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 2 }, ONLY_AT_LARGE } };
static const control controls[] = { { "swapped", swapped, "the factors change places" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .statement = "$AB = BA$", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-NO-ROWS", "the only part is run at no shape of the plan", never, parts)
