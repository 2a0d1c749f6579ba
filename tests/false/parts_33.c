/* parts_33.c - thirty-three parts, one more than a claim may have, and the last is false.
 * Caught by the contract of a claim: has 33 parts */
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
    PART("as-stated-17", sums),
    PART("as-stated-18", sums),
    PART("as-stated-19", sums),
    PART("as-stated-20", sums),
    PART("as-stated-21", sums),
    PART("as-stated-22", sums),
    PART("as-stated-23", sums),
    PART("as-stated-24", sums),
    PART("as-stated-25", sums),
    PART("as-stated-26", sums),
    PART("as-stated-27", sums),
    PART("as-stated-28", sums),
    PART("as-stated-29", sums),
    PART("as-stated-30", sums),
    PART("as-stated-31", sums),
    PART("as-stated-32", sums),
    PART("as-stated-33", swapped),
};
FALSE_CLAIM("F-33", "thirty-three parts, one more than a claim may have", small, parts)
