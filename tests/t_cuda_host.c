/* SPDX-License-Identifier: GPL-3.0-or-later
 * t_cuda_host.c - the host half of the CUDA backend on a GPU that is none (tests/mock): opening the device, what is said
 * when it cannot be used, recorded graphs, products by cuBLASLt and the file of their algorithms, and which kernels do
 * attention. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cuda/attn.h"
#include "cuda/device.h"
#include "cuda/product.h"
#include "tests/mock/cuda_mock.h"
#include "tests/support/files.h"
#include "tests/support/suite.h"

/* The device is opened once in a process, so each case is a child; what it prints is looked at. */
static char said[1 << 14];
static int status_of(void (*f)(void *), void *with) { return run_child(f, with, said, sizeof said); }
static void says(const char *what) { ck_assert_msg(strstr(said, what), "missing: %s\nin: %s", what, said); }

/* ---- the device --------------------------------------------------------------------------------------------- */

typedef struct { int devices; cudaError_t counting; int driver, major, minor; const char *why; } machine;
static void open_machine(void *with)
{
    const machine *m = with;
    mock.devices = m->devices;
    mock.counting = m->counting;
    mock.driver = m->driver;
    mock.major = m->major;
    mock.minor = m->minor;
    for (int twice = 0; twice < 2; twice++) {
        const char *why = cuda_open();
        printf("[%s]", why ? why : cuda_device_name());
    }
    REQUIRE(mock.opened == 1, "opened %d times", mock.opened);
}
START_TEST(a_missing_device_has_a_reason)
{
    static machine all[] = {
        { 1, cudaSuccess, 13000, 9, 0, "Mock 0, sm_90, driver 13.0, runtime 13.0" },
        { 0, cudaSuccess, 13000, 9, 0, "none is visible" },
        { 0, cudaErrorNoDevice, 13000, 9, 0, "no CUDA-capable device is detected" },
        { 0, cudaErrorInsufficientDriver, 0, 9, 0, "no NVIDIA driver is to be seen: install it, or start the container "
                                                   "with --gpus all" },
        { 0, cudaErrorInsufficientDriver, 12040, 9, 0, "the NVIDIA driver is for CUDA 12.4 and the program for 13.0: "
                                                       "update the driver, or build with CUDA 12.4 or older" },
        { 0, cudaErrorStubLibrary, 13000, 9, 0, "CUDA driver is a stub library" },
        { 1, cudaSuccess, 13000, 7, 5, "Mock 0 is of sm_75; sm_80 (A100) or later is needed" },
    };
    for (size_t k = 0; k < COUNT(all); k++) {
        char *twice = temp_format("[%s][%s]", all[k].why, all[k].why);
        ck_assert_int_eq(status_of(open_machine, &all[k]), 0);
        ck_assert_str_eq(said, twice);
    }
}
END_TEST

/* Not for the CPU: the next run of a series would be another one. */
START_TEST(a_silent_device_ends_the_program)
{
    machine silent = { 1, cudaErrorDevicesUnavailable, 13000, 9, 0, NULL };
    ck_assert_int_eq(status_of(open_machine, &silent), 2);
    says("the GPU does not answer: busy (cudaError); run the same command again when it does, or with --backend=cpu");
}
END_TEST

static void choose_device(void *with)
{
    setenv(with, "5", 1);
    mock.devices = 4;
    const char *why = cuda_open();
    printf("%s %d", why ? why : cuda_device_name(), mock.device);
}
START_TEST(ranks_share_the_devices)
{
    static char *const names[] = { "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID" };
    for (size_t k = 0; k < COUNT(names); k++) {
        ck_assert_int_eq(status_of(choose_device, names[k]), 0);
        ck_assert_str_eq(said, "Mock 1, sm_90, driver 13.0, runtime 13.0 1");
    }
}
END_TEST

