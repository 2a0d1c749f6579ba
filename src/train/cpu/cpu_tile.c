/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_tile.c - see tile.h.  This file alone is compiled with contraction: a b + c is rounded once where the CPU can. */
#include <stdlib.h>
#include <string.h>
#include "src/base/blas_core.h"
#include "src/train/cpu/tile.h"

INSIDE void store_scaled(real *C, const real *D, const lanes *sum, real alpha, real beta)
{
    if (beta == 0) *(lanes *)C = alpha * *sum;
    else           *(lanes *)C = alpha * *sum + beta * *(const lanes *)D;
}

INSIDE void store_scaled_part(real *C, const real *D, const lanes *sum, real alpha, real beta, long n)
{
    lanes y = alpha * *sum;
    if (beta != 0) {
        real part[LANES] = { 0 };
        copy_part(part, D, n);
        y += beta * *(const lanes *)part;
    }
    store_part(C, &y, n);
}

/* One tile: rows and vectors are constants where it is called, so that its sums are registers. */
INSIDE void tile(const int rows, const int vectors, long N, long K, real alpha, strided A, const real *panel, real beta,
                 const real *D, real *C, long ldc)
{
    lanes sum[8][4];
    const real *a = A.p;
    #pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
        #pragma GCC unroll 4
        for (int v = 0; v < vectors; v++) sum[r][v] = (lanes){ 0 };
    for (long k = 0; k < K; k++) {
        lanes right[4];
        #pragma GCC unroll 4
        for (int v = 0; v < vectors; v++) right[v] = *(const lanes *)(panel + v * LANES);
        #pragma GCC unroll 8
        for (int r = 0; r < rows; r++) {
            const real x = a[r * A.row];
            #pragma GCC unroll 4
            for (int v = 0; v < vectors; v++) sum[r][v] += x * right[v];
        }
        panel += vectors * LANES;
        a += A.column;
    }
    const long rest = N - (vectors - 1) * LANES;
    #pragma GCC unroll 8
    for (int r = 0; r < rows; r++) {
        real *c = C + r * ldc;
        const real *d = D + (beta == 0 ? 0 : r * ldc);
        #pragma GCC unroll 4
        for (int v = 0; v < vectors - 1; v++) store_scaled(c + v * LANES, d + v * LANES, &sum[r][v], alpha, beta);
        const int last = vectors - 1;
        if (rest == LANES) store_scaled(c + last * LANES, d + last * LANES, &sum[r][last], alpha, beta);
        else               store_scaled_part(c + last * LANES, d + last * LANES, &sum[r][last], alpha, beta, rest);
    }
}

/* The same tile for vectors of 32 bytes, a panel of LANES columns in two halves.  gcc keeps a vector of 64 bytes in
 * memory where the CPU has no register for it, and each step of the sums then takes ten times as long. */
enum { HALF = LANES / 2 };
INSIDE void tile_halves(const int rows, long N, long K, real alpha, strided A, const real *panel, real beta,
                        const real *D, real *C, long ldc)
{
    half_lanes sum[8][2];
    const real *a = A.p;
    #pragma GCC unroll 6
    for (int r = 0; r < rows; r++) sum[r][0] = sum[r][1] = (half_lanes){ 0 };
    for (long k = 0; k < K; k++) {
        const half_lanes left = *(const half_lanes *)panel, right = *(const half_lanes *)(panel + HALF);
        #pragma GCC unroll 6
        for (int r = 0; r < rows; r++) {
            const real x = a[r * A.row];
            sum[r][0] += x * left;
            sum[r][1] += x * right;
        }
        panel += LANES;
        a += A.column;
    }
    #pragma GCC unroll 6
    for (int r = 0; r < rows; r++) {
        real *c = C + r * ldc, part[LANES];
        const real *d = D + (beta == 0 ? 0 : r * ldc);
        const bool whole = N == LANES, added = beta != 0;
        if (added && !whole) {
            memset(part, 0, sizeof part);
            copy_part(part, d, N);
            d = part;
        }
        real *y = whole ? c : part;
        #pragma GCC unroll 2
        for (int h = 0; h < 2; h++)
            *(half_lanes *)(y + h * HALF) = added ? alpha * sum[r][h] + beta * *(const half_lanes *)(d + h * HALF)
                                                  : alpha * sum[r][h];
        if (!whole) copy_part(c, part, N);
    }
}

