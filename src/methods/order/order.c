/* SPDX-License-Identifier: GPL-3.0-or-later
 * order.c - signs and order: see order.h. */
#include "src/methods/order/order.h"
#include <math.h>
#include "numerics/arith_arb.h"

static int sign_of(double x) { return (x > 0) - (x < 0); }

/* Balls: a ball without 0 has the sign of its midpoint; one that is 0 and nothing else is exact. */
static int ball_sign(scope *s, const mat *A, long i, long j, mpq_t x)
{
    if (mat_get_exact(x, A, i, j)) return mpq_sgn(x);
    mpq_set_ui(x, 0, 1);
    const int sign = sign_of(mat_get_d(A, i, j));
    if (arith_arb_contains(A, i, j, x) || !sign) {
        scope_undecided(s, REASON_TOO_WIDE, "balls too wide for a sign");
        return 0;
    }
    return sign;
}

int order_sign(scope *s, const mat *A, long i, long j)
{
    REQUIRE(0 <= i && i < A->rows && 0 <= j && j < A->cols, "sign of entry (%ld, %ld) of %ldx%ld", i, j, A->rows,
            A->cols);
    const bool exact = A->R->kind == A_Q, balls = A->R->kind == A_ARB;
    if (!exact && !balls) {
        scope_not_here(s, REASON_NO_ORDER, NULL);
        return 0;
    }
    mpq_t x;
    mpq_init(x);
    int sign = 0;
    if (exact && mat_get_exact(x, A, i, j)) sign = mpq_sgn(x);
    else if (balls) sign = ball_sign(s, A, i, j, x);
    mpq_clear(x);
    return sign;
}

void claim_order(trial *t, const char *what, const mat *A, range where)
{
    bool all = true;
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            const int sign = order_sign(&t->s, A, i, j);
            all &= where == AT_LEAST_ZERO ? sign >= 0 : sign == (int)where;
        }
    if (t->s.status == HOLDS) claim_decided(t, what, all);
}

void order_rationals(fmpq_mat_t to, const mat *A)
{
    mpq_t x;
    REQUIRE(fmpq_mat_nrows(to) == A->rows && fmpq_mat_ncols(to) == A->cols, "%ldx%ld into %ldx%ld", A->rows, A->cols,
            (long)fmpq_mat_nrows(to), (long)fmpq_mat_ncols(to));
    mpq_init(x);
    for (long i = 0; i < A->rows; i++)
        for (long j = 0; j < A->cols; j++) {
            if (!mat_get_exact(x, A, i, j)) {
                const double d = mat_get_d(A, i, j);
                if (isfinite(d)) mpq_set_d(x, d);
                else mpq_set_ui(x, 0, 1);
            }
            fmpq_set_mpq(fmpq_mat_entry(to, i, j), x);
        }
    mpq_clear(x);
}
