/* SPDX-License-Identifier: GPL-3.0-or-later
 * attn.h - the three attention implementations on the device, and the choice between them.
 *
 * simple  any head size, any strides: products and softmax as separate kernels (attn_simple.cu)
 * flash   our fused kernels without a T x T matrix in memory, for bfloat16
 * cudnn   cuDNN's, loaded at run time, for bfloat16
 *
 * The last two decline unsupported arguments: they return false before anything is launched, the one above is tried,
 * and the run's log says so.  All are asynchronous on `stream` and deterministic, and none allocates; arguments as in
 * ops.h. */
#ifndef CUDA_ATTN_H
#define CUDA_ATTN_H
#include "cuda/device.h"
#ifdef __cplusplus
extern "C" {
#endif

bool   attn_flash_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work,
                      void *stream);
bool   attn_flash_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                      heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream);
size_t attn_flash_work(const attn_shape *s);                 /* bytes; 0 when the shape is not supported  */
bool   attn_cudnn_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work,
                      void *stream);
bool   attn_cudnn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                      heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream);
size_t attn_cudnn_work(const attn_shape *s);
const char *attn_cudnn_why(void);                            /* why the last of these said no             */

void   attn_simple_fwd(cuda_precision p, heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s,
                       void *work);
void   attn_simple_bwd(cuda_precision p, heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O,
                       const float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work);
size_t attn_simple_work(cuda_precision p, const attn_shape *s);

/* "simple", "flash" (else simple), "cudnn" (else flash, else simple) or "best" (cudnn for sequences of 1,024 positions
 * and more, flash for shorter ones); false: no such name. */
bool attn_choose(const char *name);
#ifdef __cplusplus
}
#endif
#endif
