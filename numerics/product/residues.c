/* SPDX-License-Identifier: GPL-3.0-or-later
 * residues.c - see residues.h. */
#include "numerics/product/residues.h"
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include "numerics/flint_compat.h"

enum { MOST_PRIMES = 120, FEW = 31 };
/* x + NEAREST - NEAREST is the integer nearest to x, |x| < 2^51. */
static const double NEAREST = 0x1.8p52;

/* ---- systems ---------------------------------------------------------------------------------------------- */

static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static residue_system *all;

static void free_system(residue_system *s)
{
    free(s->p); free(s->reciprocal); free(s->power); free(s->cofactor_inverse); free(s->cofactor_digit); free(s);
}

void residue_systems_clear(void)
{
    pthread_mutex_lock(&making);
    for (residue_system *s = all, *next; s; s = next) {
        next = s->next;
        free_system(s);
    }
    all = NULL;
    pthread_mutex_unlock(&making);
}

static double centred(ulong x, ulong p) { return x > p / 2 ? -(double)(p - x) : (double)x; }

/* Digits d = 0 .. digits-1 of x >= 0. */
static void to_digits(double *to, const fmpz_t x, long digits)
{
    fmpz_t rest;
    fmpz_init_set(rest, x);
    for (long d = 0; d < digits; d++) {
        to[d] = (double)fmpz_fdiv_ui(rest, 1ul << DIGIT_BITS);
        fmpz_fdiv_q_2exp(rest, rest, DIGIT_BITS);
    }
    REQUIRE(fmpz_is_zero(rest), "%ld digits are too few", digits);
    fmpz_clear(rest);
}

static void fill_prime(residue_system *s, long i, const fmpz_t M)
{
    const ulong p = (ulong)s->p[i];
    fmpz_t cofactor;
    fmpz_init(cofactor);
    fmpz_divexact_ui(cofactor, M, p);
    to_digits(s->cofactor_digit + i * s->digits, cofactor, s->digits);
    s->cofactor_inverse[i] = centred(n_invmod(fmpz_fdiv_ui(cofactor, p), p), p);
    s->reciprocal[i] = 1 / s->p[i];
    ulong power = 1;
    for (long d = 0; d < s->read; d++) {
        s->power[i * s->read + d] = centred(power, p);
        power = (power << DIGIT_BITS) % p;
    }
    fmpz_clear(cofactor);
}

static double *doubles(long n) { return must_calloc((size_t)n, sizeof(double)); }

/* The primes below `most` downward until M > 2^(bits + 2).  Sums stay below 2^52: in the product, terms (p/2 + 1)^2;
 * where integers are split, digits 2^24 p/2; where they are joined, P p/2 2^24 and P/2 2^24 for t.  With p < 2^24 that
 * allows FEW of each, with p < 2^22 four times as many. */
static residue_system *make_system(long bits, long terms, long read)
{
    double most = fmin(2 * sqrt(0x1p52 / (double)terms) - 16, 0x1p24 - 3);
    if (read > FEW || (double)bits / log2(most) > FEW - 2) most = fmin(most, 0x1p22);
    const bool narrow = most <= 0x1p22;
    if (read > (narrow ? MOST_PRIMES : FEW) || (double)bits + 3 > (MOST_PRIMES - 1) * log2(most)) return NULL;
    residue_system *s = must_calloc(1, sizeof *s);
    *s = (residue_system){ .read = read, .key_bits = bits, .key_terms = terms, .key_read = read };
    s->p = doubles(MOST_PRIMES);
    fmpz_t M;
    fmpz_init_set_ui(M, 1);
    for (ulong p = (ulong)most; s->primes < MOST_PRIMES && (long)fmpz_bits(M) < bits + 3 && p > 1 << 16; p--) {
        if (!n_is_prime(p)) continue;
        s->p[s->primes++] = (double)p;
        fmpz_mul_ui(M, M, p);
    }
    const bool enough = (long)fmpz_bits(M) >= bits + 3 && s->primes <= (narrow ? MOST_PRIMES - 1 : FEW);
    if (enough) {
        s->digits = ((long)fmpz_bits(M) + DIGIT_BITS - 1) / DIGIT_BITS;
        s->reciprocal = doubles(s->primes);
        s->power = doubles(s->primes * read);
        s->cofactor_inverse = doubles(s->primes);
        s->cofactor_digit = doubles((s->primes + 1) * s->digits + 3);     /* see residues_lanes.h */
        for (long i = 0; i < s->primes; i++) fill_prime(s, i, M);
        to_digits(s->cofactor_digit + s->primes * s->digits, M, s->digits);
    }
    fmpz_clear(M);
    if (enough) return s;
    free_system(s);
    return NULL;
}

