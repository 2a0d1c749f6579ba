/* control_holds.c - a control breaks nothing.
 * Caught by the runner: holds although it is broken */
#include "tests/false/false.h"

static void sums(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    const mat *left = mat_add(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "sum", left, mat_add(s, B, A));
}
static const control controls[] = { { "sums", sums, "nothing is broken" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = sums, .statement = "$A + B = B + A$", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-HOLDS", "a control breaks nothing", small, parts)
