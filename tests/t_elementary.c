/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_elementary.c - our own exp and normal distribution function hold the true value, are as thin as Arb's, and fall back to
 * Arb where they should.
 *
 * ELEMENTARY_POINTS (default 2000) points for each function; `make bounds` takes 100,000. */
#define FIXED_PORTABLE                                 /* fixed_muladd without assembly here; polynomial.c has it with */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "numerics/elementary/elementary.h"
#include "numerics/elementary/polynomial.h"
#include "numerics/plain.h"
#include "numerics/random.h"
#include "tests/support/suite.h"

static const uint64_t key[2] = { 20261123, 16 };
static uint64_t counter;
static long below(long n) { return (long)random_below(key, counter++, (uint64_t)n); }
static long between(long a, long b) { return a + below(b - a + 1); }

static const long precisions[] = { 2, 24, 64, 96, 97, 128, 160, 192, 224, 225, 256, 300, 384, 480, 511, 512, 513 };

/* ---- functions and what is true of them ------------------------------------------------------- */

static void true_exp(arb_t y, const arb_t x, long bits) { arb_exp(y, x, bits); }
static void true_normal(arb_t y, const arb_t x, long bits)
{
    arb_t t;
    arb_init(t);
    arb_sqrt_ui(t, 2, bits);
    arb_div(t, x, t, bits);
    arb_neg(t, t);
    arb_hypgeom_erfc(y, t, bits);
    arb_mul_2exp_si(y, y, -1);
    arb_clear(t);
}
static void slope_exp(arb_t y, const arb_t x, long bits) { arb_exp(y, x, bits); }
static void slope_normal(arb_t y, const arb_t x, long bits)
{
    arb_t t;
    arb_init(t);
    arb_sqr(y, x, bits);
    arb_mul_2exp_si(y, y, -1);
    arb_neg(y, y);
    arb_exp(y, y, bits);
    arb_const_pi(t, bits);
    arb_mul_2exp_si(t, t, 1);
    arb_rsqrt(t, t, bits);
    arb_mul(y, y, t, bits);
    arb_clear(t);
}

typedef struct {
    const char *name;
    void (*ours)(arb_ptr, arb_srcptr, long, long);
    void (*exact)(arb_t, const arb_t, long), (*slope)(arb_t, const arb_t, long);
    long below, thinner;                /* ours: 0 < |x| < 2^below, radius <= 2^thinner, at most 512 bits */
} function;
static const function functions[] = {
    { "exp", elementary_exp, true_exp, slope_exp, 13, -10 }, { "normal", elementary_normal, true_normal, slope_normal, 5, -8 },
};

/* f(x) = truth(x) for one number x is in y. */
static void holds(const function *f, const arb_t y, const arf_t x, long bits, const char *where)
{
    arb_t point, exact;
    arb_init(point);
    arb_init(exact);
    bool in = false;
    arb_set_arf(point, x);
    for (long more = 2 * bits + 200; !in && more < 20000; more *= 3) {      /* a ball of the truth that is too wide: again */
        f->exact(exact, point, more);
        in = arb_contains(y, exact);
        if (!arb_overlaps(y, exact)) break;
    }
    char *at = arb_get_str(point, 40, 0), *is = arb_get_str(y, 40, 0), *should = arb_get_str(exact, 40, 0);
    ck_assert_msg(in, "%s, %ld bits, %s: at %s the ball %s misses %s", f->name, bits, where, at, is, should);
    flint_free(at);
    flint_free(is);
    flint_free(should);
    arb_clear(point);
    arb_clear(exact);
}

/* y = ours(x), among others, at least as many as are computed side by side: the last points that were asked for. */
static void beside(const function *f, arb_t y, const arb_t x, long bits)
{
    enum { N = LANES + 3 };
    static int last;
    static arb_ptr points;
    if (!points) points = _arb_vec_init(N);
    last = (last + 1) % N;
    arb_set(points + last, x);
    arb_ptr values = _arb_vec_init(N);
    f->ours(values, points, N, bits);
    arb_set(y, values + last);
    _arb_vec_clear(values, N);
}

/* y = ours(x) holds f at both ends of x, in the middle and at a point between; it is about as thin as Arb's ball, or Arb's ball
 * itself where x is not for us, and has no more bits than were asked for. */
