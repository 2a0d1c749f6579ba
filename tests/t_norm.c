/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_norm.c - LayerNorm, RMSNorm, Dynamic Tanh and the counting of signs, against hand examples, doubles and proofs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "src/methods/norm/dyt.h"
#include "tests/support/suite.h"

static const uint64_t key[2] = { 3, 9 };

/* A trial without a runner. */
static trial trial_over(const arith *R) { return (trial){ .s = scope_open(R, 7, 1), .record = { .log2logit = NAN } }; }
static truth trial_end(trial *t)                         /* the worst answer of its checks */
{
    truth worst = t->s.status;
    for (long k = 0; k < t->record.nchecks; k++)
        if (t->record.checks[k].is.is == REFUTED || worst == HOLDS) worst = t->record.checks[k].is.is;
    free(t->record.checks);
    scope_close(&t->s);
    return worst;
}

static void near(const mat *A, long i, long j, double x)
{
    const double a = mat_get_d(A, i, j);
    ck_assert_msg(fabs(a - x) <= 1e-12 * (1 + fabs(x)), "entry (%ld, %ld) is %.17g, not %.17g", i, j, a, x);
}

/* ---- norms --------------------------------------------------------------------------------------------- */

static const double EPS = 0x1p-17;

START_TEST(by_hand)
{
    arith R = arith_arb(128);
    trial t = trial_over(&R);
    scope *s = &t.s;
    const mat *x = mat_from_si(s, 1, 2, (long[]){ 3, 1 }), *L = norm_layer(s, x), *N = norm_rms(s, x);
    near(L, 0, 0, 1 / sqrt(1 + EPS));                    /* mean 2, variance 1 */
    near(L, 0, 1, -1 / sqrt(1 + EPS));
    near(N, 0, 0, 3 / sqrt(5 + EPS));                    /* mean square 5 */
    const mat *z = mat_from_si(s, 2, 3, (long[]){ 1, 0, -1, 1, 0, 0 }), *b = norm_back(&t, z);
    near(b, 0, 0, sqrt(3 * EPS / (3 - 2)));
    near(b, 0, 2, -sqrt(3 * EPS / (3 - 2)));
    near(b, 1, 0, sqrt(3 * EPS / (3 - 1)));
    near(mat_row_squares(s, z), 0, 0, 2);
    near(mat_ratio(s, 3, 8), 0, 0, 0.375);
    near(norm_d_eps(s, 5), 0, 0, 5 * EPS);
    near(mat_reciprocal(s, mat_from_si(s, 2, 1, (long[]){ 4, 5 })), 1, 0, 0.2);
    near(mat_scale_by(s, mat_ratio(s, 1, 2), z), 0, 2, -0.5);
    near(mat_diag(s, mat_from_si(s, 2, 1, (long[]){ 4, 5 })), 1, 1, 5);
    near(mat_diag(s, mat_from_si(s, 2, 1, (long[]){ 4, 5 })), 1, 0, 0);
    const mat *M = mat_from_si(s, 2, 2, (long[]){ 1, 2, 3, 5 });
    near(norm_apply(s, M, x), 0, 1, 14);                 /* M (3,1)' = (5,14)' */
    near(norm_gain(s, M), 0, 0, -2);                     /* M'v = 1: v = (-2, 1) */
    near(norm_gain(s, M), 1, 0, 1);
    near(norm_mlp(s, M, mat_from_si(s, 1, 2, (long[]){ 1, 10 }), ACT_RELU, x), 0, 0, 145);
    ck_assert_int_eq(trial_end(&t), HOLDS);
}
END_TEST

START_TEST(outside_the_ball)                             /* |(1,1,1)| = sqrt 3: on the sphere, not inside */
{
    for (long big = 1; big <= 2; big++) {
        arith R = arith_arb(128);
        trial t = trial_over(&R);
        const mat *z = mat_from_si(&t.s, 1, 3, (long[]){ big, big, big }), *b = norm_back(&t, z);
        near(b, 0, 0, 0);
        ck_assert_int_eq(t.record.nchecks, 1);
        ck_assert_int_eq(t.s.status, HOLDS);
        ck_assert_int_eq(trial_end(&t), REFUTED);
    }
}
END_TEST

