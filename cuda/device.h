/* SPDX-License-Identifier: GPL-3.0-or-later
 * device.h - shared by all files of the CUDA backend: number types, launches, checked calls, the one context. */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H
#include <cuda_runtime_api.h>
#ifdef __cplusplus
extern "C" {
#endif
#include "src/train/formula.h"
#include "src/train/ops.h"
#include "cuda/bf16.h"
#include "cuda/layout.h"

typedef enum { CUDA_FP32, CUDA_TF32, CUDA_BF16, CUDA_PRECISIONS } cuda_precision;

/* NULL, or why there is no device to use; the first call opens it. */
const char *cuda_open(void);
const char *cuda_device_name(void);      /* "NVIDIA H200, sm_90, driver 13.0, runtime 13.0"             */
const char *gemm_open(void);             /* NULL, or why there is no library for matrix products        */
size_t cuda_memory(void);                /* its bytes                                                   */
cudaStream_t cuda_stream(void);          /* the one stream: all work is in its order                    */
bool  cuda_recording(void);              /* a graph is being recorded: nothing may synchronise          */
/* Device memory for one operation's partial results, valid until the next call; reused, and grown on demand. */
void *cuda_scratch(size_t bytes);
void  cuda_wait(void);                   /* until the stream is empty                                   */
/* From now on cuda_wait calls this while it waits: it ends the program when the stream will never be empty, because
 * another process of a sum is gone. */
void  cuda_watch(void (*watch)(void));
void  cuda_checked(cudaError_t e, const char *file, int line, const char *call);
#define CUDA(call) cuda_checked(call, __FILE__, __LINE__, #call)

/* Each file fills its slots. */
void cuda_fill_memory(ops *o, cuda_precision p);
void cuda_fill_gemm  (ops *o, cuda_precision p);
void cuda_fill_embed (ops *o, cuda_precision p);
void cuda_fill_norm  (ops *o, cuda_precision p);
void cuda_fill_activation  (ops *o, cuda_precision p);
void cuda_fill_rows  (ops *o, cuda_precision p);
void cuda_fill_loss  (ops *o, cuda_precision p);
void cuda_fill_optim (ops *o, cuda_precision p);
void cuda_fill_random(ops *o, cuda_precision p);
void cuda_fill_image (ops *o, cuda_precision p);
void cuda_fill_attn  (ops *o, cuda_precision p);
void cuda_fill_device(ops *o);           /* graph_run, graph_free                                       */

#ifdef __cplusplus
}

/* ---- in kernels ------------------------------------------------------------------------------------------ */

#include <cuda_bf16.h>
#include "cuda/launch.h"
#define CUDA_LAUNCH(kernel, grid, block, ...) \
    do { LAUNCH(kernel, grid, block, 0, cuda_stream(), __VA_ARGS__); CUDA(cudaGetLastError()); } while (0)

static __device__ inline float wide(float x) { return x; }
static __device__ inline float wide(bf16 x)  { return bf16_value(x.bits); }
static __device__ inline void  narrow_to(float *to, float x) { *to = x; }
static __device__ inline void  narrow_to(bf16 *to, float x)
{
    to->bits = __bfloat16_as_ushort(__float2bfloat16_rn(x));
}

/* N neighbours of an array of n numbers, beginning at i; packed: they are aligned, and n is a multiple of N,
 * so that they travel as one word.  Beyond the end they read as 0 and are not written. */
template <typename number, int N>
struct alignas(sizeof(number) * N < 16 ? sizeof(number) * N : 16) word { number x[N]; };
template <int N> struct alignas(N < 8 ? 2 * N : 16) word<bf16, N> { uint32_t pair[N / 2]; };   /* the first below */

template <int N> static __device__ inline void widen(float (&a)[N], const word<float, N> &w)
{
#pragma unroll
    for (int k = 0; k < N; k++) a[k] = w.x[k];
}
template <int N> static __device__ inline void widen(float (&a)[N], const word<bf16, N> &w)
{
#pragma unroll
    for (int k = 0; k < N; k++) a[k] = float_of(k % 2 ? w.pair[k / 2] & 0xffff0000u : w.pair[k / 2] << 16);
}
template <int N> static __device__ inline void narrow(word<float, N> *w, const float (&a)[N])
{
#pragma unroll
    for (int k = 0; k < N; k++) w->x[k] = a[k];
}
template <int N> static __device__ inline void narrow(word<bf16, N> *w, const float (&a)[N])
{
#pragma unroll
    for (int k = 0; k < N; k += 2)
        asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(w->pair[k / 2]) : "f"(a[k + 1]), "f"(a[k]));
}

template <int N, typename number>
static __device__ inline void load(float (&a)[N], const number *x, size_t i, size_t n, bool packed)
{
    if (packed && i < n) {
        const word<number, N> w = *reinterpret_cast<const word<number, N> *>(x + i);    /* a copy: one load, not N */
        widen(a, w);
    } else {
#pragma unroll
        for (int k = 0; k < N; k++) a[k] = i + (size_t)k < n ? wide(x[i + (size_t)k]) : 0.0f;
    }
}

template <int N, typename number>
static __device__ inline void store(number *x, size_t i, size_t n, bool packed, const float (&a)[N])
{
    if (packed && i < n) {
        word<number, N> w;
        narrow(&w, a);
        *reinterpret_cast<word<number, N> *>(x + i) = w;
    } else {
#pragma unroll
        for (int k = 0; k < N; k++) if (i + (size_t)k < n) narrow_to(&x[i + (size_t)k], a[k]);
    }
}

/* The sum over a warp, in every lane, in a fixed order. */
template <typename number> static __device__ inline number warp_sum(number x)
{
#pragma unroll
    for (int o = 16; o > 0; o /= 2) x += __shfl_xor_sync(0xffffffffu, x, o);
    return x;
}

/* packed access to N numbers at a time is possible for all of these */
static inline bool aligned(const void *x, size_t bytes) { return (uintptr_t)x % bytes == 0; }
#endif
#endif
