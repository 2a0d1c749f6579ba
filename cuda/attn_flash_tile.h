/* SPDX-License-Identifier: GPL-3.0-or-later
 * attn_flash_tile.h - tiles of rows in shared memory, and a warp's products with them.
 *
 * A row of a tile is D bf16 numbers padded by 16 bytes: rows of 2 D + 16 bytes start in different banks, so ldmatrix
 * and 16-byte accesses have no bank conflicts.  Rows past T and columns past d (d <= D: the true head
 * size) are zeros.  A block has 4 warps; warp w owns the 16 M rows from 16 M w on of the tile that its block owns.
 * A product is written for a warp, with the numbers of lane 4 g + t as warp.h says.                       */
#ifndef CUDA_ATTN_FLASH_TILE_H
#define CUDA_ATTN_FLASH_TILE_H
#include "cuda/attn_flash.h"
#include "cuda/warp.h"

enum { WARPS = 4, THREADS = 32 * WARPS };

template <int D> struct tile {
    static const int PITCH = 2 * D + 16;                               /* bytes of a row */
    __host__ __device__ static constexpr size_t bytes(int rows) { return (size_t)rows * PITCH; }
};

/* One head: row r at p + r row. */
typedef struct { const bf16 *p; long row; } rows_in;
typedef struct { bf16 *p; long row; bool add; } rows_out;

/* All heads as the kernels get them; the head of a block is number bh = b H + h. */
typedef struct { const bf16 *p; long row, head; } heads16;
typedef struct { bf16 *p; long row, head; bool add; } heads16_out;
typedef struct { int T, H, d; float factor, scale; bool causal; } attention;      /* factor: scale / log 2 */

INSTRUCTION rows_in head_of(heads16 x, const attention &a, int bh)
{
    return { x.p + (long)(bh / a.H) * a.T * x.row + (long)(bh % a.H) * x.head, x.row };
}
INSTRUCTION rows_out head_of(heads16_out x, const attention &a, int bh)
{
    return { x.p + (long)(bh / a.H) * a.T * x.row + (long)(bh % a.H) * x.head, x.row, x.add };
}

/* Begins to copy rows [first, first + ROWS) of x: a thread has one column of 8 numbers and every STRIDE-th row. */
template <int ROWS, int D> INSTRUCTION void fetch_tile(unsigned char *to, rows_in x, int first, const attention &a)
{
    const int STRIDE = THREADS / (D / 8), r = (int)threadIdx.x / (D / 8), c = (int)threadIdx.x % (D / 8);
    const bf16 *from = x.p + (long)(first + r) * x.row + 8 * c;
    unsigned char *at = to + r * tile<D>::PITCH + 16 * c;
    #pragma unroll
    for (int k = 0; k < ROWS / STRIDE; k++, from += STRIDE * x.row, at += STRIDE * tile<D>::PITCH) {
        const bool valid = first + r + k * STRIDE < a.T && 8 * c < a.d;
        copy_async_16(at, valid ? from : x.p, valid);
    }
}

/* A: 16 M rows of a tile, as left factors of 16 columns each; kept in registers, or read again each time. */
template <int M, int D, bool KEPT> struct left_factor {
    const unsigned char *rows;
    uint32_t kept[KEPT ? D / 16 : 1][M][4];

    __device__ __forceinline__ left_factor(const unsigned char *rows_) : rows(rows_) { }
    __device__ __forceinline__ void read(uint32_t (&a)[M][4], int k) const
    {
        const int l = lane_index();
        #pragma unroll
        for (int m = 0; m < M; m++)
            ldmatrix(a[m], rows + (16 * m + l % 16) * tile<D>::PITCH + 2 * (16 * k + l / 16 * 8));
    }
    __device__ __forceinline__ void begin(void)                                /* once the rows have arrived */
    {
        if constexpr (KEPT) {
            #pragma unroll
            for (int k = 0; k < D / 16; k++) read(kept[k], k);
        }
    }
    __device__ __forceinline__ void get(uint32_t (&a)[M][4], int k) const
    {
        if constexpr (KEPT) {
            #pragma unroll
            for (int m = 0; m < M; m++)
                #pragma unroll
                for (int i = 0; i < 4; i++) a[m][i] = kept[k][m][i];
        } else read(a, k);
    }
};

/* S[16 M, N] = A B', B: N rows of a tile */
template <int M, int N, int D, bool KEPT>
INSTRUCTION void product_of_rows(float (&S)[M][N / 8][4], const left_factor<M, D, KEPT> &A, const unsigned char *B)
{
    const int l = lane_index();
    #pragma unroll
    for (int m = 0; m < M; m++)
        #pragma unroll
        for (int n = 0; n < N / 8; n++)
            #pragma unroll
            for (int i = 0; i < 4; i++) S[m][n][i] = 0;
    #pragma unroll
    for (int k = 0; k < D / 16; k++) {
        uint32_t a[M][4];
        A.get(a, k);
        #pragma unroll
        for (int n = 0; n < N / 16; n++) {
            uint32_t b[4];
            ldmatrix(b, B + (16 * n + l / 16 * 8 + l % 8) * tile<D>::PITCH + 2 * (16 * k + l / 8 % 2 * 8));
            #pragma unroll
            for (int m = 0; m < M; m++) {
                mma_bf16(S[m][2 * n], a[m], b[0], b[1]);
                mma_bf16(S[m][2 * n + 1], a[m], b[2], b[3]);
            }
        }
    }
}