/* The inverse square from the definitions is that of back after L, times Sigma. */
START_TEST(factors)
{
    arith R = arith_arb(256);
    trial t = trial_over(&R);
    scope *s = &t.s;
    const mat *Y = mat_from_si(s, 2, 3, (long[]){ 1, 2, -3, 0, 1, -1 }), *half = mat_ratio(s, 1, 2);
    const mat *SY = mat_scale_by(s, half, Y), *f = norm_back(&t, mat_scale_by(s, half, norm_layer(s, Y)));
    const mat *square = norm_factor_square(s, 3, mat_row_squares(s, Y), mat_row_squares(s, SY));
    claim_equal(&t, "c^2 |SY|^2 = |f|^2", mat_hadamard(s, square, mat_row_squares(s, SY)), mat_row_squares(s, f));
    ck_assert_int_eq(trial_end(&t), HOLDS);
}
END_TEST

START_TEST(inputs_have_their_lengths)
{
    static const long sizes[] = { 3, 16, 64 };
    arith R = arith_f64();
    for (size_t k = 0; k < COUNT(sizes); k++) {
        scope s = scope_open(&R, 1, 0);
        const mat *square = mat_row_squares(&s, norm_inputs(&s, "X", sizes[k]));
        for (long i = 0; i < 5; i++) {
            const double off = 0.5 * log2(R.ring.get_d(square, i, 0)) - (-14 + 7 * (double)i);
            ck_assert_msg(fabs(off) < 4, "row %ld of size %ld is 2^%g off", i, sizes[k], off);
        }
        scope_close(&s);
    }
}
END_TEST

/* ---- maps of H ------------------------------------------------------------------------------------------- */

START_TEST(maps_of_the_plane)
{
    arith R = arith_q(key);
    for (long d = 1; d <= 5; d++) {
        trial t = trial_over(&R);
        scope *s = &t.s;
        const mat *one = mat_ones(s, d, 1), *I = mat_identity(s, d), *P = mat_centering(s, d);
        const mat *U = norm_rotation(s, "U", d);
        claim_equal(&t, "P 1 = 0", mat_mul(s, P, one), mat_zero(s, d, 1));
        claim_equal(&t, "P P = P", mat_mul(s, P, P), P);
        claim_rank(&t, "rank P", P, d - 1);
        claim_equal(&t, "U'U = I", mat_mul(s, mat_t(s, U), U), I);
        claim_equal(&t, "U 1 = 1", mat_mul(s, U, one), one);
        const mat *Sigma = norm_contraction(s, "S", d), *x = mat_draw(s, "x", 3, d, 0), *most = mat_ratio(s, 9, 16);
        const mat *room = mat_sub(s, mat_scale_by(s, most, mat_row_squares(s, x)),
                                  mat_row_squares(s, norm_apply(s, Sigma, x)));
        const mat *map = norm_map(s, "M", d), *near_one = norm_near_one(s, "g", d);
        const mat *half = mat_scale_by(s, mat_ratio(s, 1, 2), one);
        claim_equal(&t, "P M = M", mat_mul(s, P, map), map);
        claim_equal(&t, "M P = M", mat_mul(s, map, P), map);
        claim_less(&t, "1/2 < g", half, near_one);
        claim_less(&t, "g < 3/2", near_one, mat_add(s, one, half));
        if (d > 2) claim_positive(&t, "|Sigma x| < 3/4 |x|", room);
        if (d > 2) claim_differs(&t, "U = I", U, I);
        if (d > 1) {
            const mat *B = norm_plane(s, d);
            claim_rank(&t, "rank B", B, d - 1);
            claim_equal(&t, "P B = B", mat_mul(s, P, B), B);
            claim_equal(&t, "1'Sigma B = 0", mat_mul3(s, mat_t(s, one), Sigma, B), mat_zero(s, 1, d - 1));
        }
        ck_assert_int_eq(trial_end(&t), HOLDS);
    }
}
END_TEST