static void check_one(const function *f, const arb_t y, const arb_t x, long bits, const char *where)
{
    arb_t by_arb;
    arf_t end;
    mag_t allowed;
    arb_init(by_arb);
    arf_init(end);
    mag_init(allowed);
    char *at = arb_get_str(x, 40, 0), *is = arb_get_str(y, 40, 0);
    if (bits <= 512 && arb_is_finite(x) && !arf_is_zero(arb_midref(x)) && arf_cmpabs_2exp_si(arb_midref(x), f->below) < 0 &&
        mag_cmp_2exp_si(arb_radref(x), f->thinner) <= 0) {
        holds(f, y, arb_midref(x), bits, where);
        if (!mag_is_zero(arb_radref(x))) {
            arb_get_lbound_arf(end, x, ARF_PREC_EXACT);
            holds(f, y, end, bits, where);
            arb_get_ubound_arf(end, x, ARF_PREC_EXACT);
            holds(f, y, end, bits, where);
            arf_set_mag(end, arb_radref(x));
            arf_mul_2exp_si(end, end, -1);
            arf_add(end, end, arb_midref(x), ARF_PREC_EXACT, ARF_RND_DOWN);
            holds(f, y, end, bits, where);
        }
        f->exact(by_arb, x, bits + 20);
        arb_get_mag(allowed, by_arb);
        mag_mul_2exp_si(allowed, allowed, 2 - bits);                        /* 4 units in the last place */
        mag_add(allowed, allowed, arb_radref(by_arb));
        mag_add(allowed, allowed, arb_radref(by_arb));
        ck_assert_msg(arf_bits(arb_midref(y)) <= bits, "%s, %ld bits, %s: at %s %s has more bits", f->name, bits, where, at, is);
        ck_assert_msg(mag_cmp(arb_radref(y), allowed) <= 0, "%s, %ld bits, %s: at %s the ball %s is too wide", f->name, bits, where, at, is);
    } else {
        f->exact(by_arb, x, bits);
        ck_assert_msg(arb_equal(y, by_arb), "%s, %ld bits, %s: at %s the ball %s is not Arb's", f->name, bits, where, at, is);
    }
    flint_free(at);
    flint_free(is);
    arb_clear(by_arb);
    arf_clear(end);
    mag_clear(allowed);
}

static void check_ball(const function *f, const arb_t x, long bits, const char *where)
{
    arb_t y, again;
    arb_init(y);
    arb_init(again);
    f->ours(y, x, 1, bits);
    check_one(f, y, x, bits, where);
    arb_set(again, x);                                  /* y may be x */
    f->ours(again, again, 1, bits);
    ck_assert(arb_equal(y, again) || (arf_is_nan(arb_midref(y)) && arf_is_nan(arb_midref(again))));
    beside(f, y, x, bits);
    check_one(f, y, x, bits, where);
    arb_clear(y);
    arb_clear(again);
}

/* ---- points ------------------------------------------------------------------------------------ */

static void fraction(arf_t x, long bits)                                    /* in [0, 1) */
{
    fmpz_t n;
    fmpz_init(n);
    long had = 0;
    for (; had < bits; had += 32) {
        fmpz_mul_2exp(n, n, 32);
        fmpz_add_ui(n, n, (ulong)below(1L << 32));
    }
    arf_set_fmpz(x, n);
    arf_mul_2exp_si(x, x, -had);
    fmpz_clear(n);
}

static void nudge(arf_t x, long bits)                                       /* by 0 or +-2^-k */
{
    arf_t by;
    arf_init(by);
    if (below(4)) {
        arf_set_si_2exp_si(by, below(2) ? 1 : -1, -between(1, bits + 80));
        arf_add(x, x, by, ARF_PREC_EXACT, ARF_RND_DOWN);
    }
    arf_clear(by);
}

