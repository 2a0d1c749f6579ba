/* SPDX-License-Identifier: GPL-3.0-or-later
 * fp_lanes.c - see fp_lanes.h.  Products of entries are summed up as integers, in 64-bit lanes whose carries wait, and
 * a sum is reduced once.  How many instructions a product of two entries a and b takes depends on the bits of p:
 *
 *   at most 26: 1.  a b < 2^52 is the lower half of the product of two limbs.
 *   at most 52: 2.  a b = lo + 2^52 hi.
 *   at most 61: 4.  The representatives in (-p/2, p/2) are cut in a = a0 + 2^52 a1, 0 <= a0 < 2^52, |a1| <= 2^8, and
 *               likewise b; a itself and b0 also in four digits of 15 bits, a = sum_i e_i 2^(15 i), b0 = sum_i f_i
 *               2^(15 i), 0 <= e_i, f_i < 2^15 but |e_3| <= 2^15, which has the sign.  Then
 *                   a b = a0 b0 + 2^52 sum_{i<4} 2^(15 i) (e_i b1 + a1 f_i).
 *               a0 b0 is two instructions, which look at the lower 52 bits of a and b by themselves; and vpdpwssd adds
 *               two products of 16-bit numbers with signs to each 32-bit half of a lane: two i at a time.
 *
 * No overflow: lo and hi take less than 2^52 a term, so MOST_TERMS = 2^10 of them are below 2^62.  What vpdpwssd adds
 * is at most 2^15 2^8 + 2^8 2^15 = 2^24 in size, so DEPTH = 64 terms are at most 2^30; then c_i + 2^15 c_(i+1) is added
 * to a sum of 64 bits, which stays below MOST_TERMS (2^24 + 2^39) < 2^50.  After MOST_TERMS a sum is reduced and added
 * to the entry of C. */
#include "numerics/product/fp_lanes.h"
#include "src/base/base.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include "numerics/product/fp_blocks.h"
#define WITH_LANES __attribute__((target("avx512f,avx512dq,avx512ifma,avx512vnni")))
#define INLINE     WITH_LANES static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 4")
#endif
typedef __m512i eight;

enum {
    ROWS = 3, VECTORS = 2, COLS = 8 * VECTORS,          /* of C at a time: their sums stay in registers */
    DEPTH = 64,                                         /* terms at a time: COLS columns of B stay in the first cache */
    HIGH = 96, WIDE = 128,                              /* a block of C: what it needs of A and B stays in the second */
    MOST_TERMS = 1024,                                  /* in one sum */
    PARTS = 3, SUMS = 4                                 /* at most: numbers made of an entry, sums of an entry of C */
};

bool fp_lanes_available(mp_limb_t p)
{
    return p >> 61 == 0 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vnni");
}

/* The kinds: how many instructions a product of two entries takes. */
typedef enum { ONE = 1, TWO = 2, FOUR = 4 } kind;
static kind kind_for(long bits)               { return bits <= 26 ? ONE : bits <= 52 ? TWO : FOUR; }
static inline int parts_of(const kind k)      { return k == FOUR ? PARTS : 1; }
static inline int sums_of(const kind k)       { return k == FOUR ? SUMS : (int)k; }

typedef struct {
    eight p;
    __m512d inverse;
} modulus;

/* parts[PARTS] of the entries x: the number itself, and four words of 16 bits for i = 0, 1 and for i = 2, 3: of A
 * (first) e_i, a1, e_(i+1), a1, of B b1, f_i, b1, f_(i+1). */
INLINE void cut(eight *parts, eight x, const modulus *F, const bool first)
{
    const eight word = _mm512_set1_epi64(0xffff), digit = _mm512_set1_epi64(0x7fff);
    x = _mm512_mask_sub_epi64(x, _mm512_cmpgt_epu64_mask(x, _mm512_srli_epi64(F->p, 1)), x, F->p);
    const eight top = _mm512_and_si512(_mm512_srai_epi64(x, 52), word);
    const eight tops = _mm512_or_si512(top, _mm512_slli_epi64(top, 32));
    const eight low = _mm512_and_si512(x, _mm512_set1_epi64((1ll << 52) - 1));
    const eight d0 = _mm512_and_si512(x, digit), d1 = _mm512_and_si512(_mm512_srli_epi64(x, 15), digit);
    const eight d2 = _mm512_and_si512(_mm512_srli_epi64(x, 30), digit);
    const eight d3 = first ? _mm512_and_si512(_mm512_srai_epi64(x, 45), word) : _mm512_srli_epi64(low, 45);
    const eight pair[2] = { _mm512_or_si512(d0, _mm512_slli_epi64(d1, 32)),
                            _mm512_or_si512(d2, _mm512_slli_epi64(d3, 32)) };
    parts[0] = x;
    for (int i = 0; i < 2; i++)
        parts[1 + i] = first ? _mm512_or_si512(pair[i], _mm512_slli_epi64(tops, 16))
                             : _mm512_or_si512(tops, _mm512_slli_epi64(pair[i], 16));
}