/* diag(3, -2, 1) has norm 3; over 64 rows of equal stretch, the worst case, the bound is 64^(1/128) too large. */
START_TEST(largest)
{
    arith R = arith_arb(256);
    trial t = trial_over(&R);
    scope *s = &t.s;
    const mat *A = mat_diag(s, mat_from_si(s, 3, 1, (long[]){ 3, -2, 1 }));
    const norm_top top = norm_largest(s, A), same = norm_largest(s, mat_identity(s, 64));
    claim_less(&t, "9 <= square", mat_ratio(s, 9, 1), top.square);
    claim_less(&t, "square < 9.0001", top.square, mat_ratio(s, 90001, 10000));
    const mat *reached = mat_row_squares(s, norm_apply(s, A, top.along));
    claim_positive(&t, "the direction", mat_sub(s, reached, mat_ratio(s, 899, 100)));
    claim_equal(&t, "its length", mat_row_squares(s, top.along), mat_ratio(s, 1, 1));
    near(same.square, 0, 0, pow(64, 1.0 / 128));
    norm_claim_top(&t, A, top);
    ck_assert_int_eq(trial_end(&t), HOLDS);
    for (int k = 0; k < 2; k++) {                        /* a square too large, a direction too long */
        t = trial_over(&R);
        s = &t.s;
        const mat *B = mat_diag(s, mat_from_si(s, 2, 1, (long[]){ 3, 1 })), *two = mat_ratio(s, 2, 1);
        norm_top wrong = norm_largest(s, B);
        if (k) wrong.along = mat_scale_by(s, two, wrong.along);
        else   wrong.square = mat_scale_by(s, two, wrong.square);
        norm_claim_top(&t, B, wrong);
        ck_assert_int_eq(trial_end(&t), REFUTED);
    }
}
END_TEST

START_TEST(degenerate_rows)
{
    arith R[] = { arith_q(key), arith_f64() };
    for (size_t k = 0; k < COUNT(R); k++) {
        scope s = scope_open(&R[k], 1, 0);
        ck_assert(norm_degenerate(&s, mat_from_si(&s, 2, 2, (long[]){ 1, 2, 3, 3 })));
        ck_assert(!norm_degenerate(&s, mat_from_si(&s, 2, 2, (long[]){ 1, 2, 1, 3 })));
        scope_close(&s);
    }
}
END_TEST

/* ---- signs ------------------------------------------------------------------------------------------------ */

START_TEST(one_sign)
{
    const uint64_t other[2] = { 3, 10 };
    ck_assert_int_eq(norm_one_signed(key, 1, 1000), 1000);
    const long seen = norm_one_signed(key, 3, 4000);
    ck_assert(880 < seen && seen < 1120);                /* 1000 with deviation 27 */
    ck_assert_int_eq(norm_one_signed(key, 3, 4000), seen);
    ck_assert_int_ne(norm_one_signed(other, 3, 4000), seen);
    arith R = arith_q(key);
    scope s = scope_open(&R, 1, 0);
    ck_assert_int_eq(norm_one_signed_flips(&s, mat_identity(&s, 4)), 2);
    ck_assert_int_eq(norm_one_signed_flips(&s, mat_from_si(&s, 2, 2, (long[]){ 1, 1, 0, 1 })), 0);     /* v = (1, 0) */
    scope_close(&s);
}
END_TEST

/* ---- Dynamic Tanh ------------------------------------------------------------------------------------------- */

