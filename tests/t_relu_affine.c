/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_relu_affine.c - ReLU networks with biases: canonical form against evaluation, least width against counting
 * breakpoints on the line and against the decision for networks without biases. */
#include <stdlib.h>
#include <string.h>
#include "numerics/random.h"
#include "src/methods/relu/relu_affine.h"
#include "tests/support/suite.h"

enum { MAX_M = 6, MAX_IN = 2, MAX_OUT = 2 };
typedef struct { long in, m, out, W1[MAX_M][MAX_IN], b1[MAX_M], W2[MAX_OUT][MAX_M], b2[MAX_OUT], Z[MAX_OUT][MAX_IN]; } small;

static const uint64_t key[2] = { 6, 2 };
static uint64_t counter;
static long draw(long low, long high) { return low + (long)random_below(key, counter++, (uint64_t)(high - low + 1)); }

/* Small integers, so that hyperplanes, columns and rows often coincide or vanish. */
static small random_small(long in, long m, long out, long bound)
{
    small f = { .in = in, .m = m, .out = out };
    for (long j = 0; j < m; j++) {
        for (long l = 0; l < in; l++) f.W1[j][l] = draw(-2, 2);
        f.b1[j] = draw(-bound, bound);
        for (long i = 0; i < out; i++) f.W2[i][j] = draw(-bound, bound);
    }
    for (long i = 0; i < out; i++) {
        f.b2[i] = draw(-bound, bound);
        for (long l = 0; l < in; l++) f.Z[i][l] = draw(-bound, bound);
    }
    return f;
}

static relu_affine affine_of(const small *f)
{
    relu_affine g;
    relu_affine_init(&g, f->in, f->m, f->out);
    for (long j = 0; j < f->m; j++) {
        for (long l = 0; l < f->in; l++) fmpq_set_si(fmpq_mat_entry(g.net.W1, j, l), f->W1[j][l], 1);
        fmpq_set_si(fmpq_mat_entry(g.b1, j, 0), f->b1[j], 1);
        for (long i = 0; i < f->out; i++) fmpq_set_si(fmpq_mat_entry(g.net.W2, i, j), f->W2[i][j], 1);
    }
    for (long i = 0; i < f->out; i++) {
        fmpq_set_si(fmpq_mat_entry(g.b2, i, 0), f->b2[i], 1);
        for (long l = 0; l < f->in; l++) fmpq_set_si(fmpq_mat_entry(g.net.Z, i, l), f->Z[i][l], 1);
    }
    return g;
}

/* ---- the definition, evaluated ------------------------------------------------------------------------- */

static void value(fmpq_mat_t y, const relu_affine *f, const fmpq_mat_t x)          /* one column */
{
    const long m = fmpq_mat_nrows(f->net.W1), out = fmpq_mat_nrows(f->net.W2);
    fmpq_mat_t a, s;
    fmpq_mat_init(a, m, 1);
    fmpq_mat_init(s, out, 1);
    fmpq_mat_mul(a, f->net.W1, x);
    fmpq_mat_add(a, a, f->b1);
    for (long j = 0; j < m; j++) if (fmpq_sgn(fmpq_mat_entry(a, j, 0)) < 0) fmpq_zero(fmpq_mat_entry(a, j, 0));
    fmpq_mat_mul(y, f->net.W2, a);
    fmpq_mat_mul(s, f->net.Z, x);
    fmpq_mat_add(y, y, s);
    fmpq_mat_add(y, y, f->b2);
    fmpq_mat_clear(a);
    fmpq_mat_clear(s);
}

/* At drawn fractions, near and far. */
static bool agree(const relu_affine *f, const relu_affine *g)
{
    const long in = fmpq_mat_ncols(f->net.W1), out = fmpq_mat_nrows(f->net.W2);
    fmpq_mat_t x, y, z;
    bool same = true;
    fmpq_mat_init(x, in, 1);
    fmpq_mat_init(y, out, 1);
    fmpq_mat_init(z, out, 1);
    for (long k = 0; same && k < 80; k++) {
        for (long l = 0; l < in; l++) fmpq_set_si(fmpq_mat_entry(x, l, 0), draw(-97, 97), k < 40 ? 13 : 2);
        value(y, f, x);
        value(z, g, x);
        same = fmpq_mat_equal(y, z);
    }
    fmpq_mat_clear(x);
    fmpq_mat_clear(y);
    fmpq_mat_clear(z);
    return same;
}