static inline __mmask8 first_of(long n) { return (__mmask8)(n >= 8 ? 0xff : n > 0 ? (1u << n) - 1 : 0); }

/* to[tiles][groups][ROWS][parts][8]: row by row eight terms, 0 beyond the last. */
INLINE void
pack_rows(eight *to, const nmod_mat_t A, long i, long k, long rows, long terms, const modulus *F, const kind how)
{
    const int parts = parts_of(how);
    const long groups = (terms + 7) / 8;
    for (long r = 0; r < rows; r++) {
        const mp_limb_t *from = &nmod_mat_entry(A, i + r, k);
        eight *at = to + (r / ROWS * groups * ROWS + r % ROWS) * parts;
        for (long t = 0; t < terms; t += 8, at += ROWS * parts) {
            const eight x = _mm512_maskz_loadu_epi64(first_of(terms - t), from + t);
            if (how == FOUR) cut(at, x, F, true);
            else             *at = x;
        }
    }
}

/* to[panels][terms up to a multiple of 8][VECTORS][parts][8], 0 beyond the last term and column. */
INLINE void
pack_cols(eight *to, const nmod_mat_t B, long k, long j, long terms, long cols, const modulus *F, const kind how)
{
    const int parts = parts_of(how);
    const long all = (terms + 7) / 8 * 8;
    for (long t = 0; t < all; t++) {
        const mp_limb_t *from = &nmod_mat_entry(B, k + (t < terms ? t : 0), j);
        eight *at = to + t * VECTORS * parts;
        for (long c = 0; c < cols; c += COLS, at += all * VECTORS * parts)
            for (int v = 0; v < VECTORS; v++) {
                const eight x = _mm512_maskz_loadu_epi64(t < terms ? first_of(cols - c - 8 * v) : 0, from + c + 8 * v);
                if (how == FOUR) cut(at + v * parts, x, F, false);
                else             at[v] = x;
            }
    }
}

typedef eight registers[ROWS][VECTORS][SUMS];

/* y: kept in a register; gcc would read it again for each row, and loads are as scarce as products. */
INLINE eight column(const eight *y)
{
    eight kept = *y;
#ifndef __clang__
    __asm__("" : "+v"(kept));
#endif
    return kept;
}

/* lo and hi of one term: a number of each row times one of each column. */
INLINE void
multiply_whole(registers s, const long long *x, const eight *y, const kind how, const int rows, const int vectors)
{
    const int parts = parts_of(how);
    const eight y0 = column(y), y1 = vectors == 2 ? column(y + parts) : y0;
    UNROLL for (int r = 0; r < rows; r++) {
        const eight a = _mm512_set1_epi64(x[8 * r * parts]);
        s[r][0][0] = _mm512_madd52lo_epu64(s[r][0][0], a, y0);
        if (how != ONE) s[r][0][1] = _mm512_madd52hi_epu64(s[r][0][1], a, y0);
        if (vectors == 1) continue;
        s[r][1][0] = _mm512_madd52lo_epu64(s[r][1][0], a, y1);
        if (how != ONE) s[r][1][1] = _mm512_madd52hi_epu64(s[r][1][1], a, y1);
    }
}

/* Two of the sums of words; q: which. */
INLINE void
multiply_words(registers s, const long long *x, const eight *y, const int q, const int rows, const int vectors)
{
    const eight y0 = column(y + q), y1 = vectors == 2 ? column(y + PARTS + q) : y0;
    UNROLL for (int r = 0; r < rows; r++) {
        const eight a = _mm512_set1_epi64(x[8 * (r * PARTS + q)]);
        s[r][0][q + 1] = _mm512_dpwssd_epi32(s[r][0][q + 1], a, y0);
        if (vectors == 2) s[r][1][q + 1] = _mm512_dpwssd_epi32(s[r][1][q + 1], a, y1);
    }
}

/* The lower half plus 2^15 times the upper one, both with signs. */
INLINE eight widened(eight c)
{
    const eight low = _mm512_srai_epi64(_mm512_slli_epi64(c, 32), 32);
    return _mm512_add_epi64(low, _mm512_slli_epi64(_mm512_srai_epi64(c, 32), 15));
}

