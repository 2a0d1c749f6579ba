/* SPDX-License-Identifier: GPL-3.0-or-later
 * backend.h - the GPU's tables of operations.
 *
 * A process uses one GPU and one stream: the one that CUDA_VISIBLE_DEVICES leaves, or that of its rank on this machine
 * where mpirun or srun started it.  Small models leave most of a GPU idle: run several processes side by side on it
 * (`make -j4` over a list of runs, say; NVIDIA's MPS lets their kernels overlap). */
#ifndef CUDA_BACKEND_H
#define CUDA_BACKEND_H
#include "src/train/ops.h"

/* "fp32", "tf32" (products round their operands to 10 bits) or "bf16" (activations and products in bfloat16;
 * weights, gradients, means and the residual stream in float).  NULL without a device; *why then says so in
 * a few words. */
const ops *ops_cuda(const char *precision, const char **why);
#endif