START_TEST(dynamic_tanh)
{
    arith R = arith_arb(256);
    trial t = trial_over(&R);
    scope *s = &t.s;
    const dyt T = { mat_from_si(s, 2, 1, (long[]){ 2, -3 }), mat_from_si(s, 2, 1, (long[]){ 1, 2 }),
                    mat_from_si(s, 2, 1, (long[]){ 5, 7 }) };
    const mat *X = mat_from_si(s, 1, 2, (long[]){ 1, -1 }), *y = dyt_apply(s, &T, X), *I = mat_identity(s, 2);
    near(y, 0, 0, 2 * tanh(1) + 5);
    near(y, 0, 1, 3 * tanh(2) + 7);
    claim_equal(&t, "f = id for T' = T", dyt_solve(&t, I, &T, &T, X), X);
    claim_equal(&t, "slopes", dyt_slopes(s, I, &T, &T), I);
    const mat *o = mat_from_si(s, 2, 1, (long[]){ -1, 2 });
    const mat *Theta = mat_from_si(s, 2, 2, (long[]){ 1, -2, 3, 4 });
    const dyt to = dyt_target(s, Theta, &T, o, 20);      /* twice 1 + 2 + 6 and 2 + 6 + 12 */
    near(to.gamma, 0, 0, 18);
    near(to.gamma, 1, 0, -40);
    near(to.beta, 0, 0, 5 - 14 - 1);
    near(to.beta, 1, 0, 15 + 28 + 2);
    ck_assert_int_eq(trial_end(&t), HOLDS);
}
END_TEST

START_TEST(box)
{
    arith R = arith_q(key);
    static const struct { long tenths, outside, rows; } want[] = { { 20, 0, 0 }, { 10, 0, 3 }, { 9, 8, 3 } };
    for (size_t k = 0; k < COUNT(want); k++) {
        scope s = scope_open(&R, 1, 0);
        const mat *I = mat_identity(&s, 3), *none = mat_zero(&s, 3, 1);
        const dyt T = dyt_random(&s, "T", 3), to = dyt_target(&s, I, &T, none, want[k].tenths);
        const dyt_corners n = dyt_count(&s, I, &T, &to);
        ck_assert_int_eq(n.all, 8);
        ck_assert_int_eq(n.outside, want[k].outside);
        ck_assert_int_eq(n.rows, want[k].rows);
        scope_close(&s);
    }
    arith B = arith_arb(256);
    trial t = trial_over(&B);
    const mat *Theta = mat_draw(&t.s, "Theta", 4, 4, 0), *X = dyt_inputs(&t.s, Theta);
    const dyt T = dyt_random(&t.s, "T", 4), small = dyt_target(&t.s, Theta, &T, mat_zero(&t.s, 4, 1), 9);
    near(dyt_solve(&t, Theta, &T, &small, X), 0, 0, 0);
    ck_assert_int_eq(t.s.status, HOLDS);
    ck_assert_int_eq(trial_end(&t), REFUTED);
}
END_TEST

/* ---- what the core has learnt for this ------------------------------------------------------------------------ */

/* A ball about 0, as the rounding of a zero leaves it, and a plain 0 are no place for the minimal control. */
START_TEST(minimal_is_felt)
{
    arith R = arith_arb(128);
    for (uint64_t seed = 0; seed < 8; seed++) {
        trial t = { .s = scope_open(&R, seed, 0), .record = { .mode = TRIAL_MINIMAL } };
        scope *s = &t.s;
        const mat *three = mat_from_si(s, 1, 1, (long[]){ 3 }), *r = mat_rsqrt(s, three), *one = mat_ones(s, 1, 1);
        const mat *ball = mat_sub(s, mat_mul3(s, r, r, three), one);
        const mat *D = mat_vcat(s, 3, (const mat *[]){ r, ball, mat_zero(s, 1, 1) }), *nudged = D;
        claim_reduced(&t, 1, (const mat **[]){ &nudged });
        ck_assert(t.record.nudged);
        ck_assert_int_eq(mat_compare(mat_rows(s, D, 0, 1), mat_rows(s, nudged, 0, 1), -64).is, REFUTED);
        scope_close(s);
    }
}
END_TEST

