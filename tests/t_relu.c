/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_relu.c - canonical form and absorption of ReLU networks, against evaluation and against brute force. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/base/clock.h"
#include "src/methods/relu/relu_subset.h"
#include "src/methods/relu/relu_turn.h"
#include "tests/support/suite.h"

enum { MAX_M = 12, MAX_H = 3 };
typedef struct { long in, m, out, W1[MAX_M * MAX_H], W2[MAX_H * MAX_M], Z[MAX_H * MAX_H]; } small;  /* W1 m x in */

static uint64_t key[2] = { 6, 1 }, counter;
static long draw(long low, long high) { return low + (long)random_below(key, counter++, (uint64_t)(high - low + 1)); }

static small random_small(long in, long m, long out, long bound)
{
    small f = { .in = in, .m = m, .out = out };
    for (long k = 0; k < m * in; k++) f.W1[k] = draw(-bound, bound);
    for (long k = 0; k < out * m; k++) f.W2[k] = draw(-bound, bound);
    for (long k = 0; k < out * in; k++) f.Z[k] = draw(-bound, bound);
    return f;
}

static void fill(fmpq_mat_t A, const long *x)
{
    for (long i = 0; i < fmpq_mat_nrows(A); i++)
        for (long j = 0; j < fmpq_mat_ncols(A); j++) fmpq_set_si(fmpq_mat_entry(A, i, j), *x++, 1);
}

static relu_net net_of(const small *f)
{
    relu_net g;
    relu_net_init(&g, f->in, f->m, f->out);
    fill(g.W1, f->W1);
    fill(g.W2, f->W2);
    fill(g.Z, f->Z);
    return g;
}

static void with_skip_identity(small *f)
{
    for (long k = 0; k < f->out * f->in; k++) f->Z[k] = k / f->in == k % f->in;
}

/* ---- the definition, evaluated ------------------------------------------------------------------------- */

static void value(fmpq_mat_t y, const relu_net *f, const fmpq_mat_t x)             /* columns of x are points */
{
    fmpq_mat_t a, b;
    fmpq_mat_init(a, fmpq_mat_nrows(f->W1), fmpq_mat_ncols(x));
    fmpq_mat_init(b, fmpq_mat_nrows(f->W2), fmpq_mat_ncols(x));
    fmpq_mat_mul(a, f->W1, x);
    for (long i = 0; i < fmpq_mat_nrows(a); i++)
        for (long j = 0; j < fmpq_mat_ncols(a); j++)
            if (fmpq_sgn(fmpq_mat_entry(a, i, j)) < 0) fmpq_zero(fmpq_mat_entry(a, i, j));
    fmpq_mat_mul(b, f->W2, a);
    fmpq_mat_mul(y, f->Z, x);
    fmpq_mat_add(y, y, b);
    fmpq_mat_clear(a);
    fmpq_mat_clear(b);
}

/* The grid [-4, 4]^in, halved in one coordinate, which meets the kinks of small integer weights; then points
 * in general position. */
static bool agree_everywhere(const relu_net *f, const relu_net *g)
{
    const long in = fmpq_mat_ncols(f->W1), out = fmpq_mat_nrows(f->W2), extra = 40;
    long grid = 1;
    for (long i = 0; i < in; i++) grid *= 9;
    fmpq_mat_t x, y, z;
    fmpq_mat_init(x, in, grid + extra);
    fmpq_mat_init(y, out, grid + extra);
    fmpq_mat_init(z, out, grid + extra);
    for (long k = 0; k < grid + extra; k++)
        for (long i = 0, rest = k; i < in; i++, rest /= 9) {
            if (k < grid) fmpq_set_si(fmpq_mat_entry(x, i, k), rest % 9 - 4, i == 0 ? 2 : 1);
            else fmpq_set_si(fmpq_mat_entry(x, i, k), draw(-1000, 1000), (ulong)draw(1, 7));
        }
    value(y, f, x);
    value(z, g, x);
    const bool same = fmpq_mat_equal(y, z);
    fmpq_mat_clear(x);
    fmpq_mat_clear(y);
    fmpq_mat_clear(z);
    return same;
}

/* ---- canonical form ------------------------------------------------------------------------------------ */

static void swap(long *a, long *b) { const long t = *a; *a = *b; *b = t; }

static void permute(small *f)
{
    for (long j = f->m - 1; j > 0; j--) {
        const long k = draw(0, j);
        for (long i = 0; i < f->in; i++)  swap(&f->W1[j * f->in + i], &f->W1[k * f->in + i]);
        for (long i = 0; i < f->out; i++) swap(&f->W2[i * f->m + j], &f->W2[i * f->m + k]);
    }
}

/* w2 ReLU(w1 x) = -w2 ... turned over: W1_j -> -W1_j and Z -> Z + W2_j W1_j */
static void turn_over(small *f, long j)
{
    for (long i = 0; i < f->out; i++)
        for (long l = 0; l < f->in; l++) f->Z[i * f->in + l] += f->W2[i * f->m + j] * f->W1[j * f->in + l];
    for (long l = 0; l < f->in; l++) f->W1[j * f->in + l] *= -1;
}

