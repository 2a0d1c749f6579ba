/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_arith.c - every arithmetic obeys the laws of tests/support/laws.c, and handles its corners. */
#include <math.h>
#include <string.h>
#include "numerics/arith_arb.h"
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

/* ---- what is no number holds nowhere ------------------------------------------------------------------------ */

enum { SIDE = 3 };
typedef enum { NOTHING, NOT_A_NUMBER, INFINITE, MINUS_INFINITE, PLANTS } plant;

/* Entries (k + 1)/16, and at (i, j) what is planted: 2^(2^30) is an infinity over doubles and floats, and its
 * difference from itself NaN; a ball is made what it is.  Enclosed doubles know better: their balls hold 2^(2^30). */
static const mat *planted(scope *s, plant what, long i, long j)
{
    int64_t m[SIDE * SIDE] = { 0 }, number[SIDE * SIDE];
    for (int k = 0; k < SIDE * SIDE; k++) number[k] = k + 1;
    const mat *A = mat_dyadic(s, SIDE, SIDE, number, -4);
    if (what == NOTHING) return A;
    if (s->R->kind == A_ARB) {
        arb_ptr x = arb_mat_entry(arith_arb_balls(A), i, j);
        if (what == NOT_A_NUMBER) arb_indeterminate(x);
        else if (what == INFINITE) arb_pos_inf(x);
        else arb_neg_inf(x);
        return A;
    }
    m[i * SIDE + j] = what == MINUS_INFINITE ? -1 : 1;
    const mat *huge = mat_dyadic(s, SIDE, SIDE, m, 1 << 30);
    A = mat_add(s, A, huge);
    return what == NOT_A_NUMBER ? mat_sub(s, A, huge) : A;
}

static arith enclosed(void) { return arith_f64_enclosed(192); }
static arith mpfr_64(void)  { return arith_mpfr(64); }
static arith arb_128(void)  { return arith_arb(128); }
static const struct { const char *label; arith (*open)(void); } reals[] = {
    { "doubles", arith_f64 }, { "bounded doubles", arith_f64_bounded }, { "enclosed doubles", enclosed },
    { "floats", mpfr_64 }, { "balls", arb_128 } };

/* Does f make anything of A: a matrix in a scope where nothing is undecided, all of it numbers? */
static bool says_something(const arith *R, const mat *f(scope *, const mat *), plant what, long i, long j)
{
    scope s = scope_open(R, 1, 0);
    const mat *one = f(&s, planted(&s, what, i, j)), *two = f(&s, planted(&s, what, i, j));
    const bool says = s.status == HOLDS && mat_compare(one, two, R->default_log2bound).is != UNDECIDED;
    scope_close(&s);
    return says;
}
static const place HERE = { 0, 0, 0 };
static const mat *itself (scope *s, const mat *A) { return mat_add(s, A, mat_zero(s, SIDE, SIDE)); }
static const mat *turned (scope *s, const mat *A) { return mat_t(s, A); }
static const mat *product(scope *s, const mat *A) { return mat_mul(s, A, mat_ones(s, SIDE, SIDE)); }
static const mat *entries(scope *s, const mat *A) { return mat_hadamard(s, A, A); }
static const mat *gelu   (scope *s, const mat *A) { return mat_phi(s, A, ACT_GELU, HERE); }
static const mat *silu   (scope *s, const mat *A) { return mat_phi(s, A, ACT_SILU, HERE); }
static const mat *relu   (scope *s, const mat *A) { return mat_phi(s, A, ACT_RELU, HERE); }
static const mat *relu_of_minus(scope *s, const mat *A) { return mat_phi(s, mat_scale(s, -1, 0, A), ACT_RELU, HERE); }
static const mat *tanh_of(scope *s, const mat *A) { return mat_phi(s, A, ACT_TANH, HERE); }
static const mat *layer  (scope *s, const mat *A) { return mat_norm(s, A, NORM_LAYER, -17, HERE); }
static const mat *rms    (scope *s, const mat *A) { return mat_norm(s, A, NORM_RMS, -17, HERE); }
static const mat *root   (scope *s, const mat *A) { return mat_rsqrt(s, A); }
static const mat *artanh (scope *s, const mat *A) { return mat_artanh(s, A); }
static const mat *softmax(scope *s, const mat *A)
{
    return mat_rowmap(s, A, &(rowmap){ ROWMAP_SOFTMAX, NULL, 1, 1 }, HERE);
}
static const mat *inverse(scope *s, const mat *A) { return mat_inv(s, mat_add(s, A, mat_identity(s, SIDE))); }

