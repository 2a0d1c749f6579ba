/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_integers.c - exact products by residues and by limbs of 52 bits: of integers, balls, floats of MPFR and residues modulo a
 * prime, against exact sums, against each other and against the libraries' own products. */
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include "numerics/libraries.h"
#include "numerics/plain.h"
#include "numerics/product/dyadic.h"
#include "numerics/product/integers.h"
#include "numerics/product/limbs.h"
#include "numerics/product/product_arb.h"
#include "numerics/product/product_fp.h"
#include "numerics/product/product_mpfr.h"
#include "numerics/product/residues.h"
#include "numerics/random.h"
#include "tests/support/plain_switch.h"
#include "tests/support/suite.h"

static uint64_t draw(uint64_t stream, uint64_t k) { return random_below((uint64_t[]){ 16, stream }, k, (uint64_t)1 << 62); }

/* ---- integers ---------------------------------------------------------------------------------------------- */

typedef struct { long rows, cols; mpz_t *x; } integers;

static integers integers_open(long rows, long cols)
{
    integers A = { rows, cols, must_calloc((size_t)(rows * cols), sizeof *A.x) };
    for (long k = 0; k < rows * cols; k++) mpz_init(A.x[k]);
    return A;
}

static void integers_close(integers *A)
{
    for (long k = 0; k < A->rows * A->cols; k++) mpz_clear(A->x[k]);
    free(A->x);
}

static void read_integers(const void *of, long i, long j, long n, long digits, double *to, long ld)
{
    const integers *A = of;
    for (long k = 0; k < n; k++) {
        mpz_srcptr x = A->x[i * A->cols + j + k];
        integers_digits(mpz_limbs_read(x), (long)mpz_size(x), 0, mpz_sgn(x) < 0, digits, to + k, ld);
    }
}

static void read_limbs(const void *of, long i, long j, long n, long limbs, uint64_t *to, long ld, long step)
{
    const integers *A = of;
    for (long k = 0; k < n; k++) {
        mpz_srcptr x = A->x[i * A->cols + j + k];
        limbs_of(mpz_limbs_read(x), (long)mpz_size(x), 0, mpz_sgn(x) < 0, limbs, to + k * step, ld);
    }
}

static void write_integer(void *of, long i, long j, mp_limb_t *x, long limbs, bool negative)
{
    integers *C = of;
    mpz_t X;
    while (limbs && !x[limbs - 1]) limbs--;
    mpz_set(C->x[i * C->cols + j], mpz_roinit_n(X, x, negative ? -limbs : limbs));
}

enum { FULL,                             /* all 2^bits - 1: the largest sums there are                               */
       LEAST,                            /* all -(2^bits - 1)                                                        */
       MIXED, ALTERNATING, SMALL,
       RUNS,                             /* long runs of ones and of zeros                                           */
       EDGES,                            /* limbs of 52 bits that are 2^52 - 1 and 1 in turn, the highest cut off:
                                          * the largest sums of halves of products that a column can have            */
       KINDS };

static void fill(integers *A, long bits, int kind, uint64_t stream)
{
    gmp_randstate_t state;
    gmp_randinit_default(state);
    gmp_randseed_ui(state, stream);
    for (long k = 0; k < A->rows * A->cols; k++) {
        if (kind == FULL || kind == LEAST || kind == ALTERNATING) {
            mpz_set_ui(A->x[k], 1);
            mpz_mul_2exp(A->x[k], A->x[k], (mp_bitcnt_t)bits);
            mpz_sub_ui(A->x[k], A->x[k], 1);
        } else if (kind == EDGES) {
            mpz_set_ui(A->x[k], 0);
            for (long b = 0; b < bits; b++)
                if (b / 52 % 2 == (long)stream % 2 ? b % 52 == 0 : true) mpz_setbit(A->x[k], (mp_bitcnt_t)b);
        } else if (kind == RUNS) mpz_rrandomb(A->x[k], state, (mp_bitcnt_t)bits);
        else mpz_urandomb(A->x[k], state, (mp_bitcnt_t)(kind == SMALL ? draw(stream, (uint64_t)k) % (uint64_t)(bits + 1) : (uint64_t)bits));
        if (kind == LEAST || (kind == ALTERNATING ? (stream + (uint64_t)k) % 2
                              : kind != FULL && kind != EDGES && draw(stream, (uint64_t)k) & 1))
            mpz_neg(A->x[k], A->x[k]);
    }
    gmp_randclear(state);
}

static void exact_product(integers *C, const integers *A, const integers *B)
{
    for (long i = 0; i < C->rows; i++)
        for (long j = 0; j < C->cols; j++) {
            mpz_ptr c = C->x[i * C->cols + j];
            mpz_set_ui(c, 0);
            for (long k = 0; k < A->cols; k++) mpz_addmul(c, A->x[i * A->cols + k], B->x[k * B->cols + j]);
        }
}

static bool limbs_fit(long bits) { return limbs_for(bits) <= LIMBS_MOST; }

