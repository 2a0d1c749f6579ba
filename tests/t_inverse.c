/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_inverse.c - certified inverses: every ball holds the exact entry, and what may be singular is not inverted.
 *
 * The judge is FLINT's arithmetic of rationals, or Arb's own inverse with many more bits.  Both the enclosure by
 * products, at every size, and the function that chooses between it and Arb's inverse are judged. */
#include <math.h>
#include <stdlib.h>
#include "numerics/inverse_arb.h"
#include "numerics/inverse_fp.h"
#include "numerics/rank_fp.h"
#include "tests/support/suite.h"

#define EACH(A, i, j) for (slong i = 0; i < arb_mat_nrows(A); i++) for (slong j = 0; j < arb_mat_ncols(A); j++)
typedef bool inverse(arb_mat_t, const arb_mat_t, slong);
static inverse *const both[] = { inverse_arb_by_products, inverse_arb };

/* Numbers of a test: the same in every run. */
static uint64_t state;
static uint64_t next(void)
{
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}
static slong between(slong low, slong high) { return low + (slong)(next() % (uint64_t)(high - low + 1)); }

/* An entry is m 2^e, |m| < 2^30. */
static void dyadic(arb_t x, slong m, slong e)
{
    arb_set_si(x, m);
    arb_mul_2exp_si(x, x, e);
}
static slong mantissa(void) { return between(-(1 << 30) + 1, (1 << 30) - 1); }

static void dense(arb_mat_t A)
{
    EACH(A, i, j) dyadic(arb_mat_entry(A, i, j), mantissa(), -30);
}

static void exact(fmpq_mat_t Q, const arb_mat_t A)           /* the centres */
{
    EACH(A, i, j) arf_get_fmpq(fmpq_mat_entry(Q, i, j), arb_midref(arb_mat_entry(A, i, j)));
}

static bool holds(const arb_mat_t C, const fmpq_mat_t Q)
{
    EACH(C, i, j)
        if (!arb_contains_fmpq(arb_mat_entry(C, i, j), fmpq_mat_entry(Q, i, j))) return false;
    return true;
}

static double log2radius(const arb_mat_t A)                 /* the largest */
{
    mag_t top;
    mag_init(top);
    EACH(A, i, j) mag_max(top, top, arb_radref(arb_mat_entry(A, i, j)));
    const double log2 = mag_get_d_log2_approx(top);
    mag_clear(top);
    return log2;
}

static double log2size(const arb_mat_t A)                   /* of the largest entry */
{
    mag_t top, x;
    mag_init(top);
    mag_init(x);
    EACH(A, i, j) {
        arb_get_mag(x, arb_mat_entry(A, i, j));
        mag_max(top, top, x);
    }
    const double log2 = mag_get_d_log2_approx(top);
    mag_clear(x);
    mag_clear(top);
    return log2;
}

/* The answers of both functions on A, whose entries are exact: in C where inverted, and then they hold the inverse.
 * Singular: both are false.  How many inverted it. */
static int judged(const arb_mat_t A, slong prec)
{
    const slong n = arb_mat_nrows(A);
    int inverted = 0;
    fmpq_mat_t Q, inverse_of_Q;
    fmpq_mat_init(Q, n, n);
    fmpq_mat_init(inverse_of_Q, n, n);
    exact(Q, A);
    const bool regular = fmpq_mat_inv(inverse_of_Q, Q);
    for (size_t k = 0; k < COUNT(both); k++) {
        arb_mat_t C;
        arb_mat_init(C, n, n);
        if (both[k](C, A, prec)) {
            ck_assert_msg(regular, "a singular %ldx%ld matrix was inverted", n, n);
            ck_assert_msg(holds(C, inverse_of_Q), "%ldx%ld at %ld bits: a ball misses its entry", n, n, prec);
            inverted++;
        }
        arb_mat_clear(C);
    }
    fmpq_mat_clear(inverse_of_Q);
    fmpq_mat_clear(Q);
    return inverted;
}

/* ---- exact entries ----------------------------------------------------------------------- */

