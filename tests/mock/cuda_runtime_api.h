/* SPDX-License-Identifier: GPL-3.0-or-later
 * cuda_runtime_api.h - of CUDA's runtime what the host half of cuda/ uses, for cuda_mock.c and tests/ptx/device.c: names,
 * argument lists and meanings as in NVIDIA's header, which `make CUDA=1` compiles the same sources against; numbers are our
 * own. */
#ifndef MOCK_CUDA_RUNTIME_API_H
#define MOCK_CUDA_RUNTIME_API_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    cudaSuccess, cudaErrorMemoryAllocation, cudaErrorInsufficientDriver, cudaErrorNoDevice, cudaErrorDevicesUnavailable,
    cudaErrorNoKernelImageForDevice, cudaErrorUnsupportedPtxVersion, cudaErrorNotReady, cudaErrorIllegalAddress,
    cudaErrorStreamCaptureUnsupported, cudaErrorStubLibrary
} cudaError_t;
typedef struct mock_stream *cudaStream_t;
typedef struct mock_event  *cudaEvent_t;
typedef struct mock_graph  *cudaGraph_t, *cudaGraphExec_t;
struct cudaDeviceProp { char name[256]; int major, minor; size_t totalGlobalMem; };
enum { cudaStreamNonBlocking = 1, cudaStreamCaptureModeThreadLocal = 1 };
enum { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };

const char *cudaGetErrorString(cudaError_t e);
const char *cudaGetErrorName  (cudaError_t e);
cudaError_t cudaGetDeviceCount(int *n);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device);
cudaError_t cudaDriverGetVersion (int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaMalloc(void **x, size_t bytes);
cudaError_t cudaFree(void *x);
cudaError_t cudaMemsetAsync(void *x, int value, size_t bytes, cudaStream_t s);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t s);
cudaError_t cudaGetLastError(void);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaStreamQuery(cudaStream_t s);
cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode);
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *to, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t s);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);
cudaError_t cudaEventCreate(cudaEvent_t *e);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to);
#ifdef __cplusplus
}
#endif
#endif