/* Neuron j becomes 2 w1_j, w2_j / 2; only where w2_j is even. */
static void rescale(small *f, long j)
{
    for (long i = 0; i < f->out; i++) if (f->W2[i * f->m + j] % 2) return;
    for (long i = 0; i < f->out; i++) f->W2[i * f->m + j] /= 2;
    for (long l = 0; l < f->in; l++) f->W1[j * f->in + l] *= 2;
}

START_TEST(form_of_equal_networks)
{
    for (int round = 0; round < 60; round++) {
        small a = random_small(draw(1, 3), draw(1, 6), draw(1, 3), 2), b = a;
        for (long j = 0; j < b.m; j++) { if (draw(0, 1)) turn_over(&b, j); if (draw(0, 1)) rescale(&b, j); }
        permute(&b);
        relu_net f = net_of(&a), g = net_of(&b);
        ck_assert_msg(relu_same(&f, &g), "round %d", round);
        ck_assert_msg(agree_everywhere(&f, &g), "round %d: the test itself is wrong", round);
        relu_net_clear(&f);
        relu_net_clear(&g);
    }
}
END_TEST

/* One entry changed, or two independent networks of one to three small weights: equal as often as not. */
START_TEST(form_decides_equality)
{
    long equal = 0, different = 0;
    for (int round = 0; round < 400; round++) {
        small a = random_small(draw(1, 2), draw(1, 3), 1, 1), b = a;
        if (round % 2) b = random_small(a.in, draw(1, 3), 1, 1);
        else { long *x = draw(0, 1) ? &b.W1[draw(0, b.m * b.in - 1)] : &b.W2[draw(0, b.m - 1)]; *x += draw(0, 1) ? 1 : -1; }
        relu_net f = net_of(&a), g = net_of(&b);
        const bool same = relu_same(&f, &g);
        ck_assert_msg(same == agree_everywhere(&f, &g), "round %d: the form says %s", round, same ? "equal" : "different");
        equal += same;
        different += !same;
        relu_net_clear(&f);
        relu_net_clear(&g);
    }
    ck_assert_int_gt(equal, 40);
    ck_assert_int_gt(different, 40);
}
END_TEST

START_TEST(form_by_hand)
{
    /* 3 ReLU(2x - 4y) + 1 ReLU(-x + 2y) + 0 ReLU(y) + 5 ReLU(0) + x + y */
    const small a = { 2, 4, 1, { 2, -4, -1, 2, 0, 1, 0, 0 }, { 3, 1, 0, 5 }, { 1, 1 } };
    relu_net f = net_of(&a);
    relu_form F = relu_form_of(&f);
    ck_assert_int_eq(relu_kinks(&F), 1);
    const struct { const fmpq *x; long num; ulong den; } want[] = {
        { fmpq_mat_entry(F.U, 0, 0), 1, 1 }, { fmpq_mat_entry(F.U, 0, 1), -2, 1 },
        { fmpq_mat_entry(F.C, 0, 0), 7, 2 },                    /* 1/2 (2 * 3 + 1 * 1) */
        { fmpq_mat_entry(F.L, 0, 0), 7, 2 },                    /* 1 + 1/2 (6 - 1)     */
        { fmpq_mat_entry(F.L, 0, 1), -4, 1 } };                 /* 1 + 1/2 (-12 + 2)   */
    for (size_t k = 0; k < COUNT(want); k++) {
        fmpq_t x;
        fmpq_init(x);
        fmpq_set_si(x, want[k].num, want[k].den);
        ck_assert_msg(fmpq_equal(x, want[k].x), "entry %zu", k);
        fmpq_clear(x);
    }
    relu_form_clear(&F);
    relu_net_clear(&f);
}
END_TEST

/* ---- brute force --------------------------------------------------------------------------------------- */

static bool subset_works(const small *f, uint64_t J)            /* sum_{j in J} w2_j w1_j = -Z */
{
    for (long i = 0; i < f->out; i++)
        for (long l = 0; l < f->in; l++) {
            long sum = f->Z[i * f->in + l];
            for (long j = 0; j < f->m; j++) if (J >> j & 1) sum += f->W2[i * f->m + j] * f->W1[j * f->in + l];
            if (sum) return false;
        }
    return true;
}

static bool some_subset_works(const small *f)
{
    for (uint64_t J = 0; J < (uint64_t)1 << f->m; J++) if (subset_works(f, J)) return true;
    return false;
}

static bool small_regular(const small *f)
{
    for (long j = 0; j < f->m; j++) {
        bool row = false, column = false;
        for (long l = 0; l < f->in; l++)  row    |= f->W1[j * f->in + l] != 0;
        for (long i = 0; i < f->out; i++) column |= f->W2[i * f->m + j] != 0;
        if (!row || !column) return false;
        for (long k = 0; k < j; k++) {
            bool collinear = true;
            for (long l = 0; l < f->in; l++)
                for (long n = 0; n < l; n++)
                    collinear &= f->W1[j * f->in + l] * f->W1[k * f->in + n] == f->W1[j * f->in + n] * f->W1[k * f->in + l];
            if (collinear) return false;
        }
    }
    return true;
}