START_TEST(dense_matrices)
{
    state = (uint64_t)_i;
    for (slong n = 1; n <= 8; n++) {
        arb_mat_t A;
        arb_mat_init(A, n, n);
        dense(A);
        ck_assert_int_eq(judged(A, 24 + 40 * (_i % 8)), 2);
        arb_mat_clear(A);
    }
}
END_TEST

/* Rows and columns from 2^-2000 to 2^2000: powers of two are taken out, so that nothing is lost. */
START_TEST(rows_and_columns_far_apart)
{
    state = (uint64_t)_i;
    for (slong n = 1; n <= 6; n++) {
        slong row[6], col[6];
        arb_mat_t A, B, C, D;
        arb_mat_init(A, n, n);
        arb_mat_init(B, n, n);
        arb_mat_init(C, n, n);
        arb_mat_init(D, n, n);
        dense(A);
        for (slong k = 0; k < n; k++) row[k] = between(-1000, 1000), col[k] = between(-1000, 1000);
        EACH(A, i, j) arb_mul_2exp_si(arb_mat_entry(B, i, j), arb_mat_entry(A, i, j), row[i] + col[j]);
        ck_assert_int_eq(judged(B, 128), 2);
        ck_assert(inverse_arb_by_products(C, A, 128) && inverse_arb_by_products(D, B, 128));
        EACH(D, i, j) arb_mul_2exp_si(arb_mat_entry(D, i, j), arb_mat_entry(D, i, j), col[i] + row[j]);
        ck_assert(log2radius(D) < log2radius(C) + 3);
        arb_mat_clear(D);
        arb_mat_clear(C);
        arb_mat_clear(B);
        arb_mat_clear(A);
    }
}
END_TEST

/* Every entry has an exponent of its own, and some are zero: some such matrices are out of reach, none is wrong. */
START_TEST(entries_far_apart)
{
    static const slong reach[] = { 20, 100, 400, 2000 };
    int inverted = 0;
    state = 77;
    for (int trial = 0; trial < 200; trial++) {
        const slong n = between(1, 6), most = reach[trial % 4];
        arb_mat_t A;
        arb_mat_init(A, n, n);
        EACH(A, i, j) dyadic(arb_mat_entry(A, i, j), next() % 5 ? mantissa() : 0, between(-most, most));
        inverted += judged(A, 300);
        arb_mat_clear(A);
    }
    ck_assert_int_gt(inverted, 150);
}
END_TEST

/* Condition 2^(3.5 n): beyond doubles from n = 14 on.  The entries of the inverse are integers. */
START_TEST(hilbert)
{
    const slong n = _i + 1, prec = 8 * n + 64;
    fmpz_mat_t exactly;
    fmpq_mat_t H, Q;
    arb_mat_t A, C;
    fmpz_mat_init(exactly, n, n);
    fmpq_mat_init(H, n, n);
    fmpq_mat_init(Q, n, n);
    arb_mat_init(A, n, n);
    arb_mat_init(C, n, n);
    fmpq_mat_hilbert_matrix(H);
    ck_assert(fmpq_mat_inv(Q, H));
    arb_mat_set_fmpq_mat(A, H, prec);
    for (size_t k = 0; k < COUNT(both); k++) {
        ck_assert_msg(both[k](C, A, prec), "the Hilbert matrix of %ld rows was not inverted at %ld bits", n, prec);
        ck_assert_msg(holds(C, Q), "Hilbert, %ld rows, %ld bits", n, prec);
    }
    arb_mat_clear(C);
    arb_mat_clear(A);
    fmpq_mat_clear(Q);
    fmpq_mat_clear(H);
    fmpz_mat_clear(exactly);
}
END_TEST

/* A singular matrix and 2^-k: doubles meet a pivot of zero, or of pure rounding.  What comes next depends on how
 * LAPACK rounds, so there are many of them. */
