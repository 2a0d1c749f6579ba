/* SPDX-License-Identifier: GPL-3.0-or-later
 * fp_words.c - see fp_words.h.  Let q_1 ... q_n be primes just below 2^13 and M their product.  The representatives of
 * the entries in (-p/2, p/2) are integers; CHUNK terms of their product at a time give X with |X| <= CHUNK (p/2)^2 <=
 * 2/5 M, and n is the least number for which that is so, at most MOST.  X is found from its residues:
 *
 *     y_i = X (M/q_i)^-1 mod q_i,   X = sum_i y_i M/q_i - t M,   t = the integer nearest to sum_i y_i/q_i,
 *     X mod p = (sum_i y_i W_i + t V) mod p,   W_i = M/q_i mod p,  V = -M mod p.
 *
 * vpmaddwd multiplies 16 pairs of words with signs and adds neighbours: one instruction, with one addition, does 16
 * terms of one residue, where an FMA of doubles does 4 terms of residues of 22 bits.  It also splits the entries, which
 * are four words, and sums up the y_i W_i word by word of the W_i.
 *
 * The words that an integer x, |x| < 2^62, is cut into have signs: x = sum_d w_d 2^(16 d), |w_d| <= 2^15.
 *
 * No overflow.  A reduction, below, of |s| <= 2^31 gives |r| <= q/2 + q/20 <= 4506, and of |s| <= 2^29 gives |r| <= q/2
 * + q/80 <= 4198.  An entry is the reduction of at most 4 2^15 2^12 = 2^29.  A sum is a reduction plus DEPTH terms: at
 * most 4506 + 96 4198^2 < 2^31.  A word of sum_i y_i W_i + t V is at most (MOST 4198 + 6) 2^15 < 2^31. */
#include "numerics/product/fp_words.h"
#include "src/base/base.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include "numerics/product/fp_blocks.h"
#define WITH_WORDS __attribute__((target("avx2")))
#define INLINE     WITH_WORDS static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif
typedef __m256i eight;                                  /* eight numbers of 32 bits, or four of 64 */

enum {
    MOST = 10, PAIRS = MOST / 2 + 1,                    /* residues; pairs of y_i, with t */
    WORDS = 4,                                          /* of an integer below 2^62 */
    ROWS = 6, VECTORS = 2, COLS = 8 * VECTORS,          /* of C at a time: their sums stay in registers */
    DEPTH = 96, CHUNK = 4 * DEPTH,                      /* terms until a sum is reduced; until X is found */
    HIGH = 192, WIDE = 256                               /* a block of C */
};
static const int primes[MOST] = { 8191, 8179, 8171, 8167, 8161, 8147, 8123, 8117, 8111, 8101 };

bool fp_words_available(mp_limb_t p) { return p >> 61 == 0 && __builtin_cpu_supports("avx2"); }

typedef struct {
    mp_limb_t p;
    int n;
    float reciprocal[MOST];                             /* 1/q */
    int64_t power[MOST];                                /* the words 2^(16 d) mod q */
    int inverse[MOST];                                  /* (M/q)^-1 mod q */
    int weight[PAIRS][WORDS];                           /* word d of W_2i and of W_2i+1; V is W_n */
} modulus;

static int64_t in_words(int64_t x)                      /* w_d as word d; four at once in words_of() */
{
    const int64_t half = 0x0000800080008000;
    return (x + half) ^ half;
}

static int64_t centred(mp_limb_t x, mp_limb_t p) { return x > p / 2 ? -(int64_t)(p - x) : (int64_t)x; }

static modulus modulus_of(nmod_t F, long terms)
{
    modulus m = { .p = F.n };
    const double half = (double)F.n / 2, least = 2.5 * half * half * (double)(terms < CHUNK ? terms : CHUNK);
    double M = 1;
    while (M < least) {
        REQUIRE(m.n < MOST, "modulo %lu", (unsigned long)F.n);
        M *= primes[m.n++];
    }
    for (int i = 0; i <= m.n; i++) {
        const mp_limb_t q = (mp_limb_t)primes[i < m.n ? i : 0];
        mp_limb_t weight = 1 % F.n, cofactor = 1, power = 1;
        for (int k = 0; k < m.n; k++) {
            if (k == i) continue;
            weight = nmod_mul(weight, (mp_limb_t)primes[k] % F.n, F);
            cofactor = cofactor * ((mp_limb_t)primes[k] % q) % q;
        }
        const int64_t w = in_words(i < m.n ? centred(weight, F.n) : -centred(weight, F.n));
        for (int d = 0; d < WORDS; d++)
            m.weight[i / 2][d] |= (int)((uint32_t)(uint16_t)(w >> (16 * d)) << (i % 2 * 16));
        if (i == m.n) break;
        m.reciprocal[i] = 1 / (float)primes[i];
        m.inverse[i] = (int)centred(n_invmod(cofactor, q), q);
        for (int d = 0; d < WORDS; d++, power = (power << 16) % q)
            m.power[i] |= (int64_t)((uint64_t)(uint16_t)centred(power, q) << (16 * d));
    }
    return m;
}

