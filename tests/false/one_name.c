/* one_name.c - A and B are drawn under one name, so AB = BA.
 * Caught by the certificate, which has nothing to state: the same steps */
#include "tests/false/false.h"

static void one_name(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "A", t->sh.d, t->sh.d);
    claim_reduced(t, 1, (const mat **[]){ &B });
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
}

static void swapped(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d);
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
}
static const control controls[] = { { "swapped", swapped, "the factors change places" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = one_name, .no_minimal = true, .statement = "$AB = BA$",
      .controls = controls, .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-ONE-NAME", "A and B are drawn under one name", small, parts)