START_TEST(nearly_singular)
{
    state = (uint64_t)_i;
    for (slong k = 10; k <= 220; k += 30)
        for (slong n = 2; n <= 7; n++) {
            arb_mat_t A, C;
            arb_t t;
            arb_mat_init(A, n, n);
            arb_mat_init(C, n, n);
            arb_init(t);
            EACH(A, i, j) dyadic(arb_mat_entry(A, i, j), between(-9, 9), 0);
            for (slong j = 0; j < n; j++) {
                arb_set(arb_mat_entry(A, n - 1, j), arb_mat_entry(A, 0, j));
                dyadic(t, between(1, 1000), -k);
                arb_add(arb_mat_entry(A, n - 1, j), arb_mat_entry(A, n - 1, j), t, ARF_PREC_EXACT);
            }
            const int inverted = judged(A, 400);
            fmpq_mat_t Q;
            fmpq_t det;
            fmpq_mat_init(Q, n, n);
            fmpq_init(det);
            exact(Q, A);
            fmpq_mat_det(det, Q);
            ck_assert_msg(inverted == (fmpq_is_zero(det) ? 0 : 2), "n = %ld, 2^-%ld: %d of 2", n, k, inverted);
            if (inverted) {                                  /* however ill-conditioned: right to the last bits */
                ck_assert(inverse_arb_by_products(C, A, 400));
                ck_assert_msg(log2radius(C) <= log2size(C) - 400 + 3, "n = %ld, 2^-%ld: radius 2^%.1f", n, k, log2radius(C));
            }
            fmpq_clear(det);
            fmpq_mat_clear(Q);
            arb_clear(t);
            arb_mat_clear(C);
            arb_mat_clear(A);
        }
}
END_TEST

/* Sums of the other rows as the last one; n = 70 takes the way of large matrices. */
START_TEST(singular_is_never_inverted)
{
    static const slong sizes[] = { 1, 2, 3, 5, 9, 70 };
    const slong n = sizes[_i];
    arb_mat_t A, C;
    arb_mat_init(A, n, n);
    arb_mat_init(C, n, n);
    state = 3;
    for (int trial = 0; trial < 20; trial++) {
        EACH(A, i, j) dyadic(arb_mat_entry(A, i, j), between(-100, 100), 0);
        for (slong j = 0; j < n; j++) {
            arb_ptr last = arb_mat_entry(A, n - 1, j);
            arb_zero(last);
            for (slong i = 0; i < n - 1; i++) arb_add(last, last, arb_mat_entry(A, i, j), ARF_PREC_EXACT);
        }
        for (size_t k = 0; k < COUNT(both); k++) ck_assert(!both[k](C, A, 128));
    }
    arb_mat_clear(C);
    arb_mat_clear(A);
}
END_TEST

/* ---- balls with radii -------------------------------------------------------------------- */

/* A 1x1 ball [x +- r] is the whole theorem: R = 1/x, E = [+- r/x], and the end x - r is reached. */
START_TEST(one_entry)
{
    static const double radius[] = { 0, 0x1p-100, 0x1p-20, 0.25, 0.5, 0.75, 0.9375 };
    for (size_t k = 0; k < COUNT(both); k++)
        for (size_t r = 0; r < COUNT(radius); r++)
            for (int sign = -1; sign <= 1; sign += 2) {
                arb_mat_t A, C;
                arb_t end;
                arb_mat_init(A, 1, 1);
                arb_mat_init(C, 1, 1);
                arb_init(end);
                arb_set_d(arb_mat_entry(A, 0, 0), sign);
                mag_set_d(arb_radref(arb_mat_entry(A, 0, 0)), radius[r]);
                ck_assert(both[k](C, A, 200));
                for (int side = -1; side <= 1; side++) {
                    arb_set_d(end, sign);
                    arb_set_d(arb_mat_entry(A, 0, 0), radius[r] * side);
                    arb_add(end, end, arb_mat_entry(A, 0, 0), 300);
                    arb_inv(end, end, 2000);
                    ck_assert_msg(arb_contains(arb_mat_entry(C, 0, 0), end), "1/(%d %+g) is missed", sign,
                                  side * radius[r]);
                }
                arb_clear(end);
                arb_mat_clear(C);
                arb_mat_clear(A);
            }
}
END_TEST

