/* cpu_attn.c - softmax attention on the CPU: one task per sequence and head, small products on some queries at a
 * time; causal ones look at the keys up to their last query alone, and take fewer at a time for it.
 *
 * Forward:  S = scale Q K', P = exp(S - max) (rows, masked), O = P V / sum; lse = max + log sum is saved.
 * Backward: P = exp(S - lse);  dV = P' dO;  dP = dO V';  dS = scale P o (dP - rowsum(dO o O));
 *           dQ = dS K;  dK = dS' Q.
 * The backward pass recomputes P from lse, so that nothing of size T^2 is saved (Dao et al. 2022). */
#include <math.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include "src/train/cpu/gemm.h"

static long thread(void)
{
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

static long threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static long fewer(long a, long b) { return a < b ? a : b; }
static long at_a_time(const attn_shape *s) { return fewer(s->T, s->causal ? 32 : 128); }       /* queries */

/* Per thread: two matrices of those queries and all keys. */
static size_t work_of_one(const attn_shape *s) { return (size_t)(2 * at_a_time(s) * s->T); }
static size_t cpu_attn_work(const attn_shape *s) { return (size_t)threads() * work_of_one(s) * sizeof(real); }

static const real *in (heads x, long b, long h, long T)     { return (const real *)x.p + b * T * x.row + h * x.head; }
static real       *out(heads_out x, long b, long h, long T) { return (real *)x.p + b * T * x.row + h * x.head; }

static long seen(const attn_shape *s, long t) { return s->causal ? t + 1 : s->T; }

/* One block of rows, one call: what works on a row is compiled into what works on all of them. */
#define INSIDE __attribute__((always_inline)) static inline

INSIDE real row_max(const real *x, long n)
{
    real lane[16];
    for (int k = 0; k < 16; k++) lane[k] = x[0];
    long i = 0;
    for (; i + 16 <= n; i += 16) for (int k = 0; k < 16; k++) lane[k] = x[i + k] > lane[k] ? x[i + k] : lane[k];
    for (; i < n; i++) lane[0] = x[i] > lane[0] ? x[i] : lane[0];
    real top = lane[0];
    for (int k = 1; k < 16; k++) top = lane[k] > top ? lane[k] : top;
    return top;
}

/* p = exp(x - top) on n entries, 0 on the rest of the keys; returns the sum, in sixteen lanes. */
INSIDE real exponentials(real *x, real top, long n, long keys)
{
    real lane[16] = { 0 }, sum = 0;
    for (long i = 0; i < n; i++) x[i] = exp_nonpositive(x[i] - top);
    long i = 0;
    for (; i + 16 <= n; i += 16) for (int k = 0; k < 16; k++) lane[k] += x[i + k];
    for (; i < n; i++) lane[0] += x[i];
    for (int k = 0; k < 16; k++) sum += lane[k];
    for (long j = n; j < keys; j++) x[j] = 0;
    return sum;
}

INSIDE void scale_row(real *x, real factor, long n)
{
    for (long i = 0; i < n; i++) x[i] *= factor;
}

/* A block of queries: rows `from` and on of the scores, as many keys as the last of them sees. */
typedef struct { long from, rows, keys; } block;
static block block_at(const attn_shape *s, long from)
{
    const long rows = fewer(at_a_time(s), s->T - from);
    return (block){ from, rows, seen(s, from + rows - 1) };
}

/* S = softmax(S) by rows; lse = log of the sums. */
VECTOR_CLONES static void softmax_rows(real *S, real *lse, const attn_shape *s, const block *q)
{
    for (long r = 0; r < q->rows; r++) {
        const long n = seen(s, q->from + r);
        real *x = S + r * s->T;
        const real top = row_max(x, n), sum = exponentials(x, top, n, q->keys);
        lse[r] = top + (real)log((double)sum);
        scale_row(x, 1 / sum, n);
    }
}

static void cpu_attn_fwd(heads_out O, void *lses, heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    const long T = s->T, D = s->D, step = at_a_time(s);
    real *lse = lses;
    #pragma omp parallel for collapse(2) schedule(static)
    for (long b = 0; b < s->B; b++)
        for (long h = 0; h < s->H; h++) {
            real *S = (real *)work + thread() * (long)work_of_one(s), *y = out(O, b, h, T);
            const real *q = in(Q, b, h, T), *k = in(K, b, h, T), *v = in(V, b, h, T);
            for (long from = 0; from < T; from += step) {
                const block n = block_at(s, from);
                gemm(false, true, n.rows, n.keys, D, s->scale, q + from * Q.row, Q.row, k, K.row, 0, S, T);
                softmax_rows(S, lse + (b * s->H + h) * T + from, s, &n);
                gemm(false, false, n.rows, D, n.keys, 1, S, T, v, V.row, O.add ? 1 : 0, y + from * O.row, O.row);
            }
        }
}

INSIDE double dot(const real *x, const real *y, long n)
{
    double lane[8] = { 0 };
    long i = 0;
    for (; i + 8 <= n; i += 8) for (int k = 0; k < 8; k++) lane[k] += (double)x[i + k] * (double)y[i + k];
    for (; i < n; i++) lane[0] += (double)x[i] * (double)y[i];
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

/* dS = scale P o (dP - delta), over P. */
INSIDE void score_gradient(real *restrict P, const real *restrict dP, real delta, real scale, long n)
{
    for (long i = 0; i < n; i++) P[i] = score_slope(P[i], dP[i], delta, scale);
}

VECTOR_CLONES static void softmax_again(real *P, const real *lse, const attn_shape *s, const block *q)
{
    for (long r = 0; r < q->rows; r++) exponentials(P + r * s->T, lse[r], seen(s, q->from + r), q->keys);
}

/* dS over P, with delta = dO . O by rows. */
VECTOR_CLONES
static void score_gradients(real *P, const real *dP, const real *dO, long dO_row, const real *O, long O_row,
                            const attn_shape *s, const block *q)
{
    for (long r = 0; r < q->rows; r++) {
        const real delta = (real)dot(dO + r * dO_row, O + r * O_row, s->D);
        score_gradient(P + r * s->T, dP + r * s->T, delta, (real)s->scale, seen(s, q->from + r));
    }
}

/* From the last queries to the first: those meet all keys, and write what the others add to. */
static void cpu_attn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const void *lses,
                         heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    const long T = s->T, D = s->D, step = at_a_time(s), last = (T - 1) / step * step;
    const real *lse = lses;
    #pragma omp parallel for collapse(2) schedule(static)
    for (long b = 0; b < s->B; b++)
        for (long h = 0; h < s->H; h++) {
            real *P = (real *)work + thread() * (long)work_of_one(s), *dP = P + step * T;
            const real *k = in(K, b, h, T), *v = in(V, b, h, T);
            for (long from = last; from >= 0; from -= step) {
                const block n = block_at(s, from);
                const real *q = in(Q, b, h, T) + from * Q.row, *o = in(O, b, h, T) + from * O.row;
                const real *g = in(dO, b, h, T) + from * dO.row, *l = lse + (b * s->H + h) * T + from;
                const bool more = from < last;
                gemm(false, true, n.rows, n.keys, D, s->scale, q, Q.row, k, K.row, 0, P, T);
                softmax_again(P, l, s, &n);
                gemm(true, false, n.keys, D, n.rows, 1, P, T, g, dO.row, more || dV.add ? 1 : 0, out(dV, b, h, T),
                         dV.row);
                gemm(false, true, n.rows, n.keys, D, 1, g, dO.row, v, V.row, 0, dP, T);
                score_gradients(P, dP, g, dO.row, o, O.row, s, &n);
                gemm(false, false, n.rows, D, n.keys, 1, P, T, k, K.row, dQ.add ? 1 : 0,
                         out(dQ, b, h, T) + from * dQ.row, dQ.row);
                gemm(true, false, n.keys, D, n.rows, 1, P, T, q, Q.row, more || dK.add ? 1 : 0, out(dK, b, h, T),
                         dK.row);
            }
        }
}

void cpu_fill_attn(ops *o)
{
    o->attn_fwd = cpu_attn_fwd;
    o->attn_bwd = cpu_attn_bwd;
    o->attn_work = cpu_attn_work;
}
