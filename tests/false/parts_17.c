/* parts_17.c - seventeen parts, and the last is false: AB = BA.
 * Caught by the seventeenth part: FAILED */
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
#define PART(title, body) { .name = title, .kind = PART_IDENTITY, .run = body, .controls = controls, \
                            .ncontrols = COUNT(controls), .shapes = small, \
                            .nshapes = COUNT(small), .statement = "$A + B = B + A$" }
static const part parts[] = {
    PART("as-stated-1", sums),
    PART("as-stated-2", sums),
    PART("as-stated-3", sums),
    PART("as-stated-4", sums),
    PART("as-stated-5", sums),
    PART("as-stated-6", sums),
    PART("as-stated-7", sums),
    PART("as-stated-8", sums),
    PART("as-stated-9", sums),
    PART("as-stated-10", sums),
    PART("as-stated-11", sums),
    PART("as-stated-12", sums),
    PART("as-stated-13", sums),
    PART("as-stated-14", sums),
    PART("as-stated-15", sums),
    PART("as-stated-16", sums),
    PART("as-stated-17", swapped),
};
FALSE_CLAIM("F-17", "seventeen parts, and the last is false", small, parts)
