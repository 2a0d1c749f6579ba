/* SPDX-License-Identifier: GPL-3.0-or-later
 * bytes.c - own_record.c by bytes: the trial is as it was before the check that fails.
 * Caught by the text of the body: it takes no object by its bytes */
#include <string.h>
#include "tests/false/false.h"
static void taken_back(trial *t)
{
    scope *s = &t->s;
    void *before = scope_alloc(s, sizeof *t);
    const mat *C = drawn(t, "C", 3, 3), *D = drawn(t, "D", 3, 3), *E = drawn(t, "E", 3, 3);
    claim_sum(t, "sum");
    const mat *CD = mat_mul(s, C, D);
    memcpy(before, t, sizeof *t);
    claim_equal(t, "sum", CD, E);
    memcpy(t, before, sizeof *t);
}
FALSE_IDENTITY("F-BYTES", "CD = E", small, .run = taken_back, .statement = "$CD = E$", PRODUCT_FOR_SUM)
