/* SPDX-License-Identifier: GPL-3.0-or-later
 * eight_w.c - W = 8 W: a matrix drawn again at another scale.
 * Caught by every arithmetic: FAILED */
#include "tests/false/false.h"

static void scales(trial *t, const char *second)
{
    scope *s = &t->s;
    const mat *W = mat_draw(s, "W", t->sh.d, t->sh.d, 0), *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    const mat *other = mat_draw(s, second, t->sh.d, t->sh.d, 3);
    claim_reduced(t, 1, (const mat **[]){ &other });
    claim_equal(t, "X W", mat_mul(s, X, W), mat_mul(s, X, other));
}
static void eight(trial *t)  { scales(t, "W"); }
static void others(trial *t) { scales(t, "V"); }
FALSE_IDENTITY("F-8W", "W = 8 W", small,
               .run = eight, .statement = "$W = 8W$", BROKEN_BY("others", others, "another matrix"))
