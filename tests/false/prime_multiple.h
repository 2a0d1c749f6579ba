/* SPDX-License-Identifier: GPL-3.0-or-later
 * prime_multiple.h - c x = 0 for a product c of two numbers. */
#ifndef FALSE_PRIME_MULTIPLE_H
#define FALSE_PRIME_MULTIPLE_H
#include "tests/false/false.h"

static inline void multiple(trial *t, int64_t first, int64_t second)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", t->sh.n, 1, 0), *cx = mat_scale(s, second, 0, mat_scale(s, first, 0, x));
    claim_equal(t, "c x = 0", cx, mat_zero(s, t->sh.n, 1));
}
static inline void seven(trial *t) { multiple(t, 7, 1); }
#define SEVEN BROKEN_BY("seven", seven, "$c = 7$")
#endif