START_TEST(no_number_holds_nowhere)
{
    static const struct { const char *name; const mat *(*f)(scope *, const mat *); bool of_infinities; } functions[] = {
        { "itself", itself, true }, { "transpose", turned, true }, { "product", product, true }, { "squares", entries,
          true },
        { "GELU", gelu, false }, { "SiLU", silu, false }, { "ReLU", relu, false }, { "ReLU of -A", relu_of_minus,
          false }, { "tanh", tanh_of, false },
        { "LayerNorm", layer, true }, { "RMSNorm", rms, true }, { "1/sqrt", root, false }, { "artanh", artanh, true },
        { "softmax", softmax, false }, { "inverse", inverse, false } };
    arith R = reals[_i].open();
    for (size_t k = 0; k < COUNT(functions); k++) {
        ck_assert_msg(says_something(&R, functions[k].f, NOTHING, 0, 0), "%s: %s of numbers", reals[_i].label,
            functions[k].name);
        for (plant what = NOT_A_NUMBER; what < PLANTS; what++)
            for (long at = 0; at < SIDE * SIDE && (what == NOT_A_NUMBER || functions[k].of_infinities); at++)
                ck_assert_msg(!says_something(&R, functions[k].f, what, at / SIDE, at % SIDE),
                              "%s: %s, plant %d at (%ld, %ld)", reals[_i].label, functions[k].name, (int)what,
                                  at / SIDE, at % SIDE);
    }
    /* Norms and roots say so themselves, whatever their entries became. */
    const mat *(*const known[])(scope *, const mat *) = { layer, rms, root, artanh };
    for (size_t k = 0; k < COUNT(known); k++)
        for (long at = 0; at < SIDE * SIDE; at++) {
            scope s = scope_open(&R, 1, 0);
            (void)known[k](&s, planted(&s, NOT_A_NUMBER, at / SIDE, at % SIDE));
            ck_assert_msg(s.status == UNDECIDED, "%s: function %zu of NaN at %ld", reals[_i].label, k, at);
            scope_close(&s);
        }
    arith_close(&R);
}
END_TEST

/* In a comparison on either side, as a sign, and as an exact number. */
START_TEST(no_number_is_an_answer)
{
    arith R = reals[_i].open();
    for (plant what = NOT_A_NUMBER; what < PLANTS; what++)
        for (long at = 0; at < SIDE * SIDE; at++) {
            scope s = scope_open(&R, 1, 0);
            const long i = at / SIDE, j = at % SIDE;
            const mat *A = planted(&s, what, i, j), *B = planted(&s, NOTHING, 0, 0), *C = planted(&s, what, i, j);
            const char *label = reals[_i].label;
            mpq_t x;
            mpq_init(x);
            ck_assert_msg(mat_compare(A, B, R.default_log2bound).is == UNDECIDED, "%s: left, plant %d, %ld", label,
                (int)what, at);
            ck_assert_msg(mat_compare(B, A, R.default_log2bound).is == UNDECIDED, "%s: right, plant %d, %ld", label,
                (int)what, at);
            ck_assert_msg(mat_compare(A, C, INFINITY).is == UNDECIDED, "%s: both, plant %d, %ld", label, (int)what, at);
            ck_assert_msg(what != NOT_A_NUMBER || mat_positive(A) == UNDECIDED, "%s: sign, %ld", label, at);
            ck_assert_msg(what != MINUS_INFINITE || mat_positive(A) != HOLDS, "%s: sign of -inf, %ld", label, at);
            ck_assert_msg(!mat_get_exact(x, A, i, j), "%s: exact, plant %d", label, (int)what);
            ck_assert(mat_positive(B) == HOLDS && mat_get_exact(x, B, i, j) && mpq_cmp_ui(x, (ulong)at + 1, 16) == 0);
            mpq_clear(x);
            scope_close(&s);
        }
    arith_close(&R);
}
END_TEST

/* Balls: a third is no exact number; one entry that differs refutes, whatever the others are, and one that is too wide
 * decides nothing; the norm of a row that may be 0 is unknown, whichever row it is. */
