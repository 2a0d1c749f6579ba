/* SPDX-License-Identifier: GPL-3.0-or-later
 * norm_epsilon.c - a norm with epsilon 2^-17 and the same with 2^5.
 * Caught by every arithmetic: FAILED */
#include "tests/false/false.h"

static void norms(trial *t, long log2eps, bool other)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0);
    const mat *Y = other ? mat_draw(s, "Y", t->sh.n, t->sh.d, 0) : mat_scale(s, 1, 0, X);
    const place at = { 0, PLACE_ATTENTION, 0 };
    claim_reduced(t, 1, (const mat **[]){ &Y });
    claim_equal(t, "LN", mat_norm(s, X, NORM_LAYER, -17, at), mat_norm(s, Y, NORM_LAYER, log2eps, at));
}
static void large(trial *t)  { norms(t, 5, false); }
static void others(trial *t) { norms(t, -17, true); }
FALSE_IDENTITY("F-LN-EPS", "a norm with epsilon 2^-17 and the same with 2^5", small,
               .run = large, .statement = "epsilon is of no consequence",
               BROKEN_BY("others", others, "another input"))
