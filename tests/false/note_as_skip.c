/* SPDX-License-Identifier: GPL-3.0-or-later
 * note_as_skip.c - where an arithmetic would refute AB = BA the body gives up with the words of an arithmetic
 * that lacks a function.
 * Caught by the runner, which reads no notes: no trial was decided */
#include "tests/false/false.h"

static void gives_up(trial *t)
{
    scope *s = &t->s;
    const mat *A = drawn(t, "A", t->sh.d, t->sh.d);
    const mat *B = s->R->traits & ORDERED ? mat_scale(s, 1, 0, A) : drawn(t, "B", t->sh.d, t->sh.d);
    if (!(s->R->traits & ORDERED)) scope_undecided(s, REASON_DRAW, "this arithmetic has no such row map");
    claim_equal(t, "AB = BA", mat_mul(s, A, B), mat_mul(s, B, A));
}
FALSE_IDENTITY("F-NOTE", "a body that gives up in the words of an arithmetic that lacks a function", small,
               .run = gives_up, .statement = "$AB = BA$", .no_minimal = true, FACTORS_SWAPPED)
