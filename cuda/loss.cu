/* SPDX-License-Identifier: GPL-3.0-or-later
 * loss.cu - losses: cross-entropy with its gradient in place (one block per row of logits, read once from memory),
 * top-1 accuracy, squared error.  Reference: src/train/cpu/cpu_loss.c. */
#include "cuda/device.h"

/* Largest logit and sum of exponentials of a row, over the block; the same in every thread. */
static __device__ inline soft_f32 block_soft(soft_f32 s)
{
    __shared__ soft_f32 part[32];
    const unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32;
#pragma unroll
    for (int o = 16; o > 0; o /= 2)
        s = soft_merged_f32(s, soft_f32{ __shfl_xor_sync(0xffffffffu, s.top, o),
                                         __shfl_xor_sync(0xffffffffu, s.sum, o) });
    if (threadIdx.x % 32 == 0) part[warp] = s;
    __syncthreads();
    s = part[0];
    for (unsigned w = 1; w < warps; w++) s = soft_merged_f32(s, part[w]);
    return s;
}

/* exp(x), x <= 0, as exact as the logits are.  For bfloat16 2^(x / log 2) as it is: the quotient's rounding is a
 * relative error of |x| 2^-24, and x's own rounding was one of 2^-9. */
template <typename act> static __device__ inline float exp_of(float x);
template <> __device__ inline float exp_of<float>(float x) { return exp_nonpositive_f32(x); }
template <> __device__ inline float exp_of<bf16> (float x) { return exp2_f32(x * 1.44269504f); }

/* loss = -log softmax(x)[target]; x becomes factor (softmax(x) - onehot(target)). */
template <typename act>
static __global__ void loss_kernel(act *logits, double *loss, const int32_t *target, long V, float factor, bool packed)
{
    const long r = blockIdx.x;
    const size_t n = (size_t)V, step = (size_t)EACH * blockDim.x;
    const size_t t = (size_t)target[r];
    act *x = logits + r * V;
    const float wanted = wide(x[t]);
    soft_f32 s = soft_empty_f32();
    float a[EACH];
    for (size_t i = EACH * threadIdx.x; i < n; i += step) {
        load(a, x, i, n, packed);
#pragma unroll
        for (int k = 0; k < EACH; k++) if (!packed && i + (size_t)k >= n) a[k] = -INFINITY;
        soft_f32 more = soft_empty_f32();
#pragma unroll
        for (int k = 0; k < EACH; k++) more.top = fmaxf(more.top, a[k]);
#pragma unroll
        for (int k = 0; k < EACH; k++) more.sum += exp_of<act>(a[k] - more.top);
        s = soft_merged_f32(s, more);
    }
    s = block_soft(s);                                      /* no thread writes before all have read */
    if (threadIdx.x == 0) loss[r] = (double)s.top + log((double)s.sum) - (double)wanted;
    if (factor == 0) return;
    const float scale = factor / s.sum;
    for (size_t i = EACH * threadIdx.x; i < n; i += step) {
        load(a, x, i, n, packed);
#pragma unroll
        for (int k = 0; k < EACH; k++) a[k] = scale * exp_of<act>(a[k] - s.top);
        if (i <= t && t < i + EACH)
#pragma unroll
            for (int k = 0; k < EACH; k++) a[k] -= i + (size_t)k == t ? factor : 0.0f;
        store(x, i, n, packed, a);
    }
}

/* 1 where the row's largest logit is the target's; ties go to the first.  A warp takes a row. */
template <typename act>
static __global__ void top1_kernel(double *right, const act *logits, const int32_t *target, long R, long V)
{
    const long r = (long)blockIdx.x * WARPS + threadIdx.y;
    if (r >= R) return;
    float best = -INFINITY;
    int place = (int)V;
    for (int v = (int)threadIdx.x; v < V; v += 32) {
        const float x = wide(logits[r * V + v]);
        if (x > best || place == (int)V) {
            best = x;
            place = v;
        }
    }
#pragma unroll
    for (int o = 16; o > 0; o /= 2) {
        const float x = __shfl_xor_sync(0xffffffffu, best, o);
        const int v = __shfl_xor_sync(0xffffffffu, place, o);
        if (x > best || (x == best && v < place)) {
            best = x;
            place = v;
        }
    }
    if (threadIdx.x == 0) right[r] = place == target[r];
}

/* loss = |p - y|^2, norm = |y|^2, p becomes factor (p - y).  A warp takes a row; sums in double. */
template <typename act>
static __global__ void square_kernel(act *p, double *loss, double *norm, const act *y, long R, long C, float factor,
                                     bool packed)
{
    const long r = (long)blockIdx.x * WARPS + threadIdx.y;
    if (r >= R) return;
    const size_t end = (size_t)((r + 1) * C);
    double error = 0, size = 0;
    for (size_t i = (size_t)(r * C) + EACH * threadIdx.x; i < end; i += 32 * EACH) {
        float a[EACH], wanted[EACH];
        load(a, p, i, end, packed);
        load(wanted, y, i, end, packed);
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            a[k] -= wanted[k];
            error += (double)a[k] * (double)a[k];
            size += (double)wanted[k] * (double)wanted[k];
            a[k] *= factor;
        }
        if (factor != 0) store(p, i, end, packed, a);
    }
    error = warp_sum(error);
    size = warp_sum(size);
    if (threadIdx.x == 0) {
        loss[r] = error;
        norm[r] = size;
    }
}

template <typename act>
static void loss_fwdbwd(void *logits, double *loss, const int32_t *target, long R, long V, double factor)
{
    const bool packed = V % EACH == 0 && aligned(logits, 16);
    if (R) CUDA_LAUNCH(loss_kernel<act>, (unsigned)R, loss_threads(V), (act *)logits, loss, target, V, (float)factor,
                       packed);
}

template <typename act> static void top1(double *right, const void *logits, const int32_t *target, long R, long V)
{
    if (R) CUDA_LAUNCH(top1_kernel<act>, row_blocks(R), dim3(32, WARPS), right, (const act *)logits, target, R, V);
}

template <typename act>
static void square_fwdbwd(void *p, double *loss, double *norm, const void *y, long R, long C, double factor)
{
    const bool packed = C % EACH == 0 && aligned(p, 16) && aligned(y, 16);
    if (R) CUDA_LAUNCH(square_kernel<act>, row_blocks(R), dim3(32, WARPS), (act *)p, loss, norm, (const act *)y, R, C,
                       (float)factor, packed);
}

template <typename act> static void fill(ops *o)
{
    o->loss_fwdbwd = loss_fwdbwd<act>;
    o->top1 = top1<act>;
    o->square_fwdbwd = square_fwdbwd<act>;
}

void cuda_fill_loss(ops *o, cuda_precision p)
{
    if (p == CUDA_BF16) fill<bf16>(o);
    else                fill<float>(o);
}
