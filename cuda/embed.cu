/* SPDX-License-Identifier: GPL-3.0-or-later
 * embed.cu - token and position embeddings.  Reference: src/train/cpu/cpu_embed.c.
 *
 * Backward: a stable counting sort groups the rows of equal tokens, and each weight adds its rows in that order.
 * No atomics on floats, so the result is deterministic to the bit.
 *
 * The sort: every block counts the tokens of its SORT rows; per token the counts of earlier blocks are summed;
 * the totals are summed over the tokens; a row's place = tokens before + earlier blocks + earlier in its block. */
#include "cuda/device.h"

static __global__ void embed_fwd_kernel(float *y, const int32_t *tok, const float *wte, const float *wpe, long R,
                                        long T, long C, bool packed)
{
    const long r = (long)blockIdx.x * WARPS + threadIdx.y;
    const size_t n = (size_t)C;
    if (r >= R) return;
    for (size_t c = QUAD * threadIdx.x; c < n; c += 32 * QUAD) {
        float a[QUAD], b[QUAD];
        load(a, wte + tok[r] * C, c, n, packed);
        load(b, wpe + r % T * C, c, n, packed);
#pragma unroll
        for (int k = 0; k < QUAD; k++) a[k] += b[k];
        store(y + r * C, c, n, packed, a);
    }
}

static void embed_fwd(void *y, const int32_t *tok, const void *wte, const void *wpe, long R, long T, long C)
{
    const bool packed = C % QUAD == 0 && aligned(y, 16) && aligned(wte, 16) && aligned(wpe, 16);
    if (R) CUDA_LAUNCH(embed_fwd_kernel, row_blocks(R), dim3(32, WARPS), (float *)y, tok, (const float *)wte,
                       (const float *)wpe, R, T, C, packed);
}

/* ---- the sort: count[blocks][V], total[V], start[V]; order[R] --------------------------------------------- */

static __global__ void count_kernel(int32_t *count, const int32_t *tok, long R, long V)
{
    const long r = (long)blockIdx.x * SORT + threadIdx.x;
    if (r < R) atomicAdd(&count[blockIdx.x * V + tok[r]], 1);
}

/* count[k][v] becomes the number of v before block k; total[v] all of them. */
static __global__ void sum_blocks_kernel(int32_t *count, int32_t *total, long blocks, long V)
{
    const long v = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= V) return;
    int32_t sum = 0;
    for (long k = 0; k < blocks; k++) {
        const int32_t here = count[k * V + v];
        count[k * V + v] = sum;
        sum += here;
    }
    total[v] = sum;
}

/* start[v] = total[0] + ... + total[v - 1]: one block, each thread takes a range of tokens. */
static __global__ void sum_tokens_kernel(int32_t *start, const int32_t *total, long V)
{
    __shared__ int32_t before[1024];
    const long each = (V + blockDim.x - 1) / blockDim.x, from = each * threadIdx.x;
    const long to = from + each < V ? from + each : V;
    int32_t sum = 0;
    for (long v = from; v < to; v++) sum += total[v];
    before[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        int32_t all = 0;
        for (unsigned k = 0; k < blockDim.x; k++) {
            const int32_t here = before[k];
            before[k] = all;
            all += here;
        }
    }
    __syncthreads();
    sum = before[threadIdx.x];
    for (long v = from; v < to; v++) {
        start[v] = sum;
        sum += total[v];
    }
}

static __global__ void place_kernel(int32_t *order, const int32_t *count, const int32_t *start, const int32_t *tok,
                                    long R, long V)
{
    __shared__ int32_t here[SORT];
    const long r = (long)blockIdx.x * SORT + threadIdx.x;
    const int32_t mine = r < R ? tok[r] : -1;
    here[threadIdx.x] = mine;
    __syncthreads();
    if (r >= R) return;
    int32_t earlier = 0;
    for (unsigned k = 0; k < threadIdx.x; k++) earlier += here[k] == mine;
    order[start[mine] + count[blockIdx.x * V + mine] + earlier] = (int32_t)r;
}

