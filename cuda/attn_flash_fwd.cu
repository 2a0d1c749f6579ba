/* SPDX-License-Identifier: GPL-3.0-or-later
 * attn_flash_fwd.cu - attention forward: a block owns a tile of queries and passes over the keys once.
 * Reference: src/train/cpu/cpu_attn.c.
 *
 * For each row of scores x = q.k the pass keeps the maximum m, the sum l of 2^(factor (x - m)) and the sum of these
 * times v; when the maximum grows, l and the sum shrink by 2^(factor (old - new)).  factor = scale / log 2.
 * lse = scale m + log l.  The tiles of keys and values are copied while the ones before are used.          */
#include "cuda/attn_flash_tile.h"

/* -infinity where key > query (causal) or key >= T; for lane 4 g + t of scores S of rows from `row`, keys from `key` */
template <int M, int N>
INSTRUCTION void mask_keys(float (&S)[M][N / 8][4], int row, int key, const attention &a)
{
    if (key + N <= a.T && (!a.causal || key + N - 1 <= row)) return;
    const int g = lane_index() / 4, t = lane_index() % 4;
    #pragma unroll
    for (int m = 0; m < M; m++)
        #pragma unroll
        for (int n = 0; n < N / 8; n++)
            #pragma unroll
            for (int i = 0; i < 4; i++) {
                const int k = key + 8 * n + 2 * t + i % 2, q = row + 16 * m + g + 8 * (i / 2);
                if (k >= a.T || (a.causal && k > q)) S[m][n][i] = -INFINITY;
            }
}

template <int D, int M, int N>
__global__ __launch_bounds__(THREADS) void attn_forward(heads16_out O_, float *lse, heads16 Q_, heads16 K_, heads16 V_,
                                                        attention a)
{
    const int ROWS = 16 * M * WARPS, tiles = (a.T + ROWS - 1) / ROWS;
    const int bh = (int)(blockIdx.x / (unsigned)tiles);
    const int first = (tiles - 1 - (int)(blockIdx.x % (unsigned)tiles)) * ROWS;      /* the longest passes first */
    const rows_in Q = head_of(Q_, a, bh), K = head_of(K_, a, bh), V = head_of(V_, a, bh);
    const int g = lane_index() / 4, t = lane_index() % 4;
    const int row = first + 16 * M * warp_index();                                   /* the warp's first */

    unsigned char *queries = dynamic_shared(), *stage = queries + tile<D>::bytes(ROWS);
    const size_t STAGE = 2 * tile<D>::bytes(N);                                      /* keys, then values */
    unsigned char *own = queries + 16 * M * warp_index() * tile<D>::PITCH;

    const int end = a.causal && first + ROWS < a.T ? first + ROWS : a.T;
    const int steps = (end + N - 1) / N;
    fetch_tile<ROWS, D>(queries, Q, first, a);
    fetch_tile<N, D>(stage, K, 0, a);
    fetch_tile<N, D>(stage + tile<D>::bytes(N), V, 0, a);
    copy_commit();

    float sum[M][D / 8][4], top[M][2], total[M][2];
    #pragma unroll
    for (int m = 0; m < M; m++) {
        #pragma unroll
        for (int n = 0; n < D / 8; n++)
            #pragma unroll
            for (int i = 0; i < 4; i++) sum[m][n][i] = 0;
        top[m][0] = top[m][1] = -INFINITY;
        total[m][0] = total[m][1] = 0;
    }
    left_factor<M, D, shape_of<D>::KEPT> A(own);

    for (int j = 0; j < steps; j++) {
        const unsigned char *keys = stage + j % 2 * STAGE, *values = keys + tile<D>::bytes(N);
        if (j + 1 < steps) {
            unsigned char *next = stage + (j + 1) % 2 * STAGE;
            fetch_tile<N, D>(next, K, (j + 1) * N, a);
            fetch_tile<N, D>(next + tile<D>::bytes(N), V, (j + 1) * N, a);
            copy_commit();
            copy_wait<1>();
        } else copy_wait<0>();
        __syncthreads();
        if (j == 0) A.begin();

        float S[M][N / 8][4];
        product_of_rows<M, N, D>(S, A, keys);
        mask_keys<M, N>(S, row, j * N, a);
        #pragma unroll
        for (int m = 0; m < M; m++)
            #pragma unroll
            for (int half = 0; half < 2; half++) {                                   /* rows g and g + 8 */
                float most = top[m][half];
                #pragma unroll
                for (int n = 0; n < N / 8; n++) most = fmaxf(most, fmaxf(S[m][n][2 * half], S[m][n][2 * half + 1]));
                most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 1));
                most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, 2));
                const float shrink = exp2_fast((top[m][half] - most) * a.factor), shift = most * a.factor;
                top[m][half] = most;
                float part = 0;
                #pragma unroll
                for (int n = 0; n < N / 8; n++)
                    #pragma unroll
                    for (int i = 2 * half; i < 2 * half + 2; i++) {
                        S[m][n][i] = exp2_fast(fmaf(S[m][n][i], a.factor, -shift));
                        part += S[m][n][i];
                    }
                total[m][half] = total[m][half] * shrink + part;
                #pragma unroll
                for (int n = 0; n < D / 8; n++) {
                    sum[m][n][2 * half] *= shrink;
                    sum[m][n][2 * half + 1] *= shrink;
                }
            }
        add_product<M, N, D>(sum, S, values);
        __syncthreads();                                                             /* before the next copy */
    }

    #pragma unroll
    for (int m = 0; m < M; m++)
        #pragma unroll
        for (int half = 0; half < 2; half++) {
            float l = total[m][half];
            l += __shfl_xor_sync(0xffffffffu, l, 1);
            l += __shfl_xor_sync(0xffffffffu, l, 2);
            const float one_over = 1 / l;
            #pragma unroll
            for (int n = 0; n < D / 8; n++) {
                sum[m][n][2 * half] *= one_over;
                sum[m][n][2 * half + 1] *= one_over;
            }
            const int q = row + 16 * m + 8 * half + g;
            if (t == 0 && q < a.T) store_f32(lse + (long)bh * a.T + q, top[m][half] * a.scale + logf(l));
        }
    write_rows<M, D>(head_of(O_, a, bh), sum, own, row, a);
}

