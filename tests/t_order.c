/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_order.c - signs, hulls, L D L' and spectra, against brute force; the stack, against the model's own block. */
#include <math.h>
#include <stdlib.h>
#include "numerics/random.h"
#include "src/methods/order/hull.h"
#include "src/methods/order/ldl.h"
#include "src/methods/order/spectrum.h"
#include "src/methods/order/spread.h"
#include "src/model/stack.h"
#include "tests/support/suite.h"

static const uint64_t key[2] = { 20, 26 };
static uint64_t counter;
static long draw(long low, long high) { return low + (long)random_below(key, counter++, (uint64_t)(high - low + 1)); }

/* ---- hulls: in the plane, a point lies in the hull iff in some triangle of the points (Caratheodory) --------- */

typedef struct { long x, y; } point;

static long side(point a, point b, point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }
static long between(long a, long b, long c, long z)          /* not outside the range of a, b, c */
{
    const long low = a < b ? (a < c ? a : c) : (b < c ? b : c), high = a > b ? (a > c ? a : c) : (b > c ? b : c);
    return low <= z && z <= high;
}

static bool in_triangle(point a, point b, point c, point z)
{
    const long s[] = { side(a, b, z), side(b, c, z), side(c, a, z) };
    const bool left = s[0] > 0 || s[1] > 0 || s[2] > 0, right = s[0] < 0 || s[1] < 0 || s[2] < 0;
    return !(left && right) && between(a.x, b.x, c.x, z.x) && between(a.y, b.y, c.y, z.y);
}

START_TEST(hulls_in_the_plane)
{
    long inside = 0, outside = 0;
    for (int round = 0; round < 2000; round++) {
        enum { MOST = 7 };
        const long n = draw(1, MOST), wide = draw(1, 4);
        point p[MOST], z = { draw(-wide, wide), draw(-wide, wide) };
        bool expected = false;
        fmpq_mat_t X, q;
        fmpq_mat_init(X, n, 2);
        fmpq_mat_init(q, 1, 2);
        for (long i = 0; i < n; i++) {
            p[i] = (point){ draw(-wide, wide), draw(-wide, wide) };
            fmpq_set_si(fmpq_mat_entry(X, i, 0), p[i].x, 7);
            fmpq_set_si(fmpq_mat_entry(X, i, 1), p[i].y, 7);
        }
        fmpq_set_si(fmpq_mat_entry(q, 0, 0), z.x, 7);
        fmpq_set_si(fmpq_mat_entry(q, 0, 1), z.y, 7);
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                for (long k = 0; k < n; k++) expected |= in_triangle(p[i], p[j], p[k], z);
        hull h = hull_decide(X, q);
        ck_assert_int_eq((int)h.is, (int)(expected ? HOLDS : REFUTED));
        ck_assert(fmpq_mat_is_zero(h.w) == (h.is == HOLDS) && fmpq_mat_is_zero(h.lambda) == (h.is == REFUTED));
        inside += expected;
        outside += !expected;
        hull_clear(&h);
        fmpq_mat_clear(X);
        fmpq_mat_clear(q);
    }
    ck_assert(inside > 300 && outside > 300);
}
END_TEST

/* ---- helpers for checks of a trial --------------------------------------------------------------------------- */

/* The answer of the checks that were made: REFUTED if one is, UNDECIDED if undecided or none. */
static truth answer_of(trial *t)
{
    truth is = t->s.status != HOLDS || !t->record.nchecks ? UNDECIDED : HOLDS;
    for (long k = 0; k < t->record.nchecks && is != REFUTED; k++) if (t->record.checks[k].is.is != HOLDS) is = t->record.checks[k].is.is;
    free(t->record.checks);
    scope_close(&t->s);
    return is;
}

/* The square of side 4, z = B X, and the weights C that are to certify it: a point outside, and points inside with
 * weights that give another point, are not all positive, or do not sum to 1. */
