/* SPDX-License-Identifier: GPL-3.0-or-later
 * inverse_arb.c - the certified inverse of a matrix of balls: an approximate inverse R, then a bound on what it misses.
 *
 * Theorem.  Let R be real, A' a real n x n matrix in A, and let the matrix E of balls hold I - R A'.  If
 * q = |E|_inf < 1, then A' and R are invertible, and with E' = I - R A'
 *   A'^-1 = R + E' R + E'^2 A'^-1,    |E'^2 A'^-1|_ij <= (|E| (|E| 1))_i  max_k |R_kj| / (1 - q).
 * Proof.  |E'|_inf <= q < 1, so R A' = I - E' is invertible (Neumann's series), and so are both factors, being square.
 * R A' = I - E' also says A'^-1 = R + E' A'^-1; put this into its own right side.  Column j of A'^-1, y, satisfies
 * y = R_j + E' y, so max |y| <= max |R_j| + q max |y|: this is max |y| <= max |R_j| / (1 - q).  And
 * |E'^2 y|_i <= (|E| (|E| 1))_i max |y|.
 * So C = R + E R, computed with balls, with the last bound added to its radii, holds A'^-1 (the idea: Krawczyk 1969;
 * Rump, Verification methods, Acta Numerica 19, 2010).  Nothing is asked of R, so nothing that finds it needs a bound:
 * it comes from LAPACK in doubles and is refined by R + (I - R A) R, Newton's iteration (Schulz 1933), whose last step
 * is the enclosure itself: R needs half of the bits only, and its error squared is the last term.
 *
 * Where A is too close to singular for doubles, R A is computed in more bits, inverted in doubles, and multiplied to R
 * again: each round takes a factor of about 2^50 from the condition number (Rump, Inversion of extremely
 * ill-conditioned matrices in floating-point, Japan J. Indust. Appl. Math. 26, 2009). */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include "numerics/balls.h"
#include "numerics/inverse_arb.h"
#include "numerics/inverse_arb_parts.h"
#include "numerics/plain.h"
#include "numerics/product/product_arb.h"
#include "numerics/rows_threads.h"

enum { SPARE = 10 };                                        /* bits beside those that a bound asks for */

/* ---- powers of two ----------------------------------------------------------------------- */

enum { FAR = 1 << 30 };

/* A_ij = 2^(row_i + col_j) B_ij, exactly, the largest centres of the columns of B in [1/2, 1), those of its rows about
 * so: the entries of A may lie far beyond the doubles.  false: a row or column of centres is zero, a centre is not
 * finite, or an exponent is beyond 2^30. */
bool inverse_equilibrate(arb_mat_t B, slong *row, slong *col, const arb_mat_t A)
{
    const slong n = arb_mat_nrows(A);
    for (slong k = 0; k < n; k++) row[k] = col[k] = 0;
    for (int sweep = 0; sweep < 4; sweep++)                /* rows, columns, rows, columns */
        for (slong i = 0; i < n; i++) {
            slong top = -FAR;
            for (slong j = 0; j < n; j++) {
                arf_srcptr x = arb_midref(sweep % 2 ? arb_mat_entry(A, j, i) : arb_mat_entry(A, i, j));
                const slong e = arf_abs_bound_lt_2exp_si(x);
                if (arf_is_zero(x)) continue;
                if (e <= -FAR || e >= FAR) return false;
                if (e - (sweep % 2 ? row : col)[j] > top) top = e - (sweep % 2 ? row : col)[j];
            }
            if (top == -FAR) return false;
            (sweep % 2 ? col : row)[i] = top;
        }
    EACH_ROW_OF(n, n, i)
        for (slong j = 0; j < n; j++) arb_mul_2exp_si(arb_mat_entry(B, i, j), arb_mat_entry(A, i, j), -row[i] - col[j]);
    return true;
}

/* A = D B D' has the inverse D'^-1 B^-1 D^-1. */
static void scale_back(arb_mat_t C, const slong *row, const slong *col)
{
    const slong n = arb_mat_nrows(C);
    EACH_ROW_OF(n, n, i)
        for (slong j = 0; j < n; j++) arb_mul_2exp_si(arb_mat_entry(C, i, j), arb_mat_entry(C, i, j), -col[i] - row[j]);
}

/* ---- the approximate inverse: centres only ------------------------------------------------ */

static void centres_of_product(arb_mat_t C, const arb_mat_t A, const arb_mat_t B, slong prec)
{
    product_arb(C, A, B, prec);
    balls_get_mid(C, C);
}