/* Widths in steps, so that few systems serve all products. */
static long up_to(long x, long step) { return (x + step - 1) / step * step; }

const residue_system *residue_system_for(long bits, long terms, long read)
{
    bits = up_to(bits, 11);
    read = up_to(read, 4);
    long power = 16;
    while (power < terms) power *= 2;
    if (power > 1 << 20 || bits > 24 * MOST_PRIMES) return NULL;
    pthread_mutex_lock(&making);
    residue_system *s = all;
    while (s && !(s->key_bits == bits && s->key_terms == power && s->key_read == read)) s = s->next;
    if (!s && (s = make_system(bits, power, read))) {
        s->next = all;
        all = s;
    }
    pthread_mutex_unlock(&making);
    return s;
}

/* ---- conversions ------------------------------------------------------------------------------------------ */

/* A residue of x, |x| <= 2^52: the quotient is within 1/2 + 1/p of x/p, so the result within p/2 + 1 of 0, and every
 * number here is an integer of at most 2^53: exact, with or without fused operations. */
#define MODULO(x, p, reciprocal) ((x) - (((x) * (reciprocal) + NEAREST) - NEAREST) * (p))

#define PART 2
#define TARGET
#define split split_default
#define join  join_default
#define part_of_lanes part_of_2
#include "numerics/product/residues_lanes.h"

#if defined __x86_64__ && defined __GNUC__
#define PART 4
#define TARGET __attribute__((target("avx2,fma")))
#define split split_avx2
#define join  join_avx2
#define part_of_lanes part_of_4
#include "numerics/product/residues_lanes.h"

#define PART 8
#define TARGET __attribute__((target("avx512f")))
#define split split_avx512f
#define join  join_avx512f
#define part_of_lanes part_of_8
#include "numerics/product/residues_lanes.h"
#endif

typedef struct {
    void (*split)(const residue_system *s, const double *digit, long digits, long n, double *to, long stride);
    void (*join)(const residue_system *s, const double *from, long stride, long n, double *digit);
} conversions;

/* The widest last.  Each writes the same integers: all that is computed is exact but the quotient of join, of which
 * only the nearest integer counts. */
static const conversions ways[] = {
    { split_default, join_default },
#if defined __x86_64__ && defined __GNUC__
    { split_avx2, join_avx2 }, { split_avx512f, join_avx512f },
#endif
};

long residues_ways(void)
{
#if defined __x86_64__ && defined __GNUC__
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return 1;
    return __builtin_cpu_supports("avx512f") ? 3 : 2;
#else
    return 1;
#endif
}

static long at_most = LONG_MAX;

void residues_widest(long way) { at_most = way; }

static const conversions *best(void)
{
    const long last = residues_ways() - 1;
    return &ways[at_most < last ? at_most : last];
}

void residues_split(const residue_system *s, const double *digit, long digits, long n, double *to, long stride)
{
    best()->split(s, digit, digits, n, to, stride);
}

void residues_join(const residue_system *s, const double *from, long stride, long n, double *digit)
{
    best()->join(s, from, stride, n, digit);
}
