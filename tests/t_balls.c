/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_balls.c - each ball at 24 bits holds the number that 384 bits give, and what is not finite is never equal.
 *
 * The arguments are balls with radii themselves (inverses), so that a slot that forgets a radius is seen.        */
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include "numerics/arith_arb.h"
#include "numerics/elementary/elementary.h"
#include "numerics/flint_compat.h"
#include "numerics/mat.h"
#include "tests/support/suite.h"

enum { N = 4 };
static const place here = { 0, PLACE_MLP, 0 };
static const unsigned char causal[N * N] = { 1, 0, 0, 0,  1, 1, 0, 0,  1, 1, 1, 0,  1, 1, 1, 1 };

/* A matrix of balls with radii: an inverse, moved so that its entries are of the size of 1. */
static const mat *wide(scope *s) { return mat_inv(s, mat_draw(s, "A", N, N, 0)); }
static const mat *positive(scope *s)
{
    const mat *A = wide(s);
    return mat_add(s, mat_hadamard(s, A, A), mat_dyadic(s, N, N, (int64_t[N * N]){ [0 ... N * N - 1] = 1 }, -2));
}
static const mat *small(scope *s)
{
    const mat *A = positive(s), *one = mat_ones(s, N, N);                   /* |x| < 1 */
    return mat_hadamard(s, mat_rsqrt(s, mat_add(s, one, mat_hadamard(s, A, A))), mat_dyadic(s, N, N,
                        (int64_t[N * N]){ [0 ... N * N - 1] = 3 }, -2));
}
static const mat *softmax(scope *s, const unsigned char *visible, long num)
{
    return mat_rowmap(s, wide(s), &(rowmap){ ROWMAP_SOFTMAX, visible, num, 3 }, here);
}

static const mat *f_inverse(scope *s) { return wide(s); }
static const mat *f_sum    (scope *s) { return mat_add(s, wide(s), positive(s)); }
static const mat *f_minus  (scope *s) { return mat_sub(s, wide(s), positive(s)); }
static const mat *f_product(scope *s) { return mat_mul(s, wide(s), positive(s)); }
static const mat *f_hadamard(scope *s) { return mat_hadamard(s, wide(s), positive(s)); }
static const mat *f_rows   (scope *s) { return mat_scale_rows(s, mat_cols(s, wide(s), 0, 1), positive(s)); }
static const mat *f_turned (scope *s) { return mat_t(s, wide(s)); }
static const mat *f_gelu   (scope *s) { return mat_phi(s, wide(s), ACT_GELU, here); }
static const mat *f_relu   (scope *s) { return mat_phi(s, wide(s), ACT_RELU, here); }
static const mat *f_silu   (scope *s) { return mat_phi(s, wide(s), ACT_SILU, here); }
static const mat *f_tanh   (scope *s) { return mat_phi(s, wide(s), ACT_TANH, here); }
static const mat *f_softmax(scope *s) { return softmax(s, NULL, 1); }
static const mat *f_masked (scope *s) { return softmax(s, causal, 2); }
static const mat *f_linear (scope *s) { return mat_rowmap(s, wide(s), &(rowmap){ ROWMAP_LINEAR, causal, 2, 3 }, here); }
static const mat *f_layer  (scope *s) { return mat_norm(s, wide(s), NORM_LAYER, -17, here); }
static const mat *f_rms    (scope *s) { return mat_norm(s, wide(s), NORM_RMS, -3, here); }
static const mat *f_rotate (scope *s) { return mat_rotate(s, wide(s)); }
static const mat *f_rsqrt  (scope *s) { return mat_rsqrt(s, positive(s)); }
static const mat *f_artanh (scope *s) { return mat_artanh(s, small(s)); }

