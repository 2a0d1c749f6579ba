/* SPDX-License-Identifier: GPL-3.0-or-later
 * gemm.c - matrix products by cuBLASLt, with a plan for each distinct product (gemm_key.h).
 *
 * The first time a key occurs, up to TRIED algorithms are timed on the real operands with a scratch result, and the
 * fastest is used from then on.  It is also saved to a file for later processes, because a different algorithm may
 * change the last bits.  There is one file per GPU model and cuBLASLt version, in $PROVABLY_CACHE or
 * ~/.cache/provably.  Partial sums over K may be kept in our workspace and are then added in a second pass, in a fixed
 * order; schemes that add them up in the result are excluded.  A bias is added before the result is rounded.  Called by
 * product.cu.
 *
 * cuBLASLt is column-major: our row-major M x N matrix is its N x M matrix, so C = op(A) op(B) is computed as
 * C' = op(B)' op(A)', with the operands swapped and the same transpositions.                          */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cublasLt.h>
#include "cuda/device.h"
#include "cuda/gemm_key.h"
#include "cuda/product.h"
#include "src/base/lines.h"

enum { TRIED = 8, ROUNDS = 5, WORKSPACE = 64 << 20 };

typedef struct {
    gemm_key key;
    bool     none;                       /* cuBLASLt has no algorithm                                    */
    cublasLtMatmulDesc_t   job;
    cublasLtMatrixLayout_t a, b, c;
    cublasLtMatmulAlgo_t   algorithm;
} plan;

static struct {
    cublasLtHandle_t handle;
    void   *workspace;
    plan   *list;
    long    n;
    char   *file;                        /* NULL: choices are not saved                                  */
} G;

/* ---- the library: loaded, so that a program that was built with CUDA starts where it is missing ------------ */

#define CALLS(X) \
    X(Create) X(GetVersion) X(GetStatusString) X(Matmul) X(MatmulAlgoCheck) X(MatmulAlgoGetHeuristic) \
    X(MatmulDescCreate) X(MatmulDescSetAttribute) X(MatmulPreferenceCreate) X(MatmulPreferenceDestroy) \
    X(MatmulPreferenceSetAttribute) X(MatrixLayoutCreate) X(MatrixLayoutSetAttribute)
#define POINTER(name) __typeof__(&cublasLt##name) name;
#define NAMED(name)   { "cublasLt" #name, &lt.name },
#define TEXT_OF(x)    #x
#define TEXT(x)       TEXT_OF(x)
static struct { CALLS(POINTER) } lt;

const char *gemm_open(void)
{
    static const char library[] = "libcublasLt.so." TEXT(CUBLAS_VER_MAJOR);
    static const struct { const char *name; void *to; } call[] = { CALLS(NAMED) };
    static const char *missing;
    static void *so;
    if (so || missing) return missing;
    so = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!so)
        missing = must_format("%s; install cuBLAS of CUDA %s, or name its folder in LD_LIBRARY_PATH", dlerror(),
                              TEXT(CUBLAS_VER_MAJOR));
    for (size_t k = 0; k < COUNT(call) && !missing; k++) {
        void *f = dlsym(so, call[k].name);
        if (!f) missing = must_format("%s has no %s", library, call[k].name);
        memcpy(call[k].to, &f, sizeof f);
    }
    return missing;
}

static void checked(cublasStatus_t s, const char *what)
{
    if (s == CUBLAS_STATUS_SUCCESS) return;
    const char *do_this =
        s == CUBLAS_STATUS_ALLOC_FAILED ? "use a smaller --micro, or free the GPU (nvidia-smi shows what runs on it)" :
        s == CUBLAS_STATUS_NOT_INITIALIZED || s == CUBLAS_STATUS_ARCH_MISMATCH ?
            "update the NVIDIA driver, or train with --backend=cpu" :
        "run make gpu-check; if it fails, too, the GPU or the program is broken, else report this line";
    die("cuBLASLt: %s: %s; %s", what, lt.GetStatusString(s), do_this);
}
#define LT(call) checked(call, #call)

/* ---- the file ---------------------------------------------------------------------------------------------- */

/* save_choice warns when it cannot open the file. */
static void try_folder(const char *path) { (void)mkdir(path, 0777); }

static char *choices_file(void)
{
    const char *own = getenv("PROVABLY_CACHE"), *home = getenv("HOME");
    if (!own && !home) return NULL;
    char *cache = own ? must_strdup(own) : must_format("%s/.cache", home);
    try_folder(cache);
    char *folder = own ? must_strdup(own) : must_format("%s/provably", cache);
    try_folder(folder);
    char *path = must_format("%s/gemm-%s-lt%zu", folder, cuda_device_name(), lt.GetVersion());
    for (char *c = path + strlen(folder) + 1; *c; c++) if (strchr(" ,/", *c)) *c = '_';
    free(cache);
    free(folder);
    return path;
}

