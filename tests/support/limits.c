/* SPDX-License-Identifier: GPL-3.0-or-later
 * limits.c - see limits.h. */
#include "tests/support/limits.h"
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include "src/base/memory.h"
#include "src/train/cpu/bf16.h"

enum { CHAINS = 12, ROUNDS = 60, READINGS = 5,           /* CHAINS: more than the latency of two units  */
       MOST_THREADS = 256 };

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- arithmetic: CHAINS independent chains of one instruction, `n` times ----------------------------------------- */

typedef struct { double ops; void (*run)(long n); long n; } kernel;
static volatile double sink;             /* what a kernel computes, so that it is computed              */

static void fma_plain(long n)
{
    double x[CHAINS];
    for (int k = 0; k < CHAINS; k++) x[k] = k;
    for (long i = 0; i < n; i++)
        for (int k = 0; k < CHAINS; k++) x[k] = x[k] * 0.5 + 1;
    for (int k = 1; k < CHAINS; k++) x[0] += x[k];
    sink = x[0];
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/* TARGET, the vector's type, its value of all lanes, one step, and a number of what came out. */
#define KERNEL(name, target_, vector, first, step, number) \
    __attribute__((target(target_))) static void name(long n) \
    { \
        vector x[CHAINS]; \
        for (int k = 0; k < CHAINS; k++) x[k] = first(k); \
        for (long i = 0; i < n; i++) \
            _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; k++) x[k] = step(x[k]); \
        double sum = 0; \
        for (int k = 0; k < CHAINS; k++) sum += number(x[k]); \
        sink = sum; \
    }
#define PD4(k)   _mm256_set1_pd(k)
#define PD4_(x)  _mm256_fmadd_pd(x, _mm256_set1_pd(0.5), _mm256_set1_pd(1))
#define PD4_N(x) _mm256_cvtsd_f64(x)
#define PS8(k)   _mm256_set1_ps((float)(k))
#define PS8_(x)  _mm256_fmadd_ps(x, _mm256_set1_ps(0.5f), _mm256_set1_ps(1))
#define PS8_N(x) (double)_mm256_cvtss_f32(x)
KERNEL(fma64_256, "avx2,fma", __m256d, PD4, PD4_, PD4_N)
KERNEL(fma32_256, "avx2,fma", __m256,  PS8, PS8_, PS8_N)
#define PD8(k)    _mm512_set1_pd(k)
#define PD8_(x)   _mm512_fmadd_pd(x, _mm512_set1_pd(0.5), _mm512_set1_pd(1))
#define PD8_N(x)  _mm512_cvtsd_f64(x)
#define PS16(k)   _mm512_set1_ps((float)(k))
#define PS16_(x)  _mm512_fmadd_ps(x, _mm512_set1_ps(0.5f), _mm512_set1_ps(1))
#define PS16_N(x) (double)_mm512_cvtss_f32(x)
KERNEL(fma64_512, "avx512f", __m512d, PD8,  PD8_,  PD8_N)
KERNEL(fma32_512, "avx512f", __m512,  PS16, PS16_, PS16_N)
#define Q8(k)    _mm512_set1_epi64(k)
#define Q8_(x)   _mm512_madd52lo_epu64(x, x, _mm512_set1_epi64(3))
#define Q8_N(x)  (double)_mm_cvtsi128_si64(_mm512_castsi512_si128(x))
KERNEL(ifma_512, "avx512f,avx512ifma", __m512i, Q8, Q8_, Q8_N)
#define BF_(x) _mm512_dpbf16_ps(x, (__m512bh)_mm512_set1_epi32(0x3f003f00), (__m512bh)_mm512_set1_epi32(0x3f003f00))
KERNEL(bf16_512, "avx512f,avx512bf16", __m512, PS16, BF_, PS16_N)

/* Tiles 0 ... 3 += tile 4 of 16 rows of 64 bytes times tile 5. */
typedef struct { uint8_t palette, start, zero[14]; uint16_t bytes[16]; uint8_t rows[16]; } tile_shapes;
#define TILES(name, target_, product) \
    __attribute__((target(target_))) static void name(long n) \
    { \
        static const tile_shapes shapes = { 1, 0, { 0 }, { 64, 64, 64, 64, 64, 64 }, { 16, 16, 16, 16, 16, 16 } }; \
        _tile_loadconfig(&shapes); \
        _tile_zero(0); _tile_zero(1); _tile_zero(2); _tile_zero(3); _tile_zero(4); _tile_zero(5); \
        for (long i = 0; i < n; i++) { product(0, 4, 5); product(1, 4, 5); product(2, 4, 5); product(3, 4, 5); } \
        _tile_release(); \
    }
