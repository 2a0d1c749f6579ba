/* SPDX-License-Identifier: GPL-3.0-or-later
 * cpu_attn.c - softmax attention on the CPU: one task per sequence and head, small products (tile.h) on some queries at
 * a time; causal ones look at the keys up to their last query alone.
 *
 * Forward:  S = scale Q K', P = exp(S - max) (rows, masked), O = P V / sum; lse = max + log sum is saved.
 * Backward: P = exp(S - lse);  dV = P' dO;  dP = dO V';  dS = scale P o (dP - rowsum(P o dP));
 *           dQ = dS K;  dK = dS' Q.
 * The backward pass recomputes P from lse, so that nothing of size T^2 is saved (Dao et al. 2022).
 *
 * All scores are kept transposed, a row for each key and a column for each query: what softmax does to a query, it does
 * to a number of each vector, so that nothing is summed across a vector and short sequences fill vectors, too. */
#include <math.h>
#include "src/train/cpu/share.h"
#include "src/train/cpu/tile.h"

enum { QUERIES = 2 * LANES, KEYS = 32 };         /* at a time; keys whose shares of a sum are added first */
static long width_of(const attn_shape *s) { return s->T <= LANES ? LANES : QUERIES; }

/* Per thread: packed queries and gradients of a block, transposed and as they are, a packed matrix of all keys (or
 * values), and two matrices of scores. */
typedef struct { real *Qt, *dOt, *Q, *dO, *all, *P, *dP; } room;
static size_t room_numbers(const attn_shape *s)
{
    const long W = width_of(s), wide = panel_width(s->D);
    return (size_t)(2 * s->D * W + 2 * W * wide + s->T * wide + 2 * s->T * W);
}
static size_t cpu_attn_work(const attn_shape *s) { return (size_t)most_threads() * room_numbers(s) * sizeof(real); }
static room room_at(const attn_shape *s, void *work)
{
    const long W = width_of(s), wide = panel_width(s->D);
    real *x = (real *)work + (size_t)thread_index() * room_numbers(s);
    room r = { .Qt = x, .dOt = x + s->D * W };
    r.Q = r.dOt + s->D * W;
    r.dO = r.Q + W * wide;
    r.all = r.dO + W * wide;
    r.P = r.all + s->T * wide;
    r.dP = r.P + s->T * W;
    return r;
}

/* By the multiply-adds of the two products of the forward pass. */
static bool is_shared(const attn_shape *s)
{
    return 2 * (double)s->B * (double)s->H * (double)s->T * (double)s->T * (double)s->D > FORK_PRODUCTS;
}

static const real *in (heads x, long b, long h, long T)     { return (const real *)x.p + b * T * x.row + h * x.head; }
static real       *out(heads_out x, long b, long h, long T) { return (real *)x.p + b * T * x.row + h * x.head; }

static strided by_rows(const real *x, long row)    { return (strided){ x, row, 1 }; }
static strided transposed(const real *x, long row) { return (strided){ x, 1, row }; }

/* Queries from, from + 1, ..., `rows` of them in a matrix of W columns; as many keys as the last one sees. */
typedef struct { long from, rows, keys, W; bool causal; } block;
static block block_at(const attn_shape *s, long from)
{
    const long rows = fewer(width_of(s), s->T - from);
    return (block){ from, rows, s->causal ? from + rows : s->T, panel_width(rows), s->causal };
}

/* One block of scores, one call: what works on a row is compiled into what works on all of them. */

/* Query i of the block sees key j where i >= least: all queries do where the mask is not causal or the key is older. */
INSIDE long least(const block *q, long j) { return q->causal ? j - q->from : 0; }

/* x = exp(x - top), 0 where the key is not seen; W is a constant where it is called. */
INSIDE void exponential_row(const long W, real *restrict x, const real *restrict top, long first)
{
    for (long i = 0; i < W; i++) x[i] = exp_nonpositive(x[i] - top[i]);
    for (long i = 0; i < fewer(first, W); i++) x[i] = 0;
}

INSIDE void softmax_columns(const long W, real *restrict S, real *restrict lse, const block *q)
{
    real top[QUERIES], all[QUERIES] = { 0 }, part[QUERIES];
    for (long i = 0; i < W; i++) top[i] = S[i];
    for (long j = 1; j < q->keys; j++) {
        const real *x = S + j * W;
        const long first = least(q, j);
        if (first <= 0) for (long i = 0; i < W; i++) top[i] = x[i] > top[i] ? x[i] : top[i];
        else            for (long i = first; i < W; i++) top[i] = x[i] > top[i] ? x[i] : top[i];
    }
    for (long from = 0; from < q->keys; from += KEYS) {
        for (long i = 0; i < W; i++) part[i] = 0;
        for (long j = from; j < fewer(from + KEYS, q->keys); j++) {
            exponential_row(W, S + j * W, top, least(q, j));
            for (long i = 0; i < W; i++) part[i] += S[j * W + i];
        }
        for (long i = 0; i < W; i++) all[i] += part[i];
    }
    for (long i = 0; i < W; i++) {
        top[i] += log_from_one(all[i]);
        all[i] = 1 / all[i];
    }
    for (long j = 0; j < q->keys; j++) for (long i = 0; i < W; i++) S[j * W + i] *= all[i];
    for (long i = 0; i < q->rows; i++) lse[i] = top[i];
}

/* S = softmax(S) by columns; lse = log of the sums. */
VECTOR_CLONES static void softmax_block(real *S, real *lse, const block *q)
{
    if (q->W == LANES) softmax_columns(LANES, S, lse, q);
    else               softmax_columns(QUERIES, S, lse, q);
}