START_TEST(undecided_signs)
{
    arith R = arith_arb(128), F = arith_f64();
    scope s = scope_open(&R, 1, 0), f = scope_open(&F, 1, 0);
    const mat *three = mat_from_si(&s, 1, 1, (long[]){ 3 }), *r = mat_rsqrt(&s, three);
    ck_assert_int_eq(mat_positive(mat_sub(&s, mat_mul3(&s, r, r, three), mat_ones(&s, 1, 1))), UNDECIDED);
    const mat *inf = mat_dyadic(&f, 1, 1, (int64_t[]){ 1 }, 2000);
    ck_assert_int_eq(mat_positive(inf), HOLDS);
    ck_assert_int_eq(mat_positive(mat_sub(&f, inf, inf)), UNDECIDED);          /* NaN */
    scope_close(&s);
    scope_close(&f);
}
END_TEST

START_TEST(positive_is_a_check)
{
    static const struct { long x; truth is; } want[] = { { 1, HOLDS }, { 0, REFUTED }, { -1, REFUTED } };
    arith R = arith_q(key);
    for (size_t k = 0; k < COUNT(want); k++) {
        trial t = trial_over(&R);
        claim_positive(&t, "x > 0", mat_from_si(&t.s, 1, 1, &want[k].x));
        ck_assert_int_eq(t.record.nchecks, 1);
        ck_assert(t.record.checks[0].want_equal);
        ck_assert_int_eq(trial_end(&t), want[k].is);
    }
    for (long b = 0; b <= 2; b++) {                                            /* 1 < b */
        trial t = trial_over(&R);
        claim_less(&t, "1 < b", mat_ones(&t.s, 1, 1), mat_from_si(&t.s, 1, 1, &b));
        ck_assert_int_eq(trial_end(&t), b == 2 ? HOLDS : REFUTED);
    }
    arith Fp = arith_fp(2147483647, key);                                      /* no order: never a pass */
    trial t = trial_over(&Fp);
    claim_positive(&t, "x > 0", mat_ones(&t.s, 1, 1));
    ck_assert_int_eq(t.record.checks[0].is.is, UNDECIDED);
    (void)trial_end(&t);
}
END_TEST

/* ---- contracts -------------------------------------------------------------------------------------------------- */

typedef struct { const char *says; void (*breaks)(scope *s); } contract;
static void no_denominator(scope *s)  { mat_ratio(s, 1, 0); }
static void wide_factor(scope *s)     { mat_scale_by(s, mat_ones(s, 1, 2), mat_ones(s, 2, 2)); }
static void no_plane(scope *s)        { norm_plane(s, 1); }
static void no_cycle(scope *s)        { dyt_monomial(s, 1); }
static void large_draws(scope *s)     { (void)s; norm_one_signed(key, 9, 10); }
static void large_flips(scope *s)     { norm_one_signed_flips(s, mat_identity(s, 9)); }
static void many_corners(scope *s)
{
    const dyt T = dyt_random(s, "T", 9);
    dyt_count(s, mat_identity(s, 9), &T, &T);
}
static const contract contracts[] = {
    { "the number 1/0", no_denominator }, { "a factor of 1x2", wide_factor }, { "no basis for d = 1", no_plane },
    { "a cycle of 1", no_cycle }, { "10 draws of size 9", large_draws }, { "2^9 matrices", large_flips },
    { "2^9 corners", many_corners },
};

static void provoke(void *which)
{
    arith R = arith_f64();
    scope s = scope_open(&R, 1, 0);
    contract_set_handler(contract_exits);
    ((const contract *)which)->breaks(&s);
}

START_TEST(contracts_fire)
{
    char output[1024];
    ck_assert_int_eq(run_child(provoke, (void *)(uintptr_t)&contracts[_i], output, sizeof output), CONTRACT_STATUS);
    ck_assert_msg(strstr(output, contracts[_i].says) != NULL, "%s: output %s", contracts[_i].says, output);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("norm");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    const TTest *tests[] = { by_hand, outside_the_ball, factors, inputs_have_their_lengths, maps_of_the_plane, largest, degenerate_rows,
                             one_sign, dynamic_tanh, box, minimal_is_felt, undecided_signs,
                             positive_is_a_check };
    for (size_t k = 0; k < COUNT(tests); k++) tcase_add_test(all, tests[k]);
    tcase_add_loop_test(all, contracts_fire, 0, COUNT(contracts));
    return run_suite(suite, argc, argv);
}