static const struct { const char *name; const mat *(*of)(scope *); } slots[] = {
    { "inverse", f_inverse }, { "sum", f_sum }, { "difference", f_minus }, { "product", f_product },
    { "hadamard", f_hadamard }, { "scale rows", f_rows }, { "transpose", f_turned }, { "GELU", f_gelu }, { "ReLU", f_relu },
    { "SiLU", f_silu }, { "tanh", f_tanh }, { "softmax", f_softmax }, { "masked softmax", f_masked }, { "linear", f_linear },
    { "LayerNorm", f_layer }, { "RMSNorm", f_rms }, { "rotation", f_rotate }, { "1/sqrt", f_rsqrt }, { "artanh", f_artanh },
};

/* The double nearest to the number is off by 2^-53 of it, which does not matter to a ball of 24 bits. */
START_TEST(few_bits_hold_many)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        arith few = arith_arb(24), many = arith_arb(384);
        scope a = scope_open(&few, seed, 1), b = scope_open(&many, seed, 1);
        const mat *A = slots[_i].of(&a), *B = slots[_i].of(&b);
        mpq_t x;
        mpq_init(x);
        for (long i = 0; a.status == HOLDS && i < A->rows; i++)
            for (long j = 0; j < A->cols; j++) {
                mpq_set_d(x, many.ring.get_d(B, i, j));
                ck_assert_msg(arith_arb_contains(A, i, j, x), "%s, seed %llu, entry (%ld, %ld): the ball misses %.17g",
                              slots[_i].name, (unsigned long long)seed, i, j, many.ring.get_d(B, i, j));
            }
        mpq_clear(x);
        scope_close(&a);
        scope_close(&b);
        arith_close(&few);
        arith_close(&many);
    }
}
END_TEST

/* Two balls of the same value overlap, and are no points: their radii are kept. */
START_TEST(radii_are_passed_on)
{
    arith R = arith_arb(24);
    long wider = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        scope s = scope_open(&R, seed, 2);
        const mat *A = slots[_i].of(&s), *B = slots[_i].of(&s);
        const comparison is = mat_compare(A, B, -INFINITY);
        wider += s.status == HOLDS && is.is == UNDECIDED && isfinite(is.log2gap);  /* balls that meet, with a width */
        scope_close(&s);
    }
    ck_assert_msg(wider > 0, "%s: its values are points", slots[_i].name);
    arith_close(&R);
}
END_TEST

/* inf - inf, and inf itself, are equal to nothing, not even to themselves. */
static void never_equal(arith R)
{
    scope s = scope_open(&R, 1, 1);
    const mat *huge = mat_dyadic(&s, 1, 1, (int64_t[]){ 1 }, 1 << 30), *one = mat_identity(&s, 1);
    const mat *NaN = mat_sub(&s, mat_mul(&s, huge, one), huge), *again = mat_sub(&s, mat_mul(&s, huge, one), huge);
    const mat *inf = mat_mul(&s, huge, one);
    if (R.ring.get_d(huge, 0, 0) == INFINITY) {
        ck_assert_int_eq(mat_compare(NaN, again, 0).is, UNDECIDED);
        ck_assert_int_eq(mat_compare(NaN, one, 1000).is, UNDECIDED);
        ck_assert_int_eq(mat_compare(one, NaN, 1000).is, UNDECIDED);
        ck_assert_int_eq(mat_compare(inf, one, 1000).is, UNDECIDED);
        ck_assert_int_eq(mat_compare(one, inf, 1000).is, UNDECIDED);
    }
    scope_close(&s);
    arith_close(&R);
}
START_TEST(doubles_that_are_not_finite)
{
    arith R = arith_f64();
    ck_assert(R.bits == 53);
    never_equal(R);
}
END_TEST

