/* launch.h - LAUNCH for the host's half of the kernels' files when kernels are run from their PTX; included before everything else.
 * The kernel is found by its name as in cuda/kernels.txt, and its arguments have the types that it declares. */
#ifndef TESTS_PTX_LAUNCH_H
#define TESTS_PTX_LAUNCH_H
#include "cuda/emulate.h"
#include "tests/ptx/memory.h"
#ifdef __cplusplus
extern "C"
#endif
void ptx_launch(const char *name, emulated_dim blocks, emulated_dim threads, size_t shared, const void *const *argument,
                const size_t *bytes, size_t n);
#ifdef __cplusplus
#include <stdlib.h>
#include <string.h>

/* "... K = add_kernel<bf16>]" -> add_kernel<bf16> */
inline const char *ptx_name_in(const char *pretty)
{
    static char name[128];
    const char *s = strstr(pretty, "K = ") + 4;
    size_t n = 0;
    for (; *s && *s != ']' && *s != ';' && n + 1 < sizeof name; s++)
        if (*s != ' ' && *s != '&' && *s != '(' && *s != ')') name[n++] = *s;
    name[n] = 0;
    return name;
}
template <auto *K> const char *ptx_name(void) { return ptx_name_in(__PRETTY_FUNCTION__); }
template <class T> struct ptx_same { typedef T type; };
template <class... P>
void ptx_run(const char *name, void (*)(P...), dim3 grid, dim3 block, size_t shared, typename ptx_same<P>::type... p)
{
    const void *const argument[] = { &p... };
    const size_t bytes[] = { sizeof p... };
    ptx_launch(name, { grid.x, grid.y, grid.z }, { block.x, block.y, block.z }, shared, argument, bytes, sizeof...(P));
}
#define LAUNCH(kernel, grid, block, shared, stream, ...) \
    ((void)(stream), ptx_run(ptx_name<(kernel)>(), kernel, grid, block, shared, __VA_ARGS__))

/* Device memory is the host's, and known to the interpreter. */
inline cudaError_t ptx_malloc(void **x, size_t bytes)
{
    *x = calloc(bytes, 1);
    if (*x) memory_scratch(*x, bytes);
    return *x ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t ptx_free(void *x)
{
    if (x) memory_remove(x);
    free(x);
    return cudaSuccess;
}
inline cudaError_t ptx_memset(void *x, int value, size_t bytes, cudaStream_t s)
{
    memory_written(x, bytes);
    return cudaMemsetAsync(x, value, bytes, s);
}
inline cudaError_t ptx_memcpy(void *to, const void *from, size_t bytes, int kind, cudaStream_t s)
{
    memory_written(to, bytes);
    return cudaMemcpyAsync(to, from, bytes, kind, s);
}
#define cudaMalloc(x, bytes) ptx_malloc((void **)(x), bytes)
#define cudaFree        ptx_free
#define cudaMemsetAsync ptx_memset
#define cudaMemcpyAsync ptx_memcpy
#endif
#endif
