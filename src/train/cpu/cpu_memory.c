/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_memory.c - memory on the CPU: allocation, copies, conversions, and graphs, which are run as they are. */
#include <stdlib.h>
#include <string.h>
#include "src/train/cpu/real.h"

static void *cpu_alloc(size_t bytes) { return must_calloc(bytes ? bytes : 1, 1); }
static void cpu_release(void *x) { free(x); }
static void cpu_move(void *to, const void *from, size_t bytes) { if (bytes) memcpy(to, from, bytes); }

static void cpu_graph_run(void **graph, void (*body)(void *self), void *self)
{
    (void)graph;
    body(self);
}
static void cpu_graph_free(void **graph) { (void)graph; }

enum { PIECE = 4096 };                   /* numbers per task: results do not depend on the thread count */
static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void cpu_zero(void *to, size_t n)
{
    real *x = to;
    #pragma omp parallel for schedule(static) if (n > FORK_NUMBERS)
    for (size_t at = 0; at < n; at += PIECE) memset(x + at, 0, least(n - at, PIECE) * sizeof *x);
}

static void cpu_copy(void *to, const void *from, size_t n)
{
    real *y = to;
    const real *x = from;
    if (to == from) return;
    #pragma omp parallel for schedule(static) if (n > FORK_NUMBERS)
    for (size_t at = 0; at < n; at += PIECE) memcpy(y + at, x + at, least(n - at, PIECE) * sizeof *x);
}

static void cpu_put(void *to, const double *from, size_t n)
{
    real *x = to;
    for (size_t i = 0; i < n; i++) x[i] = (real)from[i];
}

static void cpu_get(double *to, const void *from, size_t n)
{
    const real *x = from;
    for (size_t i = 0; i < n; i++) to[i] = (double)x[i];
}

void cpu_fill_memory(ops *o)
{
    o->real = o->act = sizeof(real);
    o->logits = 1 << 24;
    o->alloc = cpu_alloc;
    o->release = cpu_release;
    o->put = cpu_put;
    o->get = cpu_get;
    o->put_act = cpu_put;
    o->get_act = cpu_get;
    o->upload = cpu_move;
    o->download = cpu_move;
    o->zero = cpu_zero;
    o->copy = cpu_copy;
    o->cast_to_act = cpu_copy;
    o->graph_run = cpu_graph_run;
    o->graph_free = cpu_graph_free;
}
