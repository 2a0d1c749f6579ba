/* SPDX-License-Identifier: GPL-3.0-or-later
 * nudge.h - x is compared with (1 + 2^-bits) x. */
#ifndef FALSE_NUDGE_H
#define FALSE_NUDGE_H
#include "tests/false/false.h"

/* 1 + 2^-bits */
static inline const mat *nearly_one(trial *t, long bits)
{
    scope *s = &t->s;
    return mat_add(s, mat_identity(s, 1), mat_dyadic(s, 1, 1, (int64_t[]){ 1 }, -bits));
}
static inline void nearly(trial *t, long bits)
{
    scope *s = &t->s;
    const mat *x = mat_draw(s, "x", t->sh.n, 1, 0), *factor = nearly_one(t, bits);
    claim_reduced(t, 1, (const mat **[]){ &factor });
    claim_equal(t, "x = (1 + 2^-k) x", x, mat_mul(s, x, factor));
}
static inline void coarse(trial *t) { nearly(t, 3); }
#define COARSE BROKEN_BY("coarse", coarse, "$k = 3$")
#endif