/* V is the same function at many points; J, if given, and y fulfil their equations. */
static void check_answer(const relu_net *f, const small *a, const absorption *is, int round)
{
    if (is->is == HOLDS) {
        relu_net g;
        relu_net_init(&g, a->in, a->m, a->out);
        fmpq_mat_set(g.W1, is->V1);
        fmpq_mat_set(g.W2, is->V2);
        ck_assert_msg(agree_everywhere(f, &g), "round %d: V is another function", round);
        relu_net_clear(&g);
        uint64_t J = 0;
        for (long j = 0; is->J && j < a->m; j++) J |= (uint64_t)is->J[j] << j;
        ck_assert_msg(!is->J || subset_works(a, J), "round %d: J is wrong", round);
    }
    for (long j = -1; is->has_y && j < a->m; j++) {             /* j = -1: <y, Z> = -1 */
        fmpq_t sum, x;
        fmpq_init(sum);
        fmpq_init(x);
        for (long i = 0; i < a->out; i++)
            for (long l = 0; l < a->in; l++) {
                fmpq_set_si(x, j < 0 ? a->Z[i * a->in + l] : a->W2[i * a->m + j] * a->W1[j * a->in + l], 1);
                fmpq_addmul(sum, x, fmpq_mat_entry(is->y, i, l));
            }
        fmpq_set_si(x, j < 0 ? -1 : 0, 1);
        ck_assert_msg(fmpq_equal(sum, x), "round %d: y is wrong at %ld", round, j);
        fmpq_clear(sum);
        fmpq_clear(x);
    }
}

static void copy_weights(small *to, const relu_weights *w)
{
    mpq_t x;
    mpq_init(x);
    for (int k = 0; k < 2; k++) {
        const mat *A = k ? w->W2 : w->W1;
        for (long i = 0; i < A->rows; i++)
            for (long j = 0; j < A->cols; j++) {
                ck_assert(mat_get_exact(x, A, i, j));
                (k ? to->W2 : to->W1)[i * A->cols + j] = mpz_get_si(mpq_numref(x));
            }
    }
    mpq_clear(x);
}

START_TEST(decision_is_brute_force)
{
    arith q = arith_q(key);
    long yes = 0, no = 0, by_y = 0, enumerated = 0;
    for (int round = 0; yes + no < 1000; round++) {
        ck_assert_msg(round < 4000, "%ld of %d rounds were regular", yes + no, round);
        const long h = draw(1, 3), m = h == 1 ? 1 : draw(1, h == 2 ? 10 : 12);
        small a = { .in = h, .m = m, .out = h };
        if (round % 3 == 0 && m >= h) {
            scope s = scope_open(&q, 3, (uint64_t)round);
            const relu_weights w = relu_planted(&s, h, m, draw(h, m), mat_sub(&s, mat_zero(&s, h, h), mat_identity(&s, h)));
            copy_weights(&a, &w);
            scope_close(&s);
            if (draw(0, 3) == 0) a.W2[draw(0, h * m - 1)] += 1;             /* most of these are not */
        } else a = random_small(h, m, h, round % 3 == 1 ? 1 : 4);
        with_skip_identity(&a);
        if (!small_regular(&a)) continue;
        relu_net f = net_of(&a);
        absorption is = relu_absorb(&f);
        ck_assert_msg(is.regular && is.is == (some_subset_works(&a) ? HOLDS : REFUTED), "round %d: %d", round, is.is);
        ck_assert(is.is != HOLDS || is.J);
        check_answer(&f, &a, &is, round);
        yes += is.is == HOLDS;
        no += is.is == REFUTED;
        by_y += is.has_y;
        enumerated += is.is == REFUTED && !is.has_y;
        absorption_clear(&is);
        relu_net_clear(&f);
    }
    ck_assert_msg(yes > 150 && no > 150 && by_y > 50 && enumerated > 50, "%ld yes, %ld no, %ld %ld", yes, no, by_y, enumerated);
    arith_close(&q);
}
END_TEST

START_TEST(sums_that_coincide)
{
    arith q = arith_q(key);
    scope s = scope_open(&q, 1, 1);
    const mat *ones = mat_ones(&s, 3, 1), *W2 = mat_from_si(&s, 1, 3, (long[]){ 1, 1, 2 });
    ck_assert_int_eq(relu_count_sums(ones, W2), 5);                              /* 0, 1, 2, 3, 4 of 2^3 */
    ck_assert_int_eq(relu_count_subsets(ones, W2, mat_from_si(&s, 1, 1, (long[]){ 2 })), 2);
    scope_close(&s);
    arith_close(&q);
}
END_TEST

/* ---- degenerate networks: the criterion once more, by itself, over all K, signs and ranks --------------- */

typedef struct { long n, u[MAX_M][MAX_H], c[MAX_M][MAX_H], L[MAX_H * MAX_H]; } kinks;   /* 2 c_k, 2 L: integers */

static long gcd(long a, long b) { while (b) { const long t = a % b; a = b; b = t; } return labs(a); }