TILES(tiles_bf16, "amx-tile,amx-bf16", _tile_dpbf16ps)
TILES(tiles_int8, "amx-tile,amx-int8", _tile_dpbssd)

static bool has_tiles_of_bytes(void)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d >> 25 & 1);
}
#endif

/* ---- several threads --------------------------------------------------------------------------------------------- */

typedef struct { const kernel *k; double rate; const double *from; long n; } worker;

static void *compute(void *of)
{
    worker *w = of;
    const double start = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    w->k->run(w->k->n);
    w->rate = w->k->ops * (double)w->k->n / (1e9 * (seconds_of(CLOCK_THREAD_CPUTIME_ID) - start));
    return NULL;
}

static void *read_through(void *of)
{
    worker *w = of;
    double sum[8] = { 0 };
    for (long k = 0; k + 8 <= w->n; k += 8)
        for (int i = 0; i < 8; i++) sum[i] += w->from[k + i];
    sink = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
    return NULL;
}

static void together(int threads, void *(*f)(void *), worker *w)
{
    pthread_t other[MOST_THREADS];
    bool began[MOST_THREADS];
    for (int t = 1; t < threads; t++) began[t] = pthread_create(&other[t], NULL, f, &w[t]) == 0;
    f(&w[0]);
    for (int t = 1; t < threads; t++) if (began[t]) pthread_join(other[t], NULL);
}

static double rate_of(kernel k, int threads)
{
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
        worker w[MOST_THREADS] = { { 0 } };
        double all = 0;
        for (int t = 0; t < threads; t++) w[t].k = &k;
        together(threads, compute, w);
        for (int t = 0; t < threads; t++) all += w[t].rate;
        best = fmax(best, all);
    }
    return best;
}

static double rate_of_reading(int threads)
{
    const long n = 1L << 25;                             /* 256 MiB */
    double *from = must_calloc((size_t)n, sizeof *from), least = INFINITY;
    for (long k = 0; k < n; k++) from[k] = 1;            /* pages of their own */
    for (int round = 0; round < READINGS; round++) {
        worker w[MOST_THREADS] = { { 0 } };
        for (int t = 0; t < threads; t++) w[t] = (worker){ .from = from + n / threads * t, .n = n / threads };
        const double start = seconds_of(CLOCK_MONOTONIC);
        together(threads, read_through, w);
        least = fmin(least, seconds_of(CLOCK_MONOTONIC) - start);
    }
    free(from);
    return 8e-9 * (double)(n / threads * threads) / least;
}

/* The faster of both widths: some processors run at another frequency, or halve the wide one. */
static double rate_of_fma(bool floats, int threads)
{
    double best = rate_of((kernel){ CHAINS, fma_plain, 200000 }, threads);
#if defined(__x86_64__)
    const double wide = floats ? 2 : 1;
    if (__builtin_cpu_supports("avx2"))
        best = fmax(best, rate_of((kernel){ 4 * wide * CHAINS, floats ? fma32_256 : fma64_256, 200000 }, threads));
    if (__builtin_cpu_supports("avx512f"))
        best = fmax(best, rate_of((kernel){ 8 * wide * CHAINS, floats ? fma32_512 : fma64_512, 200000 }, threads));
#endif
    return best;
}

machine_limits limits_measured(int threads)
{
    if (threads < 1) threads = 1;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    machine_limits at = { .fma64 = rate_of_fma(false, threads), .fma32 = rate_of_fma(true, threads),
                          .read = rate_of_reading(threads) };
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512ifma")) at.ifma = rate_of((kernel){ 8 * CHAINS, ifma_512, 200000 }, threads);
    if (bf16_avx512_usable()) at.bf16 = rate_of((kernel){ 32 * CHAINS, bf16_512, 200000 }, threads);
    if (bf16_amx_usable()) {                             /* four products, 16 x 32, or 64, x 16         */
        at.tile_bf16 = rate_of((kernel){ 4 * 8192, tiles_bf16, 20000 }, threads);
        if (has_tiles_of_bytes()) at.tile_int8 = rate_of((kernel){ 4 * 16384, tiles_int8, 20000 }, threads);
    }
#endif
    return at;
}

double limit_of_integers(const machine_limits *at, long a, long b, long K)
{
    const double words = 2 * ceil((double)a / 52) * ceil((double)b / 52);
    /* Digits of at most 2^(bits - 1): K 2^(2 bits - 2) <= 2^53; of n and of m of them: n + m - 1 coefficients. */
    const double bits = (55 - log2((double)K)) / 2, digits = fmax(1, (double)(a + b) / bits - 1) / at->fma64;
    return at->ifma > 0 ? fmin(words / at->ifma, digits) : digits;
}

double limit_with_memory(const machine_limits *at, double compute, double bytes)
{
    return fmax(compute, bytes / at->read);
}
