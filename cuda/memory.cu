/* SPDX-License-Identifier: GPL-3.0-or-later
 * memory.cu - device memory: allocation, upload and download, conversion to the type of the activations.
 * Reference: src/train/cpu/cpu_memory.c. */
#include <stdlib.h>
#include "cuda/device.h"

static void *device_alloc(size_t bytes)
{
    void *x = NULL;
    const cudaError_t e = cudaMalloc(&x, bytes ? bytes : 1);
    if (e == cudaErrorMemoryAllocation)
        die("the GPU has no room for another %.1f MiB; use a smaller --micro, or free the GPU (nvidia-smi shows what "
            "runs on it)", (double)bytes / (1 << 20));
    CUDA(e);
    CUDA(cudaMemsetAsync(x, 0, bytes ? bytes : 1, cuda_stream()));
    return x;
}

static void device_release(void *x)
{
    if (!x) return;
    cuda_wait();
    CUDA(cudaFree(x));
}

static void upload(void *to, const void *host, size_t bytes)
{
    if (bytes) CUDA(cudaMemcpyAsync(to, host, bytes, cudaMemcpyHostToDevice, cuda_stream()));
    if (bytes && !cuda_recording()) cuda_wait();            /* the caller may reuse its memory at once */
}

static void download(void *host, const void *from, size_t bytes)
{
    if (!bytes) return;
    CUDA(cudaMemcpyAsync(host, from, bytes, cudaMemcpyDeviceToHost, cuda_stream()));
    cuda_wait();
}

static void zero(void *x, size_t n)
{
    if (n) CUDA(cudaMemsetAsync(x, 0, n * sizeof(float), cuda_stream()));
}

static void copy(void *to, const void *from, size_t n)
{
    if (n && to != from)
        CUDA(cudaMemcpyAsync(to, from, n * sizeof(float), cudaMemcpyDeviceToDevice, cuda_stream()));
}

static void put(void *to, const double *from, size_t n)
{
    float *x = (float *)must_calloc(n ? n : 1, sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = (float)from[i];
    upload(to, x, n * sizeof *x);
    free(x);
}

static void get(double *to, const void *from, size_t n)
{
    float *x = (float *)must_calloc(n ? n : 1, sizeof *x);
    download(x, from, n * sizeof *x);
    for (size_t i = 0; i < n; i++) to[i] = (double)x[i];
    free(x);
}

static void put_bf16(void *to, const double *from, size_t n)
{
    uint16_t *x = (uint16_t *)must_calloc(n ? n : 1, sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = bf16_rounded((float)from[i]);
    upload(to, x, n * sizeof *x);
    free(x);
}

static void get_bf16(double *to, const void *from, size_t n)
{
    uint16_t *x = (uint16_t *)must_calloc(n ? n : 1, sizeof *x);
    download(x, from, n * sizeof *x);
    for (size_t i = 0; i < n; i++) to[i] = (double)bf16_value(x[i]);
    free(x);
}

static __global__ void cast_to_act_kernel(bf16 *y, const float *x, size_t n, bool packed)
{
    const size_t i = EACH * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    float a[EACH];
    if (i >= n) return;
    load(a, x, i, n, packed);
    store(y, i, n, packed, a);
}

static void cast_to_act_bf16(void *to, const void *from, size_t n)
{
    const bool packed = n % EACH == 0 && aligned(to, 16) && aligned(from, 16);
    if (n) CUDA_LAUNCH(cast_to_act_kernel, blocks_of(n), THREADS, (bf16 *)to, (const float *)from, n, packed);
}

void cuda_fill_memory(ops *o, cuda_precision p)
{
    o->real = sizeof(float);
    o->act = p == CUDA_BF16 ? sizeof(bf16) : sizeof(float);
    o->logits = logits_at_once(cuda_memory());
    o->memory = cuda_memory();
    o->alloc = device_alloc;
    o->release = device_release;
    o->put = put;
    o->get = get;
    o->put_act = p == CUDA_BF16 ? put_bf16 : put;
    o->get_act = p == CUDA_BF16 ? get_bf16 : get;
    o->upload = upload;
    o->download = download;
    o->zero = zero;
    o->copy = copy;
    o->cast_to_act = p == CUDA_BF16 ? cast_to_act_bf16 : copy;
}