/* ---- the sums --------------------------------------------------------------------------------------------- */

/* The block of the first row of a token, in sorted order, adds all its rows: eight warps every eighth row each,
 * then the eight sums one after the other.  The other blocks have nothing to do. */
static __global__ void token_sums_kernel(float *dwte, const float *dy, const int32_t *order, const int32_t *start,
                                         const int32_t *total, const int32_t *tok, long C)
{
    __shared__ float part[WARPS][COLUMNS];
    const int32_t v = tok[order[blockIdx.x]], from = start[v], n = total[v];
    if (from != (int32_t)blockIdx.x) return;
    float sum[COLUMNS / 32] = { 0 };
    for (int32_t i = (int32_t)threadIdx.y; i < n; i += WARPS) {
        const float *row = dy + order[from + i] * C;
#pragma unroll
        for (int k = 0; k < COLUMNS / 32; k++) {
            const long c = (long)blockIdx.y * COLUMNS + 32 * k + threadIdx.x;
            if (c < C) sum[k] += row[c];
        }
    }
#pragma unroll
    for (int k = 0; k < COLUMNS / 32; k++) part[threadIdx.y][32 * k + threadIdx.x] = sum[k];
    __syncthreads();
    const long t = (long)(threadIdx.y * 32 + threadIdx.x), c = (long)blockIdx.y * COLUMNS + t;
    if (t >= COLUMNS || c >= C) return;
    float all = 0;
    for (int w = 0; w < WARPS; w++) all += part[w][t];
    dwte[v * C + c] += all;
}

/* dwpe[t] += dy[b T + t] over b, in their order. */
static __global__ void position_sums_kernel(float *dwpe, const float *dy, long R, long T, long C)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= T * C) return;
    float sum = 0;
    for (long at = i; at < R * C; at += T * C) sum += dy[at];
    dwpe[i] += sum;
}

static void embed_bwd(void *dwte, void *dwpe, const void *dy, const int32_t *tok, long R, long T, long C, long V)
{
    if (R == 0) return;
    const size_t blocks = divided_up((size_t)R, SORT);
    int32_t *count = (int32_t *)cuda_scratch((blocks * (size_t)V + 2 * (size_t)V + (size_t)R) * sizeof(int32_t));
    int32_t *total = count + blocks * (size_t)V, *start = total + V, *order = start + V;
    CUDA(cudaMemsetAsync(count, 0, blocks * (size_t)V * sizeof(int32_t), cuda_stream()));
    CUDA_LAUNCH(count_kernel, (unsigned)blocks, SORT, count, tok, R, V);
    CUDA_LAUNCH(sum_blocks_kernel, (unsigned)divided_up((size_t)V, THREADS), THREADS, count, total, (long)blocks, V);
    CUDA_LAUNCH(sum_tokens_kernel, 1, V < 1024 ? 32 : 1024, start, (const int32_t *)total, V);
    CUDA_LAUNCH(place_kernel, (unsigned)blocks, SORT, order, (const int32_t *)count, (const int32_t *)start, tok, R, V);
    CUDA_LAUNCH(token_sums_kernel, dim3((unsigned)R, (unsigned)divided_up((size_t)C, COLUMNS)), dim3(32, WARPS),
                (float *)dwte, (const float *)dy, (const int32_t *)order, (const int32_t *)start,
                (const int32_t *)total, tok, C);
    CUDA_LAUNCH(position_sums_kernel, (unsigned)divided_up((size_t)(T * C), THREADS), THREADS, (float *)dwpe,
                (const float *)dy, R, T, C);
}

void cuda_fill_embed(ops *o, cuda_precision p)
{
    (void)p;
    o->embed_fwd = embed_fwd;
    o->embed_bwd = embed_bwd;
}