START_TEST(hulls_in_balls)
{
    const struct { int64_t B[4], C[4]; truth is; } must[] = {
        { { 1, 1, 1, 1 }, { 1, 1, 1, 1 }, HOLDS }, { { 0, 4, 0, 0 }, { 0, 4, 0, 0 }, HOLDS },
        { { -1, 4, 0, 1 }, { -1, 4, 0, 1 }, REFUTED }, { { 1, 1, 1, 1 }, { 1, 2, 0, 1 }, REFUTED },
        { { -1, 2, 1, 2 }, { -1, 2, 1, 2 }, REFUTED }, { { 0, 1, 1, 1 }, { 0, 1, 1, 1 }, REFUTED } };
    arith R = arith_arb(128);
    for (size_t k = 0; k < COUNT(must); k++) {
        trial t = { .s = scope_open(&R, 1, 1) };
        const mat *X = mat_from_si(&t.s, 4, 2, (long[]){ 0, 0, 4, 0, 4, 4, 0, 4 });
        const mat *Z = mat_mul(&t.s, mat_dyadic(&t.s, 1, 4, must[k].B, -2), X);
        claim_in_hull(&t, X, Z, mat_dyadic(&t.s, 1, 4, must[k].C, -2));
        ck_assert_int_eq((int)answer_of(&t), (int)must[k].is);
    }
}
END_TEST

START_TEST(outside_hulls)
{
    arith balls = arith_arb(128), exact = arith_q(key);
    for (int k = 0; k < 6; k++) {
        trial t = { .s = scope_open(k % 2 ? &balls : &exact, 1, 1) };
        const mat *X = mat_from_si(&t.s, 4, 2, (long[]){ 0, 0, 4, 0, 4, 4, 0, 4 });
        const mat *inside = mat_from_si(&t.s, 2, 2, (long[]){ 1, 1, 4, 2 });
        const mat *one_out = mat_from_si(&t.s, 2, 2, (long[]){ 1, 1, 5, 2 });
        if (k < 2) claim_outside_hull(&t, X, inside);
        else if (k < 4) claim_outside_hull(&t, X, one_out);
        else claim_in_hull(&t, X, one_out, mat_zero(&t.s, 2, 4));
        const truth expected = k == 0 ? REFUTED : k == 1 ? UNDECIDED : k < 4 ? HOLDS : REFUTED;
        ck_assert_int_eq((int)answer_of(&t), (int)expected);
    }
}
END_TEST

/* ---- signs --------------------------------------------------------------------------------------------------- */

START_TEST(signs)
{
    arith balls = arith_arb(64), exact = arith_q(key), doubles = arith_f64();
    const arith *over[] = { &balls, &exact };
    for (int k = 0; k < 2; k++) {
        scope s = scope_open(over[k], 1, 1);
        const mat *A = mat_from_si(&s, 1, 3, (long[]){ -2, 0, 5 });
        for (long j = 0; j < 3; j++) ck_assert_int_eq(order_sign(&s, A, 0, j), (int)j - 1);
        const mat *third = mat_inv(&s, mat_from_si(&s, 1, 1, (long[]){ 3 }));
        const mat *zero = mat_sub(&s, mat_mul(&s, third, mat_from_si(&s, 1, 1, (long[]){ 3 })), mat_identity(&s, 1));
        ck_assert_int_eq((int)s.status, (int)HOLDS);
        ck_assert_int_eq(order_sign(&s, zero, 0, 0), 0);
        ck_assert_int_eq((int)s.status, (int)(k ? HOLDS : UNDECIDED));  /* a ball around 0 has no sign */
        scope_close(&s);
    }
    scope s = scope_open(&doubles, 1, 1);
    order_sign(&s, mat_identity(&s, 1), 0, 0);
    ck_assert_int_eq((int)s.status, (int)UNDECIDED);
    scope_close(&s);
}
END_TEST

START_TEST(ranges)
{
    arith exact = arith_q(key);
    const struct { long x; range where; truth is; } must[] = {
        { -1, BELOW_ZERO, HOLDS }, { 0, BELOW_ZERO, REFUTED }, { 1, BELOW_ZERO, REFUTED },
        { -1, AT_LEAST_ZERO, REFUTED }, { 0, AT_LEAST_ZERO, HOLDS }, { 1, AT_LEAST_ZERO, HOLDS },
        { -1, ABOVE_ZERO, REFUTED }, { 0, ABOVE_ZERO, REFUTED }, { 1, ABOVE_ZERO, HOLDS } };
    for (size_t k = 0; k < COUNT(must); k++) {
        trial t = { .s = scope_open(&exact, 1, 1) };
        claim_order(&t, "x", mat_from_si(&t.s, 1, 1, &must[k].x), must[k].where);
        ck_assert_int_eq((int)answer_of(&t), (int)must[k].is);
    }
}
END_TEST

/* ---- L D L': semidefinite iff all principal minors are >= 0 -------------------------------------------------- */

static long minors(const long m[9])
{
    const long a = m[0], b = m[4], c = m[8], p = m[1], q = m[2], r = m[5];
    const long det = a * (b * c - r * r) - p * (p * c - r * q) + q * (p * r - b * q);
    return a >= 0 && b >= 0 && c >= 0 && a * b >= p * p && a * c >= q * q && b * c >= r * r && det >= 0;
}