/* The algorithm that the file records for a key; the last matching line counts. */
static bool saved_choice(const gemm_key *k, cublasLtMatmulAlgo_t *algorithm)
{
    FILE *f = G.file ? fopen(G.file, "r") : NULL;
    text_line line = { 0 };
    char want[256];
    bool found = false;
    gemm_key_text(k, want, sizeof want);
    const size_t length = strlen(want);
    cublasLtMatmulAlgo_t read;                       /* a line that is cut off leaves the last whole one */
    while (f && line_next(&line, f, G.file)) {
        if (strncmp(line.at, want, length) != 0 || line.at[length] != ' ') continue;
        if (!gemm_words_read(line.at + length, read.data, COUNT(read.data))) continue;
        *algorithm = read;
        found = true;
    }
    if (f) fclose(f);
    text_line_free(&line);
    return found;
}

/* The same, if this library still has it for this GPU: a file may be older than either. */
static bool usable_choice(const plan *q, cublasLtMatmulAlgo_t *algorithm)
{
    cublasLtMatmulAlgo_t saved = { { 0 } };
    cublasLtMatmulHeuristicResult_t is;
    if (!saved_choice(&q->key, &saved) ||
        lt.MatmulAlgoCheck(G.handle, q->job, q->a, q->b, q->c, q->c, &saved, &is) != CUBLAS_STATUS_SUCCESS ||
        is.workspaceSize > WORKSPACE) return false;
    *algorithm = saved;
    return true;
}

/* If two processes choose at the same time, both use the choice that was written first (under the lock). */
static void save_choice(plan *q)
{
    const int fd = G.file ? open(G.file, O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (fd < 0) {
        static bool warned;
        if (!warned) fprintf(stderr, "%s: cannot save the chosen matrix product algorithms in %s; resumed runs may "
                           "differ in the last bits\n", program_name, G.file ? G.file : "~/.cache (HOME is not set)");
        warned = true;
        return;
    }
    flock(fd, LOCK_EX);
    if (!usable_choice(q, &q->algorithm)) {
        char text[256], words[256];
        gemm_key_text(&q->key, text, sizeof text);
        gemm_words(q->algorithm.data, COUNT(q->algorithm.data), words, sizeof words);
        dprintf(fd, "%s %s\n", text, words);
    }
    close(fd);
}

/* ---- plans ------------------------------------------------------------------------------------------------- */

static cublasLtMatrixLayout_t layout(number_type t, long rows, long cols, long ld, long count, long step)
{
    cublasLtMatrixLayout_t l;
    const int32_t batch = (int32_t)count;
    LT(lt.MatrixLayoutCreate(&l, t == BF16 ? CUDA_R_16BF : CUDA_R_32F, (uint64_t)rows, (uint64_t)cols, ld));
    LT(lt.MatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batch, sizeof batch));
    LT(lt.MatrixLayoutSetAttribute(l, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step, sizeof step));
    return l;
}

static void use_bias(const plan *q, const void *bias)
{
    LT(lt.MatmulDescSetAttribute(q->job, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias));
}

/* cuBLASLt's A is our B, and vice versa; its bias, of the type of the result, runs along its columns, our rows. */
static void describe(plan *q, const product *p)
{
    const cublasComputeType_t compute = p->tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    const cublasOperation_t a = p->tB ? CUBLAS_OP_T : CUBLAS_OP_N, b = p->tA ? CUBLAS_OP_T : CUBLAS_OP_N;
    LT(lt.MatmulDescCreate(&q->job, compute, CUDA_R_32F));
    LT(lt.MatmulDescSetAttribute(q->job, CUBLASLT_MATMUL_DESC_TRANSA, &a, sizeof a));
    LT(lt.MatmulDescSetAttribute(q->job, CUBLASLT_MATMUL_DESC_TRANSB, &b, sizeof b));
    if (p->bias) {
        const uint32_t epilogue = CUBLASLT_EPILOGUE_BIAS;
        LT(lt.MatmulDescSetAttribute(q->job, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue));
        use_bias(q, p->bias);
    }
    q->a = layout(p->in, p->tB ? p->K : p->N, p->tB ? p->N : p->K, p->b.row, p->heads, p->b.head);
    q->b = layout(p->in, p->tA ? p->M : p->K, p->tA ? p->K : p->M, p->a.row, p->heads, p->a.head);
    q->c = layout(p->out, p->N, p->M, p->c.row, p->heads, p->c.head);
}

