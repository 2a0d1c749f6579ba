/* backend.h - the GPU's tables of operations. */
#ifndef CUDA_BACKEND_H
#define CUDA_BACKEND_H
#include "src/nn/ops.h"

/* "fp32", "tf32" (products round their operands to 10 bits) or "bf16" (activations and products in bfloat16;
 * weights, gradients, means and the residual stream in float).  NULL where there is no device; then *why says
 * so in a few words. */
const ops *ops_cuda(const char *precision, const char **why);
#endif