START_TEST(all_small_forms)
{
    arith exact = arith_q(key);
    long inside = 0;
    for (long code = 0; code < 4096; code++) {
        long e[6];
        for (long k = 0, rest = code; k < 6; k++, rest /= 4) e[k] = rest % 4 - 1;
        const long m[9] = { e[0], e[1], e[2], e[1], e[3], e[4], e[2], e[4], e[5] };
        trial yes = { .s = scope_open(&exact, 1, 1) }, no = { .s = scope_open(&exact, 1, 1) };
        claim_semidefinite(&yes, mat_from_si(&yes.s, 3, 3, m));
        claim_not_semidefinite(&no, mat_from_si(&no.s, 3, 3, m));
        ck_assert_int_eq((int)answer_of(&yes), (int)(minors(m) ? HOLDS : REFUTED));
        ck_assert_int_eq((int)answer_of(&no), (int)(minors(m) ? REFUTED : HOLDS));
        inside += minors(m);
    }
    ck_assert(inside > 50 && inside < 4000);
}
END_TEST

/* ---- spectra ------------------------------------------------------------------------------------------------- */

/* (a, b; c, d): real iff (a - d)^2 + 4 b c >= 0.  Double eigenvalues are beyond balls. */
START_TEST(spectra_of_2x2)
{
    arith balls = arith_arb(128), exact = arith_q(key);
    for (long code = 0; code < 625; code++) {
        const long m[4] = { code % 5 - 2, code / 5 % 5 - 2, code / 25 % 5 - 2, code / 125 - 2 };
        const long discriminant = (m[0] - m[3]) * (m[0] - m[3]) + 4 * m[1] * m[2];
        trial q = { .s = scope_open(&exact, 1, 1) }, b = { .s = scope_open(&balls, 1, 1) };
        claim_real_spectrum(&q, mat_from_si(&q.s, 2, 2, m));
        claim_real_spectrum(&b, mat_from_si(&b.s, 2, 2, m));
        ck_assert_int_eq((int)answer_of(&q), (int)(discriminant >= 0 ? HOLDS : REFUTED));
        const truth in_balls = answer_of(&b);
        if (discriminant) ck_assert_int_eq((int)in_balls, (int)(discriminant > 0 ? HOLDS : REFUTED));
        else ck_assert_int_ne((int)in_balls, (int)REFUTED);
    }
}
END_TEST

/* (a, 1 - a; b, 1 - b) has the eigenvalues 1 and a - b. */
START_TEST(spectra_of_chains)
{
    arith balls = arith_arb(128), exact = arith_q(key);
    long around_zero = 0;
    for (int64_t a = 0; a <= 8; a++)
        for (int64_t b = 0; b <= 8; b++) {
            const int64_t m[4] = { a, 8 - a, b, 8 - b };
            trial q = { .s = scope_open(&exact, 1, 1) }, d = { .s = scope_open(&balls, 1, 1) };
            claim_unit_spectrum(&q, mat_dyadic(&q.s, 2, 2, m, -3));
            claim_unit_spectrum(&d, mat_dyadic(&d.s, 2, 2, m, -3));
            ck_assert_int_eq((int)answer_of(&q), (int)(a >= b ? HOLDS : REFUTED));
            const truth in_balls = answer_of(&d);
            if (a > b && a - b < 8) ck_assert_int_eq((int)in_balls, (int)HOLDS);
            else if (a < b) ck_assert_int_eq((int)in_balls, (int)REFUTED);
            else ck_assert_int_ne((int)in_balls, (int)REFUTED);
            around_zero += a == b && in_balls == UNDECIDED;
        }
    ck_assert_int_gt(around_zero, 0);                   /* a ball around 0 is not in [0, 1]; an exact 0 is */
    trial above = { .s = scope_open(&exact, 1, 1) };
    claim_unit_spectrum(&above, mat_from_si(&above.s, 2, 2, (long[]){ 2, 0, 0, 1 }));
    ck_assert_int_eq((int)answer_of(&above), (int)REFUTED);
}
END_TEST

/* ---- spreads ------------------------------------------------------------------------------------------------ */

