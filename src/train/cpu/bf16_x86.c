/* SPDX-License-Identifier: GPL-3.0-or-later
 * bf16_x86.c - the units for bfloat16 of x86-64: AVX512-BF16 and AMX.  Both read zeros for subnormal numbers and write
 * zeros for them. */
#include "src/train/cpu/bf16.h"

#if defined __x86_64__ && defined __linux__ && (defined __clang__ ? __clang_major__ >= 12 : __GNUC__ >= 11)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WITH_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))
#define UNROLLED    _Pragma("GCC unroll 16")          /* so that arrays of vectors are registers */
#define WITH_AMX    __attribute__((target("amx-tile,amx-bf16")))

bool bf16_avx512_usable(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bf16");
}

/* AMD's units multiply twice as fast as floats; Intel's half as fast (Emerald Rapids: 78 GFLOP/s, sgemm 133). */
bool bf16_avx512_fast(void) { return __builtin_cpu_is("amd"); }

/* ---- packing ------------------------------------------------------------------------------------------------- */

typedef __m512i vector;
static inline __mmask16 first(long n) { return (__mmask16)(n >= 16 ? 0xffff : n <= 0 ? 0 : (1u << n) - 1); }

WITH_AVX512 static inline __m512 some(const float *x, __mmask16 mask) { return _mm512_maskz_loadu_ps(mask, x); }

/* The 16 x 16 matrix of 32-bit numbers x, transposed. */
WITH_AVX512 static inline void transpose(vector x[16])
{
    vector y[16];
    UNROLLED
    for (int k = 0; k < 16; k += 2) {
        y[k]     = _mm512_unpacklo_epi32(x[k], x[k + 1]);
        y[k + 1] = _mm512_unpackhi_epi32(x[k], x[k + 1]);
    }
    UNROLLED
    for (int k = 0; k < 16; k += 4) {
        x[k]     = _mm512_unpacklo_epi64(y[k], y[k + 2]);
        x[k + 1] = _mm512_unpackhi_epi64(y[k], y[k + 2]);
        x[k + 2] = _mm512_unpacklo_epi64(y[k + 1], y[k + 3]);
        x[k + 3] = _mm512_unpackhi_epi64(y[k + 1], y[k + 3]);
    }
    UNROLLED
    for (int k = 0; k < 4; k++) {
        y[k]      = _mm512_shuffle_i32x4(x[k], x[k + 4], 0x88);
        y[k + 4]  = _mm512_shuffle_i32x4(x[k], x[k + 4], 0xdd);
        y[k + 8]  = _mm512_shuffle_i32x4(x[k + 8], x[k + 12], 0x88);
        y[k + 12] = _mm512_shuffle_i32x4(x[k + 8], x[k + 12], 0xdd);
    }
    UNROLLED
    for (int k = 0; k < 8; k++) {
        x[k]     = _mm512_shuffle_i32x4(y[k], y[k + 8], 0x88);
        x[k + 8] = _mm512_shuffle_i32x4(y[k], y[k + 8], 0xdd);
    }
}

/* A line of numbers that lie side by side in memory: vector i has the 32 of line i. */
WITH_AVX512 static inline void read_lines(vector x[16], const float *from, long ld, long lines, long depth)
{
    const __mmask16 low = first(depth), high = first(depth - 16);
    UNROLLED
    for (long i = 0; i < 16; i++) {
        if (i < lines) x[i] = (vector)_mm512_cvtne2ps_pbh(some(from + i * ld + 16, high), some(from + i * ld, low));
        else           x[i] = _mm512_setzero_si512();
    }
}

