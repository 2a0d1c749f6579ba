/* SPDX-License-Identifier: GPL-3.0-or-later
 * attn_flash_bwd.cu - attention backward without atomics: three kernels.  Reference: src/train/cpu/cpu_attn.c.
 *
 *   delta[q] = dO[q].O[q]                                       attn_delta, a few lanes per row
 *   P = 2^(factor x - lse / log 2),  dS = P o (dO V' - delta)   with x = Q K', computed again from tiles
 *   dV = P' dO,  dK = scale dS' Q                               attn_keys: a block owns keys, passes over queries
 *   dQ = scale dS K                                             attn_queries: a block owns queries, passes over keys
 * attn_keys has the scores transposed, keys as rows: so P' and dS' are already left factors in the registers.
 * Rows past T are zeros in the tiles of Q and dO, and their lse and delta are 0: they add nothing.           */
#include "cuda/attn_flash_tile.h"

/* statistics[B,H,T]: lse / log 2, and delta. */
template <int D>
__global__ __launch_bounds__(THREADS) void attn_delta(float2 *statistics, heads16 dO_, heads16 O_, const float *lse,
                                                      attention a, long rows)
{
    const int LANES_PER_ROW = D / 8;
    const long i = ((long)blockIdx.x * THREADS + (int)threadIdx.x) / LANES_PER_ROW;       /* (b T + q) H + h */
    const int c = (int)threadIdx.x % LANES_PER_ROW;
    const int h = (int)(i % a.H), q = (int)(i / a.H % a.T);
    const long bh = i / a.H / a.T * a.H + h;
    float sum = 0;
    if (i < rows && 8 * c < a.d) {
        const rows_in dO = head_of(dO_, a, (int)bh), O = head_of(O_, a, (int)bh);
        const uint4 x = load_16(dO.p + q * dO.row + 8 * c), y = load_16(O.p + q * O.row + 8 * c);
        sum = bf16_low(x.x) * bf16_low(y.x) + bf16_high(x.x) * bf16_high(y.x)
            + bf16_low(x.y) * bf16_low(y.y) + bf16_high(x.y) * bf16_high(y.y)
            + bf16_low(x.z) * bf16_low(y.z) + bf16_high(x.z) * bf16_high(y.z)
            + bf16_low(x.w) * bf16_low(y.w) + bf16_high(x.w) * bf16_high(y.w);
    }
    #pragma unroll
    for (int m = LANES_PER_ROW / 2; m > 0; m /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, m);
    if (c == 0 && i < rows)
        store_f32x2(statistics + bh * a.T + q, make_float2(load_f32(lse + bh * a.T + q) * 1.4426950408889634f, sum));
}

/* P from scores: 2^(factor x - l), 0 where the key is after the query; dP becomes dS. */
INSTRUCTION void score_gradient(float &x, float &dp, bool seen, float factor, float2 statistics)
{
    x = seen ? exp2_fast(fmaf(x, factor, -statistics.x)) : 0;
    dp = x * (dp - statistics.y);
}

template <int M, int D> INSTRUCTION void clear(float (&C)[M][D / 8][4])
{
    #pragma unroll
    for (int m = 0; m < M; m++)
        #pragma unroll
        for (int n = 0; n < D / 8; n++)
            #pragma unroll
            for (int i = 0; i < 4; i++) C[m][n][i] = 0;
}

template <int M, int D> INSTRUCTION void scale_by(float (&C)[M][D / 8][4], float factor)
{
    #pragma unroll
    for (int m = 0; m < M; m++)
        #pragma unroll
        for (int n = 0; n < D / 8; n++)
            #pragma unroll
            for (int i = 0; i < 4; i++) C[m][n][i] *= factor;
}

