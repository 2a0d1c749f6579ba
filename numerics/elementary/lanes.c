/* SPDX-License-Identifier: GPL-3.0-or-later
 * lanes.c - see lanes.h.  The steps are those of fixed.h and polynomial.c, with carries that wait in the upper 12 bits.
 *
 * A column is a sum of at most 2 V products' halves, below 2^52 each, and a few limbs: below 2^58, no overflow.  What
 * is left out of an upper half is sum_{i+j <= n-2} a_i b_j B^(i+j) < (n-1) B^n, B = 2^52, and column n-1, the lower
 * halves of the products with i+j = n-1, is cut off after its carries: less than n ulps, as in fixed_muladd. */
#include "numerics/elementary/lanes.h"
#include <stdbool.h>
#include "numerics/elementary/polynomial.h"
#include "src/base/memory.h"

lanes_coefficients *lanes_coefficients_new(const polynomial *f)
{
    const int V = f->limbs;
    int pairs = 0;
    for (int n = 1; n <= V; n++) pairs += f->with[n];
    REQUIRE(pairs <= LANES_MOST_PAIRS, "%d pairs of coefficients", pairs);
    lanes_coefficients *g = must_calloc(1, sizeof *g + (size_t)(2 * pairs * V) * sizeof *g->c);
    g->limbs = V;
    g->pairs = pairs;
    const mp_limb_t *from = f->c, mask = ((mp_limb_t)1 << LANES_BITS) - 1;
    for (int n = 1, i = pairs - 1; n <= V; n++)
        for (int k = 0; k < f->with[n]; k++, i--) {
            g->level[i] = (unsigned char)n;
            for (int half = 0; half < 2; half++, from += n)
                for (int j = 0; j < V; j++)
                    g->c[(2 * i + half) * V + j] = j < n ? from[j] : from[n - 1] >> (LANES_BITS - 1) ? mask : 0;
        }
    return g;
}

#if defined(__x86_64__)
#include <immintrin.h>
#define WITH_IFMA __attribute__((target("avx512f,avx512ifma")))
typedef __m512i eight;

bool lanes_available(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma");
}

/* d[V] = the fraction x of lanes_fixed(V) limbs of 64 bits, cut off. */
WITH_IFMA static inline __attribute__((always_inline)) void split(eight *d, const lanes *x, const int V)
{
    const eight mask = _mm512_set1_epi64(((long long)1 << LANES_BITS) - 1);
    const int W = (LANES_BITS * V + 63) / 64;
#pragma GCC unroll 12
    for (int k = 0; k < V; k++) {
        const int at = 64 * W - LANES_BITS * (V - k), limb = at / 64, bit = at % 64;
        eight z = _mm512_srl_epi64(_mm512_load_si512(x[limb]), _mm_cvtsi32_si128(bit));
        if (bit > 64 - LANES_BITS)
            z = _mm512_or_si512(z, _mm512_sll_epi64(_mm512_load_si512(x[limb + 1]), _mm_cvtsi32_si128(64 - bit)));
        d[k] = _mm512_and_si512(z, mask);
    }
}

/* x = the integer sum d[k] 2^(52 k), k < n, in limbs of 64 bits, lanes_fixed(n) of them. */
WITH_IFMA static inline __attribute__((always_inline)) void join(lanes *x, const eight *d, const int n)
{
    eight z = d[0];
    int limb = 0;
#pragma GCC unroll 12
    for (int k = 1; k < n; k++) {
        const int bit = LANES_BITS * k - 64 * limb;     /* of limb, where d[k] begins; at most 64 */
        if (bit < 64) z = _mm512_or_si512(z, _mm512_sll_epi64(d[k], _mm_cvtsi32_si128(bit)));
        if (bit < 64 - LANES_BITS) continue;
        _mm512_store_si512(x[limb++], z);
        z = _mm512_srl_epi64(d[k], _mm_cvtsi32_si128(64 - bit));
    }
    if (64 * limb < LANES_BITS * n) _mm512_store_si512(x[limb], z);
}