/* All rows on one panel: full tiles, then halves of what is left.  vectors: of a panel's row; 0: two halves. */
INSIDE void rows_of(const int most, const int vectors, long M, long N, long K, real alpha, strided A, const real *panel,
                    real beta, const real *D, real *C, long ldc)
{
    long m = 0;
    if (!D) D = C;                       /* beta is 0: it is not read */
#define TILES(rows)                                                                                               \
    for (; m + (rows) <= M; m += (rows)) {                                                                        \
        const strided left = { A.p + m * A.row, A.row, A.column };                                                \
        if (vectors) tile(rows, vectors, N, K, alpha, left, panel, beta, D + m * ldc, C + m * ldc, ldc);             \
        else         tile_halves(rows, N, K, alpha, left, panel, beta, D + m * ldc, C + m * ldc, ldc);               \
    }
    if (most == 8) TILES(8);
    if (most == 6) TILES(6);
    if (most >= 4) TILES(4);
    TILES(2);
    TILES(1);
#undef TILES
}

#if defined __x86_64__ && defined __GNUC__
/* 32 registers of one vector: up to 24 sums. */
__attribute__((target("avx512f")))
static void product_avx512f(long M, long N, long K, real alpha, strided A, const real *panel, real beta, const real *D,
                            real *C, long ldc)
{
    switch (panel_width(N) / LANES) {
    case 1:  rows_of(8, 1, M, N, K, alpha, A, panel, beta, D, C, ldc); break;
    case 2:  rows_of(8, 2, M, N, K, alpha, A, panel, beta, D, C, ldc); break;
    case 3:  rows_of(8, 3, M, N, K, alpha, A, panel, beta, D, C, ldc); break;
    default: rows_of(6, 4, M, N, K, alpha, A, panel, beta, D, C, ldc); break;
    }
}

/* 16 registers of half a vector: 12 sums. */
__attribute__((target("avx2,fma")))
static void product_avx2(long M, long N, long K, real alpha, strided A, const real *panel, real beta, const real *D,
                         real *C, long ldc)
{
    rows_of(6, 0, M, N, K, alpha, A, panel, beta, D, C, ldc);
}
#endif

static void product_default(long M, long N, long K, real alpha, strided A, const real *panel, real beta, const real *D,
                            real *C, long ldc)
{
    rows_of(2, 0, M, N, K, alpha, A, panel, beta, D, C, ldc);
}

/* ---- panels ---------------------------------------------------------------------------------------------- */

#if defined __has_builtin && !defined REAL_IS_DOUBLE
#if __has_builtin(__builtin_shufflevector)
#define SHUFFLED 1
#endif
#endif

#ifdef SHUFFLED
typedef real eight __attribute__((vector_size(32), aligned(sizeof(real)), may_alias));

