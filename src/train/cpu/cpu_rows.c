/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_rows.c - what averages or selects positions, on the CPU. */
#include <string.h>
#include "src/train/cpu/row.h"

VECTOR_CLONES static void mean_rows(real *restrict y, const real *restrict x, long T, long C)
{
    for (long c = 0; c < C; c++) y[c] = x[c];
    for (long t = 1; t < T; t++) for (long c = 0; c < C; c++) y[c] += x[t * C + c];
    for (long c = 0; c < C; c++) y[c] /= (real)T;
}

static void cpu_mean_fwd(void *to, const void *from, long B, long T, long C)
{
    real *y = to;
    const real *x = from;
    #pragma omp parallel for schedule(static) if (B * T * C > FORK_NUMBERS)
    for (long b = 0; b < B; b++) mean_rows(y + b * C, x + b * T * C, T, C);
}

VECTOR_CLONES static void mean_rows_bwd(real *restrict dx, const real *restrict dy, long T, long C)
{
    for (long t = 0; t < T; t++) for (long c = 0; c < C; c++) dx[t * C + c] += dy[c] / (real)T;
}

static void cpu_mean_bwd(void *dxs, const void *dys, long B, long T, long C)
{
    real *dx = dxs;
    const real *dy = dys;
    #pragma omp parallel for schedule(static) if (B * T * C > FORK_NUMBERS)
    for (long b = 0; b < B; b++) mean_rows_bwd(dx + b * T * C, dy + b * C, T, C);
}

static void cpu_select_token_fwd(void *to, const void *from, long B, long T, long C, long t)
{
    real *y = to;
    const real *x = from;
    for (long b = 0; b < B; b++) memcpy(y + b * C, x + (b * T + t) * C, (size_t)C * sizeof *y);
}

static void cpu_select_token_bwd(void *dxs, const void *dys, long B, long T, long C, long t)
{
    real *dx = dxs;
    const real *dy = dys;
    for (long b = 0; b < B; b++) add_row(dx + (b * T + t) * C, dy + b * C, C);
}

void cpu_fill_rows(ops *o)
{
    o->mean_fwd = cpu_mean_fwd;
    o->mean_bwd = cpu_mean_bwd;
    o->select_token_fwd = cpu_select_token_fwd;
    o->select_token_bwd = cpu_select_token_bwd;
}
