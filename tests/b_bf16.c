/* SPDX-License-Identifier: GPL-3.0-or-later
 * b_bf16.c - training steps of cpu-bf16 beside cpu-f32: samples per second, GFLOP/s, and how much faster, by the clock
 * and in processor time; the two take turns in one run. */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "src/base/clock.h"
#include "src/train/basis.h"
#include "src/train/cpu/bf16.h"
#include "src/train/gpt.h"
#include "src/train/optim.h"

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A step is forward, backward and update. */
typedef struct { const ops *o; net *n; optim s; void *with; void (*gradient)(void *with); } training;

static const optim_config recipe = { .peak = 1e-4, .least = 1e-4, .steps = 1000, .beta1 = 0.9, .beta2 = 0.95,
                                     .eps = 1e-8, .decay = 0.1, .clip = 1 };

static void step(training *t)
{
    t->o->zero(t->n->g, t->n->table.size);
    t->gradient(t->with);
    optim_update(&t->s, &recipe, &t->n->table, t->o, t->n->w, t->n->g);
    net_refresh(t->n);
}

/* The least time of some steps of each, by both clocks. */
static void compare(const char *name, training *f32, training *bf16_, double units, double flops)
{
    training *const both[] = { f32, bf16_ };
    double clock[] = { 1e30, 1e30 }, processor[] = { 1e30, 1e30 };
    for (int turn = 0; turn < 4; turn++)
        for (int k = 0; k < 2; k++) {
            const double start = monotonic_seconds(), used = processor_seconds();
            step(both[k]);
            const double took = monotonic_seconds() - start, worked = processor_seconds() - used;
            if (turn && took < clock[k]) clock[k] = took;
            if (turn && worked < processor[k]) processor[k] = worked;
        }
    printf("%-26s %8.0f -> %8.0f /s %6.0f -> %6.0f GFLOP/s %6.2fx %6.2fx\n", name, units / clock[0], units / clock[1],
           1e-9 * flops / clock[0], 1e-9 * flops / clock[1], clock[0] / clock[1], processor[0] / processor[1]);
}

/* GFLOP/s in processor time of C = A B', 1024 x 1024, by each method that this machine can run, and in float.  Many at a
 * time: the system counts another thread's time at its ticks, some milliseconds apart. */
static void product_row(void)
{
    enum { N = 1024, MANY = 40 };
    const ops *o = ops_cpu_f32();
    float *A = alloc_wide(o, N * N), *B = alloc_wide(o, N * N), *C = alloc_wide(o, N * N);
    printf("%-26s", "product, n = 1024");
    const bf16_method *m = NULL;
    for (size_t k = 0; k == 0 || m; k++) {           /* float first */
        double best = 1e30;
        if (k && !m->usable()) { m = bf16_method_at(k); continue; }
        for (int turn = 0; turn < 4; turn++) {
            const double used = processor_seconds();
            for (int i = 0; i < MANY; i++) {
                if (k) m->product(false, true, N, N, N, 1, A, N, B, N, 0, NULL, C, N);
                else o->gemm(false, true, N, N, N, 1, A, N, B, N, 0, NULL, C, N, ACT);
            }
            const double worked = (processor_seconds() - used) / MANY;
            best = worked < best ? worked : best;
        }
        printf("  %s %.0f", k ? m->name : "float", 2e-9 * N * N * N / best);
        m = bf16_method_at(k);
    }
    printf(" GFLOP/s in processor time\n");
    o->release(A);
    o->release(B);
    o->release(C);
}

/* ---- GPT ----------------------------------------------------------------------------------------------------- */

typedef struct { gpt *M; int32_t *token; double *loss; long B, R; } gpt_batch;
static void gpt_gradient(void *with)
{
    const gpt_batch *b = with;
    gpt_loss(b->M, b->token, b->token, b->B, b->loss, 1.0 / (double)b->R);
}

static void gpt_row(const char *name, const gpt_config *c, long B)
{
    const ops *const both[] = { ops_cpu_f32(), ops_cpu_bf16() };
    training t[2];
    gpt_batch b[2];
    const long R = B * c->T;
    int32_t *token = must_calloc((size_t)R, sizeof *token);
    double *loss = must_calloc((size_t)R, sizeof *loss);
    for (long r = 0; r < R; r++) token[r] = (int32_t)(r * 7919 % c->V);
    for (int k = 0; k < 2; k++) {
        b[k] = (gpt_batch){ gpt_create(c, both[k], B, 1), token, loss, B, R };
        net *n = gpt_net(b[k].M);
        t[k] = (training){ both[k], n, optim_create(&n->table, both[k]), &b[k], gpt_gradient };
    }
    compare(name, &t[0], &t[1], (double)R, (double)R * gpt_flops(c));
    for (int k = 0; k < 2; k++) {
        optim_free(&t[k].s, both[k]);
        gpt_free(b[k].M);
    }
    free(token);
    free(loss);
}

/* ---- basis transfer ------------------------------------------------------------------------------------------ */

enum { SAMPLES = 8192, AT_ONCE = 2048 };
static void basis_gradient(void *with) { basis_loss(with, SAMPLES_TRAIN, 0, SAMPLES, 1); }

static void basis_row(long width)
{
    const ops *const both[] = { ops_cpu_f32(), ops_cpu_bf16() };
    const basis_shape c = { .d = width, .m = 4 * width };
    training t[2];
    char name[64];
    snprintf(name, sizeof name, "basis transfer, width %ld", width);
    for (int k = 0; k < 2; k++) {
        basis_task *M = basis_create(&c, both[k], AT_ONCE, 1, 2);
        t[k] = (training){ both[k], basis_net(M), optim_create(&basis_net(M)->table, both[k]), M, basis_gradient };
    }
    /* the target's 18 d^2 and the student's 3 times 16 d^2 less the first layer's gradient at its input */
    compare(name, &t[0], &t[1], SAMPLES, SAMPLES * 58.0 * (double)(width * width));
    for (int k = 0; k < 2; k++) {
        optim_free(&t[k].s, both[k]);
        basis_free(t[k].with);
    }
}

int main(int argc, char **argv)
{
    base_init(argc, argv);
    if (argc > 2) die("give nothing, or the number of one row");
    const long only = argc == 2 ? strtol(argv[1], NULL, 10) : -1;
    printf("cpu-f32 -> %s: samples and GFLOP per second, times faster by the clock and in processor time\n",
           ops_cpu_bf16()->name);
    if (only < 0) product_row();
    gpt_config small = gpt_default(), tiny = gpt_default(), large = gpt_default();
    small.L = 6; small.d = 384; small.h = 6; small.m = 1536; small.T = 256; small.V = 256;
    tiny.L = 4; tiny.d = 128; tiny.h = 4; tiny.m = 512; tiny.T = 128; tiny.V = 256;
    large.T = 64;
    if (only < 0 || only == 0) gpt_row("L6 d384 T256 V256 B12", &small, 12);
    if (only < 0 || only == 1) gpt_row("L4 d128 T128 V256 B12", &tiny, 12);
    if (only < 0 || only == 2) gpt_row("GPT-2 124M T64 B4", &large, 4);
    for (int k = 3; k < 6; k++) if (only < 0 || only == k) basis_row(k == 3 ? 256 : k == 4 ? 512 : 768);
    return 0;
}