/* Both ways, where they go so far: without AVX-512 IFMA the limbs are refused. */
static void check_integers(long m, long K, long n, long bits_a, long bits_b, int kind)
{
    integers A = integers_open(m, K), B = integers_open(K, n), D = integers_open(m, n);
    fill(&A, bits_a, kind, 1);
    fill(&B, bits_b, kind, 2);
    exact_product(&D, &A, &B);
    for (int by_limbs = 0; by_limbs < 2; by_limbs++) {
        integers C = integers_open(m, n);
        const integer_result to = { &C, write_integer, NULL };
        const integer_matrix a = { m, K, bits_a, &A, read_integers }, b = { K, n, bits_b, &B, read_integers };
        const limb_matrix u = { m, K, bits_a, &A, read_limbs }, v = { K, n, bits_b, &B, read_limbs };
        const bool done = by_limbs ? limbs_product(&to, &u, &v) : integers_product(&to, &a, &b);
        const bool can = by_limbs ? limbs_available() && limbs_fit(bits_a) && limbs_fit(bits_b) : integers_primes(&a, &b) > 0;
        ck_assert_msg(done == can, "%ld and %ld bits, limbs %d: the answer was %d", bits_a, bits_b, by_limbs, done);
        for (long k = 0; done && k < m * n; k++)
            ck_assert_msg(mpz_cmp(C.x[k], D.x[k]) == 0, "%ld x %ld x %ld, %ld and %ld bits, kind %d, limbs %d: entry %ld", m, K, n,
                          bits_a, bits_b, kind, by_limbs, k);
        integers_close(&C);
    }
    integers_close(&A); integers_close(&B); integers_close(&D);
}

static const struct { long m, K, n; } shapes[] = { { 1, 1, 1 }, { 1, 300, 7 }, { 5, 16, 9 }, { 17, 33, 8 }, { 3, 17, 257 },
                                                   { 40, 64, 40 }, { 2, 1025, 3 }, { 1, 4096, 1 } };
static const long widths[][2] = { { 1, 1 }, { 8, 8 }, { 24, 24 }, { 25, 260 }, { 61, 61 }, { 276, 276 }, { 300, 24 }, { 48, 47 }, { 52, 104 },
                                  { 333, 331 }, { 512, 500 }, { 700, 700 }, { 1100, 1100 } };

START_TEST(integers_exactly)
{
    for (size_t w = 0; w < COUNT(widths); w++)
        for (int kind = 0; kind < KINDS; kind++)
            check_integers(shapes[_i].m, shapes[_i].K, shapes[_i].n, widths[w][0], widths[w][1], kind);
}
END_TEST

/* A million terms of the largest size, and a number of them that is no power of 2. */
START_TEST(long_sums)
{
    check_integers(1, 1 << 18, 2, 60, 60, FULL);
    check_integers(2, 100003, 1, 24, 24, FULL);
}
END_TEST

/* The widest and the narrowest integers that have so many limbs. */
static long widest(long limbs)   { return 52 * limbs - 3; }
static long narrowest(long limbs) { return limbs > 1 ? widest(limbs - 1) + 1 : 1; }

/* Every number of limbs by every other. */
START_TEST(every_width)
{
    for (long b = 1; b <= LIMBS_MOST + 1; b++)
        for (int kind = 0; kind < KINDS; kind++) {
            ck_assert_int_eq(limbs_for(widest(b)), b);
            ck_assert_int_eq(limbs_for(narrowest(b)), b);
            check_integers(5, 7, 11, widest(_i + 1), widest(b), kind);
            check_integers(9, 3, 8, narrowest(_i + 1), narrowest(b), kind);
        }
}
END_TEST

/* So many terms that carries must be passed on before the end, several times. */
START_TEST(carries_in_time)
{
    static const long limbs[][2] = { { 1, 1 }, { 1, 2 }, { 2, 1 }, { 3, 2 }, { 5, 5 }, { 6, 6 }, { 7, 1 }, { 8, 8 } };
    for (int kind = 0; kind < KINDS; kind++) check_integers(3, 9000, 2, widest(limbs[_i][0]), widest(limbs[_i][1]), kind);
}
END_TEST

/* Narrower vectors than this processor's write the same integers. */
START_TEST(narrower_vectors)
{
    for (long way = 0; way < residues_ways(); way++) {
        residues_widest(way);
        for (int kind = 0; kind < KINDS; kind++) {
            check_integers(17, 33, 9, 276, 276, kind);
            check_integers(5, 40, 300, 700, 24, kind);
            check_integers(3, 100, 2, 24, 24, kind);
        }
    }
    residues_widest(residues_ways() - 1);
}
END_TEST

/* Shapes that are no multiples of what is done at a time, and numbers of bits, all drawn. */
START_TEST(drawn)
{
    for (uint64_t k = 0; k < 40; k++) {
        const long m = 1 + (long)(draw(31, 5 * k) % 40), K = 1 + (long)(draw(31, 5 * k + 1) % 60), n = 1 + (long)(draw(31, 5 * k + 2) % 40);
        check_integers(m, K, n, 1 + (long)(draw(31, 5 * k + 3) % 620), 1 + (long)(draw(31, 5 * k + 4) % 620), (int)(k % KINDS));
    }
}
END_TEST

START_TEST(in_blocks)
{
    limbs_memory(8 * 5 * 1000);                          /* 1,000 numbers of 5 limbs of A, eight columns of B */
    integers_memory(8 * 20 * 3000);                      /* 3,000 numbers modulo 20 primes */
    check_integers(70, 65, 90, 200, 200, MIXED);
    integers_memory(1);                                  /* less than a row */
    limbs_memory(1);
    check_integers(3, 50, 24, 100, 100, MIXED);
    integers_memory(256e6);
    limbs_memory(256e6);
}
END_TEST

