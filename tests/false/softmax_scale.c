/* SPDX-License-Identifier: GPL-3.0-or-later
 * softmax_scale.c - softmax(S) = softmax(7 S).
 * Caught by every arithmetic: FAILED */
#include "tests/false/false.h"

static void scores(trial *t, long num, bool other)
{
    scope *s = &t->s;
    const mat *S = mat_draw(s, "S", t->sh.n, t->sh.n, 0);
    const mat *R = other ? mat_draw(s, "R", t->sh.n, t->sh.n, 0) : mat_scale(s, 1, 0, S);
    const rowmap first = { t->sh.attention, NULL, 1, 1 }, second = { t->sh.attention, NULL, num, 1 };
    const place at = { 0, PLACE_ATTENTION, 0 };
    claim_reduced(t, 1, (const mat **[]){ &R });
    claim_equal(t, "weights", mat_rowmap(s, S, &first, at), mat_rowmap(s, R, &second, at));
}
static void scaled(trial *t) { scores(t, 49, false); }
static void others(trial *t) { scores(t, 1, true); }
FALSE_IDENTITY("F-SOFTMAX-7", "softmax(S) = softmax(7 S)", small,
               .run = scaled, .statement = "$\\mathrm{softmax}(S) = \\mathrm{softmax}(7S)$",
               BROKEN_BY("others", others, "other scores"))
