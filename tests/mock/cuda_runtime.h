/* SPDX-License-Identifier: GPL-3.0-or-later
 * cuda_runtime.h - CUDA's words in C++, declared so that a C++ compiler reads kernels; what they do is left to what runs the
 * kernels' PTX (tests/ptx).  No code is made of a kernel: nothing on the host calls one. */
#ifndef MOCK_CUDA_RUNTIME_H
#define MOCK_CUDA_RUNTIME_H
#include <math.h>
#include <cuda_runtime_api.h>
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

struct uint3 { unsigned x, y, z; };
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) { }
};
struct alignas(8)  float2 { float x, y; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) uint4  { unsigned x, y, z, w; };
float2 make_float2(float x, float y);
float4 make_float4(float x, float y, float z, float w);
uint4  make_uint4(unsigned x, unsigned y, unsigned z, unsigned w);

extern const uint3 threadIdx, blockIdx;
extern const dim3  blockDim, gridDim;
void __syncthreads(void);
void __syncwarp(unsigned lanes = 0xffffffffu);
template <class T> T __shfl_xor_sync(unsigned lanes, T value, int with, int width = 32);
template <class T> T atomicAdd(T *to, T x);
template <class T> T min(T a, T b);
template <class T> T max(T a, T b);
float    rsqrtf(float x);
float    __uint_as_float(unsigned x);
size_t   __cvta_generic_to_shared(const void *p);
#endif
