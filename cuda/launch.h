/* SPDX-License-Identifier: GPL-3.0-or-later
 * launch.h - LAUNCH(kernel, grid, block, shared_bytes, stream, arguments...): <<< >>>; and LARGE_SHARED(kernel, bytes),
 * before a launch with more than 48 KiB of shared memory.  Tests without a GPU have their own: tests/ptx/launch.h. */
#ifndef CUDA_LAUNCH_H
#define CUDA_LAUNCH_H
#include <cuda_runtime.h>
#ifndef LAUNCH
#define LAUNCH(kernel, grid, block, shared, stream, ...) \
    (kernel)<<<grid, block, shared, (cudaStream_t)(stream)>>>(__VA_ARGS__)
#define LARGE_SHARED(kernel, bytes) \
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(bytes))
#endif
#endif
