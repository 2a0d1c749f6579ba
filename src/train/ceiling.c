/* SPDX-License-Identifier: GPL-3.0-or-later
 * ceiling.c - see ceiling.h. */
#include <stdlib.h>
#include "src/base/clock.h"
#include "src/train/ceiling.h"

enum { ROWS = 1024, MOST_SIDE = 8192 };

static void *filled(const ops *o, size_t n)
{
    double *x = must_calloc(n, sizeof *x);
    for (size_t i = 0; i < n; i++) x[i] = (double)(i * 2654435761u % 1024) / 512 - 1;
    void *y = alloc_act(o, n);
    o->put_act(y, x, n);
    free(x);
    return y;
}

double ceiling_products(const ops *o, long N, long K, double seconds)
{
    void *x = filled(o, (size_t)(ROWS * K)), *W = filled(o, (size_t)(N * K)), *y = alloc_act(o, (size_t)(ROWS * N));
    double best = 0, one;
    const double begun = monotonic_seconds();
    for (long times = 1; monotonic_seconds() - begun < seconds;) {
        const double start = monotonic_seconds();
        for (long k = 0; k < times; k++) o->gemm(false, true, ROWS, N, K, 1, x, K, W, K, 0, NULL, y, N, ACT);
        o->get_act(&one, y, 1);          /* waits until asynchronous products have finished            */
        const double used = monotonic_seconds() - start, rate = 2.0 * ROWS * (double)(N * K) * (double)times / used;
        best = rate > best ? rate : best;
        if (used < 2e-3) times *= 2;     /* short enough that some are not disturbed by other programs  */
    }
    o->release(x);
    o->release(W);
    o->release(y);
    return best;
}

double ceiling_of(const training_task *t, double seconds)
{
    const param *list = t->net->table.list, *largest = list;
    for (long k = 1; k < t->net->table.n; k++)
        if (list[k].rows * list[k].cols > largest->rows * largest->cols) largest = &list[k];
    const long N = largest->rows < MOST_SIDE ? largest->rows : MOST_SIDE;
    const long K = largest->cols < MOST_SIDE ? largest->cols : MOST_SIDE;
    return ceiling_products(t->net->o, N, K, seconds);
}