/* z[n] = the upper half of a[n] b[n], plus c[n], modulo 2^(52 n); returns what is beyond.  z may be any of them. */
WITH_IFMA static inline __attribute__((always_inline)) eight
muladd(eight *z, const eight *a, const eight *b, const eight *c, const int n)
{
    const eight mask = _mm512_set1_epi64(((long long)1 << LANES_BITS) - 1);
    eight low[LANES_MOST + 1], high[LANES_MOST + 1];
#pragma GCC unroll 12
    for (int k = 0; k <= n; k++) low[k] = high[k] = _mm512_setzero_si512();
#pragma GCC unroll 12
    for (int i = 0; i < n; i++)
#pragma GCC unroll 12
        for (int j = n - 1 - i; j < n; j++) {
            const int k = i + j - (n - 1);
            low[k] = _mm512_madd52lo_epu64(low[k], a[i], b[j]);
            high[k + 1] = _mm512_madd52hi_epu64(high[k + 1], a[i], b[j]);
        }
    eight carry = _mm512_srli_epi64(low[0], LANES_BITS);
#pragma GCC unroll 12
    for (int k = 0; k < n; k++) {
        const eight sum = _mm512_add_epi64(_mm512_add_epi64(low[k + 1], high[k + 1]), _mm512_add_epi64(c[k], carry));
        z[k] = _mm512_and_si512(sum, mask);
        carry = _mm512_srai_epi64(sum, LANES_BITS);
    }
    return carry;
}

/* The next pairs of positive coefficients, the same in all lanes. */
WITH_IFMA static inline __attribute__((always_inline)) void
pairs(eight *even, eight *odd, const mp_limb_t *c, int steps, const eight *w, const int n)
{
    for (; steps; steps--, c += 2 * n) {
        eight next[LANES_MOST];
        for (int k = 0; k < n; k++) next[k] = _mm512_set1_epi64((long long)c[k]);
        muladd(odd, odd, w, next, n);
        for (int k = 0; k < n; k++) next[k] = _mm512_set1_epi64((long long)c[n + k]);
        muladd(even, even, w, next, n);
    }
}

/* z = a + s + a s; returns the carry */
WITH_IFMA static inline __attribute__((always_inline)) eight
combine(eight *z, const eight *a, const eight *s, const int V)
{
    eight both[LANES_MOST];
#pragma GCC unroll 12
    for (int k = 0; k < V; k++) both[k] = _mm512_add_epi64(a[k], s[k]);
    return muladd(z, a, s, both, V);
}

WITH_IFMA static inline __attribute__((always_inline)) void
exp_of(lanes *E, const lanes *r, const polynomial *f, const mp_limb_t *a, const int V)
{
    enum { SHIFT = 3 * LANES_EXP_STEP };
    const eight mask = _mm512_set1_epi64(((long long)1 << LANES_BITS) - 1);
    const eight entries = _mm512_set1_epi64(LANES_EXP_ENTRIES - 1);
    eight t[LANES_MOST], w[LANES_MOST], even[LANES_MOST], odd[LANES_MOST], part[3][LANES_MOST];
    eight x[LANES_MOST + 1];
    split(x, r, V);
    const eight top = x[V - 1];
    for (int j = 0; j < 3; j++) {
        const __m128i from = _mm_cvtsi32_si128(LANES_BITS - LANES_EXP_STEP * (j + 1));
        const eight entry = _mm512_and_si512(_mm512_srl_epi64(top, from), entries);
        const eight index = _mm512_mul_epu32(entry, _mm512_set1_epi64(V));
        for (int k = 0; k < V; k++)
            part[j][k] = _mm512_i64gather_epi64(index, (const void *)(a + j * LANES_EXP_ENTRIES * V + k), 8);
    }
    for (int k = 0; k < V; k++) {
        const eight below = k ? _mm512_srli_epi64(x[k - 1], LANES_BITS - SHIFT) : _mm512_setzero_si512();
        t[k] = _mm512_and_si512(_mm512_or_si512(_mm512_slli_epi64(x[k], SHIFT), below), mask);
        even[k] = odd[k] = _mm512_setzero_si512();
    }
    muladd(w, t, t, even, V);
    const mp_limb_t *c = f->c;
    for (int n = 1; n <= V; n++) {
        LANES_CALL(n, pairs, even, odd, c, f->with[n], w + V - n)
        c += 2 * n * f->with[n];
    }
    muladd(even, odd, t, even, V);                      /* exp t - 1, not negative, as no step is */
    combine(part[1], part[1], part[2], V);
    combine(part[0], part[0], part[1], V);
    const eight carry = combine(x, part[0], even, V);
    x[V] = _mm512_add_epi64(carry, _mm512_set1_epi64(1));
    _mm512_store_si512(E[(LANES_BITS * V + 63) / 64], _mm512_setzero_si512());
    join(E, x, V + 1);
}

