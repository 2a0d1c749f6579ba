/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_solve.c - certified solutions: every ball holds the exact entry, for every point of the operands, and what may be
 * singular is not solved.  The judge is FLINT's arithmetic of rationals. */
#include <math.h>
#include "numerics/random.h"
#include "numerics/solve_arb.h"
#include "tests/support/suite.h"

#define EACH(A, i, j) for (slong i = 0; i < arb_mat_nrows(A); i++) for (slong j = 0; j < arb_mat_ncols(A); j++)
typedef bool solver(arb_mat_t, const arb_mat_t, const arb_mat_t, slong);
static solver *const both[] = { solve_arb_by_products, solve_arb };

static slong draw(uint64_t stream, slong k, slong most)   /* -most ... most */
{
    return (slong)random_below((uint64_t[]){ 41, stream }, (uint64_t)k, (uint64_t)(2 * most + 1)) - most;
}

/* m 2^e with the radius 2^r; r = 1: none. */
static void set(arb_t x, slong m, slong e, slong r)
{
    arb_set_si(x, m);
    arb_mul_2exp_si(x, x, e);
    if (r <= 0) mag_set_ui_2exp_si(arb_radref(x), 1, r);
}

/* The point of A whose entries are the centres and `side` times a radius; side 2: drawn among them. */
static void point(fmpq_mat_t Q, const arb_mat_t A, int side, uint64_t stream)
{
    fmpq_t r;
    arf_t radius;
    fmpq_init(r);
    arf_init(radius);
    EACH(A, i, j) {
        arf_get_fmpq(fmpq_mat_entry(Q, i, j), arb_midref(arb_mat_entry(A, i, j)));
        arf_set_mag(radius, arb_radref(arb_mat_entry(A, i, j)));
        arf_get_fmpq(r, radius);
        const slong by = side < 2 ? side : draw(stream, i * arb_mat_ncols(A) + j, 1);
        if (by > 0) fmpq_add(fmpq_mat_entry(Q, i, j), fmpq_mat_entry(Q, i, j), r);
        if (by < 0) fmpq_sub(fmpq_mat_entry(Q, i, j), fmpq_mat_entry(Q, i, j), r);
    }
    arf_clear(radius);
    fmpq_clear(r);
}

static bool holds_solution(const arb_mat_t X, const arb_mat_t A, const arb_mat_t B, int side, uint64_t stream)
{
    fmpq_mat_t P, Q, Y;
    fmpq_mat_init(P, arb_mat_nrows(A), arb_mat_ncols(A));
    fmpq_mat_init(Q, arb_mat_nrows(B), arb_mat_ncols(B));
    fmpq_mat_init(Y, arb_mat_nrows(B), arb_mat_ncols(B));
    point(P, A, side, stream);
    point(Q, B, side, stream + 1);
    bool holds = fmpq_mat_solve(Y, P, Q);
    EACH(X, i, j) holds = holds && arb_contains_fmpq(arb_mat_entry(X, i, j), fmpq_mat_entry(Y, i, j));
    fmpq_mat_clear(P);
    fmpq_mat_clear(Q);
    fmpq_mat_clear(Y);
    return holds;
}

/* The largest radius of X beside its largest entry, log2. */
static double width(const arb_mat_t X)
{
    mag_t r, x, top;
    mag_init(r); mag_init(x); mag_init(top);
    EACH(X, i, j) {
        mag_max(r, r, arb_radref(arb_mat_entry(X, i, j)));
        arb_get_mag(x, arb_mat_entry(X, i, j));
        mag_max(top, top, x);
    }
    const double log2 = mag_get_d_log2_approx(r) - mag_get_d_log2_approx(top);
    mag_clear(r); mag_clear(x); mag_clear(top);
    return log2;
}

/* spread: of the exponents of rows and columns; radius as set() has it; narrow: the widest answer allowed, log2; Arb,
 * which eliminates in balls where there are few rows, may lose some bits more. */
