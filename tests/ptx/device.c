/* SPDX-License-Identifier: GPL-3.0-or-later
 * device.c - the interface of cuda/device.h, and of CUDA's runtime what the kernels' files call, where kernels are run from
 * their PTX: device memory is the host's, and known to the interpreter.   PTX_DEVICE=reversed: blocks, warps and lanes run
 * in the opposite order; PTX_DEVICE=missing: there is no device. */
#include <stdlib.h>
#include <string.h>
#include "cuda/attn.h"
#include "cuda/product.h"
#include "tests/ptx/launch.h"
#include "tests/ptx/memory.h"

cudaError_t cudaMalloc(void **x, size_t bytes)
{
    *x = calloc(bytes, 1);
    if (!*x) return cudaErrorMemoryAllocation;
    memory_scratch(*x, bytes);
    return cudaSuccess;
}
cudaError_t cudaFree(void *x)
{
    if (x) memory_remove(x);
    free(x);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *x, int value, size_t bytes, cudaStream_t s)
{
    (void)s;
    memory_written(x, bytes);
    memset(x, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t s)
{
    (void)kind; (void)s;
    memory_written(to, bytes);
    memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaGetLastError(void)            { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t e) { return e == cudaSuccess ? "no error" : "out of memory"; }

const char *cuda_open(void)
{
    const char *as = getenv("PTX_DEVICE");
    ptx_strict(true);
    ptx_order(as && strcmp(as, "reversed") == 0);
    return as && strcmp(as, "missing") == 0 ? "the interpreter plays none" : NULL;
}
const char *cuda_device_name(void) { return "PTX interpreted on the CPU"; }
const char *gemm_open(void)        { return NULL; }
size_t cuda_memory(void)           { return (size_t)8 << 30; }
cudaStream_t cuda_stream(void)     { return NULL; }
bool cuda_recording(void)          { return false; }
void cuda_wait(void)               { }
bool product_lt(const product *p)  { (void)p; return false; }
static void graph_run(void **recording, void (*body)(void *), void *self)
{
    (void)recording;
    body(self);
}
static void graph_free(void **recording) { (void)recording; }
void cuda_fill_device(ops *o)
{
    o->graph_run = graph_run;
    o->graph_free = graph_free;
}
void *cuda_scratch(size_t bytes)         /* every time as if nothing had been written to it */
{
    static void *memory;
    CUDA(cudaFree(memory));
    CUDA(cudaMalloc(&memory, bytes ? bytes : 1));
    memset(memory, 0xff, bytes);
    return memory;
}
void cuda_checked(cudaError_t e, const char *file, int line, const char *call)
{
    REQUIRE(e == cudaSuccess, "%s:%d: %s", file, line, call);
}

/* cuDNN has no PTX. */
size_t attn_cudnn_work(const attn_shape *s) { (void)s; return 0; }
const char *attn_cudnn_why(void)            { return "not interpreted"; }
bool attn_cudnn_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)s; (void)work; (void)stream;
    return false;
}
bool attn_cudnn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse, heads Q, heads K,
                    heads V, const attn_shape *s, void *work, void *stream)
{
    (void)dQ; (void)dK; (void)dV; (void)dO; (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)s; (void)work;
    (void)stream;
    return false;
}