static void fail_with(void *e) { cuda_checked(*(cudaError_t *)e, "file.cu", 7, "cudaCall()"); }
START_TEST(errors_say_what_to_do)
{
    static const struct { cudaError_t e; const char *says; } all[] = {
        { cudaErrorMemoryAllocation, "smaller --micro" },
        { cudaErrorNoKernelImageForDevice, "make CUDA=1 CUDA_ARCH=sm_NN" },
        { cudaErrorUnsupportedPtxVersion, "update the NVIDIA driver, or build for the GPU itself: make CUDA=1 CUDA_ARCH=sm_NN" },
        { cudaErrorDevicesUnavailable, "CUDA_VISIBLE_DEVICES" },
        { cudaErrorIllegalAddress, "file.cu:7: cudaCall(): an illegal memory access (cudaError); run make gpu-check" },
    };
    for (size_t k = 0; k < COUNT(all); k++) {
        cudaError_t e = all[k].e;
        ck_assert_int_eq(status_of(fail_with, &e), 2);
        says(all[k].says);
    }
}
END_TEST

/* ---- graphs --------------------------------------------------------------------------------------------------- */

static ops device_ops(void)
{
    ops o = { .name = "mock" };
    REQUIRE(!cuda_open(), "a device");
    cuda_fill_device(&o);
    return o;
}

static void add_one(void *x) { ++*(int *)x; }
static void body(void *x)
{
    REQUIRE(cuda_scratch(100), "scratch");
    mock_work(add_one, x);
}
static void record(void *with)
{
    (void)with;
    const ops o = device_ops();
    void *graph = NULL;
    int n = 0;
    for (int k = 0; k < 4; k++) o.graph_run(&graph, body, &n);
    printf("%d times, %d captured, %d launched, %d allocated", n, mock.captures, mock.launches, mock.mallocs);
    o.graph_free(&graph);
    REQUIRE(!graph && mock.waits == 1, "a freed graph");
}
START_TEST(bodies_are_recorded_once)
{
    ck_assert_int_eq(status_of(record, NULL), 0);
    ck_assert_str_eq(said, "4 times, 1 captured, 3 launched, 1 allocated");
}
END_TEST

static void wait_inside(void *x) { if (*(int *)x) cuda_wait(); }
static void grow_inside(void *x) { cuda_scratch(*(int *)x ? 1 << 20 : 1); }
static void allocate_inside(void *x)
{
    void *p = NULL;
    if (*(int *)x) CUDA(cudaMalloc(&p, 1));
}
static void record_badly(void *with)
{
    void (*const bad[])(void *) = { wait_inside, grow_inside, allocate_inside };
    const ops o = device_ops();
    void *graph = NULL;
    contract_set_handler(contract_exits);
    int second = 0;
    o.graph_run(&graph, bad[*(int *)with], &second);
    second = 1;
    o.graph_run(&graph, bad[*(int *)with], &second);
}
START_TEST(nothing_waits_or_allocates_in_a_recording)
{
    static const char *const what[] = { "work that is recorded cannot be waited for", "recorded work must have run once",
                                        "operation not permitted when stream is capturing" };
    for (int k = 0; k < (int)COUNT(what); k++) {
        ck_assert_int_eq(status_of(record_badly, &k), k < 2 ? CONTRACT_STATUS : 2);
        says(what[k]);
    }
}
END_TEST

/* ---- waiting --------------------------------------------------------------------------------------------------- */

static int looked;
static void look(void) { if (++looked == 7) die("another process is gone"); }
static void wait_for(void *times)
{
    device_ops();
    cuda_watch(look);
    mock.busy = *(int *)times;
    cuda_wait();
    printf("looked %d times, waited %d", looked, mock.waits);
}
START_TEST(a_sum_without_end_ends)
{
    int times = 6;
    ck_assert_int_eq(status_of(wait_for, &times), 0);
    ck_assert_str_eq(said, "looked 6 times, waited 1");
    times = 1 << 30;
    ck_assert_int_eq(status_of(wait_for, &times), 2);
    ck_assert_str_eq(said, temp_format("%s: another process is gone\n", program_name));
}
END_TEST

