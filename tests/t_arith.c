/* t_arith.c - every arithmetic obeys the laws of tests/support/laws.c, and handles its corners. */
#include <math.h>
#include <string.h>
#include "numerics/mat.h"
#include "tests/support/laws.h"
#include "tests/support/suite.h"

static const uint64_t key[2] = { 1, 2 };

START_TEST(all_laws)
{
    const number_system *u = &number_systems[_i];
    for (uint64_t seed = 1; seed <= 3; seed++) {
        char first[160] = "";
        arith R = u->open();
        const long broken = laws_broken(u, &R, seed, first, sizeof first);
        ck_assert_msg(broken == 0, "%ld laws broken, first %s", broken, first);
        arith_close(&R);
    }
}
END_TEST

/* A singular matrix has no inverse anywhere; the failure sticks and is never a pass. */
START_TEST(singular)
{
    const number_system *u = &number_systems[_i];
    arith R = u->open();
    scope s = scope_open(&R, 1, 0);
    const mat *A = R.traits & SYMBOLIC ? mat_add(&s, mat_draw(&s, "A", 3, 3, 0), mat_draw(&s, "B", 3, 3, 0))
                                       : mat_from_si(&s, 3, 3, (long[]){ 1, 2, 3, 4, 5, 6, 7, 8, 9 });
    const mat *inverse = mat_inv(&s, A);
    const bool rounds = strcmp(R.name, "f64") == 0;      /* LU of doubles may miss it: then kappa tells */
    ck_assert_msg(s.status == UNDECIDED || (rounds && s.kappa > 1e15), "%s inverted a singular matrix", u->label);
    ck_assert_int_eq(inverse->rows, 3);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* Pivoting: without it the small pivot destroys the inverse. */
START_TEST(small_pivot)
{
    const number_system *u = &number_systems[_i];
    arith R = u->open();
    scope s = scope_open(&R, 1, 0);
    const mat *A = mat_dyadic(&s, 2, 2, (int64_t[]){ 1, (int64_t)1 << 40, (int64_t)1 << 40, (int64_t)1 << 40 }, -40);
    if (!(R.traits & SYMBOLIC)) {
        ck_assert_int_eq(mat_compare(mat_mul(&s, A, mat_inv(&s, A)), mat_identity(&s, 2), u->log2bound).is, HOLDS);
    }
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* The same draws everywhere: entries of one name agree between the systems that hold dyadic numbers. */
START_TEST(same_draws)
{
    const int dyadic[] = { 0, 1, 2, 3, 6 };
    double first[6];
    for (size_t k = 0; k < COUNT(dyadic); k++) {
        arith R = number_systems[dyadic[k]].open();
        scope s = scope_open(&R, 20261121, 3);
        const mat *A = mat_draw(&s, "W_Q.0", 2, 3, -2);
        for (long i = 0; i < 6; i++) {
            if (k == 0) first[i] = R.ring.get_d(A, i / 3, i % 3);
            ck_assert_double_eq(R.ring.get_d(A, i / 3, i % 3), first[i]);
        }
        scope_close(&s);
        arith_close(&R);
    }
}
END_TEST

START_TEST(softmax_of_huge_scores)
{
    const number_system *u = &number_systems[_i];
    arith R = u->open();
    scope s = scope_open(&R, 1, 0);
    const rowmap softmax = { ROWMAP_SOFTMAX, NULL, 1, 1 };
    const mat *S = mat_dyadic(&s, 1, 3, (int64_t[]){ 1, 2, 3 }, 80);
    const mat *weights = mat_rowmap(&s, S, &softmax, (place){ 0, 0, 0 });
    ck_assert_int_eq(mat_compare(weights, mat_from_si(&s, 1, 3, (long[]){ 0, 0, 1 }), u->log2bound).is, HOLDS);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

START_TEST(scale_that_is_no_square)
{
    arith R[] = { arith_q(key), arith_fp(2147483647, key) };
    for (size_t k = 0; k < COUNT(R); k++)
        for (int side = 0; side < 3; side++) {
            scope s = scope_open(&R[k], 1, 0);
            const rowmap how = { ROWMAP_LINEAR, NULL, side == 0 ? 7 : 4, side == 1 ? 7 : 4 };
            (void)mat_rowmap(&s, mat_draw(&s, "S", 2, 2, 0), &how, (place){ 0, 0, 0 });
            ck_assert_int_eq(s.status, side == 2 ? HOLDS : UNDECIDED);
            scope_close(&s);
        }
}
END_TEST

/* Over q softmax is exact where the visible scores of a row are equal, whatever the others are, and undecided elsewhere. */
START_TEST(softmax_of_equal_scores)
{
    arith R = arith_q(key);
    const unsigned char visible[] = { 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 1 };
    const long scores[] = { 5, 7, 5, 1, 2, 3, 1, 2, 3, -2, -2, -2 }, sixths[] = { 3, 0, 3, 0, 6, 0, 0, 0, 0, 2, 2, 2 };
    for (rowmap_kind kind = ROWMAP_SOFTMAX; kind <= ROWMAP_STOCHASTIC; kind++) {
        if (kind == ROWMAP_LINEAR) continue;
        scope s = scope_open(&R, 1, 0);
        const place at = { 0, 0, 0 };
        const mat *S = mat_from_si(&s, 4, 3, scores);
        const mat *A = mat_rowmap(&s, S, &(rowmap){ kind, visible, 1, 7 }, at);
        const mat *six = mat_scale_rows(&s, mat_from_si(&s, 4, 1, (long[]){ 6, 6, 6, 6 }), A);
        ck_assert_int_eq(mat_compare(six, mat_from_si(&s, 4, 3, sixths), -INFINITY).is, HOLDS);
        ck_assert_int_eq(s.status, HOLDS);
        (void)mat_rowmap(&s, S, &(rowmap){ kind, NULL, 1, 7 }, at);
        ck_assert_int_eq(s.status, UNDECIDED);
        ck_assert(reason_skips(s.reason));
        scope_close(&s);
    }
}
END_TEST

/* The gap is the largest difference over the largest entry, in whatever rows these are. */
START_TEST(gap_over_all_rows)
{
    const number_system *u = &number_systems[_i];
    arith R = u->open();
    scope s = scope_open(&R, 1, 0);
    for (long i = 0; i < 9 && R.traits & HAS_EXP; i++) {
        int64_t a[3] = { 1 << 10, 1 << 10, 1 << 10 }, b[3] = { 1 << 10, 1 << 10, 1 << 10 };
        a[i / 3] = b[i / 3] = 1 << 13;                    /* the largest entry, 8 */
        b[i % 3]++;
        const comparison c = mat_compare(mat_dyadic(&s, 3, 1, a, -10), mat_dyadic(&s, 3, 1, b, -10), -8);
        ck_assert_msg(fabs(c.log2gap + 13) < 0.01, "%s: row %ld of 8 and row %ld: %g", u->label, i / 3, i % 3, c.log2gap);
    }
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* What each arithmetic is, and what checks ask of it unless they say otherwise. */
START_TEST(kinds_and_default_bounds)
{
    arith f64 = arith_f64(), bounded = arith_f64_bounded(), mpfr = arith_mpfr(64), arb = arith_arb(256);
    arith fp = arith_fp(2147483647, key), q = arith_q(key), sym = arith_sym(), deg = arith_deg();
    const struct { arith *R; arith_kind kind; double log2bound; } table[] = {
        { &f64, A_F64, -26.5 },     { &bounded, A_F64, log2(1e-3) }, { &mpfr, A_MPFR, -32 },   { &arb, A_ARB, -64 },
        { &fp, A_FP, -INFINITY },   { &q, A_Q, -INFINITY },          { &sym, A_SYM, -INFINITY },
        { &deg, A_DEG, -INFINITY },
    };
    for (size_t k = 0; k < COUNT(table); k++) {
        ck_assert_int_eq(table[k].R->kind, table[k].kind);
        ck_assert_double_eq(table[k].R->default_log2bound, table[k].log2bound);
        arith_close(table[k].R);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("arith");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, all_laws, 0, NUMBER_SYSTEMS);
    tcase_add_loop_test(all, singular, 0, NUMBER_SYSTEMS);
    tcase_add_loop_test(all, small_pivot, 0, NUMBER_SYSTEMS);
    tcase_add_test(all, softmax_of_equal_scores);
    tcase_add_loop_test(all, softmax_of_huge_scores, 0, 3);
    tcase_add_test(all, same_draws);
    tcase_add_loop_test(all, gap_over_all_rows, 0, NUMBER_SYSTEMS);
    tcase_add_test(all, kinds_and_default_bounds);
    tcase_add_test(all, scale_that_is_no_square);
    return run_suite(suite, argc, argv);
}