static kinks kinks_of(const small *f)
{
    kinks K = { 0 };
    for (long i = 0; i < f->out; i++)
        for (long l = 0; l < f->in; l++) {
            K.L[i * f->in + l] = 2 * f->Z[i * f->in + l];
            for (long j = 0; j < f->m; j++) K.L[i * f->in + l] += f->W2[i * f->m + j] * f->W1[j * f->in + l];
        }
    for (long j = 0; j < f->m; j++) {
        long g = 0, u[MAX_H] = { 0 }, k = 0, sign = 0;
        for (long l = 0; l < f->in; l++) g = gcd(g, f->W1[j * f->in + l]);
        if (!g) continue;
        for (long l = 0; l < f->in; l++) {
            u[l] = f->W1[j * f->in + l] / g;
            if (!sign && u[l]) sign = u[l] > 0 ? 1 : -1;
            u[l] *= sign ? sign : 1;
        }
        while (k < K.n && memcmp(K.u[k], u, sizeof u)) k++;
        if (k == K.n) memcpy(K.u[K.n++], u, sizeof u);
        for (long i = 0; i < f->out; i++) K.c[k][i] += g * f->W2[i * f->m + j];
    }
    long live = 0;
    for (long k = 0; k < K.n; k++) {
        const long zero[MAX_H] = { 0 };
        if (!memcmp(K.c[k], zero, sizeof zero)) continue;
        memmove(K.u[live], K.u[k], sizeof K.u[k]);
        memmove(K.c[live++], K.c[k], sizeof K.c[k]);
    }
    K.n = live;
    return K;
}

static long rank_of_rows(long rows, long cols, long A[][MAX_H])  /* fraction-free elimination */
{
    long rank = 0;
    for (long c = 0; c < cols && rank < rows; c++) {
        long p = rank;
        while (p < rows && !A[p][c]) p++;
        if (p == rows) continue;
        for (long l = 0; l < cols; l++) swap(&A[p][l], &A[rank][l]);
        for (long i = rank + 1; i < rows; i++) {
            const long x = A[i][c], y = A[rank][c];
            long g = 0;
            for (long l = 0; l < cols; l++) { A[i][l] = A[i][l] * y - A[rank][l] * x; g = gcd(g, A[i][l]); }
            for (long l = 0; g && l < cols; l++) A[i][l] /= g;
        }
        rank++;
    }
    return rank;
}

static bool criterion(const small *f)
{
    const kinks K = kinks_of(f);
    const long s = f->m - K.n;
    for (uint64_t second = 0; second < (uint64_t)1 << K.n; second++) {
        const long nK = __builtin_popcountll(second);
        if (nK > s) continue;
        for (uint64_t minus = 0; minus < (uint64_t)1 << K.n; minus++) {
            if (minus & second) continue;
            long A[MAX_M + MAX_H][MAX_H], B[MAX_M][MAX_H], n = 0;
            for (long k = 0; k < K.n; k++) if (second >> k & 1) { memcpy(A[n], K.u[k], sizeof A[n]); memcpy(B[n], K.u[k], sizeof B[n]); n++; }
            for (long i = 0; i < f->out; i++)
                for (long l = 0; l < f->in; l++) {
                    A[n + i][l] = K.L[i * f->in + l];
                    for (long k = 0; k < K.n; k++)
                        if (!(second >> k & 1)) A[n + i][l] -= (minus >> k & 1 ? -1 : 1) * K.c[k][i] * K.u[k][l];
                }
            const long rank = rank_of_rows(n + f->out, f->in, A) - rank_of_rows(n, f->in, B);
            if (nK + 2 * rank <= s) return true;
        }
    }
    return false;
}

START_TEST(degenerate_is_criterion)
{
    long yes = 0, no = 0, without_J = 0;
    for (int round = 0; round < 600; round++) {
        const long h = draw(1, 3), m = draw(1, 6);
        small a = random_small(h, m, h, draw(1, 2));
        with_skip_identity(&a);
        for (long j = 0; j + 1 < m; j++) {
            const long what = draw(0, 5);
            for (long l = 0; what == 0 && l < h; l++) a.W1[j * h + l] = 0;
            for (long i = 0; what == 1 && i < h; i++) a.W2[i * m + j] = 0;
            for (long l = 0; what == 2 && l < h; l++) a.W1[j * h + l] = -2 * a.W1[(j + 1) * h + l];
        }
        relu_net f = net_of(&a);
        absorption is = relu_absorb(&f);
        ck_assert_msg(is.is == (criterion(&a) ? HOLDS : REFUTED), "round %d: %d", round, is.is);
        ck_assert_int_eq(is.regular, small_regular(&a));
        check_answer(&f, &a, &is, round);
        yes += is.is == HOLDS;
        no += is.is == REFUTED;
        without_J += is.is == HOLDS && !is.J;
        absorption_clear(&is);
        relu_net_clear(&f);
    }
    ck_assert_msg(yes > 80 && no > 80 && without_J > 40, "%ld yes (%ld without J), %ld no", yes, without_J, no);
}
END_TEST

/* ---- entries that are 0, equal or undefined modulo a prime ---------------------------------------------- */