/* s - Q q for the integer Q nearest to s/q, nearly: in singles s, 1/q, their product and Q have relative errors of
 * 2^-24, so Q is the nearest to a number that differs from s/q by at most 3 2^-24 |s/q|: 3/64 for |s| <= 2^31. */
INLINE eight reduced(eight s, const modulus *F, int i)
{
    const __m256 quotient = _mm256_mul_ps(_mm256_cvtepi32_ps(s), _mm256_set1_ps(F->reciprocal[i]));
    return _mm256_sub_epi32(s, _mm256_mullo_epi32(_mm256_cvtps_epi32(quotient), _mm256_set1_epi32(primes[i])));
}

typedef struct { eight a, b; } entries;                 /* eight: 0, 1, 4, 5 and 2, 3, 6, 7, in words */

INLINE eight words_of(eight x, mp_limb_t p)
{
    const eight half = _mm256_set1_epi64x(0x0000800080008000), middle = _mm256_set1_epi64x((int64_t)(p / 2));
    x = _mm256_sub_epi64(x, _mm256_and_si256(_mm256_cmpgt_epi64(x, middle), _mm256_set1_epi64x((int64_t)p)));
    return _mm256_xor_si256(_mm256_add_epi64(x, half), half);
}

/* some: how many there are; the others are 0. */
INLINE entries entries_at(const mp_limb_t *from, long some, mp_limb_t p)
{
    mp_limb_t few[8] = { 0 };
    if (some < 8) {
        for (long k = 0; k < some; k++) few[k] = from[k];
        from = few;
    }
    const eight x = words_of(_mm256_loadu_si256((const eight *)(const void *)from), p);
    const eight y = words_of(_mm256_loadu_si256((const eight *)(const void *)(from + 4)), p);
    return (entries){ _mm256_permute2x128_si256(x, y, 0x20), _mm256_permute2x128_si256(x, y, 0x31) };
}

/* Their residues modulo q_i, in order. */
INLINE eight residues_of(entries x, const modulus *F, int i)
{
    const eight power = _mm256_set1_epi64x(F->power[i]);
    return reduced(_mm256_hadd_epi32(_mm256_madd_epi16(x.a, power), _mm256_madd_epi16(x.b, power)), F, i);
}

/* Word 0 of each number of x, and that of y as word 1. */
INLINE eight paired(eight x, eight y)
{
    return _mm256_or_si256(_mm256_and_si256(x, _mm256_set1_epi32(0xffff)), _mm256_slli_epi32(y, 16));
}

/* to[n][tiles][pairs of terms][ROWS], 0 beyond the last row and term; each: from one residue to the next. */
WITH_WORDS static void
pack_rows(int *to, long each, const nmod_mat_t A, long i, long k, long rows, long terms, const modulus *F)
{
    const long pairs = (terms + 7) / 8 * 4;
    for (long r = 0; r < (rows + ROWS - 1) / ROWS * ROWS; r++)
        for (long t = 0; t < terms; t += 8) {
            const long some = r >= rows ? 0 : terms - t < 8 ? terms - t : 8;
            const entries x = entries_at(some ? &nmod_mat_entry(A, i + r, k + t) : NULL, some, F->p);
            int *at = to + (r / ROWS * pairs + t / 2) * ROWS + r % ROWS;
            for (int q = 0; q < F->n; q++, at += each) {
                const eight y = residues_of(x, F, q), two = paired(y, _mm256_srli_epi64(y, 32));
                at[0] = _mm256_extract_epi32(two, 0), at[ROWS] = _mm256_extract_epi32(two, 2);
                at[2 * ROWS] = _mm256_extract_epi32(two, 4), at[3 * ROWS] = _mm256_extract_epi32(two, 6);
            }
        }
}