/* A is a random matrix with radii of about q / (n |A^-1|), so that |I - R A| is about q.  The corners of A, which are
 * exact, have inverses in C: random corners, and those that move one entry of the inverse the most. */
START_TEST(corners_of_wide_balls)
{
    static const double q[] = { 0.9, 0.7, 0.5, 0.25, 0x1p-10, 0x1p-60 };
    int inverted = 0;
    state = (uint64_t)_i + 100;
    for (slong n = 2; n <= 5; n++) {
        arb_mat_t A, mid, C, point;
        fmpq_mat_t Q;
        arb_mat_init(A, n, n);
        arb_mat_init(mid, n, n);
        arb_mat_init(C, n, n);
        arb_mat_init(point, n, n);
        fmpq_mat_init(Q, n, n);
        dense(mid);
        for (slong k = 0; k < n; k++) {
            arb_ptr x = arb_mat_entry(mid, 0, k);
            arb_mul_2exp_si(x, x, between(-6, 6));
        }
        if (arb_mat_inv(C, mid, 200)) {
            double norm = 0;
            for (slong k = 0; k < n; k++) {
                double row = 0;
                for (slong l = 0; l < n; l++)
                    row += fabs(arf_get_d(arb_midref(arb_mat_entry(C, k, l)), ARF_RND_NEAR));
                norm = fmax(norm, row);
            }
            arb_mat_set(A, mid);
            EACH(A, i, j) mag_set_d(arb_radref(arb_mat_entry(A, i, j)), q[_i % 6] / (norm * (double)n));
            for (size_t f = 0; f < COUNT(both); f++) {
                if (!both[f](C, A, 160)) continue;
                inverted++;
                arb_mat_t R;
                arb_mat_init(R, n, n);
                ck_assert(arb_mat_inv(R, mid, 200));
                for (slong corner = 0; corner < 40; corner++) {
                    const uint64_t signs = next();
                    const slong k = between(0, n - 1), l = between(0, n - 1);
                    EACH(A, i, j) {
                        /* corner < 30: A' - A = -+ sign(R_ki) sign(R_jl) rad A, which moves (A^-1)_kl the most */
                        const bool up = corner < 30 ? (arf_sgn(arb_midref(arb_mat_entry(R, k, i))) *
                                                       arf_sgn(arb_midref(arb_mat_entry(R, j, l))) > 0) == (corner % 2)
                                                    : (signs >> (i * n + j)) & 1;
                        arb_t r;
                        arb_init(r);
                        arf_set_mag(arb_midref(r), arb_radref(arb_mat_entry(A, i, j)));
                        if (up) arb_add(arb_mat_entry(point, i, j), arb_mat_entry(mid, i, j), r, ARF_PREC_EXACT);
                        else    arb_sub(arb_mat_entry(point, i, j), arb_mat_entry(mid, i, j), r, ARF_PREC_EXACT);
                        arb_clear(r);
                    }
                    exact(Q, point);
                    ck_assert_msg(fmpq_mat_inv(Q, Q), "A holds a singular matrix");
                    ck_assert_msg(holds(C, Q), "a corner of a %ldx%ld matrix, q = %g", n, n, q[_i % 6]);
                }
                arb_mat_clear(R);
            }
        }
        fmpq_mat_clear(Q);
        arb_mat_clear(point);
        arb_mat_clear(C);
        arb_mat_clear(mid);
        arb_mat_clear(A);
    }
    ck_assert_int_gt(inverted, 3);
}
END_TEST