/* The inverse of doubles next to P; false: none is finite.  The last six bits are drawn, and a pivot of 0 becomes
 * one of them: were P's rows i and k the same doubles, columns i and k of X could be opposite to the last bit, X itself
 * singular, and no later round could mend that. */
static bool inverse_in_doubles(arb_mat_t X, const arb_mat_t P)
{
    const slong n = arb_mat_nrows(P);
    const size_t size = (size_t)(n * n);
    double *x = must_calloc(size, sizeof *x), top = 0;
    lapack_int *pivot = must_calloc((size_t)n, sizeof *pivot), order = (lapack_int)n;
    bool good = true;
    EACH_ROW_OF(n, n, i)
        for (slong j = 0; j < n; j++) {                    /* by columns */
            const uint64_t draw = ((uint64_t)(i * n + j) + 1) * 0x9e3779b97f4a7c15u;
            const double bits = (double)((int)((draw ^ draw >> 32) * 0xd6e8feb86659fd93u >> 58) - 32) * 0x1p-52;
            x[i + j * n] = arf_get_d(arb_midref(arb_mat_entry(P, i, j)), ARF_RND_NEAR) * (1 + bits);
        }
    for (size_t k = 0; k < size; k++) {
        good &= isfinite(x[k]);
        top = fmax(top, fabs(x[k]));
    }
    if (good && LAPACKE_dgetrf(LAPACK_COL_MAJOR, order, order, x, order, pivot) > 0)
        for (slong k = 0; k < n; k++)
            if (x[k + k * n] == 0) x[k + k * n] = top * 0x1p-52;
    good = good && LAPACKE_dgetri(LAPACK_COL_MAJOR, order, x, order, pivot) == 0;
    for (size_t k = 0; k < size; k++) good &= isfinite(x[k]);
    if (good) EACH_ROW_OF(n, n, i) for (slong j = 0; j < n; j++) arb_set_d(arb_mat_entry(X, i, j), x[i + j * n]);
    free(pivot);
    free(x);
    return good;
}

/* E = I - R A */
void inverse_residual(arb_mat_t E, const arb_mat_t R, const arb_mat_t A, slong prec)
{
    product_arb(E, R, A, prec);
    balls_neg(E, E);
    for (slong i = 0; i < arb_mat_nrows(E); i++) arb_add_ui(arb_mat_entry(E, i, i), arb_mat_entry(E, i, i), 1, prec);
}

/* Bits that R A loses where it cancels to I, |A|_inf <= 2^size; more than `most`: too many. */
static slong cancelled(const arb_mat_t R, double size, slong most)
{
    const double bits = balls_log2norm(R) + size;
    return bits < (double)most ? (slong)fmax(ceil(bits), 0) : most + 1;
}

/* What doubles may lose and be mended. */
static slong most_bits_lost(slong half) { return 4 * half + 200; }

/* R with |I - R M|_inf about 2^-half, M the centres.  right: bits of R believed to be right. */
bool inverse_approximate(arb_mat_t R, const arb_mat_t M, slong half)
{
    const slong n = arb_mat_nrows(M), most_rounds = half / 20 + 3, most_lost = most_bits_lost(half);
    const double size_of_M = balls_log2norm(M);
    slong rounds = 1, steps = 0;
    arb_mat_t E;
    arb_mat_init(E, n, n);
    bool good = inverse_in_doubles(R, M);
    slong lost = good ? cancelled(R, size_of_M, most_lost) : 0, right = 53 - lost;
    while (good && right < half) {
        const slong use = FLINT_MAX(53, FLINT_MIN(2 * right, half + SPARE)) + lost + SPARE;
        good = lost <= most_lost && ++steps <= most_rounds + 40;
        if (!good) break;
        arb_mat_t low, P;                                  /* of the room for balls, that of one at a time */
        arb_mat_init(low, n, n);
        balls_round(low, M, use);
        balls_get_mid(low, low);
        inverse_residual(E, R, low, use);
        balls_clear(low);
        balls_get_mid(E, E);
        arb_mat_init(P, n, n);
        const double size = balls_log2norm(E);
        if (size < -4) {                                   /* Newton: the error is squared */
            const slong tail = FLINT_MAX(use + (slong)fmax(size, (double)-use), 0) + SPARE;
            balls_round(E, E, tail);
            balls_get_mid(E, E);
            centres_of_product(P, E, R, tail);
            balls_add(R, R, P, use);
            right = (slong)fmin(-2 * size, (double)(use - lost)) - 4;
        } else if (++rounds <= most_rounds) {              /* no inverse yet, but R M is better conditioned than M */
            balls_neg(E, E);
            for (slong i = 0; i < n; i++) arb_add_ui(arb_mat_entry(E, i, i), arb_mat_entry(E, i, i), 1, use);
            good = inverse_in_doubles(P, E);
            if (good) centres_of_product(E, P, R, 53 * (rounds + 1));
            arb_mat_swap(R, E);
            right = FLINT_MAX(53 * rounds - cancelled(R, size_of_M, most_lost), 8);
        } else good = false;
        balls_clear(P);
        balls_get_mid(R, R);
        lost = cancelled(R, size_of_M, most_lost);
    }
    balls_clear(E);
    return good;
}

