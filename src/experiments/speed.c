/* SPDX-License-Identifier: GPL-3.0-or-later
 * speed.c - how fast the operations are that runs will use: see reproduce.h. */
#include <cblas.h>
#include <stdlib.h>
#include <time.h>
#include "src/experiments/commands.h"
#include "src/experiments/reproduce.h"
#include "src/train/backend.h"
#include "src/train/ceiling.h"

/* In processor time of all threads, so that other programs do not count; OpenBLAS, which cpu-bf16 uses, on one. */
static double cpu_flops(const ops *o)
{
    enum { N = 512, LEAST = CLOCKS_PER_SEC };
    void *A = alloc_act(o, N * N), *B = alloc_act(o, N * N), *C = alloc_act(o, N * N);
    double done = 0;
    clock_t since = 0;
    const int threads = openblas_get_num_threads();
    openblas_set_num_threads(1);
    for (bool warm = false; !warm || clock() - since < LEAST; warm = true) {
        o->gemm(false, true, N, N, N, 1, A, N, B, N, 0, NULL, C, N, ACT);
        if (warm) done += 2.0 * N * N * N;
        else since = clock();
    }
    openblas_set_num_threads(threads);
    const double took = (double)(clock() - since) / CLOCKS_PER_SEC;
    o->release(A);
    o->release(B);
    o->release(C);
    return done / took * (double)machine_cores();
}

static const ops *operations_of(const reproduce_options *o, const run_kind *kind)
{
    char *name = command_option(o->more, "--backend");
    const ops *of = backend_find(name, backend_usual(kind->command));
    free(name);
    return of;
}

/* Each table of operations is measured once. */
static double flops_of(const ops *o)
{
    enum { SIDE = 4096, TABLES = 8 };
    static struct { const ops *o; double flops; } known[TABLES];
    long k = 0;
    while (known[k].o && known[k].o != o) {
        REQUIRE(k + 1 < TABLES, "more than %d tables of operations", TABLES);
        k++;
    }
    if (!known[k].o) known[k].flops = o->device ? ceiling_products(o, SIDE, SIDE, 1) : cpu_flops(o);
    known[k].o = o;
    return known[k].flops;
}

long jobs_on(const ops *o, long cores) { return o->device && cores > GPU_JOBS ? GPU_JOBS : cores; }

long machine_jobs(const reproduce_options *o, const char *command)
{
    return jobs_on(operations_of(o, run_kind_find(o->kinds, command)), machine_cores());
}

double machine_flops(const reproduce_options *o, const char *command)
{
    return flops_of(operations_of(o, run_kind_find(o->kinds, command)));
}

char *machine_speeds(const reproduce_options *o)
{
    text_buffer all = { 0 };
    for (const run_kind *k = o->kinds; k->command; k++) {
        const ops *of = operations_of(o, k);
        bool first = true;                                /* of the commands that use these operations */
        for (const run_kind *i = o->kinds; i < k; i++) first &= operations_of(o, i) != of;
        if (!first) continue;
        text_add(&all, "%s%.0f GFLOP/s by %s on ", all.length ? ", " : "", flops_of(of) * 1e-9, of->name);
        if (of->device) text_add(&all, "%s", of->device);
        else            text_add(&all, "%ld core%s", machine_cores(), machine_cores() == 1 ? "" : "s");
        const char *before = " (";
        for (const run_kind *i = k; of->device && i->command; i++)
            if (operations_of(o, i) == of) {
                text_add(&all, "%s%s", before, i->command);
                before = ", ";
            }
        if (of->device) text_add(&all, ")");
    }
    return text_take(&all);
}