/* N queries in a step, of which PART at a time have their scores in registers. */
template <int D, int M, int N, int PART>
__global__ __launch_bounds__(THREADS) void attn_keys(heads16_out dK_, heads16_out dV_, heads16 dO_,
                                                     const float2 *statistics, heads16 Q_, heads16 K_, heads16 V_,
                                                     attention a)
{
    const int ROWS = 16 * M * WARPS, tiles = (a.T + ROWS - 1) / ROWS;
    const int bh = (int)(blockIdx.x / (unsigned)tiles), first = (int)(blockIdx.x % (unsigned)tiles) * ROWS;
    const rows_in Q = head_of(Q_, a, bh), dO = head_of(dO_, a, bh);
    const float2 *of_row = statistics + (long)bh * a.T;
    const int g = lane_index() / 4, t = lane_index() % 4;
    const int own = 16 * M * warp_index(), row = first + own;                        /* the warp's first key */

    unsigned char *keys = dynamic_shared(), *values = keys + tile<D>::bytes(ROWS);
    unsigned char *stage = values + tile<D>::bytes(ROWS);
    const size_t GRADIENTS = tile<D>::bytes(N), STATISTICS = 2 * tile<D>::bytes(N), STAGE = STATISTICS + 8 * N;

    const int from = a.causal ? first / N : 0, to = (a.T + N - 1) / N;
    auto fetch = [&](int j) {
        unsigned char *at = stage + j % 2 * STAGE;
        fetch_tile<N, D>(at, Q, j * N, a);
        fetch_tile<N, D>(at + GRADIENTS, dO, j * N, a);
        if ((int)threadIdx.x < N) {
            const int q = j * N + (int)threadIdx.x;
            copy_async_8(at + STATISTICS + 8 * threadIdx.x, q < a.T ? of_row + q : of_row, q < a.T);
        }
    };
    fetch_tile<ROWS, D>(keys, head_of(K_, a, bh), first, a);
    fetch_tile<ROWS, D>(values, head_of(V_, a, bh), first, a);
    fetch(from);
    copy_commit();

    float sum_k[M][D / 8][4], sum_v[M][D / 8][4];
    clear<M, D>(sum_k);
    clear<M, D>(sum_v);
    left_factor<M, D, shape_of<D>::KEPT> K(keys + own * tile<D>::PITCH), V(values + own * tile<D>::PITCH);

    for (int j = from; j < to; j++) {
        const unsigned char *queries = stage + j % 2 * STAGE;
        if (j + 1 < to) {
            fetch(j + 1);
            copy_commit();
            copy_wait<1>();
        } else copy_wait<0>();
        __syncthreads();
        if (j == from) {
            K.begin();
            V.begin();
        }
        for (int part = 0; part < N; part += PART) {
            const unsigned char *q_part = queries + tile<D>::bytes(part), *g_part = q_part + GRADIENTS;
            float P[M][PART / 8][4], dS[M][PART / 8][4];
            product_of_rows<M, PART, D>(P, K, q_part);
            product_of_rows<M, PART, D>(dS, V, g_part);
            #pragma unroll
            for (int n = 0; n < PART / 8; n++) {
                const int column = part + 8 * n + 2 * t, q = j * N + column;
                const float4 two = shared_load_f32x4(queries + STATISTICS + 8 * column);
                #pragma unroll
                for (int m = 0; m < M; m++)
                    #pragma unroll
                    for (int i = 0; i < 4; i++) {
                        const int key = row + 16 * m + g + 8 * (i / 2);
                        score_gradient(P[m][n][i], dS[m][n][i], !a.causal || key <= q + i % 2, a.factor,
                                       i % 2 ? make_float2(two.z, two.w) : make_float2(two.x, two.y));
                    }
            }
            add_product<M, PART, D>(sum_v, P, g_part);
            add_product<M, PART, D>(sum_k, dS, q_part);
        }
        __syncthreads();                                                             /* before the next copy */
    }
    scale_by<M, D>(sum_k, a.scale);
    write_rows<M, D>(head_of(dK_, a, bh), sum_k, keys + own * tile<D>::PITCH, row, a);
    __syncwarp();                                                                    /* dK and dV may be one place */
    write_rows<M, D>(head_of(dV_, a, bh), sum_v, values + own * tile<D>::PITCH, row, a);
}