static const char *draw(arb_t x, long bits)
{
    arf_ptr m = arb_midref(x);
    const char *where;
    arb_t t;
    arb_init(t);
    mag_zero(arb_radref(x));
    switch (below(8)) {
    case 0: where = "within 8";      fraction(m, bits); arf_mul_2exp_si(m, m, 3); break;
    case 1: where = "within 64";     fraction(m, bits); arf_mul_2exp_si(m, m, 6); break;
    case 2: where = "any size";      fraction(m, bits); arf_mul_2exp_si(m, m, between(-320, 14)); break;
    case 3: where = "rows";          arf_set_si_2exp_si(m, below(33 * 128), -7); nudge(m, bits); break;
    case 4: where = "entries";       arf_set_si_2exp_si(m, below(1 << 24), between(0, 2) * -8); nudge(m, bits); break;
    case 5: where = "multiples of log 2";
        arb_const_log2(t, bits + 100);
        arb_mul_si(t, t, between(1, 11900), bits + 100);
        arf_set(m, arb_midref(t));
        nudge(m, bits);
        break;
    case 6: where = "more bits";     fraction(m, 1500); arf_mul_2exp_si(m, m, 4); break;
    default: where = "powers of 2";  arf_set_si_2exp_si(m, 1, between(-40, 14)); nudge(m, bits);
    }
    if (below(2)) arf_neg(m, m);
    if (below(2)) mag_set_ui_2exp_si(arb_radref(x), (ulong)between(1, 1000), -between(1, bits + 60));
    arb_clear(t);
    return where;
}

static long points(void)
{
    const char *text = getenv("ELEMENTARY_POINTS");
    const long n = text ? strtol(text, NULL, 10) : 2000;
    return n > 0 ? n : 2000;
}

START_TEST(balls_hold_the_value)
{
    const function *f = &functions[_i];
    arb_t x;
    arb_init(x);
    for (long k = 0; k < points(); k++) {
        const long bits = precisions[k % (long)COUNT(precisions)];
        const char *where = draw(x, bits);
        check_ball(f, x, bits, where);
    }
    arb_clear(x);
}
END_TEST

/* A value just above a number m of `bits` bits, by `above` parts of 2^-unit: where the error that is made is larger and
 * downward, the ball around what is below m needs the bound of that error, however small. */
static void just_above(const function *f, arf_t x, long bits, double above, long unit)
{
    const long more = unit + 800;
    arb_t at, value, target, by;
    arb_init(at); arb_init(value); arb_init(target); arb_init(by);
    arb_set_arf(at, x);
    f->exact(value, at, more);
    arf_set_round(arb_midref(target), arb_midref(value), bits, ARF_RND_UP);
    arf_set_d(arb_midref(by), above);
    arf_mul_2exp_si(arb_midref(by), arb_midref(by), -unit);
    arb_add_si(by, by, 1, more);
    arb_mul(target, target, by, more);
    for (int k = 0; k < 8; k++) {                       /* Newton */
        f->exact(value, at, more);
        arb_sub(value, target, value, more);
        f->slope(by, at, more);
        arb_div(value, value, by, more);
        arb_add(at, at, value, more);
        mag_zero(arb_radref(at));
    }
    arf_set(x, arb_midref(at));
    arb_clear(at); arb_clear(value); arb_clear(target); arb_clear(by);
}

START_TEST(every_error_counts)
{
    const function *f = &functions[_i];
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    for (long k = 0; k < points(); k++) {
        const long bits = (long[]){ 96, 160, 224, 288, 480, 512, 72, 124, 176, 228, 280, 488 }[k % 12];
        const long unit = below(2) ? 64 * fixed_limbs(bits) : LANES_BITS * lanes_limbs(bits);
        fraction(arb_midref(x), bits);
        const bool large = f->ours == elementary_exp && k % 5 == 0;
        arf_mul_2exp_si(arb_midref(x), arb_midref(x), large ? 13 : 3);
        if (k % 2 || large) arf_neg(arb_midref(x), arb_midref(x));
        just_above(f, arb_midref(x), bits, 0.7 * (double)(1L << between(0, large ? 13 : 8)), unit);
        f->ours(y, x, 1, bits);
        holds(f, y, arb_midref(x), bits, "just above a number of so many bits");
        beside(f, y, x, bits);
        holds(f, y, arb_midref(x), bits, "just above a number of so many bits, beside others");
    }
    arb_clear(x);
    arb_clear(y);
}
END_TEST