static cublasStatus_t launch(const plan *q, const product *p, const cublasLtMatmulAlgo_t *algorithm, void *C)
{
    const float alpha = (float)p->alpha, beta = (float)p->beta;
    if (p->bias) use_bias(q, p->bias);   /* products of one plan have biases of their own */
    return lt.Matmul(G.handle, q->job, &alpha, p->B, q->a, p->A, q->b, &beta, p->D ? p->D : C, q->c, C, q->c,
                          algorithm, G.workspace, WORKSPACE, cuda_stream());
}

/* Milliseconds of one product: the median of ROUNDS after a warm-up; negative: it does not run. */
static float time_of(const plan *q, const product *p, const cublasLtMatmulAlgo_t *algorithm, void *spare)
{
    cudaEvent_t start, end;
    float ms[ROUNDS];
    if (launch(q, p, algorithm, spare) != CUBLAS_STATUS_SUCCESS) return -1;
    CUDA(cudaEventCreate(&start));
    CUDA(cudaEventCreate(&end));
    for (int k = 0; k < ROUNDS; k++) {
        CUDA(cudaEventRecord(start, cuda_stream()));
        LT(launch(q, p, algorithm, spare));
        CUDA(cudaEventRecord(end, cuda_stream()));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaEventElapsedTime(&ms[k], start, end));
        for (int i = k; i > 0 && ms[i] < ms[i - 1]; i--) {
            const float x = ms[i];
            ms[i] = ms[i - 1];
            ms[i - 1] = x;
        }
    }
    CUDA(cudaEventDestroy(start));
    CUDA(cudaEventDestroy(end));
    return ms[ROUNDS / 2];
}

static int candidates(const plan *q, cublasLtMatmulHeuristicResult_t *result)
{
    cublasLtMatmulPreference_t wish;
    const size_t workspace = WORKSPACE;
    const uint32_t scheme = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;        /* or none, whose value is 0 */
    const uint32_t a = q->key.align_b, b = q->key.align_a, c = q->key.align_d;
    const uint32_t bias = (uint32_t)q->key.bias;                   /* no preference is its own: the result's */
    const uint32_t d = bias && bias < q->key.align_c ? bias : q->key.align_c;
    int found = 0;
    LT(lt.MatmulPreferenceCreate(&wish));
    LT(lt.MatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                            sizeof workspace));
    LT(lt.MatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &scheme, sizeof scheme));
    LT(lt.MatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, &a, sizeof a));
    LT(lt.MatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, &b, sizeof b));
    LT(lt.MatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, &c, sizeof c));
    LT(lt.MatmulPreferenceSetAttribute(wish, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, &d, sizeof d));
    if (lt.MatmulAlgoGetHeuristic(G.handle, q->job, q->a, q->b, q->c, q->c, wish, TRIED, result, &found) !=
        CUBLAS_STATUS_SUCCESS) found = 0;
    LT(lt.MatmulPreferenceDestroy(wish));
    return found;
}

static void choose(plan *q, const product *p)
{
    cublasLtMatmulHeuristicResult_t result[TRIED];
    if (usable_choice(q, &q->algorithm)) return;
    REQUIRE(!cuda_recording(), "recorded work must have run once before");
    const int found = candidates(q, result);
    const size_t numbers = (size_t)((p->heads - 1) * p->c.head + (p->M - 1) * p->c.row + p->N);
    void *spare = NULL;
    float best = -1;
    CUDA(cudaMalloc(&spare, numbers * (p->out == BF16 ? 2 : 4)));
    for (int k = 0; k < found; k++) {
        if (result[k].state != CUBLAS_STATUS_SUCCESS) continue;
        const float ms = time_of(q, p, &result[k].algo, spare);
        if (ms < 0 || (best >= 0 && ms >= best)) continue;
        best = ms;
        q->algorithm = result[k].algo;
    }
    CUDA(cudaFree(spare));
    q->none = best < 0;
    if (!q->none) save_choice(q);
}

static const plan *plan_for(const product *p)
{
    const gemm_key key = gemm_key_of(p);
    for (long k = 0; k < G.n; k++) if (memcmp(&G.list[k].key, &key, sizeof key) == 0) return &G.list[k];
    if (!G.handle) {
        LT(lt.Create(&G.handle));
        CUDA(cudaMalloc(&G.workspace, WORKSPACE));
        G.file = choices_file();
    }
    G.list = must_realloc(G.list, (size_t)G.n + 1, sizeof *G.list);
    plan *q = &G.list[G.n++];
    memset(q, 0, sizeof *q);
    q->key = key;
    describe(q, p);
    choose(q, p);
    return q;
}

bool product_lt(const product *p)
{
    REQUIRE(p->sequences == 1, "%ld sequences at a time", p->sequences);
    REQUIRE(!p->bias || p->heads == 1, "a bias of %ld products", p->heads);
    const plan *q = plan_for(p);
    if (q->none) return false;
    LT(launch(q, p, &q->algorithm, p->C));
    return true;
}