START_TEST(too_wide)
{
    integers A = integers_open(2, 2), C = integers_open(2, 2);
    const integer_matrix wide = { 2, 2, 2000, &A, read_integers };
    ck_assert(!integers_product(&(integer_result){ &C, write_integer, NULL }, &wide, &wide));
    ck_assert_int_eq(integers_primes(&wide, &wide), 0);
    const limb_matrix limbs = { 2, 2, 2000, &A, read_limbs };
    ck_assert(!limbs_product(&(integer_result){ &C, write_integer, NULL }, &limbs, &limbs));
    integers_close(&A);
    integers_close(&C);
}
END_TEST

/* The bits of a system do not depend on threads. */
extern void omp_set_num_threads(int n) __attribute__((weak));
extern int  omp_get_num_threads(void) __attribute__((weak)), omp_get_max_threads(void) __attribute__((weak));

START_TEST(any_threads)
{
    for (int threads = 1; threads <= 27; threads *= 3) {        /* more than there are buffers kept */
        if (omp_set_num_threads) omp_set_num_threads(threads);
        check_integers(83, 170, 95, 276, 276, MIXED);      /* large enough for several */
    }
    if (omp_set_num_threads) omp_set_num_threads(1);
}
END_TEST

/* Large products do use the threads there are, by both ways, and leave their number as it was: OpenBLAS's is that of all
 * OpenMP where it was built on it. */
static int team[64 * 64];
static void note_team(void *of, long i, long j, mp_limb_t *x, long limbs, bool negative)
{
    write_integer(of, i, j, x, limbs, negative);
    team[i * 64 + j] = omp_get_num_threads();
}
START_TEST(threads_are_used)
{
#ifndef _OPENMP
    return;                                              /* the products were built without it, as this file */
#endif
    integers A = integers_open(64, 64), C = integers_open(64, 64);
    const integer_result to = { &C, note_team, NULL };
    fill(&A, 260, MIXED, 1);
    omp_set_num_threads(3);
    for (int by_limbs = 0; by_limbs <= limbs_available(); by_limbs++) {
        const bool done = by_limbs ? limbs_product(&to, &(limb_matrix){ 64, 64, 260, &A, read_limbs },
                                                   &(limb_matrix){ 64, 64, 260, &A, read_limbs })
                                   : integers_product(&to, &(integer_matrix){ 64, 64, 260, &A, read_integers },
                                                      &(integer_matrix){ 64, 64, 260, &A, read_integers });
        ck_assert(done);
        for (long k = 0; k < 64 * 64; k++) ck_assert_int_eq(team[k], 3);
        ck_assert_int_eq(omp_get_max_threads(), 3);
    }
    omp_set_num_threads(1);
    integers_close(&A);
    integers_close(&C);
}
END_TEST

/* ---- balls ------------------------------------------------------------------------------------------------- */

typedef struct { long bits, lowest, highest; double radius; } spread;       /* exponents; radius: log2 beside the midpoint, 0: none */

static void random_ball(arb_t x, const spread *s, uint64_t stream, uint64_t k)
{
    fmpz_t m;
    fmpz_init(m);
    fmpz_set_ui(m, draw(stream, 4 * k) | 1);
    for (long b = 62; b < s->bits; b += 62) {
        fmpz_mul_2exp(m, m, 62);
        fmpz_add_ui(m, m, draw(stream + 77, 4 * k + (uint64_t)b) | 1);
    }
    fmpz_fdiv_q_2exp(m, m, (ulong)((long)fmpz_bits(m) > s->bits ? (long)fmpz_bits(m) - s->bits : 0));
    if (draw(stream, 4 * k + 1) & 1) fmpz_neg(m, m);
    arb_set_fmpz(x, m);
    arb_mul_2exp_si(x, x, s->lowest - (long)fmpz_bits(m) + (long)(draw(stream, 4 * k + 2) % (uint64_t)(s->highest - s->lowest + 1)));
    if (draw(stream, 4 * k + 3) % 8 == 0) arb_zero(x);
    if (s->radius < 0) {
        arf_get_mag(arb_radref(x), arb_midref(x));
        mag_mul_2exp_si(arb_radref(x), arb_radref(x), lround(s->radius));
        if (draw(stream + 5, k) % 8 == 0) mag_set_ui_2exp_si(arb_radref(x), 1, s->lowest + lround(s->radius));
        if (draw(stream + 6, k) % 8 == 0) mag_zero(arb_radref(x));
    }
    fmpz_clear(m);
}

static void random_balls(arb_mat_t A, const spread *s, uint64_t stream)
{
    for (long i = 0; i < arb_mat_nrows(A); i++)
        for (long j = 0; j < arb_mat_ncols(A); j++)
            random_ball(arb_mat_entry(A, i, j), s, stream, (uint64_t)(i * arb_mat_ncols(A) + j));
}

/* The end of a ball: midpoint + side radius, exactly. */
static void end_of(arf_t x, arb_srcptr of, int side)
{
    arf_set_mag(x, arb_radref(of));
    if (side < 0) arf_neg(x, x);
    if (side == 0) arf_zero(x);
    arf_add(x, x, arb_midref(of), ARF_PREC_EXACT, ARF_RND_DOWN);
}