START_TEST(form_decides_equality)
{
    long equal = 0, different = 0;
    for (int round = 0; round < 600; round++) {
        const long in = draw(1, 2), m = draw(1, 3), out = draw(1, 2), bound = draw(1, 2);
        small a = random_small(in, m, out, bound), b = round % 3 ? a : random_small(in, m, out, 1);
        if (round % 3) {                                         /* one neuron turned over, with or without the repair */
            const long j = draw(0, m - 1);
            for (long l = 0; l < in; l++) b.W1[j][l] = -a.W1[j][l];
            b.b1[j] = -a.b1[j];
            for (long i = 0; i < out; i++) {
                for (long l = 0; l < in; l++) b.Z[i][l] += a.W2[i][j] * a.W1[j][l];
                if (round % 3 == 1 || draw(0, 1)) b.b2[i] += a.W2[i][j] * a.b1[j];
            }
        }
        relu_affine f = affine_of(&a), g = affine_of(&b);
        const bool same = relu_affine_same(&f, &g);
        ck_assert_msg(same == agree(&f, &g), "round %d: the form says %s", round, same ? "equal" : "different");
        equal += same;
        different += !same;
        relu_affine_clear(&f);
        relu_affine_clear(&g);
    }
    ck_assert_msg(equal > 200 && different > 150, "%ld equal, %ld different", equal, different);
}
END_TEST

/* ---- the line: breakpoints are counted -------------------------------------------------------------------- */

/* 4 f(y/4), whose breakpoints -4 b/w are integers */
static void at(long v[MAX_OUT], const small *f, long y)
{
    for (long i = 0; i < f->out; i++) {
        v[i] = 4 * f->b2[i] + f->Z[i][0] * y;
        for (long j = 0; j < f->m; j++) {
            const long a = f->W1[j][0] * y + 4 * f->b1[j];
            v[i] += f->W2[i][j] * (a > 0 ? a : 0);
        }
    }
}

typedef struct { long p, t[64], jump[64][MAX_OUT], slope[MAX_OUT], constant[MAX_OUT]; } line;    /* slope, constant: left */

static line line_of(const small *f)
{
    enum { FAR = 64 };
    line g = { 0 };
    long a[MAX_OUT], b[MAX_OUT], c[MAX_OUT];
    at(a, f, -FAR);
    at(b, f, -FAR + 1);
    for (long i = 0; i < f->out; i++) {
        g.slope[i] = b[i] - a[i];
        g.constant[i] = a[i] + FAR * g.slope[i];
    }
    for (long y = -FAR + 1; y < FAR; y++) {
        at(a, f, y - 1);
        at(b, f, y);
        at(c, f, y + 1);
        bool kink = false;
        for (long i = 0; i < f->out; i++) kink |= (g.jump[g.p][i] = a[i] - 2 * b[i] + c[i]) != 0;
        if (kink) g.t[g.p++] = y;
    }
    return g;
}

/* The affine rest when the neurons in `left` face left: r x + q; without an output bias q counts. */
static long width_on_line(const line *g, long out, bool output_bias)
{
    long least = g->p ? g->p + 2 : 4;
    for (long left = 0; left < 1L << g->p; left++) {
        bool linear = false, constant = false;
        long r[MAX_OUT], q[MAX_OUT];
        for (long i = 0; i < out; i++) {
            r[i] = g->slope[i];
            q[i] = g->constant[i];
            for (long k = 0; k < g->p; k++)
                if (left >> k & 1) { r[i] += g->jump[k][i]; q[i] -= g->jump[k][i] * g->t[k]; }
            linear |= r[i] != 0;
            constant |= q[i] != 0 && !output_bias;
        }
        long more = !linear && !constant ? 0 : !linear ? 1 : output_bias && g->p ? 1 : 2;
        for (long k = 0; k < g->p && more == 2; k++) {           /* the rest is l (x - t_k)? */
            bool fits = true;
            for (long i = 0; i < out; i++) fits &= r[i] * g->t[k] + q[i] == 0;
            if (fits) more = 1;
        }
        if (!g->p && linear) {                                   /* e (g x + gamma) at once, or apart */
            const bool one = output_bias || out == 1 || r[0] * q[1] == r[1] * q[0];
            more = one ? 2 : 3;
        }
        if (g->p + more < least) least = g->p + more;
    }
    return least;
}