/* ---- products --------------------------------------------------------------------------------------------------- */

enum { ROOM = 4096 };
static _Alignas(256) char A[4 * ROOM], B[4 * ROOM], C[4 * ROOM], D[4 * ROOM];

static double number(const void *x, number_type t, long i)
{
    return t == BF16 ? (double)bf16_value(((const uint16_t *)x)[i]) : (double)((const float *)x)[i];
}
static void fill(void *x, number_type t, unsigned seed)
{
    for (int i = 0; i < ROOM; i++) {
        seed = seed * 1664525u + 1013904223u;
        const float v = (float)(seed >> 8) / (1 << 23) - 1;
        if (t == BF16) ((uint16_t *)x)[i] = bf16_rounded(v);
        else           ((float *)x)[i] = v;
    }
}
static product kind(bool tA, bool tB, number_type in, number_type out, double beta, long count)
{
    const long M = 7, N = 5, K = 9, a = (tA ? M : K) + 3, b = (tB ? K : N) + 2, c = N + 4;
    fill(A, in, 1);
    fill(B, in, 2);
    fill(C, out, 3);
    fill(D, out, 4);
    return (product){ .tA = tA, .tB = tB, .in = in, .out = out, .M = M, .N = N, .K = K, .sequences = 1, .heads = count,
                      .alpha = 0.5, .beta = beta, .A = A, .B = B, .C = beta == 1 ? D : C, .D = beta == 0 ? NULL : D,
                      .a = { a, 0, 40 * a }, .b = { b, 0, 40 * b }, .c = { c, 0, 40 * c } };
}
static double expected(const product *p, long h, long i, long j)
{
    double sum = 0;
    for (long k = 0; k < p->K; k++)
        sum += number(A, p->in, h * p->a.head + (p->tA ? k * p->a.row + i : i * p->a.row + k)) *
               number(B, p->in, h * p->b.head + (p->tB ? j * p->b.row + k : k * p->b.row + j));
    const double before = p->beta == 0 ? 0 : number(D, p->out, h * p->c.head + i * p->c.row + j);
    return p->alpha * sum + p->beta * before + (p->bias ? number(p->bias, p->out, j) : 0);
}
static void one_product(product p)
{
    enum { HEADS = 3, M = 7, N = 5 };
    double want[HEADS][M][N];
    for (long h = 0; h < p.heads; h++) for (long i = 0; i < p.M; i++) for (long j = 0; j < p.N; j++)
        want[h][i][j] = expected(&p, h, i, j);
    REQUIRE(product_lt(&p), "cuBLASLt has an algorithm");
    const double small = p.out == BF16 ? 5e-3 : 1e-6;
    for (long h = 0; h < p.heads; h++) for (long i = 0; i < p.M; i++) for (long j = 0; j < p.N; j++) {
        const double is = number(p.C, p.out, h * p.c.head + i * p.c.row + j);
        REQUIRE(fabs(is - want[h][i][j]) <= small * (1 + fabs(want[h][i][j])), "%g instead of %g", is, want[h][i][j]);
    }
}

static char *cache(void) { return getenv("PROVABLY_CACHE"); }
static void use_cache(char *folder) { setenv("PROVABLY_CACHE", folder, 1); }

static void all_kinds(void *folder)
{
    use_cache(folder);
    REQUIRE(!cuda_open() && !gemm_open() && cache(), "a device");
    for (int k = 0; k < 72; k++)
        one_product(kind(k & 1, k & 2, k / 4 % 3 == 0 ? F32 : BF16, k / 4 % 3 == 2 ? BF16 : F32, k / 12 % 3, k / 36 ? 3 : 1));
    printf("%d choices", mock.heuristics);
}
START_TEST(rows_and_columns_change_places)
{
    char *folder = temp_folder();
    ck_assert_int_eq(status_of(all_kinds, folder), 0);
    ck_assert_str_eq(said, "72 choices");
    ck_assert_int_eq(status_of(all_kinds, folder), 0);                     /* another process finds them in the file */
    ck_assert_str_eq(said, "0 choices");
}
END_TEST