/* C contains the product of these ends, exactly computed: all midpoints, all upper ends, and the ends that lead
 * farthest from the product of the midpoints. */
static void check_contains(const arb_mat_t C, const arb_mat_t A, const arb_mat_t B, const char *what)
{
    arf_t a, b, sum;
    arf_init(a);
    arf_init(b);
    arf_init(sum);
    for (long i = 0; i < arb_mat_nrows(C); i++)
        for (long j = 0; j < arb_mat_ncols(C); j++)
            for (int way = 0; way < 4; way++) {
                arf_zero(sum);
                for (long k = 0; k < arb_mat_ncols(A); k++) {
                    arb_srcptr x = arb_mat_entry(A, i, k), y = arb_mat_entry(B, k, j);
                    const int sx = arf_sgn(arb_midref(x)) < 0 ? -1 : 1, sy = arf_sgn(arb_midref(y)) < 0 ? -1 : 1;
                    end_of(a, x, way == 0 ? 0 : way == 1 ? 1 : way == 2 ? sx : -sx * sy);
                    end_of(b, y, way == 0 ? 0 : way == 1 ? 1 : way == 2 ? sy : sx == 0 ? 1 : sy);
                    arf_mul(a, a, b, ARF_PREC_EXACT, ARF_RND_DOWN);
                    arf_add(sum, sum, a, ARF_PREC_EXACT, ARF_RND_DOWN);
                }
                ck_assert_msg(arb_contains_arf(arb_mat_entry(C, i, j), sum), "%s: entry (%ld, %ld) misses a product, way %d", what, i, j, way);
            }
    arf_clear(a);
    arf_clear(b);
    arf_clear(sum);
}

/* The ways of a product of balls that this machine has. */
static const dyadic_way ways[] = { DYADIC_CHEAPEST, DYADIC_RESIDUES, DYADIC_LIMBS };
static size_t ways_here(void)    { return limbs_available() ? 3 : 2; }
static long   exact_products(void) { return integers_products() + limbs_products(); }

typedef struct { const char *name; long m, K, n; spread a, b; long prec; bool fast; } ball_case;
static const ball_case ball_cases[] = {
    { "exact, 8 bits by 256",      40, 40, 40, { 8, 0, 3, 0 },        { 256, -5, 5, 0 },      256, true  },
    { "weights of 24 bits",        40, 60, 41, { 256, -8, 8, -250 },  { 24, -9, 0, 0 },       256, true  },
    { "one row by weights",         1, 97, 500, { 256, -8, 8, -250 }, { 24, -9, 0, 0 },       256, true  },
    { "exact, 256 bits",           32, 48, 33, { 256, -8, 8, 0 },     { 256, -8, 8, 0 },      256, true  },
    { "radii as after a product",  40, 40, 40, { 256, -8, 8, -250 },  { 256, -8, 8, -250 },   256, true  },
    { "wide radii",                40, 40, 40, { 128, -8, 8, -3 },    { 128, -8, 8, -1 },     128, true  },
    { "radii of A alone",          40, 40, 40, { 128, -8, 8, -90 },   { 128, -8, 8, 0 },      128, true  },
    { "radii of B alone",          40, 40, 40, { 128, -8, 8, 0 },     { 128, -8, 8, -90 },    128, true  },
    { "radii far below",           40, 40, 40, { 128, -8, 8, -1900 }, { 128, -8, 8, -1500 },  128, true  },
    { "far exponents",             40, 40, 40, { 64, 900, 960, -60 }, { 64, -1990, -1900, -60 }, 64, true },
    { "narrow spread, 512 bits",   33, 70, 34, { 512, -9, 9, -500 },  { 512, -9, 9, -500 },   512, true  },
    { "a spread of 4000 bits",     30, 30, 30, { 64, -2000, 2000, -50 }, { 64, -2000, 2000, -50 }, 64, false },
    { "small",                      5,  5,  5, { 64, -8, 8, -50 },    { 64, -8, 8, -50 },     64, false },
};

START_TEST(balls_enclose)
{
    const ball_case *c = &ball_cases[_i];
    arb_mat_t A, B, C, D;
    arb_mat_init(A, c->m, c->K);
    arb_mat_init(B, c->K, c->n);
    arb_mat_init(C, c->m, c->n);
    arb_mat_init(D, c->m, c->n);
    random_balls(A, &c->a, 1);
    random_balls(B, &c->b, 2);
    for (size_t w = 0; w < ways_here(); w++) {
        const long before = exact_products(), by_limbs = limbs_products();
        dyadic_force(ways[w]);
        product_arb(w ? D : C, A, B, c->prec);
        dyadic_force(DYADIC_CHEAPEST);
        ck_assert_msg((exact_products() > before) == c->fast, "%s: the %s way was taken", c->name, c->fast ? "plain" : "fast");
        if (w && c->fast) ck_assert_int_eq(limbs_products() > by_limbs, ways[w] == DYADIC_LIMBS);
        for (long k = 0; w && k < c->m * c->n; k++)
            ck_assert_msg(arb_equal(arb_mat_entry(C, k / c->n, k % c->n), arb_mat_entry(D, k / c->n, k % c->n)),
                          "%s: way %zu differs at (%ld, %ld)", c->name, w, k / c->n, k % c->n);
    }
    check_contains(C, A, B, c->name);
    arb_mat_mul(D, A, B, c->prec);
    for (long i = 0; i < c->m; i++)
        for (long j = 0; j < c->n; j++) {
            const double ours = mag_get_d_log2_approx(arb_radref(arb_mat_entry(C, i, j))),
                         theirs = mag_get_d_log2_approx(arb_radref(arb_mat_entry(D, i, j)));
            ck_assert_msg(mag_is_zero(arb_radref(arb_mat_entry(C, i, j))) || ours <= theirs + 0.6, "%s: a radius of 2^%g where Arb has 2^%g",
                          c->name, ours, theirs);
        }
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(C); arb_mat_clear(D);
}
END_TEST

