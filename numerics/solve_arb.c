/* SPDX-License-Identifier: GPL-3.0-or-later
 * solve_arb.c - certified solutions of A X = B: an approximate inverse of few bits, and a bound on what it misses.
 *
 * Theorem.  Let R and Y be real, A' a real n x n matrix in A, B' in B, let E hold I - R A', and G hold R (B' - A' Y).
 * If q = |E|_inf < 1, then A' is invertible, and D = A'^-1 B' - Y satisfies, column by column,
 *   D = G' + E' D,  G' in G, E' in E,      |E' D|_ij <= (|E| 1)_i max_k |G_kj| / (1 - q).
 * Proof.  R A' = I - E' is invertible (Neumann's series), so A' is.  R A' D = R (B' - A' Y) is D - E' D = G'.  So
 * max |D_j| <= max |G_j| + q max |D_j|, and |E' D|_ij <= (|E| 1)_i max |D_j|.
 * (Krawczyk 1969; Rump, Verification methods, Acta Numerica 19, 2010.)
 *
 * So Y + G, widened by the last bound, holds A'^-1 B'.  For few columns R has few bits: Y + R (B - A Y) repeated gains
 * |log2 q| bits each time, at the price of the columns of B, where a better inverse takes products of n columns. */
#include "numerics/solve_arb.h"
#include <math.h>
#include <stdlib.h>
#include "numerics/balls.h"
#include "numerics/inverse_arb.h"
#include "numerics/inverse_arb_parts.h"
#include "numerics/plain.h"
#include "numerics/product/product_arb.h"

#define EACH(A, i, j) for (slong i = 0; i < arb_mat_nrows(A); i++) for (slong j = 0; j < arb_mat_ncols(A); j++)
enum { FEW = 30,                         /* bits of R: what doubles give where A is well conditioned */
       SPARE = 10, LEAST_GAIN = 2 };

static slong bits_of_inverse(slong n, slong k, slong prec) { return 8 * k > n ? prec / 2 + SPARE : FEW; }

/* G = R (B - A Y) */
static void correction(arb_mat_t G, const arb_mat_t R, const arb_mat_t A, const arb_mat_t B, const arb_mat_t Y,
                       slong use, slong prec)
{
    arb_mat_t left;
    arb_mat_init(left, arb_mat_nrows(B), arb_mat_ncols(B));
    product_arb(left, A, Y, use);
    arb_mat_sub(left, B, left, use);
    product_arb(G, R, left, prec);
    arb_mat_clear(left);
}

/* Y with A Y about B, from 0; all exact. */
static void refine(arb_mat_t Y, const arb_mat_t R, const arb_mat_t A, const arb_mat_t B, slong steps, slong use)
{
    arb_mat_t G;
    arb_mat_init(G, arb_mat_nrows(B), arb_mat_ncols(B));
    arb_mat_zero(Y);
    for (slong k = 0; k < steps; k++) {
        correction(G, R, A, B, Y, use, use);
        arb_mat_add(Y, Y, G, use);
        arb_mat_get_mid(Y, Y);
    }
    arb_mat_clear(G);
}

/* The bound of the theorem, to the radii of X = Y + G; false: q is not below 1. */
static bool widen(arb_mat_t X, const arb_mat_t E, const arb_mat_t G)
{
    const slong n = arb_mat_nrows(E);
    mag_ptr sum = _mag_vec_init(n);
    mag_t q, room, x, top;
    mag_init(q); mag_init(room); mag_init(x); mag_init(top);
    balls_weighted_rows(sum, E, NULL);
    for (slong i = 0; i < n; i++) mag_max(q, q, sum + i);
    const bool contracts = mag_cmp_2exp_si(q, 0) < 0;
    mag_one(room);
    if (contracts) mag_sub_lower(room, room, q);
    for (slong j = 0; contracts && j < arb_mat_ncols(X); j++) {
        mag_zero(top);
        for (slong i = 0; i < n; i++) {
            arb_get_mag(x, arb_mat_entry(G, i, j));
            mag_max(top, top, x);
        }
        mag_div(top, top, room);
        for (slong i = 0; i < n; i++) mag_addmul(arb_radref(arb_mat_entry(X, i, j)), sum + i, top);
    }
    mag_clear(top); mag_clear(x); mag_clear(room); mag_clear(q);
    _mag_vec_clear(sum, n);
    return contracts;
}

