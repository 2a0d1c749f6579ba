/* SPDX-License-Identifier: GPL-3.0-or-later
 * optim.cu - the norm of the gradient and the AdamW update, over flat arrays.  Reference: src/train/cpu/cpu_optim.c. */
#include "cuda/device.h"

/* The sum of squares of a block's numbers, in double: every thread its own, then warps, then their sums. */
static __device__ inline double block_sum(double x)
{
    __shared__ double part[32];
    x = warp_sum(x);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
    __syncthreads();
    double sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; w++) sum += part[w];
    return sum;
}

static __global__ void sumsq_kernel(double *part, const float *x, size_t n, size_t each)
{
    const size_t from = blockIdx.x * each, to = from + each < n ? from + each : n;
    double sum = 0;
    for (size_t i = from + threadIdx.x; i < to; i += blockDim.x) sum += (double)x[i] * (double)x[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) part[blockIdx.x] = sum;
}

static __global__ void sum_parts_kernel(double *sum, const double *part, size_t n)
{
    double mine = 0;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) mine += part[i];
    mine = block_sum(mine);
    if (threadIdx.x == 0) *sum = mine;
}

static double sumsq(const void *x, size_t n)
{
    if (n == 0) return 0;
    const number_cut cut = cut_numbers(n);
    double *part = (double *)cuda_scratch((cut.parts + 1) * sizeof(double)), sum = NAN;
    CUDA_LAUNCH(sumsq_kernel, (unsigned)cut.parts, THREADS, part, (const float *)x, n, cut.each);
    CUDA_LAUNCH(sum_parts_kernel, 1, THREADS, part + cut.parts, (const double *)part, cut.parts);
    CUDA(cudaMemcpyAsync(&sum, part + cut.parts, sizeof sum, cudaMemcpyDeviceToHost, cuda_stream()));
    cuda_wait();
    return sum;
}

/* Whether weight i decays: whether the edges at i and before it are an even number. */
static __device__ bool decays(const adamw_step &s, size_t i)
{
    long from = 0, to = s.edges;                            /* edge[from - 1] <= i < edge[to] */
    while (from < to) {
        const long half = (from + to) / 2;
        if (s.edge[half] <= i) from = half + 1;
        else                   to = half;
    }
    return from % 2 == 0;
}

static __global__ void adamw_kernel(float *w, float *m, float *v, const float *g, size_t n, adamw_step s)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double mean = (double)m[i], square = (double)v[i];
    w[i] = (float)adamw_one((double)w[i], &mean, &square, (double)g[i] * s.gradient, s.lr, s.beta1, s.beta2, s.eps,
                            decays(s, i) ? s.decay : 0, s.bias1, s.bias2);
    m[i] = (float)mean;
    v[i] = (float)square;
}

static void adamw(void *w, void *m, void *v, const void *g, size_t n, const adamw_step *s)
{
    const size_t blocks = divided_up(n, THREADS);
    REQUIRE(blocks <= INT32_MAX, "%zu weights", n);
    if (n) CUDA_LAUNCH(adamw_kernel, (unsigned)blocks, THREADS, (float *)w, (float *)m, (float *)v,
                       (const float *)g, n, *s);
}

void cuda_fill_optim(ops *o, cuda_precision p)
{
    (void)p;
    o->sumsq = sumsq;
    o->adamw = adamw;
}
