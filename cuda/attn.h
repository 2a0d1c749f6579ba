/* attn.h - the three ways to do attention on the device, and the choice between them.
 *
 * simple  any head size, any strides: the products and the softmax one after the other (attn_simple.cu)
 * flash   our own kernels that keep nothing of size T x T (attn_flash.cu)
 * cudnn   cuDNN's, loaded at run time (attn_cudnn.c)
 *
 * The last two return false when they do not take the arguments, before anything is launched; then the next
 * one is asked.  All are asynchronous on `stream`, deterministic and never allocate; heads as in ops.h, with
 * numbers of type float or, where `bf16` is set, bfloat16; lse is float [B,H,T].                        */
#ifndef CUDA_ATTN_H
#define CUDA_ATTN_H
#include "cuda/device.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct {                         /* forward: O, lse written; backward: dQ, dK, dV written or added */
    bool        bf16;
    attn_shape  s;
    heads       Q, K, V;
    heads_out   O;                       /* forward                                                      */
    heads       O_kept, dO;              /* backward                                                     */
    heads_out   dQ, dK, dV;
    float      *lse;
    void       *work;                    /* attn_work(s) numbers                                         */
    cudaStream_t stream;
} attn_call;

bool attn_flash_fwd(const attn_call *a);
bool attn_flash_bwd(const attn_call *a);
size_t attn_flash_work(const attn_shape *s, bool bf16);      /* bytes; 0 when it does not take the shape  */
bool attn_cudnn_fwd(const attn_call *a);
bool attn_cudnn_bwd(const attn_call *a);
size_t attn_cudnn_work(const attn_shape *s, bool bf16);

/* "simple", "flash", "cudnn" or "best" (cudnn, then flash, then simple); false: no such name. */
bool attn_choose(const char *name);
#ifdef __cplusplus
}
#endif
#endif
