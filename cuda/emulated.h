/* emulated.h - CUDA on the CPU, for tests: kernels compiled by a C++ compiler and run thread by thread.
 *
 * The threads of a block are fibers; each runs until it meets a barrier or an exchange within its warp.  They
 * run in order or in reverse, and so do the blocks: a kernel whose bits depend on that has a race.  A barrier
 * that not all threads reach ends the program, and so does an exchange of unequal threads.  Memory is the
 * CPU's, so that the sanitizers see every access.                                                          */
#ifndef CUDA_EMULATED_H
#define CUDA_EMULATED_H
#include <stdlib.h>
#include <string.h>
#define __global__
#define __device__
#define __host__
#define __shared__ static

typedef void *cudaStream_t;
typedef int cudaError_t;
enum { cudaSuccess, cudaErrorMemoryAllocation };
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
static inline cudaError_t cudaFree(void *x)                    { free(x); return cudaSuccess; }
static inline cudaError_t cudaMemsetAsync(void *x, int value, size_t bytes, cudaStream_t s)
{
    (void)s;
    memset(x, value, bytes);
    return cudaSuccess;
}
static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t s)
{
    (void)s;
    (void)kind;
    memcpy(to, from, bytes);
    return cudaSuccess;
}

#ifdef __cplusplus
#include <functional>
#include <stdint.h>
template <typename T> static inline cudaError_t cudaMalloc(T **x, size_t bytes)
{
    *x = (T *)malloc(bytes);
    return *x ? cudaSuccess : cudaErrorMemoryAllocation;
}

struct uint3 { unsigned x, y, z; };
struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

void emulate(dim3 grid, dim3 block, const std::function<void()> &kernel);
void emulate_reversed(bool reversed);
void __syncthreads();
void __syncwarp();
/* Writes `bytes` of x where the warp sees them, and reads what `lane` wrote. */
void emulate_exchange(void *to, const void *x, size_t bytes, unsigned lane);
unsigned emulate_lane(void);

template <typename T> static inline T __shfl_xor_sync(unsigned mask, T x, int o)
{
    T other;
    (void)mask;
    emulate_exchange(&other, &x, sizeof x, emulate_lane() ^ (unsigned)o);
    return other;
}
static inline int32_t atomicAdd(int32_t *x, int32_t by)
{
    const int32_t old = *x;
    *x += by;
    return old;
}
#endif
#endif