/* The primes that the search takes, 2^61 - 1 and the next below, and others. */
static ulong some_prime(long k)
{
    static const ulong others[] = { 2, 3, 65537, 2147483647, 1000000007, 4611686018427387847 };
    ulong p = (1UL << 61) - 1;
    if (k >= 8) return others[k - 8];
    for (; k > 0; k--) do p -= 2; while (!n_is_prime(p));
    return p;
}
enum { SOME_PRIMES = 14 };

/* 0, 1, -1, 2, p, -p, p + 1, 1 - p, 1/p, -1/p, 1 + 1/p, p p', p/p' */
static void draw_near(fmpq_t x, ulong p, ulong other)
{
    static const long small_ones[] = { 0, 1, -1, 2 };
    const long what = draw(0, 12);
    fmpq_set_si(x, small_ones[what % 4], 1);
    if (what < 4) return;
    fmpz_set_ui(fmpq_numref(x), what >= 8 && what <= 10 ? 1 : p);
    fmpz_set_ui(fmpq_denref(x), what >= 8 && what <= 10 ? p : what == 12 && other != p ? other : 1);
    if (what == 5 || what == 7 || what == 9) fmpq_neg(x, x);
    if (what == 6 || what == 7 || what == 10) fmpz_add(fmpq_numref(x), fmpq_numref(x), fmpq_denref(x));
    if (what == 11) fmpz_mul_ui(fmpq_numref(x), fmpq_numref(x), other);
}

static void fill_near(fmpq_mat_t A, ulong p, ulong other)
{
    for (long i = 0; i < fmpq_mat_nrows(A); i++)
        for (long j = 0; j < fmpq_mat_ncols(A); j++) draw_near(fmpq_mat_entry(A, i, j), p, other);
}

/* sum of the columns of A in J is b, by definition */
static bool columns_sum_to(const fmpq_mat_t A, const fmpq_mat_t b, uint64_t J)
{
    bool all = true;
    fmpq_t sum;
    fmpq_init(sum);
    for (long i = 0; all && i < fmpq_mat_nrows(A); i++) {
        fmpq_neg(sum, fmpq_mat_entry(b, i, 0));
        for (long j = 0; j < fmpq_mat_ncols(A); j++) if (J >> j & 1) fmpq_add(sum, sum, fmpq_mat_entry(A, i, j));
        all = fmpq_is_zero(sum);
    }
    fmpq_clear(sum);
    return all;
}

static bool some_columns_sum_to(const fmpq_mat_t A, const fmpq_mat_t b)
{
    for (uint64_t J = 0; J < (uint64_t)1 << fmpq_mat_ncols(A); J++) if (columns_sum_to(A, b, J)) return true;
    return false;
}

/* b becomes the sum of drawn columns, with `wrong` one entry more or less by 1, p, 1/p ... */
static void plant_sum(fmpq_mat_t b, const fmpq_mat_t A, bool wrong, ulong p, ulong other)
{
    fmpq_t x;
    fmpq_init(x);
    fmpq_mat_zero(b);
    for (long j = 0; j < fmpq_mat_ncols(A); j++)
        for (long i = 0, in = draw(0, 1); in && i < fmpq_mat_nrows(A); i++)
            fmpq_add(fmpq_mat_entry(b, i, 0), fmpq_mat_entry(b, i, 0), fmpq_mat_entry(A, i, j));
    if (wrong) {
        draw_near(x, p, other);
        fmpq *at = fmpq_mat_entry(b, draw(0, fmpq_mat_nrows(A) - 1), 0);
        fmpq_add(at, at, x);
    }
    fmpq_clear(x);
}

static void check_y(const subset *S, const fmpq_mat_t A, const fmpq_mat_t b, int round)    /* y A = 0, y b = 1 */
{
    fmpq_mat_t yA, yb;
    fmpq_mat_init(yA, 1, fmpq_mat_ncols(A));
    fmpq_mat_init(yb, 1, 1);
    fmpq_mat_mul(yA, S->y, A);
    fmpq_mat_mul(yb, S->y, b);
    ck_assert_msg(fmpq_mat_is_zero(yA) && fmpq_is_one(fmpq_mat_entry(yb, 0, 0)), "round %d: y is wrong", round);
    fmpq_mat_clear(yA);
    fmpq_mat_clear(yb);
}

