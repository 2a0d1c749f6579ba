/* SPDX-License-Identifier: GPL-3.0-or-later
 * ldl.c - M = L D L' without exchanges of rows: see ldl.h.
 *
 *     M = ( p  r' ) = ( 1    0 ) ( p   0 ) ( 1  l' ),     l = r / p,  S = Q - l p l'.
 *         ( r  Q  )   ( l    I ) ( 0   S ) ( 0  I  )
 *
 * p > 0: continue with S.  p < 0: y = e_1.  p = 0 and r = 0: l = 0, continue with Q.  p = 0, r_j != 0: y = c e_1 + e_j
 * with 2 c r_j + Q_jj = -1.  A y with y S y' < 0 gives x = (0 | y) L^-1.                                   */
#include "src/methods/order/ldl.h"

/* The first j > 0 with S_j0 != 0, or 0. */
static long below_pivot(scope *s, const mat *S)
{
    for (long j = 1; j < S->rows; j++) if (order_sign(s, S, j, 0)) return j;
    return 0;
}

static const mat *negative_direction(scope *s, const mat *S, long j)        /* y; j = 0: p < 0 */
{
    const mat *one = mat_identity(s, 1), *first = mat_unit(s, 1, S->rows, 0, 0);
    if (!j) return first;
    const mat *r = mat_entry(s, S, j, 0), *more = mat_add(s, mat_entry(s, S, j, j), one);
    const mat *c = mat_mul(s, mat_neg(s, more), mat_inv(s, mat_add(s, r, r)));
    return mat_add(s, mat_mul(s, c, first), mat_unit(s, 1, S->rows, 0, j));
}

/* Column k of L: k zeros, 1, l. */
static const mat *column(scope *s, long k, const mat *l)
{
    const mat *block_of[3];
    long n = 0;
    if (k) block_of[n++] = mat_zero(s, k, 1);
    block_of[n++] = mat_identity(s, 1);
    if (l) block_of[n++] = l;
    return mat_vcat(s, n, block_of);
}

ldl ldl_of(scope *s, const mat *M)
{
    REQUIRE(M->rows == M->cols && M->rows <= LDL_MOST, "L D L' of %ldx%ld", M->rows, M->cols);
    const long n = M->rows;
    const mat *L[LDL_MOST], *D[LDL_MOST], *S = M;
    for (long k = 0; k < n; k++) {
        const long m = n - k;
        const int sign = order_sign(s, S, 0, 0);
        const long j = sign == 0 ? below_pivot(s, S) : 0;
        if (s->status != HOLDS) return (ldl){ .is = UNDECIDED };
        if (sign < 0 || j) {
            const mat *y = negative_direction(s, S, j);
            for (long i = k; i < n; i++) L[i] = mat_cols(s, mat_identity(s, n), i, 1);
            const mat *x = k ? mat_hcat(s, 2, (const mat *const[]){ mat_zero(s, 1, k), y }) : y;
            return (ldl){ .is = REFUTED, .x = mat_mul(s, x, mat_inv(s, mat_hcat(s, n, L))) };
        }
        const mat *p = D[k] = mat_entry(s, S, 0, 0), *l = NULL;
        if (m > 1 && sign) {
            l = mat_mul(s, mat_rows(s, mat_cols(s, S, 0, 1), 1, m - 1), mat_inv(s, p));
            S = mat_sub(s, mat_rows(s, mat_cols(s, S, 1, m - 1), 1, m - 1), mat_mul3(s, l, p, mat_t(s, l)));
        } else if (m > 1) {
            l = mat_zero(s, m - 1, 1);
            S = mat_rows(s, mat_cols(s, S, 1, m - 1), 1, m - 1);
        }
        L[k] = column(s, k, l);
    }
    return (ldl){ .is = HOLDS, .L = mat_hcat(s, n, L), .D = mat_blockdiag(s, n, D) };
}

void claim_semidefinite(trial *t, const mat *M)
{
    scope *s = &t->s;
    const ldl f = ldl_of(s, M);
    if (f.is == UNDECIDED) return;
    claim_equal(t, "M is symmetric", M, mat_t(s, M));
    if (f.is == REFUTED) {
        claim_order(t, "M is positive semidefinite", mat_mul3(s, f.x, M, mat_t(s, f.x)), AT_LEAST_ZERO);
        return;
    }
    claim_equal(t, "M = L D L'", M, mat_mul3(s, f.L, f.D, mat_t(s, f.L)));
    claim_order(t, "M is positive semidefinite", f.D, AT_LEAST_ZERO);        /* D >= 0 */
}

void claim_not_semidefinite(trial *t, const mat *M)
{
    scope *s = &t->s;
    const ldl f = ldl_of(s, M);
    if (f.is == UNDECIDED) return;
    claim_equal(t, "M is symmetric", M, mat_t(s, M));
    if (f.is == REFUTED) claim_order(t, "x M x' < 0", mat_mul3(s, f.x, M, mat_t(s, f.x)), BELOW_ZERO);
    else claim_decided(t, "x M x' < 0", false);
}