/* sum[ROWS][VECTORS][of the kind] += the products of groups * 8 terms. */
INLINE void
tile_of(eight *sum, const eight *a, const eight *b, long groups, const kind how, const int rows, const int vectors)
{
    const int parts = parts_of(how), count = sums_of(how);
    registers s;
    UNROLL for (int r = 0; r < rows; r++)
        UNROLL for (int v = 0; v < vectors; v++) {
            const eight *from = sum + (r * VECTORS + v) * count;
            s[r][v][0] = from[0];
            if (how != ONE) s[r][v][1] = from[1];
            s[r][v][2] = s[r][v][3] = _mm512_setzero_si512();
        }
    for (long g = 0; g < groups; g++, a += ROWS * parts) {
        const long long *x = (const long long *)a;
        for (int t = 0; t < 8; t++, x++, b += VECTORS * parts) {
            multiply_whole(s, x, b, how, rows, vectors);
            if (how != FOUR) continue;
            multiply_words(s, x, b, 1, rows, vectors);
            multiply_words(s, x, b, 2, rows, vectors);
        }
    }
    UNROLL for (int r = 0; r < rows; r++)
        UNROLL for (int v = 0; v < vectors; v++) {
            eight *to = sum + (r * VECTORS + v) * count;
            to[0] = s[r][v][0];
            if (how != ONE) to[1] = s[r][v][1];
            if (how != FOUR) continue;
            to[2] = _mm512_add_epi64(to[2], widened(s[r][v][2]));
            to[3] = _mm512_add_epi64(to[3], widened(s[r][v][3]));
        }
}

/* (r 2^52 + d) mod p for r < p and d < 2^52.  The quotient Q = (r 2^52 + d) / p is below 2^52.  Four roundings to the
 * nearest, of r, of the sum, of 1/p and of the product, leave |q - Q| < 2.1 in doubles; cut off and less 3,
 * Q - 6.1 < q < Q.  So what is left is in (0, 6.1 p), and 8 p < 2^64; what is taken off too much wraps round to more
 * than 2^63. */
INLINE eight next_digit(eight r, eight d, const modulus *F)
{
    const __m512d whole = _mm512_fmadd_pd(_mm512_cvtepu64_pd(r), _mm512_set1_pd(0x1p52), _mm512_cvtepu64_pd(d));
    const eight q = _mm512_sub_epi64(_mm512_cvttpd_epu64(_mm512_mul_pd(whole, F->inverse)), _mm512_set1_epi64(3));
    eight t = _mm512_add_epi64(_mm512_slli_epi64(r, 52), d);
    t = _mm512_sub_epi64(t, _mm512_mullo_epi64(q, F->p));
    t = _mm512_min_epu64(t, _mm512_sub_epi64(t, _mm512_slli_epi64(F->p, 2)));
    t = _mm512_min_epu64(t, _mm512_sub_epi64(t, _mm512_slli_epi64(F->p, 1)));
    return _mm512_min_epu64(t, _mm512_sub_epi64(t, F->p));
}

/* The sums of eight entries modulo p: digits to the base 2^52. */
INLINE eight reduced(const eight *s, const modulus *F, const kind how)
{
    const eight mask = _mm512_set1_epi64((1ll << 52) - 1), zero = _mm512_setzero_si512();
    const eight d0 = _mm512_and_si512(s[0], mask);
    eight d1 = _mm512_srli_epi64(s[0], 52), d2 = zero;
    if (how != ONE) {
        d1 = _mm512_add_epi64(d1, _mm512_and_si512(s[1], mask));
        d2 = _mm512_srli_epi64(s[1], 52);
    }
    if (how == FOUR) {                                  /* 2^52 s[2] + 2^82 s[3], with signs */
        const eight low = _mm512_and_si512(s[3], _mm512_set1_epi64((1 << 22) - 1));
        d1 = _mm512_add_epi64(d1, _mm512_add_epi64(s[2], _mm512_slli_epi64(low, 30)));
        d2 = _mm512_add_epi64(d2, _mm512_srai_epi64(s[3], 22));
    }
    d2 = _mm512_add_epi64(d2, _mm512_srai_epi64(d1, 52));
    d1 = _mm512_and_si512(d1, mask);
    if (how == FOUR) d2 = _mm512_min_epu64(d2, _mm512_add_epi64(d2, F->p));         /* |d2| < 2^31 < p; below 0: + p */
    else             d2 = next_digit(zero, d2, F);
    return next_digit(next_digit(d2, d1, F), d0, F);
}

#define TILE(k, r, v) case 10 * k + 2 * r + v: tile_of(sum, a, b, groups, k, r, v); break;
#define TILES(k)      TILE(k, 1, 1) TILE(k, 2, 1) TILE(k, 3, 1) TILE(k, 1, 2) TILE(k, 2, 2) TILE(k, 3, 2)
WITH_LANES static __attribute__((noinline)) void
tile(eight *sum, const eight *a, const eight *b, long groups, const kind how, const int rows, const int vectors)
{
    switch (10 * (int)how + 2 * rows + vectors) { TILES(ONE) TILES(TWO) TILES(FOUR) }
}