START_TEST(spreads)
{
    arith exact = arith_q(key);
    scope s = scope_open(&exact, 1, 1);
    const mat *X = mat_from_si(&s, 3, 2, (long[]){ 3, -1, -4, -1, 2, -1 });
    const mat *seven = mat_from_si(&s, 1, 1, (long[]){ 7 }), *zero = mat_zero(&s, 1, 1);
    ck_assert_int_eq((int)mat_compare(spread_of(&s, X, 0), seven, -INFINITY).is, (int)HOLDS);
    ck_assert_int_eq((int)mat_compare(spread_of(&s, X, 1), zero, -INFINITY).is, (int)HOLDS);
    const mat *A = mat_dyadic(&s, 3, 3, (int64_t[]){ 8, 0, 0, 5, 2, 1, 1, 1, 6 }, -3);      /* rows 1, 3: 7/8 apart */
    const mat *delta = mat_dyadic(&s, 1, 1, (int64_t[]){ 7 }, -3);
    ck_assert_int_eq((int)mat_compare(spread_dobrushin(&s, A), delta, -INFINITY).is, (int)HOLDS);
    scope_close(&s);
}
END_TEST

/* ---- the stack: a block whose MLP writes nothing ------------------------------------------------------------- */

START_TEST(layer_is_block)
{
    arith R = arith_arb(128);
    for (int norm = 0; norm < 3; norm++) {
        shape sh = { .n = 4, .d = 6, .h = 3, .m = 5, .V = 3, .L = 2, .biases = true, .attn_skip = true,
                     .mlp_skip = true, .norm = norm == 0 ? NORM_NONE : norm == 1 ? NORM_LAYER : NORM_RMS };
        scope s = scope_open(&R, 3, (uint64_t)norm);
        model M = model_random(&s, sh);
        const mat *X = mat_draw(&s, "X", sh.n, sh.d, 0), *own = X;
        for (long i = 0; i < sh.L; i++) {
            mlp *F = &M.at[i].expert[0];
            F->down = mat_zero(&s, sh.m, sh.d);
            F->b_down = mat_zero(&s, 1, sh.d);
            own = model_block(&s, &M, i, own);
        }
        ck_assert_int_eq((int)mat_compare(own, stack_output(&s, &M, X), -64).is, (int)HOLDS);
        const mat *N = stack_input(&s, &M, 0, X), *sum = mat_mul(&s, mat_ones(&s, sh.n, 1), M.at[0].bO);
        for (long a = 0; a < sh.h; a++) {
            const mat *V = mat_add(&s, mat_mul(&s, N, M.at[0].V), mat_mul(&s, mat_ones(&s, sh.n, 1), M.at[0].bV));
            const mat *seen = mat_mul(&s, stack_weights(&s, &M, 0, a, X), stack_columns(&s, &M, V, a));
            sum = mat_add(&s, sum, mat_mul(&s, seen, stack_rows(&s, &M, M.at[0].O, a)));
        }
        ck_assert_int_eq((int)mat_compare(sum, model_attention(&s, &M, 0, N), -64).is, (int)HOLDS);
        for (long i = 0; i < 2 * sh.n; i++) {                /* each token of either layer, by itself */
            const mat *alone = stack_token(&s, &M, i / sh.n, i % sh.n, X), *all = stack_layer(&s, &M, i / sh.n, X);
            ck_assert_int_eq((int)mat_compare(alone, mat_rows(&s, all, i % sh.n, 1), -64).is, (int)HOLDS);
        }
        scope_close(&s);
    }
}
END_TEST

/* What the claims' models have none of, whatever shape is asked for: positions in the scores, shared keys. */
START_TEST(stacks_are_plain_attention)
{
    shape sh = { .n = 3, .d = 4, .h = 2, .h_kv = 1, .m = 4, .V = 3, .L = 2, .rope = true, .qk_norm = true, .attn_skip = true };
    stack_multi_head(&sh);
    ck_assert(!sh.rope && !sh.qk_norm && !sh.attn_skip && sh.h_kv == 2);
    sh.rope = true;
    stack_single_head(&sh);
    ck_assert(!sh.rope && sh.h == 1 && sh.h_kv == 1);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("order");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, stacks_are_plain_attention);
    tcase_add_test(all, hulls_in_the_plane);
    tcase_add_test(all, hulls_in_balls);
    tcase_add_test(all, outside_hulls);
    tcase_add_test(all, signs);
    tcase_add_test(all, ranges);
    tcase_add_test(all, all_small_forms);
    tcase_add_test(all, spectra_of_2x2);
    tcase_add_test(all, spectra_of_chains);
    tcase_add_test(all, spreads);
    tcase_add_test(all, layer_is_block);
    return run_suite(suite, argc, argv);
}
