/* cpu_rows.c - what averages or selects positions, on the CPU. */
#include "src/train/cpu/real.h"

static void cpu_mean_fwd(void *to, const void *from, long B, long T, long C)
{
    real *y = to;
    const real *x = from;
    for (long b = 0; b < B; b++)
        for (long c = 0; c < C; c++) {
            double sum = 0;
            for (long t = 0; t < T; t++) sum += (double)x[(b * T + t) * C + c];
            y[b * C + c] = (real)(sum / (double)T);
        }
}

static void cpu_mean_bwd(void *dxs, const void *dys, long B, long T, long C)
{
    real *dx = dxs;
    const real *dy = dys;
    for (long r = 0; r < B * T; r++) for (long c = 0; c < C; c++) dx[r * C + c] += dy[r / T * C + c] / (real)T;
}

static void cpu_select_token_fwd(void *to, const void *from, long B, long T, long C, long t)
{
    real *y = to;
    const real *x = from;
    for (long b = 0; b < B; b++) for (long c = 0; c < C; c++) y[b * C + c] = x[(b * T + t) * C + c];
}

static void cpu_select_token_bwd(void *dxs, const void *dys, long B, long T, long C, long t)
{
    real *dx = dxs;
    const real *dy = dys;
    for (long b = 0; b < B; b++) for (long c = 0; c < C; c++) dx[(b * T + t) * C + c] += dy[b * C + c];
}

void cpu_fill_rows(ops *o)
{
    o->mean_fwd = cpu_mean_fwd;
    o->mean_bwd = cpu_mean_bwd;
    o->select_token_fwd = cpu_select_token_fwd;
    o->select_token_bwd = cpu_select_token_bwd;
}
