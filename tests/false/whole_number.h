/* SPDX-License-Identifier: GPL-3.0-or-later
 * whole_number.h - 32 x is a whole number, for x that is drawn as a whole number over 32. */
#ifndef FALSE_WHOLE_NUMBER_H
#define FALSE_WHOLE_NUMBER_H
#include "tests/false/false.h"

static inline void whole(trial *t, long e)
{
    const mat *x = mat_draw(&t->s, "x", 1, 1, 0);
    mpq_t q;
    mpq_init(q);
    const bool exact = mat_get_exact(q, mat_scale(&t->s, 1, e, x), 0, 0);
    claim_decided(t, "32 x is whole", exact && mpz_cmp_ui(mpq_denref(q), 1) == 0);
    mpq_clear(q);
}
static inline void all_x(trial *t)  { whole(t, 5); }
static inline void not_32(trial *t) { whole(t, -3); }
static const shape_case sizes[] = {
    { { .n = 1, .d = 4, .h = 2, .m = 4, .V = 5, .L = 1 }, 0 },
    { { .n = 2, .d = 4, .h = 2, .m = 4, .V = 5, .L = 1 }, 0 },
    { { .n = 3, .d = 4, .h = 2, .m = 4, .V = 5, .L = 1 }, 0 },
};
#define ALL_X .run = all_x, .statement = "$32x$ is whole for all $x$", .no_minimal = true, \
              RATIONALS_ONLY("the denominator is asked"), BROKEN_BY("not-32", not_32, "$x/8$")
#endif