/* The same bits, radii included, by any number of threads: large enough for several, and one row, which goes by columns. */
START_TEST(balls_any_threads)
{
    const spread s = { 256, -8, 8, -250 }, weights = { 24, -9, 0, 0 };
    const long m = _i ? 1 : 100, K = 110, n = _i ? 700 : 90;
    arb_mat_t A, B, C, D;
    arb_mat_init(A, m, K);
    arb_mat_init(B, K, n);
    arb_mat_init(C, m, n);
    arb_mat_init(D, m, n);
    random_balls(A, &s, 51);
    random_balls(B, _i ? &weights : &s, 52);
    for (size_t w = 0; w < ways_here(); w++)
        for (int threads = 1; threads <= 4; threads *= 2) {
            if (omp_set_num_threads) omp_set_num_threads(threads);
            dyadic_force(ways[w]);
            product_arb(w || threads > 1 ? D : C, A, B, 256);
            for (long k = 0; (w || threads > 1) && k < m * n; k++)
                ck_assert_msg(arb_equal(arb_mat_entry(C, k / n, k % n), arb_mat_entry(D, k / n, k % n)),
                              "%d threads, way %zu: entry (%ld, %ld)", threads, w, k / n, k % n);
        }
    dyadic_force(DYADIC_CHEAPEST);
    if (omp_set_num_threads) omp_set_num_threads(1);
    check_contains(C, A, B, "by several threads");
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(C); arb_mat_clear(D);
}
END_TEST

/* Rows and columns from 2^-2000 to 2^2000, each with a spread of its own, up to what 12 limbs hold. */
START_TEST(lines_far_apart)
{
    const long m = 30, K = 33, n = 35;
    arb_mat_t A, B, C, D;
    arb_mat_init(A, m, K);
    arb_mat_init(B, K, n);
    arb_mat_init(C, m, n);
    arb_mat_init(D, m, n);
    for (long k = 0; k < (m + n) * K; k++) {
        const bool row = k < m * K;
        const long line = row ? k / K : (k - m * K) % n, power = (long)(draw(row ? 41 : 42, (uint64_t)line) % 4001) - 2000;
        const spread s = { 64 + (row ? 0 : 192), power, power + line * 9, -60 };
        random_ball(row ? arb_mat_entry(A, line, k % K) : arb_mat_entry(B, (k - m * K) / n, line), &s, 43, (uint64_t)k);
    }
    const long before = exact_products();
    for (size_t w = 1; w < ways_here(); w++) {
        dyadic_force(ways[w]);
        product_arb(w == 1 ? C : D, A, B, 128);
    }
    dyadic_force(DYADIC_CHEAPEST);
    ck_assert_int_eq(exact_products() - before, (long)ways_here() - 1);
    check_contains(C, A, B, "lines far apart");
    for (long k = 0; limbs_available() && k < m * n; k++)
        ck_assert(arb_equal(arb_mat_entry(C, k / n, k % n), arb_mat_entry(D, k / n, k % n)));
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(C); arb_mat_clear(D);
}
END_TEST

/* Integers times a power of 2 give the same bits as balls of them: by one call, by columns, by Arb; columns of a wider
 * matrix; the largest and the smallest there are; of some 30 bits, which fit in one limb, a row and a column of zeros. */
