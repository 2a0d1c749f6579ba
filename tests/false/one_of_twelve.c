/* one_of_twelve.c - one trial of twelve is compared, with A = B; the others give up.
 * Caught by the rule that every trial holds: UNDECIDED */
#include "tests/false/false.h"

static void one_trial(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d);
    const mat *B = t->number ? drawn(t, "B", t->sh.d, t->sh.d) : mat_scale(s, 1, 0, A);
    if (t->number) scope_undecided(s, "no luck");
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
    { .name = "as-stated", .kind = PART_IDENTITY, .run = one_trial, .no_minimal = true, .statement = "$AB = BA$",
      .controls = controls, .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-TWELVE", "one trial of twelve is compared", small, parts)
