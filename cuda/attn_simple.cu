/* SPDX-License-Identifier: GPL-3.0-or-later
 * attn_simple.cu - attention step by step: S = scale Q K', P = softmax(S), O = P V, and its gradient.  Takes any head
 * size and strides; the reference for the other two kernels.  Its own reference: src/train/cpu/cpu_attn.c.
 *
 * Backward: P = exp(S - lse);  dV = P' dO;  dP = dO V';  dS = scale P o (dP - rowsum(dO o O));
 *           dQ = dS K;  dK = dS' Q.
 * Scores are floats.  In bfloat16 P and dS are rounded once, for the products; in float they overwrite S and dP.
 * A few sequences are processed at a time to keep `work` small. */
#include "cuda/attn.h"
#include "cuda/product.h"

/* A warp per row t of a head: P = softmax over its first t + 1 (causal) or T scores, 0 beyond. */
template <typename act>
static __global__ void softmax_kernel(act *P, float *lse, const float *S, long rows, long T, bool causal)
{
    const long r = (long)blockIdx.x * WARPS + threadIdx.y;
    if (r >= rows) return;
    const long n = causal ? r % T + 1 : T;
    const float *row = S + r * T;
    soft_f32 s = soft_empty_f32();
    for (long j = threadIdx.x; j < n; j += 32) s = soft_merged_f32(s, soft_f32{ row[j], 1.0f });
#pragma unroll
    for (int o = 16; o > 0; o /= 2)
        s = soft_merged_f32(s, soft_f32{ __shfl_xor_sync(0xffffffffu, s.top, o),
                                         __shfl_xor_sync(0xffffffffu, s.sum, o) });
    if (threadIdx.x == 0) lse[r] = s.top + logf(s.sum);
    const float scale = 1.0f / s.sum;
    for (long j = threadIdx.x; j < T; j += 32)
        narrow_to(&P[r * T + j], j < n ? scale * exp_nonpositive_f32(row[j] - s.top) : 0.0f);
}

/* From S, dP and lse: P and dS.  dO and O are strided like heads, from the first number of their sequence. */
template <typename act>
static __global__ void score_slope_kernel(act *P, act *dS, const float *S, const float *dP, const float *lse, heads dO,
                                          heads O, long rows, long T, long H, long D, float scale, bool causal)
{
    const long r = (long)blockIdx.x * WARPS + threadIdx.y;
    if (r >= rows) return;
    const long t = r % T, h = r / T % H, b = r / (T * H), n = causal ? t + 1 : T;
    const act *g = (const act *)dO.p + (b * T + t) * dO.row + h * dO.head;
    const act *y = (const act *)O.p + (b * T + t) * O.row + h * O.head;
    float delta = 0;
    for (long c = threadIdx.x; c < D; c += 32) delta += wide(g[c]) * wide(y[c]);
    delta = warp_sum(delta);
    for (long j = threadIdx.x; j < T; j += 32) {
        const float p = j < n ? exp_nonpositive_f32(S[r * T + j] - lse[r]) : 0.0f;
        const float d = j < n ? score_slope_f32(p, dP[r * T + j], delta, scale) : 0.0f;
        narrow_to(&P[r * T + j], p);
        narrow_to(&dS[r * T + j], d);
    }
}

/* ---- the matrices of some sequences ------------------------------------------------------------------------ */

typedef struct {                         /* n sequences from b on                                        */
    cuda_precision p;
    const attn_shape *s;
    long   b, n;
    float *S, *dP;                       /* n H T T each                                                 */
    void  *P, *dS;
} part;

static size_t scores(const attn_shape *s) { return (size_t)(attn_sequences(s->B, s->T, s->H) * s->H * s->T * s->T); }

size_t attn_simple_work(cuda_precision p, const attn_shape *s)
{
    return scores(s) * (2 * sizeof(float) + (p == CUDA_BF16 ? 2 * sizeof(bf16) : 0));
}

static part part_of(cuda_precision p, const attn_shape *s, long b, void *work)
{
    const long most = attn_sequences(s->B, s->T, s->H);
    float *S = (float *)work, *dP = S + scores(s);
    bf16 *P = (bf16 *)(dP + scores(s));
    const bool two = p == CUDA_BF16;
    return part{ p, s, b, s->B - b < most ? s->B - b : most, S, dP, two ? (void *)P : (void *)S,
                 two ? (void *)(P + scores(s)) : (void *)dP };
}

