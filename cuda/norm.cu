/* SPDX-License-Identifier: GPL-3.0-or-later
 * norm.cu - LayerNorm and its gradient, and sums over rows (gains, biases).  A warp takes a row.
 * Reference: src/train/cpu/cpu_norm.c.
 *
 * Sums over rows have two passes of fixed order: blocks of rows into partial sums, then the partial sums in turn.
 * No atomics, so the result is deterministic to the bit. */
#include "cuda/device.h"

/* Numbers `from` to `from` + TURNS COLUMNS of a row of n into registers: a[j][k] is number from + QUAD (32 j + lane)
 * + k, and 0 beyond the row.  All loads are on their way before the first is waited for. */
template <int TURNS, typename number>
static __device__ inline void load_row(float (&a)[TURNS][QUAD], const number *row, size_t from, size_t n, bool packed)
{
    const size_t c = from + QUAD * threadIdx.x;
    if (packed) {
        word<number, QUAD> w[TURNS];
#pragma unroll
        for (int j = 0; j < TURNS; j++) {
            w[j] = word<number, QUAD>{ };
            if (c + j * COLUMNS < n) w[j] = *reinterpret_cast<const word<number, QUAD> *>(row + c + j * COLUMNS);
        }
#pragma unroll
        for (int j = 0; j < TURNS; j++) widen(a[j], w[j]);
    } else {
#pragma unroll
        for (int j = 0; j < TURNS; j++) load(a[j], row, c + j * COLUMNS, n, false);
    }
}

/* Rows of up to NORM_SUMS numbers are read once and stay in registers; wider ones are read for each of the three
 * passes. */
template <typename act>
static __global__ void norm_fwd_kernel(act *y, float *mean, float *rstd, const float *x, const float *g, const float *b,
                                       long R, long C, float eps, bool packed)
{
    enum { TURNS = NORM_SUMS / COLUMNS };
    const long r = (long)blockIdx.x * WARPS + threadIdx.y;
    const size_t n = (size_t)C;
    if (r >= R) return;
    const float *row = x + r * C;
    float a[TURNS][QUAD], sum = 0, square = 0;
    for (size_t from = 0; from < n; from += NORM_SUMS) {
        load_row(a, row, from, n, packed);
#pragma unroll
        for (int j = 0; j < TURNS; j++)
#pragma unroll
            for (int k = 0; k < QUAD; k++) sum += a[j][k];
    }
    const float m = warp_sum(sum) / (float)C;
    for (size_t from = 0; from < n; from += NORM_SUMS) {
        if (n > NORM_SUMS) load_row(a, row, from, n, packed);
#pragma unroll
        for (int j = 0; j < TURNS; j++) {
            const size_t c = from + QUAD * threadIdx.x + j * COLUMNS;
            if (c >= n) break;
#pragma unroll
            for (int k = 0; k < QUAD; k++) if (c + (size_t)k < n) square += (a[j][k] - m) * (a[j][k] - m);
        }
    }
    const float s = 1.0f / sqrtf(warp_sum(square) / (float)C + eps);
    if (threadIdx.x == 0) {
        mean[r] = m;
        rstd[r] = s;
    }
    for (size_t from = 0; from < n; from += NORM_SUMS) {
        if (n > NORM_SUMS) load_row(a, row, from, n, packed);
#pragma unroll
        for (int j = 0; j < TURNS; j++) {
            const size_t c = from + QUAD * threadIdx.x + j * COLUMNS;
            float gain[QUAD], bias[QUAD];
            if (c >= n) break;
            if (g) load(gain, g, c, n, packed);
            if (b) load(bias, b, c, n, packed);
#pragma unroll
            for (int k = 0; k < QUAD; k++) {
                a[j][k] = normed_f32(a[j][k], m, s);
                if (g) a[j][k] *= gain[k];
                if (b) a[j][k] += bias[k];
            }
            store(y + r * C, c, n, packed, a[j]);
        }
    }
}

