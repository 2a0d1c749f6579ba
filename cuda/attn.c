/* attn.c - see attn.h: tries cuDNN, our flash kernels and the simple kernels, in this order or as chosen. */
#include <string.h>
#include "cuda/attn.h"

/* Weak defaults: a program that is linked without a kernel's file supports none of its shapes. */
#define ABSENT __attribute__((weak))
ABSENT size_t attn_flash_work(const attn_shape *s) { (void)s; return 0; }
ABSENT size_t attn_cudnn_work(const attn_shape *s) { (void)s; return 0; }
ABSENT bool attn_flash_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work,
                           void *stream)
{
    (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)s; (void)work; (void)stream;
    return false;
}
ABSENT bool attn_cudnn_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work,
                           void *stream)
{
    (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)s; (void)work; (void)stream;
    return false;
}
ABSENT bool attn_flash_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse, heads Q,
                           heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    (void)dQ; (void)dK; (void)dV; (void)dO; (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)s; (void)work;
    (void)stream;
    return false;
}
ABSENT bool attn_cudnn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse, heads Q,
                           heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    (void)dQ; (void)dK; (void)dV; (void)dO; (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)s; (void)work;
    (void)stream;
    return false;
}

static bool flash = true, cudnn = true;

bool attn_choose(const char *name)
{
    const bool best = strcmp(name, "best") == 0;
    if (!best && strcmp(name, "simple") && strcmp(name, "flash") && strcmp(name, "cudnn")) return false;
    flash = best || strcmp(name, "flash") == 0;
    cudnn = best || strcmp(name, "cudnn") == 0;
    return true;
}

/* A kernel may decline the arguments at the call (for their alignment, say); `work` is large enough for the next. */
static size_t work_for(cuda_precision p, const attn_shape *s)
{
    size_t most = attn_simple_work(p, s);
    const size_t a = flash && p == CUDA_BF16 ? attn_flash_work(s) : 0;
    const size_t b = cudnn && p == CUDA_BF16 ? attn_cudnn_work(s) : 0;
    if (a > most) most = a;
    return b > most ? b : most;
}
static size_t work_f32 (const attn_shape *s) { return work_for(CUDA_FP32, s); }
static size_t work_bf16(const attn_shape *s) { return work_for(CUDA_BF16, s); }

static void forward(cuda_precision p, heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s,
                    void *work)
{
    if (cudnn && p == CUDA_BF16 && attn_cudnn_fwd(O, lse, Q, K, V, s, work, cuda_stream())) return;
    if (flash && p == CUDA_BF16 && attn_flash_fwd(O, lse, Q, K, V, s, work, cuda_stream())) return;
    attn_simple_fwd(p, O, lse, Q, K, V, s, work);
}

static void backward(cuda_precision p, heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                     heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    if (cudnn && p == CUDA_BF16 && attn_cudnn_bwd(dQ, dK, dV, dO, O, lse, Q, K, V, s, work, cuda_stream())) return;
    if (flash && p == CUDA_BF16 && attn_flash_bwd(dQ, dK, dV, dO, O, lse, Q, K, V, s, work, cuda_stream())) return;
    attn_simple_bwd(p, dQ, dK, dV, dO, O, lse, Q, K, V, s, work);
}

static void fwd_fp32(heads_out O, void *lse, heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    forward(CUDA_FP32, O, lse, Q, K, V, s, work);
}
static void fwd_tf32(heads_out O, void *lse, heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    forward(CUDA_TF32, O, lse, Q, K, V, s, work);
}
static void fwd_bf16(heads_out O, void *lse, heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    forward(CUDA_BF16, O, lse, Q, K, V, s, work);
}
static void bwd_fp32(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const void *lse, heads Q, heads K,
                     heads V, const attn_shape *s, void *work)
{
    backward(CUDA_FP32, dQ, dK, dV, dO, O, lse, Q, K, V, s, work);
}
static void bwd_tf32(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const void *lse, heads Q, heads K,
                     heads V, const attn_shape *s, void *work)
{
    backward(CUDA_TF32, dQ, dK, dV, dO, O, lse, Q, K, V, s, work);
}
static void bwd_bf16(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const void *lse, heads Q, heads K,
                     heads V, const attn_shape *s, void *work)
{
    backward(CUDA_BF16, dQ, dK, dV, dO, O, lse, Q, K, V, s, work);
}

void cuda_fill_attn(ops *o, cuda_precision p)
{
    o->attn_work = p == CUDA_BF16 ? work_bf16 : work_f32;
    o->attn_fwd  = p == CUDA_BF16 ? fwd_bf16 : p == CUDA_TF32 ? fwd_tf32 : fwd_fp32;
    o->attn_bwd  = p == CUDA_BF16 ? bwd_bf16 : p == CUDA_TF32 ? bwd_tf32 : bwd_fp32;
}
