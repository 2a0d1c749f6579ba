/* SPDX-License-Identifier: GPL-3.0-or-later
 * stand_in.c - softmax has rows of sum 1, which is "refuted" over Q, where linear attention stands in its place.
 * Caught by the functions of the paper, which Q has not: the witness is neither exact nor certified */
#include "tests/false/false.h"
static void sum_of_rows(trial *t, bool apart)
{
    scope *s = &t->s;
    const mat *X = drawn(t, "X", t->sh.n, t->sh.n), *one = mat_ones(s, t->sh.n, 1);
    const rowmap how = { .kind = t->sh.attention, .scale_num = 1, .scale_den = 1 };
    const mat *P = mat_rowmap(s, X, &how, (place){ 0, PLACE_ATTENTION, 0 });
    if (apart) claim_differs(t, "sum of rows", mat_mul(s, P, one), one);
    else claim_differs(t, "sum of rows", mat_mul(s, P, one), mat_mul3(s, P, mat_t(s, mat_identity(s, t->sh.n)), one));
}
static void is_not_one(trial *t) { sum_of_rows(t, true); }
static void itself(trial *t)     { sum_of_rows(t, false); }
FALSE_COUNTEREXAMPLE("F-STAND-IN", "rows of softmax have sum 1", small, .run = is_not_one, .no_minimal = true,
                     .statement = "rows of softmax have sum 1", ABOUT_QUANTITY("softmax", "sum of rows"),
                     RATIONALS_ONLY("exactly"), BROKEN_BY("itself", itself, "the same sum twice"))