/* The ball round S + 2^-k I of radius 2^-k holds the singular S: not one such ball may be inverted. */
START_TEST(a_ball_that_holds_a_singular_matrix)
{
    state = 9;
    for (slong n = 1; n <= 8; n++)
        for (slong k = 0; k <= 100; k += 20) {
            arb_mat_t A, C;
            arb_t t;
            arb_mat_init(A, n, n);
            arb_mat_init(C, n, n);
            arb_init(t);
            EACH(A, i, j) dyadic(arb_mat_entry(A, i, j), between(-20, 20), 0);
            for (slong j = 0; j < n; j++) arb_set(arb_mat_entry(A, n - 1, j), arb_mat_entry(A, 0, j));
            if (n == 1) arb_zero(arb_mat_entry(A, 0, 0));
            for (slong i = 0; i < n; i++) {
                arb_one(t);
                arb_mul_2exp_si(t, t, -k);
                arb_add(arb_mat_entry(A, i, i), arb_mat_entry(A, i, i), t, ARF_PREC_EXACT);
                mag_set_ui_2exp_si(arb_radref(arb_mat_entry(A, i, i)), 1, -k);
            }
            for (size_t f = 0; f < COUNT(both); f++) ck_assert_msg(!both[f](C, A, 256), "n = %ld, k = %ld", n, k);
            arb_clear(t);
            arb_mat_clear(C);
            arb_mat_clear(A);
        }
}
END_TEST

START_TEST(no_numbers)
{
    static const slong sizes[] = { 1, 3, 70 };
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (int what = 0; what < 3; what++)
            for (size_t f = 0; f < COUNT(both); f++) {
                const slong n = sizes[s];
                arb_mat_t A, C;
                arb_mat_init(A, n, n);
                arb_mat_init(C, n, n);
                arb_mat_one(A);
                arb_ptr bad = arb_mat_entry(A, 0, n - 1);      /* elimination would never divide by it */
                if (what == 0) arf_nan(arb_midref(bad));
                if (what == 1) arf_pos_inf(arb_midref(bad));
                if (what == 2) mag_inf(arb_radref(bad));
                ck_assert(!both[f](C, A, 128));
                arb_mat_clear(C);
                arb_mat_clear(A);
            }
}
END_TEST

/* ---- structure, and many rows -------------------------------------------------------------- */

/* Inverses that are known: of permutations times powers of two, which are exact, and of I + N, N above the diagonal. */
START_TEST(known_inverses)
{
    static const slong sizes[] = { 1, 2, 7, 60, 90 };
    state = 11;
    for (size_t s = 0; s < COUNT(sizes); s++) {
        const slong n = sizes[s];
        slong *to = must_calloc((size_t)n, sizeof *to);
        arb_mat_t A, B, C;
        arb_mat_init(A, n, n);
        arb_mat_init(B, n, n);
        arb_mat_init(C, n, n);
        for (slong i = 0; i < n; i++) to[i] = i;
        for (slong i = n - 1; i > 0; i--) {
            const slong j = between(0, i), t = to[i];
            to[i] = to[j], to[j] = t;
        }
        for (slong i = 0; i < n; i++) {
            const slong e = between(-3000, 3000);
            dyadic(arb_mat_entry(A, i, to[i]), 1, e);
            dyadic(arb_mat_entry(B, to[i], i), 1, -e);
        }
        for (size_t f = 0; f < COUNT(both); f++) {
            ck_assert(both[f](C, A, 128));
            ck_assert(arb_mat_contains(C, B));
            EACH(C, i, j) ck_assert(i != to[j] || arb_rel_accuracy_bits(arb_mat_entry(C, i, j)) >= 120);
        }
        arb_mat_one(A);
        arb_mat_one(B);
        for (slong i = 0; i + 1 < n; i++) arb_set_si(arb_mat_entry(A, i, i + 1), -1);
        EACH(B, i, j) arb_set_si(arb_mat_entry(B, i, j), i <= j);
        for (size_t f = 0; f < COUNT(both); f++) {
            ck_assert(both[f](C, A, 128));
            ck_assert(arb_mat_contains(C, B));
        }
        ck_assert(inverse_arb(A, A, 128) && arb_mat_contains(A, B));      /* C may be A */
        arb_mat_clear(C);
        arb_mat_clear(B);
        arb_mat_clear(A);
        free(to);
    }
}
END_TEST