/* A bias has a number for each column of ours, of the result's type; two products of one plan have one each, which a
 * recording reads when it runs. */
typedef struct { const ops *o; product *p; } recorded_products;
static void run_both(void *with)
{
    const recorded_products *r = with;
    for (int k = 0; k < 2; k++) REQUIRE(product_lt(&r->p[k]), "cuBLASLt has an algorithm");
}
static void biases(void *folder)
{
    static _Alignas(256) char bias[2][256], other[4 * ROOM];
    use_cache(folder);
    REQUIRE(!cuda_open() && !gemm_open(), "a device");
    for (int t = 0; t < 2; t++) for (int beta = 0; beta < 2; beta++) {
        const number_type type = t ? BF16 : F32;
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 8; i++)
                if (t) ((uint16_t *)bias[k])[i] = bf16_rounded((float)(k + 3 * i));
                else   ((float *)bias[k])[i] = (float)(k + 3 * i);
            product p = kind(false, true, type, type, beta, 1);
            p.bias = bias[k];
            one_product(p);
        }
    }
    printf("%d choices, aligned to %u", mock.heuristics, mock.aligned);
    product p = kind(false, true, F32, F32, 0, 1);
    p.bias = (float *)bias[0] + 1;                                /* aligned to 4 bytes, which the result is not */
    one_product(p);
    printf("; %d, aligned to %u", mock.heuristics, mock.aligned);
    const ops o = device_ops();
    product both[2] = { p, p };
    both[1].bias = (float *)bias[1] + 1;
    both[1].C = other;
    void *graph = NULL;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 2; i++) ((float *)bias[i])[1] = (float)(100 * i + k);
        o.graph_run(&graph, run_both, &(recorded_products){ &o, both });
        for (int i = 0; i < 2; i++) {
            const double is = number(both[i].C, F32, 0), want = expected(&both[i], 0, 0, 0);
            REQUIRE(fabs(is - want) <= 1e-4, "bias %d of run %d: %g instead of %g", i, k, is, want);
        }
    }
    o.graph_free(&graph);
    printf("; %d", mock.heuristics);
}
static void bias_of_a_batch(void *folder)
{
    use_cache(folder);
    REQUIRE(!cuda_open() && !gemm_open(), "a device");
    contract_set_handler(contract_exits);
    product p = kind(false, true, F32, F32, 0, 3);
    p.bias = B;
    product_lt(&p);
}
START_TEST(biases_are_added_to_rows)
{
    char *folder = temp_folder();
    ck_assert_msg(status_of(biases, folder) == 0, "%s", said);
    ck_assert_str_eq(said, "4 choices, aligned to 256; 5, aligned to 4; 5");
    ck_assert_msg(status_of(biases, folder) == 0, "%s", said);             /* another process finds them in the file */
    says("0 choices");
    ck_assert_int_eq(status_of(bias_of_a_batch, folder), CONTRACT_STATUS);
    says("a bias of 3 products");
}
END_TEST