START_TEST(integers_as_balls)
{
    static const struct { long m, K, n, pitch; } of[] = { { 40, 50, 60, 60 }, { 1, 110, 700, 700 }, { 30, 40, 50, 77 }, { 3, 4, 5, 9 } };
    const long k4 = _i % 4, m = of[k4].m, K = of[k4].K, n = of[k4].n, pitch = of[k4].pitch, e = -35;
    int64_t *x = must_calloc((size_t)(K * pitch), sizeof *x);
    for (long k = 0; k < K * pitch; k++)
        if (_i >= 4) x[k] = k / pitch == 1 || k % pitch == 2 ? 0 : ((int64_t)((uint64_t)(k + 1) * 0x9e3779b97f4a7c15u) >> (32 + k % pitch % 9)) * 8;
        else x[k] = k % 7 ? (int64_t)((uint64_t)(k + 1) * 0x9e3779b97f4a7c15u) >> (k % 5 ? 27 : 1 + k % 60) : k % 2 ? INT64_MIN : k % 3 ? INT64_MAX : 0;
    arb_mat_t A, B, C, D, T, U, Bt;
    arb_mat_init(A, m, K);
    arb_mat_init(B, K, n);
    arb_mat_init(C, m, n);
    arb_mat_init(D, m, n);
    random_balls(A, &(spread){ 256, -8, 8, -250 }, 53);
    for (long i = 0; i < K; i++)
        for (long j = 0; j < n; j++) {
            arb_set_si(arb_mat_entry(B, i, j), x[i * pitch + j]);
            arb_mul_2exp_si(arb_mat_entry(B, i, j), arb_mat_entry(B, i, j), e);
        }
    const ball_factor a = product_arb_balls(A), b = { .rows = K, .cols = n, .whole = x, .exponent = e, .pitch = pitch };
    for (size_t w = 0; w < ways_here(); w++) {
        dyadic_force(ways[w]);
        product_arb(C, A, B, 256);
        product_arb_of(D, &a, &b, 256);
        ck_assert_msg(arb_mat_equal(C, D), "way %zu", w);
        check_contains(D, A, B, "integers");
    }
    arb_mat_init(Bt, n, K);
    arb_mat_init(T, K, K);
    arb_mat_init(U, K, K);
    const ball_factor left = { .rows = K, .cols = n, .whole = x, .exponent = e, .pitch = pitch };
    arb_mat_transpose(Bt, B);
    const ball_factor right = product_arb_balls(Bt);
    const ball_factor balls = product_arb_balls(B);
    for (size_t w = 0; w < ways_here(); w++) {
        dyadic_force(ways[w]);
        product_arb_of(U, &balls, &right, 128);
        product_arb_of(T, &left, &right, 128);                        /* as the left one */
        ck_assert_msg(arb_mat_equal(T, U), "on the left, way %zu", w);
        check_contains(T, B, Bt, "integers on the left");
    }
    dyadic_force(DYADIC_CHEAPEST);
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(C); arb_mat_clear(D); arb_mat_clear(T);
    arb_mat_clear(U); arb_mat_clear(Bt);
    free(x);
}
END_TEST

/* One of the integers in `of`, as get says it. */
static bool get_one_by_one(dyadic *x, const void *of, long i, long j, long n)
{
    const int64_t *m = (const int64_t *)of + 6 * i + j;
    for (long k = 0; k < n; k++) {
        const uint64_t size = m[k] < 0 ? -(uint64_t)m[k] : (uint64_t)m[k];
        x[k] = (dyadic){ .own = size ? size << __builtin_clzl(size) : 0, .n = size != 0, .negative = m[k] < 0,
                         .exponent = size ? 64 - __builtin_clzl(size) - 7 : 0 };
        x[k].m = &x[k].own;
    }
    return true;
}

/* Lines are as wide as number by number, to the bit. */
START_TEST(widths_of_integers)
{
    static const int64_t m[5 * 6] = { 12, -5, 0, INT64_MIN, 1, 3,   0, 0, 0, 0, 0, 0,   -64, 7, 0, INT64_MAX, 2, 8,
                                      1, 1, 0, 1, 1, 1,   48, -96, 0, 192, -384, 1l << 40 };
    const dyadic_matrix each = { .rows = 5, .cols = 6, .of = m, .get = get_one_by_one },
                        whole = { .rows = 5, .cols = 6, .of = m, .get = get_one_by_one, .whole = m, .exponent = -7, .pitch = 6 };
    dyadic_lines a, b;
    ck_assert(dyadic_lines_open(&a, &each, _i) && dyadic_lines_open(&b, &whole, _i));
    for (long k = 0; k < (_i ? 6 : 5); k++)
        ck_assert_msg(a.unit[k] == b.unit[k] && a.top[k] == b.top[k] && a.radius_top[k] == b.radius_top[k], "line %ld", k);
    ck_assert(a.bits == b.bits && a.exact && b.exact);
    dyadic_lines_close(&a);
    dyadic_lines_close(&b);
}
END_TEST

/* Midpoints 0 everywhere: the radii alone make the product. */
START_TEST(balls_about_zero)
{
    arb_mat_t A, B, C;
    arb_mat_init(A, 24, 24);
    arb_mat_init(B, 24, 24);
    arb_mat_init(C, 24, 24);
    for (long i = 0; i < 24; i++)
        for (long j = 0; j < 24; j++) {
            mag_set_ui_2exp_si(arb_radref(arb_mat_entry(A, i, j)), 3, -40 - i);
            mag_set_ui_2exp_si(arb_radref(arb_mat_entry(B, i, j)), 5, 600 + j);
        }
    const long before = exact_products();
    product_arb(C, A, B, 256);
    ck_assert_int_gt(exact_products(), before);
    check_contains(C, A, B, "about 0");
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(C);
}
END_TEST

/* Radii so far below others of their row that a double cannot hold them beside these, but which alone make an entry. */
START_TEST(radii_far_apart)
{
    static const long sizes[][2] = { { -1500, 0 }, { -900, -900 }, { -975, 0 } };
    const long n = 40, small = sizes[_i][0], factor = sizes[_i][1];
    arb_mat_t A, B, C;
    arb_mat_init(A, n, n);
    arb_mat_init(B, n, n);
    arb_mat_init(C, n, n);
    for (long i = 0; i < n; i++) {
        mag_set_ui_2exp_si(arb_radref(arb_mat_entry(A, i, 0)), 1, 0);
        mag_set_ui_2exp_si(arb_radref(arb_mat_entry(A, i, 1)), 1, small);
        arb_set_ui(arb_mat_entry(B, 1, i), 1);
        arb_mul_2exp_si(arb_mat_entry(B, 1, i), arb_mat_entry(B, 1, i), factor);
        arb_set_ui(arb_mat_entry(B, 2, i), 1);
    }
    const long before = exact_products();
    product_arb(C, A, B, 256);
    ck_assert_int_gt(exact_products(), before);
    check_contains(C, A, B, "far apart");
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(C);
}
END_TEST