static void check(slong n, slong k, slong prec, slong spread, slong radius, double narrow)
{
    arb_mat_t A, B, X;
    arb_mat_init(A, n, n);
    arb_mat_init(B, n, k);
    arb_mat_init(X, n, k);
    EACH(A, i, j) {
        const slong e = draw(2, i, spread) + draw(3, j, spread) - 24;
        set(arb_mat_entry(A, i, j), draw(1, i * n + j, 1 << 24), e, radius);
    }
    EACH(B, i, j) set(arb_mat_entry(B, i, j), draw(4, i * k + j, 1 << 24), draw(2, i, spread) - 24, radius);
    for (size_t f = 0; f < COUNT(both); f++) {
        ck_assert_msg(both[f](X, A, B, prec), "%ld rows, %ld columns, %ld bits: not solved by %zu", n, k, prec, f);
        for (int side = -1; side <= (radius <= 0 ? 4 : -1); side++)
            ck_assert_msg(holds_solution(X, A, B, side < 2 ? side : 2, (uint64_t)(7 + 2 * side)),
                          "%ld rows, %ld columns, %ld bits: %zu, point %d", n, k, prec, f, side);
        ck_assert_msg(width(X) < narrow + (f ? 60 : 0), "%ld rows, %ld columns, %ld bits: 2^%.1f wide by %zu", n, k,
                      prec, width(X), f);
    }
    ck_assert(solve_arb(B, A, B, prec));                 /* in its place */
    ck_assert(arb_mat_equal(B, X));
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(X);
}

START_TEST(exact_systems)
{
    static const slong rows[] = { 1, 2, 3, 7, 20, 33, 40 }, bits[] = { 64, 256, 1000 };
    for (size_t b = 0; b < COUNT(bits); b++)
        for (slong k = 1; k < 6; k += 4) check(rows[_i], k, bits[b], 0, 1, (double)(24 - bits[b]));
}
END_TEST

START_TEST(rows_and_columns_far_apart) { check(36, 2, 128, 300, 1, -90); }
END_TEST

START_TEST(balls)
{
    check(5, 3, 128, 0, -60, -30);
    check(34, 2, 128, 0, -70, -30);
    check(34, 20, 128, 0, -70, -30);                     /* so many that R has half of the bits */
}
END_TEST

/* A 1 x 1 system: [7/8, 9/8] x = 1 has solutions from 8/9 to 8/7, and the enclosure cannot be much wider. */
START_TEST(one_entry)
{
    arb_mat_t A, B, X;
    arb_mat_init(A, 1, 1);
    arb_mat_init(B, 1, 1);
    arb_mat_init(X, 1, 1);
    set(arb_mat_entry(A, 0, 0), 1, 0, -3);
    arb_one(arb_mat_entry(B, 0, 0));
    ck_assert(solve_arb_by_products(X, A, B, 64));
    for (int side = -1; side <= 1; side++) ck_assert(holds_solution(X, A, B, side, 0));
    ck_assert_double_lt(mag_get_d(arb_radref(arb_mat_entry(X, 0, 0))), 0.15);
    mag_set_d(arb_radref(arb_mat_entry(A, 0, 0)), 0.75);  /* [1/4, 7/4] */
    ck_assert(solve_arb_by_products(X, A, B, 64));
    for (int side = -1; side <= 1; side++) ck_assert(holds_solution(X, A, B, side, 0));
    arb_one(arb_mat_entry(A, 0, 0));                     /* an exact matrix, and a ball on the right */
    set(arb_mat_entry(B, 0, 0), 1, 0, -2);
    ck_assert(solve_arb_by_products(X, A, B, 64));
    for (int side = -1; side <= 1; side++) ck_assert(holds_solution(X, A, B, side, 0));
    set(arb_mat_entry(A, 0, 0), 1, 0, 0);                /* [0, 2] */
    for (size_t f = 0; f < COUNT(both); f++) ck_assert(!both[f](X, A, B, 64));
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(X);
}
END_TEST

