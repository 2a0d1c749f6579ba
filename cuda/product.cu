/* SPDX-License-Identifier: GPL-3.0-or-later
 * product.cu - gemm: a plain tiled kernel, and the choice between it and cuBLASLt (gemm.c).
 * Reference: src/train/cpu/cpu_product.c. */
#include "cuda/device.h"
#include "cuda/product.h"

/* A block makes TILE x TILE numbers of one C: 16 x 16 threads, 2 x 2 numbers each, over DEPTH of K at a time. */
template <typename in, typename out> static __global__ void product_kernel(product p, long across, long tiles)
{
    __shared__ float a[DEPTH][TILE + 1], b[DEPTH][TILE + 1];
    const long one = blockIdx.x / tiles, tile = blockIdx.x % tiles, s = one / p.heads, h = one % p.heads;
    const long m0 = tile / across * TILE, n0 = tile % across * TILE;
    const in *A = (const in *)p.A + s * p.a.sequence + h * p.a.head;
    const in *B = (const in *)p.B + s * p.b.sequence + h * p.b.head;
    const int x = (int)threadIdx.x % 16, y = (int)threadIdx.x / 16;
    float sum[2][2] = { { 0, 0 }, { 0, 0 } };
    for (long k0 = 0; k0 < p.K; k0 += DEPTH) {
        for (int i = (int)threadIdx.x; i < TILE * DEPTH; i += 256) {
            /* neighbours in memory go to neighbours among the threads, transposed or not */
            const int am = p.tA ? i % TILE : i / DEPTH, ak = p.tA ? i / TILE : i % DEPTH;
            const int bn = p.tB ? i / DEPTH : i % TILE, bk = p.tB ? i % DEPTH : i / TILE;
            const long m = m0 + am, n = n0 + bn, ka = k0 + ak, kb = k0 + bk;
            a[ak][am] = m < p.M && ka < p.K ? wide(A[p.tA ? ka * p.a.row + m : m * p.a.row + ka]) : 0.0f;
            b[bk][bn] = n < p.N && kb < p.K ? wide(B[p.tB ? n * p.b.row + kb : kb * p.b.row + n]) : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEPTH; k++)
#pragma unroll
            for (int i = 0; i < 2; i++)
#pragma unroll
                for (int j = 0; j < 2; j++) sum[i][j] += a[k][y + 16 * i] * b[k][x + 16 * j];
        __syncthreads();
    }
    const long origin = s * p.c.sequence + h * p.c.head;
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 2; j++) {
            const long m = m0 + y + 16 * i, n = n0 + x + 16 * j, at = origin + m * p.c.row + n;
            if (m >= p.M || n >= p.N) continue;
            float made = (float)p.alpha * sum[i][j];
            if (p.beta != 0) made += (float)p.beta * wide(((const out *)p.D)[at]);
            if (p.bias)      made += wide(((const out *)p.bias)[n]);
            narrow_to((out *)p.C + at, made);
        }
}

void product_plain(const product *p)
{
    const size_t across = divided_up((size_t)p->N, TILE), tiles = across * divided_up((size_t)p->M, TILE);
    const size_t blocks = tiles * (size_t)(p->sequences * p->heads);
    REQUIRE(blocks <= INT32_MAX, "%zu blocks", blocks);
    if (blocks == 0) return;
    const unsigned grid = (unsigned)blocks;
    const long x = (long)across, n = (long)tiles;
    if (p->in == BF16 && p->out == BF16) CUDA_LAUNCH((product_kernel<bf16, bf16>), grid, 256, *p, x, n);
    else if (p->in == BF16)              CUDA_LAUNCH((product_kernel<bf16, float>), grid, 256, *p, x, n);
    else                                 CUDA_LAUNCH((product_kernel<float, float>), grid, 256, *p, x, n);
}

static bool library = true;
void product_own_only(void) { library = false; }

/* A batch of many small products is one launch of the plain kernel; cuBLASLt takes one sequence at a time. */
void product_run(const product *p)
{
    const bool small = p->M * p->N * p->K < 128L * 128 * 64;
    if (p->M == 0 || p->N == 0) return;
    if (p->sequences * p->heads > 1 && small) {
        product_plain(p);
        return;
    }
    for (long s = 0; s < p->sequences; s++) {
        product one = *p;
        const size_t in = p->in == BF16 ? 2 : 4, out = p->out == BF16 ? 2 : 4;
        one.sequences = 1;
        one.A = (const char *)p->A + (size_t)(s * p->a.sequence) * in;
        one.B = (const char *)p->B + (size_t)(s * p->b.sequence) * in;
        one.C = (char *)p->C + (size_t)(s * p->c.sequence) * out;
        if (p->D) one.D = (const char *)p->D + (size_t)(s * p->c.sequence) * out;
        if (!library || !product_lt(&one)) product_plain(&one);
    }
}

/* y = x W' + b [+ x0]: cuBLASLt or our kernel adds the bias before it rounds. */
template <cuda_precision precision>
static void linear_fwd(void *y, const void *x, const void *W, const void *b, const void *x0, long R, long width,
                       long K)
{
    product p = {};
    p.tB = true;
    p.tf32 = precision == CUDA_TF32;
    p.in = p.out = precision == CUDA_BF16 ? BF16 : F32;
    p.M = R;
    p.N = width;
    p.K = K;
    p.sequences = p.heads = 1;
    p.alpha = 1;
    p.beta = x0 ? 1 : 0;
    p.A = x;
    p.B = W;
    p.D = x0;
    p.bias = b;
    p.C = y;
    p.a.row = p.b.row = K;
    p.c.row = width;
    product_run(&p);
}

template <cuda_precision precision>
static void gemm(bool tA, bool tB, long M, long N, long K, double alpha, const void *A, long lda, const void *B,
                 long ldb, double beta, const void *D, void *C, long ldc, number_kind kind)
{
    product p = {};
    p.tA = tA;
    p.tB = tB;
    p.tf32 = precision == CUDA_TF32;
    p.in = precision == CUDA_BF16 ? BF16 : F32;
    p.out = kind == WIDE ? F32 : p.in;
    p.M = M;
    p.N = N;
    p.K = alpha == 0 ? 0 : K;                                           /* nothing of A and B is read */
    p.sequences = p.heads = 1;
    p.alpha = alpha;
    p.beta = beta;
    p.A = A;
    p.B = B;
    p.D = beta == 0 ? NULL : D;
    p.C = C;
    p.a.row = lda;
    p.b.row = ldb;
    p.c.row = ldc;
    if (p.K == 0) product_plain(&p);
    else          product_run(&p);
}

void cuda_fill_gemm(ops *o, cuda_precision p)
{
    o->gemm = p == CUDA_BF16 ? gemm<CUDA_BF16> : p == CUDA_TF32 ? gemm<CUDA_TF32> : gemm<CUDA_FP32>;
    o->linear_fwd = p == CUDA_BF16 ? linear_fwd<CUDA_BF16> : p == CUDA_TF32 ? linear_fwd<CUDA_TF32>
                                                                            : linear_fwd<CUDA_FP32>;
}
