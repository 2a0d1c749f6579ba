/* SPDX-License-Identifier: GPL-3.0-or-later
 * hull_claim.c - membership in a hull as a check of a trial: see hull.h. */
#include <math.h>
#include "numerics/arith_arb.h"
#include "src/methods/order/hull.h"

/* w, its largest entry scaled to about 1 and rounded to 2^-40, as a matrix of s. */
static const mat *rounded(scope *s, const fmpq_mat_t w)
{
    const long d = fmpq_mat_nrows(w);
    int64_t *m = scope_alloc(s, (size_t)d * sizeof *m);
    double top = 0;
    for (int pass = 0; pass < 2; pass++)
        for (long i = 0; i < d; i++) {
            const double x = fmpq_get_d(fmpq_mat_entry(w, i, 0));
            if (!pass) top = fmax(top, fabs(x));
            else if (top > 0) m[i] = (int64_t)llround(ldexp(x / top, 40));
        }
    return mat_dyadic(s, d, 1, m, -40);
}

/* Over arb: is (z - x_j) w certainly positive for every j? */
static bool separated_in_balls(scope *s, const mat *X, const mat *z, const fmpq_mat_t found)
{
    const mat *w = rounded(s, found);
    const mat *gap = mat_sub(s, mat_mul(s, mat_ones(s, X->rows, 1), mat_mul(s, z, w)), mat_mul(s, X, w));
    mpq_t zero;
    mpq_init(zero);
    bool good = true;
    for (long j = 0; j < X->rows; j++)
        good &= !arith_arb_contains(gap, j, 0, zero) && mat_get_d(gap, j, 0) > 0;
    mpq_clear(zero);
    return good;
}

/* HOLDS: inside; REFUTED: outside; over arb the first is no proof and reads UNDECIDED. */
static truth row_in_hull(scope *s, const mat *X, const mat *Z, long i)
{
    REQUIRE(X->cols == Z->cols, "points of %ldx%ld and of %ldx%ld", X->rows, X->cols, Z->rows, Z->cols);
    const mat *z = mat_rows(s, Z, i, 1);
    fmpq_mat_t points, point;
    fmpq_mat_init(points, X->rows, X->cols);
    fmpq_mat_init(point, 1, X->cols);
    order_rationals(points, X);
    order_rationals(point, z);
    hull h = hull_decide(points, point);
    truth is = h.is;
    if (s->R->kind != A_Q)
        is = h.is == REFUTED && separated_in_balls(s, X, z, h.w) ? REFUTED : UNDECIDED;
    hull_clear(&h);
    fmpq_mat_clear(points);
    fmpq_mat_clear(point);
    return is;
}

static bool has_order(scope *s)
{
    if (s->R->kind == A_ARB || s->R->kind == A_Q) return true;
    scope_not_here(s, REASON_NO_ORDER, NULL);
    return false;
}

void claim_in_hull(trial *t, const mat *X, const mat *Z, const mat *B)
{
    scope *s = &t->s;
    bool outside = false, inside = true;
    if (!has_order(s)) return;
    for (long i = 0; i < Z->rows; i++) {
        const truth is = row_in_hull(s, X, Z, i);
        outside |= is == REFUTED;
        inside &= is == HOLDS;
    }
    if (outside || s->R->kind == A_Q) {
        claim_decided(t, "every row lies in the hull", inside);
        return;
    }
    claim_order(t, "B >= 0", B, AT_LEAST_ZERO);
    claim_equal(t, "B 1 = 1", mat_mul(s, B, mat_ones(s, X->rows, 1)), mat_ones(s, Z->rows, 1));
    claim_equal(t, "every row lies in the hull", mat_mul(s, B, X), Z);      /* B X = Z with such a B says so */
}

void claim_outside_hull(trial *t, const mat *X, const mat *Z)
{
    scope *s = &t->s;
    if (!has_order(s)) return;
    truth is = HOLDS;
    for (long i = 0; i < Z->rows && is != REFUTED; i++) {
        const truth row = row_in_hull(s, X, Z, i);
        if (row != HOLDS) is = row;
    }
    if (is == UNDECIDED) scope_undecided(s, REASON_TOO_WIDE, "no separation found in balls");
    else claim_decided(t, "some row lies outside the hull", is == REFUTED);
}
