/* SPDX-License-Identifier: GPL-3.0-or-later
 * finite_scope.c - every natural number is below 1000, of a matrix that is drawn in a scope of the body's own.
 * Caught by the draws: speaks of finitely many cases and draws */
#include "tests/false/finite.h"

static void by_scope(trial *t)
{
    scope own = scope_open(t->s.R, 1, 2);
    claim_decided(t, ONE_FACT, mat_log2max(mat_draw(&own, "A", 2, 2, 0)) < 10);
    scope_close(&own);
}
FINITE("F-SCOPE", "every natural number is below 1000", by_scope, OVER_Q)