/* Never wider than 4 times Arb's inverse, and around the inverse that Arb finds with twice the bits. */
START_TEST(beside_arb)
{
    static const struct { slong n, prec; int kinds; } runs[] = {
        { 12, 64, 4 }, { 12, 256, 4 }, { 30, 128, 4 }, { 30, 333, 4 }, { 64, 64, 4 }, { 64, 128, 4 }, { 64, 256, 4 },
        { 100, 128, 4 }, { 100, 333, 1 }, { 200, 256, 1 },
    };
    const slong n = runs[_i].n, prec = runs[_i].prec;
    for (int kind = 0; kind < runs[_i].kinds; kind++) {      /* exact; a product; with small and with large radii */
        arb_mat_t A, B, C, D;
        arb_mat_init(A, n, n);
        arb_mat_init(B, n, n);
        arb_mat_init(C, n, n);
        arb_mat_init(D, n, n);
        state = (uint64_t)(_i * 4 + kind);
        dense(A);
        if (kind == 1) {
            dense(B);
            arb_mat_mul(A, A, B, prec);
        }
        if (kind > 1) EACH(A, i, j) mag_set_ui_2exp_si(arb_radref(arb_mat_entry(A, i, j)), 1, kind == 2 ? -prec : -24);
        const bool decided = arb_mat_inv(D, A, prec);
        ck_assert_msg(!decided || inverse_arb(C, A, prec), "n = %ld, %ld bits, kind %d: Arb decides it", n, prec, kind);
        if (decided && inverse_arb_by_products(C, A, prec)) {
            const double ours = log2radius(C), arbs = log2radius(D), size = log2size(C);
            ck_assert_msg(ours <= arbs + 2, "n = %ld, %ld bits, kind %d: 2^%.1f, Arb's 2^%.1f", n, prec, kind, ours,
                          arbs);
            ck_assert_msg(kind || ours <= size - (double)prec + 3, "n = %ld, %ld bits: 2^%.1f of 2^%.1f", n, prec, ours,
                          size);                             /* exact: right to the last bits */
            arb_mat_get_mid(B, A);
            ck_assert_msg(arb_mat_inv(D, B, 2 * prec + 100), "n = %ld", n);
            ck_assert_msg(arb_mat_contains(C, D), "n = %ld, %ld bits, kind %d", n, prec, kind);
        } else ck_assert_msg(kind == 3, "n = %ld, %ld bits, kind %d: not inverted", n, prec, kind);
        arb_mat_clear(D);
        arb_mat_clear(C);
        arb_mat_clear(B);
        arb_mat_clear(A);
    }
}
END_TEST

/* Where products give up, Arb's inverse is the answer: no matrix is lost that it inverts. */
START_TEST(products_give_up)
{
    static const slong sizes[] = { 1, 3, 70 };
    for (size_t s = 0; s < COUNT(sizes); s++) {
        const slong n = sizes[s], far = (slong)1 << 40;
        arb_mat_t A, B, C;
        arb_mat_init(A, n, n);
        arb_mat_init(B, n, n);
        arb_mat_init(C, n, n);
        for (slong i = 0; i < n; i++) {
            dyadic(arb_mat_entry(A, i, i), 1, far + i);
            dyadic(arb_mat_entry(B, i, i), 1, -far - i);
        }
        ck_assert_msg(!inverse_arb_by_products(C, A, 128), "n = %ld: this tests nothing", n);
        ck_assert_msg(inverse_arb(C, A, 128), "n = %ld is not inverted", n);
        ck_assert_msg(arb_mat_contains(C, B), "n = %ld", n);
        arb_mat_clear(C);
        arb_mat_clear(B);
        arb_mat_clear(A);
    }
}
END_TEST

