/* SPDX-License-Identifier: GPL-3.0-or-later
 * rows.cu - pooling over positions: the mean, or one selected position.  Reference: src/train/cpu/cpu_rows.c. */
#include "cuda/device.h"

/* y[b] = mean of x[b,t] over t, in double as on the CPU. */
template <typename act> static __global__ void mean_fwd_kernel(act *y, const float *x, long B, long T, long C)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= B * C) return;
    const long b = i / C, c = i % C;
    double sum = 0;
    for (long t = 0; t < T; t++) sum += (double)x[(b * T + t) * C + c];
    narrow_to(&y[i], (float)(sum / (double)T));
}

template <typename act> static __global__ void mean_bwd_kernel(float *dx, const act *dy, long B, long T, long C)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= B * T * C) return;
    dx[i] += wide(dy[i / C / T * C + i % C]) / (float)T;
}

template <typename act>
static __global__ void select_token_fwd_kernel(act *y, const float *x, long B, long T, long C, long t)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * C) narrow_to(&y[i], x[(i / C * T + t) * C + i % C]);
}

template <typename act>
static __global__ void select_token_bwd_kernel(float *dx, const act *dy, long B, long T, long C, long t)
{
    const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < B * C) dx[(i / C * T + t) * C + i % C] += wide(dy[i]);
}

static unsigned blocks_for(long n)
{
    const size_t blocks = divided_up((size_t)n, THREADS);
    REQUIRE(blocks <= INT32_MAX, "%ld numbers", n);
    return (unsigned)blocks;
}

template <typename act> static void mean_fwd(void *y, const void *x, long B, long T, long C)
{
    if (B) CUDA_LAUNCH(mean_fwd_kernel<act>, blocks_for(B * C), THREADS, (act *)y, (const float *)x, B, T, C);
}
template <typename act> static void mean_bwd(void *dx, const void *dy, long B, long T, long C)
{
    if (B) CUDA_LAUNCH(mean_bwd_kernel<act>, blocks_for(B * T * C), THREADS, (float *)dx, (const act *)dy, B, T, C);
}
template <typename act> static void select_token_fwd(void *y, const void *x, long B, long T, long C, long t)
{
    if (B) CUDA_LAUNCH(select_token_fwd_kernel<act>, blocks_for(B * C), THREADS, (act *)y, (const float *)x,
                       B, T, C, t);
}
template <typename act> static void select_token_bwd(void *dx, const void *dy, long B, long T, long C, long t)
{
    if (B) CUDA_LAUNCH(select_token_bwd_kernel<act>, blocks_for(B * C), THREADS, (float *)dx, (const act *)dy,
                       B, T, C, t);
}

template <typename act> static void fill(ops *o)
{
    o->mean_fwd = mean_fwd<act>;
    o->mean_bwd = mean_bwd<act>;
    o->select_token_fwd = select_token_fwd<act>;
    o->select_token_bwd = select_token_bwd<act>;
}

void cuda_fill_rows(ops *o, cuda_precision p)
{
    if (p == CUDA_BF16) fill<bf16>(o);
    else                fill<float>(o);
}
