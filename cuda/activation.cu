/* SPDX-License-Identifier: GPL-3.0-or-later
 * activation.cu - elementwise operations: GELU, ReLU, sums, biases.  A thread handles EACH consecutive numbers.
 * Reference: src/train/cpu/cpu_activation.c. */
#include "cuda/device.h"

static __device__ inline size_t first(void) { return EACH * ((size_t)blockIdx.x * blockDim.x + threadIdx.x); }

template <typename act>
static __global__ void activation_fwd_kernel(act *y, const act *x, size_t n, activation_kind kind, bool packed)
{
    const size_t i = first();
    float a[EACH];
    if (i >= n) return;
    load(a, x, i, n, packed);
#pragma unroll
    for (int k = 0; k < EACH; k++) a[k] = kind == ACTIVATION_GELU ? gelu_f32(a[k]) : a[k] > 0 ? a[k] : 0.0f;
    store(y, i, n, packed, a);
}

template <typename act>
static __global__ void activation_bwd_kernel(act *dx, const act *dy, const act *x, size_t n, activation_kind kind,
                                             bool packed)
{
    const size_t i = first();
    float a[EACH], d[EACH];
    if (i >= n) return;
    load(a, x, i, n, packed);
    load(d, dy, i, n, packed);
#pragma unroll
    for (int k = 0; k < EACH; k++) d[k] = kind == ACTIVATION_GELU ? d[k] * dgelu_f32(a[k]) : a[k] > 0 ? d[k] : 0.0f;
    store(dx, i, n, packed, d);
}

template <typename act> static __global__ void add_kernel(float *y, const act *x, size_t n, bool packed)
{
    const size_t i = first();
    float a[EACH], b[EACH];
    if (i >= n) return;
    load(a, y, i, n, packed);
    load(b, x, i, n, packed);
#pragma unroll
    for (int k = 0; k < EACH; k++) a[k] += b[k];
    store(y, i, n, packed, a);
}

/* y[r] += b; packed: C is a multiple of EACH, so that a thread's numbers are in one row. */
template <typename act> static __global__ void bias_fwd_kernel(act *y, const float *b, size_t n, long C, bool packed)
{
    const size_t i = first();
    const size_t width = (size_t)C, c = i % width;
    float a[EACH], add[EACH];
    if (i >= n) return;
    load(a, y, i, n, packed);
    if (packed) load(add, b, c, width, true);
#pragma unroll
    for (int k = 0; k < EACH; k++) a[k] += packed ? add[k] : b[(c + (size_t)k) % width];
    store(y, i, n, packed, a);
}

static bool packs(size_t n, const void *x, const void *y) { return n % EACH == 0 && aligned(x, 16) && aligned(y, 16); }

template <typename act> static void activation_fwd(void *y, const void *x, size_t n, activation_kind kind)
{
    if (n) CUDA_LAUNCH(activation_fwd_kernel<act>, blocks_of(n), THREADS, (act *)y, (const act *)x, n, kind,
                       packs(n, x, y));
}

template <typename act> static void activation_bwd(void *dx, const void *dy, const void *x, size_t n,
                                                  activation_kind kind)
{
    const bool packed = packs(n, dx, dy) && aligned(x, 16);
    if (n) CUDA_LAUNCH(activation_bwd_kernel<act>, blocks_of(n), THREADS, (act *)dx, (const act *)dy, (const act *)x, n,
                       kind, packed);
}

template <typename act> static void add(void *y, const void *x, size_t n)
{
    if (n) CUDA_LAUNCH(add_kernel<act>, blocks_of(n), THREADS, (float *)y, (const act *)x, n, packs(n, x, y));
}

template <typename act> static void bias_fwd(void *y, const void *b, long R, long C)
{
    const size_t n = (size_t)(R * C);
    const bool packed = C % EACH == 0 && aligned(y, 16) && aligned(b, 16);
    if (n) CUDA_LAUNCH(bias_fwd_kernel<act>, blocks_of(n), THREADS, (act *)y, (const float *)b, n, C, packed);
}

template <typename act> static void fill(ops *o)
{
    o->activation_fwd = activation_fwd<act>;
    o->activation_bwd = activation_bwd<act>;
    o->add = add<act>;
    o->bias_fwd = bias_fwd<act>;
}

void cuda_fill_activation(ops *o, cuda_precision p)
{
    if (p == CUDA_BF16) fill<bf16>(o);
    else                fill<float>(o);
}