START_TEST(subset_near_primes)
{
    long yes = 0, no = 0, by_y = 0, enumerated = 0;
    for (int round = 0; round < 6000; round++) {
        const ulong p = some_prime(round % SOME_PRIMES), other = some_prime(draw(0, SOME_PRIMES - 1));
        fmpq_mat_t A, b;
        fmpq_mat_init(A, draw(1, 3), draw(1, 7));
        fmpq_mat_init(b, fmpq_mat_nrows(A), 1);
        fill_near(A, p, other);
        if (round % 3) plant_sum(b, A, round % 3 == 2, p, other);
        else           fill_near(b, p, other);
        int64_t work = RELU_WORK;
        subset S = subset_sum(A, b, &work);
        const bool some = some_columns_sum_to(A, b);
        uint64_t J = 0;
        for (long j = 0; j < fmpq_mat_ncols(A); j++) J |= (uint64_t)S.chosen[j] << j;
        ck_assert_msg(S.is == (some ? HOLDS : REFUTED), "round %d, prime %lu: %d (%s)", round, p, S.is, S.why);
        ck_assert(S.is == HOLDS || J == 0);
        ck_assert_msg(S.is != HOLDS || columns_sum_to(A, b, J), "round %d: J is wrong", round);
        if (S.has_y) check_y(&S, A, b, round);
        yes += some;
        no += !some;
        by_y += S.has_y;
        enumerated += S.is == REFUTED && !S.has_y;
        subset_clear(&S);
        fmpq_mat_clear(A);
        fmpq_mat_clear(b);
    }
    ck_assert_msg(yes > 2000 && no > 2000 && by_y > 500 && enumerated > 500, "%ld %ld %ld %ld", yes, no, by_y, enumerated);
}
END_TEST

/* The integers alone, from any rows in any order: the search modulo primes has no part in it. */
START_TEST(subset_over_the_integers)
{
    long yes = 0, no = 0, undecided = 0;
    for (int round = 0; round < 4000; round++) {
        const ulong p = some_prime(round % SOME_PRIMES), other = some_prime(draw(0, SOME_PRIMES - 1));
        fmpq_mat_t A, b;
        fmpq_mat_init(A, draw(1, 4), draw(1, 9));
        fmpq_mat_init(b, fmpq_mat_nrows(A), 1);
        const long N = fmpq_mat_nrows(A), m = fmpq_mat_ncols(A), n = draw(0, N);
        long rows[4], free_columns = -1;
        for (long i = 0, first = draw(0, N - 1); i < n; i++) rows[i] = (first + i) % N;
        fill_near(A, p, other);
        for (long i = 0; i < N && round % 5 == 0; i++) fmpq_zero(fmpq_mat_entry(A, i, draw(0, m - 1)));
        if (round % 3) plant_sum(b, A, round % 3 == 2, p, other);
        else           fill_near(b, p, other);
        unsigned char chosen[9];
        int64_t work = round % 50 ? RELU_WORK : draw(0, 4000);
        const truth is = subset_over_integers(chosen, &free_columns, A, b, rows, n, &work);
        const bool some = some_columns_sum_to(A, b);
        uint64_t J = 0;
        for (long j = 0; j < m; j++) J |= (uint64_t)chosen[j] << j;
        ck_assert_msg(is == (some ? HOLDS : REFUTED) || (is == UNDECIDED && round % 50 == 0), "round %d: %d", round, is);
        ck_assert_msg(is != HOLDS || columns_sum_to(A, b, J), "round %d: J is wrong", round);
        ck_assert_msg(is == HOLDS || J == 0, "round %d: J is left over", round);
        yes += is == HOLDS;
        no += is == REFUTED;
        undecided += is == UNDECIDED;
        fmpq_mat_clear(A);
        fmpq_mat_clear(b);
    }
    ck_assert_msg(yes > 1200 && no > 1200 && undecided > 10, "%ld %ld %ld", yes, no, undecided);
}
END_TEST

/* -Z and the columns vec(w2_j w1_j) */
static void outer_products(fmpq_mat_t A, fmpq_mat_t b, const relu_net *f)
{
    const long in = fmpq_mat_ncols(f->W1), out = fmpq_mat_nrows(f->W2);
    for (long i = 0; i < out * in; i++) {
        for (long j = 0; j < fmpq_mat_nrows(f->W1); j++)
            fmpq_mul(fmpq_mat_entry(A, i, j), fmpq_mat_entry(f->W2, i / in, j), fmpq_mat_entry(f->W1, j, i % in));
        fmpq_neg(fmpq_mat_entry(b, i, 0), fmpq_mat_entry(f->Z, i / in, i % in));
    }
}

START_TEST(absorption_near_primes)
{
    long yes = 0, no = 0, degenerate = 0;
    for (int round = 0; round < 2000; round++) {
        const ulong p = some_prime(round % SOME_PRIMES), other = some_prime(draw(0, SOME_PRIMES - 1));
        const long in = draw(1, 2), out = draw(1, 2), m = draw(1, 5);
        relu_net f;
        fmpq_mat_t A, b;
        relu_net_init(&f, in, m, out);
        fmpq_mat_init(A, in * out, m);
        fmpq_mat_init(b, in * out, 1);
        fill_near(f.W1, p, other);
        fill_near(f.W2, p, other);
        outer_products(A, b, &f);
        plant_sum(b, A, round % 2, p, other);
        for (long i = 0; i < in * out; i++) fmpq_neg(fmpq_mat_entry(f.Z, i / in, i % in), fmpq_mat_entry(b, i, 0));
        absorption is = relu_absorb(&f);
        const bool some = some_columns_sum_to(A, b);
        if (some) ck_assert_msg(is.is == HOLDS && is.J, "round %d, prime %lu: %d (%s)", round, p, is.is, is.why);
        else if (is.regular) ck_assert_msg(is.is == REFUTED, "round %d, prime %lu: %d (%s)", round, p, is.is, is.why);
        if (is.is == HOLDS) {
            relu_net g;
            relu_net_init(&g, in, m, out);
            fmpq_mat_set(g.W1, is.V1);
            fmpq_mat_set(g.W2, is.V2);
            ck_assert_msg(agree_everywhere(&f, &g), "round %d: V is another function", round);
            relu_net_clear(&g);
        }
        yes += some;
        no += !some && is.regular;
        degenerate += !is.regular;
        absorption_clear(&is);
        fmpq_mat_clear(A);
        fmpq_mat_clear(b);
        relu_net_clear(&f);
    }
    ck_assert_msg(yes > 500 && no > 150 && degenerate > 300, "%ld yes, %ld no, %ld degenerate", yes, no, degenerate);
}
END_TEST

