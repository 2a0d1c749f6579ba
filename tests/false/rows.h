/* SPDX-License-Identifier: GPL-3.0-or-later
 * rows.h - statements about the rows of X, as many as one of the sizes: true or false for some of them. */
#ifndef FALSE_ROWS_H
#define FALSE_ROWS_H
#include "tests/false/false.h"

static inline void claim_rows(trial *t, const mat *some, const mat *all)       /* some (A B) = (all A) B              */
{
    scope *s = &t->s;
    const long d = t->sh.d;
    const mat *A = mat_draw(s, "A", d, d, 0), *B = mat_draw(s, "B", d, d, 0), *AB = mat_mul(s, A, B);
    claim_reduced(t, 1, (const mat **[]){ &AB });
    claim_equal(t, "the rows", mat_mul(s, some, AB), mat_mul(s, mat_mul(s, all, A), B));
}

/* X (n x d) with what comes after the first rows cut off, `most` of them. */
static inline void first_rows(trial *t, long n, long most)
{
    scope *s = &t->s;
    const long d = t->sh.d, some = n < most ? n : most;
    const mat *X = mat_draw(s, "X", n, d, 0), *top = mat_rows(s, X, 0, some), *both = top;
    if (some < n) both = mat_vcat(s, 2, (const mat *[]){ top, mat_zero(s, n - some, d) });
    claim_rows(t, both, X);
}

/* Its second row, 0 where there is none, is that row: the last of the first `most`. */
static inline void second_row(trial *t, long n, long most)
{
    scope *s = &t->s;
    const mat *X = mat_draw(s, "X", n, t->sh.d, 0), *last = mat_rows(s, X, n < most ? n - 1 : most - 1, 1);
    claim_rows(t, n > 1 ? mat_rows(s, X, 1, 1) : mat_zero(s, 1, t->sh.d), last);
}
#endif