START_TEST(special_arguments)
{
    const function *f = &functions[_i];
    static const long exponents[] = { -1000000, -3000, -700, -300, -64, -1, 0, 1, 3, 4, 5, 6, 12, 13, 14, 20, 40 };
    arb_t x, y, z;
    arb_init(x); arb_init(y); arb_init(z);
    for (size_t b = 0; b < COUNT(precisions); b++) {
        const long bits = precisions[b];
        for (size_t k = 0; k < COUNT(exponents); k++)
            for (int sign = -1; sign <= 1; sign += 2)
                for (int off = -1; off <= 1; off++)
                    for (long radius = -600; radius <= 0; radius += 100) {
                        arf_set_si_2exp_si(arb_midref(x), sign, exponents[k]);
                        arb_set_si(y, off);
                        arb_mul_2exp_si(y, y, exponents[k] - bits);
                        arb_add(x, x, y, ARF_PREC_EXACT);
                        mag_set_ui_2exp_si(arb_radref(x), radius > -600, radius);
                        check_ball(f, x, bits, "special");
                    }
        arb_zero(x);
        f->ours(y, x, 1, bits);
        f->exact(z, x, bits);
        ck_assert(arb_equal(y, z) && arb_is_exact(y));
        arb_pos_inf(x);
        f->ours(y, x, 1, bits);
        f->exact(z, x, bits);
        ck_assert(arb_equal(y, z));
        arb_neg_inf(x);
        f->ours(y, x, 1, bits);
        f->exact(z, x, bits);
        ck_assert(arb_equal(y, z) || (arf_is_nan(arb_midref(y)) && arf_is_nan(arb_midref(z))));
        arf_nan(arb_midref(x));
        f->ours(y, x, 1, bits);
        ck_assert(!arb_is_finite(y));
        arb_zero_pm_inf(x);
        f->ours(y, x, 1, bits);
        f->exact(z, x, bits);
        ck_assert(arb_contains(y, z));
        arf_set_si(arb_midref(x), 1);                   /* 1 +- inf */
        f->ours(y, x, 1, bits);
        ck_assert(arb_contains(y, z));
    }
    arb_clear(x); arb_clear(y); arb_clear(z);
}
END_TEST

/* At each of many neighbouring rows and entries, at its two ends. */
START_TEST(every_row)
{
    const function *f = &functions[_i];
    arb_t x;
    arb_init(x);
    for (long i = -32 * 128 - 2; i <= 32 * 128 + 2; i += 7) {
        arf_set_si_2exp_si(arb_midref(x), i, -7);
        check_ball(f, x, 128, "left end");
        arf_set_si_2exp_si(arb_midref(x), i * (1L << 40) - 1, -47);
        check_ball(f, x, 128, "just left of it");
    }
    arb_clear(x);
}
END_TEST

/* ---- parts -------------------------------------------------------------------------------------- */

static void limbs(mp_limb_t *a, int n)
{
    for (int k = 0; k < n; k++) {
        const long kind = below(4);
        a[k] = kind == 0 ? 0 : kind == 1 ? ~(mp_limb_t)0 : (mp_limb_t)below(1L << 32) << 32 | (mp_limb_t)below(1L << 32);
    }
}

static void muladd(mp_limb_t *z, const mp_limb_t *a, const mp_limb_t *b, const mp_limb_t *c, const mp_limb_t *d, mp_limb_t *carry, int n)
{
    *carry = fixed_muladd(z, a, b, c, d, n);
}

START_TEST(upper_halves)
{
    for (int k = 0; k < 20000; k++) {
        const int n = 1 + k % FIXED_MOST;
        mp_limb_t a[FIXED_MOST], b[FIXED_MOST], c[FIXED_MOST], d[FIXED_MOST], z[FIXED_MOST + 1], full[2 * FIXED_MOST + 1] = { 0 };
        limbs(a, n); limbs(b, n); limbs(c, n); limbs(d, n);
        const bool three = k % 2;
        FIXED_CALL(n, muladd, z, a, b, c, three ? d : NULL, &z[n])
        mpn_mul_n(full, a, b, n);
        full[2 * n] = mpn_add_n(full + n, full + n, c, n);
        if (three) full[2 * n] += mpn_add_n(full + n, full + n, d, n);
        const mp_limb_t borrow = mpn_sub_n(full + n, full + n, z, n + 1);   /* what is missing, less than n */
        ck_assert_msg(!borrow && full[n] < (mp_limb_t)n, "%d limbs: %lu missing", n, (unsigned long)full[n]);
        for (int j = 1; j <= n; j++) ck_assert(full[n + j] == 0);
    }
}
END_TEST

