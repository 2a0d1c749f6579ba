/* SPDX-License-Identifier: GPL-3.0-or-later
 * launch.h - launches that run a kernel from its PTX.  For the kernels' own files, which are compiled for the host with this
 * before everything else, LAUNCH and LARGE_SHARED of cuda/launch.h: the kernel is found by its name as in cuda/kernels.txt,
 * and its arguments have the types that it declares. */
#ifndef TESTS_PTX_LAUNCH_H
#define TESTS_PTX_LAUNCH_H
#include <stdbool.h>
#include <stddef.h>
#ifdef __cplusplus
#include <cuda_runtime.h>
#include <stdlib.h>
#include <string.h>
extern "C" {
#endif
typedef struct { unsigned x, y, z; } ptx_dim;
void ptx_launch(const char *name, ptx_dim blocks, ptx_dim threads, size_t shared, const void *const *argument,
                const size_t *bytes, size_t n);
/* From now on the kernel may have so many bytes of dynamic shared memory; false: no GPU gives a block as many. */
bool ptx_large_shared(const char *name, size_t bytes);

/* ---- for tests */
void        ptx_order (unsigned order);  /* of blocks, warps and lanes: 0 ascending, 1 descending, others: drawn */
void        ptx_strict(bool strict);     /* a fault is a broken contract                                         */
void        ptx_forget(void);            /* all buffers and faults                                               */
long        ptx_faults(void);
const char *ptx_first_fault(void);       /* or ""                                                                */
long        ptx_launches(void);          /* how many kernels ran so far                                          */
#ifdef __cplusplus
}

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
template <class F> struct ptx_kernel_of;
template <class... P> struct ptx_kernel_of<void(P...)> {
    static void run(const char *name, dim3 grid, dim3 block, size_t shared, P... p)
    {
        const void *const argument[] = { &p... };
        const size_t bytes[] = { sizeof p... };
        ptx_launch(name, { grid.x, grid.y, grid.z }, { block.x, block.y, block.z }, shared, argument, bytes, sizeof...(P));
    }
};
/* Only the kernel's name and type are taken, so that the compiler makes no code of it. */
#define LAUNCH(kernel, grid, block, shared, stream, ...) \
    ((void)(stream), ptx_kernel_of<std::remove_const_t<std::remove_pointer_t<std::decay_t<decltype(kernel)>>>>::run( \
        ptx_name<(kernel)>(), grid, block, shared, __VA_ARGS__))
#define LARGE_SHARED(kernel, bytes) (ptx_large_shared(ptx_name<(kernel)>(), bytes) ? cudaSuccess : cudaErrorMemoryAllocation)
#include <type_traits>
#endif
#endif