/* The pivots of A = (1 1 .. 1; p 2p 4p ..) vanish modulo p only in the second row, so that modulo p every set of the
 * right size will do: more than are tried, where the next prime finds the one or proves that there is none. */
START_TEST(many_solutions_modulo_the_prime_alone)
{
    for (int planted = 0; planted < 2; planted++) {
        const ulong p = some_prime(0);
        fmpq_mat_t A, b;
        fmpq_mat_init(A, 2, 16);
        fmpq_mat_init(b, 2, 1);
        for (long j = 0; j < 16; j++) {
            fmpq_one(fmpq_mat_entry(A, 0, j));
            fmpz_set_ui(fmpq_numref(fmpq_mat_entry(A, 1, j)), p);
            fmpz_mul_2exp(fmpq_numref(fmpq_mat_entry(A, 1, j)), fmpq_numref(fmpq_mat_entry(A, 1, j)), (ulong)j);
        }
        fmpq_set_si(fmpq_mat_entry(b, 0, 0), 8, 1);
        fmpz_set_ui(fmpq_numref(fmpq_mat_entry(b, 1, 0)), p);
        fmpz_mul_ui(fmpq_numref(fmpq_mat_entry(b, 1, 0)), fmpq_numref(fmpq_mat_entry(b, 1, 0)), planted ? 0xaaaa : 0xabaa);
        int64_t work = RELU_WORK;
        subset S = subset_sum(A, b, &work);
        ck_assert_msg(S.is == (planted ? HOLDS : REFUTED), "%d: %s", S.is, S.why);
        for (long j = 0; j < 16; j++) ck_assert_int_eq(S.chosen[j], planted && j % 2);
        subset_clear(&S);
        fmpq_mat_clear(A);
        fmpq_mat_clear(b);
    }
}
END_TEST

/* ---- adversarial inputs -------------------------------------------------------------------------------- */

static relu_net drawn_net(long h, long m, long bound)
{
    relu_net f;
    relu_net_init(&f, h, m, h);
    fmpq_mat_one(f.Z);
    for (long j = 0; j < m; j++)
        for (long l = 0; l < h; l++) {
            fmpq_set_si(fmpq_mat_entry(f.W1, j, l), draw(-bound, bound), 1);
            fmpq_set_si(fmpq_mat_entry(f.W2, l, j), draw(-bound, bound), 1);
        }
    return f;
}

static void zero_columns(relu_net *f, long from)
{
    for (long j = from; j < fmpq_mat_ncols(f->W2); j++)
        for (long i = 0; i < fmpq_mat_nrows(f->W2); i++) fmpq_zero(fmpq_mat_entry(f->W2, i, j));
}

static void collinear_rows(relu_net *f)                          /* row 2 j + 1 = row 2 j */
{
    for (long j = 1; j < fmpq_mat_nrows(f->W1); j += 2)
        for (long l = 0; l < fmpq_mat_ncols(f->W1); l++)
            fmpq_set(fmpq_mat_entry(f->W1, j, l), fmpq_mat_entry(f->W1, j - 1, l));
}

static void times_2_200(relu_net *f)                             /* and odd low bits, so that nothing cancels */
{
    fmpz_t big;
    fmpz_init(big);
    for (long j = 0; j < fmpq_mat_nrows(f->W1); j++)
        for (long l = 0; l < fmpq_mat_ncols(f->W1); l++)
            for (int k = 0; k < 2; k++) {
                fmpq *x = k ? fmpq_mat_entry(f->W2, l, j) : fmpq_mat_entry(f->W1, j, l);
                fmpz_set_si(big, draw(1, 1L << 40));
                fmpz_mul_2exp(big, big, 160);
                fmpz_add_ui(big, big, (ulong)draw(1, 1L << 40));
                fmpq_mul_fmpz(x, x, big);
            }
    fmpz_clear(big);
}