START_TEST(what_balls_decide)
{
    arith R = arith_arb(128);
    scope s = scope_open(&R, 1, 0);
    mpq_t x;
    mpq_init(x);
    ck_assert(!mat_get_exact(x, mat_ratio(&s, 1, 3), 0, 0));
    mpq_clear(x);
    for (long at = 0; at < SIDE * SIDE; at++)
        for (long other = 0; other < SIDE * SIDE; other++) {
            if (other == at) continue;
            const mat *A = planted(&s, NOT_A_NUMBER, at / SIDE, at % SIDE), *B = planted(&s, NOTHING, 0, 0);
            arb_set_ui(arb_mat_entry(arith_arb_balls(A), other / SIDE, other % SIDE), 7);
            ck_assert_int_eq(mat_compare(A, B, -64).is, REFUTED);
        }
    for (long at = 0; at < SIDE * SIDE; at++) {
        const mat *A = planted(&s, NOTHING, 0, 0), *B = planted(&s, NOTHING, 0, 0);
        mag_set_ui_2exp_si(arb_radref(arb_mat_entry(arith_arb_balls(A), at / SIDE, at % SIDE)), 1, -40);
        ck_assert_int_eq(mat_compare(A, B, -64).is, UNDECIDED);
        ck_assert_int_eq(mat_compare(B, A, -64).is, UNDECIDED);
        ck_assert_int_eq(mat_compare(A, B, -30).is, HOLDS);
        const mat *wide = arith_arb_widened(&s, B, mat_dyadic(&s, 1, 1, (int64_t[]){ 1 }, -40));
        ck_assert_int_eq(mat_compare(A, wide, -64).is, UNDECIDED);
        ck_assert(mag_cmp_2exp_si(arb_radref(arb_mat_entry(arith_arb_balls(wide), at / SIDE, at % SIDE)), -40) >= 0);
    }
    for (long at = 0; at < SIDE; at++) {
        const mat *A = planted(&s, NOTHING, 0, 0), *far = planted(&s, INFINITE, 1, at), *nan = planted(&s,
            NOT_A_NUMBER, 1, at);
        double row_of[SIDE];
        mag_set_ui_2exp_si(arb_radref(arb_mat_entry(arith_arb_balls(A), 1, at)), 1, -10);
        mag_set_ui_2exp_si(arb_radref(arb_mat_entry(arith_arb_balls(A), 1, (at + 1) % SIDE)), 1, -20);
        ck_assert(arith_arb_row(A, 1, true, row_of) >= 0x1p-10 && row_of[at] == (double)(SIDE + at + 1) / 16);
        ck_assert(isinf(arith_arb_row(far, 1, true, row_of)) && isinf(arith_arb_row(nan, 1, true, row_of)));
        ck_assert(isinf(arith_arb_row(far, 1, false, row_of)) && isinf(arith_arb_row(nan, 1, false, row_of)));
    }
    for (long i = 0; i < SIDE; i++) {
        scope of = scope_open(&R, 1, 0);
        const mat *A = planted(&of, NOTHING, 0, 0);
        for (long j = 0; j < SIDE; j++) {
            arb_zero(arb_mat_entry(arith_arb_balls(A), i, j));
            mag_set_ui_2exp_si(arb_radref(arb_mat_entry(arith_arb_balls(A), i, j)), 1, -10);
        }
        (void)mat_norm(&of, A, NORM_RMS, -200, HERE);
        ck_assert_int_eq(of.status, UNDECIDED);
        scope_close(&of);
    }
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* The square roots of 2 are enclosed by doubles on both sides; those of -1 are certainly not real. */
START_TEST(eigenvalues_in_balls)
{
    arith R = arith_arb(128);
    scope s = scope_open(&R, 1, 0);
    eigenvalue e[2];
    ck_assert(arith_arb_eigenvalues(mat_from_si(&s, 2, 2, (long[]){ 0, 2, 1, 0 }), e));
    ck_assert(e[0].low <= -1.4142135623730951 && e[0].high >= -1.4142135623730949 && e[0].high < -1.41);
    ck_assert(e[1].low <= 1.4142135623730949 && e[1].high >= 1.4142135623730951 && e[1].low > 1.41);
    for (int k = 0; k < 2; k++) ck_assert(e[k].real && !e[k].not_real);
    ck_assert(arith_arb_eigenvalues(mat_from_si(&s, 2, 2, (long[]){ 0, -1, 1, 0 }), e));
    for (int k = 0; k < 2; k++) ck_assert(!e[k].real && e[k].not_real && e[k].low <= 0 && e[k].high >= 0);
    scope_close(&s);
    arith_close(&R);
}
END_TEST

/* ReLU(-2^(2^30)) is 0 over doubles, and nothing is known of its error; 0 times it has an error that is NaN.  It spoils
 * the whole row of a softmax, also where it does not stand. */
START_TEST(an_error_that_is_no_number)
{
    arith R = arith_f64_bounded();
    scope some = scope_open(&R, 1, 0);
    const mat *three = mat_from_si(&some, 1, 1, (long[]){ 3 }), *one = mat_identity(&some, 1);
    const mat *nearly_0 = mat_sub(&some, mat_mul(&some, three, mat_inv(&some, three)), one);
    ck_assert(mat_positive(nearly_0) == UNDECIDED && mat_positive(mat_scale(&some, -1, 0, nearly_0)) == UNDECIDED);
    ck_assert(mat_positive(mat_sub(&some, nearly_0, one)) == REFUTED && mat_positive(mat_add(&some, nearly_0,
        one)) == HOLDS);
    for (int k = 0; k < 2; k++) {                               /* numbers whose errors leave the domain */
        scope of = scope_open(&R, 1, 0);
        const mat *n = mat_from_si(&of, 1, 1, (long[]){ 3 }), *zero = mat_sub(&of, mat_mul(&of, n, mat_inv(&of, n)),
            mat_identity(&of, 1));
        const int64_t end = ((int64_t)1 << 53) - 1;
        if (k) (void)mat_rsqrt(&of, mat_add(&of, zero, mat_dyadic(&of, 1, 1, (int64_t[]){ 1 }, -60)));
        else   (void)mat_artanh(&of, mat_add(&of, zero, mat_dyadic(&of, 1, 1, &end, -53)));
        ck_assert_int_eq(of.status, UNDECIDED);
        scope_close(&of);
    }
    (void)mat_angles(&some, 2, (long[]){ 0, 1 }, 1, 10000, NULL);
    ck_assert_int_eq(some.status, UNDECIDED);                   /* sines and cosines whose errors nobody bounds */
    scope_close(&some);
    for (long at = 0; at < SIDE; at++) {
        scope s = scope_open(&R, 1, 0);
        const mat *spoilt = mat_hadamard(&s, mat_zero(&s, SIDE, SIDE), relu(&s, planted(&s, MINUS_INFINITE, 1, at)));
        const mat *A = softmax(&s, spoilt), *B = softmax(&s, mat_zero(&s, SIDE, SIDE));
        ck_assert_int_eq(mat_compare(mat_rows(&s, A, 0, 1), mat_rows(&s, B, 0, 1), R.default_log2bound).is, HOLDS);
        for (long j = 0; j < SIDE; j++)
            ck_assert_int_eq(mat_compare(mat_entry(&s, A, 1, j), mat_entry(&s, B, 1, j), R.default_log2bound).is,
                UNDECIDED);
        scope_close(&s);
    }
    arith_close(&R);
}
END_TEST

/* What is drawn and what is evaluated differs from row to row, from column to column and between trials. */
static bool all_differ(const mat *A)
{
    for (long a = 0; a < A->rows * A->cols; a++)
        for (long b = 0; b < a; b++)
            if (mat_get_d(A, a / A->cols, a % A->cols) == mat_get_d(A, b / A->cols, b % A->cols)) return false;
    return true;
}

START_TEST(each_entry_of_its_own)
{
    arith R = arith_fp(2305843009213693951u, key);
    scope s = scope_open(&R, 1, 0);
    const mat *ones = mat_ones(&s, 3, 3);
    ck_assert(all_differ(mat_draw(&s, "A", 3, 3, 0)));
    for (activation kind = ACT_IDENTITY; kind <= ACT_HALF_ODD; kind++)
        if (kind != ACT_IDENTITY) ck_assert_msg(all_differ(mat_phi(&s, ones, kind, HERE)), "activation %d", (int)kind);
    for (rowmap_kind kind = ROWMAP_SOFTMAX; kind <= ROWMAP_STOCHASTIC; kind++)
        if (kind != ROWMAP_LINEAR)
            ck_assert_msg(all_differ(mat_rowmap(&s, ones, &(rowmap){ kind, NULL, 1, 1 }, HERE)), "row map %d",
                (int)kind);
    ck_assert(all_differ(mat_norm(&s, ones, NORM_LAYER, -17, HERE)));
    ck_assert(all_differ(mat_mul(&s, mat_norm(&s, ones, NORM_RADIAL, -17, HERE), mat_ones(&s, 3, 1))));
    scope_close(&s);
    scope first = scope_open(&R, 1, 0), second = scope_open(&R, 1, 1), seed = scope_open(&R, 2, 0);
    const double x[] = { mat_get_d(mat_draw(&first, "A", 1, 1, 0), 0, 0), mat_get_d(mat_draw(&second, "A", 1, 1, 0),
        0, 0),
                         mat_get_d(mat_draw(&seed, "A", 1, 1, 0), 0, 0) };
    ck_assert(x[0] != x[1] && x[0] != x[2] && x[1] != x[2]);
    scope_close(&first);
    scope_close(&second);
    scope_close(&seed);
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
    tcase_add_loop_test(all, no_number_holds_nowhere, 0, COUNT(reals));
    tcase_add_loop_test(all, no_number_is_an_answer, 0, COUNT(reals));
    tcase_add_test(all, what_balls_decide);
    tcase_add_test(all, eigenvalues_in_balls);
    tcase_add_test(all, an_error_that_is_no_number);
    tcase_add_test(all, each_entry_of_its_own);
    return run_suite(suite, argc, argv);
}