/* One row: with z = (x - mean) rstd and e = dy g:  dx += rstd (e - mean(e) - z mean(e z)), and dx_act = dx rounded.
 * SUMS: dy is added to bias[j][k], and times z to gain[j][k], for column QUAD (32 j + lane) + k; the row has at most
 * TURNS COLUMNS numbers.  Such a row is read once, a wider one twice. */
template <int TURNS, int SUMS, typename act>
static __device__ inline void norm_bwd_row(float *dx, act *dx_act, float (*gain)[QUAD], float (*bias)[QUAD],
                                           const act *dy, const float *x, float m, float s, const float *g, size_t n,
                                           bool packed)
{
    const size_t group = TURNS * COLUMNS;
    float d[TURNS][QUAD], e[TURNS][QUAD], z[TURNS][QUAD], w[QUAD], e_sum = 0, ez_sum = 0;
    for (size_t from = 0; from < (SUMS ? 1 : n); from += group) {
        load_row(z, x, from, n, packed);
        if (SUMS) load_row(d, dx, from, n, packed);
        load_row(e, dy, from, n, packed);
#pragma unroll
        for (int j = 0; j < TURNS; j++) {
            const size_t c = from + QUAD * threadIdx.x + j * COLUMNS;
            if (c >= n) break;
            if (g) load(w, g, c, n, packed);
#pragma unroll
            for (int k = 0; k < QUAD; k++) {                /* beyond the row e is 0 */
                const float of_z = normed_f32(z[j][k], m, s), of_e = g ? e[j][k] * w[k] : e[j][k];
                if (SUMS) gain[j][k] += e[j][k] * of_z;
                if (SUMS > 1) bias[j][k] += e[j][k];
                e_sum += of_e;
                ez_sum += of_e * of_z;
            }
        }
    }
    const float e_mean = warp_sum(e_sum) / (float)n, ez_mean = warp_sum(ez_sum) / (float)n;
    for (size_t from = 0; from < (SUMS ? 1 : n); from += group) {
        if (!SUMS) {
            load_row(z, x, from, n, packed);
            load_row(d, dx, from, n, packed);
            load_row(e, dy, from, n, packed);
        }
#pragma unroll
        for (int j = 0; j < TURNS; j++) {
            const size_t c = from + QUAD * threadIdx.x + j * COLUMNS;
            if (c >= n) break;
            if (g) load(w, g, c, n, packed);
#pragma unroll
            for (int k = 0; k < QUAD; k++)
                d[j][k] += norm_slope_f32(g ? e[j][k] * w[k] : e[j][k], normed_f32(z[j][k], m, s), e_mean, ez_mean, s);
            store(dx, c, n, packed, d[j]);
            if (dx_act) store(dx_act, c, n, packed, d[j]);
        }
    }
}

/* A block takes `rows` rows, a warp one at a time.  Sums over them go to row `block` of gain and of bias[chunks, C],
 * each of which may be NULL. */
template <typename act, int TURNS, int SUMS>
static __global__ void norm_bwd_kernel(float *dx, act *dx_act, float *gain, float *bias, const act *dy, const float *x,
                                       const float *mean, const float *rstd, const float *g, long R, long C, long rows,
                                       bool packed)
{
    __shared__ float part[2][WARPS][COLUMNS];
    float of_gain[TURNS][QUAD] = { }, of_bias[TURNS][QUAD] = { };
    const long chunk = blockIdx.x, end = (chunk + 1) * rows < R ? (chunk + 1) * rows : R;
    for (long r = chunk * rows + threadIdx.y; r < end; r += WARPS)
        norm_bwd_row<TURNS, SUMS>(dx + r * C, dx_act ? dx_act + r * C : dx_act, of_gain, of_bias, dy + r * C, x + r * C,
                                  mean[r], rstd[r], g, (size_t)C, packed);
    if (!SUMS) return;
    const int t = (int)(threadIdx.y * 32 + threadIdx.x), which = t / COLUMNS, column = t % COLUMNS;
    float *out = which == 0 ? gain : bias;
#pragma unroll
    for (int j = 0; j < TURNS; j++) {
        if (j * COLUMNS >= C) break;
#pragma unroll
        for (int k = 0; k < QUAD; k++) {
            part[0][threadIdx.y][QUAD * threadIdx.x + k] = of_gain[j][k];
            part[1][threadIdx.y][QUAD * threadIdx.x + k] = of_bias[j][k];
        }
        __syncthreads();
        const long c = j * COLUMNS + column;
        float sum = 0;
        for (int w = 0; w < WARPS; w++) sum += part[which][w][column];
        if (out && c < C) out[chunk * C + c] = sum;
        __syncthreads();
    }
}