static void open_library(void *with)
{
    mock.library = with ? "libcublasLt.so.12" : mock.library;
    for (int twice = 0; twice < 2; twice++) {
        const char *why = gemm_open();
        printf("[%s]", why ? why : "here");
    }
}
static void open_without(void *name)
{
    mock.lacks = name;
    printf("[%s]", gemm_open());
}
START_TEST(a_missing_library_has_a_reason)
{
    ck_assert_int_eq(status_of(open_library, NULL), 0);
    ck_assert_str_eq(said, "[here][here]");
    ck_assert_int_eq(status_of(open_library, said), 0);
    const char *why = "[libcublasLt.so.13: cannot open shared object file: No such file or directory; install cuBLAS of CUDA "
                      "13, or name its folder in LD_LIBRARY_PATH]";
    ck_assert_str_eq(said, temp_format("%s%s", why, why));
    static char name[] = "cublasLtMatmul";
    ck_assert_int_eq(status_of(open_without, name), 0);
    ck_assert_str_eq(said, "[libcublasLt.so.13 has no cublasLtMatmul]");
}
END_TEST

static void plain_product(void *folder)
{
    use_cache(folder);
    REQUIRE(!cuda_open() && !gemm_open(), "a device");
    for (int twice = 0; twice < 2; twice++) one_product(kind(false, true, F32, F32, 0, 1));
    REQUIRE(mock.heuristics == 0 || mock.reduction == CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE, "sums in a fixed order");
    printf("algorithm %d of %d choices", (int)mock.last, mock.heuristics);
}
static const char FILE_NAME[] = "gemm-Mock_0__sm_90__driver_13.0__runtime_13.0-lt130000";

START_TEST(the_fastest_is_chosen_and_kept)
{
    char *folder = temp_folder();
    ck_assert_int_eq(status_of(plain_product, folder), 0);
    ck_assert_str_eq(said, "algorithm 1 of 1 choices");
    ck_assert(temp_exists(folder, FILE_NAME));
    ck_assert_int_eq(status_of(plain_product, folder), 0);
    ck_assert_str_eq(said, "algorithm 1 of 0 choices");
}
END_TEST

/* An algorithm that this GPU's library does not know any more: as after an update, or of another machine's file. */
START_TEST(a_stale_choice_is_chosen_again)
{
    char *folder = temp_folder();
    ck_assert_int_eq(status_of(plain_product, folder), 0);
    char *line = temp_read(folder, FILE_NAME, NULL), *word = strstr(line, " 0000000000000001 ");
    ck_assert(word != NULL);
    memcpy(word, " 0000000000000063 ", 18);
    temp_text(folder, FILE_NAME, line);
    for (int run = 0; run < 3; run++) {                                    /* the first one mends the file */
        ck_assert_msg(status_of(plain_product, folder) == 0, "%s", said);
        ck_assert_str_eq(said, run == 0 ? "algorithm 1 of 1 choices" : "algorithm 1 of 0 choices");
    }
}
END_TEST

/* Two processes choose at the same time: both use what the first one wrote. */
typedef struct { char *folder, *command; } other_process;
static void late_product(void *with)
{
    const other_process *o = with;
    use_cache(o->folder);
    mock.meanwhile = o->command;
    REQUIRE(!cuda_open() && !gemm_open(), "a device");
    one_product(kind(false, true, F32, F32, 0, 1));
    printf("algorithm %d", (int)mock.last);
}
START_TEST(the_first_writer_is_followed)
{
    char *folder = temp_folder();
    ck_assert_int_eq(status_of(plain_product, folder), 0);
    char *line = temp_read(folder, FILE_NAME, NULL), *word = strstr(line, " 0000000000000001 ");
    ck_assert(word != NULL);
    memcpy(word, " 0000000000000002 ", 18);
    char *theirs = temp_text(temp_folder(), "theirs", line), *path = temp_path(folder, FILE_NAME);
    ck_assert_int_eq(run_command(said, sizeof said, "rm '%s'", path), 0);
    other_process other = { folder, temp_format("cp '%s' '%s'", theirs, path) };
    ck_assert_int_eq(status_of(late_product, &other), 0);
    says("algorithm 2");
}
END_TEST

