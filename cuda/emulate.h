/* emulate.h - CUDA kernels on the host, so that their arithmetic and their addresses are tested without a GPU.
 *
 * A .cu file compiles as ordinary C++ where __CUDACC__ is not defined:
 *   g++ -x c++ -std=c++17 -fno-exceptions -fno-rtti -I. -c kernel.cu
 * Launches are written with LAUNCH (cuda/launch.h) instead of <<< >>>.
 * Every thread of a block is a fiber; blocks run one after the other.  A fiber runs until it meets a barrier or
 * an instruction of the whole warp (shuffle, mma, ldmatrix); the last of the 32 lanes to arrive does the work for
 * all.  emulate_order() chooses the order in which blocks, warps and lanes run: a kernel whose bits depend on it
 * has a race.
 *
 * What is checked, when memory is accessed through load_*, store_*, copy_async_16 and ldmatrix of warp.h:
 *   every global address is inside a buffer that the test named by emulate_buffer, is aligned, and is not written when
 *   it is read-only; no two blocks of a launch write one place, nor does one read what another wrote;
 *   no shared word is read before it was written, while an asynchronous copy to it is pending, or in a race:
 *   written by one thread and accessed by another without a barrier between them (__syncthreads, or __syncwarp
 *   inside a warp).  Asynchronous copies complete as late as they may: when their thread waits for them.
 * Ordinary pointers work, too (static __shared__ arrays, global memory); of them the sanitizers see every access.
 * Each violation counts as a fault: emulate_faults() must be 0, emulate_fault() tells the first; after
 * emulate_strict(true) the first fault ends the program.                                                     */
#ifndef CUDA_EMULATE_H
#define CUDA_EMULATE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- for tests ---- */
void        emulate_buffer(const void *p, size_t bytes, bool writable);   /* kernels may access this memory      */
void        emulate_forget(void);                                         /* all buffers and faults              */
void        emulate_order (unsigned order);       /* 0 ascending, 1 descending, others: shuffled by this number  */
void        emulate_strict(bool strict);          /* a fault is a broken contract                         */
long        emulate_faults(void);
const char *emulate_fault (void);                                         /* the first one, or ""                */
long        emulate_launches(void);                                       /* how many kernels ran so far         */

/* ---- the runtime's types and calls that host code uses; memory is the host's ---- */
typedef void *cudaStream_t;
typedef enum { cudaSuccess, cudaErrorMemoryAllocation } cudaError_t;
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
static inline cudaError_t cudaFree(void *x) { free(x); return cudaSuccess; }
static inline cudaError_t cudaGetLastError(void) { return cudaSuccess; }
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

/* ---- the engine, for warp.h and the macros below ---- */
typedef struct { unsigned x, y, z; } emulated_dim;
typedef struct { emulated_dim thread, block, threads, blocks; } emulated_place;
typedef void emulated_warp(void *const lane[32]);

extern emulated_place *emulated_here;                                     /* of the fiber that runs              */
void  emulate_launch(emulated_dim blocks, emulated_dim threads, size_t shared, void (*kernel)(void *), void *with);
unsigned char *emulate_shared(void);                                      /* dynamic; aligned to 128 bytes       */
void  emulate_block_sync(void);
int   emulate_block_any (int value);                                      /* a barrier; nonzero if any value is  */
void  emulate_warp_sync (void);
void  emulate_warp_do(emulated_warp *all, void *mine);    /* the last lane runs all(operands of the 32 lanes)     */
void  emulate_load (void *to, const void *from, size_t bytes);            /* global -> registers                 */
void  emulate_store(void *to, const void *from, size_t bytes);            /* registers -> global                 */
void  emulate_shared_load (void *to, const void *from, size_t bytes);
void  emulate_shared_store(void *to, const void *from, size_t bytes);
void  emulate_shared_load_by(int lane, void *to, const void *from, size_t bytes);  /* as another lane of this warp */
void  emulate_copy_async(void *to, const void *from, size_t bytes, size_t valid);  /* the rest becomes 0          */
void  emulate_copy_commit(void);
void  emulate_copy_wait(int groups);                                      /* all but the last `groups` are done   */
#ifdef __cplusplus
}