/* The same where doubles find no way out of a matrix close to singular, which rounding decides (an AVX2-only CPU adds
 * up in another order than one with AVX-512): factors in as many bits as might have been lost. */
static bool approximate_by_factors(arb_mat_t R, const arb_mat_t M, slong half)
{
    if (!arb_mat_approx_inv(R, M, half + most_bits_lost(half))) return false;
    balls_get_mid(R, R);
    return arb_mat_is_finite(R);
}

/* ---- the enclosure ----------------------------------------------------------------------- */

/* The theorem above; E holds I - R A.  C = R + E R needs `tail` bits of its second term. */
static bool enclose(arb_mat_t C, const arb_mat_t R, arb_mat_t E, slong tail, slong prec)
{
    const slong n = arb_mat_nrows(R);
    mag_ptr once = _mag_vec_init(n), twice = _mag_vec_init(n), far = _mag_vec_init(n);
    mag_t q, room;
    mag_init(q);
    mag_init(room);
    balls_round(E, E, tail);
    balls_weighted_rows(once, E, NULL);
    balls_weighted_rows(twice, E, once);
    for (slong k = 0; k < n; k++) mag_max(q, q, once + k);
    const bool contracts = mag_cmp_2exp_si(q, 0) < 0;
    if (contracts) {
        mag_one(room);
        mag_sub_lower(room, room, q);
        product_arb(C, E, R, tail);
        balls_tops_of_columns(far, R);
        for (slong j = 0; j < n; j++) mag_div(far + j, far + j, room);
        EACH_ROW_OF(n, n, i)
            for (slong j = 0; j < n; j++) {
                arb_ptr c = arb_mat_entry(C, i, j);
                arb_add(c, c, arb_mat_entry(R, i, j), prec);
                mag_addmul(arb_radref(c), twice + i, far + j);
            }
    }
    mag_clear(room);
    mag_clear(q);
    _mag_vec_clear(far, n);
    _mag_vec_clear(twice, n);
    _mag_vec_clear(once, n);
    return contracts;
}

/* From R, next to the inverse of the centres of B, to C; E: room. */
static bool enclose_by_products(arb_mat_t C, const arb_mat_t R, arb_mat_t E, const arb_mat_t B, double size, slong prec)
{
    const slong half = prec / 2 + SPARE;
    inverse_residual(E, R, B, 2 * half + cancelled(R, size, 1 << 20));
    return enclose(C, R, E, half, prec);                   /* E R is 2^-half times as large as R */
}

bool inverse_arb_by_products(arb_mat_t C, const arb_mat_t A, slong prec)
{
    const slong n = arb_mat_nrows(A), half = prec / 2 + SPARE;
    slong *row = must_calloc((size_t)n, sizeof *row), *col = must_calloc((size_t)n, sizeof *col);
    arb_mat_t B, M, R, E;
    arb_mat_init(B, n, n);
    arb_mat_init(M, n, n);
    arb_mat_init(R, n, n);
    arb_mat_init(E, n, n);
    bool good = false;
    if (inverse_equilibrate(B, row, col, A)) {
        balls_get_mid(M, B);
        const double size = balls_log2norm(M);
        good = inverse_approximate(R, M, half) && enclose_by_products(M, R, E, B, size, prec);
        if (!good) {
            balls_get_mid(M, B);
            good = approximate_by_factors(R, M, half) && enclose_by_products(M, R, E, B, size, prec);
        }
    }
    if (good) {
        scale_back(M, row, col);
        arb_mat_swap(C, M);                                /* C may be A, which is asked again where this failed */
    }
    balls_clear(E);
    balls_clear(R);
    balls_clear(M);
    balls_clear(B);
    free(col);
    free(row);
    return good;
}

bool inverse_arb(arb_mat_t C, const arb_mat_t A, slong prec)
{
    if (!arb_mat_is_finite(A)) return false;
    if (!plain_only() && arb_mat_nrows(A) >= INVERSE_ARB_PRODUCTS && inverse_arb_by_products(C, A, prec)) return true;
    return arb_mat_inv(C, A, prec);
}