/* to[i*width + j] = from[j*row + i] for i, j < 8; rows from n on are 0. */
INSIDE void transpose_eight(real *to, long width, const real *from, long row, long n)
{
    eight a[8], b[8];
    #pragma GCC unroll 8
    for (int j = 0; j < 8; j++) a[j] = (eight){ 0 };
    #pragma GCC unroll 8
    for (int j = 0; j < 8; j++) if (j < n) a[j] = *(const eight *)(from + j * row);
    #pragma GCC unroll 4
    for (int j = 0; j < 8; j += 2) {
        b[j]     = __builtin_shufflevector(a[j], a[j + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        b[j + 1] = __builtin_shufflevector(a[j], a[j + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    #pragma GCC unroll 4
    for (int j = 0; j < 8; j += 4)
        #pragma GCC unroll 2
        for (int i = 0; i < 2; i++) {
            a[j + 2 * i]     = __builtin_shufflevector(b[j + i], b[j + 2 + i], 0, 1, 8, 9, 4, 5, 12, 13);
            a[j + 2 * i + 1] = __builtin_shufflevector(b[j + i], b[j + 2 + i], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    #pragma GCC unroll 4
    for (int i = 0; i < 4; i++) {
        *(eight *)(to + i * width)       = __builtin_shufflevector(a[i], a[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(eight *)(to + (i + 4) * width) = __builtin_shufflevector(a[i], a[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#endif

VECTOR_CLONES static void pack_columns(real *panel, long K, long N, const real *from, long column)
{
    const long width = panel_width(N);
    long j = 0;
#ifdef SHUFFLED
    for (; j < width && K >= 8; j += 8)
        for (long k = 0; k < K; k += 8) {
            const long at = k + 8 <= K ? k : K - 8;                     /* the last ones overlap */
            const real *p = from + (j < N ? j : 0) * column + at;
            if (j + 8 <= N) transpose_eight(panel + at * width + j, width, p, column, 8);
            else            transpose_eight(panel + at * width + j, width, p, column, N - j);
        }
#endif
    for (; j < width; j++)
        for (long k = 0; k < K; k++) panel[k * width + j] = j < N ? from[j * column + k] : 0;
}

/* Rows of a number of vectors that is a constant where it is called.  The last vector of a row is read whole as long as
 * the numbers after it are the matrix's. */
INSIDE void pack_vectors(const int vectors, real *panel, long K, long N, const real *from, long row)
{
    const long width = vectors * LANES, tail = N - (vectors - 1) * LANES, free_rows = (K - 1) * row + N - width;
    for (long k = 0; k < K; k++, panel += width, from += row) {
        #pragma GCC unroll 4
        for (int v = 0; v < vectors - 1; v++) *(lanes *)(panel + v * LANES) = *(const lanes *)(from + v * LANES);
        real *last = panel + width - LANES;
        if (k * row <= free_rows) *(lanes *)last = *(const lanes *)(from + width - LANES);
        else {
            memset(last, 0, LANES * sizeof *last);
            copy_part(last, from + width - LANES, tail);
        }
    }
}

VECTOR_CLONES static void pack_rows(real *panel, long K, long N, const real *from, long row)
{
    switch (panel_width(N) / LANES) {
    case 1:  pack_vectors(1, panel, K, N, from, row); break;
    case 2:  pack_vectors(2, panel, K, N, from, row); break;
    case 3:  pack_vectors(3, panel, K, N, from, row); break;
    default: pack_vectors(4, panel, K, N, from, row); break;
    }
}

void pack_panel(real *panel, long K, long N, strided B)
{
    if (B.column == 1) pack_rows(panel, K, N, B.p, B.row);
    else               pack_columns(panel, K, N, B.p, B.column);
}

void tile_pack(const tile_kernel *t, real *panels, long K, long N, strided B)
{
    for (long j = 0; j < N; j += t->columns)
        pack_panel(panels + j * K, K, N - j < t->columns ? N - j : t->columns,
                   (strided){ B.p + j * B.column, B.row, B.column });
}

void tile_product(const tile_kernel *t, long M, long N, long K, long steps, real alpha, strided A, const real *panels,
                  bool add, real *C, long ldc)
{
    for (long j = 0; j < N; j += t->columns)
        t->product(M, N - j < t->columns ? N - j : t->columns, steps, alpha, A, panels + j * K, add, C + j, C + j, ldc);
}

/* ---- choice ---------------------------------------------------------------------------------------------- */

const tile_kernel *tile_kernels(size_t *n)
{
    static const tile_kernel all[] = {
#if defined __x86_64__ && defined __GNUC__
        { "avx512f", 4 * LANES, 6, product_avx512f },
        { "avx2",        LANES, 6, product_avx2 },
#endif
        { "default",     LANES, 2, product_default },
    };
    size_t first = 0;
#if defined __x86_64__ && defined __GNUC__
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (!__builtin_cpu_supports("avx512f")) first = avx2 ? 1 : 2;
#endif
    *n = COUNT(all) - first;
    return all + first;
}

const tile_kernel *tile_best(void)
{
    static const tile_kernel *best;
    if (best) return best;
    size_t n;
    const tile_kernel *all = tile_kernels(&n);
    const char *core = getenv("OPENBLAS_CORETYPE");
    return best = n > 2 && core && blas_core_is_slower(core, "SkylakeX") ? all + 1 : all;
}