START_TEST(numbers_are_cut_off)
{
    arf_t x;
    fmpz_t exact, got;
    arf_init(x);
    fmpz_init(exact);
    fmpz_init(got);
    for (int k = 0; k < 5000; k++) {
        const int W = (int)between(FIXED_LEAST, FIXED_MOST);
        mp_limb_t z[FIXED_MOST + 1];
        do fraction(x, between(1, 900)); while (arf_is_zero(x));
        arf_mul_2exp_si(x, x, between(-700, 62));
        if (k % 2) arf_neg(x, x);
        fixed_from_arf(z, x, W);
        arf_abs(x, x);
        arf_mul_2exp_si(x, x, 64 * W);
        arf_get_fmpz(exact, x, ARF_RND_FLOOR);
        fmpz_set_ui_array(got, z, W + 1);
        ck_assert(fmpz_equal(got, exact));
    }
    arf_clear(x);
    fmpz_clear(exact);
    fmpz_clear(got);
}
END_TEST

/* |value - f(u)| <= error for coefficients of both signs, sums near 1/2, and u of long runs of ones or zeros. */
START_TEST(polynomials_keep_their_bound)
{
    enum { MOST = 40 };
    arb_ptr c = _arb_vec_init(MOST);
    arb_t u, sum, got;
    fmpz_t integer;
    arb_init(u); arb_init(sum); arb_init(got);
    fmpz_init(integer);
    double worst = 0;
    for (int k = 0; k < 4000; k++) {
        const int W = (int)between(FIXED_LEAST, FIXED_MOST), terms = (int)between(1, MOST);
        const long decay = between(2, 20);
        const bool alike = below(2);
        for (int i = 0; i < terms; i++) {
            fraction(arb_midref(c + i), 64 * W + 40);
            if (alike || below(2)) arb_neg(c + i, c + i);
            arb_mul_2exp_si(c + i, c + i, -2 - decay * i);
        }
        polynomial *f = polynomial_new(64, W, terms, c);
        ck_assert(f);
        mp_limb_t v[FIXED_MOST], y[FIXED_MOST];
        limbs(v, W);
        polynomial_value(y, f, v);
        fmpz_set_ui_array(integer, v, W);
        arb_set_fmpz(u, integer);
        arb_mul_2exp_si(u, u, -64 * W);
        arb_zero(sum);
        for (int i = terms; i-- > 0;) {
            arb_mul(sum, sum, u, 4000);
            arb_add(sum, sum, c + i, 4000);
        }
        fmpz_set_ui_array(integer, y, W);
        if (y[W - 1] >> 63) {
            arb_one(got);
            arb_mul_2exp_si(got, got, 64 * W);
        } else {
            arb_zero(got);
        }
        arb_neg(got, got);
        arb_add_fmpz(got, got, integer, 4000);
        arb_mul_2exp_si(sum, sum, 64 * W);
        arb_sub(got, got, sum, 4000);
        arb_abs(got, got);
        const double off = arf_get_d(arb_midref(got), ARF_RND_UP);
        ck_assert_msg(off <= (double)f->error, "%d limbs, %d terms: off by %g, not %ld", W, terms, off, f->error);
        if (off > worst) worst = off;
        free(f);
    }
    ck_assert_msg(worst > 5, "nothing is rounded");
    arb_set_d(c, 0.25);                                 /* refused: a sum of 1/2, and balls that are wider than an ulp */
    arb_set_d(c + 1, -0.25);
    ck_assert(!polynomial_new(64, 3, 2, c));
    arb_set_d(c + 1, -0.125);
    polynomial *fits = polynomial_new(64, 3, 2, c);
    ck_assert(fits);
    free(fits);
    mag_set_ui_2exp_si(arb_radref(c), 1, -3 * 64);
    ck_assert(!polynomial_new(64, 3, 2, c));
    arb_pos_inf(c);
    ck_assert(!polynomial_new(64, 3, 2, c));
    _arb_vec_clear(c, MOST);
    arb_clear(u); arb_clear(sum); arb_clear(got);
    fmpz_clear(integer);
}
END_TEST

/* ---- threads, and the switch -------------------------------------------------------------------- */

enum { SHARED = 300, THREADS = 4 };
typedef struct { arb_ptr x, exp, normal; } work;

