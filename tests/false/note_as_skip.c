/* note_as_skip.c - where an arithmetic would refute AB = BA the body gives up with the words of an arithmetic
 * that lacks a function.
 * Caught by the runner, which reads no notes: no trial was decided */
#include "tests/false/false.h"

static void gives_up(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d);
    const mat *B = s->R->traits & ORDERED ? mat_scale(s, 1, 0, A) : drawn(t, "B", t->sh.d, t->sh.d);
    if (!(s->R->traits & ORDERED)) scope_undecided(s, "this arithmetic has no such row map");
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
    { .name = "as-stated", .kind = PART_IDENTITY, .run = gives_up, .no_minimal = true, .statement = "$AB = BA$",
      .controls = controls, .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-NOTE", "where an arithmetic would refute AB = BA the body gives up with the words of", small, parts)