static void failing_product(void *with)
{
    setenv("PROVABLY_CACHE", "/dev/null/cache", 1);
    REQUIRE(!cuda_open() && !gemm_open(), "a device");
    one_product(kind(false, true, F32, F32, 0, 1));
    mock.product = *(cublasStatus_t *)with;
    one_product(kind(false, true, F32, F32, 0, 1));
}
START_TEST(library_errors_say_what_to_do)
{
    static const struct { cublasStatus_t is; const char *says; } all[] = {
        { CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED; use a smaller --micro, or free the GPU" },
        { CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED; update the NVIDIA driver" },
        { CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH; update the NVIDIA driver" },
        { CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE; run make gpu-check" },
        { CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED; run make gpu-check" },
    };
    for (size_t k = 0; k < COUNT(all); k++) {
        cublasStatus_t is = all[k].is;
        ck_assert_int_eq(status_of(failing_product, &is), 2);
        says(all[k].says);
        says("cannot save the chosen matrix product algorithms in /dev/null/cache/");
    }
}
END_TEST

/* ---- attention: kernels that only say who was called with how much room ---------------------------------------- */

static struct { size_t cudnn; bool flash_declines, cudnn_declines; char *work; const char *ran; } kernels;

size_t attn_simple_work(cuda_precision p, const attn_shape *s) { return (size_t)(s->T * s->T) * (p == CUDA_BF16 ? 3 : 2); }
size_t attn_flash_work (const attn_shape *s) { return s->D % 8 || s->D > 128 ? 0 : (size_t)(s->T * s->B); }
size_t attn_cudnn_work (const attn_shape *s) { return s->D % 8 ? 0 : kernels.cudnn; }
const char *attn_cudnn_why(void) { return "cuDNN 91000 is older than 9.16"; }

/* Writes to all the room that a method asked for. */
static bool ran(const char *name, size_t bytes, void *work, bool declines)
{
    if (declines) return false;
    memset(work, 1, bytes);
    kernels.ran = name;
    return true;
}
void attn_simple_fwd(cuda_precision p, heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    (void)O; (void)lse; (void)Q; (void)K; (void)V;
    ran("simple", attn_simple_work(p, s), work, false);
}
void attn_simple_bwd(cuda_precision p, heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                     heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    (void)dQ; (void)dK; (void)dV; (void)dO; (void)O; (void)lse; (void)Q; (void)K; (void)V;
    ran("simple back", attn_simple_work(p, s), work, false);
}
bool attn_flash_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)stream;
    return ran("flash", attn_flash_work(s), work, kernels.flash_declines);
}
bool attn_flash_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse, heads Q, heads K,
                    heads V, const attn_shape *s, void *work, void *stream)
{
    (void)dQ; (void)dK; (void)dV; (void)dO; (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)stream;
    return ran("flash back", attn_flash_work(s), work, kernels.flash_declines);
}
bool attn_cudnn_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)stream;
    REQUIRE(s->room >= kernels.cudnn, "room for cuDNN");
    return ran("cudnn", kernels.cudnn, work, kernels.cudnn_declines);
}
bool attn_cudnn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse, heads Q, heads K,
                    heads V, const attn_shape *s, void *work, void *stream)
{
    (void)dQ; (void)dK; (void)dV; (void)dO; (void)O; (void)lse; (void)Q; (void)K; (void)V; (void)stream;
    REQUIRE(s->room >= kernels.cudnn, "room for cuDNN");
    return ran("cudnn back", kernels.cudnn, work, kernels.cudnn_declines);
}

static ops attention_ops(cuda_precision p)
{
    ops o = { .name = "mock" };
    REQUIRE(!cuda_open(), "a device");
    cuda_fill_attn(&o, p);
    return o;
}
static attn_shape shape(long batch, long length, long width)
{
    return (attn_shape){ .B = batch, .T = length, .H = 2, .D = width, .scale = 1, .causal = true };
}