/* ---- CUDA's words ---- */
#include <math.h>
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __shared__      static           /* blocks run one after the other */
#define __constant__    static
#define __launch_bounds__(...)
#define __align__(n)    alignas(n)
#define threadIdx       (emulated_here->thread)
#define blockIdx        (emulated_here->block)
#define blockDim        (emulated_here->threads)
#define gridDim         (emulated_here->blocks)

struct dim3 {
    unsigned x, y, z;
    dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) { }
};
struct alignas(8)  float2 { float x, y; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(8)  uint2  { unsigned x, y; };
struct alignas(16) uint4  { unsigned x, y, z, w; };
inline float2 make_float2(float x, float y) { return { x, y }; }
inline float4 make_float4(float x, float y, float z, float w) { return { x, y, z, w }; }
inline uint4  make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return { x, y, z, w }; }
template <class T> inline cudaError_t cudaMalloc(T **x, size_t bytes)
{
    *x = (T *)malloc(bytes);
    return *x ? cudaSuccess : cudaErrorMemoryAllocation;
}

inline void __syncthreads(void) { emulate_block_sync(); }
inline int  __syncthreads_or(int value) { return emulate_block_any(value); }
inline void __syncwarp(unsigned = 0xffffffffu) { emulate_warp_sync(); }

template <class T> inline T emulated_exchange(T value, int from)          /* from: the lane whose value comes back */
{
    struct one { T value, result; int from; } mine = { value, value, from };
    emulate_warp_do([](void *const lane[32]) {
        for (int l = 0; l < 32; l++) {
            one *o = (one *)lane[l];
            o->result = ((one *)lane[o->from & 31])->value;
        }
    }, &mine);
    return mine.result;
}
inline int emulated_lane(void)
{
    return (int)((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
}
template <class T> inline T __shfl_sync(unsigned, T value, int lane, int width = 32)
{
    const int l = emulated_lane();
    return emulated_exchange(value, (l & ~(width - 1)) | (lane & (width - 1)));
}
template <class T> inline T __shfl_xor_sync(unsigned, T value, int mask, int width = 32)
{
    const int l = emulated_lane(), from = l ^ mask;
    return emulated_exchange(value, (from & ~(width - 1)) <= (l & ~(width - 1)) ? from : l);
}
template <class T> inline T __shfl_down_sync(unsigned, T value, unsigned by, int width = 32)
{
    const int l = emulated_lane(), from = l + (int)by;
    return emulated_exchange(value, (from & ~(width - 1)) == (l & ~(width - 1)) ? from : l);
}
template <class T> inline T __shfl_up_sync(unsigned, T value, unsigned by, int width = 32)
{
    const int l = emulated_lane(), from = l - (int)by;
    return emulated_exchange(value, from >= (l & ~(width - 1)) ? from : l);
}

inline float  __expf(float x)  { return expf(x); }
inline float  __logf(float x)  { return logf(x); }
inline float  rsqrtf(float x)  { return (float)(1 / sqrt((double)x)); }
inline float  __fdividef(float x, float y) { return x / y; }
inline float  __int_as_float(int x)   { float y; memcpy(&y, &x, 4); return y; }
inline int    __float_as_int(float x) { int y; memcpy(&y, &x, 4); return y; }
inline float  __uint_as_float(unsigned x) { float y; memcpy(&y, &x, 4); return y; }
inline unsigned __float_as_uint(float x)  { unsigned y; memcpy(&y, &x, 4); return y; }
inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((uint64_t)a * b) >> 32); }
template <class T> inline T __ldg(const T *p) { return *p; }
template <class T> inline T atomicAdd(T *p, T x) { const T old = *p; *p = old + x; return old; }  /* no preemption */
template <class T> inline T min(T a, T b) { return b < a ? b : a; }
template <class T> inline T max(T a, T b) { return a < b ? b : a; }

template <class F> inline void emulated_kernel(void *f) { (*(F *)f)(); }
template <class F> inline void emulated_run(dim3 grid, dim3 block, size_t shared, F f)
{
    emulate_launch({ grid.x, grid.y, grid.z }, { block.x, block.y, block.z }, shared, emulated_kernel<F>, &f);
}
#endif
#endif
