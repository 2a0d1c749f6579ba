/* SPDX-License-Identifier: GPL-3.0-or-later
 * left_out.c - the first five tokens are all tokens: checked where there are numbers and left out where there are
 * symbols, so that the derivation for all sizes shows (X A) B = X (A B) alone; and the control breaks that.
 * Stays below proved, for a derivation of the rest alone: no derivation for all sizes or leaves out `the first tokens` */
#include "tests/false/false.h"

/* X with what comes after the fifth row cut off */
static const mat *first_five(scope *s, const mat *X)
{
    if (X->rows <= 5) return X;
    const mat *piece[] = { mat_rows(s, X, 0, 5), mat_zero(s, X->rows - 5, X->cols) };
    return mat_vcat(s, 2, piece);
}

static void tokens(trial *t, bool in_order)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", t->sh.n, t->sh.d, 0), *A = drawn(t, "A", t->sh.d, t->sh.d);
    const mat *B = drawn(t, "B", t->sh.d, t->sh.d), *AB = in_order ? mat_mul(s, A, B) : mat_mul(s, B, A);
    claim_reduced(t, 1, (const mat **[]){ &AB });
    const mat *XAB = mat_mul(s, mat_mul(s, X, A), B);
    claim_equal(t, "X (A B) = (X A) B", mat_mul(s, X, AB), XAB);
    if (!claim_over(t, OVER_ENTRIES)) return;
    claim_equal(t, "the first tokens", mat_mul(s, first_five(s, X), AB), XAB);
}
static void five(trial *t)            { tokens(t, true); }
static void factors_swapped(trial *t) { tokens(t, false); }
FALSE_IDENTITY("F-LEFT-OUT", "the first five tokens are all tokens", small,
               .run = five, .statement = "five tokens are all",
               BROKEN_BY("swapped", factors_swapped, "the factors change places"))
