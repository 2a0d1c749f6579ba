/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_ball_rows.c - matrices of balls entry by entry, on threads: against Arb's own functions, which take one. */
#include <math.h>
#include "numerics/balls.h"
#include "tests/support/suite.h"

extern void omp_set_num_threads(int n) __attribute__((weak));           /* absent where there is no OpenMP */
static const long sizes[][2] = { { 0, 0 }, { 0, 3 }, { 3, 0 }, { 1, 1 }, { 5, 3 }, { 160, 170 }, { 3, 9000 } };
enum { BITS = 200, SHORT = 60 };

/* Entries with several limbs, radii, signs, zeros, and magnitudes far apart. */
static void fill(arb_mat_t A, long salt)
{
    for (long i = 0; i < arb_mat_nrows(A); i++)
        for (long j = 0; j < arb_mat_ncols(A); j++) {
            arb_ptr a = arb_mat_entry(A, i, j);
            arb_set_si(a, (salt * i * 7919 + j * 104729) % 1001 - 500);
            arb_div_si(a, a, 1 + (i + salt * j) % 5, BITS);
            arb_mul_2exp_si(a, a, (3 * i + j) % 41 - 20);
        }
}

START_TEST(as_arb_does)
{
    const long r = sizes[_i / 2][0], c = sizes[_i / 2][1];
    if (omp_set_num_threads) omp_set_num_threads(_i % 2 ? 3 : 1);
    arb_mat_t A, B, ours, arbs;
    arb_mat_init(A, r, c);
    arb_mat_init(B, r, c);
    arb_mat_init(ours, r, c);
    arb_mat_init(arbs, r, c);
    fill(A, 1);
    fill(B, 2);
    balls_neg(ours, A);
    arb_mat_neg(arbs, A);
    ck_assert_msg(arb_mat_equal(ours, arbs), "%ld x %ld", r, c);
    balls_get_mid(ours, A);
    arb_mat_get_mid(arbs, A);
    ck_assert_msg(arb_mat_equal(ours, arbs), "%ld x %ld", r, c);
    balls_add(ours, A, B, SHORT);
    arb_mat_add(arbs, A, B, SHORT);
    ck_assert_msg(arb_mat_equal(ours, arbs), "%ld x %ld", r, c);
    balls_round(ours, A, SHORT);
    for (long i = 0; i < r; i++)
        for (long j = 0; j < c; j++) arb_set_round(arb_mat_entry(arbs, i, j), arb_mat_entry(A, i, j), SHORT);
    ck_assert_msg(arb_mat_equal(ours, arbs), "%ld x %ld", r, c);
    balls_add(A, A, B, BITS);                            /* in place */
    arb_mat_set(ours, A);
    balls_neg(ours, ours);
    arb_mat_neg(arbs, A);
    ck_assert_msg(arb_mat_equal(ours, arbs), "%ld x %ld", r, c);
    balls_clear(A);
    balls_clear(B);
    balls_clear(ours);
    arb_mat_clear(arbs);
}
END_TEST

START_TEST(sizes_of_rows_and_columns)
{
    const long r = sizes[_i / 2][0], c = sizes[_i / 2][1];
    if (omp_set_num_threads) omp_set_num_threads(_i % 2 ? 3 : 1);
    arb_mat_t A;
    arb_mat_init(A, r, c);
    fill(A, 3);
    mag_ptr row = _mag_vec_init(r), weighted = _mag_vec_init(r), top = _mag_vec_init(c), w = _mag_vec_init(c);
    mag_t x, sum, largest;
    mag_init(x);
    mag_init(sum);
    mag_init(largest);
    for (long j = 0; j < c; j++) {
        mag_set_ui(w + j, (ulong)j % 7);
        mag_set_ui(top + j, 1u << 20);                   /* what stood there does not count */
    }
    balls_weighted_rows(row, A, NULL);
    balls_weighted_rows(weighted, A, w);
    balls_tops_of_columns(top, A);
    for (long i = 0; i < r; i++)
        for (int with = 0; with < 2; with++) {
            mag_zero(sum);
            for (long j = 0; j < c; j++) {
                arb_get_mag(x, arb_mat_entry(A, i, j));
                if (with) mag_addmul(sum, x, w + j);
                else      mag_add(sum, sum, x);
            }
            ck_assert_msg(mag_equal(sum, (with ? weighted : row) + i), "%ld x %ld: row %ld", r, c, i);
        }
    for (long j = 0; j < c && r; j++) {
        mag_zero(sum);
        for (long i = 0; i < r; i++) {
            arb_get_mag(x, arb_mat_entry(A, i, j));
            mag_max(sum, sum, x);
        }
        ck_assert_msg(mag_equal(sum, top + j), "%ld x %ld: column %ld", r, c, j);
    }
    arb_mat_bound_inf_norm(largest, A);
    ck_assert_msg(balls_log2norm(A) == mag_get_d_log2_approx(largest), "%ld x %ld", r, c);
    mag_clear(x);
    mag_clear(sum);
    mag_clear(largest);
    _mag_vec_clear(row, r);
    _mag_vec_clear(weighted, r);
    _mag_vec_clear(top, c);
    _mag_vec_clear(w, c);
    balls_clear(A);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("matrices of balls");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, as_arb_does, 0, 2 * (int)COUNT(sizes));
    tcase_add_loop_test(all, sizes_of_rows_and_columns, 0, 2 * (int)COUNT(sizes));
    return run_suite(suite, argc, argv);
}