/* A ball over everything: 1/0 as a ball that holds 0. */
START_TEST(balls_that_are_not_finite)
{
    arith R = arith_arb(64);
    scope s = scope_open(&R, 1, 1);
    const mat *third = mat_inv(&s, mat_from_si(&s, 1, 1, (long[]){ 3 })), *three = mat_from_si(&s, 1, 1, (long[]){ 3 });
    const mat *zero = mat_sub(&s, mat_mul(&s, three, third), mat_identity(&s, 1));                /* a ball around 0 */
    const mat *all = mat_phi(&s, mat_dyadic(&s, 1, 1, (int64_t[]){ 1 }, 1 << 20), ACT_SILU, here), *one = mat_identity(&s, 1);
    ck_assert_int_eq(mat_positive(zero), UNDECIDED);
    ck_assert_int_ne(mat_compare(all, one, 1 << 30).is, HOLDS);
    ck_assert_int_ne(mat_compare(one, all, 1 << 30).is, HOLDS);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* An entry of a softmax is at most two units in its last place wider than the quotient by the sum of its row. */
START_TEST(midpoints_and_radii)
{
    arith R = arith_arb(128);
    scope s = scope_open(&R, 0, 0);
    const mat *tiny = mat_dyadic(&s, 1, 3, (int64_t[]){ 1, -1, 0 }, -100), *one = mat_from_si(&s, 1, 3, (long[]){ 1, -1, 0 });
    double x[3];
    ck_assert(arith_arb_row(mat_add(&s, one, tiny), 0, false, x) == 0);
    ck_assert(x[0] == 1 + 0x1p-52 && x[1] == -1 - 0x1p-52 && x[2] == 0);                    /* to odd */
    arith_arb_row(mat_add(&s, one, tiny), 0, true, x);
    ck_assert(x[0] == 1 && x[1] == -1);
    const mat *third = mat_ratio(&s, 1, 3);
    const double radius = arith_arb_row(third, 0, false, x);
    ck_assert(radius > 0 && radius < 0x1p-120 && fabs(x[0] - 1.0 / 3) < 0x1p-53);
    const mat *wide = arith_arb_widened(&s, third, mat_dyadic(&s, 1, 1, (int64_t[]){ -1 }, -10));
    ck_assert(arith_arb_row(wide, 0, false, x) >= 0x1p-10 && fabs(x[0] - 1.0 / 3) < 0x1p-53);
    ck_assert(arith_arb_row(arith_arb_midpoints(&s, wide), 0, false, x) == 0 && fabs(x[0] - 1.0 / 3) < 0x1p-53);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

START_TEST(softmax_is_thin)
{
    enum { COLS = 21 };
    const long bits = 64l << _i;
    arith R = arith_arb(bits);
    scope s = scope_open(&R, 3, 1);
    const mat *X = mat_draw(&s, "X", 5, COLS, 1), *Y = mat_rowmap(&s, X, &(rowmap){ ROWMAP_SOFTMAX, NULL, 1, 1 }, here);
    arb_ptr e = _arb_vec_init(COLS);
    arb_t sum;
    mag_t unit, most;
    arb_init(sum);
    mag_init(unit);
    mag_init(most);
    for (long i = 0; i < X->rows; i++) {
        elementary_exp(e, arb_mat_entry(arith_arb_balls(X), i, 0), COLS, bits);
        arb_zero(sum);
        for (long j = 0; j < COLS; j++) arb_add(sum, sum, e + j, bits);
        for (long j = 0; j < COLS; j++) {
            arb_div(e + j, e + j, sum, bits);
            arb_srcptr y = arb_mat_entry(arith_arb_balls(Y), i, j);
            arf_mag_set_ulp(unit, arb_midref(e + j), bits);
            mag_mul_2exp_si(unit, unit, 1);
            mag_add(most, arb_radref(e + j), unit);
            const bool thin = mag_cmp(arb_radref(y), most) <= 0 && arb_overlaps(y, e + j);
            ck_assert_msg(thin, "%ld bits, entry (%ld, %ld)", bits, i, j);
        }
    }
    _arb_vec_clear(e, COLS);
    arb_clear(sum);
    mag_clear(unit);
    mag_clear(most);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("balls");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 120);
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, few_bits_hold_many, 0, (int)COUNT(slots));
    tcase_add_loop_test(all, radii_are_passed_on, 0, (int)COUNT(slots));
    tcase_add_loop_test(all, softmax_is_thin, 0, 4);
    tcase_add_test(all, doubles_that_are_not_finite);
    tcase_add_test(all, balls_that_are_not_finite);
    tcase_add_test(all, midpoints_and_radii);
    return run_suite(suite, argc, argv);
}
