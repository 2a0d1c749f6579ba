/* SPDX-License-Identifier: GPL-3.0-or-later
 * device.c - the one device of the process: opening it, its stream, scratch memory, CUDA graphs, errors. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "cuda/device.h"

enum { BLOCKS = 64 };                    /* scratch buffers: each twice the last, none freed             */

static struct {
    bool         tried;
    const char  *missing;
    char        *name;
    size_t       memory;
    cudaStream_t stream;
    bool         recording;
    void       (*watch)(void);
    void        *scratch[BLOCKS];        /* recorded graphs may point into older ones                    */
    size_t       room;
    int          blocks;
} D;

void cuda_checked(cudaError_t e, const char *file, int line, const char *call)
{
    if (e == cudaSuccess) return;
    const char *do_this =
        e == cudaErrorMemoryAllocation ? "use a smaller --micro, or free the GPU (nvidia-smi shows what runs on it)" :
        e == cudaErrorNoKernelImageForDevice ?
            "build again with the GPU's own architecture: make CUDA=1 CUDA_ARCH=sm_NN" :
        e == cudaErrorDevicesUnavailable ? "another program holds the GPU; wait for it, or choose another GPU with "
                                           "CUDA_VISIBLE_DEVICES" :
        e == cudaErrorUnsupportedPtxVersion ?
            "update the NVIDIA driver, or build for the GPU itself: make CUDA=1 CUDA_ARCH=sm_NN" :
        "run make gpu-check; if it fails, too, the GPU or the program is broken, else report this line";
    die("%s:%d: %s: %s (%s); %s", file, line, call, cudaGetErrorString(e), cudaGetErrorName(e), do_this);
}

/* Processes that a launcher started on one machine take one GPU each, as far as there are. */
static int own_device(int n)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID" };
    for (size_t k = 0; k < COUNT(names); k++) {
        const char *rank = getenv(names[k]);
        if (rank) return (int)(strtol(rank, NULL, 10) % n);
    }
    return 0;
}

/* Why there is no device.  Without a driver the runtime's own words are that it is too old.  A GPU that is there and
 * does not answer (MPS has failed, say) is no reason to go to the CPU: the runs of a series would, unseen. */
static const char *why_none(cudaError_t e)
{
    int driver = 0, runtime = 0;
    if (e == cudaSuccess) return "none is visible";
    if (e != cudaErrorNoDevice && e != cudaErrorInsufficientDriver && e != cudaErrorStubLibrary)
        die("the GPU does not answer: %s (%s); run the same command again when it does, or with --backend=cpu",
            cudaGetErrorString(e), cudaGetErrorName(e));
    CUDA(cudaRuntimeGetVersion(&runtime));
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        return "no NVIDIA driver is to be seen: install it, or start the container with --gpus all";
    if (e == cudaErrorInsufficientDriver)
        return must_format("the NVIDIA driver is for CUDA %d.%d and the program for %d.%d: update the driver, or build "
                           "with CUDA %d.%d or older", driver / 1000, driver / 10 % 100, runtime / 1000,
                           runtime / 10 % 100, driver / 1000, driver / 10 % 100);
    return cudaGetErrorString(e);
}

const char *cuda_open(void)
{
    if (D.tried) return D.missing;
    D.tried = true;
    int n = 0, driver = 0, runtime = 0;
    const cudaError_t e = cudaGetDeviceCount(&n);
    if (e != cudaSuccess || n == 0) {
        D.missing = why_none(e);
        return D.missing;
    }
    struct cudaDeviceProp p;
    const int own = own_device(n);
    CUDA(cudaGetDeviceProperties(&p, own));
    if (p.major < 8) {                   /* without bfloat16 and asynchronous copies */
        D.missing = must_format("%s is of sm_%d%d; sm_80 (A100) or later is needed", p.name, p.major, p.minor);
        return D.missing;
    }
    CUDA(cudaSetDevice(own));
    D.memory = p.totalGlobalMem;
    CUDA(cudaDriverGetVersion(&driver));
    CUDA(cudaRuntimeGetVersion(&runtime));
    CUDA(cudaStreamCreateWithFlags(&D.stream, cudaStreamNonBlocking));
    D.name = must_format("%s, sm_%d%d, driver %d.%d, runtime %d.%d", p.name, p.major, p.minor, driver / 1000,
                         driver / 10 % 100, runtime / 1000, runtime / 10 % 100);
    return NULL;
}

const char *cuda_device_name(void) { return D.name; }
size_t cuda_memory(void)           { return D.memory; }
cudaStream_t cuda_stream(void)     { return D.stream; }
bool cuda_recording(void)          { return D.recording; }
void cuda_wait(void)
{
    REQUIRE(!D.recording, "work that is recorded cannot be waited for");
    cudaError_t e = D.watch ? cudaErrorNotReady : cudaStreamSynchronize(D.stream);
    while (e == cudaErrorNotReady) {
        e = cudaStreamQuery(D.stream);
        if (e != cudaErrorNotReady) break;
        D.watch();
        nanosleep(&(struct timespec){ .tv_nsec = 50 * 1000 }, NULL);
    }
    CUDA(e);
}
void cuda_watch(void (*watch)(void)) { D.watch = watch; }

void *cuda_scratch(size_t bytes)
{
    if (bytes > D.room) {
        REQUIRE(!D.recording, "recorded work must have run once before");
        REQUIRE(D.blocks < BLOCKS, "%zu bytes of scratch", bytes);
        D.room = bytes > 2 * D.room ? bytes : 2 * D.room;
        CUDA(cudaMalloc(&D.scratch[D.blocks++], D.room));
    }
    return D.blocks ? D.scratch[D.blocks - 1] : NULL;
}

/* ---- CUDA graphs ------------------------------------------------------------------------------------------ */

/* The first call runs as it is, so that products choose their algorithms and scratch memory grows; the second one
 * is recorded as a graph, which it and all later ones launch. */
typedef struct { cudaGraphExec_t graph; } recorded;

static void graph_run(void **recording, void (*body)(void *self), void *self)
{
    recorded *r = *recording;
    if (!r) {
        *recording = must_calloc(1, sizeof *r);
        body(self);
        return;
    }
    if (!r->graph) {
        cudaGraph_t graph;
        CUDA(cudaStreamBeginCapture(D.stream, cudaStreamCaptureModeThreadLocal));
        D.recording = true;
        body(self);
        D.recording = false;
        CUDA(cudaStreamEndCapture(D.stream, &graph));
        CUDA(cudaGraphInstantiate(&r->graph, graph, 0));
        CUDA(cudaGraphDestroy(graph));
    }
    CUDA(cudaGraphLaunch(r->graph, D.stream));
}

static void graph_free(void **recording)
{
    recorded *r = *recording;
    if (!r) return;
    cuda_wait();
    if (r->graph) CUDA(cudaGraphExecDestroy(r->graph));
    free(r);
    *recording = NULL;
}

void cuda_fill_device(ops *o)
{
    o->graph_run = graph_run;
    o->graph_free = graph_free;
}