/* The kernel that a call with so much room takes; what lies behind the room stays. */
static const char *called(const ops *o, attn_shape s, size_t room, bool back)
{
    char *work = must_calloc(room + 64, 1);
    s.room = room;
    kernels.ran = NULL;
    if (back) o->attn_bwd((heads_out){ 0 }, (heads_out){ 0 }, (heads_out){ 0 }, (heads){ 0 }, (heads){ 0 }, NULL,
                          (heads){ 0 }, (heads){ 0 }, (heads){ 0 }, &s, work);
    else      o->attn_fwd((heads_out){ 0 }, NULL, (heads){ 0 }, (heads){ 0 }, (heads){ 0 }, &s, work);
    for (size_t k = 0; k < 64; k++) REQUIRE(work[room + k] == 0, "%s wrote behind its room", kernels.ran);
    free(work);
    return kernels.ran;
}

/* What the work of long sequences costs is what the kernel needs that will be called. */
static void long_sequences(void *with)
{
    (void)with;
    kernels.cudnn = 777;
    const attn_shape s = shape(3, 256, 64), odd = shape(3, 256, 62), longer = shape(3, 1024, 64), less = shape(3, 1023, 64);
    static const char *const ask[] = { "best", "flash", "cudnn", "simple" };
    char *none;
    REQUIRE(strcmp(attention_ops(CUDA_BF16).attn_method(&s, &none), "flash") == 0 && !none, "flash unless asked");
    REQUIRE(strcmp(attention_ops(CUDA_BF16).attn_method(&less, &none), "flash") == 0 && !none, "flash for 1,023 positions");
    REQUIRE(strcmp(attention_ops(CUDA_BF16).attn_method(&longer, &none), "cudnn") == 0 && !none, "cuDNN for 1,024");
    REQUIRE(attention_ops(CUDA_BF16).attn_work(&longer) == 777, "with its work");
    kernels.cudnn = 0;
    REQUIRE(strcmp(attention_ops(CUDA_BF16).attn_method(&longer, &none), "flash") == 0 && none &&
            strcmp(none, "cudnn: cuDNN 91000 is older than 9.16") == 0, "without cuDNN flash, and why");
    free(none);
    kernels.cudnn = 777;
    for (size_t k = 0; k < COUNT(ask); k++) {
        REQUIRE(attn_choose(ask[k]), "%s", ask[k]);
        const ops o = attention_ops(CUDA_BF16), f = attention_ops(CUDA_FP32);
        char *why[3];
        const char *method[] = { o.attn_method(&s, &why[0]), o.attn_method(&odd, &why[1]), f.attn_method(&s, &why[2]) };
        printf("%s: %zu %s %s|%s, %zu %s %s|%s, %zu %s %s|%s\n", ask[k],
               o.attn_work(&s), method[0], called(&o, s, o.attn_work(&s), false), why[0] ? why[0] : "-",
               o.attn_work(&odd), method[1], called(&o, odd, o.attn_work(&odd), true), why[1] ? why[1] : "-",
               f.attn_work(&s), method[2], called(&f, s, f.attn_work(&s), true), why[2] ? why[2] : "-");
        for (int i = 0; i < 3; i++) free(why[i]);
    }
    REQUIRE(!attn_choose("fast"), "no such name");
}
START_TEST(work_is_what_the_method_needs)
{
    ck_assert_int_eq(status_of(long_sequences, NULL), 0);
    const char *heads_62 = "flash takes heads of a multiple of 8, up to 128 coordinates, not of 62";
    char *want = temp_format(
        "best: 768 flash flash|-, 196608 simple simple back|%s, 131072 simple simple back|flash needs --backend=cuda-bf16\n"
        "flash: 768 flash flash|-, 196608 simple simple back|%s, 131072 simple simple back|flash needs --backend=cuda-bf16\n"
        "cudnn: 777 cudnn cudnn|-, 196608 simple simple back|cudnn: cuDNN 91000 is older than 9.16, "
        "131072 simple simple back|cudnn needs --backend=cuda-bf16\n"
        "simple: 196608 simple simple|-, 196608 simple simple back|-, 131072 simple simple back|-\n", heads_62, heads_62);
    ck_assert_str_eq(said, want);
}
END_TEST