WITH_IFMA void lanes_exp(lanes *E, const lanes *r, const polynomial *f, const mp_limb_t *a)
{
    LANES_CALL(f->limbs, exp_of, E, r, f, a)
}

/* All ones where a[n] is negative. */
WITH_IFMA static inline __attribute__((always_inline)) eight negative(eight top)
{
    return _mm512_srai_epi64(_mm512_slli_epi64(top, 64 - LANES_BITS), 63);
}

/* a = c + a w, numbers with signs: step of polynomial.c, here without an ulp less. */
WITH_IFMA static inline __attribute__((always_inline)) void
signed_step(eight *a, const eight *c, const eight *w, const int n)
{
    const eight sign = negative(a[n - 1]);
    eight next[LANES_MOST];
#pragma GCC unroll 12
    for (int k = 0; k < n; k++) next[k] = _mm512_sub_epi64(c[k], _mm512_and_si512(w[k], sign));
    muladd(a, a, w, next, n);
}

typedef struct { eight c, pairs; int limbs; } gathered;  /* addresses of c, and how many pairs there are */

/* Pairs first - 1, first - 2, ..., last. */
WITH_IFMA static inline __attribute__((always_inline)) void
signed_pairs(eight *even, eight *odd, const gathered *g, int first, int last, const eight *w, const int n)
{
    for (int i = first - 1; i >= last; i--) {
        const __mmask8 there = _mm512_cmpgt_epi64_mask(g->pairs, _mm512_set1_epi64(i));
        const mp_limb_t *at = (const mp_limb_t *)(sizeof *at * (size_t)(2 * i * g->limbs));     /* added to g->c */
        eight c[LANES_MOST];
#pragma GCC unroll 12
        for (int k = 0; k < n; k++)
            c[k] = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there, g->c, at + k, 1);
        signed_step(odd, c, w, n);
        at += g->limbs;
#pragma GCC unroll 12
        for (int k = 0; k < n; k++)
            c[k] = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there, g->c, at + k, 1);
        signed_step(even, c, w, n);
    }
}

WITH_IFMA static inline __attribute__((always_inline)) void
values_of(lanes *y, const lanes *u, const lanes_coefficients *const f[LANES], const int V)
{
    const eight mask = _mm512_set1_epi64(((long long)1 << LANES_BITS) - 1);
    lanes address, pairs;
    int level[LANES_MOST_PAIRS] = { 0 }, most = 0;
    for (int i = 0; i < LANES; i++) {
        address[i] = (mp_limb_t)(uintptr_t)f[i]->c;
        pairs[i] = (mp_limb_t)f[i]->pairs;
        if (f[i]->pairs > most) most = f[i]->pairs;
        for (int k = 0; k < f[i]->pairs; k++) if (f[i]->level[k] > level[k]) level[k] = f[i]->level[k];
    }
    const gathered g = { _mm512_load_si512(address), _mm512_load_si512(pairs), V };
    eight v[LANES_MOST], w[LANES_MOST], even[LANES_MOST], odd[LANES_MOST];
    split(v, u, V);
    for (int k = 0; k < V; k++) even[k] = odd[k] = _mm512_setzero_si512();
    muladd(w, v, v, even, V);
    for (int n = 1, first = most, last; n <= V; n++, first = last) {
        if (n > 1) {
            even[n - 1] = _mm512_and_si512(negative(even[n - 2]), mask);
            odd[n - 1] = _mm512_and_si512(negative(odd[n - 2]), mask);
        }
        for (last = first; last > 0 && level[last - 1] <= n; last--) ;
        LANES_CALL(n, signed_pairs, even, odd, &g, first, last, w + V - n)
    }
    signed_step(odd, even, v, V);
    join(y, odd, V);
}

WITH_IFMA void lanes_values(lanes *y, const lanes *u, const lanes_coefficients *const f[LANES])
{
    LANES_CALL(f[0]->limbs, values_of, y, u, f)
}
#else
bool lanes_available(void) { return false; }
void lanes_values(lanes *y, const lanes *u, const lanes_coefficients *const f[LANES])
{
    (void)y; (void)u; (void)f;
    REQUIRE(false, "this processor has no AVX-512 IFMA");
}
void lanes_exp(lanes *E, const lanes *r, const polynomial *f, const mp_limb_t *a)
{
    (void)E; (void)r; (void)f; (void)a;
    REQUIRE(false, "this processor has no AVX-512 IFMA");
}
#endif