static double log2centre(const arb_mat_t E)
{
    arb_mat_t centre;
    arb_mat_init(centre, arb_mat_nrows(E), arb_mat_ncols(E));
    arb_mat_get_mid(centre, E);
    const double log2 = balls_log2norm(centre);
    arb_mat_clear(centre);
    return log2;
}

/* A is well scaled, X another matrix than B. */
static bool solve(arb_mat_t X, const arb_mat_t A, const arb_mat_t B, slong prec)
{
    const slong n = arb_mat_nrows(A), k = arb_mat_ncols(B), few = bits_of_inverse(n, k, prec);
    arb_mat_t M, centres, R, E, G;
    arb_mat_init(M, n, n);
    arb_mat_init(centres, n, k);
    arb_mat_init(R, n, n);
    arb_mat_init(E, n, n);
    arb_mat_init(G, n, k);
    arb_mat_get_mid(M, A);
    arb_mat_get_mid(centres, B);
    bool good = inverse_approximate(R, M, few);
    if (good) {
        const double lost = fmax(balls_log2norm(R) + balls_log2norm(M), 0);
        const slong use = prec + (slong)lost + SPARE;
        inverse_residual(E, R, A, 2 * few + (slong)lost + SPARE);
        const double gain = -log2centre(E);
        good = gain > LEAST_GAIN && lost < 64 * (double)(prec + few);
        if (good) {
            refine(X, R, M, centres, (slong)ceil((double)(prec + SPARE) / fmin(gain, 2 * (double)few)), use);
            correction(G, R, A, B, X, use, prec);
            arb_mat_add(X, X, G, prec);
            good = widen(X, E, G);
        }
    }
    arb_mat_clear(G);
    arb_mat_clear(E);
    arb_mat_clear(R);
    arb_mat_clear(centres);
    arb_mat_clear(M);
    return good;
}

bool solve_arb_by_products(arb_mat_t X, const arb_mat_t A, const arb_mat_t B, slong prec)
{
    const slong n = arb_mat_nrows(A), k = arb_mat_ncols(B);
    REQUIRE(arb_mat_ncols(A) == n && arb_mat_nrows(B) == n && arb_mat_nrows(X) == n && arb_mat_ncols(X) == k,
            "%ld x %ld times %ld x %ld is %ld x %ld", n, arb_mat_ncols(A), arb_mat_nrows(X), arb_mat_ncols(X),
            arb_mat_nrows(B), k);
    slong *row = must_calloc((size_t)n, sizeof *row), *col = must_calloc((size_t)n, sizeof *col);
    arb_mat_t scaled, right, Y;
    arb_mat_init(scaled, n, n);
    arb_mat_init(right, n, k);
    arb_mat_init(Y, n, k);
    bool good = inverse_equilibrate(scaled, row, col, A);
    if (good) {                          /* (D A' D') X = B: A' (D' X) = D^-1 B */
        EACH(B, i, j) arb_mul_2exp_si(arb_mat_entry(right, i, j), arb_mat_entry(B, i, j), -row[i]);
        good = solve(Y, scaled, right, prec);
    }
    if (good) EACH(X, i, j) arb_mul_2exp_si(arb_mat_entry(X, i, j), arb_mat_entry(Y, i, j), -col[i]);
    arb_mat_clear(Y);
    arb_mat_clear(right);
    arb_mat_clear(scaled);
    free(col);
    free(row);
    return good;
}

bool solve_arb(arb_mat_t X, const arb_mat_t A, const arb_mat_t B, slong prec)
{
    if (!arb_mat_is_finite(A) || !arb_mat_is_finite(B)) return false;
    if (!plain_only() && arb_mat_nrows(A) >= INVERSE_ARB_PRODUCTS && solve_arb_by_products(X, A, B, prec)) return true;
    return arb_mat_solve(X, A, B, prec);
}
