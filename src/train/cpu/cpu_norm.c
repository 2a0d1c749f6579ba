/* cpu_norm.c - LayerNorm (Ba, Kiros, Hinton 2016) with optional gain and bias, and the gradient of a bias, on the
 * CPU. */
#include <math.h>
#include "src/train/cpu/row.h"

/* Sums of a row in eight lanes, so that their order is the same for every vector width. */
VECTOR_CLONES static double row_sum(const real *x, long C)
{
    double lane[8] = { 0 };
    long c = 0;
    for (; c + 8 <= C; c += 8) for (long k = 0; k < 8; k++) lane[k] += (double)x[c + k];
    for (; c < C; c++) lane[0] += (double)x[c];
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

VECTOR_CLONES static double row_variance(const real *x, double mean, long C)
{
    double lane[8] = { 0 };
    long c = 0;
    for (; c + 8 <= C; c += 8)
        for (long k = 0; k < 8; k++) lane[k] += ((double)x[c + k] - mean) * ((double)x[c + k] - mean);
    for (; c < C; c++) lane[0] += ((double)x[c] - mean) * ((double)x[c] - mean);
    const double sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    return sum / (double)C;
}

VECTOR_CLONES
static void norm_row(real *restrict y, const real *restrict x, const real *restrict g, const real *restrict b,
                     real mean, real rstd, long C)
{
    if (g) for (long c = 0; c < C; c++) y[c] = normed(x[c], mean, rstd) * g[c];
    else   for (long c = 0; c < C; c++) y[c] = normed(x[c], mean, rstd);
    if (b) for (long c = 0; c < C; c++) y[c] += b[c];
}

static void cpu_norm_fwd(void *to, void *means, void *rstds, const void *from, const void *g, const void *b,
                         long R, long C, double eps)
{
    real *y = to, *mean = means, *rstd = rstds;
    const real *x = from;
    #pragma omp parallel for schedule(static)
    for (long r = 0; r < R; r++) {
        const double m = row_sum(x + r * C, C) / (double)C;
        mean[r] = (real)m;
        rstd[r] = (real)(1 / sqrt(row_variance(x + r * C, m, C) + eps));
        norm_row(y + r * C, x + r * C, g, b, mean[r], rstd[r], C);
    }
}

/* With z = (x - mean) rstd and e = dy g:  dx = rstd (e - mean(e) - z mean(e z)). */
VECTOR_CLONES
static void norm_row_bwd(real *restrict dx, const real *restrict dy, const real *restrict x, const real *restrict g,
                         real mean, real rstd, long C)
{
    double e_lane[8] = { 0 }, ez_lane[8] = { 0 };
    for (long from = 0; from < C; from += 8) {
        const long n = C - from < 8 ? C - from : 8;
        real e[8] = { 0 }, z[8] = { 0 };                    /* what is beyond C adds 0 */
        for (long k = 0; k < n; k++) {
            const long c = from + k;
            e[k] = g ? dy[c] * g[c] : dy[c];
            z[k] = normed(x[c], mean, rstd);
        }
        for (long k = 0; k < 8; k++) {
            e_lane[k] += (double)e[k];
            ez_lane[k] += (double)e[k] * (double)z[k];
        }
    }
    double e_sum = 0, ez_sum = 0;
    for (int k = 0; k < 8; k++) { e_sum += e_lane[k]; ez_sum += ez_lane[k]; }
    const real e_mean = (real)(e_sum / (double)C), ez_mean = (real)(ez_sum / (double)C);
    if (g) for (long c = 0; c < C; c++)
        dx[c] += norm_slope(dy[c] * g[c], normed(x[c], mean, rstd), e_mean, ez_mean, rstd);
    else for (long c = 0; c < C; c++)
        dx[c] += norm_slope(dy[c], normed(x[c], mean, rstd), e_mean, ez_mean, rstd);
}

VECTOR_CLONES
static void gain_row_bwd(real *restrict dg, real *restrict db, const real *restrict dy, const real *restrict x,
                         real mean, real rstd, long C)
{
    if (dg) for (long c = 0; c < C; c++) dg[c] += dy[c] * (x[c] - mean) * rstd;
    if (db) for (long c = 0; c < C; c++) db[c] += dy[c];
}

static void cpu_norm_bwd(void *dxs, void *dg, void *db, const void *dys, const void *from, const void *means,
                         const void *rstds, const void *g, long R, long C)
{
    real *dx = dxs;
    const real *dy = dys, *x = from, *mean = means, *rstd = rstds;
    #pragma omp parallel for schedule(static)
    for (long r = 0; r < R; r++) norm_row_bwd(dx + r * C, dy + r * C, x + r * C, g, mean[r], rstd[r], C);
    if (!dg && !db) return;
    real *gain = dg, *bias = db;
    #pragma omp parallel for schedule(static)                          /* in the order of the rows */
    for (long c = 0; c < C; c += COLUMNS)
        for (long r = 0; r < R; r++)
            gain_row_bwd(gain ? gain + c : NULL, bias ? bias + c : NULL, dy + r * C + c, x + r * C + c, mean[r],
                         rstd[r], C - c < COLUMNS ? C - c : COLUMNS);
}

static void cpu_bias_bwd(void *db, const void *from, long R, long C)
{
    const real *dy = from;
    real *sum = db;
    #pragma omp parallel for schedule(static)
    for (long c = 0; c < C; c += COLUMNS)
        for (long r = 0; r < R; r++) add_row(sum + c, dy + r * C + c, C - c < COLUMNS ? C - c : COLUMNS);
}

void cpu_fill_norm(ops *o)
{
    o->norm_fwd = cpu_norm_fwd;
    o->norm_bwd = cpu_norm_bwd;
    o->bias_bwd = cpu_bias_bwd;
}
