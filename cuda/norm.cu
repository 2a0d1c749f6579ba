/* norm.cu - LayerNorm and its gradient, and sums over rows (gains, biases).  A warp takes a row.
 * Reference: src/train/cpu/cpu_norm.c.
 *
 * Sums over rows have two passes of fixed order: blocks of rows into partial sums, then the partial sums in turn.
 * No atomics, so the result is deterministic to the bit. */
#include "cuda/device.h"

template <typename act>
static __global__ void norm_fwd_kernel(act *y, float *mean, float *rstd, const float *x, const float *g, const float *b,
                                       long R, long C, float eps, bool packed)
{
    const long r = (long)blockIdx.x * WARPS + threadIdx.y;
    const size_t n = (size_t)C, step = 32 * QUAD;
    if (r >= R) return;
    const float *row = x + r * C;
    float a[QUAD], sum = 0, square = 0;
    for (size_t c = QUAD * threadIdx.x; c < n; c += step) {
        load(a, row, c, n, packed);
#pragma unroll
        for (int k = 0; k < QUAD; k++) sum += a[k];
    }
    const float m = warp_sum(sum) / (float)C;
    for (size_t c = QUAD * threadIdx.x; c < n; c += step) {
        load(a, row, c, n, packed);
#pragma unroll
        for (int k = 0; k < QUAD; k++) if (c + (size_t)k < n) square += (a[k] - m) * (a[k] - m);
    }
    const float s = 1.0f / sqrtf(warp_sum(square) / (float)C + eps);
    if (threadIdx.x == 0) {
        mean[r] = m;
        rstd[r] = s;
    }
    for (size_t c = QUAD * threadIdx.x; c < n; c += step) {
        float gain[QUAD], bias[QUAD];
        load(a, row, c, n, packed);
        if (g) load(gain, g, c, n, packed);
        if (b) load(bias, b, c, n, packed);
#pragma unroll
        for (int k = 0; k < QUAD; k++) {
            a[k] = normed_f32(a[k], m, s);
            if (g) a[k] *= gain[k];
            if (b) a[k] += bias[k];
        }
        store(y + r * C, c, n, packed, a);
    }
}

/* With z = (x - mean) rstd and e = dy g:  dx += rstd (e - mean(e) - z mean(e z)). */
template <typename act>
static __global__ void norm_bwd_kernel(float *dx, const act *dy, const float *x, const float *mean, const float *rstd,
                                       const float *g, long R, long C, bool packed)
{
    const long r = (long)blockIdx.x * WARPS + threadIdx.y;
    const size_t n = (size_t)C, step = 32 * QUAD;
    if (r >= R) return;
    const float m = mean[r], s = rstd[r];
    float e[QUAD], z[QUAD], gain[QUAD], e_sum = 0, ez_sum = 0;
    for (size_t c = QUAD * threadIdx.x; c < n; c += step) {
        load(e, dy + r * C, c, n, packed);
        load(z, x + r * C, c, n, packed);
        if (g) load(gain, g, c, n, packed);
#pragma unroll
        for (int k = 0; k < QUAD; k++) {                    /* beyond the row e is 0 */
            if (g) e[k] *= gain[k];
            e_sum += e[k];
            ez_sum += e[k] * normed_f32(z[k], m, s);
        }
    }
    const float e_mean = warp_sum(e_sum) / (float)C, ez_mean = warp_sum(ez_sum) / (float)C;
    for (size_t c = QUAD * threadIdx.x; c < n; c += step) {
        float d[QUAD];
        load(e, dy + r * C, c, n, packed);
        load(z, x + r * C, c, n, packed);
        load(d, dx + r * C, c, n, packed);
        if (g) load(gain, g, c, n, packed);
#pragma unroll
        for (int k = 0; k < QUAD; k++)
            d[k] += norm_slope_f32(g ? e[k] * gain[k] : e[k], normed_f32(z[k], m, s), e_mean, ez_mean, s);
        store(dx + r * C, c, n, packed, d);
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

static __global__ void column_totals_kernel(float *to, const float *part, long C, long chunks)
{
    const long c = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= C) return;
    float sum = 0;
    for (long k = 0; k < chunks; k++) sum += part[k * C + c];
    to[c] += sum;
}

template <typename act>
static void columns(float *dg, float *db, const act *dy, const float *x, const float *mean, const float *rstd, long R,
                    long C)
{
    const row_cut cut = cut_rows(R);
    if (!(dg || db) || R == 0) return;
    REQUIRE(cut.chunks <= CHUNKS, "%ld chunks", cut.chunks);
    const size_t n = (size_t)(cut.chunks * C);
    float *part = (float *)cuda_scratch(2 * n * sizeof(float)), *gain = dg ? part : NULL, *bias = db ? part + n : NULL;
    const dim3 grid((unsigned)divided_up((size_t)C, COLUMNS), (unsigned)cut.chunks);
    const unsigned blocks = (unsigned)divided_up((size_t)C, THREADS);
    CUDA_LAUNCH(columns_kernel<act>, grid, dim3(32, WARPS), gain, bias, dy, x, mean, rstd, R, C, cut.rows);
    if (dg) CUDA_LAUNCH(column_totals_kernel, blocks, THREADS, dg, (const float *)gain, C, cut.chunks);
    if (db) CUDA_LAUNCH(column_totals_kernel, blocks, THREADS, db, (const float *)bias, C, cut.chunks);
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

template <typename act>
static void norm_bwd(void *dx, void *dg, void *db, const void *dy, const void *x, const void *mean, const void *rstd,
                     const void *g, long R, long C)
{
    const bool packed = C % QUAD == 0 && aligned(dx, 16) && aligned(dy, 16) && aligned(x, 16) && aligned(g, 16);
    if (R) CUDA_LAUNCH(norm_bwd_kernel<act>, row_blocks(R), dim3(32, WARPS), (float *)dx, (const act *)dy,
                       (const float *)x, (const float *)mean, (const float *)rstd, (const float *)g, R, C, packed);
    columns((float *)dg, (float *)db, (const act *)dy, (const float *)x, (const float *)mean, (const float *)rstd, R,
            C);
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
