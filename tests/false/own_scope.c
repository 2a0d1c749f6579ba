/* SPDX-License-Identifier: GPL-3.0-or-later
 * own_scope.c - every number is below 1000, of finitely many, that a scope of the body's own draws.
 * Caught by the text of the body: a body has one scope */
#include "tests/false/false.h"

static void below(trial *t, long bound)
{
    scope own = scope_open(t->s.R, t->seed, 1);
    const mat *x = mat_draw(&own, "x", 1, 1, 0);
    claim_decided(t, "x < 1000", mat_get_d(x, 0, 0) < (double)bound);
    scope_close(&own);
}
static void thousand(trial *t) { below(t, 1000); }
static void small_bound(trial *t) { below(t, -1000); }
FALSE_IDENTITY("F-OWN-SCOPE", "every number is below 1000", small, .run = thousand, .about = ABOUT_FINITE,
               .statement = "$x < 1000$", .no_minimal = true, .without = "f64 mpfr fp sym",
               .why_without = "numbers are exact there, or balls",
               BROKEN_BY("smaller", small_bound, "$x < -1000$"))
