/* SPDX-License-Identifier: GPL-3.0-or-later
 * cuda_mock.h - a GPU that is none, for cuda/device.c, gemm.c and attn.c: a test says what it is like, they are linked
 * with cuda_mock.c in place of NVIDIA's libraries, and it counts what they asked for.
 *
 * Memory is the host's.  Work runs at once, but between cudaStreamBeginCapture and cudaStreamEndCapture it is kept,
 * and runs with each cudaGraphLaunch; whatever allocates, frees or waits meanwhile returns
 * cudaErrorStreamCaptureUnsupported, as a GPU's does.  Algorithm k of cuBLASLt is { k, 0, ... }, 1 to `algorithms`, and
 * takes k ms, so that 1 is the fastest; a product with one that is not among them fails.  What the libraries would
 * refuse (sizes of attributes, leading dimensions, shapes that do not fit) ends the program. */
#ifndef CUDA_MOCK_H
#define CUDA_MOCK_H
#include <cublasLt.h>

typedef struct {
    int         devices;                 /* visible                                                     */
    cudaError_t counting;                /* what cudaGetDeviceCount returns                             */
    int         driver, runtime;         /* 13000: CUDA 13.0; driver 0: none                            */
    int         major, minor;            /* compute capability                                          */
    size_t      room;                    /* bytes that can be allocated                                 */
    int         busy;                    /* times that the stream is asked before it is empty           */
    const char *library;                 /* the one of cuBLASLt that is installed                       */
    const char *lacks;                   /* a function that it does not have; NULL: none                */
    cublasStatus_t product;              /* what products return                                        */
    int         algorithms;              /* that cuBLASLt has                                           */
    const char *meanwhile;               /* a shell command, while algorithms are asked for; NULL: none */
    /* counted */
    int         opened, device, mallocs, frees, waits, products, heuristics, captures, launches;
    uint64_t    last;                    /* the algorithm of the last product                           */
    uint32_t    reduction, aligned;      /* of the last preference: the mask, and the result's alignment */
} cuda_mock;
extern cuda_mock mock;                   /* at first a working GPU of 1 GiB, sm_90, CUDA 13.0, 3 algorithms */

void mock_work(void (*work)(void *with), void *with);         /* on the stream                        */
#endif