/* N keys in a step, of which PART at a time have their scores in registers. */
template <int D, int M, int N, int PART>
__global__ __launch_bounds__(THREADS) void attn_queries(heads16_out dQ_, heads16 dO_, const float2 *statistics,
                                                        heads16 Q_, heads16 K_, heads16 V_, attention a)
{
    const int ROWS = 16 * M * WARPS, tiles = (a.T + ROWS - 1) / ROWS;
    const int bh = (int)(blockIdx.x / (unsigned)tiles);
    const int first = (tiles - 1 - (int)(blockIdx.x % (unsigned)tiles)) * ROWS;      /* the longest passes first */
    const rows_in K = head_of(K_, a, bh), V = head_of(V_, a, bh);
    const int g = lane_index() / 4, t = lane_index() % 4;
    const int own = 16 * M * warp_index(), row = first + own;                        /* the warp's first query */

    unsigned char *queries = dynamic_shared(), *gradients = queries + tile<D>::bytes(ROWS);
    unsigned char *stage = gradients + tile<D>::bytes(ROWS);
    const size_t VALUES = tile<D>::bytes(N), STAGE = 2 * tile<D>::bytes(N);

    const int end = a.causal && first + ROWS < a.T ? first + ROWS : a.T, steps = (end + N - 1) / N;
    fetch_tile<ROWS, D>(queries, head_of(Q_, a, bh), first, a);
    fetch_tile<ROWS, D>(gradients, head_of(dO_, a, bh), first, a);
    fetch_tile<N, D>(stage, K, 0, a);
    fetch_tile<N, D>(stage + VALUES, V, 0, a);
    copy_commit();

    float2 of_row[M][2];
    #pragma unroll
    for (int m = 0; m < M; m++)
        #pragma unroll
        for (int half = 0; half < 2; half++) {
            const int q = row + 16 * m + 8 * half + g;
            of_row[m][half] = q < a.T ? load_f32x2(statistics + (long)bh * a.T + q) : make_float2(0, 0);
        }
    float sum[M][D / 8][4];
    clear<M, D>(sum);
    left_factor<M, D, shape_of<D>::KEPT> Q(queries + own * tile<D>::PITCH), dO(gradients + own * tile<D>::PITCH);

    for (int j = 0; j < steps; j++) {
        const unsigned char *keys = stage + j % 2 * STAGE;
        if (j + 1 < steps) {
            unsigned char *next = stage + (j + 1) % 2 * STAGE;
            fetch_tile<N, D>(next, K, (j + 1) * N, a);
            fetch_tile<N, D>(next + VALUES, V, (j + 1) * N, a);
            copy_commit();
            copy_wait<1>();
        } else copy_wait<0>();
        __syncthreads();
        if (j == 0) {
            Q.begin();
            dO.begin();
        }
        for (int part = 0; part < N; part += PART) {
            const unsigned char *k_part = keys + tile<D>::bytes(part);
            float P[M][PART / 8][4], dS[M][PART / 8][4];
            product_of_rows<M, PART, D>(P, Q, k_part);
            product_of_rows<M, PART, D>(dS, dO, k_part + VALUES);
            #pragma unroll
            for (int m = 0; m < M; m++)
                #pragma unroll
                for (int n = 0; n < PART / 8; n++)
                    #pragma unroll
                    for (int i = 0; i < 4; i++) {
                        const int key = j * N + part + 8 * n + 2 * t + i % 2, q = row + 16 * m + g + 8 * (i / 2);
                        score_gradient(P[m][n][i], dS[m][n][i], key < a.T && (!a.causal || key <= q), a.factor,
                                       of_row[m][i / 2]);
                    }
            add_product<M, PART, D>(sum, dS, k_part);
        }
        __syncthreads();                                                             /* before the next copy */
    }
    scale_by<M, D>(sum, a.scale);
    write_rows<M, D>(head_of(dQ_, a, bh), sum, queries + own * tile<D>::PITCH, row, a);
}

template <int D>
static void run(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    typedef shape_of<D> of;
    const attention a = attention_of(s);
    float2 *statistics = (float2 *)work;
    const long rows = s->B * s->T * s->H, per_block = THREADS / (D / 8);
    LAUNCH(attn_delta<D>, dim3((unsigned)((rows + per_block - 1) / per_block)), dim3(THREADS), 0, stream,
           statistics, in16(dO), in16(O), lse, a, rows);
    check_launch("attention delta");

    const attn_flash_launch k = launch_of<D>(ATTN_FLASH_DKV, s), q = launch_of<D>(ATTN_FLASH_DQ, s);
    constexpr auto *of_keys = attn_keys<D, of::M_DKV, of::STEP_DKV, of::PART_DKV>;
    check_shared(LARGE_SHARED(of_keys, k.shared), k.shared);
    LAUNCH(of_keys, dim3((unsigned)k.blocks), dim3(THREADS), k.shared, stream,
           out16(dK), out16(dV), in16(dO), statistics, in16(Q), in16(K), in16(V), a);
    check_launch("attention dK, dV");

    constexpr auto *of_queries = attn_queries<D, of::M_DQ, of::STEP_DQ, of::PART_DQ>;
    check_shared(LARGE_SHARED(of_queries, q.shared), q.shared);
    LAUNCH(of_queries, dim3((unsigned)q.blocks), dim3(THREADS), q.shared, stream,
           out16(dQ), in16(dO), statistics, in16(Q), in16(K), in16(V), a);
    check_launch("attention dQ");
}

size_t attn_flash_work(const attn_shape *s)
{
    return attn_flash_takes(s) ? (size_t)(s->B * s->H * s->T) * sizeof(float2) : 0;
}

bool attn_flash_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                    heads Q, heads K, heads V, const attn_shape *s, void *work, void *stream)
{
    if (!attn_flash_takes(s) || !aligned16(dQ) || !aligned16(dK) || !aligned16(dV) || !aligned16(dO) || !aligned16(O)
        || !aligned16(Q) || !aligned16(K) || !aligned16(V)) return false;
    if (s->D <= 16) run<16>(dQ, dK, dV, dO, O, lse, Q, K, V, s, work, stream);
    else if (s->D <= 32) run<32>(dQ, dK, dV, dO, O, lse, Q, K, V, s, work, stream);
    else if (s->D <= 64) run<64>(dQ, dK, dV, dO, O, lse, Q, K, V, s, work, stream);
    else run<128>(dQ, dK, dV, dO, O, lse, Q, K, V, s, work, stream);
    return true;
}