/* C[16 M, D] += P B, P[16 M, N] rounded to bf16, B: N rows of a tile */
template <int M, int N, int D>
INSTRUCTION void add_product(float (&C)[M][D / 8][4], const float (&P)[M][N / 8][4], const unsigned char *B)
{
    const int l = lane_index();
    #pragma unroll
    for (int k = 0; k < N / 16; k++) {
        uint32_t a[M][4];
        #pragma unroll
        for (int m = 0; m < M; m++)
            #pragma unroll
            for (int i = 0; i < 4; i++)
                a[m][i] = pack_bf16(P[m][2 * k + i / 2][2 * (i % 2)], P[m][2 * k + i / 2][2 * (i % 2) + 1]);
        #pragma unroll
        for (int n = 0; n < D / 16; n++) {
            uint32_t b[4];
            ldmatrix_transposed(b, B + (16 * k + l % 16) * tile<D>::PITCH + 2 * (16 * n + l / 16 * 8));
            #pragma unroll
            for (int m = 0; m < M; m++) {
                mma_bf16(C[m][2 * n], a[m], b[0], b[1]);
                mma_bf16(C[m][2 * n + 1], a[m], b[2], b[3]);
            }
        }
    }
}

INSTRUCTION uint32_t add_bf16(uint32_t x, uint32_t y)
{
    return pack_bf16(bf16_low(x) + bf16_low(y), bf16_high(x) + bf16_high(y));
}

/* Rows [first, first + 16 M) of y become C, or C is added, with 16 bytes an access: through the warp's own rows
 * `stage` of a tile, which no other warp reads any more. */
template <int M, int D>
INSTRUCTION void write_rows(rows_out y, const float (&C)[M][D / 8][4], unsigned char *stage, int first,
                            const attention &a)
{
    const int l = lane_index(), g = l / 4, t = l % 4;
    __syncwarp();
    #pragma unroll
    for (int m = 0; m < M; m++)
        #pragma unroll
        for (int n = 0; n < D / 8; n++)
            #pragma unroll
            for (int half = 0; half < 2; half++)
                shared_store_4(stage + (16 * m + 8 * half + g) * tile<D>::PITCH + 2 * (8 * n + 2 * t),
                               pack_bf16(C[m][n][2 * half], C[m][n][2 * half + 1]));
    __syncwarp();
    for (int i = l; i < 16 * M * (D / 8); i += 32) {
        const int r = i / (D / 8), c = i % (D / 8);
        if (first + r >= a.T || 8 * c >= a.d) continue;
        uint4 x = shared_load_16(stage + r * tile<D>::PITCH + 16 * c);
        bf16 *at = y.p + (long)(first + r) * y.row + 8 * c;
        if (y.add) {
            const uint4 old = load_16(at);
            x = make_uint4(add_bf16(old.x, x.x), add_bf16(old.y, x.y), add_bf16(old.z, x.z), add_bf16(old.w, x.w));
        }
        store_16(at, x);
    }
}

/* ---- the host's part ---- */

/* Which kernel for which head size: M, the others of a step, and the part of a step whose scores are in registers. */
template <int D> struct shape_of {
    static const int M_O = D <= 64 ? 2 : 1, STEP_O = 64;
    static const int M_DKV = 1, STEP_DKV = D <= 64 ? 64 : 32, PART_DKV = D <= 64 ? 64 : 32;
    static const int M_DQ = 1, STEP_DQ = D <= 64 ? 64 : 32, PART_DQ = D <= 64 ? 64 : 32;
    static const bool KEPT = D <= 64;
};
template <int D> static attn_flash_launch launch_of(attn_flash_kernel kernel, const attn_shape *s)
{
    typedef shape_of<D> of;
    const int rows = 16 * WARPS * (kernel == ATTN_FLASH_O ? of::M_O : kernel == ATTN_FLASH_DKV ? of::M_DKV : of::M_DQ);
    const int step = kernel == ATTN_FLASH_O ? of::STEP_O : kernel == ATTN_FLASH_DKV ? of::STEP_DKV : of::STEP_DQ;
    const int own = kernel == ATTN_FLASH_O ? 1 : 2, statistics = kernel == ATTN_FLASH_DKV ? 2 * step * 8 : 0;
    return { rows, step, (s->T + rows - 1) / rows * s->B * s->H,
             own * tile<D>::bytes(rows) + 4 * tile<D>::bytes(step) + (size_t)statistics };
}

/* The rest of what the host needs around a launch. */
extern "C" bool attn_flash_takes(const attn_shape *s);

template <class X> static bool aligned16(X x)
{
    return (uintptr_t)x.p % 16 == 0 && x.row % 8 == 0 && x.head % 8 == 0;
}
static inline heads16     in16 (heads x)     { return { (const bf16 *)x.p, x.row, x.head }; }
static inline heads16_out out16(heads_out x) { return { (bf16 *)x.p, x.row, x.head, x.add }; }
static inline attention attention_of(const attn_shape *s)
{
    return { (int)s->T, (int)s->H, (int)s->D, (float)(s->scale * 1.4426950408889634), (float)s->scale, s->causal };
}

static inline void check_launch(const char *what)
{
    const cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) die("CUDA: %s: %s", what, cudaGetErrorString(e));
}
static inline void check_shared(cudaError_t e, size_t bytes)
{
    if (e != cudaSuccess) die("CUDA: %zu bytes of shared memory: %s", bytes, cudaGetErrorString(e));
}
#endif
