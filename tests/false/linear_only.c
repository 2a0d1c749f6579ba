/* SPDX-License-Identifier: GPL-3.0-or-later
 * linear_only.c - what holds for linear attention alone is claimed for softmax: (S + R) V = S V + R V.
 * Caught by every arithmetic that has softmax: INCONSISTENT */
#include "tests/false/false.h"

static void additive(trial *t, bool twice)
{
    scope *s = &t->s;
    const long n = t->sh.n;
    const mat *S = mat_draw(s, "S", n, n, 0), *R = mat_draw(s, "R", n, n, 0), *V = mat_draw(s, "V", n, t->sh.d, 0);
    const rowmap how = { t->sh.attention, NULL, 1, 1 };
    const place at = { 0, PLACE_ATTENTION, 0 };
    const mat *first = mat_mul(s, mat_rowmap(s, S, &how, at), V), *second = mat_mul(s, mat_rowmap(s, R, &how, at), V);
    const mat *sum = mat_mul(s, mat_rowmap(s, mat_add(s, S, R), &how, at), V);
    claim_reduced(t, 1, (const mat **[]){ &V });
    claim_equal(t, "sum", sum, mat_add(s, first, twice ? first : second));
}
static void sum_of(trial *t)     { additive(t, false); }
static void one_twice(trial *t)  { additive(t, true); }
FALSE_IDENTITY("F-LINEAR", "what holds for linear attention alone is claimed for softmax", small,
               .run = sum_of, .statement = "attention is additive in its scores", .no_minimal = true,
               BROKEN_BY("one-twice", one_twice, "$S$ twice"))