/* What is not finite goes Arb's way, and comes out as there. */
START_TEST(not_finite)
{
    arb_mat_t A, B, C, D;
    arb_mat_init(D, 20, 20);
    arb_mat_init(A, 20, 20);
    arb_mat_init(B, 20, 20);
    arb_mat_init(C, 20, 20);
    const spread s = { 64, -3, 3, -50 };
    random_balls(A, &s, 1);
    random_balls(B, &s, 2);
    arb_set_ui(arb_mat_entry(A, 3, 4), 3);
    arb_set_ui(arb_mat_entry(B, 4, 5), 3);
    if (_i == 0) arf_nan(arb_midref(arb_mat_entry(A, 3, 4)));
    if (_i == 1) arf_pos_inf(arb_midref(arb_mat_entry(B, 4, 5)));
    if (_i == 2) mag_inf(arb_radref(arb_mat_entry(A, 3, 4)));
    if (_i == 3) arb_mul_2exp_si(arb_mat_entry(A, 3, 4), arb_mat_entry(A, 3, 4), COEFF_MAX);
    const long before = exact_products();
    product_arb(C, A, B, 64);
    ck_assert_int_eq(exact_products(), before);
    arb_mat_mul(D, A, B, 64);
    for (long k = 0; k < 400; k++)
        ck_assert_int_eq(arb_is_finite(arb_mat_entry(C, k / 20, k % 20)), arb_is_finite(arb_mat_entry(D, k / 20, k % 20)));
    ck_assert_int_eq(arb_is_finite(arb_mat_entry(C, 3, 5)), _i == 3);
    arb_mat_clear(D);
    arb_mat_clear(A); arb_mat_clear(B); arb_mat_clear(C);
}
END_TEST

/* ---- floats of MPFR ---------------------------------------------------------------------------------------- */

static mpfr_ptr floats_open(long n, long bits)
{
    mpfr_ptr x = must_calloc((size_t)n, sizeof *x);
    for (long k = 0; k < n; k++) mpfr_init2(x + k, bits);
    return x;
}

static void floats_close(mpfr_ptr x, long n)
{
    for (long k = 0; k < n; k++) mpfr_clear(x + k);
    free(x);
}

static const long precisions[] = { 24, 53, 64, 65, 128, 256, 500 };

/* Every entry is the exact sum, rounded once. */
START_TEST(floats_exactly)
{
    const long bits = precisions[_i / 2], m = 17, K = 40, n = 19;
    mpfr_ptr A = floats_open(m * K, bits), B = floats_open(K * n, bits), C = floats_open(m * n, bits);
    gmp_randstate_t state;
    gmp_randinit_default(state);
    for (long k = 0; k < m * K; k++) { mpfr_urandomb(A + k, state); mpfr_sub_d(A + k, A + k, 0.5, MPFR_RNDN); mpfr_mul_2si(A + k, A + k, k % K - 90, MPFR_RNDN); }
    for (long k = 0; k < K * n; k++) { mpfr_urandomb(B + k, state); mpfr_sub_d(B + k, B + k, 0.5, MPFR_RNDN); if (k % 7 == 0) mpfr_set_zero(B + k, 1); }
    gmp_randclear(state);
    const bool by_limbs = _i % 2 && limbs_available();
    const long before = by_limbs ? limbs_products() : integers_products();
    dyadic_force(by_limbs ? DYADIC_LIMBS : DYADIC_RESIDUES);
    ck_assert(product_mpfr(C, A, B, m, K, n, bits));
    dyadic_force(DYADIC_CHEAPEST);
    ck_assert_int_eq(by_limbs ? limbs_products() : integers_products(), before + 1);
    mpq_t sum, a, b;
    mpfr_t wanted;
    mpq_init(sum); mpq_init(a); mpq_init(b);
    mpfr_init2(wanted, bits);
    for (long i = 0; i < m; i++)
        for (long j = 0; j < n; j++) {
            mpq_set_ui(sum, 0, 1);
            for (long k = 0; k < K; k++) {
                mpfr_get_q(a, A + i * K + k);
                mpfr_get_q(b, B + k * n + j);
                mpq_mul(a, a, b);
                mpq_add(sum, sum, a);
            }
            mpfr_set_q(wanted, sum, MPFR_RNDN);
            ck_assert_msg(mpfr_equal_p(wanted, C + i * n + j), "%ld bits: entry (%ld, %ld)", bits, i, j);
        }
    mpq_clear(sum); mpq_clear(a); mpq_clear(b);
    mpfr_clear(wanted);
    mpfr_set_nan(A + 5);
    ck_assert_msg(!product_mpfr(C, A, B, m, K, n, bits), "NaN was multiplied as a number");
    mpfr_set_inf(A + 5, -1);
    ck_assert_msg(!product_mpfr(C, A, B, m, K, n, bits), "infinity was multiplied as a number");
    mpfr_set_ui_2exp(A + 5, 1, 100000, MPFR_RNDN);
    ck_assert_msg(!product_mpfr(C, A, B, m, K, n, bits), "a row of 100,000 bits was made whole");
    floats_close(A, m * K); floats_close(B, K * n); floats_close(C, m * n);
}
END_TEST