/* to[n][panels][pairs of terms][COLS] likewise. */
WITH_WORDS static void
pack_cols(eight *to, long each, const nmod_mat_t B, long k, long j, long terms, long cols, const modulus *F)
{
    const long pairs = (terms + 7) / 8 * 4;
    for (long t = 0; t < pairs; t++)
        for (long c = 0; c < (cols + COLS - 1) / COLS * COLS; c += 8) {
            const long some = c >= cols ? 0 : cols - c < 8 ? cols - c : 8;
            const long first = 2 * t < terms ? some : 0, second = 2 * t + 1 < terms ? some : 0;
            const entries x = entries_at(first ? &nmod_mat_entry(B, k + 2 * t, j + c) : NULL, first, F->p);
            const entries y = entries_at(second ? &nmod_mat_entry(B, k + 2 * t + 1, j + c) : NULL, second, F->p);
            eight *at = to + (c / COLS * pairs + t) * VECTORS + c % COLS / 8;
            for (int q = 0; q < F->n; q++, at += each) *at = paired(residues_of(x, F, q), residues_of(y, F, q));
        }
}

/* sum[ROWS][VECTORS] becomes a residue modulo q_i of itself (of 0, if first) plus the products of 2 pairs terms. */
WITH_WORDS static __attribute__((noinline)) void
tile(eight *sum, const int *a, const eight *b, long pairs, const modulus *F, int i, bool first)
{
    eight s[ROWS][VECTORS];
    UNROLL for (int r = 0; r < ROWS; r++)
        UNROLL for (int v = 0; v < VECTORS; v++) s[r][v] = first ? _mm256_setzero_si256() : sum[r * VECTORS + v];
    for (long t = 0; t < pairs; t++, a += ROWS, b += VECTORS)
        UNROLL for (int r = 0; r < ROWS; r++) {
            const eight x = _mm256_set1_epi32(a[r]);
            UNROLL for (int v = 0; v < VECTORS; v++) s[r][v] = _mm256_add_epi32(s[r][v], _mm256_madd_epi16(x, b[v]));
            __asm__ volatile("" : "+x"(s[r][0]), "+x"(s[r][1]));     /* row after row, or gcc runs out of registers */
        }
    UNROLL for (int r = 0; r < ROWS; r++)
        UNROLL for (int v = 0; v < VECTORS; v++) sum[r * VECTORS + v] = reduced(s[r][v], F, i);
}

/* sum_d word[d] 2^(16 d) mod p of four, |word| < 2^31.  It is at most (MOST 4198 + 6) p/2 < 2^15 p in size, so the
 * quotient by p is known in doubles up to 2^-30, and what is left of the multiples of p is exact modulo 2^64. */
INLINE eight four_of(const __m128i *word, mp_limb_t p)
{
    const eight magic = _mm256_castpd_si256(_mm256_set1_pd(0x1.8p52));
    eight part[2];                                      /* 2^32 part[1] + part[0], each below 2^48 */
    for (int k = 0; k < 2; k++)
        part[k] = _mm256_add_epi64(_mm256_cvtepi32_epi64(word[2 * k]),
                                   _mm256_slli_epi64(_mm256_cvtepi32_epi64(word[2 * k + 1]), 16));
    __m256d number[2];
    for (int k = 0; k < 2; k++)
        number[k] = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_add_epi64(part[k], magic)), _mm256_set1_pd(0x1.8p52));
    const __m256d whole = _mm256_add_pd(_mm256_mul_pd(number[1], _mm256_set1_pd(0x1p32)), number[0]);
    const __m256d quotient = _mm256_mul_pd(whole, _mm256_set1_pd(1 / (double)p));
    const eight q = _mm256_castpd_si256(_mm256_add_pd(quotient, _mm256_set1_pd(0x1.8p52)));     /* in the lower bits */
    const eight low = _mm256_mul_epi32(q, _mm256_set1_epi64x((int64_t)(p & 0x7fffffff)));
    const eight high = _mm256_mul_epi32(q, _mm256_set1_epi64x((int64_t)(p >> 31)));
    const eight x = _mm256_sub_epi64(_mm256_add_epi64(part[0], _mm256_slli_epi64(part[1], 32)),
                                     _mm256_add_epi64(low, _mm256_slli_epi64(high, 31)));
    const eight negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), x);
    return _mm256_add_epi64(x, _mm256_and_si256(negative, _mm256_set1_epi64x((int64_t)p)));
}