/* ---- sums over rows: of dy z into gain, of dy into bias; each may be NULL ---------------------------------- */

template <typename act>
static __global__ void columns_kernel(float *gain, float *bias, const act *dy, const float *x, const float *mean,
                                      const float *rstd, long R, long C, long rows)
{
    __shared__ float part[2][WARPS][COLUMNS];
    const long chunk = blockIdx.y, end = (chunk + 1) * rows < R ? (chunk + 1) * rows : R;
    float dg[COLUMNS / 32] = { 0 }, db[COLUMNS / 32] = { 0 };
    for (long r = chunk * rows + threadIdx.y; r < end; r += WARPS) {
        const float m = gain ? mean[r] : 0.0f, s = gain ? rstd[r] : 0.0f;
#pragma unroll
        for (int k = 0; k < COLUMNS / 32; k++) {
            const long c = (long)blockIdx.x * COLUMNS + 32 * k + threadIdx.x;
            if (c >= C) continue;
            const float d = wide(dy[r * C + c]);
            if (gain) dg[k] += d * normed_f32(x[r * C + c], m, s);
            db[k] += d;
        }
    }
#pragma unroll
    for (int k = 0; k < COLUMNS / 32; k++) {
        part[0][threadIdx.y][32 * k + threadIdx.x] = dg[k];
        part[1][threadIdx.y][32 * k + threadIdx.x] = db[k];
    }
    __syncthreads();
    const int t = (int)(threadIdx.y * 32 + threadIdx.x), which = t / COLUMNS, column = t % COLUMNS;
    const long c = (long)blockIdx.x * COLUMNS + column;
    float *out = which == 0 ? gain : bias, sum = 0;
    if (which > 1 || c >= C || !out) return;
    for (int w = 0; w < WARPS; w++) sum += part[which][w][column];
    out[chunk * C + c] = sum;
}

/* gain += the sums of part[0], bias of part[1], [chunks, C] each: a warp adds every WARPSth, then the warps' sums are
 * added in turn. */
static __global__ void column_totals_kernel(float *gain, float *bias, const float *part, long C, long chunks)
{
    __shared__ float sums[WARPS][32];
    const long c = (long)blockIdx.x * 32 + threadIdx.x;
    float *to = blockIdx.y == 0 ? gain : bias, sum = 0;
    if (!to) return;
    const float *from = part + blockIdx.y * chunks * C + c;
    for (long k = threadIdx.y; k < chunks && c < C; k += WARPS) sum += from[k * C];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || c >= C) return;
    sum = 0;
    for (int w = 0; w < WARPS; w++) sum += sums[w][threadIdx.x];
    to[c] += sum;
}

/* Sums of chunks of the rows, for both and in this order. */
static float *column_parts(row_cut cut, long C)
{
    REQUIRE(cut.chunks <= CHUNKS, "%ld chunks", cut.chunks);
    return (float *)cuda_scratch(2 * (size_t)(cut.chunks * C) * sizeof(float));
}
static void column_totals(float *dg, float *db, const float *part, row_cut cut, long C)
{
    const dim3 grid((unsigned)divided_up((size_t)C, 32), db ? 2 : 1);
    CUDA_LAUNCH(column_totals_kernel, grid, dim3(32, WARPS), dg, db, part, C, cut.chunks);
}

template <typename act>
static void columns(float *dg, float *db, const act *dy, const float *x, const float *mean, const float *rstd, long R,
                    long C)
{
    const row_cut cut = cut_rows(R);
    if (!(dg || db) || R == 0) return;
    float *part = column_parts(cut, C), *gain = dg ? part : NULL, *bias = db ? part + cut.chunks * C : NULL;
    const dim3 grid((unsigned)divided_up((size_t)C, COLUMNS), (unsigned)cut.chunks);
    CUDA_LAUNCH(columns_kernel<act>, grid, dim3(32, WARPS), gain, bias, dy, x, mean, rstd, R, C, cut.rows);
    column_totals(dg, db, part, cut, C);
}

