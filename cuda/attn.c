/* SPDX-License-Identifier: GPL-3.0-or-later
 * attn.c - see attn.h: which of cuDNN, our flash kernels and the simple kernels does a call. */
#include <string.h>
#include "cuda/attn.h"

/* Each one falls back to the one before it. */
typedef enum { SIMPLE, FLASH, CUDNN, BEST, METHODS } method;
static const char *const method_name[METHODS] = { "simple", "flash", "cudnn", "best" };
static method chosen = BEST;

bool attn_choose(const char *name)
{
    for (method k = SIMPLE; k < METHODS; k++) {
        if (strcmp(name, method_name[k]) != 0) continue;
        chosen = k;
        return true;
    }
    return false;
}

/* The best is cuDNN from LONG positions on, where it was measured (1.5 times as fast as flash on an H200, heads of 64).
 * Shorter sequences were not measured: they stay with flash. */
static method asked(const attn_shape *s)
{
    enum { LONG = 1024 };
    return chosen != BEST ? chosen : s->T >= LONG ? CUDNN : FLASH;
}

/* Bytes of work, 0 for a shape that is not supported. */
static size_t work_of(method k, cuda_precision p, const attn_shape *s)
{
    if (k == SIMPLE) return attn_simple_work(p, s);
    if (p != CUDA_BF16) return 0;
    return k == FLASH ? attn_flash_work(s) : attn_cudnn_work(s);
}

static method method_of(cuda_precision p, const attn_shape *s)
{
    method k = asked(s);
    while (k > SIMPLE && !work_of(k, p, s)) k--;
    return k;
}

static const char *method_and_why(cuda_precision p, const attn_shape *s, char **why)
{
    const method k = method_of(p, s), wanted = asked(s);
    *why = k == wanted     ? NULL
         : p != CUDA_BF16  ? must_format("%s needs --backend=cuda-bf16", method_name[wanted])
         : wanted == CUDNN ? must_format("cudnn: %s", attn_cudnn_why())
         : must_format("flash takes heads of a multiple of 8, up to 128 coordinates, not of %ld", s->D);
    return method_name[k];
}

/* Said once of each method: the run's log has the one that the shape allows. */
static void say_declined(method k)
{
    static bool said[METHODS];
    if (!said[k])
        fprintf(stderr, "%s: attention: %s declines these tensors (%s); %s is used for them\n", program_name,
                method_name[k], k == CUDNN ? attn_cudnn_why() : "an address or a stride is no multiple of 16 bytes",
                method_name[k - 1]);
    said[k] = true;
}

/* One direction of attention by a method; false: it declines the arguments (their alignment, say), and nothing was
 * launched. */
typedef struct {
    heads_out O, dQ, dK, dV;
    float *lse;
    heads dO, Q, K, V;
    bool back;
} tensors;

static heads read_only(heads_out x) { return (heads){ x.p, x.row, x.head }; }

static bool run_method(method k, cuda_precision p, const tensors *t, const attn_shape *s, void *work)
{
    const heads O = read_only(t->O);
    if (k == CUDNN)
        return t->back ? attn_cudnn_bwd(t->dQ, t->dK, t->dV, t->dO, O, t->lse, t->Q, t->K, t->V, s, work, cuda_stream())
                       : attn_cudnn_fwd(t->O, t->lse, t->Q, t->K, t->V, s, work, cuda_stream());
    if (k == FLASH)
        return t->back ? attn_flash_bwd(t->dQ, t->dK, t->dV, t->dO, O, t->lse, t->Q, t->K, t->V, s, work, cuda_stream())
                       : attn_flash_fwd(t->O, t->lse, t->Q, t->K, t->V, s, work, cuda_stream());
    if (t->back) attn_simple_bwd(p, t->dQ, t->dK, t->dV, t->dO, O, t->lse, t->Q, t->K, t->V, s, work);
    else         attn_simple_fwd(p, t->O, t->lse, t->Q, t->K, t->V, s, work);
    return true;
}

/* `work` is large enough for the method that takes the shape.  Another one, after it declined the call, or a smaller
 * batch whose plan wants more, gets scratch memory. */
static void run(cuda_precision p, const tensors *t, const attn_shape *s, void *work)
{
    for (method k = method_of(p, s);; k--) {
        attn_shape call = *s;
        const size_t bytes = work_of(k, p, s);
        if (bytes == 0 && k > SIMPLE) continue;
        void *room = bytes <= s->room ? work : cuda_scratch(call.room = bytes);
        if (run_method(k, p, t, &call, room)) return;
        say_declined(k);
    }
}

static void forward(cuda_precision p, heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s,
                    void *work)
{
    run(p, &(tensors){ .O = O, .lse = lse, .Q = Q, .K = K, .V = V }, s, work);
}

static void backward(cuda_precision p, heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                     heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    run(p, &(tensors){ .O = { (void *)(uintptr_t)O.p, O.row, O.head, false }, .dQ = dQ, .dK = dK, .dV = dV,
                       .lse = (float *)(uintptr_t)lse, .dO = dO, .Q = Q, .K = K, .V = V, .back = true }, s, work);
}

static size_t work_f32 (const attn_shape *s) { return work_of(method_of(CUDA_FP32, s), CUDA_FP32, s); }
static size_t work_bf16(const attn_shape *s) { return work_of(method_of(CUDA_BF16, s), CUDA_BF16, s); }
static const char *method_f32 (const attn_shape *s, char **why) { return method_and_why(CUDA_FP32, s, why); }
static const char *method_bf16(const attn_shape *s, char **why) { return method_and_why(CUDA_BF16, s, why); }

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
    o->attn_method = p == CUDA_BF16 ? method_bf16 : method_f32;
    o->attn_fwd  = p == CUDA_BF16 ? fwd_bf16 : p == CUDA_TF32 ? fwd_tf32 : fwd_fp32;
    o->attn_bwd  = p == CUDA_BF16 ? bwd_bf16 : p == CUDA_TF32 ? bwd_tf32 : bwd_fp32;
}