/* The first row is the worse one: diag([3/4, 5/4], 1) x = (1, 0) reaches 4/3; and [-1/16, 33/16] holds 0. */
START_TEST(two_entries)
{
    arb_mat_t A, B, X;
    arb_mat_init(A, 2, 2);
    arb_mat_init(B, 2, 1);
    arb_mat_init(X, 2, 1);
    arb_mat_one(A);
    set(arb_mat_entry(A, 0, 0), 1, 0, -2);
    arb_one(arb_mat_entry(B, 0, 0));
    ck_assert(solve_arb_by_products(X, A, B, 64));
    for (int side = -1; side <= 1; side++) ck_assert(holds_solution(X, A, B, side, 0));
    mag_set_d(arb_radref(arb_mat_entry(A, 0, 0)), 1.0625);
    for (size_t f = 0; f < COUNT(both); f++) ck_assert(!both[f](X, A, B, 64));
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(X);
}
END_TEST

/* Condition 2^(3.5 n), far beyond doubles; all entries whole. */
START_TEST(hilbert)
{
    const slong n = 8 * (_i + 1);
    fmpq_mat_t H;
    fmpz_mat_t whole;
    fmpz_t scale;
    arb_mat_t A, B, X;
    fmpq_mat_init(H, n, n);
    fmpz_mat_init(whole, n, n);
    fmpz_init(scale);
    arb_mat_init(A, n, n);
    arb_mat_init(B, n, 2);
    arb_mat_init(X, n, 2);
    fmpq_mat_hilbert_matrix(H);
    fmpq_mat_get_fmpz_mat_matwise(whole, scale, H);
    arb_mat_set_fmpz_mat(A, whole);
    EACH(B, i, j) set(arb_mat_entry(B, i, j), draw(9, 2 * i + j, 100), 0, 1);
    for (size_t f = 0; f < COUNT(both); f++) {
        ck_assert_msg(both[f](X, A, B, 400), "%ld rows by %zu", n, f);
        ck_assert(holds_solution(X, A, B, 0, 0));
        ck_assert_double_lt(width(X), f ? -100 : -300);   /* Arb eliminates in balls where there are few rows */
    }
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(X);
    fmpz_clear(scale);
    fmpz_mat_clear(whole);
    fmpq_mat_clear(H);
}
END_TEST

/* The last row the sum of the others; a ball that holds such a matrix; what is no number. */
START_TEST(refused)
{
    static const slong sizes[] = { 1, 2, 5, 40 };
    const slong n = sizes[_i];
    arb_mat_t A, B, X;
    arb_mat_init(A, n, n);
    arb_mat_init(B, n, 2);
    arb_mat_init(X, n, 2);
    EACH(B, i, j) arb_set_si(arb_mat_entry(B, i, j), i + j);
    for (int wide = 0; wide < 2; wide++) {
        EACH(A, i, j) set(arb_mat_entry(A, i, j), draw(5, i * n + j, 100), 0, 1);
        for (slong j = 0; j < n; j++) {
            arb_zero(arb_mat_entry(A, n - 1, j));
            arb_ptr last = arb_mat_entry(A, n - 1, j);
            for (slong i = 0; i < n - 1; i++) arb_add(last, last, arb_mat_entry(A, i, j), 64);
        }
        if (wide) {
            arb_set_si(arb_mat_entry(A, 0, 0), 100);
            mag_set_ui(arb_radref(arb_mat_entry(A, 0, 0)), 300);
        }
        for (size_t f = 0; f < COUNT(both); f++) ck_assert(!both[f](X, A, B, 128));
    }
    arb_mat_one(A);
    arb_indeterminate(arb_mat_entry(B, n - 1, 1));
    ck_assert(!solve_arb(X, A, B, 128));
    arb_zero(arb_mat_entry(B, n - 1, 1));
    arb_pos_inf(arb_mat_entry(A, 0, 0));
    ck_assert(!solve_arb(X, A, B, 128));
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(X);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("solve");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, exact_systems, 0, 7);
    tcase_add_test(all, rows_and_columns_far_apart);
    tcase_add_test(all, balls);
    tcase_add_test(all, one_entry);
    tcase_add_test(all, two_entries);
    tcase_add_loop_test(all, hilbert, 0, 4);
    tcase_add_loop_test(all, refused, 0, 4);
    return run_suite(suite, argc, argv);
}
