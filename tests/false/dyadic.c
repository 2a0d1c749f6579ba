/* dyadic.c - 32 x is a whole number: true of what is drawn, which are whole numbers over 32.
 * Stays below proved, for instances alone: no derivation for all sizes */
#include "tests/false/false.h"

static void whole(trial *t, long e)
{
    const mat *x = mat_draw(&t->s, "x", 1, 1, 0);
    mpq_t q;
    mpq_init(q);
    const bool exact = mat_get_exact(q, mat_scale(&t->s, 1, e, x), 0, 0);
    claim_decided(t, "32 x is whole", exact && mpz_cmp_ui(mpq_denref(q), 1) == 0);
    mpq_clear(q);
}
static void all_x(trial *t)  { whole(t, 5); }
static void not_32(trial *t) { whole(t, -3); }
static const shape_case sizes[] = {
    { { .n = 1, .d = 4, .h = 2, .m = 4, .V = 5, .L = 1 }, 0 },
    { { .n = 2, .d = 4, .h = 2, .m = 4, .V = 5, .L = 1 }, 0 },
    { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 1 }, 0 },
};
static const control controls[] = { { "not-32", not_32, "$x/8$" } };
static const part parts[] = {
    { .name = "as-stated", .kind = PART_IDENTITY, .run = all_x, .no_minimal = true, .without = "f64 mpfr arb fp sym",
      .why_without = "the denominator is asked", .statement = "$32x$ is whole for all $x$", .controls = controls,
      .ncontrols = COUNT(controls) },
};
FALSE_CLAIM("F-DYADIC", "32 x is a whole number", sizes, parts)