/* Beyond doubles and large: Hilbert's matrix of 64 rows, condition 2^320. */
START_TEST(large_and_beyond_doubles)
{
    const slong n = 64;
    fmpq_mat_t H;
    arb_mat_t A, C, D;
    fmpq_mat_init(H, n, n);
    arb_mat_init(A, n, n);
    arb_mat_init(C, n, n);
    arb_mat_init(D, n, n);
    fmpq_mat_hilbert_matrix(H);
    arb_mat_set_fmpq_mat(A, H, 512);
    ck_assert(inverse_arb_by_products(C, A, 512));
    arb_mat_set_fmpq_mat(A, H, 3000);
    ck_assert(arb_mat_inv(D, A, 3000));
    ck_assert(arb_mat_contains(C, D));
    arb_mat_clear(D);
    arb_mat_clear(C);
    arb_mat_clear(A);
    fmpq_mat_clear(H);
}
END_TEST

/* ---- F_p ----------------------------------------------------------------------------------- */

static const mp_limb_t primes[] = { 3, 5, 7, 101, 65537, 2147483647, 2305843009213693951 };

static void same_as_flint(const nmod_mat_t A)
{
    const slong n = nmod_mat_nrows(A);
    nmod_mat_t C, D;
    nmod_mat_init(C, n, n, A->mod.n);
    nmod_mat_init(D, n, n, A->mod.n);
    const bool regular = nmod_mat_inv(D, A), ours = inverse_fp(C, A);
    ck_assert_msg(ours == regular, "%ldx%ld modulo %lu is %ssingular", n, n, (unsigned long)A->mod.n,
                  regular ? "not " : "");
    ck_assert_msg(!regular || nmod_mat_equal(C, D), "%ldx%ld modulo %lu", n, n, (unsigned long)A->mod.n);
    nmod_mat_clear(D);
    nmod_mat_clear(C);
}

/* Dense, of every rank, permuted, and with zeros in the places of the first pivots. */
START_TEST(over_a_field)
{
    const mp_limb_t p = primes[_i];
    state = p;
    for (slong n = 1; n <= 150; n += n < 35 ? 1 : 23) {
        nmod_mat_t A, B, C;
        nmod_mat_init(A, n, n, p);
        nmod_mat_init(B, n, n, p);
        nmod_mat_init(C, n, n, p);
        for (slong k = 0; k < n * n; k++) nmod_mat_entry(A, k / n, k % n) = next() % p;
        same_as_flint(A);
        for (slong k = 0; k < n / 2 * (n / 2); k++) nmod_mat_entry(A, k / (n / 2), k % (n / 2)) = 0;
        same_as_flint(A);
        for (slong i = 0; i < n; i++) {                     /* B: unit lower times a permuted unit upper one: regular */
            for (slong j = 0; j <= i; j++) nmod_mat_entry(A, i, j) = i == j ? 1 : next() % p;
            for (slong j = i + 1; j < n; j++) nmod_mat_entry(A, i, j) = 0;
            for (slong j = 0; j < n; j++) nmod_mat_entry(C, n - 1 - i, j) = j < i ? 0 : i == j ? 1 : next() % p;
        }
        nmod_mat_mul(B, C, A);
        same_as_flint(B);
        ck_assert(inverse_fp(C, B));
        nmod_mat_mul(A, B, C);
        ck_assert(nmod_mat_is_one(A));
        ck_assert(inverse_fp(B, B) && nmod_mat_equal(B, C));    /* in place */
        const slong last = between(0, n - 1), from = between(0, n - 1);
        for (slong i = 0; i < n; i++) nmod_mat_entry(B, i, last) = last == from ? 0 : nmod_mat_entry(B, i, from);
        same_as_flint(B);
        ck_assert(!inverse_fp(C, B));
        nmod_mat_clear(C);
        nmod_mat_clear(B);
        nmod_mat_clear(A);
    }
}
END_TEST

static void ranks_of_matrix(const nmod_mat_t A, slong most)
{
    nmod_mat_t B, T;
    nmod_mat_init_set(B, A);
    nmod_mat_init(T, nmod_mat_ncols(A), nmod_mat_nrows(A), A->mod.n);
    nmod_mat_transpose(T, A);
    const slong rank = nmod_mat_rank(A);
    ck_assert(rank <= most);
    ck_assert_int_eq(rank_fp(A), rank);
    ck_assert_int_eq(rank_fp(T), rank);
    ck_assert(nmod_mat_equal(A, B));                        /* what was asked about keeps its value */
    nmod_mat_clear(T);
    nmod_mat_clear(B);
}