START_TEST(least_on_the_line)
{
    long seen[MAX_M + 4] = { 0 };
    for (int round = 0; round < 700; round++) {
        const long m = draw(1, 4), out = draw(1, 2);
        small a = random_small(1, m, out, draw(1, 3));
        if (round % 5 == 0) memset(a.W2, 0, sizeof a.W2);
        if (round % 4 == 0) memset(a.b2, 0, sizeof a.b2);
        const line g = line_of(&a);
        for (int bias = 0; bias < 2; bias++) {
            relu_affine f = affine_of(&a), V;
            const long width = relu_affine_least(&f, bias, &V), want = width_on_line(&g, out, bias);
            ck_assert_msg(width == want, "round %d, output bias %d: width %ld, counted %ld", round, bias, width, want);
            ck_assert_msg(agree(&f, &V), "round %d: V is another function", round);
            ck_assert_int_eq(fmpq_mat_nrows(V.net.W1), width ? width : 1);
            ck_assert(fmpq_mat_is_zero(V.net.Z) && (bias || fmpq_mat_is_zero(V.b2)));
            seen[width]++;
            relu_affine_clear(&f);
            relu_affine_clear(&V);
        }
    }
    for (int w = 0; w <= 5; w++) ck_assert_msg(seen[w] > 5, "width %d was seen %ld times", w, seen[w]);
}
END_TEST

/* ---- without biases, and translated: the other decision --------------------------------------------------- */

/* f as p neurons and a skip, with `more` zero neurons: absorbable? */
static truth absorbs(const relu_form *F, long more)
{
    const long p = relu_kinks(F), in = fmpq_mat_ncols(F->L), out = fmpq_mat_nrows(F->L);
    relu_net g;
    fmpq_t x;
    fmpq_init(x);
    relu_net_init(&g, in, p + more, out);
    fmpq_mat_set(g.Z, F->L);                                     /* 2 c ReLU(u.x) - c u.x = c |u.x| */
    for (long k = 0; k < p; k++)
        for (long i = 0; i < out; i++) {
            fmpq_add(fmpq_mat_entry(g.W2, i, k), fmpq_mat_entry(F->C, i, k), fmpq_mat_entry(F->C, i, k));
            for (long l = 0; l < in; l++) {
                fmpq_set(fmpq_mat_entry(g.W1, k, l), fmpq_mat_entry(F->U, k, l));
                fmpq_mul(x, fmpq_mat_entry(F->C, i, k), fmpq_mat_entry(F->U, k, l));
                fmpq_sub(fmpq_mat_entry(g.Z, i, l), fmpq_mat_entry(g.Z, i, l), x);
            }
        }
    absorption a = relu_absorb(&g);
    const truth is = a.is;
    absorption_clear(&a);
    relu_net_clear(&g);
    fmpq_clear(x);
    return is;
}

START_TEST(least_without_biases)
{
    long more_than_p = 0, exactly_p = 0;
    for (int round = 0; round < 150; round++) {
        const long m = draw(1, 5);
        small a = random_small(2, m, 2, draw(1, 2));
        memset(a.b1, 0, sizeof a.b1);
        memset(a.b2, 0, sizeof a.b2);
        if (round % 2) memset(a.Z, 0, sizeof a.Z);               /* some are absorbed without more neurons */
        for (long j = 0; round % 2 && j < m; j += 2)
            for (long i = 0; i < 2; i++)
                for (long l = 0; l < 2; l++) a.Z[i][l] -= a.W2[i][j] * a.W1[j][l];
        relu_affine f = affine_of(&a), V;
        relu_form F = relu_form_of(&f.net);
        const long p = relu_kinks(&F);
        for (long j = 0; j < m; j++) fmpq_set_si(fmpq_mat_entry(f.b1, j, 0), 3 * a.W1[j][0] + a.W1[j][1], 1);  /* x + (3, 1) */
        for (long i = 0; i < 2; i++) fmpq_set_si(fmpq_mat_entry(f.b2, i, 0), 3 * a.Z[i][0] + a.Z[i][1], 1);
        const long width = relu_affine_least(&f, true, &V);
        if (width) ck_assert_msg(absorbs(&F, width - p) == HOLDS, "round %d: width %ld does not do", round, width);
        if (width > p && width > 1)
            ck_assert_msg(absorbs(&F, width - p - 1) == REFUTED, "round %d: width %ld does", round, width - 1);
        ck_assert(agree(&f, &V));
        more_than_p += width > p;
        exactly_p += width == p;
        relu_form_clear(&F);
        relu_affine_clear(&f);
        relu_affine_clear(&V);
    }
    ck_assert_msg(more_than_p > 30 && exactly_p > 30, "%ld, %ld", more_than_p, exactly_p);
}
END_TEST