/* ---- residues modulo a prime ------------------------------------------------------------------------------- */

static const ulong moduli[] = { 3, 65537, 2147483647, 1099511627791, ((ulong)1 << 61) - 1, 4611686018427387847 };
static const struct { long m, K, n; bool large; } fp_shapes[] = { { 100, 100, 100, true }, { 90, 131, 123, true }, { 1, 100, 100, false },
                                                                  { 64, 300, 89, true } };

START_TEST(modulo_a_prime)
{
    const ulong p = moduli[_i];
    ck_assert(n_is_prime(p));
    for (size_t s = 0; s < COUNT(fp_shapes); s++) {
        const long m = fp_shapes[s].m, K = fp_shapes[s].K, n = fp_shapes[s].n;
        nmod_mat_t A, B, C, D;
        nmod_mat_init(A, m, K, p);
        nmod_mat_init(B, K, n, p);
        nmod_mat_init(C, m, n, p);
        nmod_mat_init(D, m, n, p);
        for (long k = 0; k < m * K; k++) nmod_mat_entry(A, k / K, k % K) = k % 3 ? p / 2 + (ulong)(k % 2) : draw(3, (uint64_t)k) % p;
        for (long k = 0; k < K * n; k++) nmod_mat_entry(B, k / n, k % n) = k % 5 ? p - 1 - p / 2 : draw(4, (uint64_t)k) % p;
        ck_assert_int_eq(product_fp_by_residues(C, A, B), fp_shapes[s].large && p > (ulong)1 << 32);
        if (!fp_shapes[s].large || p <= (ulong)1 << 32) product_fp(C, A, B);
        nmod_mat_mul(D, A, B);
        ck_assert_msg(nmod_mat_equal(C, D), "%ld x %ld x %ld modulo %lu", m, K, n, p);
        nmod_mat_clear(A); nmod_mat_clear(B); nmod_mat_clear(C); nmod_mat_clear(D);
    }
}
END_TEST

/* ---- the switch -------------------------------------------------------------------------------------------- */

static void use_all_products(void *of)
{
    const bool off = *(const bool *)of;
    const spread s = { 256, -3, 3, 0 };
    arb_mat_t A, C;
    nmod_mat_t F, G;
    arb_mat_init(A, 40, 40);
    arb_mat_init(C, 40, 40);
    nmod_mat_init(F, 100, 100, ((ulong)1 << 61) - 1);
    nmod_mat_init(G, 100, 100, ((ulong)1 << 61) - 1);
    mpfr_ptr x = floats_open(1600, 256), y = floats_open(1600, 256);
    for (long k = 0; k < 1600; k++) mpfr_set_ui(x + k, 1, MPFR_RNDN);
    random_balls(A, &s, 1);
    long done = exact_products();
    product_arb(C, A, A, 256);
    int wrong = plain_only() != off || exact_products() - done != !off;
    done = integers_products() + product_fp_by_lanes() + product_fp_by_words();
    product_fp(G, F, F);
    wrong |= integers_products() + product_fp_by_lanes() + product_fp_by_words() - done != !off || product_mpfr(y, x, x, 40, 40, 40, 256) == off;
    floats_close(x, 1600);
    floats_close(y, 1600);
    arb_mat_clear(A); arb_mat_clear(C); nmod_mat_clear(F); nmod_mat_clear(G);
    exit(wrong);
}

START_TEST(switched_off) { check_plain_switch(_i, use_all_products); }
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("integers");
    TCase *all = tcase_create("all");
    suite_add_tcase(suite, all);
    tcase_add_loop_test(all, switched_off, 0, PLAIN_VALUES);          /* before this process asks */
    tcase_add_loop_test(all, integers_exactly, 0, COUNT(shapes));
    tcase_add_test(all, long_sums);
    tcase_add_loop_test(all, every_width, 0, LIMBS_MOST + 1);
    tcase_add_loop_test(all, carries_in_time, 0, 8);
    tcase_add_test(all, drawn);
    tcase_add_test(all, narrower_vectors);
    tcase_add_test(all, in_blocks);
    tcase_add_test(all, too_wide);
    tcase_add_test(all, any_threads);
    tcase_add_test(all, threads_are_used);
    tcase_add_loop_test(all, balls_enclose, 0, COUNT(ball_cases));
    tcase_add_loop_test(all, balls_any_threads, 0, 2);
    tcase_add_loop_test(all, integers_as_balls, 0, 8);
    tcase_add_loop_test(all, widths_of_integers, 0, 2);
    tcase_add_test(all, lines_far_apart);
    tcase_add_test(all, balls_about_zero);
    tcase_add_loop_test(all, radii_far_apart, 0, 3);
    tcase_add_loop_test(all, not_finite, 0, 4);
    tcase_add_loop_test(all, floats_exactly, 0, 2 * COUNT(precisions));
    tcase_add_loop_test(all, modulo_a_prime, 0, COUNT(moduli));
    return run_suite(suite, argc, argv);
}
