/* SPDX-License-Identifier: GPL-3.0-or-later
 * cuda_mock.c - see cuda_mock.h. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "src/train/formula.h"
#include "src/base/base.h"
#include "tests/mock/cuda_mock.h"

cuda_mock mock = { .devices = 1, .driver = 13000, .runtime = 13000, .major = 9, .room = 1UL << 30,
                   .library = "libcublasLt.so.13", .algorithms = 3 };

/* ---- the stream ------------------------------------------------------------------------------------------- */

typedef struct { void (*work)(void *with); void *with; size_t bytes; } node;
struct mock_graph { node *at; size_t n; };
struct mock_stream { struct mock_graph *captured; };
static struct mock_stream stream;

/* Runs or captures work with a copy of its arguments. */
static void enqueue(void (*work)(void *with), const void *with, size_t bytes)
{
    char *copy = must_calloc(bytes, 1);
    memcpy(copy, with, bytes);
    if (stream.captured) {
        struct mock_graph *g = stream.captured;
        g->at = must_realloc(g->at, g->n + 1, sizeof *g->at);
        g->at[g->n++] = (node){ work, copy, bytes };
        return;
    }
    work(copy);
    free(copy);
}

typedef struct { void (*work)(void *with); void *with; } call;
static void make_call(void *with) { const call *c = with; c->work(c->with); }
void mock_work(void (*work)(void *with), void *with) { enqueue(make_call, &(call){ work, with }, sizeof(call)); }

/* What a capture does not allow. */
static cudaError_t outside(int *counter)
{
    if (stream.captured) return cudaErrorStreamCaptureUnsupported;
    ++*counter;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
    REQUIRE(flags == cudaStreamNonBlocking, "flags %u", flags);
    *s = &stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
    REQUIRE(s == &stream, "another stream");
    return outside(&mock.waits);
}
cudaError_t cudaStreamQuery(cudaStream_t s)
{
    REQUIRE(s == &stream, "another stream");
    return mock.busy-- > 0 ? cudaErrorNotReady : outside(&mock.waits);
}
cudaError_t cudaStreamBeginCapture(cudaStream_t s, int mode)
{
    REQUIRE(s == &stream && mode == cudaStreamCaptureModeThreadLocal && !s->captured, "a capture in mode %d", mode);
    s->captured = must_calloc(1, sizeof *s->captured);
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph)
{
    REQUIRE(s->captured, "nothing is captured");
    *graph = s->captured;
    s->captured = NULL;
    mock.captures++;
    return cudaSuccess;
}

static struct mock_graph *graph_copy(const struct mock_graph *from)
{
    struct mock_graph *to = must_calloc(1, sizeof *to);
    to->at = must_calloc(from->n + 1, sizeof *to->at);
    to->n = from->n;
    for (size_t k = 0; k < from->n; k++) {
        to->at[k] = from->at[k];
        to->at[k].with = must_calloc(from->at[k].bytes, 1);
        memcpy(to->at[k].with, from->at[k].with, from->at[k].bytes);
    }
    return to;
}
static void graph_drop(struct mock_graph *g)
{
    for (size_t k = 0; k < g->n; k++) free(g->at[k].with);
    free(g->at);
    free(g);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *to, cudaGraph_t graph, unsigned long long flags)
{
    REQUIRE(flags == 0, "flags %llu", flags);
    *to = graph_copy(graph);
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph)          { graph_drop(graph); return cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph)  { graph_drop(graph); return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t s)
{
    REQUIRE(s == &stream && !s->captured, "a graph inside a graph");
    for (size_t k = 0; k < graph->n; k++) graph->at[k].work(graph->at[k].with);
    mock.launches++;
    return cudaSuccess;
}

/* ---- the device -------------------------------------------------------------------------------------------- */

