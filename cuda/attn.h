/* attn.h - the three ways to do attention on the device, and the choice between them.
 *
 * simple  any head size, any strides: the products and the softmax one after the other (attn_simple.cu)
 * flash   our own kernels that keep nothing of size T x T, for bfloat16
 * cudnn   cuDNN's, loaded at run time, for bfloat16
 *
 * The last two return false when they do not take the arguments, before anything is launched; then the next
 * one is asked.  All are asynchronous on `stream`, deterministic and never allocate; arguments as in ops.h. */
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
size_t attn_flash_work(const attn_shape *s);                 /* bytes; 0 when it does not take the shape  */
bool   attn_cudnn_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work,
                      void *stream);
bool   attn_cudnn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                      heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream);
size_t attn_cudnn_work(const attn_shape *s);

void   attn_simple_fwd(cuda_precision p, heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s,
                       void *work);
void   attn_simple_bwd(cuda_precision p, heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O,
                       const float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work);
size_t attn_simple_work(cuda_precision p, const attn_shape *s);

/* "simple", "flash", "cudnn" or "best" (cudnn, then flash, then simple); false: no such name. */
bool attn_choose(const char *name);
#ifdef __cplusplus
}
#endif
#endif