/* to[some], some <= 8, becomes X mod p, plus itself unless it is the first time; sum + i each: residues modulo q_i. */
INLINE void join(mp_limb_t *to, long some, const eight *sum, long each, const modulus *F, bool first)
{
    eight y[2 * PAIRS], word[WORDS];
    __m256 quotient = _mm256_setzero_ps();
    for (int i = 0; i < F->n; i++) {
        const eight inverse = _mm256_set1_epi32(F->inverse[i] & 0xffff);
        y[i] = reduced(_mm256_madd_epi16(sum[i * each], inverse), F, i);
        quotient = _mm256_add_ps(quotient, _mm256_mul_ps(_mm256_cvtepi32_ps(y[i]), _mm256_set1_ps(F->reciprocal[i])));
    }
    y[F->n] = _mm256_cvtps_epi32(quotient);
    y[F->n + 1] = _mm256_setzero_si256();
    for (int d = 0; d < WORDS; d++) word[d] = _mm256_setzero_si256();
    for (int i = 0; i <= F->n; i += 2) {
        const eight two = paired(y[i], y[i + 1]);
        for (int d = 0; d < WORDS; d++)
            word[d] = _mm256_add_epi32(word[d], _mm256_madd_epi16(two, _mm256_set1_epi32(F->weight[i / 2][d])));
    }
    mp_limb_t all[8];
    for (int half = 0; half < 2; half++) {
        __m128i of[WORDS];
        for (int d = 0; d < WORDS; d++)
            of[d] = half ? _mm256_extracti128_si256(word[d], 1) : _mm256_castsi256_si128(word[d]);
        _mm256_storeu_si256((eight *)(void *)(all + 4 * half), four_of(of, F->p));
    }
    for (long k = 0; k < some; k++) {
        const mp_limb_t x = first ? all[k] : all[k] + to[k];
        to[k] = x >= F->p ? x - F->p : x;
    }
}

static long up_to(long x, long step) { return (x + step - 1) / step * step; }

/* Vectors that a block needs: of A, of B, of sums. */
typedef struct { long a, b, sums; } needs;
static needs needs_of(long rows, long cols, long K, const modulus *F)
{
    const long deep = up_to(K < DEPTH ? K : DEPTH, 8), high = up_to(rows, ROWS), wide = up_to(cols, COLS);
    return (needs){ high * deep / 16 * F->n, wide * deep / 16 * F->n, high * wide / 8 * F->n };
}
static size_t room(long rows, long cols, long K, const void *with)
{
    const needs n = needs_of(rows, cols, K, with);
    return (size_t)(n.a + n.b + n.sums) * 4;
}

WITH_WORDS static void multiply_block(const fp_block *x, const void *with)
{
    const modulus *F = with;
    const long K = nmod_mat_ncols(x->A), panels = (x->cols + COLS - 1) / COLS, tiles = (x->rows + ROWS - 1) / ROWS;
    const long each = panels * tiles * ROWS * VECTORS;
    const needs n = needs_of(x->rows, x->cols, K, F);
    eight *of_a = (eight *)x->room, *of_b = of_a + n.a, *sums = of_b + n.b;
    for (long k = 0; k < K; k += DEPTH) {
        const long terms = K - k < DEPTH ? K - k : DEPTH, pairs = (terms + 7) / 8 * 4;
        const long each_a = tiles * ROWS * pairs, each_b = panels * pairs * VECTORS;
        pack_rows((int *)of_a, each_a, x->A, x->i, k, x->rows, terms, F);
        pack_cols(of_b, each_b, x->B, k, x->j, terms, x->cols, F);
        for (int q = 0; q < F->n; q++)
            for (long p = 0; p < panels; p++)
                for (long t = 0; t < tiles; t++) {
                    const int *a = (const int *)of_a + q * each_a + t * pairs * ROWS;
                    const eight *b = of_b + q * each_b + p * pairs * VECTORS;
                    tile(sums + q * each + (p * tiles + t) * ROWS * VECTORS, a, b, pairs, F, q, k % CHUNK == 0);
                }
        if ((k + DEPTH) % CHUNK != 0 && k + DEPTH < K) continue;
        for (long i = 0; i < x->rows; i++)
            for (long j = 0; j < x->cols; j += 8) {
                const long row = (j / COLS * tiles + i / ROWS) * ROWS + i % ROWS, some = x->cols - j;
                join(&nmod_mat_entry(x->C, x->i + i, x->j + j), some < 8 ? some : 8,
                     sums + row * VECTORS + j % COLS / 8, each, F, k < CHUNK);
            }
    }
}

void fp_words_product(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B)
{
    REQUIRE(fp_words_available(C->mod.n), "modulo %lu on this processor", (unsigned long)C->mod.n);
    const modulus F = modulus_of(C->mod, nmod_mat_ncols(A));
    fp_blocks_product(C, A, B, &(fp_way){ HIGH, WIDE, 2 * COLS, room, multiply_block, &F });
}
#else
bool fp_words_available(mp_limb_t p)
{
    (void)p;
    return false;
}
void fp_words_product(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B)
{
    (void)C; (void)A; (void)B;
    REQUIRE(false, "no AVX2 on this processor");
}
#endif