/* Vectors that a block needs: of A, of B, of sums. */
typedef struct { long a, b, sums; } needs;
static needs needs_of(long rows, long cols, long K)
{
    const long panels = (cols + COLS - 1) / COLS, high = (rows + ROWS - 1) / ROWS * ROWS;
    const long deep = K < DEPTH ? (K + 7) / 8 * 8 : DEPTH;
    return (needs){ high * deep / 8 * PARTS, panels * deep * VECTORS * PARTS, panels * high * VECTORS * SUMS };
}
static size_t room(long rows, long cols, long K, const void *with)
{
    (void)with;
    const needs n = needs_of(rows, cols, K);
    return (size_t)(n.a + n.b + n.sums) * 8;
}

INLINE void multiply(const fp_block *x, const modulus *F, const kind how)
{
    const int sums = sums_of(how), parts = parts_of(how);
    const long K = nmod_mat_ncols(x->A), panels = (x->cols + COLS - 1) / COLS, tiles = (x->rows + ROWS - 1) / ROWS;
    const needs n = needs_of(x->rows, x->cols, K);
    eight *of_a = (eight *)x->room, *of_b = of_a + n.a, *sums_of_c = of_b + n.b;
    for (long first = 0; first < K; first += MOST_TERMS) {
        const long last = K - first < MOST_TERMS ? K : first + MOST_TERMS;
        for (long k = 0; k < panels * tiles * ROWS * VECTORS * sums; k++) sums_of_c[k] = _mm512_setzero_si512();
        for (long k = first; k < last; k += DEPTH) {
            const long terms = last - k < DEPTH ? last - k : DEPTH, groups = (terms + 7) / 8;
            pack_rows(of_a, x->A, x->i, k, x->rows, terms, F, how);
            pack_cols(of_b, x->B, k, x->j, terms, x->cols, F, how);
            for (long p = 0; p < panels; p++) {
                const eight *b = of_b + p * groups * 8 * VECTORS * parts;
                const bool narrow = x->cols - p * COLS <= 8;
                for (long t = 0; t < tiles; t++) {
                    eight *sum = sums_of_c + (p * tiles + t) * ROWS * VECTORS * sums;
                    const eight *a = of_a + t * groups * ROWS * parts;
                    const long rows = x->rows - t * ROWS;
                    tile(sum, a, b, groups, how, rows < ROWS ? (int)rows : ROWS, narrow ? 1 : VECTORS);
                }
            }
        }
        for (long i = 0; i < x->rows; i++)
            for (long j = 0; j < x->cols; j += 8) {
                const long row = (j / COLS * tiles + i / ROWS) * ROWS + i % ROWS;
                const eight *sum = sums_of_c + (row * VECTORS + j % COLS / 8) * sums;
                mp_limb_t *to = &nmod_mat_entry(x->C, x->i + i, x->j + j);
                const __mmask8 some = first_of(x->cols - j);
                eight r = reduced(sum, F, how);
                if (first) {
                    r = _mm512_add_epi64(r, _mm512_maskz_loadu_epi64(some, to));
                    r = _mm512_min_epu64(r, _mm512_sub_epi64(r, F->p));
                }
                _mm512_mask_storeu_epi64(to, some, r);
            }
    }
}

WITH_LANES static void multiply_block(const fp_block *x, const void *with)
{
    (void)with;
    const mp_limb_t p = x->C->mod.n;
    const long bits = (long)FLINT_BIT_COUNT(p - 1);
    const modulus F = { _mm512_set1_epi64((long long)p), _mm512_set1_pd(1 / (double)p) };
    switch (kind_for(bits)) {
    case ONE:  multiply(x, &F, ONE); break;
    case TWO:  multiply(x, &F, TWO); break;
    case FOUR: multiply(x, &F, FOUR); break;
    }
}

void fp_lanes_product(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B)
{
    REQUIRE(fp_lanes_available(C->mod.n), "modulo %lu on this processor", (unsigned long)C->mod.n);
    fp_blocks_product(C, A, B, &(fp_way){ HIGH, WIDE, 2 * COLS, room, multiply_block, NULL });
}
#else
bool fp_lanes_available(mp_limb_t p)
{
    (void)p;
    return false;
}
void fp_lanes_product(nmod_mat_t C, const nmod_mat_t A, const nmod_mat_t B)
{
    (void)C; (void)A; (void)B;
    REQUIRE(false, "no AVX-512 IFMA on this processor");
}
#endif