const char *cudaGetErrorString(cudaError_t e)
{
    static const char *const text[] = {
        [cudaSuccess] = "no error", [cudaErrorMemoryAllocation] = "out of memory",
        [cudaErrorInsufficientDriver] = "CUDA driver version is insufficient for CUDA runtime version",
        [cudaErrorNoDevice] = "no CUDA-capable device is detected", [cudaErrorDevicesUnavailable] = "busy",
        [cudaErrorNoKernelImageForDevice] = "no kernel image is available for execution on the device",
        [cudaErrorUnsupportedPtxVersion] = "the provided PTX was compiled with an unsupported toolchain.",
        [cudaErrorNotReady] = "device not ready", [cudaErrorIllegalAddress] = "an illegal memory access",
        [cudaErrorStreamCaptureUnsupported] = "operation not permitted when stream is capturing",
        [cudaErrorStubLibrary] = "CUDA driver is a stub library" };
    return text[e];
}
const char *cudaGetErrorName(cudaError_t e) { return e == cudaSuccess ? "cudaSuccess" : "cudaError"; }
cudaError_t cudaGetDeviceCount(int *n)
{
    *n = mock.counting == cudaSuccess ? mock.devices : 0;
    mock.opened++;
    return mock.counting;
}
cudaError_t cudaSetDevice(int device)
{
    REQUIRE(0 <= device && device < mock.devices, "device %d of %d", device, mock.devices);
    mock.device = device;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
    *p = (struct cudaDeviceProp){ .major = mock.major, .minor = mock.minor, .totalGlobalMem = mock.room };
    snprintf(p->name, sizeof p->name, "Mock %d", device);
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion (int *version) { *version = mock.driver;  return cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int *version) { *version = mock.runtime; return cudaSuccess; }

cudaError_t cudaMalloc(void **x, size_t bytes)
{
    const cudaError_t e = outside(&mock.mallocs);
    if (e != cudaSuccess) return e;
    if (bytes > mock.room) return cudaErrorMemoryAllocation;
    mock.room -= bytes;
    *x = aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *x ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void *x)
{
    free(x);
    return outside(&mock.frees);
}

/* An event's time is the sum of what its stream's products took. */
static double now;
struct mock_event { double time; };
cudaError_t cudaEventCreate(cudaEvent_t *e)  { *e = must_calloc(1, sizeof **e); return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t e)  { free(e); return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) { (void)s; e->time = now; return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t e) { (void)e; return outside(&mock.waits); }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to)
{
    *ms = (float)(to->time - from->time);
    return cudaSuccess;
}

/* ---- the loader ------------------------------------------------------------------------------------------------ */

#define CALL(name) { #name, (void (*)(void))name }
static const struct { const char *name; void (*call)(void); } calls[] = {
    CALL(cublasLtCreate), CALL(cublasLtGetVersion), CALL(cublasLtGetStatusString), CALL(cublasLtMatmul),
    CALL(cublasLtMatmulAlgoCheck), CALL(cublasLtMatmulAlgoGetHeuristic), CALL(cublasLtMatmulDescCreate),
    CALL(cublasLtMatmulDescSetAttribute), CALL(cublasLtMatmulPreferenceCreate), CALL(cublasLtMatmulPreferenceDestroy),
    CALL(cublasLtMatmulPreferenceSetAttribute), CALL(cublasLtMatrixLayoutCreate), CALL(cublasLtMatrixLayoutSetAttribute) };

void *dlopen(const char *name, int flags)
{
    (void)flags;
    return mock.library && strcmp(name, mock.library) == 0 ? &mock : NULL;
}
char *dlerror(void)
{
    static char text[] = "libcublasLt.so.13: cannot open shared object file: No such file or directory";
    return text;
}
void *dlsym(void *library, const char *name)
{
    REQUIRE(library == &mock, "another library");
    void *to = NULL;
    for (size_t k = 0; k < COUNT(calls); k++)
        if (strcmp(name, calls[k].name) == 0 && !(mock.lacks && strcmp(name, mock.lacks) == 0))
            memcpy(&to, &calls[k].call, sizeof to);
    return to;
}

/* ---- cuBLASLt ------------------------------------------------------------------------------------------------ */

struct mock_handle { int any; };
struct mock_job { cublasOperation_t a, b; uint32_t epilogue; const void *bias; };
struct mock_matrix { cudaDataType_t type; uint64_t rows, cols; int64_t ld, step; int32_t count; };
struct mock_preference { uint32_t reduction, d; };