static void *work_of_a_thread(void *data)
{
    work *w = data;
    elementary_exp(w->exp, w->x, SHARED, 200);
    elementary_normal(w->normal, w->x, SHARED, 200);
    flint_cleanup();
    return NULL;
}

/* All meet empty tables at once, and get the same. */
START_TEST(threads_share_tables)
{
    arb_ptr x = _arb_vec_init(SHARED);
    for (int k = 0; k < SHARED; k++) {
        fraction(arb_midref(x + k), 200);
        arb_mul_2exp_si(x + k, x + k, 3);
    }
    for (int round = 0; round < 5; round++) {
        pthread_t thread[THREADS];
        work w[THREADS];
        elementary_exp_clear();
        elementary_normal_clear();
        for (int t = 0; t < THREADS; t++) {
            w[t] = (work){ x, _arb_vec_init(SHARED), _arb_vec_init(SHARED) };
            ck_assert(pthread_create(&thread[t], NULL, work_of_a_thread, &w[t]) == 0);
        }
        for (int t = 0; t < THREADS; t++) pthread_join(thread[t], NULL);
        for (int t = 0; t < THREADS; t++) {
            for (int k = 0; k < SHARED; k++)
                ck_assert(arb_equal(w[0].exp + k, w[t].exp + k) && arb_equal(w[0].normal + k, w[t].normal + k));
        }
        for (int t = 0; t < THREADS; t++) {
            _arb_vec_clear(w[t].exp, SHARED);
            _arb_vec_clear(w[t].normal, SHARED);
        }
    }
    _arb_vec_clear(x, SHARED);
}
END_TEST

/* With PROVABLY_REFERENCE the results are Arb's, bit by bit; without, they are not. */
START_TEST(plain_means_arb)
{
    enum { N = 50 };
    const char *asked = getenv("PROVABLY_REFERENCE");
    const bool plain = asked && *asked && strcmp(asked, "0") != 0;
    ck_assert(plain_only() == plain);
    arb_ptr x = _arb_vec_init(N), y = _arb_vec_init(N);
    arb_t z;
    arb_init(z);
    for (int k = 0; k < N; k++) {
        fraction(arb_midref(x + k), 128);
        arb_mul_2exp_si(x + k, x + k, 2);
    }
    for (size_t i = 0; i < COUNT(functions); i++) {
        int others = 0;
        functions[i].ours(y, x, N, 128);
        for (int k = 0; k < N; k++) {
            functions[i].exact(z, x + k, 128);
            others += !arb_equal(y + k, z);
        }
        ck_assert_msg((others == 0) == plain, "%s: %d of %d are not Arb's", functions[i].name, others, N);
    }
    _arb_vec_clear(x, N);
    _arb_vec_clear(y, N);
    arb_clear(z);
}
END_TEST

START_TEST(the_variable_is_read)
{
    static const char *const values[] = { "", "PROVABLY_REFERENCE=1", "PROVABLY_REFERENCE=0", "PROVABLY_REFERENCE=", "PROVABLY_REFERENCE=yes" };
    char self[4096], output[4000];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    ck_assert(n > 0);
    self[n] = '\0';
    ck_assert_msg(run_command(output, sizeof output, "unset PROVABLY_REFERENCE; %s CK_RUN_CASE=plain $EMULATOR %s", values[_i], self) == 0, "%s", output);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("elementary");
    TCase *all = tcase_create("all"), *plain = tcase_create("plain");
    tcase_set_timeout(all, 3000);
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, plain);
    tcase_add_loop_test(all, balls_hold_the_value, 0, (int)COUNT(functions));
    tcase_add_loop_test(all, every_error_counts, 0, (int)COUNT(functions));
    tcase_add_loop_test(all, special_arguments, 0, (int)COUNT(functions));
    tcase_add_loop_test(all, every_row, 0, (int)COUNT(functions));
    tcase_add_test(all, upper_halves);
    tcase_add_test(all, numbers_are_cut_off);
    tcase_add_test(all, polynomials_keep_their_bound);
    tcase_add_test(all, threads_share_tables);
    tcase_add_loop_test(all, the_variable_is_read, 0, 5);
    tcase_add_test(plain, plain_means_arb);
    return run_suite(suite, argc, argv);
}