/* The lines side by side in memory: vector k has numbers 2k and 2k + 1 of the 16 lines, in pairs. */
WITH_AVX512 static inline void read_across(vector x[16], const float *from, long ld, long lines, long depth)
{
    static const _Alignas(64) uint16_t pairs[32] = { 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23,
                                                     8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31 };
    const vector order = _mm512_load_si512(pairs);
    const __mmask16 mask = first(lines), none = 0;
    UNROLLED
    for (long k = 0; k < 16; k++) {
        const __m512 even = some(from + 2 * k * ld, 2 * k < depth ? mask : none);
        const __m512 odd  = some(from + (2 * k + 1) * ld, 2 * k + 1 < depth ? mask : none);
        x[k] = _mm512_permutexvar_epi16(order, (vector)_mm512_cvtne2ps_pbh(odd, even));
    }
}

WITH_AVX512
static void pack(bf16 *tile, bf16_layout layout, const float *from, long ld, bool across, long lines, long depth)
{
    vector x[16];
    if (across) read_across(x, from, ld, lines, depth);
    else        read_lines(x, from, ld, lines, depth);
    if (across != (layout == BF16_PAIRS)) transpose(x);
    UNROLLED
    for (int k = 0; k < 16; k++) _mm512_store_si512(tile + 32 * k, x[k]);
}

/* ---- AVX512-BF16 --------------------------------------------------------------------------------------------- */

enum { ROWS = 8 };                       /* at a time: sixteen sums in registers                        */

WITH_AVX512 static inline __m512 pair_of(const bf16 *x)
{
    int pair;
    memcpy(&pair, x, sizeof pair);
    return (__m512)_mm512_set1_epi32(pair);
}

/* Rows 0 ... 7 of A, `chunks` apart by a chunk of a panel. */
WITH_AVX512
static inline void multiply_rows(long chunks, const bf16 *A, const bf16 *B, const float *D, long ldd, float *C,
                                 long ldc)
{
    __m512 sum[ROWS][2];
    UNROLLED
    for (int r = 0; r < ROWS; r++)
        UNROLLED
        for (int half = 0; half < 2; half++)
            sum[r][half] = D ? _mm512_loadu_ps(D + r * ldd + 16 * half) : _mm512_setzero_ps();
    for (long c = 0; c < chunks; c++, A += 2 * BF16_NUMBERS, B += 2 * BF16_NUMBERS)
        for (int k = 0; k < 16; k++) {
            const __m512bh left  = (__m512bh)_mm512_load_ps(B + 32 * k);
            const __m512bh right = (__m512bh)_mm512_load_ps(B + BF16_NUMBERS + 32 * k);
            UNROLLED
            for (int r = 0; r < ROWS; r++) {
                const __m512bh a = (__m512bh)pair_of(A + BF16_CHUNK * r + 2 * k);
                sum[r][0] = _mm512_dpbf16_ps(sum[r][0], a, left);
                sum[r][1] = _mm512_dpbf16_ps(sum[r][1], a, right);
            }
        }
    UNROLLED
    for (int r = 0; r < ROWS; r++)
        UNROLLED
        for (int half = 0; half < 2; half++) _mm512_storeu_ps(C + r * ldc + 16 * half, sum[r][half]);
}

WITH_AVX512
static void multiply_avx512(long chunks, const bf16 *A, const bf16 *B, const float *D, long ldd, float *C, long ldc)
{
    for (long row = 0; row < BF16_PANEL; row += ROWS)
        multiply_rows(chunks, A + row / BF16_TILE * BF16_NUMBERS + row % BF16_TILE * BF16_CHUNK, B,
                      D ? D + row * ldd : NULL, ldd, C + row * ldc, ldc);
}

void bf16_product_avx512(bool tA, bool tB, long M, long N, long K, double alpha, const float *A, long lda,
                         const float *B, long ldb, double beta, const float *D, float *C, long ldc)
{
    static const bf16_unit unit = { NULL, NULL, pack, multiply_avx512 };
    bf16_by_blocks(&unit, tA, tB, M, N, K, alpha, A, lda, B, ldb, beta, D, C, ldc);
}

/* ---- AMX ----------------------------------------------------------------------------------------------------- */