/* Generic (m <= h^2, entries random): no J, with a vector y; any answer; or NOT. */
static const struct adversary { const char *name; long h, m, bound; int zero_from; bool collinear, big; truth want; }
adversaries[] = {
    { "generic h=12 m=48",            12,  48,  99, -1, false, false, REFUTED },
    { "generic h=32 m=128",           32, 128,  99, -1, false, false, REFUTED },
    { "200 bits h=6 m=24",             6,  24,  99, -1, false, true,  REFUTED },
    { "200 bits h=12 m=48",           12,  48,  99, -1, false, true,  REFUTED },
    { "m - rank = 30, h=2",            2,  34, 997, -1, false, false, UNDECIDED },
    { "m - rank = 30, h=4",            4,  46, 997, -1, false, false, UNDECIDED },
    { "m - rank = 92, h=6",            6, 128,   9, -1, false, false, UNDECIDED },
    { "m - rank = 30, h=6, weights 0, 1, -1", 6, 66, 1, -1, false, false, UNDECIDED },
    { "all columns zero h=12 m=48",   12,  48,   9,  0, false, false, HOLDS },
    { "half the columns zero h=4",     4,  16,   9,  8, false, false, HOLDS },
    { "one column zero h=8 m=32",      8,  32,   9, 31, false, false, REFUTED },
    { "one column zero h=12 m=48",    12,  48,   9, 47, false, false, REFUTED },
    { "two columns zero h=12 m=48",   12,  48,   9, 46, false, false, UNDECIDED },
    { "collinear pairs h=8 m=32",      8,  32,   9, -1, true,  false, HOLDS },
    { "collinear pairs h=32 m=34",    32,  34,   9, -1, true,  false, UNDECIDED },
};

START_TEST(adversarial)
{
    const struct adversary *c = &adversaries[_i];
    relu_net f = drawn_net(c->h, c->m, c->bound);
    if (c->zero_from >= 0) zero_columns(&f, c->zero_from);
    if (c->collinear) collinear_rows(&f);
    if (c->big) times_2_200(&f);
    const double start = monotonic_seconds();
    absorption is = relu_absorb(&f);
    const double took = monotonic_seconds() - start;
    if (getenv("SHOW")) fprintf(stderr, "%-28s %d %6.2f s  free %ld  cases %ld  %s\n", c->name, is.is, took, is.free, is.cases, is.why);
    ck_assert_msg(c->want == UNDECIDED || is.is == c->want, "%s: %d (%s)", c->name, is.is, is.why);
    ck_assert_msg(is.cases <= (1L << 24), "%s: %ld choices were looked at", c->name, is.cases);
    absorption_clear(&is);
    relu_net_clear(&f);
}
END_TEST

/* (1/3, -1)(3, 1)' is a ball around 0: no sign.  (1, -1)(1, 1)' is 0 exactly; that has one, as 1/3 has. */
START_TEST(signs_over_balls)
{
    static const struct { bool third; long x[2]; truth want; } at[] = {
        { true,  { 3, 1 }, UNDECIDED }, { true,  { 1, 0 }, HOLDS },
        { false, { 1, 1 }, HOLDS },     { false, { 1, 2 }, HOLDS },
    };
    for (size_t k = 0; k < COUNT(at); k++)
        for (int relu = 0; relu < 2; relu++) {
            arith R = arith_arb(64);
            scope s = scope_open(&R, 1, 0);
            const mat *one = mat_identity(&s, 1), *third = mat_inv(&s, mat_scale(&s, 3, 0, one));
            const mat *minus_one = mat_scale(&s, -1, 0, one), *first = at[k].third ? third : one;
            const mat *row = mat_hcat(&s, 2, (const mat *const[]){ first, minus_one });
            const mat *y = relu_neurons(&s, one, row, mat_from_si(&s, 2, 1, at[k].x), relu ? ACT_RELU : ACT_GELU, 0);
            ck_assert_int_eq(s.status, relu ? at[k].want : HOLDS);
            ck_assert_int_eq(mat_positive(y) == HOLDS, at[k].want == HOLDS && at[k].x[1] == 0);
            scope_close(&s);
        }
}
END_TEST

/* Over fields without an order the activation is any phi with phi(y) - phi(-y) = y, elsewhere ReLU itself. */
START_TEST(which_activation)
{
    const uint64_t any[2] = { 1, 2 };
    arith over[] = { arith_f64(), arith_mpfr(64), arith_arb(64), arith_q(any), arith_fp(1000003, any), arith_sym() };
    for (size_t k = 0; k < COUNT(over); k++) {
        scope s = scope_open(&over[k], 1, 0);
        ck_assert_int_eq(relu_or_half_odd(&s), k < 4 ? ACT_RELU : ACT_HALF_ODD);
        scope_close(&s);
        arith_close(&over[k]);
    }
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("relu");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, form_of_equal_networks);
    tcase_add_test(all, form_decides_equality);
    tcase_add_test(all, form_by_hand);
    tcase_add_test(all, decision_is_brute_force);
    tcase_add_test(all, sums_that_coincide);
    tcase_add_test(all, degenerate_is_criterion);
    tcase_add_test(all, subset_near_primes);
    tcase_add_test(all, subset_over_the_integers);
    tcase_add_test(all, absorption_near_primes);
    tcase_add_test(all, many_solutions_modulo_the_prime_alone);
    tcase_add_test(all, signs_over_balls);
    tcase_add_test(all, which_activation);
    tcase_add_loop_test(all, adversarial, 0, COUNT(adversaries));
    return run_suite(suite, argc, argv);
}