/* x from the part's first sequence on, and its strides. */
static heads from(const part *k, heads x)
{
    const size_t bytes = k->p == CUDA_BF16 ? sizeof(bf16) : sizeof(float);
    return heads{ (const char *)x.p + (size_t)(k->b * k->s->T * x.row) * bytes, x.row, x.head };
}
static strides of_heads(const part *k, long row, long head) { return strides{ row, k->s->T * row, head }; }
static strides of_scores(const part *k)
{
    const long T = k->s->T;
    return strides{ T, k->s->H * T * T, T * T };
}

static product common(const part *k)
{
    product p = {};
    p.tf32 = k->p == CUDA_TF32;
    p.in = k->p == CUDA_BF16 ? BF16 : F32;
    p.sequences = k->n;
    p.heads = k->s->H;
    p.alpha = 1;
    return p;
}

/* scores = alpha X Y', T x T */
static void into_scores(const part *k, float *to, double alpha, heads X, heads Y)
{
    product p = common(k);
    p.tB = true;
    p.out = F32;
    p.M = p.N = k->s->T;
    p.K = k->s->D;
    p.alpha = alpha;
    p.A = from(k, X).p;
    p.B = from(k, Y).p;
    p.C = to;
    p.a = of_heads(k, X.row, X.head);
    p.b = of_heads(k, Y.row, Y.head);
    p.c = of_scores(k);
    product_run(&p);
}

/* to = or += op(scores) X, T x D */
static void out_of_scores(const part *k, heads_out to, const void *matrix, bool transposed, heads X)
{
    product p = common(k);
    p.tA = transposed;
    p.out = p.in;
    p.M = p.K = k->s->T;
    p.N = k->s->D;
    p.beta = to.add ? 1 : 0;
    p.A = matrix;
    p.B = from(k, X).p;
    p.C = (void *)(uintptr_t)from(k, heads{ to.p, to.row, to.head }).p;
    p.D = p.C;
    p.a = of_scores(k);
    p.b = of_heads(k, X.row, X.head);
    p.c = of_heads(k, to.row, to.head);
    product_run(&p);
}

/* ---- forward and backward -------------------------------------------------------------------------------------- */

template <typename act> static void softmax(const part *k, float *lse)
{
    const long T = k->s->T, rows = k->n * k->s->H * T;
    CUDA_LAUNCH(softmax_kernel<act>, row_blocks(rows), dim3(32, WARPS), (act *)k->P, lse + k->b * k->s->H * T,
                (const float *)k->S, rows, T, k->s->causal);
}

template <typename act> static void slopes(const part *k, const float *lse, heads dO, heads O)
{
    const attn_shape *s = k->s;
    const long rows = k->n * s->H * s->T;
    CUDA_LAUNCH(score_slope_kernel<act>, row_blocks(rows), dim3(32, WARPS), (act *)k->P, (act *)k->dS,
                (const float *)k->S, (const float *)k->dP, lse + k->b * s->H * s->T, from(k, dO), from(k, O), rows,
                s->T, s->H, s->D, (float)s->scale, s->causal);
}

void attn_simple_fwd(cuda_precision p, heads_out O, float *lse, heads Q, heads K, heads V, const attn_shape *s,
                     void *work)
{
    part k;
    for (long b = 0; b < s->B; b += k.n) {
        k = part_of(p, s, b, work);
        into_scores(&k, k.S, s->scale, Q, K);
        if (p == CUDA_BF16) softmax<bf16>(&k, lse);
        else                softmax<float>(&k, lse);
        out_of_scores(&k, O, k.P, false, V);
    }
}

void attn_simple_bwd(cuda_precision p, heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const float *lse,
                     heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    part k;
    for (long b = 0; b < s->B; b += k.n) {
        k = part_of(p, s, b, work);
        into_scores(&k, k.S, s->scale, Q, K);
        into_scores(&k, k.dP, 1, dO, V);
        if (p == CUDA_BF16) slopes<bf16>(&k, lse, dO, O);
        else                slopes<float>(&k, lse, dO, O);
        out_of_scores(&k, dV, k.P, true, dO);
        out_of_scores(&k, dQ, k.dS, false, K);
        out_of_scores(&k, dK, k.dS, true, Q);
    }
}