/* The system lends its 8 KiB of tiles to those who ask (Linux 5.16). */
bool bf16_amx_usable(void)
{
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    unsigned a, b, c, d;
    if (!bf16_avx512_usable() || !__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
    const bool has_bf16 = d >> 22 & 1, has_tiles = d >> 24 & 1;
    return has_bf16 && has_tiles && syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA) == 0;
}

/* Eight tiles of 16 rows of 64 bytes.  Constant, since compilers do not see what the instruction reads. */
typedef struct { uint8_t palette, start_row, reserved[14]; uint16_t bytes[16]; uint8_t rows[16]; } tile_shapes;
WITH_AMX static void begin_amx(void)
{
    static const tile_shapes shapes = { 1, 0, { 0 }, { 64, 64, 64, 64, 64, 64, 64, 64 },
                                        { 16, 16, 16, 16, 16, 16, 16, 16 } };
    _tile_loadconfig(&shapes);
}

WITH_AMX static void end_amx(void) { _tile_release(); }

/* Tiles 0 to 3: C, 4 and 5: A, 6 and 7: B. */
WITH_AMX
static void multiply_amx(long chunks, const bf16 *A, const bf16 *B, const float *D, long ldd, float *C, long ldc)
{
    const long row = (long)sizeof *C * ldc, old = (long)sizeof *D * ldd;
    __asm__ volatile("" ::: "memory");               /* all that was written is in memory: tiles read it unseen */
    if (D) {
        _tile_loadd(0, D, old);
        _tile_loadd(1, D + 16, old);
        _tile_loadd(2, D + 16 * ldd, old);
        _tile_loadd(3, D + 16 * ldd + 16, old);
    } else {
        _tile_zero(0);
        _tile_zero(1);
        _tile_zero(2);
        _tile_zero(3);
    }
    for (long c = 0; c < chunks; c++, A += 2 * BF16_NUMBERS, B += 2 * BF16_NUMBERS) {
        _tile_loadd(4, A, 64);
        _tile_loadd(6, B, 64);
        _tile_loadd(7, B + BF16_NUMBERS, 64);
        _tile_dpbf16ps(0, 4, 6);
        _tile_loadd(5, A + BF16_NUMBERS, 64);
        _tile_dpbf16ps(1, 4, 7);
        _tile_dpbf16ps(2, 5, 6);
        _tile_dpbf16ps(3, 5, 7);
    }
    _tile_stored(0, C, row);
    _tile_stored(1, C + 16, row);
    _tile_stored(2, C + 16 * ldc, row);
    _tile_stored(3, C + 16 * ldc + 16, row);
}

void bf16_product_amx(bool tA, bool tB, long M, long N, long K, double alpha, const float *A, long lda,
                      const float *B, long ldb, double beta, const float *D, float *C, long ldc)
{
    static const bf16_unit unit = { begin_amx, end_amx, pack, multiply_amx };
    bf16_by_blocks(&unit, tA, tB, M, N, K, alpha, A, lda, B, ldb, beta, D, C, ldc);
}

#else

bool bf16_avx512_usable(void) { return false; }
bool bf16_avx512_fast(void) { return false; }
bool bf16_amx_usable(void) { return false; }
static void missing(void) { REQUIRE(false, "a unit for bfloat16 that this program was built without"); }
void bf16_product_avx512(bool tA, bool tB, long M, long N, long K, double alpha, const float *A, long lda,
                         const float *B, long ldb, double beta, const float *D, float *C, long ldc)
{
    (void)tA; (void)tB; (void)M; (void)N; (void)K; (void)alpha; (void)A; (void)lda; (void)B; (void)ldb; (void)beta;
    (void)D; (void)C; (void)ldc;
    missing();
}
void bf16_product_amx(bool tA, bool tB, long M, long N, long K, double alpha, const float *A, long lda,
                      const float *B, long ldb, double beta, const float *D, float *C, long ldc)
{
    bf16_product_avx512(tA, tB, M, N, K, alpha, A, lda, B, ldb, beta, D, C, ldc);
}

#endif
