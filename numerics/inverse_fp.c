/* SPDX-License-Identifier: GPL-3.0-or-later
 * inverse_fp.c - the inverse of a matrix over F_p: Gauss-Jordan elimination in place and by blocks, so that nearly all
 * of its work is products.
 *
 * Read y = C x as rows.  Exchange the unknowns of the pivots K with their rows: with D = C_KK and the columns
 * L = (I - C_K D^-1; D^-1 in the rows K) of the panel after the exchange, any other columns X become
 *   X_I = X_I - L_I X_K for the rows I outside K,     X_K = -L_K X_K.
 * After all columns are exchanged, x = C y.  A panel of columns is exchanged by halves: the left half, its effect on
 * the right half (one product), the right half, its effect on the left half (one product).  For an n x w panel these
 * cost n w^2 / 2, and half as much a level deeper: n^3 multiply-adds for the inverse.
 *
 * Pivots: the first row below whose entry is not 0; whole rows are swapped.  Where there is none, the columns so far
 * depend on each other: A is singular, and only then.  What is inverted is P A, and A^-1 = (P A)^-1 P: columns are
 * swapped back. */
#include <stdlib.h>
#include <string.h>
#include "numerics/inverse_fp.h"
#include "numerics/plain.h"
#include "numerics/product/product_fp.h"

enum { NARROW = 8 };                      /* columns exchanged one by one; without lanes, 8 to 32 measured the same */

typedef struct {
    nmod_mat_struct *of;                  /* n x n, in place                                       */
    slong n;
    slong *row;                           /* row k was exchanged with row[k] >= k                  */
} exchange;

static mp_limb_t *at(const exchange *x, slong i, slong j) { return &nmod_mat_entry(x->of, i, j); }

static void swap_rows(const exchange *x, slong i, slong k)
{
    for (slong j = 0; i != k && j < x->n; j++) {
        const mp_limb_t t = *at(x, i, j);
        *at(x, i, j) = *at(x, k, j);
        *at(x, k, j) = t;
    }
}

static void swap_cols(const exchange *x, slong j, slong k)
{
    for (slong i = 0; j != k && i < x->n; i++) {
        const mp_limb_t t = *at(x, i, j);
        *at(x, i, j) = *at(x, i, k);
        *at(x, i, k) = t;
    }
}

/* Pivots first .. first + w - 1 within their own w columns. */
static bool narrow(const exchange *x, slong first, slong w)
{
    const nmod_t F = x->of->mod;
    for (slong k = first; k < first + w; k++) {
        slong p = k;
        while (p < x->n && *at(x, p, k) == 0) p++;
        if (p == x->n) return false;
        x->row[k] = p;
        swap_rows(x, k, p);
        const mp_limb_t inverse = nmod_inv(*at(x, k, k), F);
        *at(x, k, k) = 0;                                  /* so that the loops need not leave column k out */
        for (slong i = 0; i < x->n; i++) {
            const mp_limb_t l = nmod_mul(*at(x, i, k), inverse, F);
            if (i == k || l == 0) continue;
            _nmod_vec_scalar_addmul_nmod(at(x, i, first), at(x, k, first), w, nmod_neg(l, F), F);
            *at(x, i, k) = l;
        }
        const mp_limb_t minus = nmod_neg(inverse, F);
        for (slong j = first; j < first + w; j++) *at(x, k, j) = nmod_mul(*at(x, k, j), minus, F);
        *at(x, k, k) = inverse;
    }
    return true;
}

/* What the exchange of the columns a .. a + w - 1 does to the columns b .. b + v - 1. */
static void apply(const exchange *x, slong a, slong w, slong b, slong v)
{
    const nmod_t F = x->of->mod;
    nmod_mat_t L, K, Y;
    nmod_mat_init(Y, x->n, v, F.n);
    nmod_mat_window_init(L, x->of, 0, a, x->n, a + w);
    nmod_mat_window_init(K, x->of, a, b, a + w, b + v);
    product_fp(Y, L, K);
    nmod_mat_window_clear(K);
    nmod_mat_window_clear(L);
    for (slong i = 0; i < x->n; i++)
        for (slong j = 0; j < v; j++) {
            const mp_limb_t old = a <= i && i < a + w ? 0 : *at(x, i, b + j);
            *at(x, i, b + j) = nmod_sub(old, nmod_mat_entry(Y, i, j), F);
        }
    nmod_mat_clear(Y);
}

static bool exchange_columns(const exchange *x, slong first, slong w)
{
    if (w <= NARROW) return narrow(x, first, w);
    const slong left = w / 2, right = w - left;
    if (!exchange_columns(x, first, left)) return false;
    apply(x, first, left, first + left, right);
    if (!exchange_columns(x, first + left, right)) return false;
    apply(x, first + left, right, first, left);
    return true;
}

bool inverse_fp(nmod_mat_t C, const nmod_mat_t A)
{
    const slong n = nmod_mat_nrows(A);
    if (plain_only()) return nmod_mat_inv(C, A);
    const exchange x = { .of = C, .n = n, .row = must_calloc((size_t)n, sizeof(slong)) };
    if (C != A) nmod_mat_set(C, A);
    const bool regular = exchange_columns(&x, 0, n);
    for (slong k = n - 1; regular && k >= 0; k--) swap_cols(&x, k, x.row[k]);
    free(x.row);
    return regular;
}
