/* SPDX-License-Identifier: GPL-3.0-or-later
 * rank_fp.c - the rank of a matrix over F_p: elimination by blocks, so that nearly all of its work is products.
 *
 * A is turned into a row echelon form from left to right.  A panel of columns is eliminated by halves: the left half,
 * what its pivots do to the right half, the right half.  With the multipliers L, unit lower triangular in the rows K of
 * the pivots, the columns X to the right become
 *   X_K = L_K^-1 X_K,     X_I = X_I - L_I X_K for the rows I below,
 * and L_K^-1 is applied by halves too.  A column without a pivot is 0 below the pivots so far and stays so: it is
 * passed over, and L has a column for each pivot only.
 *
 * Source: Jeannerod, Pernet and Storjohann, "Rank-profile revealing Gaussian elimination and the CUP matrix
 * decomposition", J. Symbolic Comput. 56 (2013); here without their storage in place. */
#include "numerics/rank_fp.h"
#include "numerics/plain.h"
#include "numerics/product/product_fp.h"

enum { NARROW = 8 };                                       /* columns eliminated one by one */

typedef struct {
    nmod_mat_t of, L;                                      /* L: as many rows, a column for each pivot */
    slong m, n;
} elimination;

/* y = y - l x, n entries. */
static void subtract_multiple(mp_limb_t *y, const mp_limb_t *x, slong n, mp_limb_t l, nmod_t F)
{
    if (l) _nmod_vec_scalar_addmul_nmod(y, x, n, nmod_neg(l, F), F);
}

/* Pivots from row `first` on within the columns c .. c + w - 1; how many there are. */
static slong narrow(elimination *e, slong first, slong c, slong w)
{
    const nmod_t F = e->of->mod;
    slong k = first;
    for (slong j = c; j < c + w && k < e->m; j++) {
        slong p = k;
        while (p < e->m && nmod_mat_entry(e->of, p, j) == 0) p++;
        if (p == e->m) continue;
        nmod_mat_swap_rows(e->of, NULL, k, p);
        nmod_mat_swap_rows(e->L, NULL, k, p);
        const mp_limb_t inverse = nmod_inv(nmod_mat_entry(e->of, k, j), F);
        for (slong i = k + 1; i < e->m; i++) {
            const mp_limb_t l = nmod_mul(nmod_mat_entry(e->of, i, j), inverse, F);
            nmod_mat_entry(e->L, i, k) = l;
            subtract_multiple(&nmod_mat_entry(e->of, i, j), &nmod_mat_entry(e->of, k, j), c + w - j, l, F);
        }
        k++;
    }
    return k - first;
}

/* X_I = X_I - L_I X_K for the rows I = from .. to - 1, the pivots K = a .. a + k - 1, the columns b .. b + v - 1. */
static void subtract(elimination *e, slong from, slong to, slong a, slong k, slong b, slong v)
{
    if (from >= to || k == 0 || v == 0) return;
    nmod_mat_t L, X, I, Y;
    nmod_mat_init(Y, to - from, v, e->of->mod.n);
    nmod_mat_window_init(L, e->L, from, a, to, a + k);
    nmod_mat_window_init(X, e->of, a, b, a + k, b + v);
    nmod_mat_window_init(I, e->of, from, b, to, b + v);
    product_fp(Y, L, X);
    nmod_mat_sub(I, I, Y);
    nmod_mat_window_clear(I);
    nmod_mat_window_clear(X);
    nmod_mat_window_clear(L);
    nmod_mat_clear(Y);
}

/* X_K = L_K^-1 X_K. */
static void solve(elimination *e, slong a, slong k, slong b, slong v)
{
    if (k > NARROW) {
        const slong half = k / 2;
        solve(e, a, half, b, v);
        subtract(e, a + half, a + k, a, half, b, v);
        solve(e, a + half, k - half, b, v);
        return;
    }
    for (slong p = a; p < a + k && v; p++)
        for (slong i = p + 1; i < a + k; i++)
            subtract_multiple(&nmod_mat_entry(e->of, i, b), &nmod_mat_entry(e->of, p, b), v,
                              nmod_mat_entry(e->L, i, p), e->of->mod);
}

static slong eliminate(elimination *e, slong first, slong c, slong w)
{
    if (w <= NARROW) return narrow(e, first, c, w);
    const slong left = w / 2, right = w - left;
    const slong k = eliminate(e, first, c, left);
    solve(e, first, k, c + left, right);
    subtract(e, first + k, e->m, first, k, c + left, right);
    return k + eliminate(e, first + k, c + left, right);
}

slong rank_fp(const nmod_mat_t A)
{
    elimination e = { .m = nmod_mat_nrows(A), .n = nmod_mat_ncols(A) };
    if (plain_only()) return nmod_mat_rank(A);
    nmod_mat_init_set(e.of, A);
    nmod_mat_init(e.L, e.m, e.m < e.n ? e.m : e.n, A->mod.n);
    const slong rank = eliminate(&e, 0, 0, e.n);
    nmod_mat_clear(e.L);
    nmod_mat_clear(e.of);
    return rank;
}