/* cuDNN is missing: flash; a kernel that declines a call: the one before it, in room of its own, and said once. */
static void declined_calls(void *with)
{
    (void)with;
    attn_choose("cudnn");
    const ops o = attention_ops(CUDA_BF16);
    const attn_shape s = shape(1, 64, 64);
    char *why;
    printf("%s ", o.attn_method(&s, &why));
    const char *name = called(&o, s, o.attn_work(&s), false);
    printf("%s %s %d\n", why, name, mock.mallocs);
    free(why);
    kernels.flash_declines = kernels.cudnn_declines = true;
    kernels.cudnn = 10;
    fflush(stdout);
    for (int twice = 0; twice < 2; twice++) called(&o, s, o.attn_work(&s), twice);
    printf("%s %d\n", kernels.ran, mock.mallocs);
    kernels.flash_declines = false;
    const attn_shape wide = shape(1, 64, 256);                             /* flash does not take it */
    const char *other = called(&o, wide, o.attn_work(&wide), false);
    printf("%s\n", other);
}
START_TEST(a_fallback_has_a_reason)
{
    ck_assert_int_eq(status_of(declined_calls, NULL), 0);
    char *want = temp_format(
        "flash cudnn: cuDNN 91000 is older than 9.16 flash 0\n"
        "%s: attention: cudnn declines these tensors (cuDNN 91000 is older than 9.16); flash is used for them\n"
        "%s: attention: flash declines these tensors (an address or a stride is no multiple of 16 bytes); "
        "simple is used for them\n"
        "simple back 2\nsimple\n", program_name, program_name);
    ck_assert_str_eq(said, want);
}
END_TEST

/* A smaller batch may want a larger workspace than the one that the full batch was given. */
static void small_batch(void *with)
{
    (void)with;
    attn_choose("cudnn");
    const ops o = attention_ops(CUDA_BF16);
    kernels.cudnn = 100;
    const attn_shape full = shape(8, 64, 64), less = shape(3, 64, 64);
    const size_t room = o.attn_work(&full);
    kernels.cudnn = 5000;
    const char *name = called(&o, less, room, true);
    printf("%s %d", name, mock.mallocs);
}
START_TEST(a_small_batch_stays_in_its_room)
{
    ck_assert_int_eq(status_of(small_batch, NULL), 0);
    ck_assert_str_eq(said, "cudnn back 1");
}
END_TEST

int main(int argc, char **argv)
{
    base_init(argc, argv);
    TCase *t = tcase_create("cuda_host");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, a_missing_device_has_a_reason);
    tcase_add_test(t, a_silent_device_ends_the_program);
    tcase_add_test(t, ranks_share_the_devices);
    tcase_add_test(t, errors_say_what_to_do);
    tcase_add_test(t, bodies_are_recorded_once);
    tcase_add_test(t, nothing_waits_or_allocates_in_a_recording);
    tcase_add_test(t, a_sum_without_end_ends);
    tcase_add_test(t, a_missing_library_has_a_reason);
    tcase_add_test(t, rows_and_columns_change_places);
    tcase_add_test(t, biases_are_added_to_rows);
    tcase_add_test(t, the_fastest_is_chosen_and_kept);
    tcase_add_test(t, a_stale_choice_is_chosen_again);
    tcase_add_test(t, the_first_writer_is_followed);
    tcase_add_test(t, library_errors_say_what_to_do);
    tcase_add_test(t, work_is_what_the_method_needs);
    tcase_add_test(t, a_fallback_has_a_reason);
    tcase_add_test(t, a_small_batch_stays_in_its_room);
    Suite *suite = suite_create("cuda_host");
    suite_add_tcase(suite, t);
    return run_suite(suite, argc, argv);
}