const char *cublasLtGetStatusString(cublasStatus_t s)
{
    static const char *const text[] = {
        "CUBLAS_STATUS_SUCCESS", "CUBLAS_STATUS_NOT_INITIALIZED", "CUBLAS_STATUS_ALLOC_FAILED",
        "CUBLAS_STATUS_INVALID_VALUE", "CUBLAS_STATUS_ARCH_MISMATCH", "CUBLAS_STATUS_EXECUTION_FAILED",
        "CUBLAS_STATUS_INTERNAL_ERROR", "CUBLAS_STATUS_NOT_SUPPORTED" };
    return text[s];
}
size_t cublasLtGetVersion(void) { return 130000; }
cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
    static struct mock_handle one;
    *handle = &one;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *job, cublasComputeType_t compute, cudaDataType_t scale)
{
    REQUIRE(compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_FAST_TF32, "computed in %d", (int)compute);
    REQUIRE(scale == CUDA_R_32F, "factors of type %d", (int)scale);
    *job = must_calloc(1, sizeof **job);
    (*job)->epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t job, cublasLtMatmulDescAttributes_t what,
                                              const void *value, size_t bytes)
{
    const struct { void *to; size_t bytes; } of[] = {
        [CUBLASLT_MATMUL_DESC_TRANSA] = { &job->a, sizeof job->a },
        [CUBLASLT_MATMUL_DESC_TRANSB] = { &job->b, sizeof job->b },
        [CUBLASLT_MATMUL_DESC_EPILOGUE] = { &job->epilogue, sizeof job->epilogue },
        [CUBLASLT_MATMUL_DESC_BIAS_POINTER] = { &job->bias, sizeof job->bias } };
    REQUIRE(bytes == of[what].bytes, "%zu bytes", bytes);
    memcpy(of[what].to, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *m, cudaDataType_t type, uint64_t rows, uint64_t cols,
                                          int64_t ld)
{
    REQUIRE(ld >= (int64_t)rows, "columns of %lld numbers, %lld apart", (long long)rows, (long long)ld);
    *m = must_calloc(1, sizeof **m);
    **m = (struct mock_matrix){ .type = type, .rows = rows, .cols = cols, .ld = ld, .count = 1 };
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t m, cublasLtMatrixLayoutAttribute_t what,
                                                const void *value, size_t bytes)
{
    const bool count = what == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT;
    REQUIRE(bytes == (count ? sizeof m->count : sizeof m->step), "%zu bytes", bytes);
    if (count) memcpy(&m->count, value, bytes);
    else       memcpy(&m->step, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *p)
{
    *p = must_calloc(1, sizeof **p);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p) { free(p); return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t p,
                                                    cublasLtMatmulPreferenceAttributes_t what, const void *value,
                                                    size_t bytes)
{
    REQUIRE(bytes == (what == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? sizeof(uint64_t) : sizeof(uint32_t)),
            "%zu bytes", bytes);
    if (what == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES) memcpy(&p->d, value, bytes);
    if (what != CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK) return CUBLAS_STATUS_SUCCESS;
    memcpy(&p->reduction, value, bytes);
    mock.reduction = p->reduction;
    return CUBLAS_STATUS_SUCCESS;
}

static bool has(const cublasLtMatmulAlgo_t *a)
{
    return a->data[0] >= 1 && a->data[0] <= (uint64_t)mock.algorithms;
}

/* A bias that is asked for has a place before anything is asked of a product, and no other has one. */
static void bias_is_there(const struct mock_job *job)
{
    const bool bias = job->epilogue == CUBLASLT_EPILOGUE_BIAS;
    REQUIRE(bias || job->epilogue == CUBLASLT_EPILOGUE_DEFAULT, "epilogue %u", job->epilogue);
    REQUIRE(bias == (job->bias != NULL), "a bias at %p, epilogue %u", job->bias, job->epilogue);
}

/* The slowest one comes first: the order is no measurement. */
cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t job,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t p, int wanted,
                                              cublasLtMatmulHeuristicResult_t result[], int *found)
{
    (void)handle; (void)a; (void)b; (void)c; (void)d;
    bias_is_there(job);
    mock.heuristics++;
    mock.aligned = p->d;
    if (mock.meanwhile) REQUIRE(system(mock.meanwhile) == 0, "%s", mock.meanwhile);
    *found = mock.algorithms < wanted ? mock.algorithms : wanted;
    for (int k = 0; k < *found; k++)
        result[k] = (cublasLtMatmulHeuristicResult_t){ .algo.data = { (uint64_t)(*found - k) } };
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t job, cublasLtMatrixLayout_t a,
                                       cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algorithm, cublasLtMatmulHeuristicResult_t *result)
{
    (void)handle; (void)a; (void)b; (void)c; (void)d;
    bias_is_there(job);
    *result = (cublasLtMatmulHeuristicResult_t){ .algo = *algorithm };
    return has(algorithm) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

typedef struct {
    struct mock_job job;
    struct mock_matrix a, b, c;
    float alpha, beta;
    const void *A, *B, *C;
    void *D;
} product_call;

static double number(const void *p, cudaDataType_t type, int64_t i)
{
    return type == CUDA_R_16BF ? (double)bf16_value(((const uint16_t *)p)[i]) : (double)((const float *)p)[i];
}
static double element(const struct mock_matrix *m, const void *p, bool transposed, int64_t batch, int64_t i, int64_t j)
{
    return number(p, m->type, batch * m->step + (transposed ? j + i * m->ld : i + j * m->ld));
}
static void multiply(void *with)
{
    const product_call *p = with;
    const bool a = p->job.a == CUBLAS_OP_T, b = p->job.b == CUBLAS_OP_T;
    const int64_t m = (int64_t)p->c.rows, n = (int64_t)p->c.cols, k = (int64_t)(a ? p->a.rows : p->a.cols);
    for (int64_t z = 0; z < p->c.count; z++) for (int64_t j = 0; j < n; j++) for (int64_t i = 0; i < m; i++) {
        double sum = 0;
        for (int64_t l = 0; l < k; l++) sum += element(&p->a, p->A, a, z, i, l) * element(&p->b, p->B, b, z, l, j);
        const int64_t at = z * p->c.step + i + j * p->c.ld;
        const double before = p->beta != 0 ? (double)p->beta * number(p->C, p->c.type, at) : 0;
        const double bias = p->job.bias ? number(p->job.bias, p->c.type, i) : 0;    /* along a column: a row of ours */
        const float y = (float)((double)p->alpha * sum + before + bias);
        if (p->c.type == CUDA_R_16BF) ((uint16_t *)p->D)[at] = bf16_rounded(y);
        else                          ((float *)p->D)[at] = y;
    }
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t job, const void *alpha, const void *A,
                              cublasLtMatrixLayout_t a, const void *B, cublasLtMatrixLayout_t b, const void *beta,
                              const void *C, cublasLtMatrixLayout_t c, void *D, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t *algorithm, void *workspace, size_t bytes, cudaStream_t s)
{
    const bool ta = job->a == CUBLAS_OP_T, tb = job->b == CUBLAS_OP_T;
    REQUIRE(handle && workspace && bytes && s == &stream && c == d, "arguments of a product");
    REQUIRE((ta ? a->cols : a->rows) == c->rows && (tb ? b->rows : b->cols) == c->cols &&
            (ta ? a->rows : a->cols) == (tb ? b->cols : b->rows) && a->count == c->count && b->count == c->count,
            "shapes that do not fit");
    bias_is_there(job);
    if (mock.product != CUBLAS_STATUS_SUCCESS) return mock.product;
    if (!has(algorithm)) return CUBLAS_STATUS_NOT_SUPPORTED;
    product_call p = { *job, *a, *b, *c, 0, 0, A, B, C, D };
    memcpy(&p.alpha, alpha, sizeof p.alpha);
    memcpy(&p.beta, beta, sizeof p.beta);
    enqueue(multiply, &p, sizeof p);
    mock.products++;
    mock.last = algorithm->data[0];
    now += (double)mock.last;
    return CUBLAS_STATUS_SUCCESS;
}
