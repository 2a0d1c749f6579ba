/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_optim.c - the norm of a gradient and AdamW's update, on the CPU. */
#include "src/train/cpu/real.h"

enum { PIECE = 4096 };                   /* numbers per task: results do not depend on the thread count */
static size_t least(size_t a, size_t b) { return a < b ? a : b; }

VECTOR_CLONES static double piece_sumsq(const real *x, size_t n)
{
    double sum[8] = { 0 };
    size_t i = 0;
    for (; i + 8 <= n; i += 8) for (size_t k = 0; k < 8; k++) sum[k] += (double)x[i + k] * (double)x[i + k];
    for (; i < n; i++) sum[0] += (double)x[i] * (double)x[i];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static double cpu_sumsq(const void *from, size_t n)
{
    enum { PARTS = 64 };                 /* one after the other in memory, and added in that order */
    const real *x = from;
    const size_t part = (n + PARTS - 1) / PARTS;
    double sum[PARTS] = { 0 }, all = 0;
    #pragma omp parallel for schedule(static) if (n > FORK_NUMBERS)
    for (size_t k = 0; k < PARTS; k++)
        for (size_t at = k * part; at < n && at < (k + 1) * part; at += PIECE)
            sum[k] += piece_sumsq(x + at, least(least(n, (k + 1) * part) - at, PIECE));
    for (int k = 0; k < PARTS; k++) all += sum[k];
    return all;
}

VECTOR_CLONES
static void adamw_piece(real *restrict w, real *restrict m, real *restrict v, const real *restrict g, size_t n,
                        const adamw_step *s)
{
    for (size_t i = 0; i < n; i++) {
        double mean = (double)m[i], square = (double)v[i];
        w[i] = (real)adamw_one((double)w[i], &mean, &square, (double)g[i] * s->gradient, s->lr, s->beta1, s->beta2,
                               s->eps, s->decay, s->bias1, s->bias2);
        m[i] = (real)mean;
        v[i] = (real)square;
    }
}

/* From one edge to the next. */
static void cpu_adamw(void *weights, void *means, void *squares, const void *gradient, size_t n, const adamw_step *s)
{
    real *w = weights, *m = means, *v = squares;
    const real *g = gradient;
    for (long k = 0; k <= s->edges; k++) {
        const size_t from = k ? s->edge[k - 1] : 0, end = k < s->edges ? s->edge[k] : n;
        adamw_step here = *s;
        if (k % 2) here.decay = 0;
        #pragma omp parallel for schedule(static) if (end - from > FORK_NUMBERS)
        for (size_t at = from; at < end; at += PIECE)
            adamw_piece(w + at, m + at, v + at, g + at, least(end - at, PIECE), &here);
    }
}

void cpu_fill_optim(ops *o)
{
    o->sumsq = cpu_sumsq;
    o->adamw = cpu_adamw;
}