/* J of regular networks, against all subsets. */
START_TEST(J_is_brute_force)
{
    long yes[2] = { 0 }, no[2] = { 0 };
    for (int round = 0; round < 1500; round++) {
        const long in = draw(1, 2), m = draw(1, MAX_M), out = draw(1, 2);
        small a = random_small(in, m, out, 3);
        const long planted = draw(0, (1L << m) - 1);
        for (long i = 0; i < out; i++) {
            for (long l = 0; l < in; l++)
                for (long j = 0; j < m; j++) a.Z[i][l] = (j ? a.Z[i][l] : 0) - (planted >> j & 1) * a.W2[i][j] * a.W1[j][l];
            for (long j = 0; round % 2 && j < m; j++) a.b2[i] = (j ? a.b2[i] : 0) - (planted >> j & 1) * a.W2[i][j] * a.b1[j];
        }
        if (round % 4 >= 2) a.Z[0][0]++;
        relu_affine f = affine_of(&a);
        for (int bias = 0; relu_affine_regular(&f) && bias < 2; bias++) {
            bool some = false;
            for (long J = 0; J < 1L << m; J++) {
                bool all = true;
                for (long i = 0; i < out; i++)
                    for (long l = 0; l < in + !bias; l++) {
                        long sum = l < in ? a.Z[i][l] : a.b2[i];
                        for (long j = 0; j < m; j++) sum += (J >> j & 1) * a.W2[i][j] * (l < in ? a.W1[j][l] : a.b1[j]);
                        all &= sum == 0;
                    }
                some |= all;
            }
            subset S = relu_affine_J(&f, bias);
            ck_assert_int_eq(S.is, some ? HOLDS : REFUTED);
            if (some) {
                relu_affine V = relu_affine_turned(&f, S.chosen);
                ck_assert(relu_affine_same(&f, &V) && agree(&f, &V) && (bias || fmpq_mat_is_zero(V.b2)));
                relu_affine_clear(&V);
            }
            subset_clear(&S);
            yes[bias] += some;
            no[bias] += !some;
        }
        relu_affine_clear(&f);
    }
    ck_assert_msg(yes[0] > 40 && yes[1] > 80 && no[0] > 80 && no[1] > 80, "%ld %ld %ld %ld", yes[0], yes[1], no[0], no[1]);
}
END_TEST

/* Output weights 0, 1, p, p + 1, 1/p and their opposites for the primes of the search and others: all subsets again. */
START_TEST(J_near_primes)
{
    static const ulong primes[] = { 2305843009213693951, 2305843009213693921, 2305843009213693907, 2305843009213693723,
                                    2, 65537, 4611686018427387847 };
    long yes[2] = { 0 }, no[2] = { 0 };
    for (size_t k = 0; k < COUNT(primes); k++) ck_assert(n_is_prime(primes[k]));
    for (int round = 0; round < 1500; round++) {
        const ulong p = primes[(size_t)round % COUNT(primes)];
        const long in = draw(1, 2), m = draw(1, 5), out = draw(1, 2), planted = draw(0, (1L << m) - 1);
        const small a = random_small(in, m, out, 3);
        relu_affine f = affine_of(&a);
        for (long k = 0; k < out * m; k++) {
            fmpq *x = fmpq_mat_entry(f.net.W2, k / m, k % m);
            const long what = draw(0, 4);
            fmpq_set_si(x, what > 0, 1);
            if (what == 2 || what == 3) fmpz_mul_ui(fmpq_numref(x), fmpq_numref(x), p);
            if (what == 3) fmpz_add_ui(fmpq_numref(x), fmpq_numref(x), 1);
            if (what == 4) fmpz_set_ui(fmpq_denref(x), p);
            if (draw(0, 1)) fmpq_neg(x, x);
        }
        fmpq_t term;
        fmpq_init(term);
        bool may[2] = { false, false };                          /* with c2, and with c2 = 0 */
        for (int pass = 0; pass < 2; pass++)                     /* plants Z and b2, then looks at all J */
            for (long J = pass ? 0 : planted; J < (pass ? 1L << m : planted + 1); J++) {
                bool zero[2] = { true, true };
                for (long i = 0; i < out; i++)
                    for (long l = 0; l <= in; l++) {
                        fmpq *to = l < in ? fmpq_mat_entry(f.net.Z, i, l) : fmpq_mat_entry(f.b2, i, 0);
                        fmpq_t sum;
                        fmpq_init(sum);
                        if (pass) fmpq_set(sum, to);
                        for (long j = 0; j < m; j++) {
                            if (!(J >> j & 1)) continue;
                            fmpq_mul(term, fmpq_mat_entry(f.net.W2, i, j),
                                     l < in ? fmpq_mat_entry(f.net.W1, j, l) : fmpq_mat_entry(f.b1, j, 0));
                            fmpq_add(sum, sum, term);
                        }
                        if (!pass) fmpq_neg(to, sum);
                        if (!pass && round % 4 == 3 && i == 0 && l == 0) fmpz_add_ui(fmpq_numref(to), fmpq_numref(to), p);
                        if (!pass) fmpq_canonicalise(to);
                        if (!fmpq_is_zero(sum)) { zero[1] = false; zero[0] &= l == in; }
                        fmpq_clear(sum);
                    }
                if (pass) for (int k = 0; k < 2; k++) may[k] |= zero[k];
            }
        fmpq_clear(term);
        for (int k = 0; relu_affine_regular(&f) && k < 2; k++) {
            subset S = relu_affine_J(&f, k == 0);
            ck_assert_msg(S.is == (may[k] ? HOLDS : REFUTED), "round %d, prime %lu: %d (%s)", round, p, S.is, S.why);
            if (may[k]) {
                relu_affine V = relu_affine_turned(&f, S.chosen);
                ck_assert(relu_affine_same(&f, &V) && agree(&f, &V) && (k == 0 || fmpq_mat_is_zero(V.b2)));
                relu_affine_clear(&V);
            }
            subset_clear(&S);
            yes[k] += may[k];
            no[k] += !may[k];
        }
        relu_affine_clear(&f);
    }
    ck_assert_msg(yes[0] > 200 && yes[1] > 200 && no[0] > 40 && no[1] > 40, "%ld %ld %ld %ld", yes[0], yes[1], no[0], no[1]);
}
END_TEST