template <int D> static void run(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *stream)
{
    const attn_flash_launch l = launch_of<D>(ATTN_FLASH_O, s);
    constexpr auto *kernel = attn_forward<D, shape_of<D>::M_O, shape_of<D>::STEP_O>;
    check_shared(LARGE_SHARED(kernel, l.shared), l.shared);
    LAUNCH(kernel, dim3((unsigned)l.blocks), dim3(THREADS), l.shared, stream, out16(O), lse, in16(Q), in16(K), in16(V),
           attention_of(s));
    check_launch("attention forward");
}

bool attn_flash_fwd(heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    (void)work;
    if (!attn_flash_takes(s) || !aligned16(Q) || !aligned16(K) || !aligned16(V) || !aligned16(O)) return false;
    if (s->D <= 16) run<16>(O, lse, Q, K, V, s, stream);
    else if (s->D <= 32) run<32>(O, lse, Q, K, V, s, stream);
    else if (s->D <= 64) run<64>(O, lse, Q, K, V, s, stream);
    else run<128>(O, lse, Q, K, V, s, stream);
    return true;
}

attn_flash_launch attn_flash_launch_of(attn_flash_kernel kernel, const attn_shape *s)
{
    if (s->D <= 16) return launch_of<16>(kernel, s);
    if (s->D <= 32) return launch_of<32>(kernel, s);
    return s->D <= 64 ? launch_of<64>(kernel, s) : launch_of<128>(kernel, s);
}

/* At least one sequence, a head size that fits, and grids that CUDA takes. */
bool attn_flash_takes(const attn_shape *s)
{
    if (s->B < 1 || s->T < 1 || s->H < 1 || s->D < 8 || s->D % 8 != 0 || s->D > 128 || !(s->scale > 0)) return false;
    const long most = 0x7fffffff - 1024;
    return s->T <= most && s->H <= most && s->B <= most / s->H && s->T <= most / (s->B * s->H);
}