/* ---- slots ---------------------------------------------------------------------------------------------- */

template <typename act>
static void norm_fwd(void *y, void *mean, void *rstd, const void *x, const void *g, const void *b, long R, long C,
                     double eps)
{
    const bool packed = C % QUAD == 0 && aligned(y, 16) && aligned(x, 16) && aligned(g, 16) && aligned(b, 16);
    if (R) CUDA_LAUNCH(norm_fwd_kernel<act>, row_blocks(R), dim3(32, WARPS), (act *)y, (float *)mean, (float *)rstd,
                       (const float *)x, (const float *)g, (const float *)b, R, C, (float)eps, packed);
}

typedef struct { float *dx, *dg, *db; const float *x, *mean, *rstd, *g; long R, C; bool packed; } norm_gradient;

/* Sums over rows in the same pass, in registers: rows of up to TURNS COLUMNS numbers. */
template <int TURNS, int SUMS, typename act>
static void norm_bwd_sums(const norm_gradient *p, act *dx_act, const act *dy)
{
    const row_cut cut = cut_rows(p->R);
    float *part = column_parts(cut, p->C);
    float *gain = p->dg ? part : NULL, *bias = p->db ? part + cut.chunks * p->C : NULL;
    CUDA_LAUNCH((norm_bwd_kernel<act, TURNS, SUMS>), (unsigned)cut.chunks, dim3(32, WARPS), p->dx, dx_act, gain, bias,
                dy, p->x, p->mean, p->rstd, p->g, p->R, p->C, cut.rows, p->packed);
    column_totals(p->dg, p->db, part, cut, p->C);
}

template <typename act>
static void norm_bwd(void *dx, void *dx_act, void *dg, void *db, const void *dy, const void *x, const void *mean,
                     const void *rstd, const void *g, long R, long C)
{
    const bool packed = C % QUAD == 0 && aligned(dx, 16) && aligned(dx_act, 16) && aligned(dy, 16) && aligned(x, 16) &&
                        aligned(g, 16);
    const norm_gradient p = { (float *)dx, (float *)dg, (float *)db, (const float *)x, (const float *)mean,
                              (const float *)rstd, (const float *)g, R, C, packed };
    if (R == 0) return;
    if (dg || db) {
        act *rounded = (act *)dx_act;
        const act *slope = (const act *)dy;
        if (C <= 2 * COLUMNS) return norm_bwd_sums<2, 2>(&p, rounded, slope);
        if (C <= 6 * COLUMNS) return db ? norm_bwd_sums<6, 2>(&p, rounded, slope)
                                        : norm_bwd_sums<6, 1>(&p, rounded, slope);
        if (C <= NORM_SUMS)   return norm_bwd_sums<8, 2>(&p, rounded, slope);
    }
    CUDA_LAUNCH((norm_bwd_kernel<act, 4, 0>), row_blocks(R), dim3(32, WARPS), p.dx, (act *)dx_act, (float *)NULL,
                (float *)NULL, (const act *)dy, p.x, p.mean, p.rstd, p.g, R, C, (long)WARPS, p.packed);
    columns(p.dg, p.db, (const act *)dy, p.x, p.mean, p.rstd, R, C);
}

template <typename act> static void bias_bwd(void *db, const void *dy, long R, long C)
{
    columns((float *)NULL, (float *)db, (const act *)dy, (const float *)NULL, (const float *)NULL,
            (const float *)NULL, R, C);
}

template <typename act> static void fill(ops *o)
{
    o->norm_fwd = norm_fwd<act>;
    o->norm_bwd = norm_bwd<act>;
    o->bias_bwd = bias_bwd<act>;
}

void cuda_fill_norm(ops *o, cuda_precision p)
{
    if (p == CUDA_BF16) fill<bf16>(o);
    else                fill<float>(o);
}