/* ---- contracts ------------------------------------------------------------------------------------------- */

static void many_kinks(void *unused)
{
    (void)unused;
    relu_affine f, V;
    relu_affine_init(&f, 1, 11, 1);
    for (long j = 0; j < 11; j++) {
        fmpq_one(fmpq_mat_entry(f.net.W1, j, 0));
        fmpq_one(fmpq_mat_entry(f.net.W2, 0, j));
        fmpq_set_si(fmpq_mat_entry(f.b1, j, 0), j, 1);
    }
    contract_set_handler(contract_exits);
    relu_affine_least(&f, true, &V);
}

static void not_regular(void *unused)
{
    (void)unused;
    relu_affine f;
    relu_affine_init(&f, 1, 2, 1);
    contract_set_handler(contract_exits);
    subset S = relu_affine_J(&f, true);
    subset_clear(&S);
}

static void wrong_biases(void *which)
{
    arith q = arith_q(key);
    scope s = scope_open(&q, 1, 1);
    const mat *I = mat_identity(&s, 2), *b = mat_zero(&s, 3, 1);
    contract_set_handler(contract_exits);
    relu_affine f = relu_affine_of(I, I, I, which ? b : NULL, which ? NULL : b);
    relu_affine_clear(&f);
}

static void one_neuron(void *unused)
{
    (void)unused;
    arith q = arith_q(key);
    scope s = scope_open(&q, 1, 1);
    contract_set_handler(contract_exits);
    relu_affine_drawn(&s, 1, 1);
}

START_TEST(contracts)
{
    const struct { void (*breaks)(void *); void *with; const char *says; } table[] = {
        { many_kinks, NULL, "11 kinks" }, { one_neuron, NULL, "1 neurons on 1" }, { not_regular, NULL, "2 neurons do not have" },
        { wrong_biases, &counter, "b1 is 3x1" }, { wrong_biases, NULL, "b2 is 3x1" } };
    char output[512];
    const int status = run_child(table[_i].breaks, table[_i].with, output, sizeof output);
    ck_assert_msg(status == CONTRACT_STATUS && strstr(output, table[_i].says), "status %d, output: %s", status, output);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("relu_affine");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_set_timeout(all, 0);
    tcase_add_test(all, form_decides_equality);
    tcase_add_test(all, least_on_the_line);
    tcase_add_test(all, least_without_biases);
    tcase_add_test(all, J_is_brute_force);
    tcase_add_test(all, J_near_primes);
    tcase_add_loop_test(all, contracts, 0, 5);
    return run_suite(suite, argc, argv);
}
