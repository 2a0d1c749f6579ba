/* launch.h - LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...): <<< >>> on a device, else fibers. */
#ifndef CUDA_LAUNCH_H
#define CUDA_LAUNCH_H
#ifdef __CUDACC__
#include <cuda_runtime.h>
#define LAUNCH(kernel, grid, block, shared, stream, ...) \
    (kernel)<<<grid, block, shared, (cudaStream_t)(stream)>>>(__VA_ARGS__)
#elif !defined LAUNCH                    /* tests/ptx/launch.h has its own */
#include "cuda/emulate.h"
#define LAUNCH(kernel, grid, block, shared, stream, ...) \
    ((void)(stream), emulated_run(grid, block, shared, [&] { (kernel)(__VA_ARGS__); }))
#endif
#endif
