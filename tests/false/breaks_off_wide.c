/* SPDX-License-Identifier: GPL-3.0-or-later
 * breaks_off_wide.c - the first h d_k columns of A are all of A: where d is another width the body breaks off.
 * Caught by the width that it does not take: d = h d_k */
#include "tests/false/false.h"
static void columns(trial *t, bool swapped)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d), *B = drawn(t, "B", t->sh.d, t->sh.d), *Bt = mat_t(s, B);
    const mat *first = mat_t(s, mat_cols(s, A, 0, t->sh.h * t->sh.dk)), *left = mat_t(s, mat_mul(s, A, B));
    claim_reduced(t, 1, (const mat **[]){ &Bt });
    claim_equal(t, "product", left, swapped ? mat_mul(s, first, Bt) : mat_mul(s, Bt, first));
}
static void all_columns(trial *t) { columns(t, false); }
static void exchanged(trial *t)   { columns(t, true); }
FALSE_IDENTITY("F-BREAKS-WIDE", "a body that breaks off at other widths", small, .run = all_columns,
               .statement = "$(AB)^\\top = B^\\top A_1^\\top$ with the first $h d_k$ columns $A_1$ of $A$",
               BROKEN_BY("exchanged", exchanged, "the factors change places"))
