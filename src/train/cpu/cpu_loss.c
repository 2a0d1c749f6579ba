/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_loss.c - losses on the CPU: cross-entropy with its gradient in place, accuracy, squared error. */
#include <math.h>
#include "src/train/cpu/real.h"

VECTOR_CLONES static real row_max(const real *x, long n)
{
    real top = x[0];
    for (long i = 1; i < n; i++) top = x[i] > top ? x[i] : top;
    return top;
}

/* x = exp(x - top); returns the sum in sixteen lanes, in double. */
VECTOR_CLONES static double exponentials(real *x, real top, long n)
{
    double lane[16] = { 0 }, sum = 0;
    for (long i = 0; i < n; i++) x[i] = exp_nonpositive(x[i] - top);
    long i = 0;
    for (; i + 16 <= n; i += 16) for (int k = 0; k < 16; k++) lane[k] += (double)x[i + k];
    for (; i < n; i++) lane[0] += (double)x[i];
    for (int k = 0; k < 16; k++) sum += lane[k];
    return sum;
}

VECTOR_CLONES static void scale_row(real *x, real factor, long n)
{
    for (long i = 0; i < n; i++) x[i] *= factor;
}

/* d/dx of -log softmax(x)[target] = softmax(x) - onehot(target). */
static void cpu_loss_fwdbwd(void *logits, double *loss, const int32_t *target, long R, long V, double factor)
{
    real *x = logits;
    #pragma omp parallel for schedule(static) if (R * V > FORK_NUMBERS)
    for (long r = 0; r < R; r++) {
        real *row = x + r * V;
        const double wanted = (double)row[target[r]], top = (double)row_max(row, V);
        const double sum = exponentials(row, (real)top, V);
        loss[r] = top + log(sum) - wanted;
        if (factor == 0) continue;
        scale_row(row, (real)(factor / sum), V);
        row[target[r]] -= (real)factor;
    }
}

static void cpu_top1(double *top1, const void *logits, const int32_t *target, long R, long V)
{
    const real *x = logits;
    for (long r = 0; r < R; r++) {
        long best = 0;
        for (long v = 1; v < V; v++) if (x[r * V + v] > x[r * V + best]) best = v;
        top1[r] = best == target[r];
    }
}

static void cpu_square_fwdbwd(void *ps, double *loss, double *norm, const void *ys, long R, long C, double factor)
{
    real *p = ps;
    const real *y = ys;
    #pragma omp parallel for schedule(static) if (R * C > FORK_NUMBERS)
    for (long r = 0; r < R; r++) {
        double error = 0, size = 0;
        for (long c = r * C; c < (r + 1) * C; c++) {
            const double e = (double)p[c] - (double)y[c];
            error += e * e;
            size += (double)y[c] * (double)y[c];
            if (factor != 0) p[c] = (real)(factor * e);
        }
        loss[r] = error;
        norm[r] = size;
    }
}

void cpu_fill_loss(ops *o)
{
    o->loss_fwdbwd = cpu_loss_fwdbwd;
    o->top1 = cpu_top1;
    o->square_fwdbwd = cpu_square_fwdbwd;
}
