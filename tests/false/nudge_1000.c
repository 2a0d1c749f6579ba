/* nudge_1000.c - a factor 1 + 2^-1000 is claimed to change nothing: below what balls of 256 bits tell apart.
 * Caught by the rationals and primes: INCONSISTENT */
#include "tests/false/false.h"

/* 1 + 2^-bits */
static const mat *nearly_one(trial *t, long bits)
{
    scope *s = &t->s;
    return mat_add(s, mat_identity(s, 1), mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, -bits));
}
static void nearly(trial *t, long bits)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", t->sh.n, 1, 0), *factor = nearly_one(t, bits);
    claim_reduced(t, 1, (const mat **[]){ &factor });
    claim_equal(t, "x = (1 + 2^-k) x", x, mat_mul(s, x, factor));
}
static void coarse(trial *t) { nearly(t, 3); }
static void tiny(trial *t) { nearly(t, 1000); }
static const control controls[] = { { "coarse", coarse, "$k = 3$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = tiny, .statement = "$x = (1 + 2^{-1000}) x$",
      .controls = controls, .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-NUDGE-1000", "a factor 1 + 2^-1000 is claimed to change nothing", small, parts)