static void cpu_attn_fwd(heads_out O, void *lses, heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    const tile_kernel *t = tile_best();
    const long T = s->T, D = s->D;
    const bool shared = is_shared(s);
    real *lse = lses;
    (void)shared;                        /* without OpenMP */
    #pragma omp parallel for collapse(2) schedule(static) if (shared)
    for (long b = 0; b < s->B; b++)
        for (long h = 0; h < s->H; h++) {
            const room r = room_at(s, work);
            const real *k = in(K, b, h, T);
            tile_pack(t, r.all, T, D, by_rows(in(V, b, h, T), V.row));
            for (long from = 0; from < T; from += width_of(s)) {
                const block n = block_at(s, from);
                tile_pack(t, r.Qt, D, n.rows, transposed(in(Q, b, h, T) + from * Q.row, Q.row));
                tile_product(t, n.keys, n.W, D, D, (real)s->scale, by_rows(k, K.row), r.Qt, false, r.P, n.W);
                softmax_block(r.P, lse + (b * s->H + h) * T + from, &n);
                tile_product(t, n.rows, D, T, n.keys, 1, transposed(r.P, n.W), r.all, O.add,
                             out(O, b, h, T) + from * O.row, O.row);
            }
        }
}

/* P = exp(S - lse), over S. */
INSIDE void columns_again(const long W, real *restrict S, const real *restrict lse, const block *q)
{
    real top[QUERIES] = { 0 };
    for (long i = 0; i < q->rows; i++) top[i] = lse[i];
    for (long j = 0; j < q->keys; j++) exponential_row(W, S + j * W, top, least(q, j));
}

VECTOR_CLONES static void softmax_again(real *S, const real *lse, const block *q)
{
    if (q->W == LANES) columns_again(LANES, S, lse, q);
    else               columns_again(QUERIES, S, lse, q);
}

/* dS = scale P o (dP - delta), over P, with delta = the sum of P o dP over the keys.  It is divided by the sum of P,
 * which is 1 but for rounding: so the sum of dS is 0, as softmax wants, to the last bits. */
INSIDE void slope_columns(const long W, real *restrict P, const real *restrict dP, real scale, const block *q)
{
    real delta[QUERIES] = { 0 }, all[QUERIES] = { 0 }, part[QUERIES], some[QUERIES];
    for (long from = 0; from < q->keys; from += KEYS) {
        for (long i = 0; i < W; i++) part[i] = some[i] = 0;
        for (long j = from; j < fewer(from + KEYS, q->keys); j++)
            for (long i = 0; i < W; i++) {
                part[i] += P[j * W + i] * dP[j * W + i];
                some[i] += P[j * W + i];
            }
        for (long i = 0; i < W; i++) {
            delta[i] += part[i];
            all[i] += some[i];
        }
    }
    for (long i = 0; i < W; i++) delta[i] /= all[i];
    for (long j = 0; j < q->keys; j++)
        for (long i = 0; i < W; i++) P[j * W + i] = score_slope(P[j * W + i], dP[j * W + i], delta[i], scale);
}

VECTOR_CLONES static void score_slopes(real *P, const real *dP, real scale, const block *q)
{
    if (q->W == LANES) slope_columns(LANES, P, dP, scale, q);
    else               slope_columns(QUERIES, P, dP, scale, q);
}

/* From the last queries to the first: those meet all keys, and write what the others add to. */
static void cpu_attn_bwd(heads_out dQ, heads_out dK, heads_out dV, heads dO, heads O, const void *lses,
                         heads Q, heads K, heads V, const attn_shape *s, void *work)
{
    const tile_kernel *t = tile_best();
    const long T = s->T, D = s->D, step = width_of(s), last = (T - 1) / step * step;
    const real *lse = lses;
    const bool shared = is_shared(s);
    (void)shared;                        /* without OpenMP */
    (void)O;                             /* rowsum(P o dP) = rowsum(dO o O) */
    #pragma omp parallel for collapse(2) schedule(static) if (shared)
    for (long b = 0; b < s->B; b++)
        for (long h = 0; h < s->H; h++) {
            const room r = room_at(s, work);
            const real *k = in(K, b, h, T), *v = in(V, b, h, T);
            tile_pack(t, r.all, T, D, by_rows(k, K.row));
            for (long from = last; from >= 0; from -= step) {
                const block n = block_at(s, from);
                const real *q = in(Q, b, h, T) + from * Q.row, *g = in(dO, b, h, T) + from * dO.row;
                const bool more = from < last;
                tile_pack(t, r.Qt, D, n.rows, transposed(q, Q.row));
                tile_pack(t, r.dOt, D, n.rows, transposed(g, dO.row));
                tile_pack(t, r.Q, n.rows, D, by_rows(q, Q.row));
                tile_pack(t, r.dO, n.rows, D, by_rows(g, dO.row));
                tile_product(t, n.keys, n.W, D, D, (real)s->scale, by_rows(k, K.row), r.Qt, false, r.P, n.W);
                softmax_again(r.P, lse + (b * s->H + h) * T + from, &n);
                tile_product(t, n.keys, D, n.rows, n.rows, 1, by_rows(r.P, n.W), r.dO, more || dV.add, out(dV, b, h, T),
                             dV.row);
                tile_product(t, n.keys, n.W, D, D, 1, by_rows(v, V.row), r.dOt, false, r.dP, n.W);
                score_slopes(r.P, r.dP, (real)s->scale, &n);
                tile_product(t, n.rows, D, T, n.keys, 1, transposed(r.P, n.W), r.all, dQ.add,
                             out(dQ, b, h, T) + from * dQ.row, dQ.row);
                tile_product(t, n.keys, D, n.rows, n.rows, 1, by_rows(r.P, n.W), r.Q, more || dK.add, out(dK, b, h, T),
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