/* Products m x k x n: rank k or less; the same with columns of zeros, with equal rows and with a block of zeros in the
 * places of the first pivots. */
START_TEST(ranks_over_a_field)
{
    const mp_limb_t p = primes[_i];
    state = p + 1;
    for (slong round = 0; round < 120; round++) {
        const slong wide = round % 10 ? 40 : 260, m = between(0, wide), n = between(0, wide);
        const slong k = round % 3 ? between(0, m < n ? m : n) : wide;
        nmod_mat_t A, B, C;
        nmod_mat_init(A, m, k, p);
        nmod_mat_init(B, k, n, p);
        nmod_mat_init(C, m, n, p);
        for (slong i = 0; i < m * k; i++) nmod_mat_entry(A, i / k, i % k) = next() % p;
        for (slong i = 0; i < k * n; i++) nmod_mat_entry(B, i / n, i % n) = next() % p;
        nmod_mat_mul(C, A, B);
        ranks_of_matrix(C, k);
        for (slong i = 0; i < m; i++)
            for (slong j = i % 2; j < n; j += 5) nmod_mat_entry(C, i, j) = 0;
        ranks_of_matrix(C, m);
        for (slong i = 0; i + 1 < m; i += 3)
            for (slong j = 0; j < n; j++) nmod_mat_entry(C, i, j) = nmod_mat_entry(C, i + 1, j);
        ranks_of_matrix(C, m - (m + 1) / 3);
        for (slong i = 0; i < m / 2; i++)
            for (slong j = 0; j < n / 2; j++) nmod_mat_entry(C, i, j) = 0;
        ranks_of_matrix(C, m);
        nmod_mat_clear(C);
        nmod_mat_clear(B);
        nmod_mat_clear(A);
    }
}
END_TEST

/* Every 3x3 matrix modulo 3: 19,683, of which 11,232 have an inverse. */
START_TEST(all_small_matrices)
{
    nmod_mat_t A, C;
    long regular = 0;
    nmod_mat_init(A, 3, 3, 3);
    nmod_mat_init(C, 3, 3, 3);
    for (mp_limb_t code = 0; code < 19683; code++) {
        mp_limb_t rest = code;
        for (slong k = 0; k < 9; k++, rest /= 3) nmod_mat_entry(A, k / 3, k % 3) = rest % 3;
        same_as_flint(A);
        ck_assert_int_eq(rank_fp(A), nmod_mat_rank(A));
        regular += inverse_fp(C, A);
    }
    ck_assert_int_eq(regular, 26 * 24 * 18);
    nmod_mat_clear(C);
    nmod_mat_clear(A);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("inverse");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 300);
    tcase_add_loop_test(all, dense_matrices, 0, 24);
    tcase_add_loop_test(all, rows_and_columns_far_apart, 0, 10);
    tcase_add_test(all, entries_far_apart);
    tcase_add_loop_test(all, hilbert, 0, 24);
    tcase_add_loop_test(all, nearly_singular, 0, 120);
    tcase_add_loop_test(all, singular_is_never_inverted, 0, 6);
    tcase_add_test(all, one_entry);
    tcase_add_loop_test(all, corners_of_wide_balls, 0, 24);
    tcase_add_test(all, a_ball_that_holds_a_singular_matrix);
    tcase_add_test(all, no_numbers);
    tcase_add_test(all, known_inverses);
    tcase_add_loop_test(all, beside_arb, 0, 10);
    tcase_add_test(all, products_give_up);
    tcase_add_test(all, large_and_beyond_doubles);
    tcase_add_loop_test(all, over_a_field, 0, (int)COUNT(primes));
    tcase_add_loop_test(all, ranks_over_a_field, 0, (int)COUNT(primes));
    tcase_add_test(all, all_small_matrices);
    return run_suite(suite, argc, argv);
}
